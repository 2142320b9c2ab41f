// One game on the panel of the notebooks, against the search in worker.js.
//
// The panel's script is that of the notebooks. In a notebook Python keeps the game; here session.js
// does, and the worker knows the rules.

import board from "./board.js";
import panel from "./game_panel.js";
import { Session } from "./session.js";

// The worker, as a function that returns promises

class Engine {
  #worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  #waiting = new Map();
  #last = 0;

  constructor(onBreak) {
    this.#worker.onmessage = ({ data: { id, progress, answer, error } }) => {
      const waiting = this.#waiting.get(id);
      if (progress) return waiting.progressed(progress);
      this.#waiting.delete(id);
      return error ? waiting.reject(new Error(error)) : waiting.resolve(answer);
    };
    this.#worker.onerror = (event) => onBreak(event.message || "the worker did not start");
  }

  request(task, progressed = () => {}) {
    const id = ++this.#last;
    this.#worker.postMessage({ id, ...task });
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, progressed }));
    return { id, answer };
  }

  stop(id) {
    this.#worker.postMessage({ stop: id });
  }

  end() {
    this.#worker.terminate();
  }
}

/** Whether this browser has memory64: a module with nothing but such a memory is valid. */
const hasMemory64 = () =>
  typeof WebAssembly === "object" &&
  WebAssembly.validate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 4, 1]));

/** What the page knows about each game, by the name of its board. */
export const games = async () => (await fetch(new URL("games.json", import.meta.url))).json();

let ending = () => {}; // ends the game before

/** Play the game of `about` in the element `place`; a game that was played there ends. */
export async function playIn(place, about) {
  ending();
  const closing = new AbortController();
  const { signal } = closing;
  const say = (text) => place.replaceChildren(Object.assign(document.createElement("p"), { className: "trouble", role: "alert", textContent: text }));
  if (!hasMemory64()) {
    return say("This browser cannot run the search, which needs WebAssembly with a memory of 64 bits. " +
      "Current versions of Chrome, Edge, Firefox and Safari have it.");
  }
  const engine = new Engine((problem) => say(`The game does not work here: ${problem}.`));
  ending = () => { closing.abort(); engine.end(); };
  try {
    await engine.request({ load: about }).answer;
    const session = new Session(about, engine);
    await session.start();
    if (signal.aborted) return;
    const wasInside = place.contains(document.activeElement); // another board was chosen
    await show(session, place, signal);
    if (wasInside) place.querySelector(".rules select")?.focus();
  } catch (error) {
    say(`The game does not work here: ${error.message}`);
  }
}

/** The panel with the widgets in it, as JupyterLab would show them. */
async function show({ panel: model, board: boardModel, inner }, place, signal) {
  const widgets = (reference) => (reference === "board" ? { widget: board, model: boardModel } : inner(reference));
  const host = {
    getWidget: async (reference) => {
      const { widget, model: traits } = widgets(reference);
      return { render: ({ el }) => widget.render({ model: traits, el, host, signal }) };
    },
  };
  place.replaceChildren();
  const close = await panel.render({ model, el: place, host, signal });
  signal.addEventListener("abort", close);
}
