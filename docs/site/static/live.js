// Brings the widgets of a page to life without a kernel. The build has written what a widget needs:
// its traits, its script and, where the script asks Python for something, what to answer with.

import { ANSWERS } from "./answers.js";
import { followTheme } from "./theme.js";

const NEAR = "600px"; // a widget is loaded when it comes this near to the screen

/** The state of a widget, as its script expects it; what it sends goes to `answer`. */
class Model {
  constructor(state, answer = () => {}) {
    this.state = state;
    this.answer = answer;
    this.listeners = new Map();
  }

  get(name) {
    return this.state[name];
  }

  set(name, value) {
    const isNew = JSON.stringify(this.state[name]) !== JSON.stringify(value);
    this.state[name] = value;
    if (isNew) this.tell(`change:${name}`, value);
  }

  /** Change several traits; the listeners hear of it when all have their new values. */
  update(values) {
    const changed = Object.keys(values).filter((name) => JSON.stringify(this.state[name]) !== JSON.stringify(values[name]));
    Object.assign(this.state, values);
    for (const name of changed) this.tell(`change:${name}`, values[name]);
  }

  save_changes() {}

  send(message) {
    this.answer(message);
  }

  on(events, listener) {
    for (const event of events.split(" ")) this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]);
  }

  off(events, listener) {
    for (const event of events.split(" ")) this.listeners.set(event, (this.listeners.get(event) ?? []).filter((each) => each !== listener));
  }

  tell(event, ...values) {
    for (const listener of this.listeners.get(event) ?? []) listener(...values);
  }
}

async function unpacked(address) {
  const stream = (await fetch(address)).body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

function loadStyle(address) {
  if (document.querySelector(`link[href="${address}"]`)) return;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: address });
  document.head.append(link);
}

async function enliven(place) {
  const address = new URL(place.dataset.widget, document.baseURI);
  const { name, root, models, answers } = await unpacked(address);
  const made = new Map();
  const makeModel = (id) => made.get(id) ?? made.set(id, new Model(models[id].state)).get(id);
  const host = { getWidget: async (reference) => ({ render: ({ el, signal }) => show(reference.replace("anywidget:", ""), el, signal) }) };

  async function show(id, el, signal) {
    const { script, style } = models[id];
    loadStyle(new URL(style, address).href);
    const { default: parts } = await import(new URL(script, address).href);
    const model = makeModel(id);
    await parts.initialize?.({ model });
    await parts.render({ model, el, host, signal });
  }

  const page = {
    model: makeModel(root),
    modelOf: (reference) => makeModel(reference.replace("anywidget:", "")),
    needsPython: (what) => sayNeedsPython(place, what),
    isGone: () => !place.isConnected,
  };
  if (name in ANSWERS) ANSWERS[name](page, answers);
  else page.model.update(answers); // traits that it has only here
  const el = document.createElement("div");
  await show(root, el, new AbortController().signal);
  place.append(...el.childNodes);
  place.classList.add("is-live");
}

/** One line with the places where the notebook can be run. */
function sayNeedsPython(place, what) {
  place.querySelector(".needs-python")?.remove();
  const line = document.createElement("div");
  line.className = "needs-python";
  line.setAttribute("role", "status");
  const words = document.createElement("p");
  words.textContent = `${what} needs Python.`;
  line.append(words);
  const links = document.querySelector("ul.run-it")?.cloneNode(true);
  if (links) line.append(links);
  place.append(line);
}

/** What is wider than the page scrolls with the arrow keys, once it has the focus. */
function letKeysScroll() {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const isWide = target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight;
      if (isWide) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  for (const wide of document.querySelectorAll("pre, .output, .formula, .table-wrapper, [style*='overflow-x']")) observer.observe(wide);
}

followTheme();
letKeysScroll();
const observer = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    observer.unobserve(target);
    enliven(target).catch((error) => console.error(error));
  }
}, { rootMargin: NEAR });
for (const place of document.querySelectorAll("[data-widget]")) observer.observe(place);
