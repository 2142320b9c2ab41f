// The tree explorer on the page: shows the picture that the kernel lays out, and asks for more.

const MOVE_MS = 260;

function render({ model, el, signal }) {
  const explorer = new Explorer(model);
  el.append(explorer.root);
  keepKeysFromTheNotebook(explorer.root, signal);
  watchTheKernel(model, explorer.root, "tree");
  const closeView = openView(model);
  return () => {
    explorer.leave();
    closeView();
  };
}

class Explorer {
  constructor(model) {
    this.model = model;
    this.pieces = { ...model.get("pieces") };
    this.size = { width: 640, height: 440 };
    this.view = null;
    this.current = "[]"; // the path of the node that the Tab key leads to
    this.asked = null; // the path of the node that was clicked, to be held in its place
    this.build();
    this.listen();
    this.showFrame();
    this.showPicture();
  }

  leave() {
    this.resizing.disconnect();
  }

  ask(request, path = null) {
    this.asked = path;
    tell(this.model, request);
  }

  // Elements

  build() {
    const { model } = this;
    const tool = (name, label, onclick) => makeButton(name, label, { title: label, onclick });
    const small = (name, label, act) => makeSignButton(name, label, act, { class: "command small" });
    this.filter = h("select", { "aria-label": "Which nodes", onchange: () => this.ask({ min_visits: Number(this.filter.value) }) },
      ...model.get("filters").map((visits) => h("option", { value: visits }, { 0: "all nodes", 1: "visited nodes" }[visits] ?? `N ≥ ${visits.toLocaleString("en-US")}`)));
    const colors = makeChoice("Colour by", ["value", "visits"], (color) => this.ask({ color_by: color }));
    this.colors = colors.inputs;
    this.viewport = s("g", { class: "viewport" });
    this.svg = s("svg", { class: "tree", role: "tree", "aria-label": model.get("title") }, this.viewport);
    this.infoBoard = makeBoard(this.pieces);
    this.infoText = h("div", { class: "info-text" });
    this.info = h("div", { class: "info", hidden: true, "aria-hidden": "true" }, h("div", { class: "info-board" }, this.infoBoard.element), this.infoText);
    this.legend = h("p", { class: "legend" });
    this.caption = h("p", { class: "caption", role: "status" });
    this.pane = h("div", { class: "tree-pane" }, this.svg, this.info,
      h("div", { class: "zoom" },
        small("plus", "Zoom in (+)", () => this.zoom(1.4)),
        small("minus", "Zoom out (−)", () => this.zoom(1 / 1.4)),
        small("fit", "Whole drawing (0)", () => this.look(showAll(this.box, this.size)))));
    this.root = h("section", { class: "mctslab mctslab-explorer", "aria-label": model.get("title") },
      h("div", { class: "controls", role: "toolbar", "aria-label": "Tree" },
        h("div", { class: "group" },
          tool("route", "Principal variation", () => this.ask({ follow: "principal variation" })),
          tool("fold", "Fold all", () => this.ask({ fold: "all" }))),
        h("div", { class: "group" },
          h("span", { class: "label" }, "colour by"),
          colors.root,
          this.filter,
          tool("download", "SVG", () => save("tree.svg", "image/svg+xml", model.get("picture"))),
          tool("download", "DOT", () => save("tree.dot", "text/vnd.graphviz", model.get("source"))))),
      this.pane,
      h("div", { class: "below" }, this.caption, this.legend));
  }

  listen() {
    const { model, svg } = this;
    // One answer from the kernel changes several traits: draw once, when all have arrived.
    let isWaiting = false;
    const later = () => {
      if (isWaiting) return;
      isWaiting = true;
      queueMicrotask(() => {
        isWaiting = false;
        this.showFrame();
        this.showPicture();
      });
    };
    for (const name of ["picture", "nodes", "caption", "legend", "color_by", "min_visits"]) model.on(`change:${name}`, later);
    this.resizing = new ResizeObserver(([entry]) => {
      const { width, height } = entry.contentRect;
      if (!width || !height) return;
      const isFirst = this.view === null || width !== this.size.width;
      this.size = { width, height };
      if (isFirst) this.fit();
    });
    this.resizing.observe(svg);
    svg.addEventListener("pointerdown", (event) => this.onPointerDown(event));
    svg.addEventListener("click", (event) => this.onClick(event));
    svg.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch" && !event.buttons) this.showInfo(placeOf(event.target));
    });
    svg.addEventListener("pointerleave", () => this.showInfo(null));
    // On the pane, because an SVG that listens for focus would take it itself.
    this.pane.addEventListener("focusin", (event) => {
      const place = placeOf(event.target);
      if (place === null) return;
      this.setCurrent(place);
      if (!event.target.matches(":focus-visible")) return;
      this.bringIntoPane(place);
      this.showInfo(place);
    });
    this.pane.addEventListener("focusout", () => this.showInfo(null));
    svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return; // the page scrolls on
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / 300), this.pointOf(event));
    }, { passive: false });
    svg.addEventListener("keydown", (event) => this.onKey(event));
  }

  // What a person does

  onClick(event) {
    if (this.wasDragged) return;
    const more = event.target.closest("[data-more]");
    const place = placeOf(event.target);
    if (more) this.showMore(Number(more.dataset.more));
    else if (place !== null) this.toggle(place);
  }

  toggle(place) {
    const node = this.nodes[place];
    this.setCurrent(place);
    if (node.num_children) this.ask({ toggle: node.path }, node.path);
  }

  showMore(place) {
    this.ask({ more: this.nodes[place].path }, this.nodes[place].path);
  }

  onKey(event) {
    if (hasModifier(event)) return;
    const more = event.target.closest("[data-more]");
    const place = more ? Number(more.dataset.more) : placeOf(event.target);
    if (place === null) return;
    const acts = {
      Enter: () => (more ? this.showMore(place) : this.toggle(place)),
      "+": () => this.zoom(1.4),
      "=": () => this.zoom(1.4),
      "-": () => this.zoom(1 / 1.4),
      0: () => this.look(showAll(this.box, this.size)),
    };
    acts[" "] = acts.Enter;
    const next = nodeAfterKey(this.nodes, place, event.key);
    if (acts[event.key]) acts[event.key]();
    else if (next !== undefined) this.focus(next);
    else return;
    event.preventDefault();
  }

  focus(place) {
    this.setCurrent(place);
    this.groups[place].focus({ preventScroll: true });
  }

  setCurrent(place) {
    this.current = JSON.stringify(this.nodes[place].path);
    this.groups.forEach((group, other) => set(group, "tabindex", other === place ? 0 : -1));
  }

  onPointerDown(event) {
    if (event.button !== 0) return;
    const start = this.pointOf(event);
    const { view } = this;
    this.wasDragged = false;
    const drag = (moved) => {
      const at = this.pointOf(moved);
      if (Math.hypot(at.x - start.x, at.y - start.y) < 4 && !this.wasDragged) return;
      this.wasDragged = true;
      this.showInfo(null);
      this.look({ ...view, x: view.x + at.x - start.x, y: view.y + at.y - start.y });
    };
    const drop = () => window.removeEventListener("pointermove", drag);
    window.addEventListener("pointermove", drag);
    for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, drop, { once: true });
  }

  pointOf(event) {
    const box = this.svg.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  zoom(factor, at = { x: this.size.width / 2, y: this.size.height / 2 }) {
    this.look(zoomDrawing(this.view, factor, at));
  }

  fit() {
    this.look(fitDrawing(this.box, this.size, this.middles[0]));
  }

  look(view) {
    this.view = view;
    set(this.viewport, "transform", `translate(${view.x} ${view.y}) scale(${view.scale})`);
  }

  bringIntoPane(place) {
    const at = onScreen(this.view, this.middles[place]);
    const inside = { x: clamp(at.x, 50, this.size.width - 50), y: clamp(at.y, 40, this.size.height - 60) };
    this.look({ ...this.view, x: this.view.x + inside.x - at.x, y: this.view.y + inside.y - at.y });
  }

  // What is shown

  showFrame() {
    const { model } = this;
    setText(this.caption, model.get("caption"));
    this.filter.value = model.get("min_visits");
    for (const input of this.colors) input.checked = input.value === model.get("color_by");
    const { colors, low, high, meaning } = model.get("legend");
    const bar = h("i", { class: "value-bar" });
    bar.style.background = `linear-gradient(to right, ${colors.join(", ")})`;
    this.legend.replaceChildren(`${low} `, bar, ` ${high}: ${meaning}`);
  }

  showPicture() {
    const hadFocus = this.svg.contains(document.activeElement);
    const before = this.view && this.placesOnScreen();
    const drawing = parseSvg(this.model.get("picture")).querySelector("g.graph");
    drawing.querySelector("title")?.remove();
    drawing.querySelector(":scope > polygon")?.remove(); // the background, which is the page's here
    this.nodes = this.model.get("nodes");
    Object.assign(this.pieces.winning_lines, this.model.get("winning_lines"));
    drawing.removeAttribute("transform"); // the pane has its own
    this.viewport.replaceChildren(drawing);
    this.groups = this.nodes.map((node, place) => this.dress(drawing.querySelector(`.node.n${place}`), node, place));
    this.middles = this.groups.map((group) => middle(boxOf(group)));
    for (const more of drawing.querySelectorAll('[class*="node more"]')) dressMore(more, this.nodes);
    this.box = boxAround([...drawing.querySelectorAll(".node")].map(outlineOf));
    const current = this.nodes.findIndex((node) => JSON.stringify(node.path) === this.current);
    this.setCurrent(Math.max(current, 0));
    this.keepInPlace(before);
    this.showInfo(null);
    if (hadFocus) this.groups[Math.max(current, 0)].focus({ preventScroll: true });
  }

  placesOnScreen() {
    return new Map(this.nodes.map((node, place) => [JSON.stringify(node.path), onScreen(this.view, this.middles[place])]));
  }

  /** Keep the clicked node where it was, and let the others move to their new places. */
  keepInPlace(before) {
    if (!before) return this.fit();
    const asked = JSON.stringify(this.asked);
    const place = this.nodes.findIndex((node) => JSON.stringify(node.path) === asked);
    if (place < 0 || !before.has(asked)) this.fit();
    else this.look(holdPoint(this.view.scale, this.middles[place], before.get(asked)));
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.groups.forEach((group, at) => {
      const from = before.get(JSON.stringify(this.nodes[at].path));
      const to = onScreen(this.view, this.middles[at]);
      const start = from
        ? { transform: `translate(${(from.x - to.x) / this.view.scale}px, ${(from.y - to.y) / this.view.scale}px)` }
        : { opacity: 0 };
      group.animate([start, {}], { duration: MOVE_MS, easing: "ease-out" });
    });
  }

  /** Make a drawn node react to the mouse and reachable by keyboard. */
  dress(group, node, place) {
    group.querySelector("title")?.remove(); // the card says more
    for (const [name, value] of Object.entries({
      "data-place": place,
      role: "treeitem",
      tabindex: -1,
      "aria-level": node.depth + 1,
      "aria-label": [node.title, ...node.facts].join(", "),
      "aria-expanded": node.num_children ? node.is_unfolded : undefined,
    })) if (value !== undefined) set(group, name, value);
    if (node.num_children) {
      group.classList.add("can-unfold");
      group.append(makeHandle(group, node.is_unfolded));
    }
    return group;
  }

  showInfo(place) {
    this.info.hidden = place === null;
    if (place === null) return;
    const node = this.nodes[place];
    this.infoBoard.show({ stones: [...node.stones], last: node.last_square, winning: node.winning_squares });
    this.infoText.replaceChildren(h("strong", {}, node.title), ...node.facts.map((fact) => h("span", {}, fact)));
    const at = onScreen(this.view, this.middles[place]);
    const half = this.groups[place].getBoundingClientRect().width / 2;
    const { width, height } = this.info.getBoundingClientRect();
    const isRight = at.x + half + 10 + width <= this.size.width;
    this.info.style.left = `${isRight ? at.x + half + 10 : Math.max(at.x - half - 10 - width, 2)}px`;
    this.info.style.top = `${clamp(at.y - height / 2, 2, Math.max(this.size.height - height - 2, 2))}px`;
  }
}

const placeOf = (element) => {
  const group = element.closest?.("[data-place]");
  return group ? Number(group.dataset.place) : null;
};

const outlineOf = (group) => {
  const outline = group.querySelector("path, polygon");
  return outline.getAttribute("d") ?? outline.getAttribute("points");
};

const boxOf = (group) => boxAround([outlineOf(group)]);

function dressMore(group, nodes) {
  const place = group.getAttribute("class").match(/more(\d+)/)[1];
  group.dataset.more = place;
  set(group, "role", "treeitem"); // a tree may contain nothing else
  set(group, "tabindex", 0);
  set(group, "aria-level", nodes[place].depth + 2); // like the children that it stands for
  set(group, "aria-label", [...group.querySelectorAll("text")].map((text) => text.textContent).join(", "));
  group.prepend(s("rect", { ...boxOf(group), fill: "transparent" })); // its middle can be clicked, too
}

/** The sign at the foot of a node that says whether a click unfolds or folds it. */
function makeHandle(group, isUnfolded) {
  const box = boxOf(group);
  const x = box.x + box.width / 2;
  const y = box.y + box.height;
  const path = isUnfolded ? `M${x - 2.6} ${y}h5.2` : `M${x - 2.6} ${y}h5.2M${x} ${y - 2.6}v5.2`;
  return s("g", { class: "handle" }, s("circle", { cx: x, cy: y, r: 4.8 }), s("path", { d: path }));
}

/** Let the browser download a text as a file. */
function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export default { render };
