// The page's half of the game panel. The synced traits are the whole state: every function below
// that begins with "draw" shows some of them, and what a person does is sent as a command.

Object.assign(ICONS, {
  new: { path: "M3 8a5 5 0 1 1 1.6 3.7M3 12.5V8.6M3 12.5h3.6" },
  undo: { path: "M6.5 3.5 3 7l3.5 3.5M3 7h6.2a3.4 3.4 0 0 1 0 6.8H7" },
  hint: {
    path: "M6 12.5h4M6.5 14.5h3M8 1.8a4.4 4.4 0 0 0-2.4 8.1c.4.3.6.7.6 1.1h3.6c0-.4.2-.8.6-1.1A4.4 4.4 0 0 0 8 1.8z",
  },
  swap: { path: "M4.5 3v9.5M2 10l2.5 2.7L7 10M11.5 13V3.5M9 6l2.5-2.7L14 6" },
  stop: { path: "M4 4h8v8H4z", filled: true },
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

const PAGE = Math.random().toString(36).slice(2); // another one each time that the page is loaded

function initialize({ model }) {
  // A page that is loaded anew shows nothing yet, whatever was shown before.
  tell(model, { event: "page_opened", page: PAGE });
}

async function render({ model, el, host, signal }) {
  const obey = (command, more = {}) => tell(model, { command, ...more });
  const panel = makePanel(model, obey);
  el.append(panel.root);
  keepKeysFromTheNotebook(panel.root, signal);
  watchTheKernel(model, panel.root, "panel");

  const draw = drawEverything(model, panel, obey);
  const ticking = setInterval(() => drawClocks(model, panel), TICK_MS);
  const board = await host.getWidget(model.get("board"));
  await board.render({ el: panel.board, signal });
  draw();

  tell(model, { event: "view_opened", page: PAGE });
  return () => {
    clearInterval(ticking);
    tell(model, { event: "view_closed", page: PAGE });
  };
}

function makePanel(model, obey) {
  const button = (name, label, attributes = {}) =>
    h("button", { type: "button", class: "command", "data-command": name, onclick: () => obey(name), ...attributes },
      icon(name), h("span", {}, label));

  const sides = [0, 1].map((side) => makeSide(side, obey));
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
  const heat = makeMenu("Show", "What the board shows", (value) => obey("heat", { value }));
  heat.show("visits", HEATS);
  const lot = makeSwitch("First move by lot", (value) => obey("by_lot", { value }));
  const rules = h("div", { class: "rules", role: "group", "aria-label": "Rules" });
  const limit = makeSwitch("", (value) => obey("limit", { value }));
  const moves = h("tbody");
  const movesHead = [h("th", { scope: "col" }), h("th", { scope: "col" })];
  const sections = makeSections(model, obey);
  const board = h("div", { class: "board" });
  const root = h("section", { class: "mctslab mctslab-panel", "aria-label": model.get("title") },
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
        h("div", { class: "toggles" }, limit.root, lot.root, heat.root),
        rules),
      h("div", { class: "moves", tabindex: 0, role: "region", "aria-label": "Moves" },
        h("table", {},
          h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number" }, "#"), ...movesHead)), moves)),
      sections.root));
  return { root, sides, headline, message, bar, found, actions, estimate, heat, lot, rules, menus: new Map(), limit, moves, movesHead, sections, board };
}

function makeSide(side, obey) {
  const stone = h("span", { class: "stone", "aria-hidden": true });
  const name = h("span", { class: "name" });
  const menu = h("select", { onchange: (event) => obey("set_player", { side, player: event.target.value }) });
  const discs = h("span", { class: "discs" });
  const move = h("span", { class: "move-time", title: "Time of this move" });
  const total = h("span", { class: "total-time", title: "Time of all moves" });
  const left = h("span", { class: "time-left", "aria-hidden": true });
  const root = h("div", { class: "side", "data-side": side },
    stone, name, discs, move, total, menu, left);
  return { root, stone, name, menu, discs, move, total, left };
}

function makeSwitch(text, onSwitch) {
  const input = h("input", { type: "checkbox", role: "switch", onchange: (event) => onSwitch(event.target.checked) });
  const label = h("span", {}, text);
  return { root: h("label", { class: "toggle" }, input, h("span", { class: "toggle-track" }), label), input, label };
}

const HEATS = ["visits", "priors", "values", "nothing"].map((value) => ({ value, label: value }));

/** A menu with its name; `show` takes any values, also numbers. */
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
  return { root: h("div", { class: "estimate", title: "How often each side won in the simulations" }, texts[0], bar, texts[1]), texts, bar };
}

const SECTIONS = { statistics: "Statistics", tree: "Tree", clocks: "Clocks", record: "Record" };

function makeSections(model, obey) {
  const id = Math.random().toString(36).slice(2);
  const tabs = {}, panes = {};
  for (const [name, label] of Object.entries(SECTIONS)) {
    const toggle = () => obey("open_section", { section: model.get("section") === name ? "" : name });
    tabs[name] = h("button", { type: "button", class: "section-tab", "data-section": name, "aria-controls": `mctslab-${name}-${id}`, onclick: toggle }, label);
    panes[name] = h("div", { class: `section ${name}`, id: `mctslab-${name}-${id}`, role: "region", "aria-label": label, hidden: true });
  }
  const text = h("textarea", { rows: 3, spellcheck: "false", "aria-label": "Game record", placeholder: "Paste the moves of a game here, such as they are written in this record." });
  const error = h("p", { class: "message error", role: "alert" });
  const copied = h("span", { class: "copied", role: "status" });
  const copy = async () => {
    copied.textContent = (await copyText(text)) ? "Copied." : "Press Ctrl+C to copy.";
    setTimeout(() => { copied.textContent = ""; }, 2000);
  };
  panes.record.append(text, error, h("div", { class: "tools" },
    h("button", { type: "button", class: "command", onclick: copy }, icon("copy"), h("span", {}, "Copy")),
    h("button", { type: "button", class: "command", "data-command": "set_up", onclick: () => obey("set_up", { record: text.value }) }, icon("set_up"), h("span", {}, "Set up this game")),
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

function drawEverything(model, panel, obey) {
  const on = (names, draw) => {
    for (const name of names) model.on(`change:${name}`, draw);
    return draw;
  };
  const draws = [
    on(["sides", "choices", "turn"], () => drawSides(model, panel)),
    on(["headline", "message", "tone"], () => drawStatus(model, panel)),
    on(["thinking", "effort"], () => drawThinking(model, panel)),
    on(["estimate", "sides"], () => drawEstimate(model, panel)),
    on(["commands"], () => drawCommands(model, panel)),
    on(["move_rows", "sides"], () => drawMoves(model, panel)),
    on(["heat"], () => panel.heat.show(model.get("heat"), HEATS)),
    on(["by_lot"], () => { panel.lot.input.checked = model.get("by_lot"); }),
    on(["rules"], () => drawRules(model, panel, obey)),
    on(["limit"], () => drawLimit(model, panel)),
    on(["clocks"], () => drawCostOfMoves(model, panel)),
    on(["section"], () => drawSection(model, panel)),
    on(["statistics"], () => drawStatistics(model, panel)),
    on(["tree"], () => drawTree(model, panel)),
    on(["record"], () => drawRecord(model, panel)),
    on(["record_error"], () => { panel.sections.error.textContent = model.get("record_error"); }),
  ];
  return () => draws.forEach((draw) => draw());
}

function drawSides(model, panel) {
  panel.publishedAt = performance.now();
  const choices = model.get("choices");
  model.get("sides").forEach((side, player) => {
    const shown = panel.sides[player];
    if (shown.stoneSource !== side.stone) {
      shown.stoneSource = side.stone;
      shown.stone.replaceChildren(parseSvg(side.stone));
    }
    shown.name.textContent = side.name;
    shown.menu.setAttribute("aria-label", `Who plays ${side.name}`);
    const values = JSON.stringify(choices);
    if (shown.menuValues !== values) {
      shown.menuValues = values;
      shown.menu.replaceChildren(...choices.map(({ value, label }) => h("option", { value }, label)));
    }
    shown.menu.value = side.choice;
    shown.discs.textContent = side.discs ?? "";
    shown.discs.hidden = side.discs === null;
    shown.discs.setAttribute("aria-label", `${side.discs} discs`);
    shown.root.classList.toggle("is-to-move", model.get("turn").player === player);
    panel.movesHead[player].textContent = side.name;
  });
  drawClocks(model, panel);
}

function drawClocks(model, panel) {
  const turn = model.get("turn");
  const since = turn.is_running ? (performance.now() - panel.publishedAt) / 1000 : 0;
  model.get("sides").forEach((side, player) => {
    const shown = panel.sides[player];
    const isToMove = turn.player === player;
    const ofThisMove = isToMove && turn.seconds !== null ? turn.seconds + since : null;
    const left = ofThisMove !== null && turn.limit !== null ? turn.limit - ofThisMove : null;
    const isInHurry = left !== null && left <= Math.min(HURRY_SECONDS, turn.limit / 2);
    shown.move.textContent =
      ofThisMove === null ? "" : isInHurry ? `${Math.max(0, left).toFixed(0)} s left` : ofMove(ofThisMove);
    shown.total.textContent = ofGame(side.seconds + (isToMove ? since : 0));
    shown.left.style.width = left === null ? "0" : `${Math.max(0, (100 * left) / turn.limit)}%`;
    shown.root.classList.toggle("is-in-hurry", isInHurry);
  });
}

function drawStatus(model, panel) {
  panel.headline.textContent = model.get("headline");
  panel.message.textContent = model.get("message");
  panel.message.className = `message ${model.get("tone")}`;
}

function drawThinking(model, panel) {
  const { share, text } = model.get("thinking");
  panel.root.classList.toggle("is-thinking", share !== undefined);
  panel.bar.firstElementChild.style.width = `${100 * (share ?? 0)}%`;
  panel.bar.setAttribute("aria-valuenow", Math.round(100 * (share ?? 0)));
  panel.found.textContent = text ?? model.get("effort");
}

function drawEstimate(model, panel) {
  const { share } = model.get("estimate");
  const isKnown = share !== undefined;
  const { root, texts, bar } = panel.estimate;
  root.classList.toggle("is-known", isKnown);
  const shares = isKnown ? [share, 1 - share] : [0.5, 0.5];
  model.get("sides").forEach((side, player) => {
    const words = [side.name, ...(isKnown ? [percent(shares[player])] : [])];
    texts[player].textContent = (player === 0 ? words : words.reverse()).join(" ");
    bar.children[player].style.width = `${100 * shares[player]}%`;
    bar.children[player].style.background = side.color;
  });
}

function drawCommands(model, panel) {
  const possible = new Set(model.get("commands"));
  for (const button of panel.root.querySelectorAll("[data-command]"))
    if (button.dataset.command !== "set_up") button.disabled = !possible.has(button.dataset.command);
}

function drawLimit(model, panel) {
  const { seconds, is_on } = model.get("limit");
  const { root, input, label } = panel.limit;
  input.checked = is_on;
  setText(label, `${seconds} s a move`);
  root.title = `Who takes longer than ${seconds} s for a move loses`;
}

const RULES = { size: "Size of the board", in_a_row: "How many in a row win", exactly_five: "Whether a longer row wins" };

function drawRules(model, panel, obey) {
  const rules = model.get("rules");
  panel.rules.hidden = rules.length === 0;
  for (const { name, label, value, options } of rules) {
    if (!panel.menus.has(name)) {
      panel.menus.set(name, makeMenu(label, RULES[name] ?? name, (chosen) => obey("set_rules", { rules: { [name]: chosen } })));
      panel.rules.append(panel.menus.get(name).root);
    }
    panel.menus.get(name).show(value, options);
  }
}

function drawMoves(model, panel) {
  const moves = model.get("move_rows");
  const rows = [];
  const cell = (move) => h("td", {}, ...(move === undefined ? [] : [
    h("span", { class: "notation" }, move.notation),
    h("span", { class: "seconds" }, move.seconds === null ? "" : ofMove(move.seconds)),
  ]));
  // The first mover of a position that was set up can be the second player.
  const offset = moves[0]?.player ?? 0;
  for (let first = -offset; first < moves.length; first += 2)
    rows.push(h("tr", {}, h("td", { class: "number" }, `${rows.length + 1}`), cell(moves[first]), cell(moves[first + 1])));
  panel.moves.replaceChildren(...rows);
  rows.at(-1)?.classList.add("is-last");
  const scroller = panel.moves.closest(".moves");
  scroller.scrollTop = scroller.scrollHeight;
}

function drawSection(model, panel) {
  const open = model.get("section");
  for (const name of Object.keys(SECTIONS)) {
    panel.sections.tabs[name].setAttribute("aria-expanded", name === open);
    panel.sections.panes[name].hidden = name !== open;
  }
}

function drawRecord(model, panel) {
  const { text } = panel.sections;
  if (document.activeElement !== text) text.value = model.get("record"); // else somebody types
}

const NOTHING_SEARCHED = "Nothing was searched yet. A player that searches fills this, and so does Hint.";

function drawStatistics(model, panel) {
  const { caption, head, rows } = model.get("statistics");
  const pane = panel.sections.panes.statistics;
  if (!rows?.length) return pane.replaceChildren(h("p", { class: "remark" }, caption ?? NOTHING_SEARCHED));
  const bar = (share) =>
    h("td", { class: "share" }, h("span", { class: "share-bar", style: `width: ${share}` }), h("span", {}, share));
  const cell = (text, column) => (head[column + 1] === "Share of visits" ? bar(text) : h("td", {}, text));
  const line = ([first, ...others]) => h("tr", {}, h("th", { scope: "row" }, first), ...others.map(cell));
  pane.replaceChildren(h("div", { class: "scroller", tabindex: 0 }, h("table", {},
    h("caption", {}, caption),
    h("thead", {}, h("tr", {}, ...head.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, ...rows.map(line)))));
}

function drawCostOfMoves(model, panel) {
  const { remark, charts, head, rows, totals } = model.get("clocks");
  const pane = panel.sections.panes.clocks;
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

function drawTree(model, panel) {
  const { svg, caption, remark } = model.get("tree");
  const pane = panel.sections.panes.tree;
  if (!svg) return pane.replaceChildren(h("p", { class: "remark" }, remark ?? NOTHING_SEARCHED));
  const drawing = parseSvg(svg);
  const natural = parseFloat(drawing.getAttribute("width"));
  drawing.style.maxWidth = "none";
  const scroller = h("div", { class: "scroller", tabindex: 0, role: "img", "aria-label": caption }, drawing);
  let zoom = 1;
  const zoomTo = (wanted) => {
    zoom = Math.min(Math.max(wanted, 0.1), 4);
    drawing.style.width = `${zoom * natural}px`;
  };
  const fit = () => zoomTo(Math.min(1, ((scroller.clientWidth || natural) - 2 * TREE_PADDING) / natural));
  const zoomButton = (name, label, action) =>
    h("button", { type: "button", class: "command small", "aria-label": label, title: label, onclick: action }, icon(name));
  pane.replaceChildren(
    h("div", { class: "tools" }, h("p", { class: "remark" }, caption),
      zoomButton("minus", "Smaller", () => zoomTo(zoom / 1.3)),
      zoomButton("plus", "Larger", () => zoomTo(zoom * 1.3)),
      zoomButton("fit", "Fit to width", fit)),
    scroller);
  panByDragging(scroller);
  fit();
}

function panByDragging(scroller) {
  scroller.addEventListener("pointermove", (event) => {
    if (event.buttons !== 1 || event.pointerType === "touch") return;
    scroller.scrollBy(-event.movementX, -event.movementY);
  });
}

export default { initialize, render };
