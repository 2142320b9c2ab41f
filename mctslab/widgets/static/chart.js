// Charts that are drawn on the page, because they follow a slider or the mouse.

import { count } from "./words.js";
import { html } from "./ui.js";

const ROOM = { left: 60, right: 24, top: 12, bottom: 42 }; // around the axes, for numbers and titles

/** The smallest of 1, 2, 2.5 and 5 times a power of ten that is at least `number`. */
export function niceCeiling(number) {
  const power = 10 ** Math.floor(Math.log10(number));
  return [1, 2, 2.5, 5, 10].map((step) => step * power).find((step) => step >= number * (1 - 1e-12));
}

/** From 0 to `last`, in at most `most` round steps; the last tick can be below `last`. */
export function ticks(last, most) {
  const step = niceCeiling(last / most);
  return Array.from({ length: Math.floor(last / step + 1e-9) + 1 }, (_, number) => number * step);
}

/** Where numbers from `low` to `high` are between the pixels `first` and `last`, and the way back. */
const axis = ({ low, high, ...more }, first, last) => ({
  ...more, first, last,
  pixel: (number) => Math.round(10 * (first + ((last - first) * (number - low)) / (high - low || 1))) / 10,
  number: (pixel) => low + (high - low) * Math.min(Math.max((pixel - first) / (last - first), 0), 1),
});

/** Both axes of a chart; each is {low, high, ticks, title, say}, where `say` writes a tick down. */
export const axes = ({ width, height, x, y, right = ROOM.right }) => ({
  width, height,
  x: axis(x, ROOM.left, width - right),
  y: axis(y, height - ROOM.bottom, ROOM.top),
});

/** A path through points [x, y] of these axes. */
export const path = ({ x, y }, points) =>
  `M${points.map(([across, up]) => `${x.pixel(across)} ${y.pixel(up)}`).join("L")}`;

/** The numbers [x, y] at which the pointer is. */
export function pointedAt({ x, y, width }, { currentTarget, clientX, clientY }) {
  const box = currentTarget.getBoundingClientRect();
  const scale = width / box.width;
  return [x.number((clientX - box.left) * scale), y.number((clientY - box.top) * scale)];
}

export const Chart = ({ at: { width, height, x, y }, label, role = "img", children, ...more }) => html`
  <svg class="chart" viewBox="0 0 ${width} ${height}" role=${role} aria-label=${label} ...${more}>
    <g aria-hidden="true">
      ${y.ticks.map((tick) => html`
        <path class="grid" d="M${x.first} ${y.pixel(tick)}H${x.last}" />
        <text class="tick" x=${x.first - 12} y=${y.pixel(tick) + 4} text-anchor="end">
          ${(y.say ?? count)(tick)}
        </text>`)}
      ${x.ticks.map((tick) => html`
        <text class="tick" x=${x.pixel(tick)} y=${y.first + 16} text-anchor="middle">${(x.say ?? count)(tick)}</text>`)}
      <text x=${(x.first + x.last) / 2} y=${height - 8} text-anchor="middle">${x.title}</text>
      <text transform="translate(13 ${(y.first + y.last) / 2}) rotate(-90)" text-anchor="middle">${y.title}</text>
    </g>
    ${children}
  </svg>`;

/** A short line in the look of class `kind`. */
export const Sample = ({ kind }) => html`
  <svg class="sample ${kind}" viewBox="0 0 34 8" aria-hidden="true"><path class="line" d="M2 4H32" /></svg>`;

/** What the lines [kind, name] of a chart are. */
export const Legend = ({ lines }) => html`
  <p class="row legend" aria-hidden="true">
    ${lines.map(([kind, name]) => html`<span><${Sample} kind=${kind} /> ${name}</span>`)}
  </p>`;
