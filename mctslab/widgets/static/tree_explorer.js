// The tree explorer on the page. Python has sent the most visited nodes of a tree; this file unfolds
// and folds them, colours them, and explains them. No message goes to the kernel.

import { Button, Choice, html, useMemo, useState, useTraits, widget } from "./ui.js";
import { CARD_HEIGHT, Card, Rectangle, SmallNode, Tree, ValueBar, inOrder, kindsOf, layOut, round } from "./tree.js";
import { stoneImages } from "./pieces.js";
import { count, meanValue, plural, signed } from "./words.js";
import { NodeCard, childrenOf, describe, legalActions, moveName, pathTo, shortOutcome } from "./traced.js";

const MOST_DRAWN = 300; // more can't be told apart
const TOP = 5; // how many children a node shows when it is unfolded
const THICKEST = 9; // the branch through which all visits have passed

/** What does not change while the tree is browsed. */
export function treeOf(data) {
  const { nodes, game, principal } = data;
  const byVisits = (one, other) => nodes.first_visit_count[other] - nodes.first_visit_count[one];
  const isWon = (node) => Number(nodes.proven[node] === 1); // comes first, even without a visit
  const inTheirOrder = (one, other) => isWon(other) - isWon(one) || byVisits(one, other);
  const children = childrenOf(nodes).map((each) => [...each.values()].sort(inTheirOrder));
  const [visits, totals] = [nodes.first_visit_count, nodes.first_total_value];
  const tree = { ...data, children, visits, totals, stones: stoneImages(data.pieces), line: new Set(principal) };
  const texts = nodes.parent.map((_, node) => [headingOf(tree, node), ...linesOf(tree, node)]);
  const roomFor = ([heading, ...lines]) =>
    Math.max(52, 28 + 7.2 * heading.length, ...lines.map((line) => 12 + 6 * line.length));
  const cardWidth = Math.max(52, ...texts.slice(1).map(roomFor));
  const widthOf = (node) => (node ? cardWidth : Math.max(cardWidth, roomFor(texts[0])));
  return { ...tree, texts, widthOf, title: `Search tree of ${game.title}` };
}

const headingOf = ({ nodes, game }, node) =>
  node === 0 ? `${game.players[nodes.player_to_move[0]]} to move` : moveName({ nodes, game }, node);

/** "proven win", "proven loss", "proven draw"; empty if nothing is proven, or the game is over anyway. */
function provenText({ nodes: { proven, returns } }, node) {
  if (proven[node] === null || returns[node]) return "";
  return `proven ${proven[node] > 0 ? "win" : proven[node] < 0 ? "loss" : "draw"}`;
}

const linesOf = (tree, node) => {
  const { nodes: { returns }, visits, totals, game } = tree;
  const mean = `Q ${visits[node] ? signed(totals[node] / visits[node]) : "–"}`;
  const worth = returns[node] ? shortOutcome(game, returns[node]) : provenText(tree, node) || mean;
  return [`N ${count(visits[node])}`, worth];
};

/**
 * The part of the tree that is on show. Of each node `numShown` (a Map) says how many children it
 * shows; without an entry it is folded. `below` has the children on show, `rest` {number, visits} of
 * the visited ones that an unfolded node does not show, and `next` how many of these it could show.
 */
export function unfolded({ children, visits, nodes }, numShown, most = MOST_DRAWN) {
  const below = children.map(() => []);
  const [rest, next] = [new Map(), new Map()];
  let room = most - 1;
  for (const waiting = [0]; waiting.length;) {
    const node = waiting.shift();
    if (!numShown.has(node)) continue;
    const there = children[node].filter((child) => visits[child] > 0 || nodes.proven[child] === 1);
    below[node] = there.slice(0, Math.min(numShown.get(node), room));
    room -= below[node].length;
    waiting.push(...below[node]);
    const hidden = nodes.child_visits[node] - below[node].reduce((sum, child) => sum + visits[child], 0);
    const number = nodes.num_visited[node] - below[node].filter((child) => visits[child] > 0).length;
    if (hidden > 0) rest.set(node, { number, visits: hidden });
    next.set(node, there.length - below[node].length);
  }
  return { below, rest, next, isFull: room <= 0 };
}

function ExplorerView({ model }) {
  const [data] = useTraits(model, "data");
  const [tree] = useState(() => treeOf(data));
  const { nodes, visits, size, title } = tree;
  const [numShown, show] = useState(() => new Map([[0, TOP]]));
  const [colorBy, setColor] = useState("value");
  const [held, hold] = useState(null); // the node that was clicked, which stays in its place
  const part = useMemo(() => unfolded(tree, numShown), [numShown]);

  function unfold(changed, node = null) {
    hold(node);
    show(changed);
  }
  function toggle(node) {
    const changed = new Map(numShown);
    if (!numShown.has(node)) changed.set(node, TOP);
    else for (const other of numShown.keys()) if (pathTo(nodes, other).includes(node)) changed.delete(other);
    unfold(changed, node);
  }
  const showMore = (node) => unfold(new Map(numShown).set(node, numShown.get(node) + TOP), node);
  const follow = () => unfold(new Map([...tree.principal.map((node) => [node, TOP]), ...numShown]));

  const shown = inOrder(part.below);
  const words = [
    `${count(shown.length)} of the tree's ${count(size)} nodes`,
    ...(size > visits.length ? [`the ${count(visits.length)} most visited can be unfolded`] : []),
    ...(part.isFull ? [`no drawing has more than ${MOST_DRAWN}: fold some to see others`] : []),
  ];
  const [low, high, meaning] = {
    value: ["−1", "+1", "Q, the mean value for the player who made the move"],
    visits: ["0", "all", "share of the root's visits"],
  }[colorBy];
  const colors = colorBy === "value" ? tree.value_colors : tree.visit_colors;
  return html`
    <section class="mctslab mctslab-explorer" aria-label=${title}>
      <div class="controls" role="toolbar" aria-label="Tree">
        <div class="row">
          <${Button} sign="route" label="Principal variation" word onclick=${follow} />
          <${Button} sign="fold" label="Fold all" word onclick=${() => unfold(new Map([[0, TOP]]))} />
        </div>
        <div class="row">
          <span class="muted">colour by</span>
          <${Choice} label="Colour by" value=${colorBy} values=${["value", "visits"]} choose=${setColor} />
        </div>
      </div>
      <${ExplorerTree} tree=${tree} part=${part} held=${held} toggle=${toggle} showMore=${showMore}
        colorOf=${(node) => colorOf(tree, node, colorBy, colors)} />
      <div class="timeline note">
        <p role="status">${words.join("; ")}</p>
        <p>
          <${ValueBar} low=${low} colors=${colors} high=${high} />: ${meaning}; thicker branch: more visits
        </p>
      </div>
    </section>`;
}

function colorOf({ visits, totals, nodes, unknown_color: unknown }, node, colorBy, colors) {
  const at = (share) => colors[Math.round(Math.min(Math.max(share, 0), 1) * (colors.length - 1))];
  if (colorBy === "visits") return at(visits[node] / visits[0]);
  if (nodes.proven[node] !== null) return at((1 + nodes.proven[node]) / 2);
  return visits[node] ? at((1 + meanValue(visits[node], totals[node])) / 2) : unknown;
}

/** The tree with a place for what each unfolded node does not show: number N + node, of N nodes. */
function ExplorerTree({ tree, part, held, toggle, showMore, colorOf }) {
  const { below, rest, next } = part;
  const { nodes, visits, children, texts, line } = tree;
  const { length } = visits;
  const ofRest = (place) => (place >= length ? place - length : null);
  const drawn = [...below, ...below.map(() => [])];
  for (const node of rest.keys()) drawn[node] = [...below[node], length + node];
  const restWords = (node) => plural(rest.get(node).number, "more move");
  const widthOf = (place) => (place < length ? tree.widthOf(place) : 16 + 6.4 * restWords(place - length).length);
  const layout = useMemo(() => layOut(drawn, widthOf), [part]);
  const share = (number) => round(1 + ((THICKEST - 1) * number) / Math.max(visits[0], 1));
  const parentOf = (place) => ofRest(place) ?? nodes.parent[place];
  const isOnLine = (node) => node < length && line.size > 1 && line.has(node);
  const canUnfold = (node) => children[node].length > 0;
  const kinds = (place) => (ofRest(place) === null
    ? kindsOf(texts[place][0], widthOf(place))
    : [{ kind: "rest", width: widthOf(place), height: 34 }, { kind: "chip", width: 20, height: 18 }]);
  function choose(place) {
    if (place < length) return canUnfold(place) && toggle(place);
    return next.get(place - length) > 0 && showMore(place - length);
  }
  function draw(shape) {
    const { node, kind } = shape;
    if (ofRest(node) !== null) {
      const hidden = node - length;
      return restNode(shape, restWords(hidden), rest.get(hidden), next.get(hidden) > 0);
    }
    const [heading, ...lines] = texts[node];
    const common = { ...shape, heading, color: colorOf(node) };
    if (kind !== "card") return html`<${SmallNode} ...${common} />`;
    return html`
      ${canUnfold(node) && !isUnfolded(node) && html`
        <path class="stub" d="M0 ${CARD_HEIGHT / 2}v9" stroke-width=${share(nodes.child_visits[node])} />`}
      <${Card} ...${common} lines=${lines} stone=${tree.stones[nodes.mover[node]]}
        isEnd=${nodes.returns[node] !== null} mark=${isOnLine(node) ? "principal" : ""} />
      ${canUnfold(node) && html`<${Handle} isUnfolded=${isUnfolded(node)} />`}`;
  }
  const isUnfolded = (node) => below[node].length > 0;
  const restName = (node) => `${restWords(node)}, N ${count(rest.get(node).visits)}`;
  const cardOf = (node) => html`
    <${NodeCard} pieces=${tree.pieces} trace=${tree} node=${node} lines=${factsOf(tree, node)} />`;
  return html`
    <${Tree} label=${tree.title} below=${drawn} layout=${layout} nodes=${inOrder(drawn)}
      held=${held} current=${held ?? 0} isFitted kinds=${kinds} isNeeded=${isOnLine}
      weight=${(place) => (place < length ? visits[place] : 0)} draw=${draw} choose=${choose}
      edge=${(place) => ({
        class: isOnLine(place) ? "principal" : place < length ? "" : "rest",
        "stroke-width": share(place < length ? visits[place] : rest.get(parentOf(place)).visits),
      })}
      name=${(place) => (place < length ? factsOf(tree, place).join(", ") : restName(place - length))}
      state=${(place) => (place < length && canUnfold(place) ? { "aria-expanded": isUnfolded(place) } : {})}
      info=${(place) => place < length && cardOf(place)} />`;
}

function restNode({ kind, width, height }, words, { number, visits }, canShow) {
  if (kind === "dot") return html`<circle class="dot" r=${width / 2} fill="none" />`;
  return html`
    <g class="rest-node ${canShow ? "can-show" : ""}">
      <${Rectangle} width=${width} height=${height} rx="8" />
      ${kind === "rest" ? html`<text y="-3">${words}</text><text y="11">N ${count(visits)}</text>`
        : html`<text y="4">+${number}</text>`}
    </g>`;
}

/** The sign at the foot of a node that says whether a click unfolds or folds it. */
const Handle = ({ isUnfolded }) => html`
  <g class="handle" transform="translate(0 ${CARD_HEIGHT / 2 + (isUnfolded ? 2.5 : 9)})">
    <circle r="4.8" /><path d=${isUnfolded ? "M-2.6 0h5.2" : "M-2.6 0h5.2M0 -2.6v5.2"} />
  </g>`;

/** The way to a node, its numbers, and whatever else is to be said about it. */
function factsOf(tree, node) {
  const { nodes, game, visits, totals } = tree;
  const player = game.players[nodes.player_to_move[node]];
  const [proven, returns] = [provenText(tree, node), nodes.returns[node]];
  const untried = legalActions(nodes.legal_actions[node]).length - nodes.num_children[node];
  return [
    ...describe(tree, node, visits[node], totals[node]),
    ...(proven ? [`${proven} for ${game.players[nodes.mover[node]]}`] : []),
    returns ? shortOutcome(game, returns) : `${player} to move`,
    ...(!returns && untried ? [`${plural(untried, "move")} not tried yet`] : []),
  ];
}

export default widget(ExplorerView);
