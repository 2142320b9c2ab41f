// The page's half of the sliders for a search. The kernel's results are synced traits; the page
// sends the values of the sliders, one message at a time, and always the newest.

import { tell } from "./common.js";
import {
  Drawing, Slider, Table, WideDrawing, html, useLayoutEffect, useRef, useSize, useState, useTraits, widget,
} from "./ui.js";

function Sliders({ model }) {
  const [places, sentence, message, table, board, tree] = useTraits(
    model, "places", "sentence", "message", "table", "board", "tree");
  const [moved, move] = useState({}); // what the kernel has not answered yet
  const line = useRef({ isBusy: false, wanted: null }).current;
  function sendNewest() {
    if (line.isBusy || !line.wanted) return;
    line.isBusy = true;
    tell(model, { command: "move", places: line.wanted });
    line.wanted = null;
  }
  useLayoutEffect(() => {
    const onAnswer = ({ answer }) => {
      if (answer !== "moved") return;
      line.isBusy = false;
      if (line.wanted) sendNewest();
      else move({});
    };
    model.on("msg:custom", onAnswer);
    return () => model.off("msg:custom", onAnswer);
  }, []);
  const shown = { ...places, ...moved };
  const put = (name, place) => {
    line.wanted = { ...shown, [name]: place };
    move(line.wanted);
    sendNewest();
  };
  return html`
    <section class="mctslab mctslab-sliders" aria-label=${model.get("title")}>
      <div class="tiles">${model.get("sliders").map(({ name, label, stops }) => html`
        <label class="row" data-slider=${name}><span>${label}</span><span class="setting">${stops[shown[name]]}</span>
          <${Slider} label=${label} at=${shown[name]} last=${stops.length - 1}
            text=${stops[shown[name]]} put=${(place) => put(name, place)} /></label>`)}
      </div>
      <p class="sentence" role="status">${sentence}</p>
      <p class="message" role="alert">${message}</p>
      <div class="stage">
        <${Drawing} class="board drawing" svg=${board} />
        <${Scores} ...${table} />
        <${TopOfTree} svg=${tree} />
      </div>
    </section>`;
}

/** The moves at the root; the bars of all of them share one axis, which holds 0. */
function Scores({ parts, head, rows }) {
  const ends = [0, ...rows.flatMap(({ score: [value, bonus] }) => [value, value + bonus])];
  const [low, high] = [Math.floor(4 * Math.min(...ends)) / 4, Math.ceil(4 * Math.max(...ends, 0.25)) / 4];
  const percent = (length) => `${(100 * length) / (high - low)}%`;
  const span = (from, to) => ({ left: percent(Math.min(from, to) - low), width: percent(Math.abs(to - from)) });
  const row = ({ cells: [name, ...cells], score: [value, bonus], is_next: isNext }) => ({
    cells: [
      html`${name}${isNext && html`<span class="spoken">, next</span>`}`, ...cells,
      html`<div class="bars" aria-hidden="true">
        <i class="part-0" style=${span(0, value)} /><i class="part-1" style=${span(value, value + bonus)} />
        <b style=${{ left: percent(-low) }} />
      </div>`,
    ],
    class: isNext ? "is-chosen" : null,
  });
  const legend = html`
    <span class="legend" aria-hidden="true">
      ${parts.map((name, part) => html`<span><i class="part-${part}" />${name}</span>`)}
    </span>`;
  const next = rows.some(({ is_next: isNext }) => isNext) ? " The marked one is tried next." : "";
  return html`
    <div class="scores" tabindex="0" role="group" aria-label="The most visited moves">
      <${Table} caption="The most visited moves.${next}" head=${[...head, legend]} rows=${rows.map(row)} />
    </div>`;
}

/** On a narrow page the tree scrolls; whenever the page's width changes, its root is shown. */
function TopOfTree({ svg }) {
  const pane = useRef();
  const { width } = useSize(pane);
  useLayoutEffect(() => {
    const top = pane.current.querySelector("g.node")?.getBoundingClientRect();
    if (top) pane.current.scrollLeft += top.x + top.width / 2 - pane.current.getBoundingClientRect().x - width / 2;
  }, [width]);
  return html`<${WideDrawing} kind="top-of-tree" label="The top of the tree" pane=${pane} svg=${svg} />`;
}

export default widget(Sliders, "search");
