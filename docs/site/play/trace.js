// A short search, event by event: the document of mctslab/search/trace.py.
//
// The engine runs one simulation after the other. The visits that have changed show which way each of
// them went, and its random game is played again with the same random numbers. So neither the rules
// nor the search is written a second time here.

/**
 * {trace, places, lines}: the document, the place of each node in the drawn tree, and for the squares
 * of every winning position its lines.
 *
 * `moves` lead to the position, and `random` is where the random numbers begin.
 */
export function traceOf(engine, { moves, random, byClasses, number }) {
  const { about } = engine;
  const nodes = [];
  const numbers = new Map(); // of the nodes, by the moves that lead to them
  const lines = {};
  const numberOf = (way) => numbers.get(way.join(" "));
  const actionOf = (move) => (move === about.pass.move ? about.pass.action : about.actions[move]);
  const squareOf = (move) => about.moves[move]?.square ?? null;

  function returnsOf({ player, outcome }) {
    const { open, drawn, won } = about.outcomes;
    if (outcome === open) return null;
    if (outcome === drawn) return [0, 0];
    return (outcome === won) === (player === 0) ? [1, -1] : [-1, 1];
  }

  function winningSquares(way) {
    const found = engine.winningLines([...moves, ...way]).map((line) => line.map(squareOf));
    const squares = [...new Set(found.flat())].sort((one, other) => one - other);
    if (squares.length) lines[squares.join(",")] = found;
    return squares;
  }

  function add(way, mover, prior) {
    const winning = winningSquares(way);
    engine.setUp([...moves, ...way]);
    const here = engine.look();
    const legal = engine.legalMoves().reduce((bits, move) => bits | (1n << BigInt(actionOf(move))), 0n);
    numbers.set(way.join(" "), nodes.length);
    nodes.push({
      parent: way.length ? numberOf(way.slice(0, -1)) : null,
      action: way.length ? actionOf(way.at(-1)) : null,
      mover,
      prior,
      stones: here.stones.join(""),
      last_square: squareOf([...moves, ...way].at(-1)),
      winning_squares: winning,
      player_to_move: here.player,
      legal_actions: legal.toString(16),
      returns: returnsOf(here),
      first_visit_count: 0,
      first_total_value: 0,
    });
  }

  /** The random game that began at `way` with these random numbers. */
  function playAgain(way, drawn) {
    engine.random = drawn;
    engine.setUp([...moves, ...way.slice(0, -1)]);
    engine.drawMove(byClasses); // phase 2 has drawn the leaf
    engine.setUp([...moves, ...way]);
    const plies = [], played = [];
    let here = engine.look();
    while (returnsOf(here) === null) {
      const move = engine.drawMove(byClasses);
      engine.play(move);
      const after = engine.look();
      const changes = after.stones.flatMap((sign, square) =>
        sign === here.stones[square] ? [] : [3 * square + ".01".indexOf(sign)]);
      plies.push([here.player, actionOf(move), ...changes]);
      played.push(move);
      here = after;
    }
    return { plies, returns: returnsOf(here), winning_squares: winningSquares([...way, ...played]) };
  }

  function simulate(before) {
    engine.setUp(moves);
    const drawn = engine.random;
    engine.run(1, 1);
    const [after, drawnLast] = [engine.tree(), engine.random];
    const selection = [], way = [], nodesOnWay = [after];
    for (let was = before, now = after; ; ) {
      const find = (child) => was.children.find(({ move }) => move === child.move);
      const next = now.children.find((child) => child.visits !== (find(child)?.visits ?? 0));
      if (!next) break;
      const node = numberOf(way);
      way.push(next.move);
      nodesOnWay.unshift(next);
      const chosen = find(next);
      if (!chosen) {
        add(way, next.mover, 1 / (was.untried + was.numChildren));
        break;
      }
      selection.push({
        node,
        chosen: numberOf(way),
        actions: was.children.map(({ move }) => actionOf(move)),
        terms: was.children.map(({ exploitation, factor }) => [exploitation, engine.bonus(was.visits) * factor]),
      });
      [was, now] = [chosen, next];
    }
    const leaf = numberOf(way);
    const { returns } = nodes[leaf];
    const isNew = nodesOnWay[0].visits === 1;
    const rollouts = returns ? [] : [playAgain(way, drawn)];
    if (!returns && String(engine.random) !== String(drawnLast)) throw new Error("The random game is another one.");
    engine.random = drawnLast;
    simulations.push({
      selection,
      leaf,
      is_new: isNew,
      rollouts,
      returns: returns ?? rollouts[0].returns,
      updates: {
        node: nodesOnWay.map((_, up) => numberOf(way.slice(0, way.length - up))),
        visit_count: nodesOnWay.map(({ visits }) => visits),
        total_value: nodesOnWay.map(({ total }) => total),
      },
    });
    return after;
  }

  const simulations = [];
  engine.setUp(moves);
  add([], engine.look().player, 1);
  engine.begin(random, byClasses);
  for (let tree = engine.tree(); simulations.length < number; ) tree = simulate(tree);
  const columns = Object.keys(nodes[0]).map((name) => [name, nodes.map((node) => node[name])]);
  const trace = { game: about.traced, nodes: Object.fromEntries(columns), simulations };
  return { trace, places: placesOf(nodes), lines };
}

/** The places of the nodes: [x from 0 to 1, depth]. A parent is above the middle of its children. */
function placesOf(nodes) {
  const children = nodes.map(() => []);
  nodes.forEach(({ parent }, node) => { if (parent !== null) children[parent].push(node); });
  const places = [];
  let width = 0;
  const place = (node, depth) => {
    const below = children[node].sort((one, other) => nodes[one].action - nodes[other].action);
    for (const child of below) place(child, depth + 1);
    const x = below.length ? (places[below[0]][0] + places[below.at(-1)][0]) / 2 : width++;
    places[node] = [x, depth];
  };
  place(0, 0);
  return places.map(([x, depth]) => [width > 1 ? x / (width - 1) : 0.5, depth]);
}
