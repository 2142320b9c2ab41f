// What the panels of long runs share: buttons to start and stop, a bar, charts, and a game to replay.

Object.assign(ICONS, { start: ICONS.play, resume: ICONS.play });

const LABELS = { start: "Start", resume: "Resume", stop: "Stop" };

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

const inPercent = (share) => `${(100 * share).toFixed(2)}%`;

// The page

/**
 * The code that shows a panel, called `name` in sentences: `makePanel(model, sendCommand)` makes its
 * elements, with a stage called `replay`, and `drawEverything(model, panel)` shows the traits on
 * them from then on.
 */
function makeRender(name, makePanel, drawEverything) {
  return async ({ model, el, host, signal }) => {
    const sendCommand = (command, more = {}) => tell(model, { command, ...more });
    const panel = makePanel(model, sendCommand);
    el.append(panel.root);
    keepKeysFromTheNotebook(panel.root, signal);
    watchTheKernel(model, panel.root, name);
    const board = await host.getWidget(model.get("board"));
    await board.render({ el: panel.replay.board, signal });
    drawEverything(model, panel);
    panel.about.after(makeClusterLine(model));
    return openView(model);
  };
}

/** Which cluster works, hidden if there is none. */
function makeClusterLine(model) {
  const line = h("p", { class: "cluster", role: "status", "aria-label": "Cluster" });
  whenChanged(model)(["cluster"], () => {
    setText(line, model.get("cluster"));
    line.hidden = !model.get("cluster");
  });
  return line;
}

/** The buttons Start, Resume and Stop; only those that can be used now are visible. */
const makeCommands = (sendCommand) =>
  h("div", { class: "actions" }, ...Object.keys(LABELS).map((name) =>
    makeButton(name, LABELS[name], { class: name === "stop" ? "command" : "command primary", onclick: () => sendCommand(name) })));

const makeBar = (label) =>
  h("div", { class: "bar", role: "progressbar", "aria-label": label, "aria-valuemin": 0, "aria-valuemax": 100 }, h("span"));

/** A board with a game to step through; `change(ply)` is called with every requested ply. */
function makeStage(numPlies, change) {
  const state = { wanted: 0, key: null };
  const goTo = (ply) => {
    state.wanted = Math.min(Math.max(ply, 0), numPlies());
    slider.value = state.wanted;
    change(state.wanted);
  };
  const step = (name, label, ply) =>
    makeSignButton(name, label, () => goTo(ply()), { "data-step": name });
  const slider = h("input", { type: "range", class: "slider", min: 0, step: 1, "aria-label": "Ply", oninput: () => goTo(Number(slider.value)) });
  const title = h("p", { class: "replay-title" });
  const move = h("p", { class: "replay-move", role: "status" });
  const end = h("p", { class: "replay-end" });
  const board = h("div", { class: "board" });
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
  // Before the board, whose squares would otherwise handle the arrow keys.
  stage.addEventListener("keydown", (event) => {
    if (hasModifier(event)) return;
    const ply = plyAfterKey(event.key, state.wanted, numPlies());
    if (ply === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    goTo(ply);
  }, { capture: true });
  return { state, stage, shown, board, title, slider, move, end };
}

// Showing the traits

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
  // After pressing Stop by a key, one can press Resume next.
  if (focused?.hidden) panel.root.querySelector("[data-command]:not([hidden])")?.focus();
}

function drawCharts(pane, charts) {
  pane.replaceChildren(...charts.map((chart) => h("div", { class: "chart", tabindex: 0 }, parseSvg(chart))));
}

/** Show the ply of a game on its stage, which is hidden if there is no game. */
function drawStage(replay, { key, title, ply, num_plies, move, end }) {
  const { state, slider } = replay;
  replay.stage.hidden = key === undefined;
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
  for (const button of replay.stage.querySelectorAll("[data-step]")) {
    const isBackwards = ["first", "previous"].includes(button.dataset.step);
    set(button, "aria-disabled", ply === (isBackwards ? 0 : num_plies));
  }
}
