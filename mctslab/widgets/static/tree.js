// One tree on the page: where its nodes stand, which of them have room for a card, how it is zoomed
// and dragged, how the keys go from node to node, and the card beside the node that is meant. What a
// node looks like, and what a click on it does, is up to the widget. Lengths are CSS pixels.

import { Button, html, useLayoutEffect, useRef, useState } from "./ui.js";
import { hasModifier } from "./common.js";

const GAP = 6; // between two cards
const EDGE = 8; // between the tree and the left and right side of its pane
const ROOM = { top: 36, bottom: 58, least: 66, most: 200 }; // above and below the tree, and of a ply
const WIDEST = 3; // a small tree fills its pane, but its branches do not lie down
const DOT = { least: 2, most: 4.5 };
const REACH = 16; // how far from a node the mouse may be to mean it
const BEYOND = 44; // how far a card may reach out of the pane
const STEP = 1.5; // of the zoom
const WHOLE = { zoom: 1, x: 0, y: 0 };

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
  return { places, width: places[0].x + Math.max(...outlines[0].map(({ right }) => right)), depth: outlines[0].length - 1 };
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
  for (const branch of branches.toReversed())
    right.unshift(Math.min(width, ...right.map((x, place) => x - apart(branch, branches[branches.length - right.length + place]))));
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

/** How the whole tree fills a pane of this size. */
export function fitTree({ width, depth }, size) {
  const scale = Math.min((size.width - 2 * EDGE) / width, WIDEST);
  const ply = (size.height - ROOM.top - ROOM.bottom) / Math.max(depth, 1);
  return { scale, left: (size.width - width * scale) / 2, ply: clamp(ply, ROOM.least, ROOM.most) };
}

// A tree is wide, not deep: zooming in spreads it sideways, and only a little downwards.
const downwards = (zoom) => zoom ** 0.2;

/** The height of a pane that is as high as the tree needs it. */
const heightFor = ({ depth }, zoom) => clamp(ROOM.top + ROOM.bottom + 92 * depth * downwards(zoom), 200, 470);

/** The middle of a node in the pane. */
export const locate = (fit, { zoom, x, y }, place) => ({
  x: fit.left + fit.scale * place.x * zoom + x,
  y: ROOM.top + fit.ply * place.depth * downwards(zoom) + y,
});

/** The view after zooming by `factor` so that what is at (x, y) stays there. */
export function zoomAt(fit, view, factor, { x, y }) {
  const zoom = clamp(view.zoom * factor, 1, Math.max(1, 2 / fit.scale));
  const by = zoom / view.zoom;
  const deeper = downwards(zoom) / downwards(view.zoom);
  return { zoom, x: x - fit.left - (x - fit.left - view.x) * by, y: y - ROOM.top - (y - ROOM.top - view.y) * deeper };
}

/** The view moved so far that what is at `at` is inside the pane. */
export function follow(view, at, size) {
  const side = view.zoom > 1 ? Math.min(40, size.width / 4) : 0; // the whole tree is as wide as the pane
  return {
    ...view,
    x: view.x + clamp(at.x, side, size.width - side) - at.x,
    y: view.y + clamp(at.y, ROOM.top, Math.max(ROOM.top, size.height - ROOM.bottom)) - at.y,
  };
}

// Which nodes have room for what

/** Where the middle of a card goes whose node is at `x`: beside it, if the pane ends there. */
function cardPlace(x, width, size) {
  const least = width / 2 + 3;
  if (x < least) return least + Math.min(x, 0);
  const most = size.width - least;
  return x > most ? most + Math.max(x - size.width, 0) : x;
}

/**
 * Which of their `kinds` ({kind, width, height}, the largest first) the nodes get, of `nodes` {node,
 * group, depth, x, kinds, weight, isNeeded}: Map node -> {kind, width, height, x}. Those that are
 * needed get their first one in any case, and hide what they cover. Of the others whole groups of
 * siblings get the largest for which they have room, the heaviest group first; of groups without
 * room for all, single nodes get the last one, and the rest are dots. A row in which less than half
 * of the nodes would get their first kind does without it.
 */
export function chooseKinds(nodes, size, radius, isWhole = true) {
  const chosen = new Map();
  for (const row of Map.groupBy(nodes, ({ depth }) => depth).values()) {
    let placed = fillRow(row, size, radius, isWhole, 0);
    const first = placed.filter((one) => !one.isNeeded && one.kind === one.kinds[0].kind);
    if (2 * first.length < row.filter(({ isNeeded }) => !isNeeded).length) placed = fillRow(row, size, radius, isWhole, 1);
    for (const one of placed) chosen.set(one.node, one);
  }
  return chosen;
}

/** The nodes of a row with what they get, none larger than their kind number `largest`. */
function fillRow(row, size, radius, isWhole, largest) {
  const dot = { kind: "dot", width: 2 * radius, height: 2 * radius };
  const isInside = (one, kind) => kind !== dot && (isWhole || one.isNeeded); // others can be cut off, and dragged in
  const put = (one, kind) => ({ ...one, ...kind, x: isInside(one, kind) ? cardPlace(one.x, kind.width, size) : one.x });
  const placed = row.filter(({ isNeeded }) => isNeeded).map((one) => put(one, one.kinds[0]));
  const isFree = (card, others) => others.every((other) => other.node === card.node || !overlap(card, other));
  const dots = new Set(row.filter(({ isNeeded }) => !isNeeded));
  const freeDots = () => [...dots].map((one) => put(one, dot)).filter((one) => isFree(one, placed));
  const groups = [...Map.groupBy([...dots].filter((one) => isFree(put(one, one.kinds.at(-1)), placed)), ({ group }) => group).values()];
  const weight = (group) => Math.max(...group.map((one) => one.weight));
  for (const group of groups.sort((one, other) => weight(other) - weight(one))) {
    for (const one of group) dots.delete(one);
    const others = [...placed, ...freeDots()];
    const found = group[0].kinds.slice(largest)
      .map((_, level) => group.map((one) => put(one, one.kinds[largest + level])))
      .find((cards) => cards.every((card) => isFree(card, [...others, ...cards])));
    if (found) placed.push(...found);
    else for (const one of group) dots.add(one);
  }
  for (const one of [...dots].sort((one, other) => other.weight - one.weight)) {
    const card = put(one, one.kinds.at(-1));
    if (!isFree(card, [...placed, ...freeDots()])) continue;
    dots.delete(one);
    placed.push(card);
  }
  return [...placed, ...freeDots()];
}

const overlap = (one, other) => Math.abs(one.x - other.x) < (one.width + other.width) / 2 + 2;

/** The size of the dots: small enough for the fullest row to fit side by side. */
function dotRadius({ places }, nodes, fit, view) {
  const row = Math.max(...[...Map.groupBy(nodes, (node) => places[node].depth).values()].map((each) => each.length));
  const widest = Math.max(...nodes.map((node) => places[node].x));
  return clamp((0.42 * widest * fit.scale * view.zoom) / row, DOT.least, DOT.most);
}

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
  return `M${round(from.x)} ${round(top)}C${round(lean)} ${round(top + bend * 0.6)} ${round(to.x)} ${round(bottom - bend)} ${round(to.x)} ${round(bottom)}`;
}

/** Where a box goes that tells about the card `at`: beside, above or below, where it covers least. */
export function freePlace(at, box, cards, size) {
  const gap = 10;
  const across = [at.x + at.width / 2 + gap, at.x - at.width / 2 - gap - box.width, at.x - box.width / 2];
  const down = [at.y - box.height / 2, at.y + at.height / 2 + gap, at.y - at.height / 2 - gap - box.height];
  const inside = { top: 2, bottom: size.height - box.height - 2 };
  const places = [...down, inside.bottom, inside.top].flatMap((top) => across.map((left) => ({
    left: clamp(left, 2, Math.max(size.width - box.width - 2, 2)),
    top: clamp(top, -BEYOND, size.height + BEYOND - box.height),
  })));
  const covered = ({ left, top }) => cards.reduce((sum, card) => {
    const width = Math.min(left + box.width, card.x + card.width / 2) - Math.max(left, card.x - card.width / 2);
    const height = Math.min(top + box.height, card.y + card.height / 2) - Math.max(top, card.y - card.height / 2);
    const matters = card.node === at.node ? 100 : card.y === at.y ? 10 : 1; // its siblings are compared with it
    return sum + Math.max(width, 0) * Math.max(height, 0) * matters;
  }, 0);
  return places.reduce((best, place) => (covered(place) < covered(best) ? place : best));
}

/** The node to which an arrow key leads; undefined if there is none. */
export function nodeAfterKey({ places }, children, nodes, from, key) {
  if (key === "ArrowUp") return nodes.find((node) => children[node].includes(from));
  if (key === "ArrowDown") return children[from].find((child) => nodes.includes(child));
  const row = nodes.filter((node) => places[node].depth === places[from].depth);
  return row[row.indexOf(from) + { ArrowLeft: -1, ArrowRight: 1 }[key]];
}

// On the page

function useSize(element) {
  const [size, note] = useState({ width: 640, height: 440 });
  useLayoutEffect(() => {
    const resizing = new ResizeObserver(([{ contentRect: { width, height } }]) => { if (width && height) note({ width, height }); });
    resizing.observe(element.current);
    return () => resizing.disconnect();
  }, []);
  return size;
}

/**
 * A tree in its pane.
 *
 * @param label      The name of the tree.
 * @param below      For each node its children, in their order. Node 0 is the root.
 * @param layout     Of `layOut`. A tree that grows is laid out as it will be in the end.
 * @param depth      How many plies have to fit in the pane, fewer than the layout's while a tree is small.
 * @param foot       How much room is left free below the last row, for what is drawn under a node.
 * @param nodes      The nodes on show, from top to bottom and from left to right (`inOrder`).
 * @param kinds      node -> [{kind, width, height}], the largest first: how it can be shown.
 * @param isNeeded   node -> whether it has its first kind also where there is no room.
 * @param weight     node -> the heavier ones get room first.
 * @param draw       {node, kind, width, height} -> the node, drawn around (0, 0).
 * @param edge       node -> attributes of the branch that leads to it, such as its stroke-width.
 * @param name       node -> what a screen reader says.
 * @param state      node -> further attributes, such as "aria-expanded".
 * @param current    The node that stays in the pane.
 * @param info       node -> what the card says beside the node that is meant.
 * @param choose     node -> what a click or Enter does.
 * @param grasp      (event, node) -> what pressing the mouse on a node does, instead of dragging the tree.
 * @param onfocus    node -> it has got the focus.
 * @param arrange    (points, size) -> points, to put some nodes elsewhere for now.
 * @param under      (at, size) -> what is drawn between branches and nodes; `at` is node -> {x, y, width, height}.
 * @param over       The same, over everything.
 * @param held       The node that stays in its place when the tree changes; null to show the whole tree then.
 * @param isFitted   Whether the pane is only as high as the tree needs it.
 */
export function Tree({
  label, below, layout, depth = layout.depth, foot = 0, nodes, kinds, isNeeded = () => true, weight = () => 0, draw,
  edge = () => ({}), name, state = () => ({}), current = 0,
  info, choose, grasp, onfocus, arrange = (points) => points, under = () => null, over = () => null, held = null, isFitted = false,
}) {
  const [pane, svg, place, wasDragged] = [useRef(), useRef(), useRef(), useRef(false)];
  const found = useSize(svg);
  const [view, look] = useState(WHOLE);
  const [cursor, setCursor] = useState(current);
  const [meant, mean] = useState(null); // the node whose card is shown
  const [isDragged, drag] = useState(false);
  const fitted = (zoom) => (isFitted ? { ...found, height: heightFor(layout, zoom) } : found);
  const aboveFoot = ({ width, height }) => ({ width, height: height - foot });
  const fit = fitTree({ width: layout.width, depth }, aboveFoot(fitted(1)));
  const size = fitted(view.zoom);
  const points = arrange(layout.places.map((each) => locate(fit, view, each)), size);
  const parents = new Map(nodes.flatMap((node) => below[node].map((child) => [child, node])));
  const radius = dotRadius(layout, nodes, fit, view);
  const shapes = chooseKinds(nodes.map((node) => ({
    node, group: parents.get(node), depth: layout.places[node].depth, x: points[node].x,
    kinds: kinds(node), weight: weight(node), isNeeded: isNeeded(node),
  })), size, radius, view.zoom === 1);
  const at = (node) => {
    const { kind = "hidden", width = 0, height = 0, x = points[node].x } = shapes.get(node) ?? {};
    return { node, kind, width, height, x, y: points[node].y };
  };
  const shown = nodes.map(at);
  const reachable = nodes.includes(cursor) ? cursor : nodes.includes(current) ? current : 0;

  // What is zoomed or too deep follows the current node; a node that is held stays where it was.
  useLayoutEffect(() => {
    const isTall = fit.ply * depth + ROOM.top > size.height - foot - 24;
    if (view.zoom > 1 || isTall) look(follow(view, points[current], aboveFoot(size)));
  }, [current, depth, size.width, size.height]);
  useLayoutEffect(() => {
    const before = place.current;
    if (!before || before.layout === layout) return;
    if (held === null) return look(WHOLE);
    const zoom = Math.max(Math.min(before.scale, 1) / fit.scale, 1);
    const now = locate(fit, { ...WHOLE, zoom }, layout.places[held]);
    const moved = { zoom, x: zoom > 1 ? before.points[held].x - now.x : 0, y: view.y };
    // Its children are in the pane, and above all it is itself.
    const wanted = [below[held].at(0), below[held].at(-1), held].filter((node) => node !== undefined);
    return look(wanted.reduce((found, node) => follow(found, locate(fit, found, layout.places[node]), size), moved));
  }, [layout]);
  useLayoutEffect(() => { place.current = { layout, scale: fit.scale * view.zoom, points }; });

  const zoom = (factor, around = { x: size.width / 2, y: size.height / 2 }) => look(zoomAt(fit, view, factor, around));
  const focus = (node) => {
    svg.current.querySelector(`[data-node="${node}"]`)?.focus({ preventScroll: true });
    look(follow(view, points[node], size));
  };
  const pointOf = (event) => {
    const box = svg.current.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const nodeOf = ({ target }) => {
    const found = target.closest?.("[data-node]");
    return found && svg.current.contains(found) ? Number(found.dataset.node) : undefined;
  };

  function onKey(event) {
    if (event.key === "Escape") return mean(null);
    const from = nodeOf(event);
    if (from === undefined || hasModifier(event) || event.shiftKey) return undefined;
    const act = {
      "+": () => zoom(STEP), "=": () => zoom(STEP), "-": () => zoom(1 / STEP), 0: () => look(WHOLE),
      ...(choose ? { Enter: () => choose(from), " ": () => choose(from), Home: () => focus(0), End: () => focus(nodes.at(-1)) } : {}),
    }[event.key];
    if (!act && !event.key.startsWith("Arrow")) return undefined;
    event.preventDefault();
    if (act) return act();
    const next = nodeAfterKey(layout, below, nodes, from, event.key);
    return next === undefined ? undefined : focus(next);
  }

  function onPointerDown(event) {
    const node = nodeOf(event);
    wasDragged.current = false;
    if (event.button !== 0 || (grasp && node !== undefined)) return event.button === 0 && grasp(event, node);
    const start = pointOf(event);
    const move = (moved) => {
      const now = pointOf(moved);
      if (!wasDragged.current && Math.hypot(now.x - start.x, now.y - start.y) < 4) return;
      wasDragged.current = true;
      mean(null);
      drag(true);
      look({ ...view, x: view.x + now.x - start.x, y: view.y + now.y - start.y });
    };
    const drop = () => { window.removeEventListener("pointermove", move); drag(false); };
    window.addEventListener("pointermove", move);
    for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, drop, { once: true });
    return undefined;
  }

  const listeners = { // none for the focus, with which an SVG would take it itself
    onkeydown: onKey,
    onpointerdown: onPointerDown,
    // The arrow keys step on after a click, unless it chooses a node: then they go on from there.
    onmousedown: (event) => { event.preventDefault(); pane.current.focus({ preventScroll: true }); },
    onclick: (event) => {
      const node = nodeOf(event);
      if (wasDragged.current || node === undefined || !choose) return;
      focus(node);
      choose(node);
    },
    onpointermove: (event) => {
      if (!event.buttons && event.pointerType !== "touch") mean(nodeOf(event) ?? nearest(shown, pointOf(event)) ?? null);
    },
    onpointerleave: () => mean(null),
    onwheel: (event) => {
      if (!event.ctrlKey && !event.metaKey) return; // the page scrolls on
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / 300), pointOf(event));
    },
  };
  const onfocusin = (event) => {
    const node = nodeOf(event);
    if (node === undefined) return;
    setCursor(node);
    onfocus?.(node);
    mean(event.target.matches(":focus-visible") ? node : null);
  };
  return html`
    <div class="tree-pane ${isDragged ? "is-dragged" : ""}" tabindex="-1" ref=${pane} style=${isFitted ? { height: `${size.height}px` } : null}
      onfocusin=${onfocusin} onfocusout=${() => mean(null)}>
      <svg class="tree" role="tree" aria-label=${label} ref=${svg} ...${listeners}>
        <g aria-hidden="true">${shown.map((each) => parents.has(each.node) && html`<${Edge} key=${each.node} from=${at(parents.get(each.node))} to=${each} ...${edge(each.node)} />`)}</g>
        <g aria-hidden="true">${under(at, size)}</g>
        ${shown.map((each) => html`
          <g key=${each.node} class="node ${each.kind} ${each.node === meant ? "is-meant" : ""}" role="treeitem" data-node=${each.node}
            tabindex=${each.node === reachable ? 0 : -1} aria-label=${name(each.node)} aria-level=${layout.places[each.node].depth + 1}
            ...${amongSiblings(each.node, parents, below, nodes)} ...${state(each.node)}
            style=${{ transform: `translate(${round(each.x)}px, ${round(each.y)}px)` }}>
            ${each.kind === "hidden" || draw(each)}
          </g>`)}
        <g class="labels" aria-hidden="true">${over(at, size)}</g>
      </svg>
      ${info && nodes.includes(meant) && html`<${Beside} at=${at(meant)} cards=${shown} size=${size}>${info(meant)}<//>`}
      <div class="zoom row">
        <${Button} sign="plus" label="Zoom in (+)" kind="small" onclick=${() => zoom(STEP)} />
        <${Button} sign="minus" label="Zoom out (−)" kind="small" onclick=${() => zoom(1 / STEP)} />
        <${Button} sign="fit" label="Whole tree (0)" kind="small" onclick=${() => look(WHOLE)} />
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
  return html`<path class="edge ${kind} ${isCovered ? "is-covered" : ""}" d=${branch(from, to, from.height / 2, to.height / 2)} ...${more} />`;
}

/** The card of a node, for the eyes only: its name says the same. */
function Beside({ at, cards, size, children }) {
  const element = useRef();
  useLayoutEffect(() => {
    const { left, top } = freePlace(at, element.current.getBoundingClientRect(), cards, size);
    Object.assign(element.current.style, { left: `${left}px`, top: `${top}px` });
  });
  return html`<div class="info" aria-hidden="true" ref=${element}>${children}</div>`;
}

/** A node as a card: its move with the stone of the player, two lines of numbers, and its colour. */
export const Card = ({ width, height, heading, lines, color, stone, isEnd = false, mark = "" }) => html`
  <g class="card ${mark}">
    <rect class="box ${isEnd ? "is-end" : ""}" x=${-width / 2} y=${-height / 2} width=${width} height=${height} rx=${isEnd ? 0 : 6} fill=${color} />
    <image href=${stone} x=${round(-3.4 * heading.length - 8)} y="-18.5" width="11" height="11" />
    <text class="heading" x="7" y="-9">${heading}</text>
    ${lines.map((text, line) => html`<text class="number" y=${4 + 12.5 * line}>${text}</text>`)}
  </g>`;

/** A node where there is no room for a card: its move, or a dot in its colour. */
export const SmallNode = ({ kind, width, height, heading, color }) => kind === "dot"
  ? html`<circle class="dot" r=${round(width / 2)} fill=${color} />`
  : html`<rect class="box" x=${-width / 2} y=${-height / 2} width=${width} height=${height} rx="5" fill=${color} /><text class="heading" y="4">${heading}</text>`;

/** A scale of colours between the names of its ends. */
export const ValueBar = ({ low, colors, high }) =>
  html`${low} <i class="value-bar" style=${{ background: `linear-gradient(to right, ${colors.join(", ")})` }} /> ${high}`;

export const CARD_HEIGHT = 46;

/** The ways to show a node with a card as wide as `width`. */
export const kindsOf = (heading, width) => [
  { kind: "card", width, height: CARD_HEIGHT },
  { kind: "chip", width: 8 + 7 * heading.length, height: 18 },
];
