// The phase stepper on the page. stepper_model.js computes what is visible at an event; this file
// shows it and lets mouse and keyboard choose the event. No message goes to the kernel.

import {
  Choice, Icon, Menu, PlayControls, Table, html, useEffect, useLayoutEffect, useRef, usePlayer, useState, useTraits,
  widget,
} from "./ui.js";
import { newId, onKeys } from "./common.js";
import { CARD_HEIGHT, Card, SmallNode, Tree, ValueBar, branch, inOrder, kindsOf, layOut, round } from "./tree.js";
import { Sample } from "./chart.js";
import { Board, stoneImages } from "./pieces.js";
import { count, meanValue, plain, plural, signed, total } from "./words.js";
import {
  PHASES, endOfSimulation, frameAt, outcome, pause, readTrace, startOfPhase, step, titleOf,
} from "./stepper_model.js";
import { NodeCard, describe, legalActions, meanText, moveName, pathTo, shortOutcome, wayTo } from "./traced.js";

const UNITS = ["event", "phase", "simulation"];
const SPEEDS = [0.5, 1, 2, 4, 8].map((value) => [value, `${value}×`]);

// A board with more squares than this is shown larger where the tree is narrow enough for the rest.
const MANY_SQUARES = 16;
const SCORE_WIDTH = 42; // pixels, with what stays free beside it
const NARROW_TREE = 420; // pixels

function StepperView({ model }) {
  const [data, first] = useTraits(model, "data", "simulation");
  const [trace] = useState(() => readTrace(data.trace));
  const [look] = useState(() => lookOf(trace, data));
  const { events, simulations, game } = trace;
  const last = events.length - 1;
  const [at, go] = useState(() => Math.min(first > 1 ? endOfSimulation(events, first - 1) + 1 : 0, last));
  const [unit, setUnit] = useState("event");
  const [speed, setSpeed] = useState(1);
  const wait = (now) => pause(trace, now, unit) / speed;
  const player = usePlayer(at, last, go, wait, (from, direction) => step(events, from, unit, direction));
  const shown = useRef(first);
  useEffect(() => {
    if (shown.current !== first) player.jump(endOfSimulation(events, first));
    shown.current = first;
  }, [first]);

  const frame = frameAt(trace, at);
  const { phase, simulation } = frame.event;
  const words = `Simulation ${simulation + 1} of ${simulations.length}, event ${at + 1} of ${events.length}`;
  const moveBy = (direction, what) => player.jump(step(events, at, what, direction));
  const keys = { ...player.keys, PageDown: () => moveBy(1, "simulation"), PageUp: () => moveBy(-1, "simulation") };
  const phaseKeys = { ArrowRight: () => moveBy(1, "phase"), ArrowLeft: () => moveBy(-1, "phase") };
  const onKey = (event) => onKeys(event.shiftKey ? { ...keys, ...phaseKeys } : keys)(event);
  const isLarge = look.layout.width <= NARROW_TREE && frame.board.stones.length > MANY_SQUARES;

  return html`
    <section class="mctslab mctslab-stepper" data-phase=${phase} onkeydown=${onKey}
      aria-label="Phase stepper: ${simulations.length} simulations of ${game.title}">
      <div class="phases tiles" role="group" aria-label="The four phases">
        ${PHASES.map((each) => html`
          <button type="button" class="command phase ${each}" data-phase=${each}
            title="To the ${each} of this simulation" aria-current=${each === phase ? "step" : "false"}
            onclick=${() => player.jump(startOfPhase(events, at, each))}>
            <${Icon} name=${each} /><span>${titleOf(each)}</span><${Sample} kind=${each} />
          </button>`)}
      </div>
      <p class="caption" role="status"><strong>${titleOf(phase)}:</strong> ${frame.caption}</p>
      <div class="stage ${isLarge ? "has-large-board" : ""}">
        <${StepperTree} trace=${trace} frame=${frame} look=${look} />
        <aside class="beside stack">
          <figure class="position note">
            <${Board} class="board" pieces=${data.pieces} position=${frame.board} players=${game.players} />
            <figcaption>${titleOfBoard(trace, frame)}</figcaption>
          </figure>
          <div class="details sticky" tabindex="0" role="group" aria-label="Numbers of this event">
            <${Details} trace=${trace} frame=${frame} stones=${look.stones} />
          </div>
        </aside>
      </div>
      <${PlayControls} player=${player} title="Stepping" label="Event" words=${words}
        text=${`${words}: ${titleOf(phase)}`}>
        <div class="row">
          <span class="muted">step by</span>
          <${Choice} label="Step by" value=${unit} values=${UNITS} choose=${setUnit} />
          <${Menu} label="Speed" title="Speed" value=${speed} options=${SPEEDS} choose=${setSpeed} />
        </div>
      <//>
      <p class="note">
        <${ValueBar} low="Q −1" colors=${look.valueColors} high="+1" />
        ${" for the player who made the move; thicker branch: more visits"}
      </p>
      ${data.note && html`<p class="note">${data.note}</p>`}
    </section>`;
}

function titleOfBoard(trace, { board, rollout }) {
  const way = wayTo(trace, board.node);
  const here = way ? `After ${way}` : "The root";
  if (board.isRollout) return `Rollout from ${way || "the root"}: ${plural(rollout.plies.length, "move")}`;
  if (trace.nodes.returns[board.node]) return `${here}: the game is over`;
  return `${here}: ${trace.game.players[trace.nodes.player_to_move[board.node]]} to move`;
}

// Below the board

function Details({ trace, frame, stones }) {
  const { phase, kind } = frame.event;
  const movesOf = (node) => html`<${Moves} trace=${trace} frame=${frame} node=${node} />`;
  if (kind === "compare") return html`<${Scores} trace=${trace} comparison=${frame.comparison} />`;
  if (phase === "selection") return movesOf(frame.walk.at(-1));
  if (phase === "expansion") return movesOf(trace.nodes.parent[frame.leaf] ?? 0);
  if (phase === "simulation") return html`<${Rollout} game=${trace.game} stones=${stones} rollout=${frame.rollout} />`;
  return html`<${NewNumbers} trace=${trace} frame=${frame} />`;
}

/** The children that were compared, the winner marked. */
function Scores({ trace, comparison: { node, rows, digits } }) {
  const numTerms = Math.max(...rows.map((row) => row.terms.length));
  const names = ["move", "N", ...(numTerms === 2 ? ["exploit", "explore"] : []), numTerms ? "score" : "Q"];
  const numbers = ({ visits, terms, score, value }) => [
    count(visits),
    ...(numTerms === 2 ? [0, 1].map((term) => (terms.length === 2 ? plain(terms[term], digits) : "")) : []),
    numTerms ? (score === null ? "" : plain(score, digits)) : (visits ? signed(value) : "–"),
  ];
  const mover = trace.game.players[trace.nodes.player_to_move[node]];
  const row = (each) => ({
    cells: [each.name, ...numbers(each)],
    class: each.isChosen ? "is-chosen" : null,
    "data-move": each.name,
  });
  return html`<${Table} class="scores" caption="${mover} chooses" head=${names} rows=${rows.map(row)} />`;
}

/** The moves of a node; those in the tree look different from those that have not been tried yet. */
function Moves({ trace, frame: { at, leaf, event, isNewLeaf }, node }) {
  const { game, nodes, children, appears } = trace;
  if (nodes.returns[node]) return html`<p class="note">Result: ${outcome(game, nodes.returns[node])}.</p>`;
  const kindOf = (child) => {
    if (event.phase === "expansion" && isNewLeaf && child === leaf) return "is-new";
    return child !== undefined && appears[child] <= at ? "is-tried" : "is-untried";
  };
  const mover = game.players[nodes.player_to_move[node]];
  return html`
    <p class="note">
      The moves of ${mover}: in the tree, or <span class="chip is-untried">untried</span>
    </p>
    <ul class="moves row">
      ${legalActions(nodes.legal_actions[node]).map((action) => html`
        <li class="chip ${kindOf(children[node].get(action))}">${game.moves[action]}</li>`)}
    </ul>`;
}

/** The moves of the rollout so far, and how it ended. */
function Rollout({ game, stones, rollout: { plies, isOver, returns } }) {
  return html`
    ${plies.length > 0 && html`
      <ol class="rollout row">
        ${plies.map(([player, action], place) => html`
          <li class="chip ${place === plies.length - 1 ? "is-last" : ""}">
            <img class="stone-of" src=${stones[player]} alt="" />${game.moves[action]}
          </li>`)}
      </ol>`}
    ${isOver && returns && html`<p class="strong">${outcome(game, returns)}</p>`}`;
}

/** The path from the root to the leaf, with old and new numbers where they have changed. */
function NewNumbers({ trace, frame: { leaf, updates, visits, totals, current } }) {
  const table = useRef();
  useLayoutEffect(() => { // where there is no room for all rows, the one in question is in view
    const [inner, outer] = [table.current.querySelector(".is-chosen"), table.current.parentElement];
    if (!inner) return;
    const [row, box] = [inner, outer].map((element) => element.getBoundingClientRect());
    const top = box.top + table.current.querySelector("thead").offsetHeight; // it stays in view
    outer.scrollTop += Math.max(0, row.bottom - box.bottom) + Math.min(0, row.top - top);
  }, [current]);
  const change = (isDone, from, to) => html`${isDone && html`<span class="muted">${from}</span>\u2009→\u2009`}${to}`;
  const row = (node) => {
    const update = updates.find((each) => each.node === node);
    const { oldVisits = 0, oldTotal = 0 } = update ?? {};
    return {
      cells: [
        node === 0 ? "root" : moveName(trace, node),
        change(update, count(oldVisits), count(visits[node])),
        change(update, total(oldTotal), total(totals[node])),
        change(update, meanText(oldVisits, oldTotal), meanText(visits[node], totals[node])),
      ],
      class: node === current ? "is-chosen" : update ? "is-done" : "muted",
      "data-node": node,
    };
  };
  return html`
    <${Table} class="updates" pane=${table} caption="From the leaf up to the root"
      head=${["node", "N", "W", "Q"]} rows=${pathTo(trace.nodes, leaf).map(row)} />`;
}

// The tree

/** What the tree needs and what never changes: its layout, its colours, its stones. */
function lookOf(trace, data) {
  const { nodes, game } = trace;
  const byAction = (one, other) => nodes.action[one] - nodes.action[other];
  const below = trace.children.map((children) => [...children.values()].sort(byAction));
  const longest = Math.max(...nodes.action.map((action) => (action === null ? 0 : game.moves[action].length)));
  const cardWidth = Math.max(52, 24 + 7.5 * longest);
  return {
    below, cardWidth,
    layout: layOut(below, () => cardWidth),
    order: inOrder(below),
    pieces: data.pieces,
    stones: stoneImages(data.pieces),
    valueColors: data.value_colors,
    unknownColor: data.unknown_color,
    arrow: newId(),
  };
}

function StepperTree({ trace, frame, look }) {
  const { nodes } = trace;
  const { below, layout, cardWidth } = look;
  const compared = (frame.comparison?.rows ?? []).flatMap(({ child }) => child ?? []);
  const update = frame.updates.at(-1);
  const nameOf = (node) => (node === 0 ? "root" : moveName(trace, node));
  const widthOf = (node) => cardWidth + (node === update?.node ? 60 : node === 0 ? 14 : 0);
  const thickness = (node) => 0.9 + (frame.visits[0] ? (4.6 * frame.visits[node]) / frame.visits[0] : 0);
  const common = { trace, frame, look, thickness };
  const end = endOfSimulation(trace.events, frame.event.simulation + 1); // during a simulation no row moves
  const appeared = look.order.filter((node) => trace.appears[node] <= end);
  const depth = Math.max(...appeared.map((node) => layout.places[node].depth));
  const infoOf = (node) => html`
    <${NodeCard} pieces=${look.pieces} trace=${trace} node=${node} lines=${factsOf(trace, frame, node)} />`;
  return html`
    <${Tree} label="Search tree" below=${below} layout=${layout} depth=${depth}
      nodes=${look.order.filter(frame.isVisible)} current=${frame.current}
      kinds=${(node) => kindsOf(nameOf(node), widthOf(node))}
      isNeeded=${(node) => frame.path.includes(node)}
      weight=${(node) => frame.visits[node] + (compared.includes(node) ? frame.visits[0] : 0)}
      arrange=${(points, width) => makeRoom(points, compared, [cardWidth + 4, SCORE_WIDTH], width)}
      edge=${(node) => ({ "stroke-width": round(thickness(node)) })}
      name=${(node) => describe(trace, node, frame.visits[node], frame.totals[node]).join(", ")}
      state=${(node) => (node === frame.current ? { "aria-current": "step" } : {})}
      draw=${(shape) => html`<${StepperNode} ...${common} ...${shape} heading=${nameOf(shape.node)} />`}
      info=${infoOf}
      under=${(at) => html`<${ActiveBranches} ...${common} at=${at} />`}
      over=${(at, width) => html`<${Labels} ...${common} at=${at} paneWidth=${width} />`} />`;
}

/**
 * Move the compared children apart until each has the first of `rooms`, for its card and its score,
 * or a later one, for its score alone, if the drawing is wide enough for them all. Pushed to the right
 * and pushed to the left, none covers another one; in the middle between both they do not either.
 */
function makeRoom(points, compared, rooms, width) {
  const nodes = compared.toSorted((one, other) => points[one].x - points[other].x);
  const room = rooms.find((each) => each * nodes.length <= width);
  if (room === undefined) return points;
  const least = (place) => room * (place + 0.5);
  const most = (place) => width - room * (nodes.length - place - 0.5);
  const [right, left, moved] = [[], [], [...points]];
  nodes.forEach((node, place) => {
    right[place] = Math.min(Math.max(points[node].x, place ? right[place - 1] + room : least(0)), most(place));
  });
  nodes.toReversed().forEach((node, nth) => {
    const place = nodes.length - 1 - nth;
    left[place] = Math.max(Math.min(points[node].x, nth ? left[place + 1] - room : most(place)), least(place));
    moved[node] = { ...points[node], x: (left[place] + right[place]) / 2 };
  });
  return moved;
}

/** A node with its numbers; where they have just changed, with the old ones. */
function StepperNode({ trace, frame, look, node, ...shape }) {
  const [n, w] = [frame.visits[node], frame.totals[node]];
  const share = (Math.min(Math.max(meanValue(n, w), -1), 1) + 1) / 2;
  const color = n ? look.valueColors[Math.round(share * (look.valueColors.length - 1))] : look.unknownColor;
  if (shape.kind !== "card") return html`<${SmallNode} ...${shape} color=${color} />`;
  const update = frame.updates.at(-1);
  const [oldN, oldQ] = update?.node === node
    ? [`${count(update.oldVisits)} → `, `${meanText(update.oldVisits, update.oldTotal)} → `]
    : ["", ""];
  return html`
    <${Card} ...${shape} color=${color} stone=${look.stones[trace.nodes.mover[node]]}
      isEnd=${trace.nodes.returns[node] !== null} mark=${markOf(frame, node)}
      lines=${[`N ${oldN}${count(n)}`, `Q ${oldQ}${meanText(n, w)}`]} />`;
}

/** The phase's mark on a node: on the walk, compared, new, start of the rollout, updated. */
function markOf(frame, node) {
  const { event: { phase }, updates, path, current, leaf, isNewLeaf, walk, comparison } = frame;
  if (phase === "backpropagation") {
    const isUpdated = updates.some((update) => update.node === node);
    if (isUpdated) return `backpropagation ${node === current ? "is-current" : ""}`;
    return path.includes(node) ? "selection faint" : "";
  }
  if (node === leaf) {
    const kind = phase === "expansion" ? (isNewLeaf ? "expansion" : "selection") : "simulation";
    return `${kind} is-current`;
  }
  if (walk.includes(node)) return phase === "selection" ? "selection" : "selection faint";
  return comparison?.chosen === node ? "selection is-current" : "";
}

/** The branches that the phase is about, over the plain ones. */
function ActiveBranches({ trace, frame, look, thickness, at }) {
  const { parent } = trace.nodes;
  const { event: { phase }, updates, walk, comparison, leaf, isNewLeaf } = frame;
  const climbed = updates.slice(0, -1).map((update) => update.node);
  const isWalked = (node) => !climbed.includes(node);
  const rows = (comparison?.rows ?? []).filter(({ child, isChosen }) => child !== null && !isChosen);
  const ofPhase = (name) => (phase === name ? name : `${name} faint`);
  const lines = [
    ...walk.filter(isWalked).map((node) => [node, ofPhase("selection")]),
    ...rows.map(({ child }) => [child, "selection compared"]),
    ...(comparison ? [[comparison.chosen, "selection chosen"]] : []),
    ...(leaf !== null && isNewLeaf && isWalked(leaf) ? [[leaf, ofPhase("expansion")]] : []),
    ...climbed.map((node) => [node, "backpropagation"]),
  ].filter(([node]) => parent[node] !== null);
  return html`
    <defs>
      <marker id=${look.arrow} viewBox="0 0 10 10" refX="8" refY="5" markerWidth="11" markerHeight="11"
        markerUnits="userSpaceOnUse" orient="auto-start-reverse">
        <path d="M1 1.5 9 5 1 8.5z" class="arrow" />
      </marker>
    </defs>
    <g class="active">
      ${lines.map(([node, kind]) => {
        const [from, to] = [at(parent[node]), at(node)];
        return html`
          <path key="${kind} ${node}" class="line ${kind}" d=${branch(from, to, from.height / 2, to.height / 2)}
            marker-start=${kind === "backpropagation" ? `url(#${look.arrow})` : null}
            style=${{ "--least": `${round(thickness(node))}px` }} />`;
      })}
    </g>`;
}

/** Scores over the compared children; under the leaf that it is new, or the rollout and its result. */
function Labels({ trace, frame, at, paneWidth }) {
  const { event: { phase }, comparison, leaf, isNewLeaf, rollout } = frame;
  const leafAt = leaf === null ? null : at(leaf);
  const scored = (comparison?.rows ?? []).filter(({ child, score }) => child !== null && score !== null);
  const isNear = (one, other) => one !== other && Math.abs(at(other).x - at(one).x) < SCORE_WIDTH - 1;
  const isFree = ({ child }) => at(child).kind === "card" || !scored.some((other) => isNear(child, other.child));
  const foot = leafAt && leafAt.y + leafAt.height / 2;
  const plies = `${rollout?.plies.length} of ${rollout?.numPlies}`;
  const ended = rollout?.isOver ? shortOutcome(trace.game, rollout.returns) : plies;
  const score = ({ child, score: number, isChosen }) => {
    const kind = `selection ${isChosen ? "is-chosen" : ""}`;
    return pill(at(child).x, at(child).y - CARD_HEIGHT / 2 - 11, plain(number, comparison.digits), kind);
  };
  return html`
    ${scored.filter(isFree).map(score)}
    ${phase === "simulation" && html`
      <path d=${wave(leafAt.x, foot + 2, 34)} class="line simulation" />
      ${pill(leafAt.x, foot + 45, ended, `simulation ${rollout.isOver ? "is-chosen" : ""}`)}`}
    ${phase !== "simulation" && leaf !== null && isNewLeaf && pill(leafAt.x, foot + 11, "new", "expansion is-chosen")}
    ${phase === "backpropagation" && returnPill(trace, frame, at(frame.current), paneWidth)}`;
}

/** The return that is added to a node: over its card, or beside the root's, because no other card is in its row. */
function returnPill({ nodes, simulations, game }, { event, current }, { x, y, width }, paneWidth) {
  const mover = nodes.mover[current];
  const text = `${total(simulations[event.simulation].returns[mover])} for ${game.players[mover]}`;
  if (current !== 0) return pill(x, y - CARD_HEIGHT / 2 - 11, text, "backpropagation is-chosen");
  const away = (width + pillWidth(text)) / 2 + 5;
  const isRight = x + away + pillWidth(text) / 2 < paneWidth;
  return pill(isRight ? x + away : x - away, y, text, "backpropagation is-chosen");
}

const pillWidth = (text) => 12 + 6.4 * text.length;

function pill(x, y, text, kind) {
  const width = pillWidth(text);
  return html`
    <g class="pill ${kind}" transform="translate(${round(x)} ${round(y)})">
      <rect x=${-width / 2} y="-9" width=${width} height="17" rx="8.5" /><text y="3.6">${text}</text>
    </g>`;
}

/** The wavy line that stands for a rollout in every textbook. */
function wave(x, top, height) {
  const half = height / 2;
  return `M${round(x)} ${round(top)}q11 ${half / 2} 0 ${half}q-11 ${half / 2} 0 ${half}`;
}

/** What there is to say about a node. */
function factsOf(trace, frame, node) {
  const result = trace.nodes.returns[node];
  const facts = describe(trace, node, frame.visits[node], frame.totals[node]);
  return result ? [...facts, shortOutcome(trace.game, result)] : facts;
}

export default widget(StepperView);
