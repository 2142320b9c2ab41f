// A convolution by hand: a filter of 3 x 3 weights is dragged over a plane, and the sum around each
// square that it has been on is filled into a map. No message goes to the kernel.

import { onKeys } from "./common.js";
import { Button, Menu, change, html, useRef, useTraits, widget } from "./ui.js";
import { plural } from "./words.js";

const SIDE = 26;
const LABELS = 18;
const NINE = Array.from({ length: 9 }, (_, place) => [Math.floor(place / 3) - 1, (place % 3) - 1]);
const PLACES = ["top left", "top", "top right", "left", "middle", "right", "bottom left", "bottom", "bottom right"];

const written = (number) => String(number).replace("-", "−");

/** The nine numbers around a square, row by row; off the board they are 0. */
export function around(plane, cols, square) {
  const [row, col] = [Math.floor(square / cols), square % cols];
  return NINE.map(([down, right]) => {
    const isOff = row + down < 0 || (row + down) * cols >= plane.length || col + right < 0 || col + right >= cols;
    return isOff ? 0 : plane[(row + down) * cols + col + right];
  });
}

const sumAt = (plane, cols, weights, square) =>
  around(plane, cols, square).reduce((sum, number, place) => sum + number * weights[place], 0);

function Convolution({ model }) {
  const [plane, cols, names, filters, weights, at, seen] = useTraits(
    model, "plane", "cols", "names", "filters", "weights", "at", "seen");
  const rows = plane.length / cols;
  const [row, col] = [Math.floor(at / cols), at % cols];
  const sum = sumAt(plane, cols, weights, at);
  const under = around(plane, cols, at);
  const chosen = filters.find(([, its]) => its.every((weight, place) => weight === weights[place]));
  const filled = plane.map((_, square) => (seen.includes(square) ? sumAt(plane, cols, weights, square) : null));

  function move(toRow, toCol) {
    const square = Math.min(Math.max(toRow, 0), rows - 1) * cols + Math.min(Math.max(toCol, 0), cols - 1);
    if (square !== at) change(model, { at: square, seen: seen.includes(square) ? seen : [...seen, square] });
  }
  const keys = {
    ArrowUp: () => move(row - 1, col), ArrowDown: () => move(row + 1, col),
    ArrowLeft: () => move(row, col - 1), ArrowRight: () => move(row, col + 1),
  };
  function turn(place) {
    const next = weights[place] === 2 ? -2 : weights[place] + 1;
    change(model, { weights: weights.map((weight, each) => (each === place ? next : weight)) });
  }
  const use = (its) => its && change(model, { weights: its });
  const options = [...filters.map(([name, its]) => [its, name]), ...(chosen ? [] : [[null, "your own"]])];
  const words = `The sum around ${names[at]} is ${written(sum)}.`;
  return html`
    <section class="mctslab mctslab-convolution" aria-label="A convolution by hand">
      <div class="grids row">
        <figure>
          <figcaption class="note">own stones, with zeros around them</figcaption>
          <${Input} model=${model} at=${at} keys=${keys} move=${move} words=${words} />
        </figure>
        <figure>
          <figcaption class="note">weight × number, nine times</figcaption>
          <div class="filter" role="group" aria-label="The nine weights and products">
            ${weights.map((weight, place) => html`
              <div class="product card" style=${{ "--tint": tint(weight * under[place]) }}>
                <button type="button" class="command" aria-label="Weight, ${PLACES[place]}: ${written(weight)}"
                  title="Change this weight" onclick=${() => turn(place)}>${written(weight)}</button>
                <span aria-hidden="true">× ${under[place]} = ${written(weight * under[place])}</span>
              </div>`)}
          </div>
          <p class="sum headline">Sum: <b>${written(sum)}</b></p>
          <${Menu} label="Filter" value=${chosen ? chosen[1] : null} options=${options} choose=${use} />
        </figure>
        <figure>
          <figcaption class="note">the sums</figcaption>
          <${Grid} model=${model} numbers=${filled} marked=${at}
            label="The map of sums, ${plural(seen.length, "square")} of it filled in" />
        </figure>
      </div>
      <div class="controls">
        <p role="status">${words} ${seen.length} of ${plane.length} squares are filled in.</p>
        <div class="buttons">
          <${Button} sign="last" label="Fill in the rest" word
            onclick=${() => change(model, { seen: [...plane.keys()] })} />
          <${Button} sign="new" label="Clear the map" word onclick=${() => change(model, { seen: [at] })} />
        </div>
      </div>
    </section>`;
}

/** How strongly a number is coloured, from 0 to 60 per cent, and in which colour. */
function tint(number) {
  const share = Math.min(60, 25 * Math.abs(number));
  return `color-mix(in srgb, var(--${number < 0 ? "orange" : "blue"}) ${share}%, var(--surface))`;
}

/** The padded plane with the filter on it, which the mouse and the arrow keys move. */
function Input({ model, at, keys, move, words }) {
  const [plane, cols] = useTraits(model, "plane", "cols");
  const picture = useRef();
  function drag(event) {
    if (event.type === "pointermove" && !event.buttons) return;
    event.preventDefault();
    picture.current.parentElement.focus({ preventScroll: true });
    if (event.type === "pointerdown") event.currentTarget.setPointerCapture(event.pointerId);
    const { left, top, width } = picture.current.getBoundingClientRect();
    const scale = (LABELS + (cols + 2) * SIDE) / width;
    const index = (pixels) => Math.floor((pixels * scale - LABELS) / SIDE) - 1;
    move(index(event.clientY - top), index(event.clientX - left));
  }
  return html`
    <div class="input" tabindex="0" role="slider" aria-label="Square under the middle of the filter"
      aria-valuemin="0" aria-valuemax=${plane.length - 1} aria-valuenow=${at} aria-valuetext=${words}
      onkeydown=${onKeys(keys)} onpointerdown=${drag} onpointermove=${drag}>
      <${Grid} model=${model} numbers=${plane} pad=${1} marked=${at} picture=${picture} />
    </div>`;
}

/** A number on each square, or nothing where there is none yet, and `pad` rows of zeros around the board. */
function Grid({ model, numbers, pad = 0, marked, label = "", picture }) {
  const [cols, columnLabels, rowLabels] = useTraits(model, "cols", "column_labels", "row_labels");
  const rows = numbers.length / cols;
  const [width, height] = [cols, rows].map((each) => LABELS + (each + 2 * pad) * SIDE);
  const x = (col) => LABELS + (col + pad) * SIDE;
  const [numRows, numCols] = [rows + 2 * pad, cols + 2 * pad];
  const squares = Array.from({ length: numRows * numCols }, (_, each) =>
    [Math.floor(each / numCols) - pad, (each % numCols) - pad]);
  const isOff = (row, col) => row < 0 || col < 0 || row >= rows || col >= cols;
  const reach = pad ? 1 : 0; // of the filter on the board, around the square in its middle
  const side = (1 + 2 * reach) * SIDE;
  const ring = {
    x: x((marked % cols) - reach), y: x(Math.floor(marked / cols) - reach), width: side, height: side,
  };
  const spoken = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return html`
    <svg ref=${picture} class="grid-of-numbers" viewBox="0 0 ${width + 2} ${height + 2}"
      style=${{ width: `${width + 2}px` }} ...${spoken}>
      ${columnLabels.map((text, col) => html`
        <text class="label" x=${x(col) + SIDE / 2} y=${LABELS - 6}>${text}</text>`)}
      ${rowLabels.map((text, row) => html`
        <text class="label" x=${LABELS / 2} y=${x(row) + SIDE / 2 + 4}>${text}</text>`)}
      ${squares.map(([row, col]) => {
        const number = isOff(row, col) ? 0 : numbers[row * cols + col];
        const kind = isOff(row, col) ? "off" : number === null ? "empty" : "";
        const fill = kind ? null : tint(number);
        return html`<g class=${kind}>
          <rect x=${x(col)} y=${x(row)} width=${SIDE} height=${SIDE} style=${{ fill }} />
          <text x=${x(col) + SIDE / 2} y=${x(row) + SIDE / 2 + 4}>${number === null ? "" : written(number)}</text></g>`;
      })}
      <rect class="ring" ...${ring} rx="3" />
    </svg>`;
}

export default widget(Convolution);
