// A bandit that a person plays: each arm has a button. UCB1 plays on the same arms with the same luck,
// and its game is shown when the last pull is made.

const CHART = { width: 420, height: 190, left: 44, right: 64, top: 10, bottom: 38 };

const letter = (arm) => String.fromCharCode(65 + arm);

/** The hidden win rate of each arm, from 0.1 to 0.9. */
function hiddenRates(numArms, seed) {
  const chance = new Chance(seedOf(seed, 7));
  return Array.from({ length: numArms }, () => Math.round(10 + 80 * chance.next()) / 100);
}

/** What comes of pulling these arms: for each pull whether it won, with the luck of `playRun`. */
function resultsOf(bandit, pulled) {
  const luck = bandit.winRates.map((_, arm) => new Chance(seedOf(bandit.seed, 0, 2, arm)));
  return pulled.map((arm) => luck[arm].next() < bandit.winRates[arm]);
}

/** The arms that UCB1 pulls. */
function pulledByUcb1(bandit, c, numPulls) {
  const pulled = [];
  playRun(bandit, ucb1(c), numPulls, 0, (_, arm) => pulled.push(arm));
  return pulled;
}

/** The regret after each pull. */
function missedBy({ winRates }, pulled) {
  const best = Math.max(...winRates);
  let missed = 0;
  return pulled.map((arm) => (missed += best - winRates[arm]));
}

function render({ model, el, signal }) {
  const numArms = model.get("num_arms");
  const numPulls = model.get("num_pulls");
  const arms = Array.from({ length: numArms }, (_, arm) => makeArm(arm, () => pull(arm)));
  const headline = h("p", { class: "headline", role: "status", tabindex: -1 });
  const result = h("div", { class: "result" });
  const again = makeButton("new", "New arms", { onclick: begin });
  const root = h("section", { class: "mctslab mctslab-bandit-game", "aria-label": "Bandit game" },
    headline, h("div", { class: "arms" }, ...arms.map(({ root: arm }) => arm)), result, h("div", { class: "buttons" }, again));
  el.append(root);
  keepKeysFromTheNotebook(root, signal);
  root.addEventListener("keydown", (event) => {
    const arm = event.key.length === 1 && !hasModifier(event) ? event.key.toUpperCase().charCodeAt(0) - 65 : -1;
    if (arm >= 0 && arm < numArms && !event.repeat) pull(arm);
  });
  const change = (values) => {
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    model.save_changes();
  };
  const bandit = () => ({ winRates: hiddenRates(numArms, model.get("seed")), seed: model.get("seed") });

  function pull(arm) {
    const pulled = [...model.get("pulled"), arm];
    if (pulled.length > numPulls) return;
    if (pulled.length < numPulls) change({ pulled });
    else change({ pulled, pulled_by_ucb1: pulledByUcb1(bandit(), model.get("c"), numPulls), win_rates: bandit().winRates });
  }

  function begin() {
    change({ pulled: [], pulled_by_ucb1: [], win_rates: [], seed: (model.get("seed") + 1) % 2 ** 31 });
    arms[0].button.focus();
  }

  function draw() {
    const pulled = model.get("pulled");
    const isOver = pulled.length === numPulls;
    const theirs = isOver ? pulledByUcb1(bandit(), model.get("c"), numPulls) : [];
    const results = resultsOf(bandit(), pulled);
    // A button that is disabled loses the focus to the notebook, where the next key is a command.
    if (isOver && root.contains(document.activeElement)) headline.focus();
    for (const [number, arm] of arms.entries()) {
      const own = results.filter((_, place) => pulled[place] === number);
      arm.show(own, isOver ? bandit().winRates[number] : null, theirs.filter((each) => each === number).length);
      arm.button.disabled = isOver;
    }
    const wins = results.filter(Boolean).length;
    const last = results.length ? `The pull of ${letter(pulled.at(-1))} ${results.at(-1) ? "wins" : "does not win"}. ` : "";
    setText(headline, isOver ? summary(wins, pulled, theirs) : `${last}${plural(wins, "win")} so far. Pull ${pulled.length + 1} of ${numPulls}: which arm?`);
    result.replaceChildren(...(isOver ? [chartOf(missedBy(bandit(), pulled), missedBy(bandit(), theirs))] : []));
  }

  function summary(wins, pulled, theirs) {
    const theirWins = resultsOf(bandit(), theirs).filter(Boolean).length;
    const [yours, ucb1s] = [pulled, theirs].map((each) => missedBy(bandit(), each).at(-1).toFixed(1));
    return `You have ${plural(wins, "win")}, and UCB1 has ${theirWins}. By the true win rates you missed ${yours} wins, and UCB1 ${ucb1s}. One game is mostly luck.`;
  }

  whenChanged(model)(["seed", "pulled"], draw);
}

/** The button of an arm, and what it has brought. */
function makeArm(arm, onclick) {
  const button = h("button", { type: "button", class: "command primary", onclick, "aria-keyshortcuts": letter(arm) }, `Pull ${letter(arm)}`);
  const tally = h("p", { class: "tally" });
  const marks = h("p", { class: "marks", "aria-hidden": "true" });
  const truth = h("p", { class: "truth" });
  return {
    root: h("div", { class: "arm", "data-arm": letter(arm) }, button, tally, marks, truth),
    button,
    show(results, winRate, theirs) {
      const wins = results.filter(Boolean).length;
      setText(tally, results.length ? `${plural(wins, "win")} in ${plural(results.length, "pull")}: ${plain(wins / results.length)}` : "no pull yet");
      setText(marks, results.map((won) => (won ? "●" : "○")).join(""));
      setText(truth, winRate === null ? "" : `true win rate ${plain(winRate)}; ${plural(theirs, "pull")} by UCB1`);
    },
  };
}

/** The wins that both sides missed, pull by pull. */
function chartOf(yours, theirs) {
  const { width, height, left, right, top, bottom } = CHART;
  const highest = niceCeiling(Math.max(yours.at(-1), theirs.at(-1), 1));
  const x = (pull) => left + ((width - left - right) * pull) / yours.length;
  const y = (missed) => height - bottom - ((height - top - bottom) * missed) / highest;
  const line = (name, missed) => s("path", { class: `line ${name}`, d: `M${x(0)} ${y(0)}${missed.map((each, pull) => `L${x(pull + 1)} ${y(each)}`).join("")}` });
  // Two labels that would lie on each other move apart.
  const apart = Math.max(0, 14 - Math.abs(y(yours.at(-1)) - y(theirs.at(-1)))) / 2;
  const below = yours.at(-1) <= theirs.at(-1) ? 1 : -1;
  const name = (words, which, missed, shift) => s("text", { class: `name ${which}`, x: x(yours.length) + 6, y: y(missed.at(-1)) + 4 + shift }, words);
  return s("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Wins missed after each pull. In the end, you: ${yours.at(-1).toFixed(1)}; UCB1: ${theirs.at(-1).toFixed(1)}.` },
    ...ticks(highest, 4).flatMap((tick) => [
      s("path", { class: "grid", d: `M${left} ${y(tick)}H${width - right}` }),
      s("text", { class: "tick", x: left - 6, y: y(tick) + 4, "text-anchor": "end" }, count(tick))]),
    ...ticks(yours.length, 4).map((tick) => s("text", { class: "tick", x: x(tick), y: height - bottom + 16, "text-anchor": "middle" }, count(tick))),
    s("text", { x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, "pulls"),
    s("text", { transform: `translate(12 ${(y(0) + y(highest)) / 2}) rotate(-90)`, "text-anchor": "middle" }, "wins missed"),
    line("ucb1", theirs), line("you", yours),
    name("you", "you", yours, below * apart), name("UCB1", "ucb1", theirs, -below * apart));
}

export default { render };
