// Minimax by hand: the reader fills in the values of a small tree. Python writes the tree down, the page
// checks the values. No message goes to the kernel.

import { Inset, Rectangle, SmallNode, Tree, childrenOf, inOrder, layOut, movesTo } from "./tree.js";
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
    const moves = best.map(({ name }) => name).join(" or ");
    const mover = players[nodes[0].player];
    return `All ${inner.length} are right. ${reasonFor(nodes, players, 0)} The best move for ${mover} is ${moves}.`;
  }
  const count = `Right: ${right.length} of ${inner.length}, wrong: ${wrong.length}, empty: ${empty}.`;
  const depth = (node) => (node === 0 ? 0 : 1 + depth(nodes[node].parent));
  const [deepest] = wrong.toSorted((one, other) => depth(other) - depth(one));
  return deepest === undefined ? count : `${count} ${reasonFor(nodes, players, deepest)}`;
}

/** How the value of a node comes about. */
function reasonFor(nodes, players, node) {
  const { player, value, parent } = nodes[node];
  const values = nodes.filter((each) => each.parent === node).map((child) => written(child.value));
  const where = parent === null ? "At the top" : `After ${movesTo(nodes, node)},`;
  if (values.length === 1) return `${where} ${players[player]} has only one move, which leads to ${values[0]}.`;
  const [most, least] = values.length === 2 ? ["larger", "smaller"] : ["largest", "smallest"];
  const list = `${values.slice(0, -1).join(", ")} and ${values.at(-1)}`;
  const taken = `the ${player === 0 ? most : least} of ${list}, which is ${written(value)}`;
  return `${where} ${players[player]} is to move and takes ${taken}.`;
}

// On the page

function verdictOf(nodes, filled, isChecked, node) {
  if (!isChecked || !isInner(nodes[node]) || filled[node] === null) return "";
  return filled[node] === nodes[node].value ? "right" : "wrong";
}

function MinimaxByHand({ model }) {
  const [nodes, players, filled, isChecked] = useTraits(model, "nodes", "players", "filled", "is_checked");
  const below = childrenOf(nodes);
  const put = (values) => change(model, { filled: values, is_checked: false });
  const choose = (node) => { if (isInner(nodes[node])) put(filled.with(node, stepped(filled[node]))); };
  const verdict = (node) => verdictOf(nodes, filled, isChecked, node);
  const name = (node) => {
    const { player } = nodes[node];
    const value = filled[node] === null ? "no value yet" : `value ${written(filled[node])}`;
    const mover = player === null ? "the game is over" : `${players[player]} to move`;
    return [`${movesTo(nodes, node) || "top"}: ${mover}`, value, ...(verdict(node) ? [verdict(node)] : [])].join(", ");
  };
  const title = "Minimax by hand";
  const help = `Values for ${players[0]}: 1 where ${players[0]} wins, 0 for a draw, −1 where ${players[1]} wins. ` +
    "Click on a box with a question mark, or press Enter there, to step through the values.";
  const draw = (shape) => html`
    <${Box} ...${shape} model=${model} value=${filled[shape.node]} verdict=${verdict(shape.node)} />`;
  const clear = () => put(nodes.map((node) => (isInner(node) ? null : node.value)));
  return html`
    <section class="mctslab mctslab-by-hand" aria-label=${title}>
      <${Tree} label=${title} below=${below} nodes=${inOrder(below)} layout=${layOut(below, () => KINDS[0].width)}
        kinds=${() => KINDS} isNeeded=${() => false} isFitted name=${name} choose=${choose} draw=${draw} />
      <p class="note">${help}</p>
      <p class="said caption" role="status">${isChecked ? sentenceOf(nodes, players, filled) : ""}</p>
      <div class="buttons">
        <${Button} sign="right" label="Check" word kind="primary"
          onclick=${() => change(model, { is_checked: true })} />
        <${Button} sign="new" label="Start again" word onclick=${clear} />
      </div>
    </section>`;
}

/** A position with the move that leads there and its value, and whether this is right. */
function Box({ node, kind, width, height, model, value, verdict }) {
  const [nodes, players, stones, colors] = ["nodes", "players", "stones", "colors"].map((trait) => model.get(trait));
  const { parent, name, player, board } = nodes[node];
  const top = -height / 2;
  const shape = { kind, width, height, color: colors[value ?? "none"] };
  const shown = value === null ? "?" : written(value);
  const marks = `card ${verdict} ${player === null ? "" : "is-open"}`;
  if (kind !== "card") return html`<g class=${marks}><${SmallNode} ...${shape} heading=${`${name} ${shown}`} /></g>`;
  return html`
    <g class=${marks}>
      <${Rectangle} ...${shape} rx="6" isEnd=${player === null} />
      <${Inset} svg=${board} x=${4 - width / 2} y=${top + 4} />
      ${parent !== null && html`<${Inset} svg=${stones[nodes[parent].player]} x="10" y=${top + 6} />`}
      <text class="heading" x="33" y="-16">${name}</text>
      <text class="value" x="24" y="9">${shown}</text>
      ${verdict && html`<text class="verdict" x="49" y="8">${verdict === "right" ? "✓" : "✗"}</text>`}
      ${player !== null && html`<text x="30" y="25">${players[player]} moves</text>`}
    </g>`;
}

export default widget(MinimaxByHand);
