// The page's half of the selection bars. The synced traits are the whole state; Python draws the
// bars, and a person's actions are sent as commands.

Object.assign(ICONS, { run: ICONS.play, step: ICONS.next, finish: ICONS.last, reset: ICONS.first });

/** The command of a key; undefined for a key without a command. */
function commandOfKey(key, isRunning) {
  switch (key) {
    case " ": return isRunning ? "pause" : "run";
    case "ArrowRight": return "step";
    case "Home": return "reset";
    case "End": return "finish";
  }
}

function render({ model, el, signal }) {
  const sendCommand = (command, more = {}) => tell(model, { command, ...more });
  const view = makeView(model, sendCommand);
  el.append(view.root);
  keepKeysFromTheNotebook(view.root, signal);
  watchTheKernel(model, view.root, "picture");
  view.root.addEventListener("keydown", (event) => onKey(event, model, view, sendCommand));
  drawAll(model, view);
  return openView(model);
}

function makeView(model, sendCommand) {
  const button = (name, label, key) =>
    makeButton(name, label, { title: `${label} (${key})`, onclick: () => sendCommand(name) });
  const buttons = {
    run: button("run", "Run", "space"),
    pause: button("pause", "Pause", "space"),
    step: button("step", "Step", "→"),
    finish: button("finish", "To the end", "End"),
    reset: button("reset", "Reset", "Home"),
  };
  buttons.run.classList.add("primary");
  const speed = h("select", { "aria-label": "Speed", onchange: () => sendCommand("speed", { value: Number(speed.value) }) },
    ...model.get("speeds").map((value) => h("option", { value }, `${value.toLocaleString("en")}/s`)));
  const bars = h("div", { class: "bars" });
  const board = h("div", { class: "board" });
  const count = h("span", { class: "count" });
  const bar = h("div", { class: "spent", role: "progressbar", "aria-label": "Simulations", "aria-valuemin": 0 }, h("span"));
  const message = h("p", { class: "message", role: "alert" });
  const root = h("section", { class: "mctslab mctslab-bars", "aria-label": model.get("title"), tabindex: 0 },
    h("div", { class: "controls", role: "toolbar", "aria-label": "Search" },
      h("div", { class: "buttons" }, buttons.run, buttons.pause, buttons.step, buttons.finish, buttons.reset),
      h("div", { class: "rest" }, count, h("label", { class: "labelled" }, h("span", {}, "speed"), speed))),
    bar, message,
    h("div", { class: "stage" }, board, bars));
  return { root, buttons, speed, bars, board, count, bar, message };
}

function onKey(event, model, view, sendCommand) {
  if (hasModifier(event) || event.target === view.speed) return;
  if (event.key === " " && event.target.tagName === "BUTTON") return; // it presses the button
  const command = commandOfKey(event.key, model.get("is_running"));
  if (command === undefined) return;
  event.preventDefault();
  sendCommand(command);
}

function drawAll(model, view) {
  const on = whenChanged(model);
  on(["bars"], () => view.bars.replaceChildren(parseSvg(model.get("bars"))));
  on(["board"], () => view.board.replaceChildren(parseSvg(model.get("board"))));
  on(["speed"], () => { view.speed.value = model.get("speed"); });
  on(["message"], () => setText(view.message, model.get("message")));
  on(["progress", "is_running"], () => drawProgress(model, view));
}

function drawProgress(model, view) {
  const { done, of } = model.get("progress");
  const isRunning = model.get("is_running");
  const isComplete = done >= of;
  const { buttons, bar } = view;
  const hadFocus = view.root.contains(document.activeElement) && document.activeElement.dataset.command;
  buttons.run.hidden = isRunning;
  buttons.pause.hidden = !isRunning;
  buttons.run.disabled = buttons.step.disabled = isComplete;
  buttons.finish.disabled = isComplete;
  buttons.reset.disabled = done === 0 && !isRunning;
  // A button that disappears or is disabled loses the focus: give it to one that is there.
  if (hadFocus === "run" && isRunning) buttons.pause.focus();
  else if (hadFocus === "pause" && !isRunning && !isComplete) buttons.run.focus();
  else if (hadFocus && view.root.querySelector(`[data-command="${hadFocus}"]`).matches(":disabled, [hidden]")) view.root.focus();
  setText(view.count, `${done.toLocaleString("en")} of ${of.toLocaleString("en")} simulations`);
  bar.firstElementChild.style.width = `${(100 * done) / of}%`;
  set(bar, "aria-valuemax", of);
  set(bar, "aria-valuenow", done);
}

export default { initialize, render };
