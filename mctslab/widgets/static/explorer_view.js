// The place of a drawn tree in its pane. Pure functions; `box` is the drawing's, in its own units.

const SCALE = { natural: 4 / 3, readable: 0.8, least: 0.2, most: 3 };
const EDGE = 12; // between the drawing and the edge of the pane

/** The view {scale, x, y} that shows the drawing as large as needed to read it, around `root`. */
function fitDrawing(box, size, root) {
  const wanted = (size.width - 2 * EDGE) / box.width;
  const scale = clamp(wanted, SCALE.readable, SCALE.natural);
  const free = size.width - box.width * scale;
  const x = free >= 0
    ? free / 2 - box.x * scale
    : clamp(size.width / 2 - root.x * scale, size.width - EDGE - (box.x + box.width) * scale, EDGE - box.x * scale);
  return { scale, x, y: EDGE - box.y * scale };
}

/** The view that shows all of the drawing, however small. */
function showAll(box, size) {
  const across = (size.width - 2 * EDGE) / box.width;
  const down = (size.height - 2 * EDGE) / box.height;
  const scale = clamp(Math.min(across, down), SCALE.least, SCALE.natural);
  return { scale, x: (size.width - box.width * scale) / 2 - box.x * scale, y: EDGE - box.y * scale };
}

/** {x, y, width, height} around all the points of outlines as Graphviz writes them. */
function boxAround(outlines) {
  const numbers = outlines.flatMap((text) => text.match(/-?\d+(\.\d+)?/g).map(Number));
  const xs = numbers.filter((_, place) => place % 2 === 0);
  const ys = numbers.filter((_, place) => place % 2 === 1);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

const middle = (box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });

const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

/** A point of the drawing on the screen. */
const onScreen = ({ scale, x, y }, point) => ({ x: point.x * scale + x, y: point.y * scale + y });

/** The view after zooming so that what is at `at` on the screen stays there. */
function zoomDrawing(view, factor, at) {
  const scale = clamp(view.scale * factor, SCALE.least, SCALE.most);
  return holdPoint(scale, { x: (at.x - view.x) / view.scale, y: (at.y - view.y) / view.scale }, at);
}

/** The view in which `point` of the drawing is at `at` on the screen. */
const holdPoint = (scale, point, at) => ({ scale, x: at.x - point.x * scale, y: at.y - point.y * scale });

/** The node to which a key leads in a tree of {parent, is_unfolded}, listed with parents first. */
function nodeAfterKey(nodes, at, key) {
  const children = (parent) => nodes.flatMap((node, place) => (node.parent === parent ? [place] : []));
  const row = nodes.flatMap((node, place) => (node.depth === nodes[at].depth ? [place] : []));
  switch (key) {
    case "ArrowUp": return nodes[at].parent ?? at;
    case "ArrowDown": return children(at)[0] ?? at;
    case "ArrowLeft": return row[row.indexOf(at) - 1] ?? at;
    case "ArrowRight": return row[row.indexOf(at) + 1] ?? at;
    case "Home": return 0;
    case "End": return nodes.length - 1;
  }
}
