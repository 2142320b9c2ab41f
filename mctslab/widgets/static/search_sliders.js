// The page's half of the sliders for a search. The kernel's results are synced traits; the page
// sends the values of the sliders, one message at a time, and always the newest.

function render({ model, el, signal }) {
  const sliders = model.get("sliders").map((slider) => makeSlider(slider, () => sendNewest()));
  const parts = {};
  parts.sentence = h("p", { class: "sentence", role: "status" });
  parts.message = h("p", { class: "message", role: "alert" });
  parts.table = h("table");
  parts.board = h("div", { class: "board" });
  parts.tree = h("div", { class: "top-of-tree", tabindex: 0, role: "group", "aria-label": "The top of the tree" });
  const root = h("section", { class: "mctslab mctslab-sliders", "aria-label": model.get("title") },
    h("div", { class: "sliders" }, ...sliders.map(({ label }) => label)),
    parts.sentence, parts.message,
    h("div", { class: "stage" }, parts.board, parts.table, parts.tree));
  el.append(root);

  let isBusy = false;
  let isStale = false;
  function sendNewest() {
    isStale = isBusy;
    if (isBusy) return;
    isBusy = true;
    tell(model, { command: "move", places: Object.fromEntries(sliders.map(({ name, input }) => [name, Number(input.value)])) });
  }
  model.on("msg:custom", ({ answer }) => {
    if (answer !== "moved") return;
    isBusy = false;
    if (isStale) sendNewest();
  });

  keepKeysFromTheNotebook(root, signal);
  watchTheKernel(model, root, "search");
  const on = whenChanged(model);
  on(["places"], () => { if (!isStale) for (const slider of sliders) slider.show(model.get("places")[slider.name]); });
  on(["sentence"], () => setText(parts.sentence, model.get("sentence")));
  on(["message"], () => setText(parts.message, model.get("message")));
  on(["table"], () => parts.table.replaceChildren(...tableOf(model.get("table"))));
  on(["board"], () => parts.board.replaceChildren(parseSvg(model.get("board"))));
  on(["tree"], () => parts.tree.replaceChildren(parseSvg(model.get("tree"))));
  // On a narrow page the tree scrolls; whenever the page's width changes, its root is shown.
  let width = 0;
  const onResize = new ResizeObserver(() => {
    const { scrollLeft, clientWidth } = parts.tree;
    const top = parts.tree.querySelector("g.node")?.getBoundingClientRect();
    if (clientWidth === width || !top) return;
    width = clientWidth;
    parts.tree.scrollLeft = scrollLeft + top.x + top.width / 2 - parts.tree.getBoundingClientRect().x - width / 2;
  });
  onResize.observe(parts.tree);
  signal.addEventListener("abort", () => onResize.disconnect());
  return openView(model);
}

/** A slider with named values. */
function makeSlider({ name, label: text, stops }, whenMoved) {
  const output = h("output", { class: "setting" });
  const input = h("input", { type: "range", class: "slider", min: 0, max: stops.length - 1, step: 1, "aria-label": text,
    oninput: () => { describe(); whenMoved(); } });
  const label = h("label", { "data-slider": name }, h("span", {}, text), output, input);
  function describe() {
    const place = Number(input.value);
    input.style.setProperty("--done", `${(100 * place) / (stops.length - 1)}%`);
    set(input, "aria-valuetext", stops[place]);
    setText(output, stops[place]);
  }
  const show = (place) => { input.value = place; describe(); };
  return { name, label, input, show };
}

function tableOf([head, ...rows]) {
  return [
    h("caption", {}, "The most visited moves"),
    h("thead", {}, h("tr", {}, ...head.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, ...rows.map(([move, ...cells]) =>
      h("tr", {}, h("th", { scope: "row" }, move), ...cells.map((cell) => h("td", {}, cell))))),
  ];
}

export default { initialize, render };
