// A board made of the pieces of board_view.py, which can show any position at once.

import { SVG, cornerOf, parseSvg, s } from "./common.js";
import { html, useLayoutEffect, useRef } from "./ui.js";
import { render as mount } from "./vendor/preact.js";

const EMPTY_SIGN = ".";

/** {element, under, show({stones, last, winning or line})}: a picture of a board, empty at first; `under` is a group below its stones. */
function makeBoard(pieces) {
  const element = parseSvg(pieces.bare);
  element.removeAttribute("width");
  element.removeAttribute("height");
  const [stoneLayer, lastLayer, lineLayer] = [0, 1, 2].map(() => s("g", { class: "pieces" }));
  const layers = pieces.is_last_move_below ? [lastLayer, stoneLayer] : [stoneLayer, lastLayer];
  const under = s("g");
  element.append(under, ...layers, lineLayer);
  const shown = new Map(); // square -> {sign, piece}

  function place(piece, square) {
    const { x, y } = cornerOf(pieces, square);
    const size = { x, y, width: pieces.square, height: pieces.square };
    for (const [name, value] of Object.entries(size)) piece.setAttribute(name, value);
    for (const name of ["role", "aria-label"]) piece.removeAttribute(name);
    return piece;
  }

  function showStone(square, sign) {
    const before = shown.get(square);
    if (before?.sign === sign) return;
    before?.piece.remove();
    shown.delete(square);
    if (sign === EMPTY_SIGN) return;
    const piece = place(parseSvg(pieces.stones[Number(sign)]), square);
    piece.classList.add("stone", before ? "is-turned" : "is-new");
    for (const part of piece.querySelectorAll("[data-player]")) part.removeAttribute("data-player");
    Object.assign(piece.dataset, { square, player: sign });
    shown.set(square, { sign, piece });
    stoneLayer.append(piece);
  }

  function show({ stones, last = null, winning = [], line = pieces.winning_lines?.[winning.join(",")] }) {
    stones.forEach((sign, square) => showStone(square, sign));
    lastLayer.replaceChildren(...(last === null ? [] : [place(parseSvg(pieces.last_move), last)]));
    lineLayer.replaceChildren(...(line ? [...parseSvg(`<svg xmlns="${SVG}">${line}</svg>`).childNodes] : []));
  }

  return { element, under, show };
}

// Heat: the numbers of a search

/** Four characters at most, so that it fits into a square. */
function heatText(number, isShare) {
  if (isShare) return `${(100 * number).toFixed(number > 0 && number < 0.0995 ? 1 : 0)}%`;
  if (number < 9_999.5) return number >= 10 || number % 1 === 0 ? number.toFixed(0) : number.toFixed(1);
  return number < 999_500 ? `${(number / 1e3).toFixed(0)}k` : `${(number / 1e6).toFixed(1)}M`;
}

/** The colours and numbers of squares, from the trait `heat` of a board. */
export function Heat({ look, stones, heat: { scale, squares = [] } }) {
  const colors = look.scales[scale];
  const numbers = squares.map(([, number]) => number);
  const endsAtOne = scale !== "amount";
  const most = endsAtOne ? 1 : Math.max(0, ...numbers);
  const isShare = endsAtOne || (most <= 1 && numbers.some((number) => number % 1));
  const { side, round, font } = look.heat;
  const margin = (look.square - side) / 2;
  return html`<g ...${font} text-anchor="middle">${squares.map(([square, number]) => {
    const { x, y } = cornerOf(look, square);
    const [fill, ink] = colors[Math.round((most ? number / most : 0) * (colors.length - 1))];
    return html`<g key=${square}>
      <rect data-heat=${square} x=${x + margin} y=${y + margin} width=${side} height=${side} rx=${round} fill=${fill} stroke="#ffffff" />
      ${stones[square] === "." && html`<text x=${x + look.square / 2} y=${y + look.square / 2} dy="0.36em" fill=${ink}>${heatText(number, isShare)}</text>`}
    </g>`;
  })}</g>`;
}

/** A ring that is seen on stones and wood alike. */
export const Ring = ({ shape, ...place }) => html`
  <${shape} ...${place} fill="none" stroke="#ffffff" stroke-width="5.5" data-hint=${null} />
  <${shape} ...${place} fill="none" stroke="#0072b2" stroke-width="3" stroke-dasharray="6 3.5" class="ring" />`;

/** The stones in words: "Black: a1, c2; White: none". */
function inWords({ names }, players, { stones }) {
  const squaresOf = (player) => names.filter((_, square) => stones[square] === String(player));
  return players.map((name, player) => `${name}: ${squaresOf(player).join(", ") || "none"}`).join("; ");
}

/** A board as a part of a view: {stones, last, winning} of the position, the names of the players, and what is drawn below the stones. */
export function Board({ pieces, position, players, under, ...more }) {
  const [element, board] = [useRef(), useRef()];
  useLayoutEffect(() => {
    board.current ??= makeBoard(pieces);
    if (!board.current.element.isConnected) element.current.append(board.current.element);
    board.current.show(position);
    if (under) mount(under, board.current.under);
    board.current.element.setAttribute("aria-label", inWords(pieces, players, position));
  });
  return html`<div ref=${element} ...${more} />`;
}

/** A stone of each player as the address of a picture, with an outline that is seen in small ones. */
export function stoneImages(pieces) {
  return pieces.stones.map((stone) => {
    const element = parseSvg(stone);
    for (const outline of element.querySelectorAll("circle")) outline.setAttribute("stroke-width", 4);
    return `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(element))}`;
  });
}
