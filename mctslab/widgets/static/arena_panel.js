// The page's half of the arena panel. The synced traits are the whole state: the functions that begin
// with "draw" show some of them, and a person's actions are sent as commands.

/** How many of the first entries of two lists are the same. */
function samePrefix(before, now) {
  let length = 0;
  while (length < before.length && length < now.length && before[length].join() === now[length].join()) length += 1;
  return length;
}

// The page

function makePanel(model, sendCommand) {
  const title = h("p", { class: "title" });
  const about = h("p", { class: "about" });
  const headline = h("p", { class: "headline", role: "status" });
  const left = h("span", { class: "left" });
  const bar = makeBar("Games played");
  const message = h("p", { class: "message", role: "alert" });
  const figures = h("div", { class: "figures" });
  const standings = h("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": "Standings" });
  const players = h("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": "Times and losses of each player" });
  const warnings = h("ul", { class: "warnings" });
  const charts = h("div", { class: "charts" });
  const replay = makeReplay(model, sendCommand);
  const root = h("section", { class: "mctslab mctslab-run mctslab-arena", "aria-label": "Arena" },
    h("div", { class: "head" },
      h("div", {}, title, about),
      makeCommands(sendCommand)),
    h("div", { class: "line" }, headline, left), bar, message,
    figures, standings, players, warnings, charts, replay.root);
  return { root, title, about, headline, left, bar, message, figures, standings, players, warnings, charts, replay };
}

function makeReplay(model, sendCommand) {
  const stage = makeStage(() => model.get("replay").num_plies ?? 0, (ply) => sendCommand("show_ply", { ply }));
  const games = h("select", { size: 9, "aria-label": "Games", onchange: () => sendCommand("pick", { game: games.value }) });
  const number = h("p", { class: "number-of-games" });
  const pick = h("p", { class: "pick" }, "Pick a game to replay it.");
  const root = h("div", { class: "replay", role: "group", "aria-label": "Games" },
    h("div", { class: "list" }, number, games, pick), stage.stage);
  return { ...stage, root, games, number, pick, shownGames: [] };
}

// Showing the traits

function drawEverything(model, panel) {
  const on = whenChanged(model);
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
    figure(`Score of ${name}`, [score[0], `95% interval ${score[1]}`], strip([mark("middle", 0.5), mark("dot", value)], low, high)),
    figure("Elo difference", [elo[0], `95% interval ${elo[1]}`]),
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
  const game = model.get("replay");
  const isShown = drawStage(replay, game);
  replay.pick.hidden = isShown;
  if (isShown && replay.games.value !== game.key) replay.games.value = game.key;
}

export default { initialize, render: makeRender("arena", makePanel, drawEverything) };
