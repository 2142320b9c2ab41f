// Bandits on the page, so that curves follow a slider while it is dragged. These are the rules of
// mctslab/search/bandits.py, and a test compares the results. Nothing here depends on the page.

/** The name of an arm: A, B, C ... */
export const letter = (arm) => String.fromCharCode(65 + arm);

/** A sequence of numbers in [0, 1) that depends only on its seed (the generator "mulberry32"). */
export class Chance {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let x = this.state;
    x = Math.imul(x ^ (x >>> 15), x | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  }
}

/** A seed made of several whole numbers; it is a different seed if any of them differs. */
export function seedOf(...numbers) {
  let x = 0x811c9dc5;
  for (const number of numbers) {
    x = Math.imul(x ^ number, 0x7feb352d);
    x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
    x ^= x >>> 16;
  }
  return x >>> 0;
}

// Strategies. Each gets {count, wins, pulls, total} of one run and returns the arm to pull next.

/** The arm with the highest score; of several, the first. */
function bestOf(count, score) {
  let best = 0;
  let highest = -Infinity;
  for (let arm = 0; arm < count; arm += 1) {
    const found = score(arm);
    if (found > highest) {
      best = arm;
      highest = found;
    }
  }
  return best;
}

/** The share of wins; infinite before the first pull, so that each arm is tried. */
const winRate = ({ wins, pulls }, arm) => (pulls[arm] ? wins[arm] / pulls[arm] : Infinity);

const bonusOf = (c, { pulls, total }, arm) => (pulls[arm] ? c * Math.sqrt(Math.log(total) / pulls[arm]) : Infinity);

export const greedy = () => (arms) => bestOf(arms.count, (arm) => winRate(arms, arm));

export const epsilonGreedy = (epsilon) => {
  const best = greedy();
  return (arms, rng) => {
    const explores = rng.next() < epsilon;
    return explores ? Math.floor(rng.next() * arms.count) : best(arms);
  };
};

export const ucb1 = (c) => (arms) => bestOf(arms.count, (arm) => winRate(arms, arm) + bonusOf(c, arms, arm));

// Runs

/**
 * One run of `numPulls` pulls; `see(pull, place)` is called with the pulled arm, in the bandit's
 * order. Every arm has random numbers of its own: whether its third pull wins does not depend on
 * the pulls in between. So two strategies, or two values of c, differ only where they choose
 * differently, and a curve changes smoothly with c. The order of the arms is shuffled in each run.
 */
export function playRun({ winRates, seed }, choose, numPulls, run, see) {
  const count = winRates.length;
  const order = shuffled(count, new Chance(seedOf(seed, run, 1)));
  const luck = order.map((place) => new Chance(seedOf(seed, run, 2, place)));
  const own = new Chance(seedOf(seed, run, 3));
  const arms = { count, wins: new Float64Array(count), pulls: new Float64Array(count), total: 0 };
  for (let pull = 0; pull < numPulls; pull += 1) {
    const arm = choose(arms, own);
    arms.pulls[arm] += 1;
    arms.total += 1;
    if (luck[arm].next() < winRates[order[arm]]) arms.wins[arm] += 1;
    see(pull, order[arm]);
  }
  return { order, ...arms };
}

function shuffled(count, rng) {
  const order = Array.from({ length: count }, (_, place) => place);
  for (let last = count - 1; last > 0; last -= 1) {
    const other = Math.floor(rng.next() * (last + 1));
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

/** How much less each arm wins than the best one. */
export const gapsOf = ({ winRates }) => winRates.map((rate) => Math.max(...winRates) - rate);

/** The mean regret of a strategy up to each pull, over the runs that were made so far. */
export class Curve {
  constructor(bandit, choose, numPulls) {
    Object.assign(this, { bandit, choose, numPulls, runs: 0, gaps: gapsOf(bandit) });
    this.sum = new Float64Array(numPulls);
    this.squares = new Float64Array(numPulls);
    this.bestPulls = new Float64Array(numPulls);
  }

  addRun() {
    let regret = 0;
    let best = 0;
    const { sum, squares, bestPulls, gaps } = this;
    playRun(this.bandit, this.choose, this.numPulls, this.runs, (pull, place) => {
      regret += gaps[place];
      if (gaps[place] === 0) best += 1;
      sum[pull] += regret;
      squares[pull] += regret * regret;
      bestPulls[pull] += best;
    });
    this.runs += 1;
  }

  mean(pull) {
    return this.sum[pull] / this.runs;
  }

  /** Half the width of the 95% interval of the mean. */
  margin(pull) {
    const { runs } = this;
    const mean = this.mean(pull);
    const variance = Math.max(this.squares[pull] - runs * mean * mean, 0) / (runs - 1);
    return 1.96 * Math.sqrt(variance / runs);
  }

  /** Which share of the pulls went to the best arm. */
  bestShare(pull) {
    return this.bestPulls[pull] / this.runs / (pull + 1);
  }
}

/** The statistics of one run of UCB1 after some pulls, in the bandit's order, and the next arm. */
export function armsAfter(bandit, c, numPulls, run = 0) {
  const state = playRun(bandit, ucb1(c), numPulls, run, () => {});
  const rows = bandit.winRates.map((trueRate, place) => {
    const arm = state.order.indexOf(place);
    const [wins, pulls] = [state.wins[arm], state.pulls[arm]];
    return { trueRate, wins, pulls, winRate: pulls ? winRate(state, arm) : 0, bonus: bonusOf(c, state, arm) };
  });
  return { rows, next: state.order[ucb1(c)(state)] };
}
