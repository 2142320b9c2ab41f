// One tree on the page: where its nodes stand, which of them have room for a card, how it is zoomed, how
// the keys go from node to node, and the card about the node that is meant. What a node looks like, and
// what a click on it does, is up to the widget. Lengths are CSS pixels.

import { Button, html, useLayoutEffect, useRef, useSize, useState } from "./ui.js";
import { hasModifier } from "./common.js";

const GAP = 6; // between two cards
const EDGE = 8; // between the tree and the left and right side of its pane
const ROOM = { top: 36, bottom: 80 }; // above and below the tree, for what is drawn there
const PLY = { least: 66, fitted: 92, most: 200 }; // from one row to the next
const [LEAST_HEIGHT, MOST_HEIGHT] = [200, 470]; // of a pane that is only as high as its tree
const WIDEST = 3; // a small tree fills its pane, but its branches do not lie down
const DOT = { least: 2, most: 4.5 };
const REACH = 16; // how far from a node the mouse may be to mean it
const BEYOND = 44; // how far a card may reach out of the pane
const STEP = 1.5; // of the zoom

export const round = (length) => Math.round(length * 10) / 10;
const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

// Where the nodes stand

/** The nodes below `root` and itself, from top to bottom and from left to right, of `children` of each. */
export function inOrder(children, root = 0) {
  const found = [];
  const waiting = [root];
  while (waiting.length) {
    const node = waiting.pop();
    found.push(node);
    waiting.push(...[...children[node]].reverse());
  }
  return found;
}

/** The children of each of `nodes` [{parent}], and the nodes from the root to one of them. */
export const childrenOf = (nodes) =>
  nodes.map((_, node) => [...nodes.keys()].filter((child) => nodes[child].parent === node));
export const pathTo = (nodes, node) =>
  nodes[node].parent === null ? [node] : [...pathTo(nodes, nodes[node].parent), node];

/** The moves that lead to a node of [{parent, name}]: "a b c". */
export const movesTo = (nodes, node) => pathTo(nodes, node).slice(1).map((each) => nodes[each].name).join(" ");

/**
 * The narrowest tree in which no card covers another one, a parent is above the middle of its
 * children, and these stand in their order, evenly where they have room: {places: [{x, depth}],
 * width, depth}. `children` of each node, `widthOf` its card.
 */
export function layOut(children, widthOf) {
  const nodes = inOrder(children);
  const outlines = []; // of each node's branch: left and right end in each ply, from the node's own x
  const offsets = []; // of a node's children from its own x
  for (const node of nodes.toReversed()) {
    const half = widthOf(node) / 2;
    const branches = children[node].map((child) => outlines[child]);
    offsets[node] = spreadOut(branches);
    outlines[node] = [{ left: -half, right: half }, ...around(branches, offsets[node])];
  }
  const places = [];
  places[0] = { x: -Math.min(...outlines[0].map(({ left }) => left)), depth: 0 };
  for (const node of nodes)
    children[node].forEach((child, nth) => {
      places[child] = { x: places[node].x + offsets[node][nth], depth: places[node].depth + 1 };
    });
  const width = places[0].x + Math.max(...outlines[0].map(({ right }) => right));
  return { places, width, depth: outlines[0].length - 1 };
}

/**
 * Where branches with these outlines go side by side, around 0. Packed to the left and packed to
 * the right, none covers another one; in the middle between both they do not either.
 */
function spreadOut(branches) {
  const apart = (one, other) =>
    Math.max(...one.slice(0, other.length).map(({ right }, ply) => right + GAP - other[ply].left));
  const left = [];
  for (const branch of branches)
    left.push(Math.max(0, ...left.map((x, place) => x + apart(branches[place], branch))));
  const width = left.at(-1) ?? 0;
  const right = [];
  for (const branch of branches.toReversed()) {
    const others = branches.slice(branches.length - right.length);
    right.unshift(Math.min(width, ...right.map((x, place) => x - apart(branch, others[place]))));
  }
  return left.map((x, place) => (x + right[place]) / 2 - width / 2);
}

/** The outline around branches whose own x are `offsets`. */
function around(branches, offsets) {
  const outline = [];
  branches.forEach((branch, place) => branch.forEach(({ left, right }, ply) => {
    const so = outline[ply] ?? { left: Infinity, right: -Infinity };
    const x = offsets[place];
    outline[ply] = { left: Math.min(so.left, x + left), right: Math.max(so.right, x + right) };
  }));
  return outline;
}

// From there to the pane

/**
 * How the tree is drawn `zoom` times as wide as a pane of this size, which then scrolls. A tree is
 * wide, not deep: zooming in spreads it sideways only.
 */
function fitTree({ width, depth }, size, zoom, most) {
  const whole = size.width * zoom;
  const scale = Math.min((whole - 2 * EDGE) / width, WIDEST);
  const ply = clamp((size.height - ROOM.top - ROOM.bottom) / Math.max(depth, 1), PLY.least, most);
  return { scale, left: (whole - width * scale) / 2, ply, width: whole, height: ROOM.top + ROOM.bottom + ply * depth };
}

/** The middle of a node in the drawing. */
const locate = (fit, { x, depth }) => ({ x: fit.left + fit.scale * x, y: ROOM.top + fit.ply * depth });

/** Scroll a pane so far that what is at (x, y) of its drawing is seen. */
function follow(pane, { x, y }) {
  const side = Math.min(40, pane.clientWidth / 4);
  pane.scrollLeft = clamp(pane.scrollLeft, x + side - pane.clientWidth, x - side);
  pane.scrollTop = clamp(pane.scrollTop, y + ROOM.bottom - pane.clientHeight, y - ROOM.top);
}

// Which nodes have room for what

const overlap = (one, other) => Math.abs(one.x - other.x) < (one.width + other.width) / 2 + 2;

/**
 * Which of their `kinds` ({kind, width, height}, the largest first) the nodes of a row get, of `row`
 * {node, x, kinds, weight, isNeeded} in a drawing that is `width` wide: [{node, kind, width, height,
 * x}]. Those that are needed get their first one, and hide what they cover. The others get the largest
 * for which there is room, the heaviest first, and where there is none they are dots.
 */
export function fillRow(row, width, radius) {
  const dot = { kind: "dot", width: 2 * radius, height: 2 * radius };
  const inside = (x, kind) => clamp(x, kind.width / 2 + 3, width - kind.width / 2 - 3);
  const put = (one, kind) => ({ ...one, ...kind, x: kind === dot ? one.x : inside(one.x, kind) });
  const isFree = (card, others) => others.every((other) => other.node === card.node || !overlap(card, other));
  const needed = row.filter(({ isNeeded }) => isNeeded).map((one) => put(one, one.kinds[0]));
  const rest = row.filter((one) => !one.isNeeded && isFree(put(one, dot), needed));
  const shown = new Map([...needed, ...rest.map((one) => put(one, dot))].map((one) => [one.node, one]));
  for (const one of rest.toSorted((each, other) => other.weight - each.weight)) {
    const found = one.kinds.map((kind) => put(one, kind)).find((card) => isFree(card, [...shown.values()]));
    if (found) shown.set(one.node, found);
  }
  return [...shown.values()];
}

/** The size of the dots: small enough for the fullest row to fit side by side. */
const dotRadius = (rows, { width }) =>
  clamp((0.42 * width) / Math.max(...rows.map((row) => row.length)), DOT.least, DOT.most);

/** The nearest of `points` ({node, x, y}) to a place; undefined if none is within reach. */
function nearest(points, { x, y }) {
  const away = (point) => Math.hypot(point.x - x, point.y - y);
  return points.filter((point) => away(point) <= REACH).sort((one, other) => away(one) - away(other))[0]?.node;
}

/** A branch from a parent down to its child, from card to card. */
export function branch(from, to, fromHalf, toHalf) {
  const top = from.y + fromHalf;
  const bottom = to.y - toHalf;
  const bend = (bottom - top) * 0.5;
  const lean = from.x + (to.x - from.x) * 0.45; // branches part at once, and arrive upright
  const points = [[lean, top + bend * 0.6], [to.x, bottom - bend], [to.x, bottom]];
  return `M${round(from.x)} ${round(top)}C${points.map(([x, y]) => `${round(x)} ${round(y)}`).join(" ")}`;
}

/**
 * Where a box goes that tells about the card `at`: in the upper corner away from it, where a tree leaves
 * room, above its row; or in another place if it covers fewer of the `others` there.
 */
export function freePlace(at, box, size, others) {
  const right = Math.max(size.width - box.width - 2, 2);
  const sides = at.x > size.width / 2 ? [2, right] : [right, 2];
  const tops = [clamp(at.y - at.height / 2 - box.height - 10, -BEYOND, 6), -BEYOND, at.y + at.height / 2 + 16];
  const places = tops.flatMap((top) => sides.map((left) => ({ left, top })));
  const isCovered = ({ left, top }) => ({ x, y, width, height }) =>
    Math.abs(x - left - box.width / 2) < (width + box.width) / 2 &&
    Math.abs(y - top - box.height / 2) < (height + box.height) / 2;
  const covered = places.map((place) => others.filter(isCovered(place)).length);
  return places[covered.indexOf(Math.min(...covered))];
}

/** The node to which an arrow key leads; undefined if there is none. */
function nodeAfterKey({ places }, children, nodes, from, key) {
  if (key === "ArrowUp") return nodes.find((node) => children[node].includes(from));
  if (key === "ArrowDown") return children[from].find((child) => nodes.includes(child));
  const row = nodes.filter((node) => places[node].depth === places[from].depth);
  return row[row.indexOf(from) + { ArrowLeft: -1, ArrowRight: 1 }[key]];
}

// On the page

/**
 * A tree in its pane.
 *
 * @param label      The name of the tree.
 * @param below      For each node its children, in their order. Node 0 is the root.
 * @param layout     Of `layOut`. A tree that grows is laid out as it will be in the end.
 * @param depth      How many plies have to fit in the pane, fewer than the layout's while a tree is small.
 * @param nodes      The nodes on show, from top to bottom and from left to right (`inOrder`).
 * @param kinds      node -> [{kind, width, height}], the largest first: how it can be shown.
 * @param isNeeded   node -> whether it has its first kind also where there is no room.
 * @param weight     node -> the heavier ones get room first.
 * @param draw       {node, kind, width, height} -> the node, drawn around (0, 0).
 * @param edge       node -> attributes of the branch that leads to it, such as its stroke-width.
 * @param name       node -> what a screen reader says.
 * @param state      node -> further attributes, such as "aria-expanded".
 * @param current    The node that stays in the pane.
 * @param info       node -> what the card says about the node that is meant.
 * @param choose     node -> what a click or Enter does; the node keeps the focus.
 * @param arrange    (points, width) -> points, to put some nodes elsewhere for now.
 * @param under      (at, width) -> what is drawn between branches and nodes; `at` is node -> {x, y, width, height}.
 * @param over       The same, over everything.
 * @param held       The node that stays in its place when the tree changes; null to show the whole tree then.
 * @param isFitted   Whether the pane is only as high as the tree needs it.
 */
export function Tree({
  label, below, layout, depth = layout.depth, nodes, kinds, isNeeded = () => true, weight = () => 0, draw,
  edge = () => ({}), name, state = () => ({}), current = 0, info, choose, arrange = (points) => points,
  under = () => null, over = () => null, held = null, isFitted = false,
}) {
  const [pane, svg, before] = [useRef(), useRef(), useRef()];
  const size = useSize(pane);
  const [zoom, setZoom] = useState(1);
  const [cursor, setCursor] = useState(current);
  const [meant, mean] = useState(null); // the node whose card is shown
  const room = isFitted ? { ...size, height: MOST_HEIGHT } : size;
  const fitAt = (factor) => fitTree({ ...layout, depth }, room, factor, isFitted ? PLY.fitted : PLY.most);
  const fit = fitAt(zoom);
  const height = Math.max(Math.round(fit.height), isFitted ? LEAST_HEIGHT : size.height);
  const points = arrange(layout.places.map((each) => locate(fit, each)), fit.width);
  const parents = new Map(nodes.flatMap((node) => below[node].map((child) => [child, node])));
  const rows = [...Map.groupBy(nodes, (node) => layout.places[node].depth).values()];
  const shapes = rows.flatMap((row) => fillRow(
    row.map((node) => (
      { node, x: points[node].x, kinds: kinds(node), weight: weight(node), isNeeded: isNeeded(node) })),
    fit.width, dotRadius(rows, fit),
  ));
  const shapeOf = new Map(shapes.map((shape) => [shape.node, shape]));
  const at = (node) => {
    const { kind = "hidden", width = 0, height = 0, x = points[node].x } = shapeOf.get(node) ?? {};
    return { node, kind, width, height, x, y: points[node].y };
  };
  const shown = nodes.map(at);
  const reachable = nodes.includes(cursor) ? cursor : nodes.includes(current) ? current : 0;
  const focus = (node) => svg.current.querySelector(`[data-node="${node}"]`)?.focus();

  // What is wider or deeper than the pane follows the current node. When the tree changes, a node that
  // is held stays where it was, and is as large as before.
  useLayoutEffect(() => follow(pane.current, points[current]), [current, depth, size.width, size.height]);
  useLayoutEffect(() => {
    if (!before.current || before.current.layout === layout) return;
    setZoom(held === null ? 1 : Math.max(1, Math.min(before.current.scale, 1) / fitAt(1).scale));
    if (before.current.chosen !== undefined) focus(before.current.chosen); // also where it has moved on the page
  }, [layout]);
  useLayoutEffect(() => {
    const { fit: old = fit, points: were = points } = before.current ?? {};
    const node = held ?? current;
    const isOther = old.width !== fit.width || before.current?.layout !== layout;
    if (isOther) pane.current.scrollLeft += points[node].x - were[node].x;
    before.current = { layout, fit, points, scale: fit.scale };
  });

  const pointOf = (event) => {
    const box = svg.current.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const nodeOf = ({ target }) => {
    const found = target.closest?.("[data-node]");
    return found && svg.current.contains(found) ? Number(found.dataset.node) : undefined;
  };
  const spread = (factor) => setZoom(clamp(zoom * factor, 1, Math.max(1, 2 / fitAt(1).scale)));
  function pick(node) {
    focus(node);
    before.current.chosen = node;
    choose(node);
  }

  function onKey(event) {
    if (event.key === "Escape") return mean(null);
    const from = nodeOf(event);
    if (from === undefined || hasModifier(event) || event.shiftKey) return undefined;
    const choosing = choose && {
      Enter: () => pick(from), " ": () => pick(from), Home: () => focus(0), End: () => focus(nodes.at(-1)),
    };
    const act = {
      "+": () => spread(STEP), "=": () => spread(STEP), "-": () => spread(1 / STEP), 0: () => setZoom(1), ...choosing,
    }[event.key];
    if (!act && !event.key.startsWith("Arrow")) return undefined;
    event.preventDefault();
    if (act) return act();
    const next = nodeAfterKey(layout, below, nodes, from, event.key);
    return next === undefined ? undefined : focus(next);
  }

  const listeners = { // none for the focus, with which an SVG would take it itself
    onkeydown: onKey,
    // The arrow keys step on after a click, unless it chooses a node: then they go on from there.
    onmousedown: (event) => { event.preventDefault(); pane.current.focus({ preventScroll: true }); },
    onclick: (event) => { if (choose && nodeOf(event) !== undefined) pick(nodeOf(event)); },
    onpointermove: (event) => {
      if (event.pointerType !== "touch") mean(nodeOf(event) ?? nearest(shown, pointOf(event)) ?? null);
    },
    onpointerleave: () => mean(null),
  };
  const onfocusin = (event) => {
    const node = nodeOf(event);
    if (node === undefined) return;
    setCursor(node);
    mean(event.target.matches(":focus-visible") ? node : null);
  };
  return html`
    <div class="tree-pane">
      <div class="scroller" tabindex="-1" ref=${pane} onfocusin=${onfocusin} onfocusout=${() => mean(null)}>
        <svg class="tree" role="tree" aria-label=${label} ref=${svg} width=${fit.width} height=${height}
          ...${listeners}>
          <g aria-hidden="true">${shown.map((each) => parents.has(each.node) && html`
            <${Edge} key=${each.node} from=${at(parents.get(each.node))} to=${each} ...${edge(each.node)} />`)}
          </g>
          <g aria-hidden="true">${under(at, fit.width)}</g>
          ${shown.map((each) => html`
            <g key=${each.node} class="node ${each.kind} ${each.node === meant ? "is-meant" : ""}" role="treeitem"
              data-node=${each.node} tabindex=${each.node === reachable ? 0 : -1}
              aria-label=${name(each.node)} aria-level=${layout.places[each.node].depth + 1}
              ...${amongSiblings(each.node, parents, below, nodes)} ...${state(each.node)}
              style=${{ transform: `translate(${round(each.x)}px, ${round(each.y)}px)` }}>
              ${each.kind === "hidden" || draw(each)}
            </g>`)}
          <g class="labels" aria-hidden="true">${over(at, fit.width)}</g>
        </svg>
      </div>
      ${info && nodes.includes(meant) && html`
        <${Beside} at=${at(meant)} others=${shown} pane=${pane}>${info(meant)}<//>`}
      <div class="zoom row">
        <${Button} sign="plus" label="Zoom in (+)" kind="small" onclick=${() => spread(STEP)} />
        <${Button} sign="minus" label="Zoom out (−)" kind="small" onclick=${() => spread(1 / STEP)} />
        <${Button} sign="fit" label="Whole tree (0)" kind="small" onclick=${() => setZoom(1)} />
      </div>
    </div>`;
}

/** Which of how many siblings a node is: its element is not inside its parent's. */
function amongSiblings(node, parents, below, nodes) {
  const siblings = parents.has(node) ? below[parents.get(node)].filter((each) => nodes.includes(each)) : [node];
  return { "aria-setsize": siblings.length, "aria-posinset": siblings.indexOf(node) + 1 };
}

function Edge({ from, to, class: kind = "", ...more }) {
  const isCovered = from.kind === "hidden" || to.kind === "hidden";
  return html`
    <path class="edge ${kind} ${isCovered ? "is-covered" : ""}"
      d=${branch(from, to, from.height / 2, to.height / 2)} ...${more} />`;
}

/** The card of a node, for the eyes only: its name says the same. */
function Beside({ at, others, pane, children }) {
  const element = useRef();
  useLayoutEffect(() => {
    const { scrollLeft, scrollTop, clientWidth: width } = pane.current;
    const inPane = (node) => ({ ...node, x: node.x - scrollLeft, y: node.y - scrollTop });
    const { left, top } = freePlace(inPane(at), element.current.getBoundingClientRect(), { width }, others.map(inPane));
    Object.assign(element.current.style, { left: `${left}px`, top: `${top}px` });
  });
  return html`<div class="info" aria-hidden="true" ref=${element}>${children}</div>`;
}

/** The rectangle of a node, around (0, 0), with square corners where the game is over. */
export const Rectangle = ({ width, height, rx = 5, color, isEnd = false }) => html`
  <rect class="box ${isEnd ? "is-end" : ""}" x=${-width / 2} y=${-height / 2} width=${width} height=${height}
    rx=${isEnd ? 0 : rx} fill=${color} />`;

/** A part of an SVG of Python's, its corner at (x, y). */
export const Inset = ({ svg, x, y }) => html`
  <g aria-hidden="true" transform="translate(${x} ${y})" dangerouslySetInnerHTML=${{ __html: svg }} />`;

/** A node as a card: its move with the stone of the player, two lines of numbers, and its colour. */
export const Card = ({ width, height, heading, lines, color, stone, isEnd = false, mark = "" }) => html`
  <g class="card ${mark}">
    <${Rectangle} width=${width} height=${height} rx="6" color=${color} isEnd=${isEnd} />
    <image href=${stone} x=${round(-3.4 * heading.length - 8)} y="-18.5" width="11" height="11" />
    <text class="heading" x="7" y="-9">${heading}</text>
    ${lines.map((text, line) => html`<text class="number" y=${4 + 12.5 * line}>${text}</text>`)}
  </g>`;

/** A node where there is no room for a card: its move, or a dot in its colour. */
export const SmallNode = ({ kind, width, height, heading, color }) => kind === "dot"
  ? html`<circle class="dot" r=${round(width / 2)} fill=${color} />`
  : html`
    <${Rectangle} width=${width} height=${height} color=${color} /><text class="heading" y="4">${heading}</text>`;

/** A scale of colours between the names of its ends. */
export const ValueBar = ({ low, colors, high }) => {
  const background = `linear-gradient(to right, ${colors.join(", ")})`;
  return html`${low} <i class="value-bar" style=${{ background }} /> ${high}`;
};

export const CARD_HEIGHT = 46;

/** The ways to show a node with a card as wide as `width`. */
export const kindsOf = (heading, width) => [
  { kind: "card", width, height: CARD_HEIGHT },
  { kind: "chip", width: 8 + 7 * heading.length, height: 18 },
];
