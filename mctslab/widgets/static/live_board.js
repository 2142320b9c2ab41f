// A board to click on: a picture, the numbers of a search under its stones, and on top a second
// drawing with everything that a person needs to choose a square: hover, focus, names.

import { html, useMemo, useRef, useState } from "./ui.js";
import { cornerOf, hasModifier, newId } from "./common.js";
import { Board, Heat, Piece, Ring } from "./pieces.js";

// Geometry: pure functions of the look of the board {rows, cols, style, ...}, and what cornerOf needs

const rowOf = (look, square) => Math.floor(square / look.cols);
const colOf = (look, square) => square % look.cols;

/** Where a stone goes when `square` is chosen: in a DROP board to the free place of its column. */
function targetOf(look, legalSquares, square) {
  if (look.style !== "drop" || legalSquares.includes(square)) return square;
  const inColumn = (legal) => colOf(look, legal) === colOf(look, square);
  return legalSquares.find(inColumn) ?? square;
}

/** The squares to which the keys lead. */
function squaresByKey(look, square) {
  const row = rowOf(look, square);
  const col = colOf(look, square);
  const at = (newRow, newCol) =>
    Math.min(Math.max(newRow, 0), look.rows - 1) * look.cols +
    Math.min(Math.max(newCol, 0), look.cols - 1);
  return {
    ArrowUp: at(row - 1, col), ArrowDown: at(row + 1, col), ArrowLeft: at(row, col - 1), ArrowRight: at(row, col + 1),
    Home: at(row, 0), End: at(row, look.cols - 1), PageUp: at(0, col), PageDown: at(look.rows - 1, col),
  };
}

/** Dots on the squares that can be chosen, under the stones. */
const LegalDots = ({ look, legal, heat: { squares = [] } }) => legal
  .filter((square) => !squares.some(([hot]) => hot === square))
  .map((square) => {
    const { x, y } = cornerOf(look, square);
    const half = look.square / 2;
    return html`<circle key=${square} data-legal=${square} cx=${x + half} cy=${y + half} ...${look.legal} />`;
  });

// The layer on top

/** The transparent squares that take clicks and focus: rows of cells, as ARIA requires for a grid. */
function Cells({ look, position, current }) {
  const legal = new Set(position.legal);
  const cell = (square) => {
    const { x, y } = cornerOf(look, square);
    const words = [
      look.names[square],
      position.stones[square] === "." ? "empty" : look.player_names[position.stones[square]],
      legal.has(square) && "legal move",
      square === position.last && "last move",
      position.winning.flat().includes(square) && "winning line",
      square === position.hint && "hint",
    ];
    // Hexagons reach into the rows beside theirs: the cell is the part that no other row covers.
    return html`<rect role="gridcell" data-square=${square} tabindex=${square === current ? 0 : -1}
      aria-label=${words.filter(Boolean).join(", ")}
      class=${legal.has(targetOf(look, position.legal, square)) ? "open" : null}
      x=${x} y=${y + (look.square - look.row_height) / 2} width=${look.square} height=${look.row_height} rx="4" />`;
  };
  const rows = Array.from({ length: look.rows }, (_, row) => row);
  const cols = Array.from({ length: look.cols }, (_, col) => col);
  const row = (number) => html`<g role="row">${cols.map((col) => cell(number * look.cols + col))}</g>`;
  return html`<g class="cells">${rows.map(row)}</g>`;
}

/** The ring around the square of a hint, and the stone under the mouse. */
function Marks({ look, position: { hint = null, legal, mover }, hovered }) {
  const middle = (square) => {
    const { x, y } = cornerOf(look, square);
    return { cx: x + look.square / 2, cy: y + look.square / 2 };
  };
  const chosen = hovered === null ? null : targetOf(look, legal, hovered);
  return html`<g class="marks">
    ${hint !== null && html`<${Ring} shape="circle" ...${middle(hint)} r=${0.4 * look.square} data-hint=${hint} />`}
    ${chosen !== null && mover !== null && legal.includes(chosen) && html`
      <${Piece} class="ghost" svg=${look.stones[mover]} ...${cornerOf(look, chosen)}
        width=${look.square} height=${look.square} />`}
  </g>`;
}

function Shown({ look, position, heat, title, choose }) {
  const overlay = useRef();
  const [current, setCurrent] = useState(position.last ?? position.legal[0] ?? 0); // where the Tab key leads
  const [hovered, hover] = useState(null);
  const picture = useMemo(() => html`
    <${Board} class="picture" aria-hidden="true" pieces=${look} position=${position} players=${look.player_names}
      under=${html`
        <${Heat} look=${look} stones=${position.stones} heat=${heat} />
        <${LegalDots} look=${look} legal=${position.mark_legal ? position.legal : []} heat=${heat} />`} />`,
  [position, heat]);
  const cells = useMemo(
    () => html`<${Cells} look=${look} position=${position} current=${current} />`, [position, current]);
  const squareOf = ({ target }) => (target.dataset?.square === undefined ? null : Number(target.dataset.square));
  const pick = (square) => { if (square !== null) choose(targetOf(look, position.legal, square)); };
  function pressed(event) {
    const square = squareOf(event);
    if (hasModifier(event) || event.defaultPrevented || square === null) return;
    const next = squaresByKey(look, square)[event.key];
    if (next !== undefined) overlay.current.querySelector(`[data-square="${next}"]`).focus();
    else if (event.key === "Enter" || event.key === " ") pick(square);
    else return;
    event.preventDefault();
  }
  function focused(event) {
    if (squareOf(event) !== null) setCurrent(squareOf(event));
    if (event.target.matches(":focus-visible")) hover(squareOf(event));
  }
  const { width, height } = look;
  const natural = Math.min(Math.max(1.4 * width, 360), 600);
  const size = { "--natural-width": `${natural}px`, aspectRatio: `${width} / ${height}` };
  // The focus is noted out here, because a drawing that listens for it would become a Tab stop itself.
  return html`
    <div class="mctslab-board" style=${size} onfocusin=${focused} onfocusout=${() => hover(null)}>
      ${picture}
      <svg role="grid" class="overlay" ref=${overlay} viewBox="0 0 ${width} ${height}"
        aria-label=${title} aria-rowcount=${look.rows} aria-colcount=${look.cols}
        onclick=${(event) => pick(squareOf(event))} onkeydown=${pressed} onpointerleave=${() => hover(null)}
        onpointerover=${(event) => event.pointerType !== "touch" && hover(squareOf(event))}>
        <${Marks} look=${look} position=${position} hovered=${hovered} />
        ${cells}
      </svg>
    </div>`;
}

/**
 * The board of `look`, as Python writes it down, and on it a `position` {stones, last, winning, legal, mover,
 * mark_legal, hint}. `choose` is called with each square that is clicked, legal or not.
 */
export function LiveBoard({ look, ...more }) {
  const key = useMemo(newId, [look]); // another board is another drawing
  return html`<${Shown} key=${key} look=${look} ...${more} />`;
}
