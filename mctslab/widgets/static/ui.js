// What lies between a model and its page: a view is a function of the traits, and what it returns is
// what the page shows. `html` and the hooks are Preact's and htm's (vendor/preact.js).

import { html, render as mount, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./vendor/preact.js";
import { ICONS, initialize, keepKeysFromTheNotebook, newId, openView, parseSvg, watchTheKernel } from "./common.js";

/**
 * The script of a widget whose page is `View`. `needs` is its word for itself if it needs a kernel,
 * such as "panel"; a widget that lives on the page alone has none.
 */
export function widget(View, needs = "") {
  return {
    initialize,
    render({ model, el, host, signal }) {
      mount(html`<${View} model=${model} host=${host} signal=${signal} />`, el);
      const root = el.firstElementChild;
      keepKeysFromTheNotebook(root, signal);
      if (needs) watchTheKernel(model, root, needs);
      const close = needs ? openView(model) : () => {};
      return () => { close(); mount(null, el); };
    },
  };
}

/** The values of these traits; the view is shown again whenever one of them changes. */
export function useTraits(model, ...names) {
  const [, showAgain] = useState(0);
  useLayoutEffect(() => {
    const again = () => showAgain((times) => times + 1);
    for (const name of names) model.on(`change:${name}`, again);
    return () => { for (const name of names) model.off(`change:${name}`, again); };
  }, [model]);
  return names.map((name) => model.get(name));
}

/** Change traits from the page. */
export function change(model, values) {
  for (const [name, value] of Object.entries(values)) model.set(name, value);
  model.save_changes();
}

/** The size of what is shown in an element, also when it changes. */
export function useSize(element) {
  const [size, note] = useState({ width: 640, height: 440 });
  useLayoutEffect(() => {
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element.current;
      if (width && height) note({ width, height });
    };
    const resizing = new ResizeObserver(measure);
    resizing.observe(element.current);
    measure();
    return () => resizing.disconnect();
  }, []);
  return size;
}

export const Icon = ({ name }) => {
  const { path, filled = false, width = 1.5 } = ICONS[name];
  return html`<svg viewBox="0 0 16 16" class="sign" aria-hidden="true">
    <path d=${path} fill=${filled ? "currentColor" : "none"} stroke="currentColor" stroke-width=${width}
      stroke-linecap="round" stroke-linejoin="round" />
  </svg>`;
};

/** A button with a sign, and with a word unless only screen readers get it. */
export const Button = ({ sign, label, word = false, kind = "", ...more }) => html`
  <button type="button" class="command ${kind}" ...${word ? {} : { title: label, "aria-label": label }} ...${more}>
    <${Icon} name=${sign} />${word && html`<span>${label}</span>`}
  </button>`;

/**
 * An SVG document of Python's, in the element that `pane` refers to. It shrinks with its pane, down to
 * the share `least` of its own width, below which its numbers cannot be read: then it scrolls.
 */
export const Drawing = ({ svg, pane, least = 0, ...more }) => {
  const own = useRef();
  const element = pane ?? own;
  useLayoutEffect(() => {
    const drawing = svg ? parseSvg(svg) : "";
    if (svg && least) drawing.style.minWidth = `${least * parseFloat(drawing.getAttribute("width"))}px`;
    element.current.replaceChildren(drawing);
  }, [svg]);
  return html`<div ref=${element} ...${more} />`;
};

/** A drawing that scrolls, also with the arrow keys, where it is wider than its pane. */
export const WideDrawing = ({ label, kind = "scroller", ...more }) => html`
  <${Drawing} class="${kind} drawing" tabindex="0" role="group" aria-label=${label} least="0.72" ...${more} />`;

/** A slider; `put` is called while it moves, and `keep` when it is let go. */
export const Slider = ({ label, at, first = 0, last, step = 1, text, put, keep }) => html`
  <input type="range" class="slider" min=${first} max=${last} step=${step} value=${at}
    aria-label=${label} aria-valuetext=${text}
    oninput=${(event) => put(Number(event.target.value))} onchange=${keep} />`;

/** A menu of [value, text]. */
export const Menu = ({ label, value, options, choose, ...more }) => html`
  <select aria-label=${label} ...${more} onchange=${({ target }) => {
    choose(options[target.selectedIndex][0]);
    if (value === "") target.selectedIndex = 0; // the same one can be chosen again
  }}>
    ${options.map(([each, text]) => html`
      <option value=${typeof each === "string" ? each : text} selected=${each === value}>${text}</option>`)}
  </select>`;

/** Radio buttons in a row. */
export function Choice({ label, value, values, choose }) {
  const [name] = useState(newId);
  return html`
    <div class="row" role="radiogroup" aria-label=${label}>
      ${values.map((each) => html`
        <label class="row">
          <input type="radio" name=${name} value=${each} checked=${each === value} onchange=${() => choose(each)} />
          ${each}
        </label>`)}
    </div>`;
}

export const Bar = ({ label, now, of = 100, ...more }) => html`
  <div class="bar" role="progressbar" aria-label=${label}
    aria-valuemin="0" aria-valuemax=${of} aria-valuenow=${now} ...${more}>
    <span style=${{ width: `${(100 * now) / of}%` }} />
  </div>`;

/** What each of two sides has of a whole: their words at the ends of a bar in their colours. */
export const Balance = ({ words, colors, share, kind = "", bar = { "aria-hidden": "true" }, ...more }) => html`
  <div class="balance row ${kind}" ...${more}>
    <span>${words[0]}</span>
    <div class="shares" ...${bar}>
      ${[share, 1 - share].map((each, side) => html`
        <span style=${{ background: colors[side], width: `${100 * each}%` }} />`)}
    </div>
    <span>${words[1]}</span>
  </div>`;

/** A table; its rows are {cells, and attributes}, and the first cell is the name of a row. */
export const Table = ({ caption, head, rows, pane, ...more }) => {
  const row = ({ cells: [name, ...cells], ...own }) => html`
    <tr ...${own}><th scope="row">${name}</th>${cells.map((text) => html`<td>${text}</td>`)}</tr>`;
  return html`
    <table ref=${pane} ...${more}>${caption && html`<caption>${caption}</caption>`}
      <thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
      <tbody>${rows.map(row)}</tbody>
    </table>`;
};

/** A button that disappears or is disabled loses the focus: `instead` names the one that gets it. */
export function useKeptFocus(root, instead) {
  const focused = useRef();
  useLayoutEffect(() => {
    const name = focused.current;
    const find = (command) => root.current.querySelector(`[data-command="${command}"]:not(:disabled, [hidden])`);
    const active = document.activeElement;
    const isLost = !active || active === document.body || active.matches(":disabled");
    if (name && isLost && !find(name)) (find(instead[name]) ?? root.current).focus();
  });
  return {
    onfocusin: ({ target }) => { focused.current = target.dataset.command; },
    onfocusout: ({ relatedTarget }) => { if (relatedTarget) focused.current = undefined; },
  };
}

/** Another widget inside of this one. */
export const Inner = ({ widget: reference, host, signal, ...more }) => {
  const element = useRef();
  useLayoutEffect(() => {
    host.getWidget(reference).then((inner) => inner.render({ el: element.current, signal }));
  }, [reference]);
  return html`<div ref=${element} ...${more} />`;
};

// A player: a position from 0 to `last` that buttons, keys, a slider and time move along

/**
 * `go(at)` shows a position. `wait` is how many milliseconds it is shown while time moves along, or
 * a function of it; `step(at, direction)` is where the next step leads, one way or the other.
 */
export function usePlayer(at, last, go, wait, step = (from, direction) => from + direction) {
  const [isPlaying, play] = useState(false);
  useEffect(() => {
    if (!isPlaying) return undefined;
    if (at >= last) return play(false);
    const timer = setTimeout(() => go(step(at, 1)), typeof wait === "function" ? wait(at) : wait);
    return () => clearTimeout(timer);
  }, [isPlaying, at, last]);
  const jump = (to) => { play(false); go(Math.min(Math.max(to, 0), last)); };
  const move = (direction) => jump(step(at, direction));
  const toggle = () => {
    if (!isPlaying && at === last) go(0);
    play(!isPlaying);
  };
  const keys = {
    " ": toggle, Home: () => jump(0), End: () => jump(last), ArrowLeft: () => move(-1), ArrowRight: () => move(1),
  };
  return { at, last, isPlaying, jump, move, toggle, pause: () => play(false), keys };
}

export const PlayButtons = ({ last, isPlaying, jump, move, toggle }) => html`
  <div class="buttons">
    <${Button} sign="first" label="To the beginning (Home)" onclick=${() => jump(0)} />
    <${Button} sign="previous" label="Back (←)" onclick=${() => move(-1)} />
    <${Button} sign=${isPlaying ? "pause" : "play"} label=${isPlaying ? "Pause (space)" : "Play (space)"}
      kind="primary" onclick=${toggle} />
    <${Button} sign="next" label="Forward (→)" onclick=${() => move(1)} />
    <${Button} sign="last" label="To the end (End)" onclick=${() => jump(last)} />
  </div>`;

/** Buttons with what stands beside them, and a slider with its place in `words`. */
export const PlayControls = ({ player, title, label, words, text, children }) => html`
  <div class="controls" role="toolbar" aria-label=${title}><${PlayButtons} ...${player} />${children}</div>
  <div class="timeline">
    <${Slider} label=${label} at=${player.at} last=${player.last} text=${text} put=${player.jump} />
    <span class="place">${words}</span>
  </div>`;

export { html, useEffect, useLayoutEffect, useMemo, useRef, useState };
