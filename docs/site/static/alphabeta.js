// Alpha-beta without Python, for the stepper: the steps of search/alphabeta_steps.py and the sentences
// of widgets/alphabeta_stepper.py. A test compares the two.

const MINUS = "−";

/** A number with its sign. */
function signed(number) {
  if (number === Infinity) return "+∞";
  if (number === -Infinity) return `${MINUS}∞`;
  if (number === 0) return "0";
  return (number > 0 ? "+" : MINUS) + Number(Math.abs(number).toPrecision(6));
}

function boundsText(low, high) {
  if (low === high) return signed(low);
  if (low === -Infinity) return high === Infinity ? "?" : `≤ ${signed(high)}`;
  return high === Infinity ? `≥ ${signed(low)}` : `${signed(low)} to ${signed(high)}`;
}

/** The steps of the search of {parent, name, player, leaf}, in the order of the moves. */
function searched(nodes, order) {
  const steps = [];
  const bounds = nodes.map(() => [-Infinity, Infinity]);
  function search(place, alpha, beta) {
    const { player, leaf } = nodes[place];
    if (leaf !== null) {
      bounds[place] = [leaf, leaf];
      steps.push({ kind: "leaf", node: place, alpha, beta, bounds: bounds[place], child: null, narrows: false, cut: [] });
      return leaf;
    }
    steps.push({ kind: "enter", node: place, alpha, beta, bounds: [-Infinity, Infinity], child: null, narrows: false, cut: [] });
    const maximises = player === 0;
    const best = maximises ? Math.max : Math.min;
    let value = maximises ? -Infinity : Infinity;
    for (const [number, child] of order[place].entries()) {
      value = best(value, search(child, alpha, beta));
      const narrows = maximises ? value > alpha : value < beta;
      if (maximises) alpha = Math.max(alpha, value);
      else beta = Math.min(beta, value);
      bounds[place] = [0, 1].map((end) => best(...order[place].map((each) => bounds[each][end])));
      const cut = alpha >= beta ? order[place].slice(number + 1) : [];
      steps.push({ kind: "back", node: place, alpha, beta, bounds: bounds[place], child, narrows, cut });
      if (alpha >= beta) break;
    }
    return value;
  }
  search(0, -Infinity, Infinity);
  return steps;
}

function sentencesOf({ kind, node: place, alpha, beta, bounds, child, narrows, cut }, nodes, players) {
  const way = [];
  for (let at = place; nodes[at].parent !== null; at = nodes[at].parent) way.unshift(nodes[at].name);
  const here = way.join(" ") || "the root";
  const { player, parent } = nodes[place];
  const [mover, other] = [players[player], players[1 - player]];
  if (kind === "leaf") return [`The leaf ${here} is evaluated: ${signed(bounds[0])}.`];
  if (child === null) {
    const handed = parent === null ? "Nothing is sure yet" : "The window comes along";
    return [`At ${here} ${mover} is to move. ${handed}:`, `α = ${signed(alpha)}, β = ${signed(beta)}.`];
  }
  const [letter, end] = player === 0 ? ["α", alpha] : ["β", beta];
  const { name } = nodes[child];
  const said = [];
  if (narrows && player === 0) said.push(`With ${name}, ${mover} is sure of ${signed(end)}, so α rises to ${signed(end)}.`);
  else if (narrows) said.push(`With ${name}, ${mover} limits the value to ${signed(end)}, so β falls to ${signed(end)}.`);
  else said.push(`Move ${name} is no better for ${mover} than ${letter} = ${signed(end)}: nothing changes.`);
  if (alpha >= beta) said.push(`Now α ≥ β: ${other} has ${signed(player === 0 ? beta : alpha)} elsewhere and will avoid ${here}.`);
  if (cut.length) said.push(`The remaining ${cut.length === 1 ? "move is" : `${cut.length} moves are`} cut off.`);
  return said;
}

/** The steps as the stepper shows them. */
export function told(nodes, order, { players, colors, unknown }) {
  const colorOfValue = new Map(colors);
  const finite = (number) => (Number.isFinite(number) ? number : null);
  const colorOf = (bounds) => {
    const known = bounds.find(Number.isFinite);
    return known === undefined ? unknown : colorOfValue.get(known);
  };
  const steps = searched(nodes, order).map((step) => ({
    kind: step.kind,
    node: step.node,
    window: [finite(step.alpha), finite(step.beta)],
    text: boundsText(...step.bounds),
    color: colorOf(step.bounds),
    child: step.child,
    cut: step.cut,
    sentence: sentencesOf(step, nodes, players).join(" "),
  }));
  const evaluated = steps.filter(({ kind }) => kind === "leaf").length;
  const leaves = nodes.filter(({ leaf }) => leaf !== null).length;
  steps.at(-1).sentence += ` The search is over: the root is worth ${steps.at(-1).text}, and ${evaluated} of ${leaves} leaves were evaluated.`;
  return steps;
}

export function alphaBetaAnswers({ model }, look) {
  const nodes = model.get("nodes");
  const first = look.order;
  function search(order) {
    const before = model.get("steps").filter(({ kind }) => kind === "leaf").length;
    const steps = told(nodes, order, look);
    model.update({ order, steps, at: steps.length - 1, before, message: "" });
  }
  model.answer = ({ command, node, to }) => {
    if (command === "reset") return search(first);
    if (command !== "move") return;
    const { parent } = nodes[node];
    const order = model.get("order").map((children) => [...children]);
    const siblings = order[parent].filter((child) => child !== node);
    siblings.splice(to, 0, node);
    order[parent] = siblings;
    search(order);
  };
}
