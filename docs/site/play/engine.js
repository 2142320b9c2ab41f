// The compiled search and rules of one game, in the memory of WebAssembly.
//
// What a search needs and leaves is in arrays, as in mctslab/fast/tree.py, and `about`, which the
// build has written, says where the fields of a node are. An address has 64 bits, so it is a BigInt.

const FIRST_CAPACITY = 1 << 14;
const MAX_NODES = 4_000_000;
export const NO_LIMIT = 2 ** 31;

export const load = async (about, bytes) => {
  const { instance } = await WebAssembly.instantiate(bytes);
  return new Engine(about, instance.exports);
};

/** Four numbers of 64 bits from which a PCG64 starts: its state and its increment, which is odd. */
export function randomState() {
  const numbers = crypto.getRandomValues(new BigUint64Array(4));
  numbers[3] |= 1n;
  return numbers;
}

export class Engine {
  constructor(about, exports) {
    this.about = about;
    this.exports = exports;
    this.tableLength = about.table_length;
    this.record = about.node; // the kind of node that the tree has now
    this.net = 0; // its address, while the search is one by a net
    const { start, words, squares, actions, classes, counters } = about;
    this.at = {
      start: this.#new(8 * start.length),
      words: this.#new(8 * words.length),
      moves: this.#new(8 * about.num_actions),
      squares: this.#new(8 * squares.length),
      actions: this.#new(8 * actions.length),
      planes: [0, 1].map(() => this.#new(4 * about.num_squares)),
      random: this.#new(32),
      classes: this.#new(8 * classes.length),
      counters: this.#new(8 * counters.length),
      filled: this.#new(8),
      bonuses: this.#new(8 * this.tableLength),
      factors: this.#new(8 * this.tableLength),
      nodes: this.#new(about.node.size * FIRST_CAPACITY), // the last, so that it can grow
    };
    this.capacity = FIRST_CAPACITY;
    this.nets = new Map(); // their addresses, by name
    this.#bits("actions", actions.length).set(actions.map(BigInt));
    this.#bits("squares", squares.length).set(squares.map(BigInt));
    this.#bits("classes", classes.length).set(classes.map(BigInt));
  }

  #new(size) {
    const address = this.exports.allocate(BigInt(size));
    if (!address) throw new Error("The browser has no more memory for this page.");
    return address;
  }

  #bits(name, length) {
    return new BigUint64Array(this.exports.memory.buffer, Number(this.at[name]), length);
  }

  get #position() {
    return [this.at.start, this.at.words];
  }

  // The rules

  /** Set up the first position and play `moves` on it, each as the number of its bit. */
  setUp(moves) {
    const { start, words } = this.about;
    this.#bits("start", start.length).set(start.map(BigInt));
    this.#bits("words", words.length).set(words.map(BigInt));
    for (const move of moves) this.play(move);
  }

  /** The legal moves of the position that was set up; none where the game is over. */
  legalMoves() {
    const number = Number(this.exports.list_moves(...this.#position, this.at.moves));
    return [...this.#bits("moves", number)].map(Number);
  }

  /** The player to move, the stones of each square ("0", "1" or "."), and the outcome. */
  look() {
    const { squares, num_squares: number } = this.about;
    const planes = this.at.planes.map(
      (address) => new Float32Array(this.exports.memory.buffer, Number(address), number),
    );
    for (const plane of planes) plane.fill(0);
    const player = Number(this.exports.read_stones(
      ...this.#position, this.at.squares, BigInt(squares.length), ...this.at.planes, BigInt(number)));
    const stones = Array.from({ length: number }, (_, square) =>
      planes[0][square] ? String(player) : planes[1][square] ? String(1 - player) : ".");
    return { player, stones, outcome: Number(this.exports.find_outcome(...this.#position)) };
  }

  /** Play a legal move in the position that was set up. */
  play(move) {
    this.exports.make_move(...this.#position, BigInt(move));
  }

  /** The state of the random numbers. */
  get random() {
    return this.#bits("random", 4).slice();
  }

  set random(state) {
    this.#bits("random", 4).set(state);
  }

  /** A move as a rollout draws it: with `byClasses`, of the best class of squares that has one. */
  drawMove(byClasses) {
    const number = byClasses ? this.about.classes.length : 0;
    return Number(this.exports.draw_move(
      ...this.#position, this.at.classes, BigInt(number), this.at.random));
  }

  /**
   * The lines that won a finished game: sets of stones such that the last move wins with them and
   * with none fewer. They are found by the rules alone: a stone is left out by playing the last
   * move's stone in its place. Where stones turn over, as in Reversi, there are no such lines.
   */
  winningLines(moves) {
    if (this.about.look.style === "discs") return [];
    this.setUp(moves);
    if (this.look().outcome !== this.about.outcomes.lost) return [];
    const last = moves.at(-1);
    const winners = moves.filter((_, ply) => (moves.length - 1 - ply) % 2 === 0);
    const wins = (stones) => {
      this.setUp(moves.map((move) => (winners.includes(move) && !stones.has(move) ? last : move)));
      return this.look().outcome === this.about.outcomes.lost;
    };
    const without = (stones, ...others) => new Set([...stones].filter((each) => !others.includes(each)));
    const lines = [];
    for (let rest = new Set(winners); wins(rest); rest = without(rest, ...without(lines.at(-1), last))) {
      let line = rest;
      for (const stone of without(rest, last))
        if (wins(without(line, stone))) line = without(line, stone);
      // A row that is longer than necessary: further stones win instead of some of these.
      const row = new Set(line);
      for (const windows = [line]; windows.length; ) {
        const window = windows.pop();
        for (const stone of without(rest, ...row)) {
          const other = [...without(window, last)].map((each) => without(window, each).add(stone)).find(wins);
          if (!other) continue;
          windows.push(other);
          row.add(stone);
        }
      }
      lines.push(row);
    }
    return lines.map((line) => [...line]);
  }

  // The search

  /** Begin a tree of UCT for the position that was set up. */
  begin(random, byClasses) {
    this.net = 0;
    this.random = random;
    this.numClasses = byClasses ? this.about.classes.length : 0;
    this.#plant(this.about.node, this.legalMoves().length);
  }

  /** Begin a tree of PUCT, whose leaves a net evaluates; the last of `moves` led to its root. */
  beginByNet(name, moves) {
    this.net = this.nets.get(name);
    this.lastSquare = moves.length ? this.about.squares[moves.at(-1)] : -1;
    this.#plant(this.about.guided_node, -1);
  }

  /** Keep a net, as the build has written it, so that `beginByNet` finds it. */
  addNet(name, file) {
    this.exports.release(this.at.nodes);
    const address = this.#new(file.byteLength);
    new Uint8Array(this.exports.memory.buffer, Number(address), file.byteLength).set(new Uint8Array(file));
    this.nets.set(name, address);
    this.at.nodes = this.#new(this.about.node.size * this.capacity);
  }

  #plant(record, untried) {
    this.record = record;
    const { counters } = this.about;
    this.#bits("counters", counters.length).set(counters.map((number) => BigInt.asUintN(64, BigInt(number))));
    const root = this.#view(0);
    for (let byte = 0; byte < record.size; byte++) root.setUint8(byte, 0);
    this.#write(root, "first_child", -1);
    this.#write(root, "next_sibling", -1);
    this.#write(root, "num_untried", untried);
    this.#write(root, "mover", this.look().player);
  }

  /** Run about `chunk` simulations, but not more than `limit`; how many there were. */
  run(chunk, limit = NO_LIMIT) {
    if (this.net) return this.#runByNet(Math.min(chunk, limit));
    const most = Math.min(limit, chunk + this.about.num_actions);
    let done = 0;
    for (;;) {
      const mayGrow = this.capacity < MAX_NODES;
      const ran = Number(this.exports.search(
        this.at.nodes, BigInt(this.capacity), this.at.counters, ...this.#position, this.at.random,
        BigInt(chunk - done), BigInt(most - done), 0, this.about.c, this.at.bonuses,
        this.at.factors, BigInt(this.tableLength), this.at.filled, this.at.classes,
        BigInt(this.numClasses), 1n, Number(mayGrow)));
      if (ran < 0) throw new Error("The search failed.");
      done += ran;
      if (done >= chunk) return done;
      this.#grow();
    }
  }

  #runByNet(number) {
    const { about, at } = this;
    const wanted = this.#used + number * about.num_actions;
    while (this.capacity < wanted && this.capacity < MAX_NODES) this.#grow();
    const used = Number(this.exports.search_by_net(
      at.nodes, BigInt(this.capacity), at.counters, ...this.#position, about.c_puct, this.net,
      BigInt(this.lastSquare), at.squares, at.actions, BigInt(about.squares.length), BigInt(number)));
    if (used < 0) throw new Error("The search failed.");
    return number;
  }

  // The first counters: records that were ever used, and the third, how many of these are not now.

  get #used() {
    return Number(this.#bits("counters", 1)[0]);
  }

  get numNodes() {
    return this.#used - Number(this.#bits("counters", 3)[2]);
  }

  #grow() {
    this.capacity = Math.min(2 * this.capacity + this.about.num_actions, MAX_NODES);
    this.exports.release(this.at.nodes);
    this.#new(this.about.node.size * this.capacity);
  }

  // The tree

  #view(index) {
    const { size } = this.record;
    return new DataView(this.exports.memory.buffer, Number(this.at.nodes) + index * size, size);
  }

  #read(view, name) {
    const [offset, kind] = this.record.fields[name];
    const read = { f8: "getFloat64", i8: "getBigInt64", i4: "getInt32", i2: "getInt16", i1: "getInt8" };
    return Number(view[read[kind]](offset, true));
  }

  #write(view, name, value) {
    const [offset, kind] = this.record.fields[name];
    ({ i4: () => view.setInt32(offset, value, true), i2: () => view.setInt16(offset, value, true),
       i1: () => view.setInt8(offset, value) })[kind]();
  }

  /** A node as plain numbers. */
  node(index) {
    const view = this.#view(index);
    return {
      index,
      move: this.#read(view, "move"),
      mover: this.#read(view, "mover"),
      visits: this.#read(view, "visit_count"),
      total: this.#read(view, "total_value"),
      ...(this.net
        ? { prior: this.#read(view, "prior") }
        : { prior: null, exploitation: this.#read(view, "exploitation"), factor: this.#read(view, "factor") }),
      untried: this.#read(view, "num_untried"),
      numChildren: this.#read(view, "num_children"),
      firstChild: this.#read(view, "first_child"),
      nextSibling: this.#read(view, "next_sibling"),
    };
  }

  /** The children of a node, in the order in which they were added. */
  children({ firstChild, numChildren, untried }) {
    if (untried === 0) return Array.from({ length: numChildren }, (_, place) => this.node(firstChild + place));
    const children = [];
    for (let index = firstChild; children.length < numChildren; ) {
      const child = this.node(index);
      children.push(child);
      index = child.nextSibling;
    }
    return children.reverse();
  }

  /** A node with its `children`, each of which has its own. */
  tree(node = this.node(0)) {
    return { ...node, children: this.children(node).map((child) => this.tree(child)) };
  }

  /** What the visits of a node add to the scores of its children, before their own factor. */
  bonus(visits) {
    const { buffer } = this.exports.memory;
    return this.about.c * new Float64Array(buffer, Number(this.at.bonuses), this.tableLength)[visits];
  }
}
