// The nodes of a search as Python describes them (search/trace.py): {game, nodes}, where nodes has a
// list for each fact. Pure functions of it, and the card of a node, for every widget that shows such nodes.

import { Board } from "./pieces.js";
import { html } from "./ui.js";
import { count, meanValue, plain, signed, total } from "./words.js";

/** The numbers of the bits that are set in a hexadecimal number, lowest first. */
export const legalActions = (digits) => [...digits].reverse().flatMap((digit, place) =>
  [0, 1, 2, 3].filter((bit) => (parseInt(digit, 16) >> bit) & 1).map((bit) => 4 * place + bit));

/** For each node its children by their actions. */
export function childrenOf({ parent, action }) {
  const children = parent.map(() => new Map());
  parent.forEach((above, node) => {
    if (above !== null && !children[above].has(action[node])) children[above].set(action[node], node);
  });
  return children;
}

export function pathTo(nodes, node) {
  const path = [];
  for (let here = node; here !== null; here = nodes.parent[here]) path.push(here);
  return path.reverse();
}

export const moveName = ({ game, nodes }, node) =>
  nodes.parent[node] === null ? "the root" : game.moves[nodes.action[node]];

/** The moves that lead to a node: "a1 b2 c3"; long ones keep their end. */
export function wayTo(trace, node) {
  const moves = pathTo(trace.nodes, node).slice(1).map((one) => moveName(trace, one));
  return moves.length > 8 ? `… ${moves.slice(-8).join(" ")}` : moves.join(" ");
}

/** The position of a node. */
export const nodeBoard = (nodes, node) => ({
  node,
  stones: [...nodes.stones[node]],
  last: nodes.last_square[node],
  winning: nodes.winning_squares[node],
  picture: nodes.picture?.[node], // of a game without squares
  isRollout: false,
});

export const meanText = (visits, totalValue) => (visits ? signed(meanValue(visits, totalValue)) : "–");

/** "X wins", "draw", "+0.50 for X". */
export function shortOutcome({ players }, returns) {
  if (returns === null) return "stopped";
  if (returns[0] === returns[1]) return returns[0] === 0 ? "draw" : signed(returns[0]);
  if (Math.abs(returns[0]) < 1) return `${signed(returns[0])} for ${players[0]}`;
  return `${players[returns[0] > returns[1] ? 0 : 1]} wins`;
}

/** The way to a node and its numbers. */
export function describe(trace, node, visits, totalValue) {
  const { nodes: { parent, prior, mover }, game } = trace;
  const hasPrior = parent.some((above, other) => node > 0 && above === parent[node] && prior[other] !== prior[node]);
  return [
    node === 0 ? "The root" : wayTo(trace, node),
    `N ${count(visits)}`,
    ...(visits ? [`W ${total(totalValue)}`] : []),
    `Q ${meanText(visits, totalValue)} for ${game.players[mover[node]]}`,
    ...(hasPrior ? [`prior ${plain(prior[node], 3)}`] : []), // without priors, all are equal
  ];
}

/** What the card beside a node says: its position, and lines of text, the first of them as a title. */
export const NodeCard = ({ pieces, trace: { nodes, game }, node, lines: [title, ...lines] }) => html`
  <${Board} class="board" pieces=${pieces} position=${nodeBoard(nodes, node)} players=${game.players} />
  <div class="info-text"><strong>${title}</strong>${lines.map((line) => html`<span>${line}</span>`)}</div>`;
