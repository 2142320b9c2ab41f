// The bandit playground. The page plays the runs, a few in every frame, and draws them, so that the
// curves follow a slider while it is dragged; the kernel receives its value when it is let go.

import { armsAfter, Curve, epsilonGreedy, greedy, letter, ucb1 } from "./bandit_model.js";
import { axes, Chart, Sample, niceCeiling, path, pointedAt, ticks } from "./chart.js";
import {
  change, html, Slider, Table, useEffect, useLayoutEffect, useRef, useSize, useState, useTraits, widget,
} from "./ui.js";
import { count, plain } from "./words.js";

const SLICE = 9; // milliseconds of a frame that are spent on playing
const FEWEST_RUNS = 50; // a curve of fewer is not shown yet
const C_MAX = 3;
const MOST_POINTS = 240;

const STRATEGIES = {
  ucb1: { make: ({ c }) => ucb1(c), title: ({ c }) => `UCB1, c = ${c.toFixed(2)}` },
  epsilon_greedy: {
    make: ({ epsilon }) => epsilonGreedy(epsilon),
    title: ({ epsilon }) => `ε-greedy, ε = ${epsilon.toFixed(2)}`,
  },
  greedy: { make: greedy, title: () => "greedy" },
};

const KEYS = Object.keys(STRATEGIES);

// Playing. A line has the curve that is on show and the one that grows, which are often the same.

/** Begin a new curve where the settings have changed, but finish one that is nearly ready. */
function renew(line, key, settings, numPulls) {
  const { winRates, seed } = settings;
  const { make, title } = STRATEGIES[key];
  const wanted = `${title(settings)} ${winRates} ${seed}`;
  if (line.growing && (line.wanted === wanted || line.growing !== line.shown)) return;
  Object.assign(line, { wanted, growing: new Curve({ winRates: [...winRates], seed }, make(settings), numPulls) });
}

/** One more run for the curve that has the fewest; false when there is nothing left to do. */
function playOneRun(lines, settings, numPulls, numRuns) {
  for (const key of KEYS) renew(lines[key], key, settings, numPulls);
  const runs = KEYS.map((key) => lines[key].growing.runs);
  const fewest = Math.min(...runs);
  if (fewest >= numRuns) return false;
  const line = lines[KEYS[runs.indexOf(fewest)]];
  line.growing.addRun();
  if (line.growing.runs >= Math.min(FEWEST_RUNS, numRuns)) line.shown = line.growing;
  return true;
}

/** The lines of the strategies, which grow while the page is shown, and whether they still do. */
function usePlaying(settings, numPulls, numRuns) {
  const [isBusy, note] = useState({ now: true });
  const lines = useRef(Object.fromEntries(KEYS.map((key) => [key, {}]))).current;
  const wanted = useRef();
  const frame = useRef(0);
  wanted.current = [lines, settings, numPulls, numRuns];
  useLayoutEffect(() => { frame.current ||= requestAnimationFrame(playOn); }, [JSON.stringify(settings)]);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  function playOn() {
    const end = performance.now() + SLICE;
    let goesOn = true;
    while (goesOn && performance.now() < end) goesOn = playOneRun(...wanted.current);
    frame.current = goesOn ? requestAnimationFrame(playOn) : 0;
    note({ now: goesOn }); // a new object, so that the page is drawn again
  }
  return { lines, isBusy: isBusy.now };
}

function Playground({ model }) {
  const [winRates, c, epsilon, seed] = useTraits(model, "win_rates", "c", "epsilon", "seed");
  const [numPulls, numRuns] = [model.get("num_pulls"), model.get("num_runs")];
  const [dragged, drag] = useState({}); // what a slider shows until it is let go
  const [after, lookAt] = useState(Math.min(100, numPulls));
  const settings = { winRates, c, epsilon, seed, ...dragged };
  const { lines, isBusy } = usePlaying(settings, numPulls, numRuns);
  const shown = KEYS.map((key) => ({ key, curve: lines[key].shown })).filter(({ curve }) => curve);

  function keep(values = {}) {
    const { winRates: rates, ...more } = { ...settings, ...values };
    change(model, { win_rates: rates, ...more });
    drag({});
  }
  const setting = (name, words, label, last) => {
    const text = `${words[1]} = ${settings[name].toFixed(2)}`;
    return html`
      <label class="row ${name}">
        <span>${words[0]}:</span><span class="setting">${text}</span>
        <${Slider} label=${label} at=${settings[name]} last=${last} step="0.01" text=${text}
          put=${(value) => drag({ ...dragged, [name]: value })} keep=${() => keep()} />
      </label>`;
  };
  const runs = Math.min(...KEYS.map((key) => lines[key].growing?.runs ?? 0));
  const played = runs < numRuns ? `${count(runs)} of ${count(numRuns)} runs so far` : `${count(runs)} runs`;
  const legend = `Lines: mean of ${played}. Bands: 95% interval of that mean. ` +
    "Wins missed: expected wins of the best arm minus those of the arms that were pulled.";
  return html`
    <section class="mctslab mctslab-bandit" aria-label="Bandit playground">
      <div class="row settings">
        ${setting("c", ["UCB1", "c"], "Exploration constant c of UCB1", C_MAX)}
        <button type="button" class="command small" title="The c of the theory: the square root of 2"
          onclick=${() => keep({ c: Math.SQRT2 })}>√2</button>
        ${setting("epsilon", ["ε-greedy", "ε"], "Epsilon, the share of random pulls in epsilon-greedy", 1)}
        <button type="button" class="command" title="Play all runs again with other random numbers"
          onclick=${() => keep({ seed: (seed + 1) % 2 ** 31 })}>New luck</button>
      </div>
      <${Regret} ...${{ shown, settings, numPulls, after, lookAt, isBusy }} />
      <label class="looking row"><span class="place">after ${count(after)} of ${count(numPulls)} pulls</span>
        <${Slider} label="Pulls" at=${after} first="1" last=${numPulls} text="after ${count(after)} pulls"
          put=${lookAt} /></label>
      <div class="tables tiles">
        <${Strategies} ...${{ shown, settings, after }} />
        <${Arms} ...${{ settings, after, keep }} put=${(rates) => drag({ ...dragged, winRates: rates })} />
      </div>
      <p class="note">${legend}</p>
    </section>`;
}

/** The chart of the mean regret; pointing at it looks at that number of pulls. */
function Regret({ shown, settings, numPulls, after, lookAt, isBusy }) {
  const pane = useRef();
  const highest = useRef(0);
  const last = numPulls - 1;
  const needed = Math.max(...shown.map(({ curve }) => curve.mean(last) + curve.margin(last)), 1);
  // The axis grows at once but shrinks only when nothing moves, which makes curves easier to compare.
  if (highest.current < needed || !isBusy) highest.current = niceCeiling(needed);
  const at = axes({
    width: Math.max(useSize(pane).width, 320), height: 300,
    x: { low: 1, high: numPulls, ticks: ticks(numPulls, 5).map((tick) => Math.max(tick, 1)), title: "pulls" },
    y: { low: 0, high: highest.current, ticks: ticks(highest.current, 5), title: "mean regret (wins missed)" },
  });
  const most = Math.min(MOST_POINTS, numPulls);
  const pulls = Array.from({ length: most }, (_, number) => Math.round(1 + ((numPulls - 1) * number) / (most - 1)));
  const line = (curve, sign = 0) => pulls.map((pull) => [pull, curve.mean(pull - 1) + sign * curve.margin(pull - 1)]);
  function point(event) {
    if (event.buttons || event.pointerType !== "touch") lookAt(Math.round(pointedAt(at, event)[0]));
  }
  const ends = shown.map(({ key, curve }) => `${STRATEGIES[key].title(settings)}: ${curve.mean(last).toFixed(1)}`);
  const label = `Mean regret by pulls. After ${count(numPulls)} pulls, ${ends.join("; ")}.`;
  const band = (curve) => `${path(at, [...line(curve, 1), ...line(curve, -1).reverse()])}Z`;
  return html`
    <div ref=${pane}>
      <${Chart} at=${at} label=${label} onpointermove=${point} onpointerdown=${point}>
        ${shown.map(({ key, curve }) => html`<path class="band ${key}" d=${band(curve)} />`)}
        ${shown.map(({ key, curve }) => html`<path class="line ${key}" d=${path(at, line(curve))} />`)}
        <path class="lookout" d="M${at.x.pixel(after)} ${at.y.first}V${at.y.last}" />
        ${shown.map(({ key, curve }) => html`
          <circle class="dot ${key}" cx=${at.x.pixel(after)} cy=${at.y.pixel(curve.mean(after - 1))} r="4" />`)}
      <//>
    </div>`;
}

function Strategies({ shown, settings, after }) {
  const row = ({ key, curve }) => ({
    cells: [
      html`<${Sample} kind=${key} /> ${STRATEGIES[key].title(settings)}`,
      `${curve.mean(after - 1).toFixed(1)} ± ${curve.margin(after - 1).toFixed(1)}`,
      `${Math.round(100 * curve.bestShare(after - 1))}%`,
    ],
    "data-strategy": key,
  });
  return html`
    <${Table} class="strategies" caption="All runs, after ${count(after)} pulls"
      head=${["strategy", "wins missed", "best arm"]} rows=${shown.map(row)} />`;
}

function Arms({ settings: { winRates, c, seed }, after, put, keep }) {
  const { rows, next } = armsAfter({ winRates, seed }, c, after);
  const scores = rows.map(({ winRate, bonus }) => winRate + bonus);
  const scale = niceCeiling(Math.max(1, ...scores.filter(Number.isFinite)));
  const share = (number) => `${(100 * number) / scale}%`;
  const row = ({ wins, pulls, winRate, bonus, trueRate }, arm) => ({
    cells: [
      letter(arm),
      html`<label class="truth row">
        <${Slider} label="True win rate of arm ${letter(arm)}" at=${trueRate} last="1" step="0.01"
          text=${trueRate.toFixed(2)} put=${(rate) => put(winRates.with(arm, rate))} keep=${() => keep()} />
        <span class="setting">${trueRate.toFixed(2)}</span></label>`,
      ...[count(wins), count(pulls), pulls ? plain(winRate) : "?", plain(bonus), plain(scores[arm])],
      html`<div class="scored" aria-hidden="true" style=${{ "--truth": share(trueRate) }}>
        <i class="known" style=${{ width: share(winRate) }} />
        <i class="bonus" style=${{ width: share(Math.min(bonus, scale - winRate)) }} /></div>`,
    ],
    class: arm === next ? "is-chosen" : "",
    "aria-current": String(arm === next),
  });
  return html`
    <${Table} class="arms" caption="One run of UCB1, after ${count(after)} pulls; it pulls ${letter(next)} next"
      head=${["arm", "true win rate", "wins", "pulls", "win rate", "+ bonus", "= score", ""]}
      rows=${rows.map(row)} />`;
}

export default widget(Playground);
