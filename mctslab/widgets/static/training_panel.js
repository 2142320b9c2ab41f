// The page's half of the training panel. The synced traits are the whole state, and a person's
// actions are sent as commands.

import { ICONS, onKeys, tell } from "./common.js";
import { Board } from "./pieces.js";
import {
  Bar, Button, Drawing, Inner, PlayButtons, Slider, html, useKeptFocus, useLayoutEffect, usePlayer, useRef, useState,
  useTraits, widget,
} from "./ui.js";
import { plural } from "./words.js";

Object.assign(ICONS, { start: ICONS.play, resume: ICONS.play });

const WAIT = 700; // milliseconds between two positions of a game while it plays
const LABELS = { start: "Start", resume: "Resume", stop: "Stop" };

/** "1:05", or "2:01:40". */
function clockTime(seconds) {
  const whole = Math.round(seconds);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

function Training({ model, host, signal }) {
  const [title, about, headline, message, note, figures, commands] = useTraits(
    model, "title", "about", "headline", "message", "note", "figures", "commands");
  const [{ share, left, is_running: isRunning }] = useTraits(model, "progress");
  const root = useRef();
  const focus = useKeptFocus(root, { stop: "resume", start: "stop", resume: "stop" });
  return html`
    <section class="mctslab mctslab-training ${isRunning ? "is-running" : ""}"
      aria-label="Training" tabindex="-1" ref=${root} ...${focus}>
      <div class="timeline">
        <div>
          <p class="title">${title}</p>
          <p class="muted">${about}</p>
        </div>
        <div class="actions row">${Object.keys(LABELS).map((name) => html`
          <${Button} sign=${name} label=${LABELS[name]} word data-command=${name}
            kind=${name === "stop" ? "" : "primary"} hidden=${!commands.includes(name)}
            onclick=${() => tell(model, { command: name })} />`)}
        </div>
      </div>
      <div class="timeline">
        <p class="headline" role="status">${headline}</p>
        <span class="left muted">${typeof left === "number" ? `about ${clockTime(left)} left` : ""}</span>
      </div>
      <${Bar} label="Iterations done" now=${Math.round(100 * share)} />
      <p class="note">${note}</p>
      <p class="message" role="alert">${message}</p>
      <div class="tiles">${figures.map(([label, value, remark]) => html`
        <div class="card">
          <p class="note">${label}</p><p class="value strong">${value}</p><p class="note">${remark}</p>
        </div>`)}
      </div>
      <${Curves} model=${model} />
      ${model.get("seen") && html`<${Inner} class="seen" widget=${model.get("seen")} host=${host} signal=${signal} />`}
      <${NewestGame} model=${model} />
    </section>`;
}

/** The curves, and a button for the bands of the runs to compare with. */
function Curves({ model }) {
  const [charts, warning, { num_runs: numRuns, is_shown: isShown }] = useTraits(model, "charts", "warning", "bands");
  return html`
    <p class="warning">${warning}</p>
    <div class="charts row" role="group" aria-label="Curves">
      ${charts.map((svg, place) => html`<${Drawing} key=${place} class="drawing" svg=${svg} />`)}
    </div>
    <button type="button" class="command bands" aria-pressed=${isShown} hidden=${!numRuns}
      onclick=${() => tell(model, { command: "bands", value: !isShown })}>
      Bands of ${plural(numRuns, "earlier run")}
    </button>`;
}

/** A game to step through on a board. */
function NewestGame({ model }) {
  const [{ key, title, ply, num_plies: last, move, end, position }, newest] = useTraits(model, "replay", "newest");
  const look = model.get("look");
  const [wanted, want] = useState(null); // what the kernel has not answered yet
  useLayoutEffect(() => want(null), [key, ply]);
  const at = wanted ?? ply ?? 0;
  const player = usePlayer(at, last ?? 0, (to) => { want(to); tell(model, { command: "show_ply", ply: to }); }, WAIT);
  return html`
    <div class="game stage" role="group" aria-label="Newest game"
      hidden=${key === undefined} onkeydown=${onKeys(player.keys)}>
      ${position && html`<${Board} class="board" pieces=${look} players=${look.player_names} position=${position} />`}
      <div class="stack">
        <p class="muted">${title}</p>
        <div class="replay row" role="toolbar" aria-label="Replay">
          <${PlayButtons} ...${player} />
          <${Slider} label="Ply" at=${at} last=${last ?? 0} text=${move} put=${player.jump} />
        </div>
        <p class="move one-line" role="status">${move}</p>
        <p class="end strong one-line">${end}</p>
        <p class="muted" role="status"><span hidden=${!newest}>${newest} <button type="button" class="command small"
          onclick=${() => tell(model, { command: "newest_game" })}>Show it</button></span></p>
      </div>
    </div>`;
}

export default widget(Training, "training");
