// One game on the panel of the notebooks, against the search in worker.js.
//
// The panel's script is that of the notebooks. In a notebook Python answers its messages; here
// server.js does, for which the worker knows the rules.

import panel from "./game_panel.js";
import { Server } from "./server.js";

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
  const wasInside = place.contains(document.activeElement); // another board was chosen
  ending();
  const closing = new AbortController();
  const { signal } = closing;
  const say = (text) => {
    const trouble = { className: "trouble", role: "alert", textContent: text };
    place.replaceChildren(Object.assign(document.createElement("p"), trouble));
  };
  if (!hasMemory64()) {
    return say("This browser cannot run the search, which needs WebAssembly with a memory of 64 bits. " +
      "Current versions of Chrome, Edge, Firefox and Safari have it.");
  }
  const engine = new Engine((problem) => say(`The game does not work here: ${problem}.`));
  ending = () => { closing.abort(); engine.end(); };
  try {
    await engine.request({ load: about }).answer;
    const below = Object.assign(document.createElement("div"), { className: "below" });
    const model = await new Server(about, engine, (wanted) => showBelow(below, wanted, signal)).start();
    if (signal.aborted) return;
    const el = document.createElement("div");
    place.replaceChildren(el);
    signal.addEventListener("abort", panel.render({ model, el, signal }));
    place.append(below);
    if (wasInside) place.querySelector(".rules select")?.focus();
  } catch (error) {
    say(`The game does not work here: ${error.message}`);
  }
}

let shown = null; // the widget below the panel, and how to close it

/** The panel has styles for what is in it, so another widget stands below it. */
function showBelow(place, wanted, signal) {
  if (shown?.wanted?.model === wanted?.model) return;
  shown?.close();
  shown = null;
  if (!wanted) return place.replaceChildren();
  const el = Object.assign(document.createElement("div"), { role: "region", ariaLabel: wanted.label });
  place.replaceChildren(el);
  shown = { wanted, close: wanted.widget.render({ model: wanted.model, el, signal }) };
}
