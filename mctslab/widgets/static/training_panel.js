// The page's half of the training panel. The synced traits are the whole state: the functions that
// begin with "draw" show some of them, and a person's actions are sent as commands.

function makePanel(model, sendCommand) {
  const title = h("p", { class: "title" });
  const about = h("p", { class: "about" });
  const headline = h("p", { class: "headline", role: "status" });
  const left = h("span", { class: "left" });
  const bar = makeBar("Iterations done");
  const note = h("p", { class: "note" });
  const message = h("p", { class: "message", role: "alert" });
  const figures = h("div", { class: "figures" });
  const warning = h("p", { class: "warning" });
  const charts = h("div", { class: "charts", role: "group", "aria-label": "Curves" });
  const replay = makeStage(() => model.get("replay").num_plies ?? 0, (ply) => sendCommand("show_ply", { ply }));
  const newest = h("span", {});
  const offer = h("p", { class: "newest", role: "status" }, newest, " ",
    h("button", { type: "button", class: "command small", onclick: () => sendCommand("newest_game") }, "Show it"));
  replay.shown.append(offer);
  const root = h("section", { class: "mctslab mctslab-run mctslab-training", "aria-label": "Training" },
    h("div", { class: "head" }, h("div", {}, title, about), makeCommands(sendCommand)),
    h("div", { class: "line" }, headline, left), bar, note, message,
    figures, warning, charts,
    h("div", { class: "replay", role: "group", "aria-label": "Newest game" }, replay.stage));
  return { root, title, about, headline, left, bar, note, message, figures, warning, charts, replay, newest, offer };
}

// Showing the traits

function drawEverything(model, panel) {
  const on = whenChanged(model);
  for (const name of ["title", "about", "headline", "message", "note", "warning"])
    on([name], () => setText(panel[name], model.get(name)));
  on(["progress"], () => drawProgress(model, panel));
  on(["commands"], () => drawCommands(model, panel));
  on(["figures"], () => drawFigures(panel.figures, model.get("figures")));
  on(["charts"], () => drawCurves(panel.charts, model.get("charts")));
  on(["replay"], () => drawStage(panel.replay, model.get("replay")));
  on(["newest"], () => {
    setText(panel.newest, model.get("newest"));
    panel.offer.hidden = !model.get("newest");
  });
}

/** New curves replace the old ones, and the focus stays. */
function drawCurves(pane, charts) {
  const hadFocus = pane.contains(document.activeElement);
  drawCharts(pane, charts);
  if (hadFocus) pane.querySelector(".chart")?.focus();
}

function drawFigures(pane, figures) {
  pane.replaceChildren(...figures.map(([label, value, remark]) =>
    h("div", { class: "figure" },
      h("p", { class: "label" }, label), h("p", { class: "value" }, value), h("p", { class: "sub" }, remark))));
}

export default { initialize, render: makeRender("training", makePanel, drawEverything) };
