// The places of a tree's nodes on the screen, and which of them have room for a card.
// Pure functions; lengths are CSS pixels. Places come from phase_stepper.py: x from 0 to 1, and a depth.

const CARD = { height: 46, gap: 3 };
const DOT = { least: 2, most: 4.5 };
const MARGIN = { x: 12, top: 34, bottom: 64 };
const PLY = { least: 66, most: 150 };
const ZOOM = { least: 1, most: 40 };

/** The initial view of the tree in a pane of this size. */
function fitTree(places, size) {
  const depth = Math.max(...places.map((place) => place.depth), 1);
  const free = size.height - MARGIN.top - MARGIN.bottom - CARD.height / 2;
  return {
    left: MARGIN.x,
    width: Math.max(size.width - 2 * MARGIN.x, 1),
    top: MARGIN.top,
    ply: Math.min(Math.max(free / depth, PLY.least), PLY.most),
    depth,
    crowd: largestRow(places),
  };
}

function largestRow(places) {
  const rows = new Map();
  for (const { depth } of places) rows.set(depth, (rows.get(depth) ?? 0) + 1);
  return Math.max(...rows.values());
}

/** The size of the dots: small enough for the fullest row to fit side by side. */
const dotRadius = (fit, view) =>
  Math.min(Math.max((0.42 * fit.width * view.zoom) / fit.crowd, DOT.least), DOT.most);

/** The place of a node: the middle of its card or dot. */
const locate = (fit, view, place) => ({
  x: fit.left + fit.width * place.x * view.zoom + view.x,
  y: fit.top + fit.ply * place.depth * downwards(view.zoom) + view.y,
});

// A tree is wide, not deep: zooming in spreads it sideways, and only a little downwards.
const downwards = (zoom) => zoom ** 0.2;

const WHOLE_TREE = { zoom: 1, x: 0, y: 0 };

/** The view after zooming by `factor` so that what is at (x, y) stays there. */
function zoomAt(fit, view, factor, x, y) {
  const zoom = Math.min(Math.max(view.zoom * factor, ZOOM.least), ZOOM.most);
  const before = { x: (x - fit.left - view.x) / view.zoom, y: (y - fit.top - view.y) / downwards(view.zoom) };
  return {
    zoom,
    x: x - fit.left - before.x * zoom,
    y: y - fit.top - before.y * downwards(zoom),
  };
}

/** The view moved so far that every point is inside the pane, the last ones first. */
function follow(fit, view, points, size) {
  let { x, y } = view;
  const side = view.zoom > 1 ? 40 : 0; // the whole tree is as wide as the pane
  const inside = { left: side, right: size.width - side, top: MARGIN.top, bottom: size.height - MARGIN.bottom - CARD.height / 2 };
  for (const place of points) {
    const at = locate(fit, { ...view, x, y }, place);
    x += Math.max(inside.left - at.x, 0) - Math.max(at.x - inside.right, 0);
    y += Math.max(inside.top - at.y, 0) - Math.max(at.y - inside.bottom, 0);
  }
  return { ...view, x, y };
}

/** Where the middle of a card goes whose node is at `x`: beside it, if the pane ends there. */
function cardPlace(x, width, size) {
  const least = width / 2 + 3;
  if (x < least) return least + Math.min(x, 0);
  const most = size.width - least;
  return x > most ? most + Math.max(x - size.width, 0) : x;
}

/**
 * Where siblings at `xs` (ascending) go so that each has room for a card: as near to their places
 * as can be, the one at `fixed` staying at its own. Null where the pane is too narrow for them.
 */
function spread(xs, fixed, width, size) {
  const room = width + CARD.gap + 1;
  const least = width / 2 + 3;
  if ((xs.length - 1) * room > size.width - 2 * least) return null;
  const places = [...xs];
  for (let one = fixed - 1; one >= 0; one -= 1) places[one] = Math.min(xs[one], places[one + 1] - room);
  for (let one = fixed + 1; one < xs.length; one += 1) places[one] = Math.max(xs[one], places[one - 1] + room);
  // Nodes outside are moved in, and push their neighbours along.
  places.forEach((x, one) => { places[one] = Math.max(x, least + one * room); });
  for (let one = xs.length - 1; one >= 0; one -= 1)
    places[one] = Math.min(places[one], size.width - least - (xs.length - 1 - one) * room);
  return places;
}

/**
 * Which nodes get a card, of `nodes` ({node, group, depth, x, cardX, width, weight, isNeeded,
 * isCompared}). Those that are needed come first and get one in any case. Of the others whole
 * groups of siblings do, the heaviest first, where they cover neither a card nor a dot; but a row
 * that would have cards here and there only keeps its dots. What a card covers is hidden.
 */
function chooseCards(nodes) {
  const rows = new Map(); // depth -> its nodes
  for (const one of nodes) rows.set(one.depth, [...(rows.get(one.depth) ?? []), one]);
  const cards = new Set();
  const hidden = new Set();
  for (const row of rows.values()) {
    const placed = row.filter((one) => one.isNeeded);
    const groups = new Map();
    for (const one of row) if (!one.isNeeded) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
    const free = [];
    const weight = (group) => Math.max(...group.map((one) => one.weight));
    for (const group of [...groups.values()].sort((one, other) => weight(other) - weight(one))) {
      const others = row.filter((one) => !group.includes(one) && !placed.includes(one));
      const isFree = (one) =>
        placed.every((card) => card === one || !overlap(one, card)) &&
        group.every((mate) => mate === one || !overlap(one, mate)) &&
        others.every((dot) => !covers(one, dot));
      if (!group.every(isFree)) continue;
      placed.push(...group);
      free.push(...group);
    }
    const isRowOfCards = 2 * free.length >= row.filter((one) => !one.isNeeded).length;
    const shown = placed.filter((one) => one.isNeeded || one.isCompared || isRowOfCards);
    for (const one of shown) cards.add(one.node);
    for (const one of row)
      if (!cards.has(one.node) && shown.some((card) => covers(card, one))) hidden.add(one.node);
  }
  return { cards, hidden };
}

const overlap = (one, other) =>
  Math.abs(one.cardX - other.cardX) < (one.width + other.width) / 2 + CARD.gap;
const covers = (card, dot) => Math.abs(card.cardX - dot.x) < card.width / 2 + DOT.most + 1;

/** The nearest of `points` ({node, x, y}) to a place, no farther than `reach`; null if none. */
function nearest(points, x, y, reach) {
  let best = null;
  let bestDistance = reach;
  for (const point of points) {
    const distance = Math.hypot(point.x - x, point.y - y);
    if (distance <= bestDistance) [best, bestDistance] = [point.node, distance];
  }
  return best;
}

/** A branch from a parent down to its child, from card to card. */
function branch(from, to, fromHalf, toHalf) {
  const top = from.y + fromHalf;
  const bottom = to.y - toHalf;
  const bend = (bottom - top) * 0.5;
  const lean = from.x + (to.x - from.x) * 0.45; // branches part at once, and arrive upright
  return `M${round(from.x)} ${round(top)}C${round(lean)} ${round(top + bend * 0.6)} ${round(to.x)} ${round(bottom - bend)} ${round(to.x)} ${round(bottom)}`;
}

const round = (length) => Math.round(length * 10) / 10;

/** Where a hover card of `box` goes beside `at`, inside a pane of `size`. */
function besides(at, box, size) {
  const gap = 14;
  const right = at.x + gap + box.width <= size.width;
  const left = right ? at.x + gap : Math.max(at.x - gap - box.width, 0);
  const top = Math.min(Math.max(at.y - box.height / 2, 0), Math.max(size.height - box.height, 0));
  return { left, top };
}
