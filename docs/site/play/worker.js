// The thread with the rules and the search, so that the page never waits for them.
//
// Messages to it: {id, load: about}, {id, position: moves}, {id, think: {moves, player}} and {stop: id}.
// Every id gets one answer, one after the other, and a search reports about ten times a second how far it is.

import { load, NO_LIMIT, randomState } from "./engine.js";

const SLICE_MS = 20;
const PROGRESS_MS = 100;
const MOST_NODES = 1_000; // of a tree that the page gets

let engine = null;
let stopped = 0; // this search and those before it are to end

const tasks = {
  async load(about) {
    engine = await load(about, await bytesOf(`${about.name}.wasm`, "engine"));
  },
  position,
  think,
};

async function bytesOf(name, what) {
  const file = await fetch(new URL(name, import.meta.url));
  if (!file.ok) throw new Error(`The ${what} could not be loaded (${file.status}).`);
  return file.arrayBuffer();
}

/** What is to be seen after `moves`: {stones, last, winning: lines, player, legal: moves, returns}. */
function position(moves) {
  engine.setUp(moves);
  const { player, stones, outcome } = engine.look();
  const { open, drawn, won } = engine.about.outcomes;
  const last = engine.squareOf(moves.at(-1));
  const winner = (outcome === won) === (player === 0) ? [1, -1] : [-1, 1];
  return {
    stones: stones.join(""), last, winning: engine.winningLines(stones, last), player, legal: engine.legalMoves(),
    returns: outcome === open ? null : outcome === drawn ? [0, 0] : winner,
  };
}

async function think({ moves, player }, id) {
  if (player.net && !engine.nets.has(player.net))
    engine.addNet(player.net, await bytesOf(`${player.net}.net`, "net"));
  engine.setUp(moves);
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  if (player.kind === "policy") {
    engine.random = randomState();
    return { move: engine.drawMove(player.by_classes), simulations: 0, seconds: seconds() };
  }
  if (player.net) engine.beginByNet(player.net, moves);
  else engine.begin(randomState(), player.by_classes);
  const most = player.simulations ?? NO_LIMIT;
  const longest = player.seconds ?? Infinity;
  let done = 0, chunk = player.net ? 2 : 64, told = 0;
  // Two simulations at least, so that there is a child to choose.
  while (done < 2 || (done < most && seconds() < longest && id > stopped)) {
    const before = performance.now();
    const ran = engine.run(Math.min(chunk, most - done), most - done);
    done += ran;
    const took = Math.max(performance.now() - before, 0.1);
    const slice = Math.min(SLICE_MS, (1000 * (longest - seconds())) / 2);
    chunk = Math.max(1, Math.min(Math.floor((ran * slice) / took), 64 * ran));
    if (performance.now() - told >= PROGRESS_MS) {
      told = performance.now();
      postMessage({ id, progress: report(done, seconds()) });
    }
    await messages();
  }
  const found = report(done, seconds());
  return { ...found, move: found.children[0].move, tree: browsable(moves) };
}

/** Let messages in, above all the one that stops the search. */
const channel = new MessageChannel();
function messages() {
  return new Promise((resolve) => {
    channel.port1.onmessage = resolve;
    channel.port2.postMessage(null);
  });
}

function report(simulations, seconds) {
  const numbersOf = ({ move, visits, total, prior }) => ({ move, visits, total, prior });
  return { simulations, seconds, children: engine.children(engine.node(0)).map(numbersOf).sort(mostVisitedFirst) };
}

const mostVisitedFirst = (one, other) =>
  other.visits - one.visits || meanOf(other) - meanOf(one) || one.move - other.move;
const meanOf = ({ visits, total }) => (visits ? total / visits : 0);

// The tree

const actionOf = (move) => {
  const { pass, actions } = engine.about;
  return move === pass.move ? pass.action : actions[move];
};

/**
 * The most visited nodes of the tree, as widgets/tree_explorer.py describes them: each comes after its
 * parent. `principal` has the places of the most visited moves.
 */
function browsable(moves) {
  const nodes = [];
  const waiting = [{ node: engine.node(0), parent: null, way: [] }];
  while (waiting.length && nodes.length < MOST_NODES) {
    const most = waiting.reduce((best, { node }, place) => (node.visits > waiting[best].node.visits ? place : best), 0);
    const [found] = waiting.splice(most, 1);
    const children = engine.children(found.node).sort(mostVisitedFirst);
    for (const child of children) waiting.push({ node: child, parent: nodes.length, way: [...found.way, child.move] });
    nodes.push({ ...found, children });
  }
  const rows = nodes.map(({ node, parent, way, children }) => {
    const { stones, last, winning, player, legal, returns } = position([...moves, ...way]);
    const bits = legal.reduce((all, move) => all | (1n << BigInt(actionOf(move))), 0n);
    return {
      parent, mover: node.mover, prior: node.prior, action: way.length ? actionOf(way.at(-1)) : null,
      stones, last_square: last, winning_squares: winning, player_to_move: player, returns,
      legal_actions: bits.toString(16), first_visit_count: node.visits, first_total_value: node.total, proven: null,
      num_children: children.length, num_visited: children.filter(({ visits }) => visits).length,
      child_visits: children.reduce((sum, { visits }) => sum + visits, 0),
    };
  });
  const principal = [0];
  const bestChild = () => nodes.findIndex(({ parent, node }) => parent === principal.at(-1) && node.visits);
  for (let next = bestChild(); next >= 0; next = bestChild()) principal.push(next);
  const columns = Object.keys(rows[0]).map((name) => [name, rows.map((row) => row[name])]);
  return { nodes: Object.fromEntries(columns), size: engine.numNodes, principal };
}

let last = Promise.resolve(); // the engine does one thing at a time

onmessage = ({ data }) => {
  if (data.stop !== undefined) stopped = Math.max(stopped, data.stop);
  else last = last.then(() => answer(data));
};

async function answer({ id, ...task }) {
  const [[name, argument]] = Object.entries(task);
  try {
    postMessage({ id, answer: await tasks[name](argument, id) });
  } catch (error) {
    postMessage({ id, error: String(error.message ?? error) });
  }
}
