// The phase stepper's logic: pure functions from a trace (the document of search/trace.py)
// and the number of an event to everything that is visible at that event. Nothing here depends on
// the page.

import { meanText, moveName, childrenOf, legalActions, nodeBoard, pathTo } from "./traced.js";
import { meanValue, plain, plural, total } from "./words.js";

export const PHASES = ["selection", "expansion", "simulation", "backpropagation"];
export const titleOf = (phase) => phase[0].toUpperCase() + phase.slice(1);

/** The document, with everything that can be computed once and for all. */
export function readTrace(document) {
  const { nodes, game, simulations } = document;
  const children = childrenOf(nodes);
  const numLegal = nodes.legal_actions.map((digits) => legalActions(digits).length);
  const events = listEvents(simulations);
  const appears = firstSeen(document, events);
  return { game, nodes, simulations, children, numLegal, events, appears };
}

/** Every event in order: {simulation, phase, kind, index, rollout}. */
function listEvents(simulations) {
  const events = [];
  simulations.forEach((one, simulation) => {
    const add = (phase, kind, index = 0, rollout = 0) =>
      events.push({ simulation, phase, kind, index, rollout });
    if (one.selection !== null) {
      one.selection.forEach((_, step) => add("selection", "compare", step));
      add("selection", "stop");
    }
    add("expansion", "expand");
    one.rollouts.forEach((rollout, number) => {
      rollout.plies.forEach((_, ply) => add("simulation", "ply", ply, number));
      add("simulation", "result", 0, number);
    });
    if (one.rollouts.length !== 1) add("simulation", "value");
    one.updates.node.forEach((_, update) => add("backpropagation", "update", update));
  });
  return events;
}

/** For each node the event at which it first appears; 0 for nodes of an earlier tree. */
function firstSeen({ nodes, simulations }, events) {
  const seen = nodes.parent.map((parent, node) =>
    parent === null || nodes.first_visit_count[node] > 0 ? 0 : Infinity);
  events.forEach((event, number) => {
    const one = simulations[event.simulation];
    const see = (node) => { seen[node] = Math.min(seen[node], number); };
    if (event.kind === "compare") see(one.selection[event.index].chosen);
    if (event.kind === "expand") see(one.leaf);
  });
  return seen;
}

// Moving around

/** Where one step of a `unit` leads; whole phases and simulations are shown at their ends. */
export function step(events, at, unit, direction) {
  const isInside = ({ simulation, phase }, next) =>
    unit !== "event" && simulation === next.simulation && (unit === "simulation" || phase === next.phase);
  let to = at + direction;
  while (to > 0 && to < events.length - 1 && isInside(events[to], events[to + 1])) to += direction;
  return Math.min(Math.max(to, 0), events.length - 1);
}

/** The first event of a phase in the current simulation, or the event itself. */
export function startOfPhase(events, at, phase) {
  const { simulation } = events[at];
  const found = events.findIndex((event) => event.simulation === simulation && event.phase === phase);
  return found < 0 ? at : found;
}

/** The last event of simulation number `simulation`, counted from 1. */
export const endOfSimulation = (events, simulation) =>
  Math.max(0, events.findLastIndex((event) => event.simulation < simulation));

/** How long the event is shown while the stepper plays, in milliseconds at speed 1. */
export function pause({ simulations, events }, at, unit) {
  if (unit === "simulation") return 700;
  if (unit === "phase") return 1800;
  const event = events[at];
  const plies = simulations[event.simulation].rollouts[event.rollout]?.plies.length ?? 1;
  return { compare: 1500, stop: 900, expand: 1200, ply: Math.min(450, 3600 / plies), result: 1300,
    value: 1300, update: 850 }[event.kind];
}

// What is visible at an event

/** Everything that is visible at event number `at`. */
export function frameAt(trace, at) {
  const event = trace.events[at];
  const one = trace.simulations[event.simulation];
  const phase = PHASES.indexOf(event.phase);
  const { visits, totals } = statisticsBefore(trace, event.simulation);
  const updates = phase === 3 ? applyUpdates(one.updates, event.index + 1, visits, totals) : [];
  const walk = walkOf(trace, one, event);
  const comparison = event.kind === "compare"
    ? compare(trace, one.selection[event.index], visits, totals, at) : null;
  const frame = {
    at, event, visits, totals, updates, walk, comparison,
    path: pathTo(trace.nodes, comparison?.chosen ?? (phase === 0 ? walk.at(-1) : one.leaf)),
    leaf: phase > 0 ? one.leaf : null,
    isNewLeaf: one.is_new,
    current: comparison?.chosen ?? updates.at(-1)?.node ?? (phase === 0 ? walk.at(-1) : one.leaf),
    isVisible: (node) => trace.appears[node] <= at,
    rollout: phase === 2 ? rolloutAt(trace, one, event) : null,
  };
  frame.board = boardAt(trace, one, frame);
  frame.caption = captionOf(trace, one, frame);
  return frame;
}

/** N and W of every node when simulation number `simulation` (from 0) begins. */
function statisticsBefore({ nodes, simulations }, simulation) {
  const visits = [...nodes.first_visit_count];
  const totals = [...nodes.first_total_value];
  for (let before = 0; before < simulation; before += 1)
    applyUpdates(simulations[before].updates, Infinity, visits, totals);
  return { visits, totals };
}

/** Change `visits` and `totals` by the first updates, and list these with old and new numbers. */
function applyUpdates(updates, number, visits, totals) {
  return updates.node.slice(0, number).map((node, place) => {
    const [oldVisits, oldTotal] = [visits[node], totals[node]];
    visits[node] = updates.visit_count[place];
    totals[node] = updates.total_value[place];
    return { node, oldVisits, oldTotal, newVisits: visits[node], newTotal: totals[node] };
  });
}

/** The nodes that selection has reached, from the root. */
function walkOf({ nodes }, one, event) {
  if (one.selection === null) return pathTo(nodes, one.is_new ? nodes.parent[one.leaf] : one.leaf);
  const steps = event.kind === "compare" ? one.selection.slice(0, event.index) : one.selection;
  return [0, ...steps.map((step) => step.chosen)];
}

const readTerm = (term) => (typeof term === "string" ? Number(term.replace("inf", "Infinity")) : term);

/** The children that were compared, best score first, and the one that was taken. */
function compare(trace, { node, chosen, actions, terms }, visits, totals, at) {
  const rows = actions.map((action, place) => {
    const found = trace.children[node].get(action);
    const child = found !== undefined && trace.appears[found] <= at ? found : null;
    const numbers = terms[place].map(readTerm);
    return {
      action,
      child,
      name: trace.game.moves[action],
      visits: child === null ? 0 : visits[child],
      value: child === null ? 0 : meanValue(visits[child], totals[child]),
      terms: numbers,
      score: numbers.length ? numbers.reduce((sum, term) => sum + term, 0) : null,
      isChosen: action === trace.nodes.action[chosen],
    };
  });
  const best = Math.max(...rows.map((row) => row.score ?? -Infinity));
  for (const row of rows) row.isBest = row.score !== null && isSame(row.score, best);
  const order = (row) => row.score ?? row.visits;
  rows.sort((one, other) => Number(order(other) > order(one)) - Number(order(other) < order(one)));
  return { node, chosen, rows, digits: digitsToTell(rows) };
}

const isSame = (one, other) =>
  one === other || Math.abs(one - other) < 2e-5 * Math.max(1, Math.abs(other));

/** How many decimals are needed to tell the best score from the next one: two to five. */
function digitsToTell(rows) {
  const taken = rows.find((row) => row.isChosen)?.score;
  let digits = 2;
  const looksSame = (row) =>
    Number.isFinite(row.score) && Number.isFinite(taken) && !isSame(row.score, taken) &&
    row.score.toFixed(digits) === taken.toFixed(digits);
  while (digits < 5 && rows.some(looksSame)) digits += 1;
  return digits;
}

/** The state of the rollout: the moves played so far, and its result once it is known. */
function rolloutAt(trace, one, event) {
  const of = one.rollouts.length;
  if (event.kind === "value") return { plies: [], numPlies: 0, number: 0, of, returns: one.returns, isOver: true };
  const { plies, returns, winning_squares: winningSquares } = one.rollouts[event.rollout];
  const all = { plies, numPlies: plies.length, number: event.rollout + 1, of, returns, isOver: true, winningSquares };
  if (event.kind === "result") return all;
  const isLast = event.index === plies.length - 1;
  const played = { plies: plies.slice(0, event.index + 1), winningSquares: isLast ? winningSquares : [] };
  return { ...all, ...played, returns: null, isOver: false };
}

/** The position to show: {stones, last, winning, node, isRollout}. */
function boardAt({ nodes }, one, frame) {
  const { comparison, rollout } = frame;
  const node = comparison ? comparison.node : frame.current;
  const board = nodeBoard(nodes, node);
  if (!rollout || !rollout.plies.length) return board;
  const stones = [...board.stones];
  let placed = [];
  for (const [, , ...changes] of rollout.plies) {
    placed = changes.map((code) => Math.floor(code / 3)).filter((square) => stones[square] === ".");
    for (const code of changes) stones[Math.floor(code / 3)] = ".01"[code % 3];
  }
  const last = placed.length === 1 ? placed[0] : null; // none after a pass
  return { ...board, stones, last, winning: rollout.winningSquares, isRollout: true };
}

// What is said about it

/** One sentence on what happens now. */
function captionOf(trace, one, frame) {
  const { kind } = frame.event;
  const say = {
    compare: sayComparison, stop: sayStop, expand: sayExpansion, ply: sayPly,
    result: sayResult, value: sayValue, update: sayUpdate,
  }[kind];
  return say(trace, one, frame);
}

function sayComparison(trace, _, { comparison: { rows, chosen, digits } }) {
  const name = moveName(trace, chosen);
  const taken = rows.find((row) => row.isChosen);
  if (rows.length === 1) return `${name} is the only child, so the walk goes there.`;
  const of = `of ${rows.length} children`;
  if (!taken || taken.score === null) return `${of}, ${name} is taken.`;
  if (taken.score === Infinity && taken.visits === 0)
    return `${of}, ${name} has not been visited yet, so it comes before the visited ones.`;
  const sum = sayScore(taken, digits);
  if (!taken.isBest) {
    const best = rows.find((row) => row.isBest);
    const higher = `${best.name} has a higher one: ${plain(best.score, digits)}`;
    return `${of}, ${name} is taken with a score of ${sum}, although ${higher}.`;
  }
  const equals = rows.filter((row) => row.isBest).length - 1;
  if (equals) return `${of}, ${name} and ${plural(equals, "other")} share the highest score, ${sum}; ${name} is taken.`;
  return `${of}, ${name} has the highest score: ${sum}.`;
}

/** "0.83 + 0.91 = 1.74", and a sign for "about" if rounding spoils the sum. */
function sayScore({ terms, score }, digits) {
  if (terms.length < 2 || !Number.isFinite(score)) return plain(score, digits);
  const parts = terms.map((term) => term.toFixed(digits));
  const isExact = parts.reduce((sum, part) => sum + Number(part), 0).toFixed(digits) === score.toFixed(digits);
  return `${terms.map((term) => plain(term, digits)).join(" + ")} ${isExact ? "=" : "≈"} ${plain(score, digits)}`;
}

function sayStop(trace, one, { walk, at }) {
  const node = walk.at(-1);
  const place = node === 0 ? "at the root" : `at ${moveName(trace, node)}`;
  if (trace.nodes.returns[node]) return `the walk ends ${place}, where the game is over.`;
  const legal = trace.numLegal[node];
  const untried = legal - numChildren(trace, node, at);
  if (untried === 0) return `the walk ends ${place}.`;
  return `the walk ends ${place}: ${sayUntried(untried, legal)} been tried yet.`;
}

function sayUntried(untried, legal) {
  if (legal === 1) return "its only move has not";
  if (untried === legal) return `none of its ${legal} moves has`;
  return `${untried} of its ${legal} moves ${untried === 1 ? "has" : "have"} not`;
}

const numChildren = ({ children, appears }, node, at) =>
  [...children[node].values()].filter((child) => appears[child] <= at).length;

function sayExpansion(trace, one, { leaf, at }) {
  const { nodes, game } = trace;
  if (!one.is_new) {
    const why = nodes.returns[leaf] ? "the game is over here, so nothing is added" : "nothing is added";
    return `${why}; ${leaf === 0 ? "the root" : moveName(trace, leaf)} itself is the leaf.`;
  }
  const parent = nodes.parent[leaf];
  const untried = trace.numLegal[parent] - numChildren(trace, parent, at) + 1;
  const mover = game.players[nodes.player_to_move[parent]];
  const which = untried > 1 ? `one of ${untried} untried moves` : "the last untried move";
  return `${mover}'s move ${moveName(trace, leaf)}, ${which}, becomes a new node.`;
}

const isPass = (name) => name.toLowerCase() === "pass";

function sayPly(trace, _, { rollout }) {
  const [player, action] = rollout.plies.at(-1);
  const name = trace.game.moves[action];
  const mover = trace.game.players[player];
  const which = rollout.of > 1 ? `rollout ${rollout.number} of ${rollout.of}, ` : "";
  const does = isPass(name) ? "passes" : `plays ${name}`;
  return `${which}move ${rollout.plies.length} of ${rollout.numPlies}: ${mover} ${does}.`;
}

function sayResult(trace, _, { rollout }) {
  const which = rollout.of > 1 ? `rollout ${rollout.number} of ${rollout.of}` : "the rollout";
  const moves = plural(rollout.numPlies, "move");
  if (rollout.returns === null) return `${which} stops after ${moves}, before the end of the game.`;
  return `${which} is over: ${outcome(trace.game, rollout.returns)}.`;
}

function sayValue(trace, one, { leaf }) {
  const values = sayReturns(trace.game, one.returns);
  if (one.rollouts.length) return `the mean of ${one.rollouts.length} rollouts is ${values}.`;
  const result = outcome(trace.game, one.returns);
  if (trace.nodes.returns[leaf]) return `the game is over, so there is nothing left to play: ${result}.`;
  return `no moves are played; the evaluator's value for the leaf is ${values}.`;
}

/** "X wins, +1 for X and −1 for O". */
export function outcome(game, returns) {
  if (returns[0] === returns[1]) return `a draw, ${sayReturns(game, returns)}`;
  return `${game.players[returns[0] > returns[1] ? 0 : 1]} wins, ${sayReturns(game, returns)}`;
}

function sayReturns(game, returns) {
  if (returns[0] === 0 && returns[1] === 0) return "0 for both";
  return `${total(returns[0])} for ${game.players[0]} and ${total(returns[1])} for ${game.players[1]}`;
}

function sayUpdate(trace, _, { updates }) {
  const { node, oldVisits, oldTotal, newVisits, newTotal } = updates.at(-1);
  const mover = trace.game.players[trace.nodes.mover[node]];
  const whose = node === 0
    ? `the root's numbers are for ${mover}, who is to move`
    : `${moveName(trace, node)} was ${mover}'s move`;
  const change = (from, to) => (from === to ? `stays ${to}` : `${from} → ${to}`);
  const mean = (visits, totalValue) => (visits ? meanText(visits, totalValue) : "none");
  const n = change(oldVisits, newVisits);
  const w = change(total(oldTotal), total(newTotal));
  const q = change(mean(oldVisits, oldTotal), mean(newVisits, newTotal));
  return `${whose}. N ${n}, W ${w}, so Q ${q}.`;
}
