// The page's half of the arena panel. The synced traits are the whole state: the functions that begin
// with "draw" show some of them, and what a person does is sent as a command.

Object.assign(ICONS, {
  stop: { path: "M4 4h8v8H4z", filled: true },
  start: ICONS.play,
  resume: ICONS.play,
});

const LABELS = { start: "Start", resume: "Resume", stop: "Stop" };
const PAGE = Math.random().toString(36).slice(2); // another one each time that the page is loaded

// Logic: pure functions

/** "1:05", or "2:01:40". */
function clockTime(seconds) {
  const whole = Math.round(seconds);
  const two = (number) => String(number).padStart(2, "0");
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3600);
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** The ply to which a key leads; undefined for a key that leads nowhere. */
function plyAfterKey(key, ply, numPlies) {
  switch (key) {
    case "ArrowLeft": return Math.max(0, ply - 1);
    case "ArrowRight": return Math.min(numPlies, ply + 1);
    case "Home": return 0;
    case "End": return numPlies;
  }
}

/** Where `value` lies between two ends, as a share from 0 to 1. */
const place = (value, low, high) => Math.min(Math.max((value - low) / (high - low), 0), 1);

const inPercent = (share) => `${(100 * share).toFixed(2)}%`;

/** How many of the first entries of two lists are the same. */
function samePrefix(before, now) {
  let length = 0;
  while (length < before.length && length < now.length && before[length].join() === now[length].join()) length += 1;
  return length;
}

// The page

function initialize({ model }) {
  // A page that is loaded anew shows nothing yet, whatever was shown before.
  tell(model, { event: "page_opened", page: PAGE });
}

async function render({ model, el, host, signal }) {
  const obey = (command, more = {}) => tell(model, { command, ...more });
  const panel = makePanel(model, obey);
  el.append(panel.root);
  keepKeysFromTheNotebook(panel.root, signal);
  watchTheKernel(model, panel.root, "arena");
  const board = await host.getWidget(model.get("board"));
  await board.render({ el: panel.replay.board, signal });
  drawEverything(model, panel);
  tell(model, { event: "view_opened", page: PAGE });
  return () => tell(model, { event: "view_closed", page: PAGE });
}

function makePanel(model, obey) {
  const button = (name) =>
    h("button", { type: "button", class: name === "stop" ? "command" : "command primary", "data-command": name, onclick: () => obey(name) },
      icon(name), h("span", {}, LABELS[name]));
  const title = h("p", { class: "title" });
  const about = h("p", { class: "about" });
  const headline = h("p", { class: "headline", role: "status" });
  const left = h("span", { class: "left" });
  const bar = h("div", { class: "bar", role: "progressbar", "aria-label": "Games played", "aria-valuemin": 0, "aria-valuemax": 100 }, h("span"));
  const message = h("p", { class: "message", role: "alert" });
  const figures = h("div", { class: "figures" });
  const standings = h("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": "Standings" });
  const players = h("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": "Times and losses of each player" });
  const warnings = h("ul", { class: "warnings" });
  const charts = h("div", { class: "charts" });
  const replay = makeReplay(model, obey);
  const root = h("section", { class: "mctslab mctslab-arena", "aria-label": "Arena" },
    h("div", { class: "head" },
      h("div", {}, title, about),
      h("div", { class: "actions" }, ...Object.keys(LABELS).map(button))),
    h("div", { class: "line" }, headline, left), bar, message,
    figures, standings, players, warnings, charts, replay.root);
  return { root, title, about, headline, left, bar, message, figures, standings, players, warnings, charts, replay };
}

function makeReplay(model, obey) {
  const state = { wanted: 0, key: null };
  const numPlies = () => model.get("replay").num_plies ?? 0;
  const goTo = (ply) => {
    state.wanted = Math.min(Math.max(ply, 0), numPlies());
    slider.value = state.wanted;
    obey("show_ply", { ply: state.wanted });
  };
  const games = h("select", { size: 9, "aria-label": "Games", onchange: () => obey("pick", { game: games.value }) });
  const number = h("p", { class: "number-of-games" });
  const step = (name, label, ply) =>
    h("button", { type: "button", class: "command", "aria-label": label, title: label, "data-step": name, onclick: () => goTo(ply()) }, icon(name));
  const slider = h("input", { type: "range", class: "slider", min: 0, step: 1, "aria-label": "Ply", oninput: () => goTo(Number(slider.value)) });
  const title = h("p", { class: "replay-title" });
  const move = h("p", { class: "replay-move", role: "status" });
  const end = h("p", { class: "replay-end" });
  const board = h("div", { class: "board" });
  const charts = h("div", { class: "charts" });
  const shown = h("div", { class: "shown" },
    title,
    h("div", { class: "steps", role: "toolbar", "aria-label": "Replay" },
      step("first", "First position", () => 0),
      step("previous", "Back", () => state.wanted - 1),
      step("next", "Forward", () => state.wanted + 1),
      step("last", "Last position", numPlies),
      slider),
    move, end);
  const stage = h("div", { class: "stage" }, board, shown);
  const pick = h("p", { class: "pick" }, "Pick a game to replay it.");
  const root = h("div", { class: "replay", role: "group", "aria-label": "Games" },
    h("div", { class: "list" }, number, games, pick), stage, charts);
  // Before the board, whose squares would take the arrow keys for themselves.
  stage.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const ply = plyAfterKey(event.key, state.wanted, numPlies());
    if (ply === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    goTo(ply);
  }, { capture: true });
  return { root, state, games, number, pick, stage, board, title, slider, move, end, charts, shownGames: [] };
}

// Showing the traits

function drawEverything(model, panel) {
  const on = (names, draw) => {
    for (const name of names) model.on(`change:${name}`, draw);
    draw();
  };
  for (const name of ["title", "about", "headline", "message"])
    on([name], () => setText(panel[name], model.get(name)));
  on(["progress"], () => drawProgress(model, panel));
  on(["commands"], () => drawCommands(model, panel));
  on(["score"], () => drawScore(model, panel));
  on(["standings"], () => drawTable(panel.standings, model.get("standings"), 1));
  on(["players"], () => drawTable(panel.players, model.get("players"), 0));
  on(["warnings"], () => panel.warnings.replaceChildren(...model.get("warnings").map((text) => h("li", {}, text))));
  on(["charts"], () => drawCharts(panel.charts, model.get("charts")));
  on(["games"], () => drawGames(model, panel.replay));
  on(["replay"], () => drawReplay(model, panel.replay));
  on(["replay_charts"], () => drawCharts(panel.replay.charts, model.get("replay_charts")));
}

function drawProgress(model, panel) {
  const { share, left, is_running } = model.get("progress");
  panel.root.classList.toggle("is-running", is_running);
  panel.bar.firstElementChild.style.width = inPercent(share);
  set(panel.bar, "aria-valuenow", Math.round(100 * share));
  setText(panel.left, left === null || left === undefined ? "" : `about ${clockTime(left)} left`);
}

function drawCommands(model, panel) {
  const possible = model.get("commands");
  const focused = panel.root.querySelector("[data-command]:focus");
  for (const button of panel.root.querySelectorAll("[data-command]")) button.hidden = !possible.includes(button.dataset.command);
  // Who has pressed Stop by a key can press Resume next.
  if (focused?.hidden) panel.root.querySelector("[data-command]:not([hidden])")?.focus();
}

function drawScore(model, panel) {
  const { name, num_games, rate, score, elo, points, halves, test } = model.get("score");
  if (!num_games) return panel.figures.replaceChildren();
  const [value, low, high] = rate;
  const figure = (label, [text, sub], ...more) =>
    h("div", { class: "figure" }, h("p", { class: "label" }, label), h("p", { class: "value" }, text), ...more, h("p", { class: "sub" }, sub));
  const strip = (marks, from, to) => h("div", { class: "strip", "aria-hidden": true }, ...marks,
    h("span", { class: "interval", style: `left: ${inPercent(from)}; right: ${inPercent(1 - to)}` }));
  const mark = (kind, share) => h("span", { class: kind, style: `left: ${inPercent(share)}` });
  const [even, reached] = test ? [0, test.ratio].map((ratio) => place(ratio, test.low, test.high)) : [];
  panel.figures.replaceChildren(
    figure(`Score of ${name}`, [score[0], `95 % interval ${score[1]}`], strip([mark("middle", 0.5), mark("dot", value)], low, high)),
    figure("Elo difference", [elo[0], `95 % interval ${elo[1]}`]),
    figure("Won · drawn · lost", [points, halves]),
    ...(test ? [figure("Log likelihood ratio", [test.text, `in ${test.bounds}. ${test.question}`],
      strip([mark("middle", even), mark("dot", reached)], Math.min(even, reached), Math.max(even, reached)))] : []));
}

function drawTable(pane, { head, rows }, nameColumn) {
  pane.hidden = !rows?.length;
  if (pane.hidden) return;
  const cell = (text, column) => (column === nameColumn ? h("th", { scope: "row" }, text) : h("td", {}, text));
  pane.replaceChildren(h("table", {},
    h("thead", {}, h("tr", {}, ...head.map((text, column) => h("th", { scope: "col", class: column === nameColumn ? "name" : null }, text)))),
    h("tbody", {}, ...rows.map((cells) => h("tr", {}, ...cells.map(cell))))));
}

function drawCharts(pane, charts) {
  pane.replaceChildren(...charts.map((chart) => h("div", { class: "chart", tabindex: 0 }, parseSvg(chart))));
}

function drawGames(model, replay) {
  const { root, games, number, shownGames } = replay;
  const now = model.get("games");
  root.hidden = !now.length;
  const same = samePrefix(shownGames, now);
  const { value, scrollTop } = games;
  while (games.options.length > same) games.remove(same);
  games.append(...now.slice(same).map(([key, label]) => h("option", { value: key }, label)));
  if (games.value !== value && now.some(([key]) => key === value)) games.value = value;
  games.scrollTop = scrollTop;
  replay.shownGames = now;
  setText(number, plural(now.length, "finished game"));
}

function drawReplay(model, replay) {
  const { key, title, ply, num_plies, move, end } = model.get("replay");
  const { state, slider } = replay;
  replay.stage.hidden = key === undefined;
  replay.pick.hidden = key !== undefined;
  if (key === undefined) return;
  if (state.key !== key || !slider.matches(":focus, :active")) state.wanted = ply;
  state.key = key;
  slider.max = num_plies;
  slider.value = state.wanted;
  slider.style.setProperty("--done", inPercent(num_plies ? state.wanted / num_plies : 0));
  set(slider, "aria-valuetext", move);
  setText(replay.title, title);
  setText(replay.move, move);
  setText(replay.end, end);
  if (replay.games.value !== key) replay.games.value = key;
  for (const button of replay.root.querySelectorAll("[data-step]")) {
    const isBackwards = ["first", "previous"].includes(button.dataset.step);
    set(button, "aria-disabled", ply === (isBackwards ? 0 : num_plies));
  }
}

export default { initialize, render };
