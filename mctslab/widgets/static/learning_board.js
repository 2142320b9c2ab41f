// The board on which a net is seen learning. Python adds a frame for each iteration; the page shows the
// newest one until the reader goes back. No message goes to the kernel.

import { Chart, Legend, axes, path, ticks } from "./chart.js";
import { cornerOf, onKeys } from "./common.js";
import { Board, Heat, Ring } from "./pieces.js";
import { PlayControls, html, usePlayer, useRef, useSize, useState, useTraits, widget } from "./ui.js";
import { signed } from "./words.js";

const WAIT = 500; // milliseconds between two frames while they play

const percent = (share) => `${Math.round(100 * share)}%`;
const favouriteOf = ({ policy }) => policy.reduce((best, each) => (each[1] > best[1] ? each : best));
const shareOf = ({ policy }, wanted) => policy.find(([square]) => square === wanted)[1];

function Learning({ model }) {
  const [title, look, position, mover, block, frames, learned, sentence] = useTraits(
    model, "title", "look", "position", "mover", "block", "frames", "learned", "sentence");
  const [wanted, want] = useState(null); // null: the newest one, also of those that are still to come
  const last = Math.max(frames.length - 1, 0);
  const at = Math.min(wanted ?? last, last);
  const player = usePlayer(at, last, (to) => want(to === last ? null : to), WAIT);
  const frame = frames[at];
  const words = frame ? `Iteration ${frame.iteration}` : "No iteration yet";
  const said = frame ? inWords(look, mover, frame) : "";
  return html`
    <section class="mctslab mctslab-learning" aria-label=${title} onkeydown=${onKeys(player.keys)}>
      <div class="stage">
        <${Position} look=${look} position=${position} block=${block} frame=${frame} />
        <div>
          <p class="headline">${words}</p>
          <p class="said two-lines">${said}</p>
          ${frame && html`<${Curves} ...${{ look, mover, block, frames, frame, learned }} />`}
          <p class="sentence strong two-lines" role="status">${sentence}</p>
        </div>
      </div>
      <${PlayControls} player=${player} title="Iterations" label="Iteration" words=${words}
        text=${`${words}. ${said}`} />
    </section>`;
}

function inWords(look, mover, frame) {
  const [square, share] = favouriteOf(frame);
  const name = look.player_names[mover];
  const favourite = `${look.names[square]}, with ${percent(share)}`;
  return `The net's favourite move for ${name} is ${favourite}. Value for ${name}: ${signed(frame.value)}.`;
}

/** The board with the policy of a frame, and an outline around the square that blocks. */
function Position({ look, position, block, frame }) {
  const corner = block !== null && cornerOf(look, block);
  const side = look.square - 4;
  const heat = frame && { scale: "share", squares: frame.policy };
  const under = html`
    ${frame && html`<${Heat} look=${look} stones=${position.stones} heat=${heat} />`}
    ${corner && html`
      <${Ring} shape="rect" x=${corner.x + 2} y=${corner.y + 2} width=${side} height=${side} rx="4" />`}`;
  return html`
    <${Board} class="board" pieces=${look} players=${look.player_names} position=${position} under=${under} />`;
}

/** Over the iterations the value as a win rate, and the share of the move that blocks. */
function Curves({ look, mover, block, frames, frame, learned }) {
  const element = useRef();
  const { width } = useSize(element);
  const first = frames[0].iteration;
  const newest = Math.max(frames.at(-1).iteration, first + 1);
  const iterations = ticks(newest, 8).filter((tick) => Number.isInteger(tick) && tick >= first);
  const at = axes({
    width, height: 150,
    x: { low: first, high: newest, ticks: iterations, title: "iterations" },
    y: { low: 0, high: 1, ticks: [0, 0.5, 1], title: "share", say: percent },
  });
  const ofValue = `win rate of ${look.player_names[mover]}, from the value`;
  const curves = [{ kind: "value", name: ofValue, height: ({ value }) => (1 + value) / 2 }];
  if (block !== null)
    curves.push({ kind: "share", name: `policy at ${look.names[block]}`, height: (each) => shareOf(each, block) });
  const lines = curves.map(({ kind, name }) => [kind, name]);
  if (learned !== null) lines.push(["learned", "it has learned to block"]);
  const label = curves.map(({ name, height }) => `${name}: ${percent(height(frames.at(-1)))}`).join("; ");
  return html`
    <div ref=${element}>
      <${Chart} at=${at} label=${`Over the iterations, now: ${label}`}>
        ${learned !== null && html`<path class="learned" d="M${at.x.pixel(learned)} ${at.y.first}V${at.y.last}" />`}
        ${curves.map(({ kind, height }) => html`
          <path class=${kind} d=${path(at, frames.map((each) => [each.iteration, height(each)]))} />
          <circle class=${`dot ${kind}`} cx=${at.x.pixel(frame.iteration)} cy=${at.y.pixel(height(frame))} r="4.5" />`)}
      <//>
      <${Legend} lines=${lines} />
    </div>`;
}

export default widget(Learning);
