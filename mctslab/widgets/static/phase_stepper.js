// The phase stepper on the page. stepper_model.js computes what is visible at an event; this file
// shows it and lets mouse and keyboard choose the event. No message goes to the kernel.

const UNITS = ["event", "phase", "simulation"];
const SPEEDS = [0.5, 1, 2, 4, 8];
const MOST_ROWS = 9;
const REACH = 16; // how far from a node the mouse may be to mean it

function render({ model, el, signal }) {
  const stepper = new Stepper(model.get("data"), model.get("simulation"));
  el.append(stepper.root);
  keepKeysFromTheNotebook(stepper.root, signal);
  model.on("change:simulation", () => stepper.goTo(endOfSimulation(stepper.trace.events, model.get("simulation"))));
  return () => stepper.leave();
}

class Stepper {
  constructor(data, simulation) {
    this.trace = readTrace(data.trace);
    this.at = simulation > 1 ? endOfSimulation(this.trace.events, simulation - 1) + 1 : 0;
    this.at = Math.min(this.at, this.trace.events.length - 1);
    this.unit = "event";
    this.speed = 1;
    this.timer = null;
    this.tree = new TreePane(this.trace, data);
    this.board = makeBoard(data.pieces);
    this.build(data);
    data.pieces.stones.forEach((stone, player) =>
      this.root.style.setProperty(`--stone-${player}`, `url("data:image/svg+xml,${encodeURIComponent(stone)}")`));
    this.root.addEventListener("keydown", (event) => this.onKey(event));
    this.show();
  }

  leave() {
    this.stop();
    this.tree.leave();
  }

  // Elements

  build(data) {
    const { events, simulations, game } = this.trace;
    this.phaseButtons = PHASES.map((phase) =>
      h("button", { type: "button", class: `phase ${phase}`, "data-phase": phase, title: `To the ${phase} of this simulation`,
        onclick: () => this.jumpToPhase(phase) },
        icon(phase), h("span", { class: "phase-name" }, PHASE_NAMES[phase]),
        s("svg", { viewBox: "0 0 40 8", class: "sample", "aria-hidden": "true" }, s("path", { d: "M2 4H38", class: `line ${phase}` }))));
    this.phaseWord = h("strong");
    this.captionText = h("span", { class: "caption-text" });
    this.caption = h("p", { class: "caption", role: "status" }, this.phaseWord, this.captionText);
    this.boardTitle = h("figcaption");
    this.details = h("div", { class: "details", tabindex: 0, role: "group", "aria-label": "Numbers of this event" }); // it can scroll
    this.playButton = makeSignButton("play", "Play", () => this.toggle(), { class: "command primary" });
    this.slider = h("input", { type: "range", class: "slider", min: 0, max: events.length - 1, step: 1, "aria-label": "Event",
      oninput: () => { this.stop(); this.goTo(Number(this.slider.value)); } });
    this.place = h("output", { class: "place" });
    const units = makeChoice("Step by", UNITS, (unit) => { this.unit = unit; });
    units.inputs[0].checked = true;
    const speed = h("select", { "aria-label": "Speed", title: "Speed", onchange: (event) => { this.speed = Number(event.target.value); } },
      ...SPEEDS.map((value) => h("option", { value, selected: value === 1 }, `${value}×`)));
    this.root = h("section", { class: "mctslab mctslab-stepper", "aria-label": `Phase stepper: ${simulations.length} simulations of ${game.title}` },
      h("div", { class: "phases", role: "group", "aria-label": "The four phases" }, ...this.phaseButtons),
      this.caption,
      h("div", { class: "stage" },
        this.tree.root,
        h("aside", { class: "beside" },
          h("figure", { class: "position" }, this.board.element, this.boardTitle),
          this.details)),
      h("div", { class: "controls", role: "toolbar", "aria-label": "Stepping" },
        h("div", { class: "buttons" },
          makeSignButton("first", "To the beginning (Home)", () => this.jump(0)),
          makeSignButton("previous", "Back (←)", () => this.move(-1)),
          this.playButton,
          makeSignButton("next", "Forward (→)", () => this.move(1)),
          makeSignButton("last", "To the end (End)", () => this.jump(events.length - 1))),
        h("div", { class: "group" }, h("span", { class: "label" }, "step by"), units.root, speed)),
      h("div", { class: "timeline" }, this.slider, this.place, makeLegend(data)),
      data.note ? h("p", { class: "note" }, data.note) : "");
  }

  // Moving around

  goTo(at) {
    this.at = Math.min(Math.max(at, 0), this.trace.events.length - 1);
    this.show();
  }

  jump(at) {
    this.stop();
    this.goTo(at);
  }

  move(direction, unit = this.unit) {
    this.stop();
    this.goTo(step(this.trace.events, this.at, unit, direction));
  }

  jumpToPhase(phase) {
    this.jump(startOfPhase(this.trace.events, this.at, phase));
  }

  toggle() {
    if (this.timer !== null) return this.stop();
    if (this.at === this.trace.events.length - 1) this.goTo(0);
    this.wait();
    this.showPlaying();
  }

  wait() {
    this.timer = setTimeout(() => {
      this.goTo(step(this.trace.events, this.at, this.unit, 1));
      if (this.at === this.trace.events.length - 1) this.stop();
      else this.wait();
    }, pause(this.trace, this.at, this.unit) / this.speed);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.showPlaying();
  }

  onKey(event) {
    if (hasModifier(event) || event.defaultPrevented) return;
    const { target, key } = event;
    if (target.matches("select") || (target.matches("input[type=radio]") && key.startsWith("Arrow"))) return;
    if (key === " " && target.matches("button, input[type=radio]")) return;
    const act = {
      " ": () => this.toggle(),
      ArrowRight: () => this.move(1, event.shiftKey ? "phase" : this.unit),
      ArrowLeft: () => this.move(-1, event.shiftKey ? "phase" : this.unit),
      PageDown: () => this.move(1, "simulation"),
      PageUp: () => this.move(-1, "simulation"),
      Home: () => this.jump(0),
      End: () => this.jump(this.trace.events.length - 1),
    }[key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  // Showing

  show() {
    const frame = frameAt(this.trace, this.at);
    const { phase, simulation } = frame.event;
    this.root.dataset.phase = phase;
    for (const button of this.phaseButtons) {
      const isNow = button.dataset.phase === phase;
      set(button, "aria-current", isNow ? "step" : "false");
    }
    setText(this.phaseWord, `${PHASE_NAMES[phase]}: `);
    setText(this.captionText, frame.caption);
    this.board.show(frame.board);
    setText(this.boardTitle, titleOfBoard(this.trace, frame));
    this.details.replaceChildren(...this.makeDetails(frame));
    this.tree.show(frame);
    this.slider.value = this.at;
    const { events, simulations } = this.trace;
    const words = `Simulation ${simulation + 1} of ${simulations.length}, event ${this.at + 1} of ${events.length}`;
    set(this.slider, "aria-valuetext", `${words}: ${PHASE_NAMES[phase]}`);
    this.slider.style.setProperty("--done", `${(100 * this.at) / Math.max(events.length - 1, 1)}%`);
    setText(this.place, words);
  }

  showPlaying() {
    const isPlaying = this.timer !== null;
    this.root.classList.toggle("is-playing", isPlaying);
    const label = isPlaying ? "Pause (space)" : "Play (space)";
    set(this.playButton, "aria-label", label);
    set(this.playButton, "title", label);
    this.playButton.replaceChildren(icon(isPlaying ? "pause" : "play"));
  }

  makeDetails(frame) {
    const { phase, kind } = frame.event;
    if (kind === "compare") return [scoreTable(this.trace, frame)];
    if (phase === "selection") return untriedMoves(this.trace, frame, frame.walk.at(-1));
    if (phase === "expansion") return untriedMoves(this.trace, frame, this.trace.nodes.parent[frame.leaf] ?? 0);
    if (phase === "simulation") return rolloutMoves(this.trace, frame);
    return [updateTable(this.trace, frame)];
  }
}

function titleOfBoard(trace, { board, rollout }) {
  const way = wayTo(trace, board.node);
  const here = way ? `After ${way}` : "The root";
  if (board.isRollout) return `Rollout from ${way || "the root"}: ${plural(rollout.plies.length, "move")}`;
  if (trace.nodes.returns[board.node]) return `${here}: the game is over`;
  return `${here}: ${trace.game.players[trace.nodes.player_to_move[board.node]]} to move`;
}

/** What the colours and the thickness of the branches mean. */
function makeLegend({ value_colors: colors }) {
  const bar = h("i", { class: "value-bar" });
  bar.style.background = `linear-gradient(to right, ${colors.join(", ")})`;
  return h("p", { class: "legend" }, "Q −1 ", bar, " +1 for the player who made the move; thicker branch: more visits");
}

// Below the board

const stoneOf = (player) => h("i", { class: `stone-of player-${player}` });
const cell = (text, attributes = {}) => h("td", attributes, text);
const head = (...names) => h("thead", {}, h("tr", {}, ...names.map((name) => h("th", { scope: "col" }, name))));

/** The children that were compared, the winner marked. */
function scoreTable(trace, { comparison: { node, rows, digits } }) {
  const numTerms = Math.max(...rows.map((row) => row.terms.length));
  const names = ["move", "N", ...(numTerms === 2 ? ["exploit", "explore"] : []), ...(numTerms ? ["score"] : ["Q"])];
  const shown = rows.filter((row, place) => place < MOST_ROWS || row.isChosen);
  const hidden = rows.length - shown.length;
  const mover = trace.game.players[trace.nodes.player_to_move[node]];
  return h("table", { class: "scores" },
    h("caption", {}, `${mover} chooses`),
    head(...names),
    h("tbody", {}, ...shown.map((row) => h("tr", { class: row.isChosen ? "is-chosen" : null, "data-move": row.name },
      h("th", { scope: "row" }, h("span", { class: "marker" }, row.isChosen ? icon("play") : ""), row.name),
      cell(count(row.visits)),
      ...(numTerms === 2 ? [cell(row.terms.length === 2 ? plain(row.terms[0], digits) : ""), cell(row.terms.length === 2 ? plain(row.terms[1], digits) : "")] : []),
      ...(numTerms ? [cell(row.score === null ? "" : plain(row.score, digits), { class: "score" })] : [cell(row.visits ? signed(row.value) : "–")]))),
      hidden ? h("tr", { class: "more" }, h("td", { colspan: names.length }, `+${hidden} more`)) : ""));
}

/** The moves of a node; those in the tree look different from those that have not been tried yet. */
function untriedMoves(trace, { at, leaf, event, isNewLeaf }, node) {
  const { game, nodes, children, appears } = trace;
  if (nodes.returns[node]) return [h("p", { class: "remark" }, `Result: ${outcome(game, nodes.returns[node])}.`)];
  const moves = legalActions(nodes.legal_actions[node]).map((action) => {
    const child = children[node].get(action);
    const isIn = child !== undefined && appears[child] <= at;
    const isNew = event.phase === "expansion" && isNewLeaf && child === leaf;
    return h("li", { class: isNew ? "is-new" : isIn ? "is-tried" : "is-untried" }, game.moves[action]);
  });
  return [
    h("p", { class: "remark" }, `The moves of ${game.players[nodes.player_to_move[node]]}: in the tree, or `, h("span", { class: "untried-sample" }, "untried")),
    h("ul", { class: "moves" }, ...moves),
  ];
}

/** The numbers of the bits that are set, lowest first. */
function legalActions(digits) {
  const actions = [];
  [...digits].reverse().forEach((digit, place) => {
    for (let bit = 0; bit < 4; bit += 1) if ((parseInt(digit, 16) >> bit) & 1) actions.push(4 * place + bit);
  });
  return actions;
}

/** The moves of the rollout so far, and how it ended. */
function rolloutMoves(trace, { rollout }) {
  const { game } = trace;
  const last = rollout.plies.length - 1;
  const list = h("ol", { class: "rollout" }, ...rollout.plies.map(([player, action], place) =>
    h("li", { class: place === last ? "is-last" : null }, stoneOf(player), game.moves[action])));
  queueMicrotask(() => { list.scrollTop = list.scrollHeight; });
  const result = rollout.isOver && rollout.returns
    ? [h("p", { class: "result" }, `${outcome(game, rollout.returns)}`)] : [];
  return [...(rollout.plies.length ? [list] : []), ...result];
}

/** The path from the root to the leaf, with old and new numbers where they have changed. */
function updateTable(trace, { leaf, updates, visits, totals }) {
  const done = new Map(updates.map((update) => [update.node, update]));
  const current = updates.at(-1).node;
  const change = (update, from, to) => (update ? [h("span", { class: "old" }, from), "\u2009→\u2009", h("span", { class: "new" }, to)] : [to]);
  const q = (n, w) => (n ? signed(meanValue(n, w)) : "–");
  const row = (node) => {
    const update = done.get(node);
    const [n, w] = [visits[node], totals[node]];
    const [oldN, oldW] = update ? [update.oldVisits, update.oldTotal] : [n, w];
    return h("tr", { class: node === current ? "is-current" : update ? "is-done" : "is-waiting", "data-node": node },
      h("th", { scope: "row" }, node === 0 ? "root" : moveName(trace, node)),
      h("td", {}, ...change(update, count(oldN), count(n))),
      h("td", {}, ...change(update, total(oldW), total(w))),
      h("td", {}, ...change(update, q(oldN, oldW), q(n, w))));
  };
  return h("table", { class: "updates" },
    h("caption", {}, "From the leaf up to the root"),
    head("node", "N", "W", "Q"),
    h("tbody", {}, ...pathTo(trace.nodes, leaf).map(row)));
}

// The tree

class TreePane {
  constructor(trace, { places, pieces, value_colors: valueColors, unknown_color: unknownColor }) {
    Object.assign(this, { trace, pieces, valueColors, unknownColor });
    this.places = places.map(([x, depth]) => ({ x, depth }));
    this.size = { width: 640, height: 440 };
    this.view = WHOLE_TREE;
    this.frame = null;
    this.hovered = null;
    this.cursor = null; // the node that the arrow keys have come to
    this.cardWidth = Math.max(52, 24 + 7.5 * Math.max(...trace.nodes.action.map((action) => (action === null ? 0 : trace.game.moves[action].length))));
    this.build();
    this.listen();
  }

  leave() {
    this.resizing.disconnect();
  }

  build() {
    const id = newId();
    this.edges = s("g", { class: "edges" });
    this.active = s("g", { class: "active" });
    this.dots = s("g", { class: "dots" });
    this.cards = s("g", { class: "cards" });
    this.labels = s("g", { class: "labels" });
    this.arrow = `url(#${id})`;
    const arrow = s("marker", { id, viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 11, markerHeight: 11, markerUnits: "userSpaceOnUse", orient: "auto-start-reverse" },
      s("path", { d: "M1 1.5 9 5 1 8.5z", class: "arrow" }));
    this.svg = s("svg", { class: "tree", "aria-hidden": "true" }, s("defs", {}, arrow), this.edges, this.active, this.dots, this.cards, this.labels);
    this.parts = this.places.map((_, node) => this.makeNode(node));
    this.infoBoard = makeBoard(this.pieces);
    this.infoText = h("div", { class: "info-text" });
    this.info = h("div", { class: "info", hidden: true }, h("div", { class: "info-board" }, this.infoBoard.element), this.infoText);
    this.spoken = h("span", { class: "spoken", role: "status" });
    const tool = (name, label, act) => makeSignButton(name, label, act, { class: "command small" });
    this.root = h("div", { class: "tree-pane", tabindex: 0, role: "group",
      "aria-label": "Search tree. Arrow keys go from node to node, plus and minus zoom, 0 shows the whole tree." },
      this.svg, this.info, this.spoken,
      h("div", { class: "zoom" },
        tool("plus", "Zoom in (+)", () => this.zoom(1.6)),
        tool("minus", "Zoom out (−)", () => this.zoom(1 / 1.6)),
        tool("fit", "Whole tree (0)", () => this.showWhole())));
  }

  makeNode(node) {
    const { nodes } = this.trace;
    const isEnd = nodes.returns[node] !== null;
    const edge = nodes.parent[node] === null ? null : s("path", { class: "edge" });
    const dot = s("circle", { class: "dot", "data-node": node });
    const box = s("rect", { class: isEnd ? "box is-end" : "box", height: CARD.height, y: -CARD.height / 2, rx: isEnd ? 0 : 6 });
    const heading = s("text", { class: "heading", y: -9 });
    const lines = [s("text", { class: "number", y: 4 }), s("text", { class: "number", y: 16.5 })];
    const stone = parseSvg(this.pieces.stones[nodes.mover[node]]);
    for (const [name, value] of Object.entries({ width: 11, height: 11, y: -18.5 })) set(stone, name, value);
    for (const outline of stone.querySelectorAll("circle")) set(outline, "stroke-width", 4);
    const card = s("g", { class: "card", "data-node": node }, box, stone, heading, ...lines);
    if (edge) this.edges.append(edge);
    this.dots.append(dot);
    this.cards.append(card);
    return { edge, dot, card, box, heading, lines, stone };
  }

  listen() {
    this.resizing = new ResizeObserver(([entry]) => {
      const { width, height } = entry.contentRect;
      if (width && height) this.resize({ width, height });
    });
    this.resizing.observe(this.svg);
    this.svg.addEventListener("pointermove", (event) => this.onPointerMove(event));
    this.svg.addEventListener("pointerdown", (event) => this.onPointerDown(event));
    this.svg.addEventListener("pointerleave", () => this.hover(null));
    this.svg.addEventListener("dblclick", (event) => this.zoom(1.6, this.pointOf(event)));
    this.svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return; // the page scrolls on
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / 300), this.pointOf(event));
    }, { passive: false });
    this.root.addEventListener("keydown", (event) => this.onKey(event));
    this.root.addEventListener("focus", () => {
      if (this.root.matches(":focus-visible")) this.moveCursor(this.cursor ?? this.frame.current);
    });
    this.root.addEventListener("blur", () => this.moveCursor(null));
  }

  // Zoom, pan, hover, focus

  resize(size) {
    this.size = size;
    this.draw();
  }

  get fit() {
    return fitTree(this.places, this.size);
  }

  zoom(factor, at = { x: this.size.width / 2, y: this.size.height / 2 }) {
    this.view = zoomAt(this.fit, this.view, factor, at.x, at.y);
    this.draw();
  }

  showWhole() {
    this.view = WHOLE_TREE;
    this.draw();
  }

  pointOf(event) {
    const box = this.svg.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  onPointerDown(event) {
    if (event.button !== 0) return;
    this.moveCursor(null);
    const start = this.pointOf(event);
    const { view } = this;
    const drag = (moved) => {
      const at = this.pointOf(moved);
      this.view = { ...view, x: view.x + at.x - start.x, y: view.y + at.y - start.y };
      this.root.classList.add("is-dragged");
      this.draw();
    };
    const drop = () => {
      this.root.classList.remove("is-dragged");
      this.svg.removeEventListener("pointermove", drag);
    };
    this.svg.setPointerCapture(event.pointerId);
    this.svg.addEventListener("pointermove", drag);
    for (const end of ["pointerup", "pointercancel"]) this.svg.addEventListener(end, drop, { once: true });
  }

  onPointerMove(event) {
    if (event.buttons || event.pointerType === "touch") return;
    const { x, y } = this.pointOf(event);
    const card = event.target.closest?.("[data-node]");
    this.hover(card ? Number(card.dataset.node) : nearest(this.shownPoints, x, y, REACH));
  }

  hover(node) {
    if (node === this.hovered) return;
    this.hovered = node;
    this.drawInfo();
  }

  onKey(event) {
    if (event.target !== this.root || hasModifier(event) || event.shiftKey) return;
    const zooming = { "+": () => this.zoom(1.6), "=": () => this.zoom(1.6), "-": () => this.zoom(1 / 1.6), 0: () => this.showWhole() }[event.key];
    // After a click on the tree there is no cursor, and the arrows step through the events.
    const isArrow = event.key.startsWith("Arrow") && this.cursor !== null;
    const node = isArrow ? this.neighbour(event.key) : null;
    if (!zooming && !isArrow) return;
    event.preventDefault();
    if (zooming) zooming();
    else if (node !== null) this.moveCursor(node);
  }

  /** The node to which an arrow key leads from the cursor; null if there is none. */
  neighbour(key) {
    const from = this.cursor ?? this.frame.current;
    const { nodes } = this.trace;
    const isSeen = (node) => this.frame.isVisible(node);
    if (key === "ArrowUp") return nodes.parent[from];
    if (key === "ArrowDown") {
      const below = [...this.trace.children[from].values()].filter(isSeen);
      below.sort((one, other) => this.frame.visits[other] - this.frame.visits[one]);
      return below[0] ?? null;
    }
    const row = [...this.places.keys()]
      .filter((node) => isSeen(node) && this.places[node].depth === this.places[from].depth)
      .sort((one, other) => this.places[one].x - this.places[other].x);
    return row[row.indexOf(from) + (key === "ArrowRight" ? 1 : -1)] ?? null;
  }

  moveCursor(node) {
    this.cursor = node;
    this.draw();
    setText(this.spoken, node === null ? "" : this.describe(node).join(", "));
  }

  // Drawing

  show(frame) {
    this.frame = frame;
    if (this.cursor !== null && !frame.isVisible(this.cursor)) this.cursor = frame.current;
    const { fit } = this;
    const needsRoom = fit.ply * fit.depth + fit.top > this.size.height - MARGIN.bottom;
    if (this.view.zoom > 1 || needsRoom)
      this.view = follow(fit, this.view, [this.places[frame.current]], this.size);
    this.draw();
  }

  draw() {
    const { frame, fit } = this;
    if (!frame) return;
    const points = this.places.map((place) => locate(fit, this.view, place));
    const compared = this.makeRoom(points);
    const visible = this.places.flatMap((_, node) => (frame.isVisible(node) ? [node] : []));
    const { cards, hidden } = chooseCards(visible.map((node) => ({
      node,
      group: this.trace.nodes.parent[node],
      depth: this.places[node].depth,
      x: points[node].x,
      cardX: cardPlace(points[node].x, this.widthOf(node), this.size),
      width: this.widthOf(node),
      weight: this.weightOf(node),
      isCompared: this.isCompared(node),
      isNeeded: node === this.cursor || frame.path.includes(node) || compared.includes(node),
    })));
    for (const node of cards) points[node].x = cardPlace(points[node].x, this.widthOf(node), this.size);
    const radius = dotRadius(fit, this.view);
    const half = (node) => (cards.has(node) ? CARD.height / 2 : radius);
    this.shownPoints = visible.map((node) => ({ node, ...points[node] }));
    this.parts.forEach((part, node) => {
      const isSeen = frame.isVisible(node);
      part.dot.style.display = isSeen && !cards.has(node) && !hidden.has(node) ? "" : "none";
      part.card.style.display = isSeen && cards.has(node) ? "" : "none";
      if (part.edge) part.edge.style.display = isSeen ? "" : "none";
      if (!isSeen) return;
      const color = this.colorOf(node);
      const { x, y } = points[node];
      if (cards.has(node)) this.drawCard(node, x, y, this.widthOf(node), color);
      else {
        set(part.dot, "cx", round(x));
        set(part.dot, "cy", round(y));
        set(part.dot, "r", round(radius));
        set(part.dot, "fill", color);
      }
      if (part.edge) {
        const parent = this.trace.nodes.parent[node];
        set(part.edge, "d", branch(points[parent], points[node], half(parent), half(node)));
        set(part.edge, "stroke-width", round(this.thickness(node)));
        set(part.edge, "class", hidden.has(node) || hidden.has(parent) ? "edge is-covered" : "edge");
      }
    });
    this.drawActive(points, half);
    this.drawLabels(points, cards, half);
    this.drawInfo();
  }

  widthOf(node) {
    if (node === this.frame.updates.at(-1)?.node) return this.cardWidth + 60;
    return node === 0 ? this.cardWidth + 14 : this.cardWidth;
  }

  /** The thickness of the branch into a node grows with the share of simulations through it. */
  thickness(node) {
    const { visits } = this.frame;
    return 0.9 + (visits[0] ? (4.6 * visits[node]) / visits[0] : 0);
  }

  /** Move the compared children apart until each has room for its card; returns these children. */
  makeRoom(points) {
    const { comparison } = this.frame;
    const nodes = (comparison?.rows ?? []).flatMap((row) => (row.child === null ? [] : [row.child]));
    nodes.sort((one, other) => points[one].x - points[other].x);
    const xs = nodes.map((node) => points[node].x);
    const isInPane = xs.every((x) => x >= 0 && x <= this.size.width);
    const places = isInPane && spread(xs, nodes.indexOf(comparison?.chosen), this.cardWidth, this.size);
    if (!places) return [];
    nodes.forEach((node, place) => { points[node].x = places[place]; });
    return nodes;
  }

  isCompared(node) {
    return node > 0 && this.frame.comparison?.node === this.trace.nodes.parent[node];
  }

  /** The children that are compared now come first, then those with the most visits. */
  weightOf(node) {
    return this.frame.visits[node] + (this.isCompared(node) ? 1e9 : 0);
  }

  colorOf(node) {
    const n = this.frame.visits[node];
    if (!n) return this.unknownColor;
    const share = (Math.min(Math.max(meanValue(n, this.frame.totals[node]), -1), 1) + 1) / 2;
    return this.valueColors[Math.round(share * (this.valueColors.length - 1))];
  }

  drawCard(node, x, y, width, color) {
    const { card, box, heading, lines, stone } = this.parts[node];
    const { frame, trace } = this;
    set(card, "transform", `translate(${round(x)} ${round(y)})`);
    set(card, "class", `card ${this.markOf(node)} ${node === this.cursor ? "has-cursor" : ""}`);
    set(box, "x", -width / 2);
    set(box, "width", width);
    set(box, "fill", color);
    const name = node === 0 ? "root" : moveName(trace, node);
    setText(heading, name);
    set(heading, "x", 7);
    set(stone, "x", round(7 - 3.4 * name.length - 15));
    const update = frame.updates.at(-1);
    const n = frame.visits[node];
    const q = n ? signed(meanValue(n, frame.totals[node])) : "–";
    if (update?.node === node) {
      const oldQ = update.oldVisits ? signed(meanValue(update.oldVisits, update.oldTotal)) : "–";
      setText(lines[0], `N ${count(update.oldVisits)} → ${count(n)}`);
      setText(lines[1], `Q ${oldQ} → ${q}`);
    } else {
      setText(lines[0], `N ${count(n)}`);
      setText(lines[1], `Q ${q}`);
    }
  }

  /** The phase's mark on a node: on the walk, compared, new, start of the rollout, updated. */
  markOf(node) {
    const { frame } = this;
    const { phase } = frame.event;
    if (phase === "backpropagation")
      return frame.updates.some((update) => update.node === node) ? `backpropagation ${node === frame.current ? "is-current" : ""}` : frame.path.includes(node) ? "selection faint" : "";
    if (node === frame.leaf) return phase === "expansion" ? (frame.isNewLeaf ? "expansion is-current" : "selection is-current") : "simulation is-current";
    if (frame.walk.includes(node)) return phase === "selection" ? "selection" : "selection faint";
    if (frame.comparison?.chosen === node) return "selection is-current";
    return "";
  }

  /** The branches that the phase is about, over the plain ones. */
  drawActive(points, half) {
    const { frame } = this;
    const { parent } = this.trace.nodes;
    const { phase } = frame.event;
    const lines = [];
    const line = (child, kind, more = {}) => {
      if (parent[child] === null) return;
      const d = branch(points[parent[child]], points[child], half(parent[child]), half(child));
      const path = s("path", { d, class: `line ${kind}`, ...more });
      path.style.setProperty("--least", `${round(this.thickness(child))}px`);
      lines.push(path);
    };
    const climbed = new Set(frame.updates.slice(0, -1).map((update) => update.node));
    for (const node of frame.walk) if (!climbed.has(node)) line(node, phase === "selection" ? "selection" : "selection faint");
    if (frame.comparison) {
      for (const row of frame.comparison.rows)
        if (row.child !== null && !row.isChosen) line(row.child, "selection compared");
      line(frame.comparison.chosen, "selection chosen");
    }
    if (frame.leaf !== null && frame.isNewLeaf && !climbed.has(frame.leaf)) line(frame.leaf, phase === "expansion" ? "expansion" : "expansion faint");
    for (const node of climbed) line(node, "backpropagation", { "marker-start": this.arrow });
    this.active.replaceChildren(...lines);
  }

  /** Scores over the compared children; under the leaf that it is new, or the rollout and its result. */
  drawLabels(points, cards, half) {
    const { frame, trace } = this;
    const labels = [];
    for (const row of frame.comparison?.rows ?? []) {
      if (row.child === null || row.score === null || !cards.has(row.child)) continue;
      const { x, y } = points[row.child];
      labels.push(pill(x, y - CARD.height / 2 - 11, plain(row.score, frame.comparison.digits), `selection ${row.isChosen ? "is-chosen" : ""}`));
    }
    if (frame.event.phase === "simulation") {
      const { x, y } = points[frame.leaf];
      const top = y + half(frame.leaf);
      const { rollout } = frame;
      const text = rollout.isOver ? shortOutcome(trace.game, rollout.returns) : `${rollout.plies.length} of ${rollout.numPlies}`;
      labels.push(s("path", { d: wave(x, top + 2, 34), class: "line simulation" }), pill(x, top + 45, text, `simulation ${rollout.isOver ? "is-chosen" : ""}`));
    }
    else if (frame.leaf !== null && frame.isNewLeaf && cards.has(frame.leaf)) {
      const { x, y } = points[frame.leaf];
      labels.push(pill(x, y + half(frame.leaf) + 11, "new", "expansion is-chosen"));
    }
    const update = frame.updates.at(-1);
    if (update) {
      const { x, y } = points[update.node];
      const returns = trace.simulations[frame.event.simulation].returns;
      const mover = trace.nodes.mover[update.node];
      const text = `${total(returns[mover])} for ${trace.game.players[mover]}`;
      const away = (this.widthOf(update.node) + pillWidth(text)) / 2 + 5;
      const isRight = x + away + pillWidth(text) / 2 < this.size.width;
      labels.push(pill(isRight ? x + away : x - away, y, text, "backpropagation is-chosen"));
    }
    this.labels.replaceChildren(...labels);
  }

  // The card of the node under the mouse, or of the one that was reached by keyboard

  describe(node) {
    const { frame, trace } = this;
    const n = frame.visits[node];
    const mover = trace.game.players[trace.nodes.mover[node]];
    const { parent, prior } = trace.nodes;
    const siblings = node === 0 ? [] : [...trace.children[parent[node]].values()];
    const hasPrior = siblings.some((each) => prior[each] !== prior[node]); // without priors, all are equal
    const lines = [
      `N ${count(n)}`,
      `W ${total(frame.totals[node])}`,
      `Q ${n ? signed(meanValue(n, frame.totals[node])) : "–"} for ${mover}`,
      ...(hasPrior ? [`prior ${plain(prior[node], 3)}`] : []),
    ];
    return [node === 0 ? "The root" : wayTo(trace, node), ...lines, ...this.lastScore(node)];
  }

  /** The terms of the score when the node was last compared with its siblings. */
  lastScore(node) {
    const { nodes, simulations, events } = this.trace;
    const parent = nodes.parent[node];
    const now = events[this.frame.at];
    for (let simulation = now.simulation; simulation >= 0; simulation -= 1) {
      const steps = simulations[simulation].selection ?? [];
      const seen = simulation === now.simulation && now.kind === "compare" ? steps.slice(0, now.index + 1) : steps;
      const step = seen.find((one) => one.node === parent);
      const terms = step?.terms[step.actions.indexOf(nodes.action[node])]?.map(readTerm);
      if (!terms?.length) continue;
      const score = plain(terms.reduce((sum, term) => sum + term, 0), 3);
      const parts = terms.length === 2 ? [`exploit ${plain(terms[0], 3)}, explore ${plain(terms[1], 3)}`] : [];
      return [...parts, `score ${score} in simulation ${simulation + 1}`];
    }
    return [];
  }

  drawInfo() {
    const node = this.hovered ?? this.cursor;
    const isShown = node !== null && this.frame?.isVisible(node);
    this.info.hidden = !isShown;
    for (const [place, part] of this.parts.entries()) part.dot.classList.toggle("is-hovered", place === node);
    if (!isShown) return;
    this.infoBoard.show(nodeBoard(this.trace.nodes, node));
    const [title, ...lines] = this.describe(node);
    const result = this.trace.nodes.returns[node];
    this.infoText.replaceChildren(h("strong", {}, title), ...lines.map((line) => h("span", {}, line)),
      ...(result ? [h("span", {}, shortOutcome(this.trace.game, result))] : []));
    const at = this.shownPoints.find((point) => point.node === node);
    const box = this.info.getBoundingClientRect();
    const { left, top } = besides({ x: at.x, y: at.y }, { width: box.width + 40, height: box.height }, this.size);
    this.info.style.left = `${left + (left > at.x ? 26 : 14)}px`;
    this.info.style.top = `${top}px`;
  }
}

const pillWidth = (text) => 12 + 6.4 * text.length;

function pill(x, y, text, kind) {
  const width = pillWidth(text);
  return s("g", { class: `pill ${kind}`, transform: `translate(${round(x)} ${round(y)})` },
    s("rect", { x: -width / 2, y: -9, width, height: 17, rx: 8.5 }),
    s("text", { y: 3.6 }, text));
}

/** The wavy line that stands for a rollout in every textbook. */
function wave(x, top, height) {
  const half = height / 2;
  return `M${round(x)} ${round(top)}q11 ${half / 2} 0 ${half}q-11 ${half / 2} 0 ${half}`;
}

function shortOutcome(game, returns) {
  if (returns === null) return "stopped";
  if (returns[0] === returns[1]) return returns[0] === 0 ? "draw" : signed(returns[0]);
  if (Math.abs(returns[0]) < 1) return `${signed(returns[0])} for ${game.players[0]}`;
  return `${game.players[returns[0] > returns[1] ? 0 : 1]} wins`;
}

export default { render };
