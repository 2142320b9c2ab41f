// The page's half of the game panel. The synced traits are the whole state: every function below
// that begins with "draw" shows one of them, and a person's actions are sent as commands.

Object.assign(ICONS, {
  hint: {
    path: "M6 12.5h4M6.5 14.5h3M8 1.8a4.4 4.4 0 0 0-2.4 8.1c.4.3.6.7.6 1.1h3.6c0-.4.2-.8.6-1.1A4.4 4.4 0 0 0 8 1.8z",
  },
  swap: { path: "M4.5 3v9.5M2 10l2.5 2.7L7 10M11.5 13V3.5M9 6l2.5-2.7L14 6" },
  start: ICONS.play,
  pass: { path: "M2.5 8h9M8 4l4 4-4 4M14.5 3.5v9" },
  copy: { path: "M6 6h7.5v7.5H6zM3.2 10H2.5V2.5H10v.7" },
  set_up: ICONS.download,
});

// Numbers

const percent = (share) => `${Math.round(100 * share)}%`;
const ofMove = (seconds) => (seconds === null ? "–" : `${seconds.toFixed(1)} s`);

function ofGame(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

const HURRY_SECONDS = 15;
const TICK_MS = 100;

// The page

async function render({ model, el, host, signal }) {
  const send = (command, more = {}) => tell(model, { command, ...more });
  const panel = makePanel(model, send);
  el.append(panel.root);
  keepKeysFromTheNotebook(panel.root, signal);
  watchTheKernel(model, panel.root, "panel");

  const draws = {
    menus: () => drawMenus(model.get("menus"), panel, send),
    game: () => drawGame(model.get("game"), panel),
    status: () => drawStatus(model.get("status"), panel),
    section: () => drawSection(model.get("section"), panel.sections),
    statistics: () => drawStatistics(model.get("statistics"), panel.sections.panes.statistics),
    tree: () => drawTree(model.get("tree"), panel.sections.panes.tree),
    clocks: () => drawCostOfMoves(model.get("clocks"), panel.sections.panes.clocks),
  };
  for (const [name, draw] of Object.entries(draws)) model.on(`change:${name}`, draw);
  const ticking = setInterval(() => drawClocks(model.get("game"), panel), TICK_MS);
  const board = await host.getWidget(model.get("board"));
  await board.render({ el: panel.board, signal });
  for (const draw of Object.values(draws)) draw();

  const closeView = openView(model);
  return () => {
    clearInterval(ticking);
    closeView();
  };
}

function makePanel(model, send) {
  const button = (name, label, attributes = {}) =>
    makeButton(name, label, { onclick: () => send(name), ...attributes });

  const sides = [0, 1].map((side) => makeSide(side, send));
  const headline = h("p", { class: "headline", role: "status" });
  const message = h("p", { class: "message", role: "status" });
  const bar = h("div", { class: "spent", role: "progressbar", "aria-label": "Thinking", "aria-valuemin": 0, "aria-valuemax": 100 }, h("span"));
  const found = h("span", { class: "found", title: "How many simulations the search made, and how many a second" });
  const actions = h("div", { class: "actions" },
    button("pass", "Pass", { class: "command primary" }),
    button("start", "Start", { class: "command primary" }),
    button("pause", "Pause"),
    button("stop", "Stop"));
  const estimate = makeEstimate();
  const heat = makeMenu("Show", "What the board shows", (value) => send("heat", { value }));
  const random = makeSwitch("Random first player", (value) => send("random_sides", { value }));
  const rules = h("div", { class: "rules", role: "group", "aria-label": "Rules" });
  const limit = makeSwitch("", (value) => send("limit", { value }));
  const moves = h("tbody");
  const movesHead = [h("th", { scope: "col" }), h("th", { scope: "col" })];
  const sections = makeSections(model, send);
  const board = h("div", { class: "board" });
  const root = h("section", { class: "mctslab mctslab-panel", "aria-label": model.get("menus").title },
    h("div", { class: "layout" },
      h("div", { class: "sides" }, ...sides.map((side) => side.root)),
      board,
      h("div", { class: "news" },
        h("div", { class: "news-line" }, headline, actions),
        h("div", { class: "news-line" }, message, found),
        estimate.root,
        bar),
      h("div", { class: "toolbar", role: "toolbar", "aria-label": "Game" },
        button("new", "New"), button("undo", "Undo"), button("hint", "Hint"), button("swap", "Swap"),
        h("div", { class: "toggles" }, limit.root, random.root, heat.root),
        rules),
      h("div", { class: "moves", tabindex: 0, role: "region", "aria-label": "Moves" },
        h("table", {},
          h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number" }, "#"), ...movesHead)), moves)),
      sections.root));
  return { root, sides, headline, message, bar, found, actions, estimate, heat, random, rules, menus: new Map(), limit, moves, movesHead, sections, board };
}

function makeSide(side, send) {
  const parts = {
    stone: h("span", { class: "stone", "aria-hidden": true }),
    name: h("span", { class: "name" }),
    discs: h("span", { class: "discs" }),
    move: h("span", { class: "move-time", title: "Time of this move" }),
    total: h("span", { class: "total-time", title: "Time of all moves" }),
    menu: h("select", { onchange: (event) => send("set_player", { side, player: event.target.value }) }),
    left: h("span", { class: "time-left", "aria-hidden": true }),
  };
  return { root: h("div", { class: "side", "data-side": side }, ...Object.values(parts)), ...parts };
}

function makeSwitch(text, onSwitch) {
  const input = h("input", { type: "checkbox", role: "switch", onchange: (event) => onSwitch(event.target.checked) });
  const label = h("span", {}, text);
  return { root: h("label", { class: "toggle" }, input, h("span", { class: "toggle-track" }), label), input, label };
}

const HEATS = ["visits", "priors", "values", "nothing"].map((value) => ({ value, label: value }));

/** A menu with its name; `show` takes any values, including numbers. */
function makeMenu(label, name, onChoose) {
  let shown = "", offered = [];
  const menu = h("select", { "aria-label": name, title: name, onchange: () => onChoose(offered[menu.selectedIndex].value) });
  const show = (value, options) => {
    offered = options;
    if (shown !== JSON.stringify(options)) {
      shown = JSON.stringify(options);
      menu.replaceChildren(...options.map((option) => h("option", {}, option.label)));
    }
    menu.selectedIndex = options.findIndex((option) => option.value === value);
  };
  return { root: h("label", { class: "choice" }, ...(label ? [h("span", {}, label)] : []), menu), menu, show };
}

function makeEstimate() {
  const texts = [h("span"), h("span")];
  const bar = h("div", { class: "shares", "aria-hidden": true }, h("span"), h("span"));
  return { root: h("div", { class: "estimate", title: "Each side's win rate in the simulations; a draw counts as half a win" }, texts[0], bar, texts[1]), texts, bar };
}

const SECTIONS = { statistics: "Statistics", tree: "Tree", clocks: "Clocks", record: "Record" };

function makeSections(model, send) {
  const id = newId();
  const tabs = {}, panes = {};
  for (const [name, label] of Object.entries(SECTIONS)) {
    const toggle = () => send("open_section", { section: model.get("section") === name ? "" : name });
    tabs[name] = h("button", { type: "button", class: "section-tab", "data-section": name, "aria-controls": `${id}-${name}`, onclick: toggle }, label);
    panes[name] = h("div", { class: `section ${name}`, id: `${id}-${name}`, role: "region", "aria-label": label, hidden: true });
  }
  const text = h("textarea", { rows: 3, spellcheck: "false", "aria-label": "Game record", placeholder: "Paste the moves of a game here, in the notation of this record." });
  const error = h("p", { class: "message error", role: "alert" });
  const copied = h("span", { class: "copied", role: "status" });
  const copy = async () => {
    copied.textContent = (await copyText(text)) ? "Copied." : "Press Ctrl+C to copy.";
    setTimeout(() => { copied.textContent = ""; }, 2000);
  };
  panes.record.append(text, error, h("div", { class: "tools" },
    makeButton("copy", "Copy", { "data-command": null, onclick: copy }),
    makeButton("set_up", "Set up this game", { onclick: () => send("set_up", { record: text.value }) }),
    copied));
  const root = h("div", { class: "sections" }, h("div", { class: "tabs" }, ...Object.values(tabs)), ...Object.values(panes));
  return { root, tabs, panes, text, error };
}

async function copyText(area) {
  area.select();
  try {
    await navigator.clipboard.writeText(area.value);
    return true;
  } catch {
    return document.execCommand("copy"); // pages without TLS have no clipboard object
  }
}

// Showing the traits

function drawMenus({ players, sides, rules, limit, random_sides, heat }, panel, send) {
  sides.forEach(({ name, stone, color, choice }, player) => {
    const side = panel.sides[player];
    side.stone.replaceChildren(parseSvg(stone));
    side.name.textContent = name;
    side.menu.setAttribute("aria-label", `Who plays ${name}`);
    side.menu.replaceChildren(...players.map(({ value, label }) => h("option", { value }, label)));
    side.menu.value = choice;
    panel.movesHead[player].textContent = name;
    panel.estimate.texts[player].dataset.name = name;
    panel.estimate.bar.children[player].style.background = color;
  });
  panel.heat.show(heat, HEATS);
  panel.random.input.checked = random_sides;
  panel.limit.input.checked = limit.is_on;
  panel.limit.label.textContent = `${limit.seconds} s a move`;
  panel.limit.root.title = `Whoever takes longer than ${limit.seconds} s for a move loses`;
  drawRules(rules, panel, send);
}

const RULES = { size: "Size of the board", in_a_row: "How many in a row win", exactly_five: "Whether a longer row wins" };

function drawRules(rules, panel, send) {
  panel.rules.hidden = rules.length === 0;
  for (const { name, label, value, options } of rules) {
    if (!panel.menus.has(name)) {
      panel.menus.set(name, makeMenu(label, RULES[name] ?? name, (chosen) => send("set_rules", { rules: { [name]: chosen } })));
      panel.rules.append(panel.menus.get(name).root);
    }
    panel.menus.get(name).show(value, options);
  }
}

function drawGame(game, panel) {
  panel.publishedAt = performance.now();
  game.sides.forEach(({ discs }, player) => {
    const side = panel.sides[player];
    side.discs.textContent = discs ?? "";
    side.discs.hidden = discs === null;
    side.discs.setAttribute("aria-label", `${discs} discs`);
    side.root.classList.toggle("is-to-move", game.turn.player === player);
  });
  for (const button of panel.root.querySelectorAll("[data-command]"))
    if (button.dataset.command !== "set_up") button.disabled = !game.commands.includes(button.dataset.command);
  const { text, error } = panel.sections;
  const isTyping = document.activeElement === text;
  if (panel.record !== game.record && !isTyping) text.value = game.record;
  panel.record = game.record;
  error.textContent = game.record_error;
  drawMoves(game.moves, panel);
  drawClocks(game, panel);
}

function drawClocks({ turn, sides }, panel) {
  const since = turn.is_running ? (performance.now() - panel.publishedAt) / 1000 : 0;
  sides.forEach(({ seconds }, player) => {
    const side = panel.sides[player];
    const isToMove = turn.player === player;
    const ofThisMove = isToMove && turn.seconds !== null ? turn.seconds + since : null;
    const left = ofThisMove !== null && turn.limit !== null ? turn.limit - ofThisMove : null;
    const isInHurry = left !== null && left <= Math.min(HURRY_SECONDS, turn.limit / 2);
    side.move.textContent =
      ofThisMove === null ? "" : isInHurry ? `${Math.max(0, left).toFixed(0)} s left` : ofMove(ofThisMove);
    side.total.textContent = ofGame(seconds + (isToMove ? since : 0));
    side.left.style.width = left === null ? "0" : `${Math.max(0, (100 * left) / turn.limit)}%`;
    side.root.classList.toggle("is-in-hurry", isInHurry);
  });
}

function drawStatus({ headline, message, tone, effort, thinking, estimate }, panel) {
  setText(panel.headline, headline); // a screen reader reads it again when it is set again
  setText(panel.message, message);
  panel.message.className = `message ${tone}`;
  const { share, text } = thinking;
  panel.root.classList.toggle("is-thinking", share !== undefined);
  panel.bar.firstElementChild.style.width = `${100 * (share ?? 0)}%`;
  panel.bar.setAttribute("aria-valuenow", Math.round(100 * (share ?? 0)));
  panel.found.textContent = text ?? effort;
  drawEstimate(estimate, panel.estimate);
}

function drawEstimate(share, { root, texts, bar }) {
  const isKnown = share !== null;
  root.classList.toggle("is-known", isKnown);
  const shares = isKnown ? [share, 1 - share] : [0.5, 0.5];
  shares.forEach((ofPlayer, player) => {
    const words = [texts[player].dataset.name, ...(isKnown ? [percent(ofPlayer)] : [])];
    texts[player].textContent = (player === 0 ? words : words.reverse()).join(" ");
    bar.children[player].style.width = `${100 * ofPlayer}%`;
  });
}

function drawMoves(moves, panel) {
  const cell = (move) => h("td", {}, ...(move === undefined ? [] : [
    h("span", { class: "notation" }, move.notation),
    h("span", { class: "seconds" }, move.seconds === null ? "" : ofMove(move.seconds)),
  ]));
  const rows = [];
  // The first mover of a position that was set up can be the second player.
  const offset = moves[0]?.player ?? 0;
  for (let first = -offset; first < moves.length; first += 2)
    rows.push(h("tr", {}, h("td", { class: "number" }, `${rows.length + 1}`), cell(moves[first]), cell(moves[first + 1])));
  panel.moves.replaceChildren(...rows);
  rows.at(-1)?.classList.add("is-last");
  const scroller = panel.moves.closest(".moves");
  scroller.scrollTop = scroller.scrollHeight;
}

function drawSection(open, { tabs, panes }) {
  for (const name of Object.keys(SECTIONS)) {
    tabs[name].setAttribute("aria-expanded", name === open);
    panes[name].hidden = name !== open;
  }
}

const NOTHING_SEARCHED = "Nothing has been searched yet. The result appears here after a player has searched, or after Hint.";

function drawStatistics({ caption, head, rows }, pane) {
  if (!rows?.length) return pane.replaceChildren(h("p", { class: "remark" }, caption ?? NOTHING_SEARCHED));
  const bar = (share) => {
    const filled = h("span", { class: "share-bar" });
    filled.style.width = share; // a page can forbid styles in attributes
    return h("td", { class: "share" }, filled, h("span", {}, share));
  };
  const cell = (text, column) => (head[column + 1] === "Share of visits" ? bar(text) : h("td", {}, text));
  const line = ([first, ...others]) => h("tr", {}, h("th", { scope: "row" }, first), ...others.map(cell));
  pane.replaceChildren(h("div", { class: "scroller", tabindex: 0 }, h("table", {},
    h("caption", {}, caption),
    h("thead", {}, h("tr", {}, ...head.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, ...rows.map(line)))));
}

function drawCostOfMoves({ remark, charts, head, rows, totals }, pane) {
  if (!charts?.length) return pane.replaceChildren(h("p", { class: "remark" }, remark ?? ""));
  const line = (tag) => (cells) => h("tr", {}, ...cells.map((cell) => h(tag, tag === "th" ? { scope: "col" } : {}, cell)));
  const wasOpen = pane.querySelector("details")?.open ?? false;
  pane.replaceChildren(
    h("div", { class: "charts" }, ...charts.map((chart) => h("div", {}, parseSvg(chart)))),
    h("details", { open: wasOpen }, h("summary", {}, "Every move in numbers"),
      h("div", { class: "scroller", tabindex: 0 }, h("table", {},
        h("thead", {}, line("th")(head)),
        h("tbody", {}, ...rows.map(line("td"))),
        h("tfoot", {}, ...totals.map(line("td")))))));
}

const TREE_PADDING = 8; // as in the style sheet

function drawTree({ svg, caption, remark }, pane) {
  if (!svg) return pane.replaceChildren(h("p", { class: "remark" }, remark ?? NOTHING_SEARCHED));
  const drawing = parseSvg(svg);
  const natural = parseFloat(drawing.getAttribute("width"));
  drawing.style.maxWidth = "none";
  const scroller = h("div", { class: "scroller", tabindex: 0, role: "img", "aria-label": caption }, drawing);
  let [zoom, isWhole] = [1, true];
  const zoomTo = (wanted) => {
    zoom = Math.min(Math.max(wanted, 0.1), 4);
    const half = scroller.clientWidth / 2;
    const middle = (scroller.scrollLeft + half) / scroller.scrollWidth;
    drawing.style.width = `${zoom * natural}px`;
    scroller.scrollLeft = middle * scroller.scrollWidth - half; // what was in the middle stays there
  };
  const fit = () => {
    isWhole = true;
    scroller.style.height = "";
    zoomTo(Math.min(1, ((scroller.clientWidth || natural) - 2 * TREE_PADDING) / natural));
  };
  const zoomBy = (factor) => {
    isWhole = false;
    scroller.style.height = `${scroller.offsetHeight}px`; // the panel keeps its height
    zoomTo(zoom * factor);
  };
  const zoomButton = (name, label, action) =>
    makeSignButton(name, label, action, { class: "command small" });
  const tools = h("div", { class: "tools" }, h("p", { class: "remark" }, caption),
    zoomButton("minus", "Smaller", () => zoomBy(1 / 1.3)),
    zoomButton("plus", "Larger", () => zoomBy(1.3)),
    zoomButton("fit", "Fit to width", fit));
  pane.replaceChildren(tools, scroller);
  panByDragging(scroller);
  fit();
  // The tools are as wide as the pane, and fitting the tree does not change them.
  new ResizeObserver(() => isWhole && fit()).observe(tools);
}

export default { initialize, render };
