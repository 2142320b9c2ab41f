// A board made of the pieces of board_view.py, which can show any position at once.

import { SVG, cornerOf, parseSvg, s } from "./common.js";
import { html, useLayoutEffect, useRef } from "./ui.js";

const EMPTY_SIGN = ".";

/** {element, show({stones, last, winning})}: a picture of a board, empty at first. */
export function makeBoard(pieces) {
  const element = parseSvg(pieces.bare);
  element.removeAttribute("width");
  element.removeAttribute("height");
  const [stoneLayer, lastLayer, lineLayer] = [0, 1, 2].map(() => s("g", { class: "pieces" }));
  const layers = pieces.is_last_move_below ? [lastLayer, stoneLayer] : [stoneLayer, lastLayer];
  element.append(...layers, lineLayer);
  const shown = new Map(); // square -> {sign, piece}

  function place(piece, square) {
    const { x, y } = cornerOf(pieces, square);
    const size = { x, y, width: pieces.square, height: pieces.square };
    for (const [name, value] of Object.entries(size)) piece.setAttribute(name, value);
    for (const name of ["role", "aria-label"]) piece.removeAttribute(name);
    return piece;
  }

  function showStone(square, sign) {
    if (shown.get(square)?.sign === sign) return;
    shown.get(square)?.piece.remove();
    shown.delete(square);
    if (sign === EMPTY_SIGN) return;
    const piece = place(parseSvg(pieces.stones[Number(sign)]), square);
    piece.classList.add("stone");
    for (const part of piece.querySelectorAll("[data-player]")) part.removeAttribute("data-player");
    Object.assign(piece.dataset, { square, player: sign });
    shown.set(square, { sign, piece });
    stoneLayer.append(piece);
  }

  function show({ stones, last = null, winning = [] }) {
    stones.forEach((sign, square) => showStone(square, sign));
    lastLayer.replaceChildren(...(last === null ? [] : [place(parseSvg(pieces.last_move), last)]));
    const line = pieces.winning_lines[winning.join(",")];
    lineLayer.replaceChildren(...(line ? [...parseSvg(`<svg xmlns="${SVG}">${line}</svg>`).childNodes] : []));
  }

  return { element, show };
}

/** The stones in words: "Black: a1, c2; White: none". */
function inWords({ names }, players, { stones }) {
  const squaresOf = (player) => names.filter((_, square) => stones[square] === String(player));
  return players.map((name, player) => `${name}: ${squaresOf(player).join(", ") || "none"}`).join("; ");
}

/** The same as a part of a view: {stones, last, winning} of the position, and the names of the players. */
export function Board({ pieces, position, players, ...more }) {
  const [element, board] = [useRef(), useRef()];
  useLayoutEffect(() => {
    board.current ??= makeBoard(pieces);
    if (!board.current.element.isConnected) element.current.append(board.current.element);
    board.current.show(position);
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
