// A question that a student answers before the page shows the answer. The kernel sends the answer
// after a prediction, or after the wish to see it without one. A page without a kernel has got it
// sealed: written so that nobody reads it by accident.

import { axes, Chart, Legend, path, pointedAt } from "./chart.js";
import { newId, onKeys, parseHtml, tell } from "./common.js";
import {
  Button, change, html, Icon, Menu, Slider, useEffect, useLayoutEffect, useRef, useState, useTraits, widget,
} from "./ui.js";

// Numbers

/** A step of a scale from `low` to `high`: a round number, and small enough for a precise answer. */
function stepOf({ low, high, is_whole: isWhole }) {
  const power = 10 ** Math.floor(Math.log10((high - low) / 100));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => (high - low) / each <= 200);
  return isWhole ? Math.max(1, step) : step;
}

const rounded = (value) => Number(value.toPrecision(6));
/** A count unchanged, a measurement with as many digits as a reader can use. */
const measured = (value) => (Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
const shown = (value) => rounded(value).toLocaleString("en", { maximumSignificantDigits: 6 }).replace("-", "−");
const withUnit = (value, unit) => `${shown(value)}${unit && unit !== "%" ? " " : ""}${unit}`;

// The kinds of questions. What is `missing` before a guess can be sent, in words, and afterwards
// whether it came true (null: not judged) and the verdict.

/** The whole scale, as far as its steps reach. */
const wholeScale = (form) => {
  const step = stepOf(form);
  return [form.low, rounded(form.low + step * Math.floor((form.high - form.low) / step + 1e-9))];
};
const isSame = (guess, other) => guess.every((each, place) => each === other[place]);

const KINDS = {
  number: {
    View: Range,
    start: wholeScale,
    missing: ({ guess }, form) =>
      isSame(guess, wholeScale(form)) ? "Move a slider first: the whole scale is not an answer." : "",
    cameTrue: ([first, last], value) => first <= value && value <= last,
    right: "Your range contains it.",
    wrong: () => "It came out differently: your range does not contain it.",
  },
  choice: {
    View: Options,
    start: () => null,
    missing({ guess, confidence }) {
      if (guess === null) return "Choose one of the options.";
      return confidence ? "" : "Say how sure you are.";
    },
    cameTrue: (guess, value) => guess === value,
    right: "That is right.",
    wrong: (guess) => `It came out differently: you chose “${guess}”.`,
  },
  curve: {
    View: Curve,
    start: ({ x }) => x.map(() => null),
    missing({ guess }) {
      const open = guess.filter((each) => each === null).length;
      const are = open === 1 ? "is" : "are";
      return open ? `Draw the whole curve first: ${open} of its ${guess.length} points ${are} still missing.` : "";
    },
  },
};

/** Whether a guess came true, and that in words. */
export function judged(kind, guess, value) {
  if (kind === "curve") {
    const distance = guess.reduce((sum, each, place) => sum + Math.abs(each - value[place]), 0) / value.length;
    const rough = distance >= 10 ? distance.toFixed(0) : Number(distance.toPrecision(2));
    return [null, `On average your curve is ${rough} away from it.`];
  }
  const { cameTrue, right, wrong } = KINDS[kind];
  return cameTrue(guess, value) ? [true, right] : [false, wrong(guess)];
}

// On a page without a kernel the browser keeps what was predicted

const keyOf = (model) => `mctslab prediction: ${model.get("question")} ${JSON.stringify(model.get("form"))}`;

function open(model, guess) {
  const bytes = Uint8Array.from(atob(model.get("sealed")), (letter) => letter.charCodeAt(0));
  change(model, { guess, answer: JSON.parse(new TextDecoder().decode(bytes)) });
}

function keep(model, guess) {
  try {
    localStorage.setItem(keyOf(model), JSON.stringify(guess));
  } catch (error) {
    console.warn("mctslab: the prediction cannot be kept:", error);
  }
}

function kept(model) {
  try {
    return JSON.parse(localStorage.getItem(keyOf(model)));
  } catch {
    return null;
  }
}

// The card

function Prediction({ model }) {
  const [kind, question, form, guess, answer, message, sealed] = useTraits(
    model, "kind", "question", "form", "guess", "answer", "message", "sealed");
  const { View, start, missing } = KINDS[kind];
  const [draft, note] = useState({ guess: start(form), confidence: null });
  const [lack, say] = useState("");
  const [sentence, answered, hadFocus] = [useRef(), useRef(), useRef(false)];
  const isAnswered = "value" in answer;
  const lacks = missing(draft, form);
  const [cameTrue, verdict] = isAnswered && guess !== null ? judged(kind, guess, answer.value) : [null, ""];

  function predict() {
    say(lacks);
    if (lacks) return;
    hadFocus.current = true;
    if (!sealed) return tell(model, { command: "predict", ...draft });
    keep(model, draft.guess);
    open(model, draft.guess);
  }
  function see() {
    hadFocus.current = true;
    if (sealed) open(model, null);
    else tell(model, { command: "see" });
  }
  useEffect(() => { if (sealed && kept(model) !== null) open(model, kept(model)); }, []);
  useLayoutEffect(() => { if (isAnswered && hadFocus.current) answered.current.focus(); }, [isAnswered]);

  const state = !isAnswered ? "" : `is-answered ${cameTrue === null ? "" : cameTrue ? "is-right" : "is-different"}`;
  return html`
    <section class="mctslab mctslab-prediction ${state}" aria-label="Prediction">
      <p class="question"><strong>Your prediction: </strong>${question}</p>
      <${View} form=${form} guess=${isAnswered ? guess : draft.guess} truth=${answer.value}
        confidence=${draft.confidence} put=${(changed) => { note({ ...draft, ...changed }); say(""); }} />
      <div class="row" hidden=${isAnswered}>
        <${Button} sign="next" label="Predict, and see the answer" word kind=${lacks ? "" : "primary"}
          onclick=${predict} />
        <${Button} sign="see" label="I'd rather see it" word onclick=${see} />
      </div>
      <p class="message" role="alert">${lack || message}</p>
      <div class="answer" tabindex="-1" hidden=${!isAnswered} ref=${answered}>
        <p class="sentence" role="status" ref=${sentence}>
          ${verdict && html`
            <strong class="verdict">
              ${cameTrue !== null && html`<${Icon} name=${cameTrue ? "right" : "differently"} />`} ${verdict}
            </strong>`} ${answer.sentence}
        </p>
        ${answer.pictures?.map((each) => html`<${Markup} source=${each} class="picture" />`)}
        <${Markup} source=${answer.more ?? ""} class="more" />
      </div>
    </section>`;
}

/** Python's HTML, without what could run or lead away. */
function Markup({ source, ...more }) {
  const element = useRef();
  useLayoutEffect(() => element.current.replaceChildren(...parseHtml(source)), [source]);
  return html`<div ref=${element} ...${more} />`;
}

/** Two sliders, the ends of a range, at first of the whole scale; afterwards a mark at the true number. */
function Range({ form, guess, truth, put }) {
  const { low, high, unit, sure } = form;
  const [first, last] = guess ?? [low, high];
  const isOpen = truth === undefined;
  const isUntouched = isOpen && isSame([first, last], wholeScale(form));
  const place = (value) => `${(100 * (value - low)) / (high - low)}%`;
  const slider = (words, label, at, pushed) => html`
    <label>
      ${words} <${Slider} label=${label} at=${at} first=${low} last=${high} step=${stepOf(form)}
        text=${withUnit(at, unit)} put=${(value) => put({ guess: pushed(value) })} />
    </label>`;
  const between = first === last ? "exactly" : "between";
  const ends = `${first === last ? "" : `${shown(first)} and `}${withUnit(last, unit)}`;
  const bar = { left: place(first), width: `calc(${place(last)} - ${place(first)})` };
  return html`
    <div class="part ${isUntouched ? "untouched" : ""}">
      <p class="how" hidden=${guess === null}>${isUntouched
        ? `Move the two sliders until you are ${sure}% sure that the number is between them.`
        : html`You are ${sure}% sure that it is ${between} <strong>${ends}</strong>.`}</p>
      ${isOpen && html`<div class="sliders">
        ${slider("from", "From", first, (value) => [value, Math.max(value, last)])}
        ${slider("to", "To", last, (value) => [Math.min(value, first), value])}
      </div>`}
      <div class="track" aria-hidden=${isOpen}>
        ${guess !== null && html`<span class="range" style=${bar} />`}
        ${!isOpen && html`
          <span class="truth ${truth > (low + high) / 2 ? "is-high" : ""}" style=${{ left: place(truth) }}>
            <span class="strong">${withUnit(measured(truth), unit)}</span>
          </span>`}
      </div>
      <div class="ends muted" aria-hidden="true">
        <span>${withUnit(low, unit)}</span><span>${withUnit(high, unit)}</span>
      </div>
    </div>`;
}

/** Radio buttons, and how sure the student is. */
function Options({ form: { options, least }, guess, truth, confidence, put }) {
  const [name] = useState(newId);
  const isOpen = truth === undefined;
  const levels = [least, 40, 50, 60, 70, 80, 90, 100].filter((level, place) => place === 0 || level > least);
  const kind = (option) => (isOpen ? "" : option === truth ? "is-true strong" : option === guess ? "is-missed" : "");
  const words = (level) => (level === least ? `${level}% (a guess)` : `${level}%`);
  return html`
    <div class="part">
      <div role="radiogroup" aria-label="Options">
        ${options.map((option) => html`<label class="option row ${kind(option)}">
          <input type="radio" name=${name} checked=${option === guess} disabled=${!isOpen}
            onchange=${() => put({ guess: option })} /><span>${option}</span></label>`)}
      </div>
      ${isOpen && html`<label class="how row">
        How sure are you? <${Menu} label="How sure you are" value=${confidence ? String(confidence) : "none"}
          options=${[["none", "choose"], ...levels.map((level) => [String(level), words(level)])]}
          choose=${(level) => put({ confidence: Number(level) || null })} /></label>`}
    </div>`;
}

/**
 * Axes to draw on; for the keyboard each point is a slider. A point that was not drawn yet is null, and
 * shown pale in the middle. Afterwards the true curve as well.
 */
function Curve({ form, guess, truth, put }) {
  const { x, low, high, x_label: xLabel, y_label: yLabel } = form;
  const [svg, before] = [useRef(), useRef(null)];
  const isOpen = truth === undefined;
  const middle = rounded((low + high) / 2);
  const every = Math.ceil(x.length / 8);
  const shownPlaces = [...x.keys()].filter((place) => place % every === 0);
  const quarters = [0, 0.25, 0.5, 0.75, 1].map((part) => low + (high - low) * part);
  const at = axes({
    width: 560, height: 280, right: 34, // room for the right half of 1,000,000
    x: { low: 0, high: x.length - 1, ticks: shownPlaces, title: xLabel, say: (place) => x[place] },
    y: { low, high, ticks: quarters, title: yLabel, say: shown },
  });
  const within = (value) => rounded(Math.min(high, Math.max(low, value)));
  const move = (place, value) => put({ guess: guess.with(place, within(value)) });
  const focus = (place) => svg.current.querySelectorAll(".point")[place]?.focus();
  function drag(event) {
    if (!isOpen || event.buttons !== 1) return;
    if (event.type === "pointerdown") {
      event.currentTarget.setPointerCapture(event.pointerId);
      before.current = null;
    }
    event.preventDefault();
    const [exact, value] = pointedAt(at, event);
    const place = Math.round(exact);
    const [from, valueThere] = before.current ?? [place, value];
    before.current = [place, value];
    // A fast mouse jumps over points, which then lie on the line of its way.
    const isBetween = (each) => Math.min(from, place) < each && each < Math.max(from, place);
    const onTheWay = (each) => valueThere + ((value - valueThere) * (each - from)) / (place - from);
    const drawn = (each) => within(each === place ? value : onTheWay(each));
    put({ guess: guess.map((old, each) => (each === place || isBetween(each) ? drawn(each) : old)) });
  }
  function keysOf(place) {
    const by = (steps) => () => move(place, (guess[place] ?? middle) + steps * stepOf(form));
    return {
      Enter: by(0), " ": by(0), ArrowUp: by(1), ArrowDown: by(-1), PageUp: by(10), PageDown: by(-10),
      ArrowLeft: () => focus(place - 1), ArrowRight: () => focus(place + 1),
    };
  }
  const line = (values, first = 0) => path(at, values.map((value, place) => [first + place, value]));
  const isDrawn = (place) => guess[place] !== null && guess[place + 1] !== null;
  const name = yLabel || "value";
  const point = (value, place) => {
    const said = value === null ? "not drawn yet" : shown(value);
    const slider = {
      role: "slider", tabindex: 0, "aria-label": `${name} at ${xLabel} ${x[place]}`, onkeydown: onKeys(keysOf(place)),
      "aria-valuemin": low, "aria-valuemax": high, "aria-valuenow": value ?? middle, "aria-valuetext": said,
    };
    const result = `${name} at ${xLabel} ${x[place]}: you ${value}, result ${truth?.[place]}`;
    return html`
      <circle class="point ${value === null ? "untouched" : ""}" r=${isOpen ? 7 : 3}
        cx=${at.x.pixel(place)} cy=${at.y.pixel(value ?? middle)}
        ...${isOpen ? slider : { role: "img", "aria-label": result }} />`;
  };
  const help = "Draw the curve with the mouse, from the first point to the last. On the keyboard, Tab goes from " +
    "point to point, the arrow keys move a point, and Enter leaves it where it is.";
  return html`
    <div class="part">
      <div class="how" hidden=${guess === null}>${isOpen
        ? help
        : html`<${Legend} lines=${[["guess", "your curve"], ["truth", "the result"]]} />`}</div>
      <div ref=${svg}>
        <${Chart} at=${at} role="group" label="${name} by ${xLabel || "x"}" onpointerdown=${drag} onpointermove=${drag}>
          ${guess?.slice(1).map((_, place) => isDrawn(place) && html`
            <path class="guess" d=${line(guess.slice(place, place + 2), place)} />`)}
          ${!isOpen && html`<path class="truth" d=${line(truth)} />`}
          ${guess?.map(point)}
        <//>
      </div>
    </div>`;
}

export default widget(Prediction, "question");
