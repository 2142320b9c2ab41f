// The bandit playground on the page. The kernel receives a slider's value when it is released;
// until then the browser plays the runs by itself, a few in every frame, and draws them.

const SLICE = 9; // milliseconds of a frame that are spent on playing
const FEWEST_RUNS = 50; // a curve of fewer is not shown yet
const C_MAX = 3;
const MOST_POINTS = 240;
const CHART = { height: 300, left: 54, right: 24, top: 12, bottom: 42 };

const STRATEGIES = {
  ucb1: { make: ({ c }) => ucb1(c), title: ({ c }) => `UCB1, c = ${c.toFixed(2)}` },
  epsilon_greedy: { make: ({ epsilon }) => epsilonGreedy(epsilon), title: ({ epsilon }) => `ε-greedy, ε = ${epsilon.toFixed(2)}` },
  thompson: { make: thompson, title: () => "Thompson sampling" },
  greedy: { make: greedy, title: () => "greedy" },
};

const letter = (arm) => String.fromCharCode(65 + arm);

function render({ model, el, signal }) {
  const playground = new Playground(model);
  el.append(playground.root);
  keepKeysFromTheNotebook(playground.root, signal);
  return () => playground.leave();
}

class Playground {
  constructor(model) {
    this.model = model;
    this.numPulls = model.get("num_pulls");
    this.numRuns = model.get("num_runs");
    this.readModel();
    this.after = Math.min(100, this.numPulls);
    this.isLog = false;
    this.lines = Object.keys(STRATEGIES).map((key) => ({ key, isShown: true, growing: null, shown: null }));
    this.build();
    this.onModel = () => { this.readModel(); this.showSettings(); this.wake(); };
    this.onResize = new ResizeObserver(() => this.draw());
    this.onResize.observe(this.chart);
    model.on("change:win_rates change:c change:epsilon change:seed", this.onModel);
    this.showSettings();
    this.wake();
  }

  leave() {
    cancelAnimationFrame(this.frame);
    this.onResize.disconnect();
    this.model.off("change:win_rates change:c change:epsilon change:seed", this.onModel);
  }

  // Settings

  readModel() {
    const get = (name) => this.model.get(name);
    this.settings = { winRates: [...get("win_rates")], c: get("c"), epsilon: get("epsilon"), seed: get("seed") };
  }

  /** While a slider is dragged; `keep` tells the kernel when it is released. */
  change(settings) {
    Object.assign(this.settings, settings);
    this.showSettings();
    this.wake();
  }

  keep() {
    const { winRates, c, epsilon, seed } = this.settings;
    for (const [name, value] of Object.entries({ win_rates: [...winRates], c, epsilon, seed })) this.model.set(name, value);
    this.model.save_changes();
  }

  // Playing

  wake() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.playOn());
  }

  playOn() {
    const end = performance.now() + SLICE;
    let isBusy = true;
    while (isBusy && performance.now() < end) isBusy = this.playOneRun();
    this.isAtRest = !isBusy;
    this.draw();
    if (isBusy) this.wake();
  }

  /** One more run for the curve that has the fewest; false when there is nothing left to do. */
  playOneRun() {
    let line = null;
    for (const each of this.lines) {
      if (!each.isShown) continue;
      this.renew(each);
      if (each.growing.runs < this.numRuns && !(line && line.growing.runs <= each.growing.runs)) line = each;
    }
    if (line === null) return false;
    line.growing.addRun();
    if (line.growing.runs >= Math.min(FEWEST_RUNS, this.numRuns)) line.shown = line.growing;
    return true;
  }

  /** Begin a new curve where the settings have changed, but finish one that is nearly ready. */
  renew(line) {
    const { winRates, seed } = this.settings;
    const { make, title } = STRATEGIES[line.key];
    const wanted = `${title(this.settings)} ${winRates} ${seed}`;
    if (line.growing && (line.name === wanted || line.growing !== line.shown)) return;
    line.name = wanted;
    line.growing = new Curve({ winRates: [...winRates], seed }, make(this.settings), this.numPulls);
  }

  // Elements

  build() {
    const slider = (label, key, max, step) => {
      const output = h("output", { class: "setting" });
      const input = h("input", { type: "range", class: "slider", min: 0, max, step, "aria-label": label,
        oninput: () => this.change({ [key]: Number(input.value) }), onchange: () => this.keep() });
      return { input, output };
    };
    this.c = slider("Exploration constant c of UCB1", "c", C_MAX, 0.01);
    this.epsilon = slider("Epsilon, the share of random pulls in epsilon-greedy", "epsilon", 1, 0.01);
    const theory = h("button", { type: "button", class: "command small", title: "The c of the theory: the square root of 2", onclick: () => { this.change({ c: Math.SQRT2 }); this.keep(); } }, "√2");
    const again = h("button", { type: "button", class: "command", title: "Play all runs again with other random numbers", onclick: () => { this.change({ seed: (this.settings.seed + 1) % 2 ** 31 }); this.keep(); } }, "New luck");
    this.chart = s("svg", { class: "chart", role: "img" });
    this.pulls = h("input", { type: "range", class: "slider", min: 1, max: this.numPulls, step: 1, "aria-label": "Pulls",
      oninput: () => this.lookAt(Number(this.pulls.value)) });
    this.place = h("output", { class: "place" });
    const scale = h("input", { type: "checkbox", onchange: () => { this.isLog = scale.checked; this.draw(); } });
    this.chart.addEventListener("pointermove", (event) => this.onPoint(event));
    this.chart.addEventListener("pointerdown", (event) => this.onPoint(event));
    this.status = h("p", { class: "note" });
    this.root = h("section", { class: "mctslab mctslab-bandit", "aria-label": "Bandit playground" },
      h("div", { class: "settings" },
        h("label", { class: "main-setting" }, h("span", {}, "UCB1:"), this.c.output, this.c.input), theory,
        h("label", {}, h("span", {}, "ε-greedy:"), this.epsilon.output, this.epsilon.input), again),
      this.chart,
      h("div", { class: "timeline" },
        h("label", { class: "looking" }, this.place, this.pulls),
        h("label", { class: "scale" }, scale, "logarithmic axis")),
      h("div", { class: "tables" }, this.buildStrategies(), this.buildArms()),
      this.status);
  }

  buildStrategies() {
    for (const line of this.lines) {
      const box = h("input", { type: "checkbox", checked: true, onchange: () => { line.isShown = box.checked; this.wake(); } });
      line.label = h("span");
      line.cells = [h("td"), h("td")];
      line.row = h("tr", { "data-strategy": line.key },
        h("th", { scope: "row" }, h("label", {}, box,
          s("svg", { class: "sample", viewBox: "0 0 34 8", "aria-hidden": "true" }, s("path", { class: `line ${line.key}`, d: "M2 4H32" })), line.label)),
        ...line.cells);
    }
    this.strategiesCaption = h("caption");
    return h("table", { class: "strategies" }, this.strategiesCaption,
      h("thead", {}, h("tr", {}, ...["strategy", "wins missed", "best arm"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...this.lines.map((line) => line.row)));
  }

  buildArms() {
    this.arms = this.settings.winRates.map((_, arm) => {
      const input = h("input", { type: "range", class: "slider", min: 0, max: 1, step: 0.01, "aria-label": `True win rate of arm ${letter(arm)}`,
        oninput: () => this.change({ winRates: this.settings.winRates.with(arm, Number(input.value)) }), onchange: () => this.keep() });
      const cells = Array.from({ length: 5 }, () => h("td"));
      const [known, bonus] = [h("i", { class: "known" }), h("i", { class: "bonus" })];
      const output = h("output", { class: "setting" });
      const row = h("tr", {},
        h("th", { scope: "row" }, letter(arm)),
        h("td", { class: "truth" }, h("label", {}, input, output)),
        ...cells, h("td", { class: "scored", "aria-hidden": "true" }, h("div", {}, known, bonus)));
      return { row, input, output, cells, known, bonus };
    });
    this.armsCaption = h("caption");
    return h("table", { class: "arms" }, this.armsCaption,
      h("thead", {}, h("tr", {}, ...["arm", "true win rate", "wins", "pulls", "win rate", "+ bonus", "= score", ""].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...this.arms.map(({ row }) => row)));
  }

  // Showing

  lookAt(pulls) {
    this.after = Math.min(Math.max(Math.round(pulls), 1), this.numPulls);
    this.draw();
  }

  onPoint(event) {
    if (event.type === "pointermove" && event.pointerType === "touch" && !event.buttons) return;
    const { left, width } = this.chart.getBoundingClientRect();
    const share = (event.clientX - left - CHART.left) / (width - CHART.left - CHART.right);
    if (share < -0.02 || share > 1.02) return;
    this.lookAt(this.isLog ? this.numPulls ** share : 1 + share * (this.numPulls - 1));
  }

  showSettings() {
    const { winRates, c, epsilon } = this.settings;
    this.showSlider(this.c, c, `c = ${c.toFixed(2)}`);
    this.showSlider(this.epsilon, epsilon, `ε = ${epsilon.toFixed(2)}`);
    this.arms.forEach((arm, place) => this.showSlider(arm, winRates[place], winRates[place].toFixed(2)));
    for (const line of this.lines) setText(line.label, STRATEGIES[line.key].title(this.settings));
  }

  showSlider({ input, output }, value, text) {
    if (Number(input.value) !== value) input.value = value;
    input.style.setProperty("--done", `${(100 * value) / input.max}%`);
    set(input, "aria-valuetext", text);
    setText(output, text);
  }

  draw() {
    this.showStrategies();
    this.showArms();
    this.showChart();
    this.pulls.value = this.after;
    this.pulls.style.setProperty("--done", `${(100 * (this.after - 1)) / Math.max(this.numPulls - 1, 1)}%`);
    setText(this.place, `after ${count(this.after)} of ${count(this.numPulls)} pulls`);
    const shown = this.lines.filter((line) => line.isShown && line.shown);
    const runs = Math.min(...shown.map((line) => line.growing.runs), this.numRuns);
    const how = runs < this.numRuns ? `${count(runs)} of ${count(this.numRuns)} runs so far` : `${count(runs)} runs`;
    setText(this.status, `Lines: mean of ${how}. Bands: 95% interval of that mean. Wins missed: expected wins of the best arm minus those of the arms that were pulled.`);
  }

  showStrategies() {
    setText(this.strategiesCaption, `All runs, after ${count(this.after)} pulls`);
    for (const { isShown, shown, cells, row } of this.lines) {
      row.classList.toggle("is-off", !isShown);
      const at = this.after - 1;
      const [missed, share] = !(isShown && shown) ? ["", ""]
        : [`${shown.mean(at).toFixed(1)} ± ${shown.margin(at).toFixed(1)}`, `${Math.round(100 * shown.bestShare(at))}%`];
      setText(cells[0], missed);
      setText(cells[1], share);
    }
  }

  showArms() {
    const { winRates, c, seed } = this.settings;
    const { rows, next } = armsAfter({ winRates, seed }, c, this.after);
    setText(this.armsCaption, `One run of UCB1, after ${count(this.after)} pulls; it pulls ${letter(next)} next`);
    const scores = rows.map(({ winRate, bonus }) => winRate + bonus);
    const scale = niceCeiling(Math.max(1, ...scores.filter(Number.isFinite)));
    rows.forEach(({ wins, pulls, winRate, bonus, trueRate }, place) => {
      const { row, cells, known, bonus: bar } = this.arms[place];
      const texts = [count(wins), count(pulls), pulls ? plain(winRate) : "?", plain(bonus), plain(scores[place])];
      texts.forEach((text, cell) => setText(cells[cell], text));
      row.classList.toggle("is-next", place === next);
      set(row, "aria-current", place === next);
      known.style.width = `${(100 * winRate) / scale}%`;
      bar.style.width = `${(100 * Math.min(bonus, scale - winRate)) / scale}%`;
      known.parentElement.style.setProperty("--truth", `${(100 * trueRate) / scale}%`);
    });
  }

  showChart() {
    const width = Math.max(this.chart.parentElement?.clientWidth ?? 0, 320);
    const lines = this.lines.filter((line) => line.isShown && line.shown);
    const last = this.numPulls - 1;
    const needed = Math.max(...lines.map(({ shown }) => shown.mean(last) + shown.margin(last)), 1);
    // The axis grows at once but shrinks only when nothing moves, which makes curves easier to
    // compare.
    if (!(this.highest >= needed) || this.isAtRest) this.highest = niceCeiling(needed);
    const { left, right, top, bottom, height } = CHART;
    const scaleX = this.isLog ? (pull) => Math.log(pull) / Math.log(this.numPulls) : (pull) => (pull - 1) / Math.max(last, 1);
    const x = (pull) => left + scaleX(pull) * (width - left - right);
    const y = (regret) => height - bottom - (regret / this.highest) * (height - top - bottom);
    set(this.chart, "viewBox", `0 0 ${width} ${height}`);
    set(this.chart, "aria-label", this.describe(lines));
    this.chart.replaceChildren(...this.axes(x, y, width), ...lines.map((line) => this.bandOf(line, x, y)), ...lines.map((line) => this.lineOf(line, x, y)), ...this.lookout(lines, x, y));
  }

  describe(lines) {
    const ends = lines.map(({ key, shown }) => `${STRATEGIES[key].title(this.settings)}: ${shown.mean(this.numPulls - 1).toFixed(1)}`);
    return `Mean regret by pulls. After ${count(this.numPulls)} pulls, ${ends.join("; ")}.`;
  }

  axes(x, y, width) {
    const { left, right, bottom, height } = CHART;
    const powers = Array.from({ length: Math.floor(Math.log10(this.numPulls) + 1e-9) + 1 }, (_, power) => 10 ** power);
    const along = this.isLog ? powers : ticks(this.numPulls, 5).map((tick) => Math.max(tick, 1));
    const text = (words, attributes) => s("text", attributes, words);
    return [
      ...ticks(this.highest, 5).flatMap((tick) => [
        s("path", { class: "grid", d: `M${left} ${y(tick)}H${width - right}` }),
        text(count(tick), { class: "tick", x: left - 6, y: y(tick) + 4, "text-anchor": "end" })]),
      ...along.map((tick) => text(count(tick), { class: "tick", x: x(tick), y: height - bottom + 16, "text-anchor": "middle" })),
      text(this.isLog ? "pulls (logarithmic)" : "pulls", { class: "title", x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle" }),
      text("mean regret (wins missed)", { class: "title", transform: `translate(13 ${(y(0) + y(this.highest)) / 2}) rotate(-90)`, "text-anchor": "middle" }),
    ];
  }

  /** The pulls at which a line has a point, evenly spread over the axis. */
  points() {
    const most = Math.min(MOST_POINTS, this.numPulls);
    const at = (number) => number / Math.max(most - 1, 1);
    const pulls = Array.from({ length: most }, (_, number) =>
      Math.round(this.isLog ? this.numPulls ** at(number) : 1 + at(number) * (this.numPulls - 1)));
    return [...new Set(pulls)];
  }

  lineOf({ key, shown }, x, y) {
    const d = this.points().map((pull) => `${x(pull).toFixed(1)} ${y(shown.mean(pull - 1)).toFixed(1)}`).join("L");
    return s("path", { class: `line ${key}`, d: `M${d}` });
  }

  bandOf({ key, shown }, x, y) {
    const points = this.points();
    const edge = (sign) => (pull) => `${x(pull).toFixed(1)} ${y(shown.mean(pull - 1) + sign * shown.margin(pull - 1)).toFixed(1)}`;
    return s("path", { class: `band ${key}`, d: `M${[...points.map(edge(1)), ...points.reverse().map(edge(-1))].join("L")}Z` });
  }

  lookout(lines, x, y) {
    const at = x(this.after);
    return [
      s("path", { class: "lookout", d: `M${at} ${y(0)}V${y(this.highest)}` }),
      ...lines.map(({ key, shown }) => s("circle", { class: `dot ${key}`, cx: at, cy: y(shown.mean(this.after - 1)), r: 4 })),
    ];
  }
}

export default { render };
