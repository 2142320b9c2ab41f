// The page's half of the alpha-beta stepper. The kernel searches and sends the steps; the page shows
// one of them, and sends where a move was put. The synced traits are the whole state.

// What is seen at a step, and where: pure functions

/** What is known after step number `at`: numbers and windows of nodes, what was cut, where the search is. */
function seenAt(nodes, order, steps, at) {
  const known = nodes.map(() => null); // the last step of each node so far
  const cut = new Set();
  let numLeaves = 0;
  for (const step of steps.slice(0, at + 1)) {
    known[step.node] = step;
    if (step.kind === "leaf") numLeaves += 1;
    for (const child of step.cut) addBranch(order, child, cut);
  }
  const path = [];
  for (let node = steps[at].node; node !== null; node = nodes[node].parent) path.unshift(node);
  return { step: steps[at], known, cut, numLeaves, path };
}

function addBranch(order, node, found) {
  found.add(node);
  for (const child of order[node]) addBranch(order, child, found);
}

const ROOM = { leaf: 38, inner: 76, ply: 88, top: 26 };
const HALF = { leaf: 13, inner: 20 };

/** Where each node stands, in pixels: no card covers another, and a parent is above its children. */
function layOutTree(nodes, order, least) {
  const width = nodes.map(() => 0);
  for (let node = nodes.length - 1; node >= 0; node -= 1) {
    const below = order[node].reduce((sum, child) => sum + width[child], 0);
    width[node] = Math.max(below, nodes[node].leaf === null ? ROOM.inner : ROOM.leaf);
  }
  const scale = Math.max(1, least / width[0]);
  const places = nodes.map(() => null);
  function put(node, left, depth) {
    places[node] = { x: (left + width[node] / 2) * scale, y: ROOM.top + depth * ROOM.ply };
    const below = order[node].reduce((sum, child) => sum + width[child], 0);
    let next = left + (width[node] - below) / 2;
    for (const child of order[node]) {
      put(child, next, depth + 1);
      next += width[child];
    }
  }
  put(0, 0, 0);
  return { places, width: width[0] * scale, height: Math.max(...places.map(({ y }) => y)) + 24 };
}

/** The place of a node among its siblings when it is held at `x`. */
const placeAt = (places, siblings, node, x) =>
  siblings.filter((other) => other !== node && places[other].x < x).length;

/** Where a number stands on the axis of the windows, from 0 to 1; null is infinite. */
function alongAxis(leaves, number, isAlpha) {
  if (number === null) return isAlpha ? 0 : 1;
  const [low, high] = [Math.min(...leaves), Math.max(...leaves)];
  return low === high ? 0.5 : 0.1 + (0.8 * (number - low)) / (high - low);
}

function written(number, isAlpha) {
  if (number === null) return isAlpha ? "−∞" : "+∞";
  if (number === 0) return "0";
  return (number < 0 ? "−" : "+") + Number(Math.abs(number).toPrecision(6));
}

const isClosed = ([alpha, beta]) => alpha !== null && beta !== null && alpha >= beta;

// On the page

const WAIT = 1100; // milliseconds between two steps while it plays

function render({ model, el, signal }) {
  const stepper = new AlphaBetaView(model);
  el.append(stepper.root);
  keepKeysFromTheNotebook(stepper.root, signal);
  watchTheKernel(model, stepper.root, "stepper");
  const on = whenChanged(model);
  on(["order"], () => stepper.arrange());
  on(["at", "steps"], () => stepper.show());
  on(["message"], () => setText(stepper.message, model.get("message")));
  const close = openView(model);
  return () => { stepper.leave(); close(); };
}

class AlphaBetaView {
  constructor(model) {
    this.model = model;
    this.nodes = model.get("nodes");
    this.leaves = this.nodes.map(({ leaf }) => leaf).filter((leaf) => leaf !== null);
    this.cursor = 0; // the node that has the focus, or had it last
    this.held = null; // the node that is dragged
    this.timer = null;
    this.build();
    this.resizing = new ResizeObserver(() => this.arrange());
    this.resizing.observe(this.pane);
    this.root.addEventListener("keydown", (event) => this.onKey(event));
  }

  leave() {
    this.pause();
    this.resizing.disconnect();
  }

  // Elements

  build() {
    const command = (name, label, act) => makeSignButton(name, label, act);
    this.caption = h("p", { class: "caption", role: "status" });
    this.count = h("p", { class: "count" });
    this.message = h("p", { class: "message", role: "alert" });
    this.legend = h("p", { class: "legend" }, this.model.get("legend"));
    this.edges = s("g", { "aria-hidden": "true" });
    this.svg = s("svg", { class: "small-tree", role: "tree", "aria-label": this.model.get("title") }, this.edges);
    this.parts = this.nodes.map((node, place) => this.makeNode(node, place));
    this.pane = h("div", { class: "pane" }, this.svg);
    this.windows = s("svg", { class: "windows", role: "img" });
    this.playButton = makeSignButton("play", "Play (space)", () => this.toggle(), { class: "command primary" });
    this.slider = h("input", { type: "range", class: "slider", min: 0, step: 1, "aria-label": "Step",
      oninput: () => { this.pause(); this.goTo(Number(this.slider.value)); } });
    this.place = h("output", { class: "place" });
    this.earlier = makeSignButton("previous", "Move this node to the left (Alt+←)", () => this.shift(-1));
    this.later = makeSignButton("next", "Move this node to the right (Alt+→)", () => this.shift(1));
    this.chosen = h("span", { class: "label" });
    this.root = h("section", { class: "mctslab mctslab-alphabeta", "aria-label": this.model.get("title") },
      this.caption, this.count, this.pane, this.legend,
      h("figure", { class: "window-figure" }, h("figcaption", {}, "The window from α to β, from the root down to where the search is"), this.windows),
      h("div", { class: "controls", role: "toolbar", "aria-label": "Stepping" },
        h("div", { class: "buttons" },
          command("first", "To the beginning (Home)", () => this.jump(0)),
          command("previous", "Back (←)", () => this.jump(this.at - 1)),
          this.playButton,
          command("next", "Forward (→)", () => this.jump(this.at + 1)),
          command("last", "To the end (End)", () => this.jump(Infinity))),
        h("div", { class: "group" }, this.chosen, this.earlier, this.later,
          makeButton("new", "First order", { onclick: () => tell(this.model, { command: "reset" }) }))),
      h("div", { class: "timeline" }, this.slider, this.place), this.message);

  }

  makeNode({ name, parent, leaf }, place) {
    const half = leaf === null ? HALF.inner : HALF.leaf;
    const width = (leaf === null ? ROOM.inner : ROOM.leaf) - 5;
    const edge = parent === null ? null : s("path", { class: "edge" });
    const bars = parent === null ? null : s("path", { class: "bars" });
    const box = s("rect", { class: "box", x: -width / 2, y: -half, width, height: 2 * half, rx: leaf === null ? 6 : 3 });
    const heading = s("text", { class: "heading", y: leaf === null ? -4 : 4.5 });
    const span = s("text", { class: "span", y: 12 });
    const group = s("g", { class: leaf === null ? "node" : "node leaf", role: "treeitem", tabindex: -1, "data-node": place }, box, heading);
    if (leaf === null) group.append(span);
    if (parent !== null) {
      const stone = parseSvg(this.model.get("stones")[this.nodes[parent].player]);
      for (const [key, value] of Object.entries({ width: 12, height: 12, x: -14, y: -half - 15 })) set(stone, key, value);
      group.append(s("circle", { class: "ground", cx: -8, cy: -half - 9, r: 7 }), stone,
        s("text", { class: "letter", y: -half - 5, x: 3 }, name));
      this.edges.append(edge, bars);
      group.addEventListener("pointerdown", (event) => this.onPointerDown(event, place));
    }
    group.addEventListener("focus", () => this.focusOn(place, false));
    this.svg.append(group);
    return { group, edge, bars, heading, span, half };
  }

  // Getting about

  get at() {
    return this.model.get("at");
  }

  goTo(at) {
    this.model.set("at", Math.min(Math.max(at, 0), this.model.get("steps").length - 1));
    this.model.save_changes();
  }

  jump(at) {
    this.pause();
    this.goTo(at);
  }

  toggle() {
    if (this.timer !== null) return this.pause();
    const isAtEnd = this.at === this.model.get("steps").length - 1;
    if (isAtEnd) this.goTo(0);
    this.timer = setInterval(() => {
      this.goTo(this.at + 1);
      if (this.at === this.model.get("steps").length - 1) this.pause();
    }, WAIT);
    this.showPlaying();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.showPlaying();
  }

  onKey(event) {
    const { target, key } = event;
    const isInTree = this.svg.contains(target);
    if (isInTree && event.altKey && (key === "ArrowLeft" || key === "ArrowRight")) {
      event.preventDefault();
      return this.shift(key === "ArrowLeft" ? -1 : 1);
    }
    if (hasModifier(event) || (key === " " && target.matches("button"))) return;
    const act = {
      " ": () => this.toggle(),
      Home: () => this.jump(0),
      End: () => this.jump(Infinity),
      ArrowLeft: () => (isInTree ? this.walk(key) : this.jump(this.at - 1)),
      ArrowRight: () => (isInTree ? this.walk(key) : this.jump(this.at + 1)),
      ...(isInTree ? { ArrowUp: () => this.walk(key), ArrowDown: () => this.walk(key) } : {}),
    }[key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** From node to node with the arrow keys. */
  walk(key) {
    const order = this.model.get("order");
    const { parent } = this.nodes[this.cursor];
    const siblings = parent === null ? [] : order[parent];
    const here = siblings.indexOf(this.cursor);
    const next = { ArrowUp: parent, ArrowDown: order[this.cursor][0], ArrowLeft: siblings[here - 1], ArrowRight: siblings[here + 1] }[key];
    if (next !== undefined && next !== null) this.focusOn(next);
  }

  focusOn(node, moves = true) {
    this.cursor = node;
    if (moves) this.parts[node].group.focus();
    this.showCursor();
  }

  // The order of the moves

  /** Put the chosen node one place further. */
  shift(by) {
    const { parent } = this.nodes[this.cursor];
    if (parent === null) return;
    const siblings = this.model.get("order")[parent];
    const to = siblings.indexOf(this.cursor) + by;
    if (to >= 0 && to < siblings.length) this.put(this.cursor, to);
  }

  put(node, to) {
    this.pause();
    tell(this.model, { command: "move", node, to });
  }

  onPointerDown(event, node) {
    if (event.button !== 0) return;
    event.preventDefault(); // no text is marked
    this.focusOn(node);
    const start = event.clientX - this.tree.places[node].x;
    const siblings = () => this.model.get("order")[this.nodes[node].parent];
    let asked = siblings().indexOf(node);
    const drag = (moved) => {
      this.held = { node, x: moved.clientX - start };
      this.putNodes();
      const to = placeAt(this.tree.places, siblings(), node, this.held.x);
      if (to !== asked) this.put(node, (asked = to));
    };
    const drop = () => {
      this.held = null;
      this.svg.removeEventListener("pointermove", drag);
      this.putNodes();
    };
    this.svg.setPointerCapture(event.pointerId);
    this.svg.addEventListener("pointermove", drag);
    for (const end of ["pointerup", "pointercancel"]) this.svg.addEventListener(end, drop, { once: true });
  }

  // Showing

  /** Lay the tree out in the present order and width. */
  arrange() {
    const order = this.model.get("order");
    this.tree = layOutTree(this.nodes, order, this.pane.clientWidth || 600);
    for (const name of ["width", "height"]) set(this.svg, name, this.tree[name]);
    // Screen readers and the tab key go through the nodes in the order of the page.
    const inOrder = [];
    const visit = (node) => { inOrder.push(node); order[node].forEach(visit); };
    visit(0);
    const focused = document.activeElement;
    inOrder.forEach((node, place) => {
      const { group } = this.parts[node];
      this.sayPlace(group, node, order);
      if (this.svg.children[place + 1] !== group) this.svg.insertBefore(group, this.svg.children[place + 1] ?? null);
    });
    if (this.svg.contains(focused) && document.activeElement !== focused) focused.focus();
    this.putNodes();
    if (this.model.get("steps").length) this.show();
  }

  /** Tell screen readers where in the tree a node is: the elements are not nested. */
  sayPlace(group, node, order) {
    let level = 1;
    for (let above = this.nodes[node].parent; above !== null; above = this.nodes[above].parent) level += 1;
    const { parent } = this.nodes[node];
    const siblings = parent === null ? [node] : order[parent];
    set(group, "aria-level", level);
    set(group, "aria-setsize", siblings.length);
    set(group, "aria-posinset", siblings.indexOf(node) + 1);
  }

  /** Put every node, and what is held with all that hangs on it, where it belongs. */
  putNodes() {
    const { places } = this.tree;
    const moved = new Set();
    if (this.held) addBranch(this.model.get("order"), this.held.node, moved);
    const by = this.held ? this.held.x - places[this.held.node].x : 0;
    const at = (node) => ({ x: places[node].x + (moved.has(node) ? by : 0), y: places[node].y });
    this.svg.classList.toggle("is-held", this.held !== null);
    this.parts.forEach(({ group, edge, bars, half }, node) => {
      const { x, y } = at(node);
      group.style.transform = `translate(${round(x)}px, ${round(y)}px)`;
      group.classList.toggle("is-held", moved.has(node));
      if (!edge) return;
      const from = at(this.nodes[node].parent);
      set(edge, "d", branch(from, { x, y }, HALF.inner, half + 18));
      const [cx, cy] = [(from.x + x) / 2, (from.y + HALF.inner + y - half - 18) / 2];
      set(bars, "d", `M${round(cx - 8)} ${round(cy + 1)}l16 -7M${round(cx - 8)} ${round(cy + 7)}l16 -7`);
    });
  }

  show() {
    if (!this.tree) return;
    const [steps, order] = [this.model.get("steps"), this.model.get("order")];
    const at = Math.min(this.at, steps.length - 1);
    const seen = seenAt(this.nodes, order, steps, at);
    const isOver = at === steps.length - 1;
    setText(this.caption, seen.step.sentence);
    this.showCount(seen, steps);
    this.parts.forEach((part, node) => this.showNode(part, node, seen, isOver));
    this.drawWindows(seen);
    this.showCursor();
    const words = `Step ${at + 1} of ${steps.length}`;
    set(this.slider, "max", steps.length - 1);
    this.slider.value = at;
    set(this.slider, "aria-valuetext", `${words}: ${seen.step.sentence}`);
    this.slider.style.setProperty("--done", `${(100 * at) / Math.max(steps.length - 1, 1)}%`);
    setText(this.place, words);
    this.bringIntoView(seen.step.node);
  }

  /** Scroll a tree that is wider than the page to where the search is. */
  bringIntoView(node) {
    const { x } = this.tree.places[node];
    const { scrollLeft, clientWidth } = this.pane;
    if (x < scrollLeft + ROOM.inner) this.pane.scrollLeft = x - ROOM.inner;
    else if (x > scrollLeft + clientWidth - ROOM.inner) this.pane.scrollLeft = x + ROOM.inner - clientWidth;
  }

  showCount({ numLeaves }, steps) {
    const whole = steps.filter(({ kind }) => kind === "leaf").length;
    const before = this.model.get("before");
    this.count.replaceChildren(
      h("strong", {}, `${numLeaves} of ${this.leaves.length}`), " leaves evaluated so far. In this order the whole search evaluates ",
      h("strong", { class: "whole" }, `${whole}`), before === null || before === whole ? "." : `, in the order before it ${before}.`);
  }

  showNode({ group, edge, bars, heading, span }, node, { known, cut, path, step }, isOver) {
    const { leaf, name } = this.nodes[node];
    const last = known[node];
    const text = leaf === null ? last?.text ?? "" : written(leaf);
    setText(heading, text === "?" ? "" : text);
    setText(span, leaf === null && last ? `α ${written(last.window[0], true)}  β ${written(last.window[1], false)}` : "");
    const isNow = node === step.node;
    const classes = { "is-now": isNow, "is-open": path.includes(node) && !isOver, "is-cut": cut.has(node), "is-waiting": !last };
    for (const [key, value] of Object.entries(classes)) group.classList.toggle(key, value);
    group.querySelector(".box").style.fill = last && last.text !== "?" ? last.color : "";
    const state = cut.has(node) ? "cut off" : last ? (text === "?" ? "no value yet" : text) : "not visited yet";
    set(group, "aria-label", `${name || "root"}: ${state}${span.textContent && path.includes(node) ? `, ${span.textContent}` : ""}`);
    set(group, "aria-selected", isNow);
    if (!edge) return;
    edge.classList.toggle("is-open", path.includes(node) && !isOver);
    edge.classList.toggle("is-back", node === step.child && !isOver);
    edge.classList.toggle("is-cut", cut.has(node));
    bars.classList.toggle("is-cut", cut.has(node) && !cut.has(this.nodes[node].parent));
  }

  /** A line for each node from the root to the current one, the part between alpha and beta thick. */
  drawWindows({ path, known }) {
    const [left, row] = [86, 26];
    const width = Math.max(this.pane.clientWidth || 600, 320);
    const deepest = Math.max(...this.tree.places.map(({ y }) => y));
    const numRows = Math.round((deepest - ROOM.top) / ROOM.ply) + 1;
    const x = (number, isAlpha) => left + 58 + (width - left - 116) * alongAxis(this.leaves, number, isAlpha);
    const lines = path.map((node, place) => {
      const [alpha, beta] = known[node].window;
      const [from, to] = [x(alpha, true), x(beta, false)];
      const y = row * (place + 0.6);
      const closed = isClosed([alpha, beta]);
      const ends = [
        [from, `α ${written(alpha, true)}`, closed ? 1 : -1, "M4 -8h-4v16h4"],
        [to, `β ${written(beta, false)}`, closed ? -1 : 1, "M-4 -8h4v16h-4"],
      ];
      return s("g", { class: closed ? "window is-closed" : "window", transform: `translate(0 ${y})` },
        s("text", { class: "whose", x: 0, y: 4 }, this.nodes[node].name || "root"),
        s("path", { class: "axis", d: `M${left + 58} 0H${width - 58}` }),
        s("path", { class: "between", d: `M${round(Math.min(from, to))} 0H${round(Math.max(from, to))}` }),
        ...ends.flatMap(([end, text, side, bracket]) => [
          s("path", { class: "bracket", d: bracket, transform: `translate(${round(end)} 0)` }),
          s("text", { x: round(end + 8 * side), y: 4, "text-anchor": side < 0 ? "end" : "start" }, text),
        ]));
    });
    for (const [name, value] of Object.entries({ width, height: row * numRows + 6 })) set(this.windows, name, value);
    const [alpha, beta] = known[path.at(-1)].window;
    set(this.windows, "aria-label", `α ${written(alpha, true)}, β ${written(beta, false)}${isClosed([alpha, beta]) ? ": closed" : ""}`);
    this.windows.replaceChildren(...lines);
  }

  showCursor() {
    const { name, parent } = this.nodes[this.cursor];
    this.parts.forEach(({ group }, node) => set(group, "tabindex", node === this.cursor ? 0 : -1));
    const siblings = parent === null ? [] : this.model.get("order")[parent];
    const here = siblings.indexOf(this.cursor);
    setText(this.chosen, parent === null ? "move a node:" : `move ${name}:`);
    this.earlier.disabled = here < 1;
    this.later.disabled = here < 0 || here === siblings.length - 1;
  }

  showPlaying() {
    const isPlaying = this.timer !== null;
    const label = isPlaying ? "Pause (space)" : "Play (space)";
    for (const name of ["aria-label", "title"]) set(this.playButton, name, label);
    this.playButton.replaceChildren(icon(isPlaying ? "pause" : "play"));
  }
}

export default { initialize, render };
