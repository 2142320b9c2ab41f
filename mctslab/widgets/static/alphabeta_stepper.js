// The alpha-beta stepper. Python writes a small tree down; the page searches it, step by step, in the
// order of the moves that the reader chooses: a click puts a move before its siblings. No message goes to the kernel.

import { onKeys } from "./common.js";
import { Inset, Rectangle, SmallNode, Tree, childrenOf, inOrder, layOut, movesTo, pathTo, round } from "./tree.js";
import {
  Button, change, html, PlayControls, useMemo, usePlayer, useRef, useSize, useState, useTraits, widget,
} from "./ui.js";

const WAIT = 1100; // milliseconds between two steps while it plays
const NOTHING = [-Infinity, Infinity]; // the bounds of a value before anything is evaluated

// Its numbers in words

export function written(number) {
  if (!Number.isFinite(number)) return number > 0 ? "+∞" : "−∞";
  return number === 0 ? "0" : (number < 0 ? "−" : "+") + Number(Math.abs(number).toPrecision(6));
}

/** The bounds of a value in words: "+3", "≤ +2", "?". */
export function writtenBounds([low, high]) {
  if (low === high) return written(low);
  if (low === -Infinity) return high === Infinity ? "?" : `≤ ${written(high)}`;
  return high === Infinity ? `≥ ${written(low)}` : `${written(low)} to ${written(high)}`;
}

// The search: pure functions of `nodes` ({parent, name, player, leaf}) and of the children of each in
// their `order`

/**
 * Each step of alpha-beta: it enters a node, evaluates a leaf, or comes back from a child to `node`.
 * {kind: "enter", "leaf" or "back", node, window: [alpha, beta], bounds, child, narrows, cut}
 */
export function searched(nodes, order) {
  const steps = [];
  const bounds = nodes.map(() => NOTHING);
  function search(node, alpha, beta) {
    const { player, leaf } = nodes[node];
    const nothing = { child: null, narrows: false, cut: [] };
    const note = (kind, more = {}) =>
      steps.push({ kind, node, window: [alpha, beta], bounds: bounds[node], ...nothing, ...more });
    if (leaf !== null) {
      bounds[node] = [leaf, leaf];
      note("leaf");
      return leaf;
    }
    note("enter");
    const best = player === 0 ? Math.max : Math.min;
    let value = best(); // the worst number for this player
    for (const [tried, child] of order[node].entries()) {
      value = best(value, search(child, alpha, beta));
      const narrows = player === 0 ? value > alpha : value < beta;
      if (player === 0) alpha = best(alpha, value);
      else beta = best(beta, value);
      bounds[node] = [0, 1].map((end) => best(...order[node].map((each) => bounds[each][end])));
      note("back", { child, narrows, cut: alpha >= beta ? order[node].slice(tried + 1) : [] });
      if (alpha >= beta) break;
    }
    return value;
  }
  search(0, ...NOTHING);
  return steps;
}

const countLeaves = (steps) => steps.filter(({ kind }) => kind === "leaf").length;

/** What happens in a step, and at the last one the result. */
export function sentenceOf(nodes, players, steps, at) {
  const { kind, node, window: [alpha, beta], bounds, child, narrows, cut } = steps[at];
  const here = movesTo(nodes, node) || "the root";
  const { player, parent } = nodes[node];
  const [mover, other] = [players[player], players[1 - player]];
  if (kind === "leaf") return `The leaf ${here} is evaluated: ${written(bounds[0])}.`;
  if (kind === "enter") {
    const handed = parent === null ? "Nothing is sure yet" : "The window comes along";
    return `At ${here} ${mover} is to move. ${handed}: α = ${written(alpha)}, β = ${written(beta)}.`;
  }
  const { name } = nodes[child];
  const number = written(player === 0 ? alpha : beta);
  let said = `Move ${name} is no better for ${mover} than ${player === 0 ? "α" : "β"} = ${number}: nothing changes.`;
  if (narrows && player === 0) said = `With ${name}, ${mover} is sure of ${number}, so α rises to ${number}.`;
  else if (narrows) said = `With ${name}, ${mover} limits the value to ${number}, so β falls to ${number}.`;
  const elsewhere = written(player === 0 ? beta : alpha);
  if (alpha >= beta) said += ` Now α ≥ β: ${other} has ${elsewhere} elsewhere and will avoid ${here}.`;
  if (cut.length) said += ` The remaining ${cut.length === 1 ? "move is" : `${cut.length} moves are`} cut off.`;
  if (at < steps.length - 1) return said;
  const leaves = nodes.filter(({ leaf }) => leaf !== null).length;
  const evaluated = `${countLeaves(steps)} of ${leaves} leaves were evaluated`;
  return `${said} The search is over: the root is worth ${writtenBounds(bounds)}, and ${evaluated}.`;
}

/** What is known after step number `at`: the last step of each node, what was cut, where the search is. */
export function seenAt(nodes, order, steps, at) {
  const known = nodes.map(() => null);
  const cut = new Set();
  for (const step of steps.slice(0, at + 1)) {
    known[step.node] = step;
    for (const child of step.cut) inOrder(order, child).forEach((node) => cut.add(node));
  }
  const numLeaves = countLeaves(steps.slice(0, at + 1));
  const path = pathTo(nodes, steps[at].node);
  return { step: steps[at], known, cut, numLeaves, path, isOver: at === steps.length - 1 };
}

/** The order in which `node` is the first among its siblings. */
const withFirst = (nodes, order, node) => order.map((children, place) =>
  (place === nodes[node].parent ? [node, ...children.filter((each) => each !== node)] : children));

// On the page

/** How a node can be drawn: as a card, and where there is no room for it with its value only, or as a dot. */
const KINDS = {
  leaf: [{ kind: "card", width: 36, height: 40 }, { kind: "small", width: 28, height: 22 }],
  inner: [{ kind: "card", width: 80, height: 56 }, { kind: "small", width: 44, height: 22 }],
  root: [{ kind: "card", width: 100, height: 56 }, { kind: "small", width: 44, height: 22 }],
};
const kindsOf = ({ leaf, parent }) => (parent === null ? KINDS.root : leaf === null ? KINDS.inner : KINDS.leaf);

function AlphaBetaStepper({ model }) {
  const [nodes, players, order, wanted] = useTraits(model, "nodes", "players", "order", "at");
  const steps = searched(nodes, order);
  const at = Math.min(Math.max(wanted, 0), steps.length - 1);
  const seen = seenAt(nodes, order, steps, at);
  const leaves = nodes.map(({ leaf }) => leaf).filter((leaf) => leaf !== null);
  const title = `Alpha-beta stepper: ${leaves.length} leaves`;
  const [before, remember] = useState(null); // leaves evaluated in the last order
  const player = usePlayer(at, steps.length - 1, (to) => change(model, { at: to }), WAIT);
  const layout = useMemo(() => layOut(order, (node) => kindsOf(nodes[node])[0].width), [order]);

  function search(next) {
    remember(countLeaves(steps));
    player.pause();
    change(model, { order: next, at: searched(nodes, next).length - 1 });
  }
  const whole = countLeaves(steps);
  const sentence = sentenceOf(nodes, players, steps, at);
  const words = `Step ${at + 1} of ${steps.length}`;
  const kindOf = (node) => {
    if (seen.cut.has(node)) return "is-cut";
    if (seen.isOver) return "";
    return node === seen.step.child ? "is-back" : seen.path.includes(node) ? "is-open" : "";
  };
  const earlier = before === null || before === whole ? "." : `, in the order before it ${before}.`;
  const help = "A click on a move, or Enter, puts it before the other moves of its parent. The stone beside a letter " +
    `shows who made that move; the numbers are values for ${players[0]}.`;
  const draw = (shape) => html`
    <${Card} ...${shape} nodes=${nodes} players=${players} stones=${model.get("stones")} ...${seen} />`;
  return html`
    <section class="mctslab mctslab-alphabeta" aria-label=${title} onkeydown=${onKeys(player.keys)}>
      <p class="caption" role="status">${sentence}</p>
      <p class="count">
        <strong class="headline">${seen.numLeaves} of ${leaves.length}</strong>
        ${" leaves evaluated so far. In this order the whole search evaluates "}
        <strong class="headline whole">${whole}</strong>${earlier}
      </p>
      <${Tree} label=${title} below=${order} nodes=${inOrder(order)} layout=${layout} isFitted
        kinds=${(node) => kindsOf(nodes[node])} isNeeded=${(node) => seen.path.includes(node)}
        current=${seen.step.node} edge=${(node) => ({ class: kindOf(node) })}
        name=${(node) => nameOf(nodes, seen, node)}
        state=${(node) => ({ "aria-selected": node === seen.step.node })}
        choose=${(node) => search(withFirst(nodes, order, node))}
        under=${(at) => bars(at, nodes, seen)} draw=${draw} />
      <p class="note">${help}</p>
      <${Windows} nodes=${nodes} leaves=${leaves} ...${seen} />
      <${PlayControls} player=${player} title="Stepping" label="Step" words=${words} text=${`${words}: ${sentence}`}>
        <${Button} sign="new" label="First order" word onclick=${() => search(childrenOf(nodes))} />
      <//>
    </section>`;
}

const windowOf = ({ window: [alpha, beta] }) => `α ${written(alpha)}  β ${written(beta)}`;

function nameOf(nodes, { known, cut, path }, node) {
  const { name, leaf } = nodes[node];
  const last = known[node];
  const bounds = last ? writtenBounds(last.bounds) : "?";
  const state = cut.has(node) ? "cut off" : !last ? "not visited yet" : bounds === "?" ? "no value yet" : bounds;
  return `${name || "root"}: ${state}${leaf === null && last && path.includes(node) ? `, ${windowOf(last)}` : ""}`;
}

function Card({ node, kind, width, height, nodes, players, stones, known, cut, path, step, isOver }) {
  const { name, parent, leaf } = nodes[node];
  const last = known[node];
  const number = last?.bounds.find(Number.isFinite);
  const { color } = number === undefined ? nodes[0] : nodes.find((each) => each.leaf === number);
  const classes = {
    "is-now": node === step.node,
    "is-open": path.includes(node) && !isOver,
    "is-cut": cut.has(node),
    "is-waiting": !last,
  };
  const value = leaf !== null ? written(leaf) : number === undefined ? "" : writtenBounds(last.bounds);
  const group = `card ${Object.keys(classes).filter((each) => classes[each]).join(" ")}`;
  const shape = { kind, width, height, color };
  if (kind !== "card") return html`<g class=${group}><${SmallNode} ...${shape} heading=${value} /></g>`;
  return html`
    <g class=${group}>
      <${Rectangle} ...${shape} />
      ${parent === null && html`<text y=${16 - height / 2}>${players[nodes[node].player]} to move</text>`}
      ${parent !== null && html`
        <${Inset} svg=${stones[nodes[parent].player]} x="-13" y=${6 - height / 2} />
        <text x="9" y=${16 - height / 2}>${name}</text>`}
      <text class="heading" y=${height / 2 - (leaf === null ? 20 : 7)}>${value}</text>
      ${leaf === null && html`<text y=${height / 2 - 6}>${last && windowOf(last)}</text>`}
    </g>`;
}

/** Two bars across each branch that was cut. */
const bars = (at, nodes, { cut }) =>
  [...cut].filter((node) => !cut.has(nodes[node].parent)).map((node) => {
    const [from, to] = [at(nodes[node].parent), at(node)];
    const x = round((from.x + to.x) / 2);
    const y = round((from.y + from.height / 2 + to.y - to.height / 2) / 2);
    return html`<path key=${node} class="bars" d="M${x - 8} ${y + 1}l16 -7M${x - 8} ${y + 7}l16 -7" />`;
  });

/** Where a number is on the axis of the windows, from 0 to 1. */
export function alongAxis(leaves, number) {
  if (!Number.isFinite(number)) return number < 0 ? 0 : 1;
  const [low, high] = [Math.min(...leaves), Math.max(...leaves)];
  return low === high ? 0.5 : 0.1 + (0.8 * (number - low)) / (high - low);
}

/** A line for each node from the root to the current one, the part between alpha and beta thick. */
function Windows({ nodes, leaves, path, known }) {
  const pane = useRef();
  const width = Math.max(useSize(pane).width, 320);
  const [left, right, row] = [110, width - 58, 26];
  const numRows = Math.max(...nodes.map((_, node) => pathTo(nodes, node).length)); // the same at every step
  const along = (number) => round(left + (right - left) * alongAxis(leaves, number));
  const isClosed = ({ window: [alpha, beta] }) => alpha >= beta;
  const here = known[path.at(-1)];
  const end = (letter, number, side, bracket) => html`
    <path class="bracket" d=${bracket} transform="translate(${along(number)} 0)" />
    <text x=${along(number) + 8 * side} y="4" text-anchor=${side < 0 ? "end" : "start"}>
      ${letter} ${written(number)}
    </text>`;
  const line = (node, place) => {
    const [alpha, beta] = known[node].window;
    const side = isClosed(known[node]) ? 1 : -1; // of its bracket on which alpha is written
    return html`
      <g class="window ${side > 0 ? "is-closed" : ""}" transform="translate(0 ${row * (place + 0.6)})">
        <text x="0" y="4">${nodes[node].name || "root"}</text>
        <path class="grid" d="M${left} 0H${right}" />
        <path class="between" d="M${along(Math.min(alpha, beta))} 0H${along(Math.max(alpha, beta))}" />
        ${end("α", alpha, side, "M4 -8h-4v16h4")}
        ${end("β", beta, -side, "M-4 -8h4v16h-4")}
      </g>`;
  };
  return html`
    <figure class="windows" ref=${pane}>
      <figcaption class="note">The window from α to β, from the root down to where the search is</figcaption>
      <svg class="chart" role="img" width=${width} height=${row * numRows + 6}
        aria-label="${windowOf(here)}${isClosed(here) ? ": closed" : ""}">
        ${path.map(line)}
      </svg>
    </figure>`;
}

export default widget(AlphaBetaStepper);
