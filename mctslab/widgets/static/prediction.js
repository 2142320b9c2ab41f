// A question that a student answers before the page shows the answer. The prediction is sent as a
// command, or the wish to see the answer without one; only then does Python send the answer.

const CURVE = { width: 560, height: 280, left: 58, right: 34, top: 12, bottom: 44 };

/** A step of a scale from `low` to `high`: a round number, and small enough for a precise answer. */
function stepOf(low, high) {
  const power = 10 ** Math.floor(Math.log10((high - low) / 100));
  return [1, 2, 5, 10].map((each) => each * power).find((step) => (high - low) / step <= 200);
}

const rounded = (value) => Number(value.toPrecision(6));
/** A count unchanged, a measurement with as many digits as a reader can use. */
const measured = (value) => (Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
const shown = (value) => rounded(value).toLocaleString("en", { maximumSignificantDigits: 6 });

function render({ model, el, signal }) {
  const make = { number: makeRange, choice: makeOptions, curve: makeCurve }[model.get("kind")];
  const part = make(model.get("form"));
  const message = h("p", { class: "message", role: "alert" });
  const predict = makeButton("next", "Predict, and see the answer", { onclick: () => {
    const missing = part.missing();
    if (missing) setText(message, missing);
    else tell(model, { command: "predict", guess: part.guess(), confidence: part.confidence?.() ?? null });
  } });
  const see = makeButton("see", "I'd rather see it", { onclick: () => tell(model, { command: "see" }) });
  const sentence = h("p", { class: "sentence", role: "status" });
  const pictures = h("div", { class: "pictures" });
  const more = h("div", { class: "more" });
  const answer = h("div", { class: "answer", tabindex: -1 }, sentence, pictures, more);
  const buttons = h("div", { class: "buttons" }, predict, see);
  const root = h("section", { class: "mctslab mctslab-prediction", "aria-label": "Prediction" },
    h("p", { class: "question" }, h("strong", {}, "Your prediction: "), model.get("question")),
    part.root, buttons, message, answer);
  el.append(root);
  keepKeysFromTheNotebook(root, signal);
  watchTheKernel(model, root, "question");
  const markReady = () => {
    const isReady = !part.missing();
    predict.classList.toggle("primary", isReady);
    if (isReady) setText(message, "");
  };
  for (const event of ["input", "moved"]) root.addEventListener(event, markReady);
  const on = whenChanged(model);
  on(["message"], () => setText(message, model.get("message")));
  on(["answer", "guess", "verdict", "came_true"], () => {
    const { value, sentence: words, pictures: shown, more: text } = model.get("answer");
    const isAnswered = words !== undefined;
    const hadFocus = buttons.contains(document.activeElement);
    buttons.hidden = isAnswered;
    answer.hidden = !isAnswered;
    root.classList.toggle("is-answered", isAnswered);
    if (!isAnswered) return;
    setText(message, "");
    part.reveal(value, model.get("guess"));
    sentence.replaceChildren(...verdictOf(model, root), words);
    pictures.replaceChildren(...shown.map((each) => h("div", { class: "picture" }, ...parseHtml(each))));
    more.replaceChildren(...parseHtml(text));
    if (hadFocus) answer.focus();
  });
  return openView(model);
}

/** The verdict, with a sign if the prediction came true or did not; nothing without a prediction. */
function verdictOf(model, root) {
  const [cameTrue, verdict] = [model.get("came_true"), model.get("verdict")];
  root.classList.toggle("is-right", cameTrue === true);
  root.classList.toggle("is-different", cameTrue === false);
  const sign = cameTrue === null ? [] : [icon(cameTrue ? "right" : "differently"), " "];
  return verdict ? [h("strong", { class: "verdict" }, ...sign, verdict), " "] : [];
}

/** Two sliders, the ends of a range, at first of the whole scale; afterwards a mark at the true number. */
function makeRange({ low, high, unit, sure, is_whole: isWhole }) {
  const step = isWhole ? Math.max(1, stepOf(low, high)) : stepOf(low, high);
  const say = (value) => `${shown(value)}${unit && unit !== "%" ? " " : ""}${unit}`;
  const slider = (label, value) =>
    h("input", { type: "range", min: low, max: high, step, value, "aria-label": label });
  const first = slider("From", low);
  const last = slider("To", high);
  first.addEventListener("input", () => { if (+first.value > +last.value) last.value = first.value; draw(); });
  last.addEventListener("input", () => { if (+last.value < +first.value) first.value = last.value; draw(); });
  const chosen = h("span", { class: "chosen" });
  const truth = h("span", { class: "truth", hidden: true });
  const words = h("p", { class: "how" });
  // The whole scale holds the number for certain, so it is no answer.
  const wholeScale = [first.value, last.value];
  const isWholeScale = () => !first.disabled && first.value === wholeScale[0] && last.value === wholeScale[1];
  const place = (value) => (100 * (value - low)) / (high - low);
  const track = h("div", { class: "track" }, h("span", { class: "range" }), truth);
  const root = h("div", { class: "part" }, words,
    h("div", { class: "sliders" }, h("label", {}, "from", first), h("label", {}, "to", last)),
    track, h("div", { class: "ends", "aria-hidden": "true" }, h("span", {}, say(low)), h("span", {}, say(high))));
  function draw() {
    setText(chosen, `${shown(+first.value)} and ${say(+last.value)}`);
    words.replaceChildren(...(isWholeScale()
      ? [`Move the two sliders until you are ${sure}% sure that the number is between them.`]
      : [`You are ${sure}% sure that it is between `, chosen, "."]));
    root.classList.toggle("untouched", isWholeScale());
    first.setAttribute("aria-valuetext", say(+first.value));
    last.setAttribute("aria-valuetext", say(+last.value));
    const range = track.firstElementChild.style;
    range.left = `${place(+first.value)}%`;
    range.width = `${place(+last.value) - place(+first.value)}%`;
  }
  draw();
  return {
    root,
    missing: () => (isWholeScale() ? "Move a slider first: the whole scale is not an answer." : ""),
    guess: () => [+first.value, +last.value],
    reveal(value, guess) {
      first.disabled = last.disabled = true;
      root.classList.toggle("nobody", guess === null);
      if (guess !== null) [first.value, last.value] = guess;
      draw();
      truth.hidden = false;
      truth.style.left = `${place(value)}%`;
      truth.title = say(measured(value));
      truth.replaceChildren(h("span", {}, truth.title));
    },
  };
}

/** Radio buttons, and how sure the student is. */
function makeOptions({ options, least }) {
  const name = newId();
  const inputs = options.map((value) => h("input", { type: "radio", name, value }));
  const labels = inputs.map((input) => h("label", { class: "option" }, input, h("span", {}, input.value)));
  const levels = [least, 40, 50, 60, 70, 80, 90, 100].filter((level, place) => place === 0 || level > least);
  const sure = h("select", { "aria-label": "How sure you are" }, h("option", { value: "" }, "choose"),
    ...levels.map((level) => h("option", { value: level }, level === least ? `${level}% (a guess)` : `${level}%`)));
  const how = h("label", { class: "how" }, "How sure are you? ", sure);
  const root = h("div", { class: "part" }, h("div", { role: "radiogroup", "aria-label": "Options" }, ...labels), how);
  const guess = () => inputs.find((input) => input.checked)?.value ?? null;
  return {
    root,
    missing: () => (guess() === null ? "Choose one of the options." : sure.value ? "" : "Say how sure you are."),
    guess,
    confidence: () => Number(sure.value),
    reveal(value, guess) {
      sure.disabled = true;
      how.hidden = true;
      for (const [number, input] of inputs.entries()) {
        input.disabled = true;
        input.checked = input.value === guess;
        labels[number].classList.toggle("is-true", input.value === value);
        labels[number].classList.toggle("is-missed", input.value === guess && guess !== value);
      }
    },
  };
}

/** Axes to draw on; for the keyboard each point is a slider. Afterwards the true curve as well. */
function makeCurve({ x, low, high, x_label, y_label }) {
  const { width, height, left, right, top, bottom } = CURVE;
  const values = x.map(() => rounded((low + high) / 2));
  const step = stepOf(low, high);
  const across = (number) => left + ((width - left - right) * number) / Math.max(1, x.length - 1);
  const up = (value) => height - bottom - ((height - top - bottom) * (value - low)) / (high - low);
  const path = (numbers) => numbers.map((value, number) => `${number ? "L" : "M"}${across(number)} ${up(value)}`).join("");
  const line = s("path", { class: "guess" });
  const truth = s("path", { class: "truth" });
  const points = x.map((label, number) => s("circle", {
    r: 7, class: "point", tabindex: 0, role: "slider", "aria-label": `${y_label || "value"} at ${x_label} ${label}`,
    "aria-valuemin": low, "aria-valuemax": high, onkeydown: (event) => onKey(event, number),
  }));
  let [isOpen, isMoved] = [true, false];
  const legend = h("p", { class: "how" }, "Draw the curve with the mouse. On the keyboard, Tab goes from point to point, and the arrow keys move a point.");
  const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, class: "axes" },
    ...axes(), line, truth, ...points);
  const root = h("div", { class: "part" }, legend, svg);
  svg.addEventListener("pointerdown", (event) => { svg.setPointerCapture(event.pointerId); drag(event); });
  svg.addEventListener("pointermove", (event) => { if (event.buttons === 1) drag(event); });

  function axes() {
    const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) => rounded(low + (high - low) * part));
    const every = Math.ceil(x.length / 8);
    return [
      ...ticks.flatMap((value) => [
        s("line", { class: "grid", x1: left, x2: width - right, y1: up(value), y2: up(value) }),
        s("text", { x: left - 8, y: up(value) + 4, "text-anchor": "end" }, shown(value)),
      ]),
      ...x.flatMap((label, number) => number % every ? [] :
        [s("text", { x: across(number), y: height - bottom + 18, "text-anchor": "middle" }, label)]),
      s("text", { x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, x_label),
      s("text", { x: -(top + height - bottom) / 2, y: 13, transform: "rotate(-90)", "text-anchor": "middle" }, y_label),
    ];
  }
  function put(number, value) {
    values[number] = rounded(Math.min(high, Math.max(low, value)));
    isMoved = true;
    draw();
    root.dispatchEvent(new Event("moved", { bubbles: true }));
  }
  function drag(event) {
    if (!isOpen) return;
    const box = svg.getBoundingClientRect();
    const scale = width / box.width;
    const part = ((event.clientX - box.left) * scale - left) / (width - left - right);
    const number = Math.min(x.length - 1, Math.max(0, Math.round(part * (x.length - 1))));
    const height_ = (height - bottom - (event.clientY - box.top) * scale) / (height - top - bottom);
    put(number, low + (high - low) * height_);
    event.preventDefault();
  }
  function onKey(event, number) {
    const moves = { ArrowUp: step, ArrowDown: -step, PageUp: 10 * step, PageDown: -10 * step };
    if (!isOpen || hasModifier(event)) return;
    if (event.key in moves) put(number, values[number] + moves[event.key]);
    else if (event.key === "ArrowRight") points[Math.min(number + 1, x.length - 1)].focus();
    else if (event.key === "ArrowLeft") points[Math.max(number - 1, 0)].focus();
    else return;
    event.preventDefault();
  }
  function draw() {
    root.classList.toggle("untouched", isOpen && !isMoved);
    set(line, "d", path(values));
    for (const [number, point] of points.entries()) {
      set(point, "cx", across(number));
      set(point, "cy", up(values[number]));
      set(point, "aria-valuenow", values[number]);
    }
  }
  draw();
  return {
    root,
    missing: () => (isMoved ? "" : "Draw the curve first: the straight line is not an answer."),
    guess: () => [...values],
    reveal(value, guess) {
      isOpen = false;
      if (guess !== null) values.splice(0, values.length, ...guess);
      root.classList.toggle("nobody", guess === null);
      legend.replaceChildren(h("span", { class: "key guess" }, "your curve"), h("span", { class: "key truth" }, "the result"));
      for (const point of points) point.removeAttribute("tabindex");
      set(truth, "d", path(value));
      draw();
    },
  };
}

export default { initialize, render };
