// Minimax by hand: the reader fills in the values of a small tree. Python writes the tree down, the page
// checks the values. No message goes to the kernel.

import { inOrder, layOut, SmallNode, Tree } from "./tree.js";
import { Button, change, html, useTraits, widget } from "./ui.js";

/** How a node is drawn: as a card, and where there is no room for it with its move and value only. */
const KINDS = [{ kind: "card", width: 114, height: 64 }, { kind: "chip", width: 48, height: 22 }];
const written = (value) => (value < 0 ? `−${-value}` : String(value));
const isInner = ({ player }) => player !== null;

/** The value after `value` (null at first) when a box is clicked. */
export const stepped = (value) => (value === null || value === 1 ? -1 : value + 1);

/** What is right and wrong, in a sentence or two: of what is wrong, the box deepest in the tree. */
export function sentenceOf(nodes, players, filled) {
  const inner = [...nodes.keys()].filter((node) => isInner(nodes[node]));
  const right = inner.filter((node) => filled[node] === nodes[node].value);
  const wrong = inner.filter((node) => filled[node] !== null && !right.includes(node));
  const empty = inner.length - right.length - wrong.length;
  if (right.length === inner.length) {
    const best = nodes.filter(({ parent, value }) => parent === 0 && value === nodes[0].value);
    return `All ${inner.length} are right. ${reasonFor(nodes, players, 0)} The best move for ${players[nodes[0].player]} is ${best.map(({ name }) => name).join(" or ")}.`;
  }
  const count = `Right: ${right.length} of ${inner.length}, wrong: ${wrong.length}, empty: ${empty}.`;
  const depth = (node) => (node === 0 ? 0 : 1 + depth(nodes[node].parent));
  const [deepest] = wrong.toSorted((one, other) => depth(other) - depth(one));
  return deepest === undefined ? count : `${count} ${reasonFor(nodes, players, deepest)}`;
}

/** How the value of a node comes about. */
function reasonFor(nodes, players, node) {
  const { player, value, board: _, ...here } = nodes[node];
  const values = nodes.filter(({ parent }) => parent === node).map((child) => written(child.value));
  const where = here.parent === null ? "At the top" : `After ${wayTo(nodes, node)},`;
  if (values.length === 1) return `${where} ${players[player]} has only one move, which leads to ${values[0]}.`;
  const [most, least] = values.length === 2 ? ["larger", "smaller"] : ["largest", "smallest"];
  const list = `${values.slice(0, -1).join(", ")} and ${values.at(-1)}`;
  return `${where} ${players[player]} is to move and takes the ${player === 0 ? most : least} of ${list}, which is ${written(value)}.`;
}

/** The moves from the root to a node. */
const wayTo = (nodes, node) => (nodes[node].parent === null ? "" : `${wayTo(nodes, nodes[node].parent)} ${nodes[node].name}`.trim());

// On the page

const verdictOf = (nodes, filled, isChecked, node) =>
  !isChecked || !isInner(nodes[node]) || filled[node] === null ? "" : filled[node] === nodes[node].value ? "right" : "wrong";

function MinimaxByHand({ model }) {
  const [nodes, players, filled, isChecked] = useTraits(model, "nodes", "players", "filled", "is_checked");
  const below = nodes.map((_, node) => [...nodes.keys()].filter((child) => nodes[child].parent === node));
  const put = (values) => change(model, { filled: values, is_checked: false });
  const choose = (node) => { if (isInner(nodes[node])) put(filled.with(node, stepped(filled[node]))); };
  const verdict = (node) => verdictOf(nodes, filled, isChecked, node);
  const name = (node) => {
    const { player } = nodes[node];
    const value = filled[node] === null ? "no value yet" : `value ${written(filled[node])}`;
    return `${wayTo(nodes, node) || "top"}: ${player === null ? "the game is over" : `${players[player]} to move`}, ${value}${verdict(node) && `, ${verdict(node)}`}`;
  };
  const title = "Minimax by hand";
  return html`
    <section class="mctslab mctslab-by-hand" aria-label=${title}>
      <${Tree} label=${title} below=${below} nodes=${inOrder(below)} layout=${layOut(below, () => KINDS[0].width)} kinds=${() => KINDS} isNeeded=${() => false} isFitted
        name=${name} choose=${choose} draw=${(shape) => html`<${Box} ...${shape} model=${model} value=${filled[shape.node]} verdict=${verdict(shape.node)} />`} />
      <p class="note">Values for ${players[0]}: 1 where ${players[0]} wins, 0 for a draw, −1 where ${players[1]} wins. Click on a box with a question mark, or press Enter there, to step through the values.</p>
      <p class="said caption" role="status">${isChecked ? sentenceOf(nodes, players, filled) : ""}</p>
      <div class="buttons">
        <${Button} sign="right" label="Check" word kind="primary" onclick=${() => change(model, { is_checked: true })} />
        <${Button} sign="new" label="Start again" word onclick=${() => put(nodes.map((node) => (isInner(node) ? null : node.value)))} />
      </div>
    </section>`;
}

/** A position with the move that leads there and its value, and whether this is right. */
function Box({ node, kind, width, height, model, value, verdict }) {
  const [nodes, players, stones, colors] = ["nodes", "players", "stones", "colors"].map((trait) => model.get(trait));
  const { parent, name, player, board } = nodes[node];
  const [left, top, color] = [-width / 2, -height / 2, colors[value ?? "none"]];
  const shown = value === null ? "?" : written(value);
  const marks = `card ${verdict} ${player === null ? "" : "is-open"}`;
  if (kind !== "card") return html`<g class=${marks}><${SmallNode} kind=${kind} width=${width} height=${height} heading=${`${name} ${shown}`} color=${color} /></g>`;
  const svg = (text, x, y) => html`<g aria-hidden="true" transform="translate(${x} ${y})" dangerouslySetInnerHTML=${{ __html: text }} />`;
  return html`
    <g class=${marks}>
      <rect class="box ${player === null ? "is-end" : ""}" x=${left} y=${top} width=${width} height=${height} rx=${player === null ? 0 : 6} fill=${color} />
      ${svg(board, left + 4, top + 4)}
      ${parent !== null && svg(stones[nodes[parent].player], 10, top + 6)}
      <text class="heading" x="33" y="-16">${name}</text>
      <text class="value" x="24" y="9">${shown}</text>
      ${verdict && html`<text class="verdict" x="49" y="8">${verdict === "right" ? "✓" : "✗"}</text>`}
      ${player !== null && html`<text x="30" y="25">${players[player]} moves</text>`}
    </g>`;
}

export default widget(MinimaxByHand);
