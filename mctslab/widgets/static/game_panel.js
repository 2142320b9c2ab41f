// What a game panel shows of its session, and what a person does there.

import {
  Balance, Bar, Button, Drawing, Menu, Table, html, useEffect, useKeptFocus, useLayoutEffect, useMemo, useRef,
  WideDrawing, useState, useTraits, widget,
} from "./ui.js";
import { ICONS, newId, tell } from "./common.js";
import { LiveBoard } from "./live_board.js";
import { Session } from "./session.js";

Object.assign(ICONS, {
  hint: {
    path: "M6 12.5h4M6.5 14.5h3M8 1.8a4.4 4.4 0 0 0-2.4 8.1c.4.3.6.7.6 1.1h3.6c0-.4.2-.8.6-1.1A4.4 4.4 0 0 0 8 1.8z",
  },
  swap: { path: "M4.5 3v9.5M2 10l2.5 2.7L7 10M11.5 13V3.5M9 6l2.5-2.7L14 6" },
  start: ICONS.play,
  pass: { path: "M2.5 8h9M8 4l4 4-4 4M14.5 3.5v9" },
  set_up: ICONS.download,
});

const HURRY_SECONDS = 15;
const TICK_MS = 100;
const HEATS = ["visits", "priors", "values", "nothing"].map((value) => [value, value]);
const RULES = {
  size: "Size of the board",
  in_a_row: "How many in a row win",
  exactly_five: "Whether a longer row wins",
};
const SECTIONS = { statistics: "Statistics", tree: "Tree", clocks: "Clocks", record: "Record" };
const NOTHING_SEARCHED =
  "Nothing has been searched yet. The result appears here after a player has searched, or after Hint.";

const ofMove = (seconds) => (seconds === null ? "" : `${seconds.toFixed(1)} s`);

function ofGame(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

const sessions = new WeakMap(); // one for each model, whatever number of views it has

function sessionOf(model) {
  if (!sessions.has(model)) {
    const session = new Session((message) => tell(model, message), model.get("about"), model.get("game"));
    model.on("change:game", () => session.arrive(model.get("about"), model.get("game")));
    model.on("msg:custom", (message) => session.hear(message));
    sessions.set(model, session);
  }
  return sessions.get(model);
}

function Panel({ model: synced }) {
  const session = useMemo(() => sessionOf(synced), []);
  const model = session.panel;
  useEffect(() => {
    session.open();
    return () => session.close();
  }, []);
  const [view] = useTraits(model, "view");
  const send = (command, more = {}) => session.obey(command, more);
  const names = view.sides.map(({ name }) => name);
  const root = useRef();
  const kept = useKeptFocus(root, {
    hint: "stop", stop: "hint", start: "pause", pause: "start", undo: "new", pass: "undo",
  });
  return html`
    <section class="mctslab mctslab-panel" aria-label=${view.title} tabindex="-1" ref=${root} ...${kept}>
      <div class="layout">
        <div class="board"><${SessionBoard} session=${session} title="${view.title} board" /></div>
        <div class="stack">
          <${Sides} view=${view} send=${send} />
          <${News} model=${model} view=${view} send=${send} />
          <${Toolbar} view=${view} send=${send} />
          <${Moves} moves=${view.moves} names=${names} />
        </div>
      </div>
      <${Sections} model=${model} view=${view} send=${send} />
    </section>`;
}

/** The board by itself, because numbers on it change ten times a second while a search thinks. */
function SessionBoard({ session, title }) {
  const [look, position, heat] = useTraits(session.board, "look", "position", "heat");
  const choose = (square) => session.choose(square);
  return html`<${LiveBoard} look=${look} position=${position} heat=${heat} title=${title} choose=${choose} />`;
}

/** The buttons of commands, as a function of their names and words. */
const buttonsOf = (view, send) => (name, label, kind = "") => html`
  <${Button} sign=${name} label=${label} word kind=${kind} data-command=${name}
    disabled=${!view.commands.includes(name)} onclick=${() => send(name)} />`;

/** Who plays, and the clocks, which go on between two messages of the kernel. */
function Sides({ view: { sides, players, discs, seconds, turn }, send }) {
  const publishedAt = useMemo(() => performance.now(), [turn]);
  const [, tick] = useState(0);
  useEffect(() => {
    if (!turn.is_running) return undefined;
    const ticking = setInterval(() => tick((times) => times + 1), TICK_MS);
    return () => clearInterval(ticking);
  }, [turn.is_running]);
  const since = turn.is_running ? (performance.now() - publishedAt) / 1000 : 0;
  return html`<div class="tiles">${sides.map((side, player) => {
    const isToMove = turn.player === player;
    const ofThisMove = isToMove && turn.seconds !== null ? turn.seconds + since : null;
    const left = ofThisMove !== null && turn.limit !== null ? turn.limit - ofThisMove : null;
    const isInHurry = left !== null && left <= Math.min(HURRY_SECONDS, turn.limit / 2);
    return html`
      <div class="side card row ${isToMove ? "is-to-move" : ""} ${isInHurry ? "is-in-hurry" : ""}" data-side=${player}>
        <${Drawing} class="stone drawing" aria-hidden="true" svg=${side.stone} />
        <span class="name strong">${side.name}</span>
        <span class="discs strong" role="img" aria-label="${discs?.[player]} discs" hidden=${!discs}>
          ${discs?.[player]}
        </span>
        <span class="move-time muted" title="Time of this move">
          ${isInHurry ? `${Math.max(0, left).toFixed(0)} s left` : ofMove(ofThisMove)}
        </span>
        <span class="total-time strong" title="Time of all moves">
          ${ofGame(seconds[player] + (isToMove ? since : 0))}
        </span>
        <${Menu} label="Who plays ${side.name}" value=${side.choice} options=${players}
          choose=${(chosen) => send("set_player", { side: player, player: chosen })} />
        <span class="time-left" aria-hidden="true"
          style=${{ width: left === null ? "0" : `${Math.max(0, (100 * left) / turn.limit)}%` }} />
      </div>`;
  })}</div>`;
}

/** What is going on: all that changes ten times a second while a search thinks. */
function News({ model, view, send }) {
  const [thinking] = useTraits(model, "thinking");
  const { share, text, estimate = view.estimate } = thinking;
  const isThinking = share !== undefined;
  const button = buttonsOf(view, send);
  return html`
    <div class="news card stack ${isThinking ? "is-thinking" : ""}">
      <div class="row"><p class="headline title" role="status">${view.headline}</p>
        <div class="actions row">
          ${button("pass", "Pass", "primary")}${button("start", "Start", "primary")}
          ${button("pause", "Pause")}${button("stop", "Stop")}
        </div></div>
      <div class="row"><p class="message ${view.tone}" role="status">${view.message}</p>
        <span class="found muted" title="How many simulations the search made, and how many a second">
          ${isThinking ? text : view.effort}
        </span></div>
      <${Estimate} share=${estimate} sides=${view.sides} />
      <${Bar} label="Thinking" now=${Math.round(100 * (share ?? 0))} hidden=${!isThinking} />
    </div>`;
}

function Estimate({ share, sides: [{ name, color }, other] }) {
  const first = Math.round(100 * share); // the two percentages add up to 100
  const isKnown = share !== null;
  const words = isKnown ? [`${name} ${first}%`, `${100 - first}% ${other.name}`] : [name, other.name];
  return html`<${Balance} words=${words} colors=${[color, other.color]} share=${share ?? 0.5}
    kind=${isKnown ? "estimate is-known" : "estimate"}
    title="Each side's share of the points in the simulations; a draw is half a point for each" />`;
}

const Switch = ({ isOn, label, title, put }) => html`
  <label class="row" title=${title}>
    <input type="checkbox" role="switch" checked=${isOn} onchange=${({ target }) => put(target.checked)} />${label}
  </label>`;

const Choice = ({ text, ...menu }) => html`
  <label class="row">${text && html`<span>${text}</span>`}<${Menu} title=${menu.label} ...${menu} /></label>`;

function Toolbar({ view: { limit, random_sides: isRandom, heat, rules, ...view }, send }) {
  const button = buttonsOf(view, send);
  return html`
    <div class="toolbar row" role="toolbar" aria-label="Game">
      ${button("new", "New")}${button("undo", "Undo")}${button("hint", "Hint")}${button("swap", "Swap")}
      <div class="toggles row">
        ${limit && html`
          <${Switch} isOn=${limit.is_on} label="${limit.seconds} s a move" put=${(value) => send("limit", { value })}
            title="Whoever takes longer than ${limit.seconds} s for a move loses" />`}
        <${Switch} isOn=${isRandom} label="Random first player" put=${(value) => send("random_sides", { value })} />
        <${Choice} text="Show" label="What the board shows" value=${heat} options=${HEATS}
          choose=${(value) => send("heat", { value })} />
      </div>
      <div class="rules row" role="group" aria-label="Rules" hidden=${!rules.length}>
        ${rules.map(({ name, label, value, options }) => html`
          <${Choice} key=${name} text=${label} label=${RULES[name]} value=${value} options=${options}
            choose=${(chosen) => send("set_rules", { rules: { [name]: chosen } })} />`)}
      </div>
    </div>`;
}

function Moves({ moves, names }) {
  const scroller = useRef();
  useLayoutEffect(() => { scroller.current.scrollTop = scroller.current.scrollHeight; }, [moves.length]);
  const cell = (move) => move && html`
    <span class="notation">${move[1]}</span><span class="note">${ofMove(move[2])}</span>`;
  const rows = [];
  // The first mover of a position that was set up can be the second player.
  for (let first = -(moves[0]?.[0] ?? 0); first < moves.length; first += 2) {
    const cells = [rows.length + 1, cell(moves[first]), cell(moves[first + 1])];
    rows.push({ cells, class: first + 2 >= moves.length ? "is-chosen" : null });
  }
  return html`
    <div class="moves scroller sticky" tabindex="0" role="region" aria-label="Moves" ref=${scroller}>
      <${Table} head=${["#", ...names]} rows=${rows} />
    </div>`;
}

// The sections

function Sections({ model, view, send }) {
  const [shown] = useTraits(model, "section");
  const id = useMemo(newId, []);
  const panes = { statistics: Statistics, tree: SearchTree, clocks: CostOfMoves, record: Record };
  const names = view.sections;
  return html`
    <div class="sections stack">
      <div class="row">${names.map((name) => html`
        <button type="button" class="command section-tab" key=${name} data-section=${name}
          aria-controls="${id}-${name}" aria-expanded=${name === shown.name}
          onclick=${() => send("open", { section: name === shown.name ? "" : name })}>${SECTIONS[name]}</button>`)}
      </div>
      ${names.map((name) => html`
        <div class="section stack ${name}" key=${name} id="${id}-${name}" role="region"
          aria-label=${SECTIONS[name]} hidden=${name !== shown.name}>
          ${name === shown.name && html`<${panes[name]} shown=${shown} view=${view} send=${send} />`}
        </div>`)}
    </div>`;
}

const Remark = ({ text = NOTHING_SEARCHED }) => html`<p class="remark muted">${text}</p>`;

function Statistics({ shown: { remark, caption, head = [], rows = [] } }) {
  if (!rows.length) return html`<${Remark} text=${remark} />`;
  const bars = head.indexOf("Share of visits");
  const bar = (text) => html`<span class="share-bar" style=${{ "--share": text }}>${text}</span>`;
  const withBars = rows.map((cells, place) => ({
    cells: cells.map((text, column) => (column === bars ? bar(text) : text)),
    class: place === 0 ? "is-chosen" : null,
  }));
  return html`
    <div class="scroller sticky" tabindex="0" role="group" aria-label="Statistics">
      <${Table} caption=${caption} head=${head} rows=${withBars} />
    </div>`;
}

function CostOfMoves({ shown: { remark, charts = [], head, rows } }) {
  if (!charts.length) return html`<${Remark} text=${remark} />`;
  return html`
    <div class="charts row">${charts.map((svg, at) => html`<${Drawing} class="drawing" key=${at} svg=${svg} />`)}</div>
    <details><summary class="muted">Every move in numbers</summary>
      <div class="scroller sticky" tabindex="0">
        <${Table} head=${head} rows=${rows.map((cells) => ({ cells }))} />
      </div></details>`;
}

function SearchTree({ shown: { svg, caption, remark } }) {
  if (!svg) return html`<${Remark} text=${remark} />`;
  return html`<${Remark} text=${caption} /><${WideDrawing} label=${caption} svg=${svg} />`;
}

function Record({ view: { record, record_error: error }, send }) {
  const area = useRef();
  useLayoutEffect(() => {
    if (document.activeElement !== area.current) area.current.value = record;
  }, [record]);
  const example = "Paste the moves of a game here, in the notation of this record.";
  const setUp = () => send("set_up", { record: area.current.value });
  return html`
    <textarea ref=${area} rows="3" spellcheck="false" aria-label="Game record" placeholder=${example} />
    <p class="message error" role="alert">${error}</p>
    <${Button} sign="set_up" label="Set up this game" word onclick=${setUp} />`;
}

export default widget(Panel, "panel");
