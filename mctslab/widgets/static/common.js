// What every widget's script needs: drawings, icons, and keys that the notebook must not handle.
// Each file of this folder is a module; `front_end.bundled` makes one of those that a widget imports.

const ACTIVE = "script, foreignObject, iframe, object, embed, base, link, meta, form";

/** Take out of a parsed document what could run or lead away: scripts, frames, links, listeners. */
function withoutActive(parsed) {
  for (const active of parsed.querySelectorAll(ACTIVE)) active.remove();
  for (const link of parsed.querySelectorAll("a")) link.replaceWith(...link.childNodes);
  for (const element of [parsed, ...parsed.querySelectorAll("*")])
    for (const { name, value } of [...element.attributes])
      if (/^on/i.test(name) || /^\s*javascript:/i.test(value)) element.removeAttribute(name);
  return document.importNode(parsed, true);
}

/** An SVG document as an element, without scripts and links. */
export const parseSvg = (source) =>
  withoutActive(new DOMParser().parseFromString(source, "image/svg+xml").documentElement);

/** The nodes of a piece of HTML, without scripts and links. */
export const parseHtml = (source) =>
  withoutActive(new DOMParser().parseFromString(`<body>${source}`, "text/html").body).childNodes;

// Drawn by hand, because many fonts lack these signs.
export const ICONS = {
  play: { path: "M5 3.2v9.6L12.8 8z", filled: true },
  pause: { path: "M5.2 3.5v9M10.8 3.5v9", width: 2.4 },
  next: { path: "M6 3.5 10.5 8 6 12.5" },
  previous: { path: "M10 3.5 5.5 8l4.5 4.5" },
  last: { path: "M4.5 3.5 9 8l-4.5 4.5M11.8 3.5v9" },
  first: { path: "M11.5 3.5 7 8l4.5 4.5M4.2 3.5v9" },
  plus: { path: "M8 3v10M3 8h10" },
  minus: { path: "M3 8h10" },
  fit: { path: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10" },
  selection: { path: "M8 2.5v10M4.2 8.8 8 12.8l3.8-4" },
  expansion: { path: "M8 3v10M3 8h10" },
  simulation: { path: "M3 3h10v10H3zM5.7 5.7h.01M10.3 5.7h.01M8 8h.01M5.7 10.3h.01M10.3 10.3h.01" },
  backpropagation: { path: "M8 13.5v-10M4.2 7.2 8 3.2l3.8 4" },
  download: { path: "M8 2.5v7M5 6.8 8 9.8l3-3M2.8 13.3h10.4" },
  route: { path: "M4 3v4.2c0 1.6 8 .6 8 2.6V13M2.3 4.7 4 3l1.7 1.7" },
  new: { path: "M3 8a5 5 0 1 1 1.6 3.7M3 12.5V8.6M3 12.5h3.6" },
  undo: { path: "M6.5 3.5 3 7l3.5 3.5M3 7h6.2a3.4 3.4 0 0 1 0 6.8H7" },
  stop: { path: "M4 4h8v8H4z", filled: true },
  fold: { path: "M3 13h10M8 2.5v7M5 5.5 8 2.5l3 3" },
  see: { path: "M1.5 8q6.5-8 13 0q-6.5 8-13 0M8 6.2a1.8 1.8 0 1 0 .01 0" },
  right: { path: "M3 8.5 6.5 12 13 4.5", width: 2.2 },
  differently: { path: "M8 14V9L3 3.5M3 6.5v-3h3M8 9l5-5.5M10 3.5h3v3" },
};

/** An id that no other element of the page has. */
export const newId = () => `mctslab-${Math.random().toString(36).slice(2)}`;

export const hasModifier = (event) => event.ctrlKey || event.metaKey || event.altKey;

/** A listener that does what `actions` has for a key, unless the key presses a button or moves a choice. */
export const onKeys = (actions) => (event) => {
  const { key, target } = event;
  const isRadio = target.matches("input[type=radio]");
  const isTaken = key === " " ? isRadio || target.matches("button") : isRadio && key.startsWith("Arrow");
  if (isTaken || hasModifier(event) || event.defaultPrevented || target.matches("select")) return;
  if (!Object.hasOwn(actions, key)) return;
  event.preventDefault();
  actions[key]();
};

/**
 * In JupyterLab plain keys are commands on cells ("dd" deletes one), but not while a widget uses
 * them. The mark has to be on the element that has the focus.
 */
export function keepKeysFromTheNotebook(root, signal) {
  const before = (event) => {
    if (!root.contains(event.target)) return;
    event.target.toggleAttribute("data-lm-suppress-shortcuts", !hasModifier(event));
  };
  window.addEventListener("keydown", before, { capture: true, signal });
}

/** Send a message; if the kernel is gone, it is lost. */
export function tell(model, message) {
  try {
    model.send(message);
  } catch (error) {
    console.warn("mctslab: not sent:", message, error);
  }
}

/**
 * JupyterLab leaves the reader at the last cell of a notebook that is run as a whole. The first
 * widget that appears, while other cells still wait, brings them back to where reading begins.
 */
function leaveTheReaderAtTheTop(model) {
  // A folded cell shows no prompt, but as soon as it is to run its outputs are gone.
  const waits = (cell) => cell.querySelector(".jp-InputPlaceholder")
    ? !cell.querySelector(".jp-OutputArea-child")
    : cell.querySelector(".jp-InputPrompt")?.textContent.startsWith("[*]");
  for (const notebook of notebooksOf(model)) {
    const cells = [...notebook.querySelectorAll(".jp-Notebook-cell")];
    if (!cells.at(-1)?.classList.contains("jp-mod-active") || cells.filter(waits).length < 2) continue;
    cells[0].dispatchEvent(new MouseEvent("mousedown", { bubbles: true })); // makes it the active one
    notebook.querySelector(".jp-WindowedPanel-outer").scrollTop = 0;
  }
}

/** The notebook of a widget on this page; there are others in other tabs, each named by its tab. */
function notebooksOf(model) {
  const all = [...document.querySelectorAll(".jp-Notebook")];
  if (all.length < 2) return all;
  const path = model.widget_manager?.context?.path;
  const isOwn = (tab) => tab.title.split("\n")[1]?.endsWith(` ${path}`); // its second line: the path
  const own = [...document.querySelectorAll(".lm-TabBar-tab[data-id]")].filter(isOwn);
  return all.filter((notebook) => own.some((tab) => notebook.closest(`[id="${tab.dataset.id}"]`)));
}

export function initialize({ model }) {
  leaveTheReaderAtTheTop(model);
  // A page that was reloaded shows nothing yet, whatever it showed before.
  tell(model, { event: "page_opened", view: "" });
}

/** Tell the kernel that a view is open; what this returns tells it that the view is closed. */
export function openView(model) {
  const view = newId();
  const open = () => tell(model, { event: "view_opened", view });
  const answer = ({ question }) => { if (question === "who shows this?") open(); };
  model.on("msg:custom", answer);
  open();
  return () => {
    model.off("msg:custom", answer);
    tell(model, { event: "view_closed", view });
  };
}

/** After a restart the page still shows a widget that has lost its kernel: say so. */
export function watchTheKernel(model, root, what) {
  const note = document.createElement("p");
  note.className = "lost";
  note.setAttribute("role", "alert");
  model.on("comm_live_update", () => {
    // This cell alone would not find what the cells above have defined.
    note.textContent = `This ${what} has lost its kernel. ` +
      "Choose “Run All Above Selected Cell” in the menu “Run”, then run this cell again.";
    root.prepend(note);
    root.classList.add("is-lost");
    tell(model, { command: "ping" });
  });
  model.on("msg:custom", ({ answer }) => {
    if (answer !== "pong") return;
    note.remove();
    root.classList.remove("is-lost");
  });
}

/** The top left corner of a square in the picture of a board, from the places of board_view.py. */
export function cornerOf({ cols, square: side, left, top, slant, row_height }, square) {
  const row = Math.floor(square / cols);
  return { x: left + (square % cols) * side + row * slant, y: top + row * row_height };
}
