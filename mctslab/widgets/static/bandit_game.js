// A bandit that a person plays: each arm has a button. UCB1 plays on the same arms with the same luck,
// and what it has won is shown when the last pull is made.

import { Chance, gapsOf, letter, playRun, seedOf, ucb1 } from "./bandit_model.js";
import { hasModifier } from "./common.js";
import { Button, change, html, useLayoutEffect, useRef, useTraits, widget } from "./ui.js";
import { plain, plural } from "./words.js";

/** The hidden win rate of each arm, from 0.1 to 0.9. */
export function hiddenRates(numArms, seed) {
  const chance = new Chance(seedOf(seed, 7));
  return Array.from({ length: numArms }, () => Math.round(10 + 80 * chance.next()) / 100);
}

/** For each of these pulls whether it won, with the luck of `playRun`. */
export function resultsOf(bandit, pulled) {
  const luck = bandit.winRates.map((_, arm) => new Chance(seedOf(bandit.seed, 0, 2, arm)));
  return pulled.map((arm) => luck[arm].next() < bandit.winRates[arm]);
}

/** The arms that UCB1 pulls. */
export function pulledByUcb1(bandit, c, numPulls) {
  const pulled = [];
  playRun(bandit, ucb1(c), numPulls, 0, (_, arm) => pulled.push(arm));
  return pulled;
}

/** The regret of these pulls. */
function missedBy(bandit, pulled) {
  const gaps = gapsOf(bandit);
  return pulled.reduce((missed, arm) => missed + gaps[arm], 0);
}

/** What a game has brought, in words. */
export function summary(bandit, pulled, theirs) {
  const wins = [pulled, theirs].map((each) => resultsOf(bandit, each).filter(Boolean).length);
  const missed = [pulled, theirs].map((each) => missedBy(bandit, each).toFixed(1));
  return `You have ${plural(wins[0], "win")}, and UCB1 has ${wins[1]}. By the true win rates you missed ` +
    `${missed[0]} wins, and UCB1 ${missed[1]}. One game is mostly luck.`;
}

function BanditGame({ model }) {
  const [seed, pulled, numArms, numPulls, c] = useTraits(model, "seed", "pulled", "num_arms", "num_pulls", "c");
  const root = useRef();
  const headline = useRef();
  const bandit = { winRates: hiddenRates(numArms, seed), seed };
  const isOver = pulled.length === numPulls;
  const theirs = isOver ? pulledByUcb1(bandit, c, numPulls) : [];
  const results = resultsOf(bandit, pulled);

  function pull(arm) {
    if (isOver || arm < 0 || arm >= numArms) return;
    const all = [...pulled, arm];
    const result = all.length === numPulls ? summary(bandit, all, pulledByUcb1(bandit, c, numPulls)) : "";
    change(model, { pulled: all, result });
  }
  const begin = () => change(model, { pulled: [], result: "", seed: (seed + 1) % 2 ** 31 });
  function onKey(event) {
    const isLetter = event.key.length === 1 && !hasModifier(event) && !event.repeat;
    if (isLetter) pull(event.key.toUpperCase().charCodeAt(0) - 65);
  }
  // A button that is disabled loses the focus to the notebook, where the next key is a command.
  useLayoutEffect(() => {
    if (!root.current.contains(document.activeElement)) return;
    (isOver ? headline.current : root.current.querySelector("button")).focus();
  }, [isOver, seed]);

  const outcome = results.at(-1) ? "wins" : "does not win";
  const last = results.length ? `The pull of ${letter(pulled.at(-1))} ${outcome}. ` : "";
  const wins = results.filter(Boolean).length;
  const question = `Pull ${pulled.length + 1} of ${numPulls}: which arm?`;
  const truthOf = (rate, arm) =>
    `true win rate ${plain(rate)}; ${plural(theirs.filter((each) => each === arm).length, "pull")} by UCB1`;
  return html`
    <section class="mctslab mctslab-bandit-game" aria-label="Bandit game" ref=${root} onkeydown=${onKey}>
      <p class="caption" role="status" tabindex="-1" ref=${headline}>
        ${isOver ? summary(bandit, pulled, theirs) : `${last}${plural(wins, "win")} so far. ${question}`}
      </p>
      <div class="tiles">
        ${bandit.winRates.map((rate, arm) => html`
          <${Arm} name=${letter(arm)} isOver=${isOver} pull=${() => pull(arm)}
            results=${results.filter((_, place) => pulled[place] === arm)}
            truth=${isOver ? truthOf(rate, arm) : ""} />`)}
      </div>
      <div class="row"><${Button} sign="new" label="New arms" word onclick=${begin} /></div>
    </section>`;
}

/** The button of an arm, and what it has brought. */
function Arm({ name, isOver, pull, results, truth }) {
  const wins = results.filter(Boolean).length;
  const tally = `${plural(wins, "win")} in ${plural(results.length, "pull")}: ${plain(wins / results.length)}`;
  return html`
    <div class="card" data-arm=${name}>
      <button type="button" class="command primary" aria-keyshortcuts=${name} disabled=${isOver} onclick=${pull}>
        Pull ${name}
      </button>
      <p class="tally">${results.length ? tally : "no pull yet"}</p>
      <p class="marks one-line" aria-hidden="true">${results.map((won) => (won ? "●" : "○")).join("")}</p>
      <p class="truth strong one-line">${truth}</p>
    </div>`;
}

export default widget(BanditGame);
