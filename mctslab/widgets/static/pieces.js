// A board made of the pieces of board_view.py, which can show any position at once.

import { cornerOf, parseSvg } from "./common.js";
import { html, useLayoutEffect, useRef } from "./ui.js";
import { percent } from "./words.js";

const EMPTY = ".";

/** A picture of Python's as a part of another one. */
export const Piece = ({ svg, ...more }) => {
  const place = useRef();
  useLayoutEffect(() => {
    const picture = parseSvg(svg);
    place.current.setAttribute("viewBox", picture.getAttribute("viewBox"));
    place.current.replaceChildren(...picture.childNodes);
  }, [svg]);
  return html`<svg ref=${place} ...${more} />`;
};

// Heat: the numbers of a search

/** Four characters at most, so that it fits into a square. */
function heatText(number, isShare) {
  if (isShare) return percent(number);
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
      <rect data-heat=${square} x=${x + margin} y=${y + margin} width=${side} height=${side} rx=${round}
        fill=${fill} stroke="#ffffff" />
      ${stones[square] === EMPTY && html`
        <text x=${x + look.square / 2} y=${y + look.square / 2} dy="0.36em" fill=${ink}>
          ${heatText(number, isShare)}
        </text>`}
    </g>`;
  })}</g>`;
}

/** A ring that is seen on stones and wood alike. */
export const Ring = ({ shape, ...place }) => html`
  <${shape} ...${place} fill="none" stroke="#ffffff" stroke-width="5.5" data-hint=${null} />
  <${shape} ...${place} fill="none" stroke="#0072b2" stroke-width="3" stroke-dasharray="6 3.5" class="ring" />`;

/** A stroke through each line that won, and a ring where a square is in none. */
function Win({ pieces, winning }) {
  const middle = (square) => Object.values(cornerOf(pieces, square)).map((edge) => edge + pieces.square / 2);
  const shape = (squares) => {
    const [[x, y]] = squares.map(middle);
    return squares.length > 1 ? html`<path d="M${squares.map((each) => middle(each).join(" ")).join("L")}" />`
      : html`<circle cx=${x} cy=${y} r=${0.3 * pieces.square} />`;
  };
  return html`<g data-win=${winning.length} fill="none" stroke-linecap="round" stroke-linejoin="round">
    ${[7, 4].map((width, place) => html`
      <g stroke=${pieces.win[place]} stroke-width=${width}>${winning.map(shape)}</g>`)}
  </g>`;
}

/** The stones in words: "Black: a1, c2; White: none". */
function inWords({ names }, players, { stones }) {
  const squaresOf = (player) => names.filter((_, square) => stones[square] === String(player));
  return players.map((name, player) => `${name}: ${squaresOf(player).join(", ") || "none"}`).join("; ");
}

/**
 * A board as a part of a view: {stones, last, winning lines, or a picture} of the position, the names of the players,
 * and what is drawn below the stones. Each square has a group of its own: a stone that was
 * moved on the page would appear again, though it has been there all the time.
 */
export function Board({ pieces, position, players, under, ...more }) {
  const { stones, last = null, winning = [] } = position;
  const bare = position.picture ?? pieces.bare;
  const [, viewBox] = /viewBox="([^"]*)"/.exec(bare);
  const at = (square) => ({ ...cornerOf(pieces, square), width: pieces.square, height: pieces.square });
  const mark = last !== null && html`<${Piece} svg=${pieces.last_move} ...${at(last)} />`;
  const stone = (sign, square) => html`
    <${Piece} key=${sign} class="stone" data-square=${square} data-player=${sign}
      svg=${pieces.stones[sign]} ...${at(square)} />`;
  return html`
    <div ...${more}>
      <svg viewBox=${viewBox} role="img" aria-label=${inWords(pieces, players, position)}>
        <${Piece} svg=${bare} />${under}${pieces.is_last_move_below && mark}
        ${[...stones].map((sign, square) => html`<g>${sign !== EMPTY && stone(sign, square)}</g>`)}
        ${pieces.is_last_move_below || mark}${winning.length > 0 && html`<${Win} ...${{ pieces, winning }} />`}
      </svg>
    </div>`;
}

/** A stone of each player as the address of a picture, with an outline that is seen in small ones. */
export function stoneImages(pieces) {
  return pieces.stones.map((stone) => {
    const element = parseSvg(stone);
    for (const outline of element.querySelectorAll("circle")) outline.setAttribute("stroke-width", 4);
    return `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(element))}`;
  });
}
