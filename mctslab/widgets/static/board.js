// The interactive layer over the picture of a board.
//
// Python draws the position (the trait `picture`). This file puts it on the page and adds a second
// drawing on top with everything a person needs to choose a square: hover, focus, names, motion.

// Geometry: pure functions of the shape {rows, cols, style, width, height}, and what cornerOf needs

const rowOf = (shape, square) => Math.floor(square / shape.cols);
const colOf = (shape, square) => square % shape.cols;

/** The part of a square that no other row covers: hexagons reach into the rows beside theirs. */
function middleOf(shape, square) {
  const { x, y } = cornerOf(shape, square);
  return { x, y: y + (shape.square - shape.row_height) / 2 };
}

/** Where a stone goes when `square` is chosen: in a DROP board to the free place of its column. */
function targetOf(shape, legalSquares, square) {
  if (shape.style !== "drop" || legalSquares.includes(square)) return square;
  const inColumn = (legal) => colOf(shape, legal) === colOf(shape, square);
  return legalSquares.find(inColumn) ?? square;
}

/** The square to which a key leads; undefined for a key that leads nowhere. */
function squareAfterKey(shape, square, key) {
  const row = rowOf(shape, square);
  const col = colOf(shape, square);
  const at = (newRow, newCol) =>
    Math.min(Math.max(newRow, 0), shape.rows - 1) * shape.cols +
    Math.min(Math.max(newCol, 0), shape.cols - 1);
  switch (key) {
    case "ArrowUp": return at(row - 1, col);
    case "ArrowDown": return at(row + 1, col);
    case "ArrowLeft": return at(row, col - 1);
    case "ArrowRight": return at(row, col + 1);
    case "Home": return at(row, 0);
    case "End": return at(row, shape.cols - 1);
    case "PageUp": return at(0, col);
    case "PageDown": return at(shape.rows - 1, col);
  }
}

// Drawing

/** The transparent squares that take clicks and focus: rows of cells, as ARIA requires for a grid. */
function makeGrid(shape) {
  const rows = [];
  for (let row = 0; row < shape.rows; row++) {
    const cells = [];
    for (let col = 0; col < shape.cols; col++) {
      const square = row * shape.cols + col;
      cells.push(s("rect", {
        ...middleOf(shape, square),
        width: shape.square,
        height: shape.row_height,
        rx: 4,
        role: "gridcell",
        tabindex: -1,
        "data-square": square,
      }));
    }
    rows.push(s("g", { role: "row" }, ...cells));
  }
  return s("g", { class: "cells" }, ...rows);
}

/** Which player's stone is on which square of a picture. */
function stonesIn(picture) {
  const stones = new Map();
  for (const stone of picture?.querySelectorAll("[data-player]") ?? [])
    stones.set(Number(stone.dataset.square), stone.dataset.player);
  return stones;
}

// Motion: a stone that is new falls or appears, one that changed its colour turns over

const FALL_MS_A_ROW = 55;

function motionOf(shape, square, before, now) {
  if (before !== undefined) return { name: "turns", ms: 260 };
  if (shape.style !== "drop") return { name: "appears", ms: 160 };
  return { name: "falls", ms: 120 + FALL_MS_A_ROW * rowOf(shape, square) };
}

function moveStone(shape, picture, square, { name, ms, since }) {
  const stone = picture.querySelector(`[data-player][data-square="${square}"]`);
  const age = performance.now() - since;
  if (!stone || age >= ms) return;
  const parts = [stone];
  // An element after the stone without a square of its own is drawn on it: its ring.
  for (let next = stone.nextElementSibling; next && !("square" in next.dataset) &&
       next.tagName === "circle" && !("last" in next.dataset); next = next.nextElementSibling)
    parts.push(next);
  parts.push(...picture.querySelectorAll(`circle[data-last="${square}"]`));
  const { x, y } = cornerOf(shape, square);
  const moving = s("g", { class: `stone-${name}` });
  moving.style.setProperty("--ms", `${ms}ms`);
  moving.style.setProperty("--age", `${-age}ms`); // a picture drawn again goes on where it was
  moving.style.setProperty("--fall", `${-(y - shape.top + shape.square)}px`);
  moving.style.transformOrigin = `${x + shape.square / 2}px ${y + shape.square / 2}px`;
  const place = name === "falls" ? s("g", { "clip-path": clipToColumn(shape, picture, square) }) : moving;
  stone.before(place);
  if (place !== moving) place.append(moving);
  moving.append(...parts);
}

/** A disc falls behind the frame, so it is visible only through the holes of its column. */
function clipToColumn(shape, picture, square) {
  const id = newId();
  const holes = [];
  for (let at = colOf(shape, square); at <= square; at += shape.cols) {
    const { x, y } = cornerOf(shape, at);
    const half = shape.square / 2;
    holes.push(s("circle", { cx: x + half, cy: y + half, r: 0.43 * shape.square }));
  }
  picture.append(s("clipPath", { id }, ...holes));
  return `url(#${id})`;
}

function render({ model, el, signal }) {
  const picture = h("div", { class: "picture", "aria-hidden": "true" });
  const marks = s("g", { class: "marks" });
  const overlay = s("svg", { role: "grid", class: "overlay" });
  const root = h("div", { class: "mctslab-board" }, picture, overlay);
  el.append(root);

  const motions = new Map(); // square -> {name, ms, since}
  let cells = [];
  let current = 0; // the square that the Tab key leads to
  let hovered = null;
  let drawnShape = null;

  const squares = () => model.get("squares");
  const shape = () => squares().shape;
  const cell = (square) => cells[square];
  const target = (square) => targetOf(shape(), squares().legal, square);

  function drawGrid() {
    drawnShape = shape();
    const { width, height, rows, cols } = shape();
    overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
    overlay.setAttribute("aria-rowcount", rows);
    overlay.setAttribute("aria-colcount", cols);
    root.style.setProperty("--natural-width", `${Math.min(Math.max(1.4 * width, 360), 600)}px`);
    root.style.aspectRatio = `${width} / ${height}`;
    const grid = makeGrid(shape());
    cells = [...grid.querySelectorAll("rect")];
    overlay.replaceChildren(marks, grid);
    setCurrent(squares().last ?? squares().legal[0] ?? 0);
  }

  function drawPicture() {
    const before = stonesIn(picture.firstElementChild);
    const drawn = parseSvg(model.get("picture"));
    const now = stonesIn(drawn);
    if (picture.firstElementChild) noteMotions(before, now);
    for (const [square, motion] of motions) moveStone(shape(), drawn, square, motion);
    picture.replaceChildren(drawn);
  }

  function noteMotions(before, now) {
    const since = performance.now();
    for (const [square, motion] of motions)
      if (since - motion.since > motion.ms) motions.delete(square);
    // A position that was set up elsewhere, or an undo, is not a move: show it at once.
    const added = [...now.keys()].filter((square) => !before.has(square));
    const isMove = added.length <= 1 && [...before.keys()].every((square) => now.has(square));
    if (!isMove) return motions.clear();
    for (const [square, player] of now)
      if (before.get(square) !== player)
        motions.set(square, { ...motionOf(shape(), square, before.get(square)), since });
  }

  function drawMarks() {
    marks.replaceChildren();
    const { hint, ghost: stone, legal } = squares();
    if (hint !== null) {
      const { x, y } = cornerOf(shape(), hint);
      const half = shape().square / 2;
      const ring = { cx: x + half, cy: y + half, r: 0.4 * shape().square };
      marks.append(
        s("circle", { ...ring, class: "hint-casing" }),
        s("circle", { ...ring, class: "hint", "data-hint": hint }),
      );
    }
    const square = hovered === null ? null : target(hovered);
    if (square !== null && stone && legal.includes(square)) {
      const ghost = parseSvg(stone);
      const { x, y } = cornerOf(shape(), square);
      const size = shape().square;
      for (const [name, value] of Object.entries({ x, y, width: size, height: size, class: "ghost" }))
        ghost.setAttribute(name, value);
      ghost.removeAttribute("role");
      ghost.removeAttribute("aria-label");
      marks.append(ghost);
    }
  }

  function describe() {
    const { labels, hint } = squares();
    const legal = new Set(squares().legal);
    cells.forEach((element, square) => {
      const label = labels[square] + (square === hint ? ", hint" : "");
      if (element.getAttribute("aria-label") !== label) element.setAttribute("aria-label", label);
      element.classList.toggle("open", legal.has(target(square)));
    });
    overlay.setAttribute("aria-label", model.get("title"));
  }

  function setCurrent(square) {
    cell(current)?.setAttribute("tabindex", -1);
    current = square;
    cell(square)?.setAttribute("tabindex", 0);
  }

  function choose(square) {
    tell(model, { chosen: target(square), move_number: squares().move_number });
  }

  const squareOf = (event) =>
    event.target.dataset?.square === undefined ? null : Number(event.target.dataset.square);

  overlay.addEventListener("click", (event) => {
    const square = squareOf(event);
    if (square === null) return;
    setCurrent(square);
    choose(square);
  });
  overlay.addEventListener("keydown", (event) => {
    if (hasModifier(event) || squareOf(event) === null) return;
    const next = squareAfterKey(shape(), current, event.key);
    if (next !== undefined) {
      setCurrent(next);
      cell(next).focus();
    } else if (event.key === "Enter" || event.key === " ") choose(current);
    else return;
    event.preventDefault();
  });
  const hover = (square) => {
    hovered = square;
    drawMarks();
  };
  overlay.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "touch") hover(squareOf(event));
  });
  overlay.addEventListener("pointerleave", () => hover(null));
  // On the root, because a drawing that listens for focus would become a Tab stop itself.
  root.addEventListener("focusin", (event) => {
    if (event.target.matches(":focus-visible")) hover(squareOf(event));
  });
  root.addEventListener("focusout", () => hover(null));
  keepKeysFromTheNotebook(root, signal);

  model.on("change:squares", () => {
    if (JSON.stringify(drawnShape) !== JSON.stringify(shape())) {
      motions.clear();
      picture.replaceChildren(); // what is drawn next is no move
      drawGrid();
      drawPicture();
    }
    update();
  });
  model.on("change:picture", drawPicture);
  model.on("change:title", update);

  function update() {
    describe();
    drawMarks();
  }

  drawGrid();
  drawPicture();
  update();
}

export default { render };
