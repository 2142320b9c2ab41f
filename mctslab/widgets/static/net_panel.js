// The page's half of the panel for questioning nets. The synced traits are the whole state, and a
// person's actions are sent as commands.

Object.assign(ICONS, {
  redo: { path: "M9.5 3.5 13 7l-3.5 3.5M13 7H6.8a3.4 3.4 0 0 0 0 6.8H9" },
  let_play: ICONS.play,
  trees: { path: "M8 2.5v3.2M8 5.7 3.5 9.3M8 5.7v3.6M8 5.7l4.5 3.6M2 9.3h3v3.2H2zM6.5 9.3h3v3.2h-3zM11 9.3h3v3.2h-3z" },
});

const percent = (share) => (share > 0 && share < 0.0995 ? `${(100 * share).toFixed(1)}%` : `${Math.round(100 * share)}%`);

/** The command of a key; undefined for a key without a command. */
function commandOfKey(key, isPlaying) {
  switch (key) {
    case "u": return "undo";
    case "r": return "redo";
    case "n": return "new";
    case "p": return isPlaying ? "stop" : "let_play";
    case "t": return "trees";
  }
}

async function render({ model, el, host, signal }) {
  const sendCommand = (command, more = {}) => tell(model, { command, ...more });
  const toggleTrees = () => sendCommand("trees", { value: !model.get("trees_open") });
  const view = makeView(model, sendCommand, toggleTrees);
  el.append(view.root);
  keepKeysFromTheNotebook(view.root, signal);
  watchTheKernel(model, view.root, "panel");
  view.root.addEventListener("keydown", (event) => onKey(event, model, view, sendCommand, toggleTrees));
  const boards = await Promise.all(model.get("boards").map((board) => host.getWidget(board)));
  await Promise.all(boards.map((board, place) => board.render({ el: view.nets[place].board, signal })));
  drawAll(model, view);
  return openView(model);
}

function makeView(model, sendCommand, toggleTrees) {
  const button = (name, label, key, onclick = () => sendCommand(name)) =>
    makeButton(name, label, { title: `${label} (${key})`, onclick });
  const buttons = {
    new: button("new", "New", "n"),
    undo: button("undo", "Undo", "u"),
    redo: button("redo", "Redo", "r"),
    let_play: button("let_play", "Let the nets play from here", "p"),
    stop: button("stop", "Stop", "p"),
    trees: button("trees", "Trees", "t", toggleTrees),
  };
  buttons.let_play.classList.add("primary");
  const position = h("select", { "aria-label": "Position to set up", onchange: () => {
    const name = position.value;
    position.selectedIndex = 0; // the same one can be chosen again
    if (name) sendCommand("set_up", { record: name });
  } }, h("option", { value: "" }, "set up …"), ...model.get("positions").map((name) => h("option", { value: name }, name)));
  const budget = h("select", { "aria-label": "Simulations of a search", onchange: () => sendCommand("simulations", { value: Number(budget.value) }) });
  const sides = [0, 1].map((side) => {
    const menu = h("select", { "aria-label": `Which net plays ${model.get("player_names")[side]}`, onchange: () => sendCommand("side", { side, net: menu.selectedIndex }) },
      ...model.get("names").map((name) => h("option", {}, name)));
    return menu;
  });
  const labelled = (text, menu) => h("label", { class: "labelled" }, h("span", {}, text), menu);
  const headline = h("p", { class: "headline", role: "status" });
  const message = h("p", { class: "message", role: "alert" });
  const record = h("p", { class: "record" });
  const nets = model.get("names").map((name) => makeNet(model, name));
  const trees = h("div", { class: "trees", hidden: true });
  const root = h("section", { class: "mctslab mctslab-nets", "aria-label": model.get("title"), tabindex: -1 },
    h("div", { class: "controls", role: "toolbar", "aria-label": "Position" },
      h("div", { class: "buttons" }, buttons.new, buttons.undo, buttons.redo, position),
      headline),
    h("div", { class: "nets" }, ...nets.map((net) => net.root)),
    message, record,
    h("div", { class: "controls", role: "toolbar", "aria-label": "Match and trees" },
      h("div", { class: "buttons" }, buttons.let_play, buttons.stop,
        ...sides.map((menu, side) => labelled(model.get("player_names")[side], menu))),
      h("div", { class: "buttons" }, labelled("simulations", budget), buttons.trees)),
    trees);
  return { root, buttons, position, budget, sides, headline, message, record, nets, trees };
}

function makeNet(model, name) {
  const board = h("div", { class: "board" });
  const [first, second] = model.get("player_names");
  const [light, dark] = [h("span"), h("span")];
  const bar = h("div", { class: "shares", role: "img" }, light, dark);
  [light, dark].forEach((part, player) => { part.style.background = model.get("colors")[player]; });
  const rates = [h("span", { class: "rate" }), h("span", { class: "rate" })];
  const worth = h("p", { class: "worth" });
  const moves = h("ol", { class: "moves", "aria-label": `Moves that ${name} likes best` });
  const root = h("figure", { class: "net", "data-net": name },
    h("figcaption", {}, name), board,
    h("div", { class: "value" }, rates[0], bar, rates[1]), worth, moves);
  return { root, board, bar, light, dark, rates, worth, moves, first, second };
}

function onKey(event, model, view, sendCommand, toggleTrees) {
  if (hasModifier(event) || event.target.tagName === "SELECT") return;
  const command = commandOfKey(event.key, model.get("is_playing"));
  if (command === undefined) return;
  event.preventDefault();
  if (command === "trees") toggleTrees();
  else sendCommand(command);
}

function drawAll(model, view) {
  const on = whenChanged(model);
  on(["answers_data"], () => drawAnswers(model, view));
  on(["headline"], () => setText(view.headline, model.get("headline")));
  on(["message"], () => setText(view.message, model.get("message")));
  on(["record"], () => setText(view.record, model.get("record") && `Moves: ${model.get("record")}`));
  on(["commands", "is_playing"], () => drawCommands(model, view));
  on(["budgets", "num_simulations"], () => drawBudgets(model, view));
  on(["sides"], () => model.get("sides").forEach((net, side) => { view.sides[side].selectedIndex = net; }));
  on(["trees_open", "trees"], () => drawTrees(model, view));
}

function drawAnswers(model, view) {
  model.get("answers_data").forEach(({ share, worth, moves }, place) => {
    const net = view.nets[place];
    const shares = [share, 1 - share];
    [net.light, net.dark].forEach((part, player) => { part.style.width = `${100 * shares[player]}%`; });
    setText(net.rates[0], `${net.first} ${percent(share)}`);
    setText(net.rates[1], `${percent(1 - share)} ${net.second}`);
    set(net.bar, "aria-label", `${net.first} is expected to win ${percent(share)}`);
    setText(net.worth, worth);
    net.moves.replaceChildren(...moves.map((move) => h("li", {},
      h("span", { class: "notation" }, move.notation), " ",
      h("span", { class: "share" }, percent(move.share)))));
  });
}

function drawCommands(model, view) {
  const possible = new Set(model.get("commands"));
  const isPlaying = model.get("is_playing");
  const hadFocus = document.activeElement?.dataset?.command;
  for (const name of ["new", "undo", "redo", "let_play", "stop"]) view.buttons[name].disabled = !possible.has(name);
  view.buttons.let_play.hidden = isPlaying;
  view.buttons.stop.hidden = !isPlaying;
  // A button that disappears loses the focus: give it to the one that replaces it.
  if (hadFocus === "let_play" && isPlaying) view.buttons.stop.focus();
  else if (hadFocus === "stop" && !isPlaying && possible.has("let_play")) view.buttons.let_play.focus();
}

function drawBudgets(model, view) {
  const budgets = model.get("budgets");
  view.budget.replaceChildren(...budgets.map((value) => h("option", { value }, value.toLocaleString("en"))));
  view.budget.value = model.get("num_simulations");
}

function drawTrees(model, view) {
  const isOpen = model.get("trees_open");
  view.trees.hidden = !isOpen;
  set(view.buttons.trees, "aria-expanded", isOpen);
  if (!isOpen) return;
  model.get("trees").forEach((tree, place) => {
    view.drawn ??= [];
    const source = JSON.stringify(tree);
    if (view.drawn[place]?.source === source) return;
    const root = drawTree(tree);
    if (view.drawn[place]) view.drawn[place].root.replaceWith(root);
    else view.trees.append(root);
    view.drawn[place] = { source, root };
  });
}

function drawTree({ title, svg, caption, remark }) {
  const heading = h("figcaption", {}, h("b", {}, title), h("span", {}, caption ?? remark ?? ""));
  if (!svg) return h("figure", { class: "net-tree" }, heading);
  const drawing = parseSvg(svg);
  // It shrinks as long as it is readable; beyond that it scrolls.
  drawing.style.maxWidth = "100%";
  drawing.style.minWidth = `${0.72 * parseFloat(drawing.getAttribute("width"))}px`;
  drawing.style.height = "auto";
  const scroller = h("div", { class: "scroller", tabindex: 0, role: "img", "aria-label": `${title}: ${caption}` }, drawing);
  panByDragging(scroller);
  return h("figure", { class: "net-tree" }, heading, scroller);
}

export default { initialize, render };
