// A short search, event by event: the document of mctslab/search/trace.py.
//
// The engine runs one simulation after the other. The visits that have changed show which way each of
// them went, and its random game is played again with the same random numbers. So neither the rules
// nor the search is written a second time here.

/** Describes positions that come after `moves`. */
export class Facts {
  #engine; #about; #moves;

  constructor(engine, moves) {
    this.#engine = engine;
    this.#about = engine.about;
    this.#moves = moves;
  }

  actionOf(move) {
    return move === this.#about.pass.move ? this.#about.pass.action : this.#about.actions[move];
  }

  returnsOf({ player, outcome }) {
    const { open, drawn, won } = this.#about.outcomes;
    if (outcome === open) return null;
    if (outcome === drawn) return [0, 0];
    return (outcome === won) === (player === 0) ? [1, -1] : [-1, 1];
  }

  /** The lines that the last move of `way` has made. */
  winningLines(way, stones) {
    return this.#engine.winningLines(stones, this.#engine.squareOf([...this.#moves, ...way].at(-1)));
  }

  /** A node as mctslab/search/trace.py describes it; `way` leads to it, `node` has its numbers. */
  of(way, parent, { mover, prior, visits = 0, total = 0 }) {
    this.#engine.setUp([...this.#moves, ...way]);
    const here = this.#engine.look();
    const legal = this.#engine.legalMoves().reduce((bits, move) => bits | (1n << BigInt(this.actionOf(move))), 0n);
    return {
      parent,
      action: way.length ? this.actionOf(way.at(-1)) : null,
      mover,
      prior,
      stones: here.stones.join(""),
      last_square: this.#engine.squareOf([...this.#moves, ...way].at(-1)),
      winning_squares: this.winningLines(way, here.stones),
      player_to_move: here.player,
      legal_actions: legal.toString(16),
      returns: this.returnsOf(here),
      first_visit_count: visits,
      first_total_value: total,
    };
  }
}

/** A list for each fact about the nodes. */
export const columnsOf = (nodes) =>
  Object.fromEntries(Object.keys(nodes[0]).map((name) => [name, nodes.map((node) => node[name])]));

/**
 * The document.
 *
 * `moves` lead to the position, and `random` is where the random numbers begin.
 */
export function traceOf(engine, { moves, random, byClasses, number }) {
  const { about } = engine;
  const facts = new Facts(engine, moves);
  const nodes = [];
  const numbers = new Map(); // of the nodes, by the moves that lead to them
  const numberOf = (way) => numbers.get(way.join(" "));

  function add(way, mover, prior) {
    const node = facts.of(way, way.length ? numberOf(way.slice(0, -1)) : null, { mover, prior });
    numbers.set(way.join(" "), nodes.length);
    nodes.push(node);
  }

  /** The random game that began at `way` with these random numbers. */
  function playAgain(way, drawn) {
    engine.random = drawn;
    engine.setUp([...moves, ...way.slice(0, -1)]);
    engine.drawMove(byClasses); // phase 2 has drawn the leaf
    engine.setUp([...moves, ...way]);
    const plies = [], played = [];
    let here = engine.look();
    while (facts.returnsOf(here) === null) {
      const move = engine.drawMove(byClasses);
      engine.play(move);
      const after = engine.look();
      const changes = after.stones.flatMap((sign, square) =>
        sign === here.stones[square] ? [] : [3 * square + ".01".indexOf(sign)]);
      plies.push([here.player, facts.actionOf(move), ...changes]);
      played.push(move);
      here = after;
    }
    const winning = facts.winningLines([...way, ...played], here.stones);
    return { plies, returns: facts.returnsOf(here), winning_squares: winning };
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
        actions: was.children.map(({ move }) => facts.actionOf(move)),
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
  return { game: about.traced, nodes: columnsOf(nodes), simulations };
}
