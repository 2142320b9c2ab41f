// The compiled search and rules of one game, in the memory of WebAssembly.
//
// What a search needs and leaves is in arrays, as in mctslab/fast/tree.py, and `about`, which the
// build has written, says where the fields of a node are. An address has 64 bits, so it is a BigInt.

const FIRST_CAPACITY = 1 << 14;
const MAX_NODES = 4_000_000;
const PAGE = 1 << 16; // the bytes of a step in which a memory grows
export const NO_LIMIT = 2 ** 31;

// The kinds of numbers in an array, and how the fields of a node are read and written.
const KINDS = {
  u8: BigUint64Array, i8: BigInt64Array, i4: Int32Array, f8: Float64Array, f4: Float32Array,
};
const READ = { f8: "getFloat64", i8: "getBigInt64", i4: "getInt32", i2: "getInt16", i1: "getInt8" };
const WRITE = { i4: "setInt32", i2: "setInt16", i1: "setInt8" };

// The arrays that begin with what `about` has under their names.
const GIVEN = {
  start: "u8", words: "u8", classes: "u8", squares: "i8", actions: "i8", counters: "i8",
};

export async function load(about, bytes) {
  let engine = null;
  const env = {
    allocate: (size) => BigInt(engine.allocate(Number(size))),
    NRT_MemInfo_alloc_aligned: (size) => BigInt(engine.allocateCounted(Number(size))),
    NRT_MemInfo_call_dtor: () => {}, // what a call has taken is free again after it
  };
  const { instance } = await WebAssembly.instantiate(bytes, { env });
  engine = new Engine(about, instance.exports);
  return engine;
}

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
    this.top = Number(exports.__heap_base.value); // the first free byte of the memory
    this.net = null; // the one that evaluates leaves, while the search is by PUCT
    this.nets = new Map(); // their addresses, by name
    // Of the arrays; `given` are the seven numbers as which Numba's functions expect one, or nine.
    this.places = new Map();
    for (const [name, kind] of Object.entries(GIVEN)) {
      this.#make(name, kind, [about[name].length]);
      this.#putIn(name);
    }
    const { num_actions, num_planes, num_squares, table_length } = about;
    this.#make("no_classes", "u8", [0]);
    this.#make("moves", "i8", [num_actions]);
    this.#make("planes", "f4", [num_planes, num_squares]);
    this.#make("logits", "f4", [num_actions]);
    this.#make("random", "u8", [4]);
    for (const name of ["result", "error", "filled"]) this.#make(name, "i8", [1]);
    for (const name of ["bonuses", "factors"]) this.#make(name, "f8", [table_length]);
    for (const [name, [kind, ...shape]] of Object.entries(about.walk)) this.#make(name, kind, shape);
    this.walk = Object.keys(about.walk);
    this.#fillTables();
    this.end = this.top;
  }

  // The memory

  /** The address of `size` new bytes. */
  allocate(size) {
    const begin = 64 * Math.ceil(this.top / 64);
    const { memory } = this.exports;
    const missing = begin + size - memory.buffer.byteLength;
    try {
      if (missing > 0) memory.grow(BigInt(Math.ceil(missing / PAGE)));
    } catch {
      throw new Error("The browser has no more memory for this page.");
    }
    this.top = begin + size;
    return begin;
  }

  /** New bytes for an array of Numba's; the address of its record, in which their address is. */
  allocateCounted(size) {
    const [record, data] = [this.allocate(48), this.allocate(size)];
    const fields = [1, 0, 0, data, size, 0].map(BigInt); // the first counts the references
    new BigUint64Array(this.exports.memory.buffer, record, 6).set(fields);
    return record;
  }

  #make(name, kind, shape, size = KINDS[kind].BYTES_PER_ELEMENT) {
    const length = shape.reduce((one, other) => one * other);
    const address = this.allocate(size * length);
    const product = (numbers) => numbers.reduce((one, other) => one * other, size);
    const steps = shape.map((_, axis) => product(shape.slice(axis + 1)));
    const given = [0, 0, length, size, address, ...shape, ...steps].map(BigInt);
    this.places.set(name, { kind, length, address, given });
  }

  /** The numbers of an array. */
  array(name) {
    const { kind, address, length } = this.places.get(name);
    return new KINDS[kind](this.exports.memory.buffer, address, length);
  }

  /** Put in an array what it contains at the beginning. */
  #putIn(name) {
    this.array(name).set(this.about[name].map(BigInt));
  }

  /** The result of a function of the engine for arrays, which are given by their names, and numbers. */
  #call(name, ...given) {
    const before = this.top;
    const numbers = ["result", "error"].map((each) => BigInt(this.places.get(each).address));
    for (const each of given)
      numbers.push(...(typeof each === "string" ? this.places.get(each).given : [each]));
    const status = this.exports[`engine_${name}`](...numbers);
    this.top = before;
    const result = Number(this.array("result")[0]);
    if (status || result < 0) throw new Error("The search failed.");
    return result;
  }

  /**
   * Fill the tables as mctslab/fast/kernels/uct.py does it. On the computer where this was written, the first
   * logarithm whose last bit differs is that of 277,862: until a node has so many visits, the trees are the same.
   */
  #fillTables() {
    this.#call("fill_logs", "bonuses");
    const [bonuses, factors] = [this.array("bonuses"), this.array("factors")];
    for (let visits = 1; visits < bonuses.length; visits++) {
      bonuses[visits] = Math.sqrt(bonuses[visits]);
      factors[visits] = 1 / Math.sqrt(visits);
    }
    this.array("filled")[0] = BigInt(bonuses.length);
  }

  // The rules

  /** Set up the first position and play `moves` on it, each as the number of its bit. */
  setUp(moves) {
    this.#putIn("start");
    this.#putIn("words");
    for (const move of moves) this.play(move);
  }

  /** The legal moves of the position that was set up; none where the game is over. */
  legalMoves() {
    const number = this.#call("list_moves", "start", "words", "moves");
    return [...this.array("moves").subarray(0, number)].map(Number);
  }

  /** The player to move, the stones of each square ("0", "1" or "."), and the outcome. */
  look() {
    const player = this.#call("read_stones", "start", "words", "squares", "planes");
    const planes = this.array("planes"), number = this.about.num_squares;
    const stones = Array.from({ length: number }, (_, square) =>
      planes[square] ? String(player) : planes[number + square] ? String(1 - player) : ".");
    return { player, stones, outcome: this.#call("find_outcome", "start", "words") };
  }

  /** Play a legal move in the position that was set up. */
  play(move) {
    this.#call("make_move", "start", "words", BigInt(move));
  }

  /** The state from which random numbers are drawn. */
  set random(state) {
    this.array("random").set(state);
  }

  /** A move as a rollout draws it: with `byClasses`, of the best class of squares that has one. */
  drawMove(byClasses) {
    return this.#call("draw_move", "start", "words", byClasses ? "classes" : "no_classes", "random");
  }

  /** The square of a move; null for a pass, and where no move was played. */
  squareOf(move) {
    return this.about.moves[move]?.square ?? null;
  }

  /** The rows of stones through `square` that are long enough to win, each from end to end. */
  winningLines(stones, square) {
    const { in_a_row: length, look: { rows, cols } } = this.about;
    if (square === null || length === null) return [];
    const run = (row, col, down, right) => {
      const here = row * cols + col;
      const isOnBoard = row >= 0 && row < rows && col >= 0 && col < cols;
      if (!isOnBoard || stones[here] !== stones[square]) return [];
      return [here, ...run(row + down, col + right, down, right)];
    };
    const [row, col] = [Math.floor(square / cols), square % cols];
    const lines = [[0, 1], [1, 0], [1, 1], [1, -1]].map(([down, right]) =>
      [...run(row - down, col - right, -down, -right).reverse(), ...run(row, col, down, right)]);
    return lines.filter((line) => line.length >= length);
  }

  // The search

  /** Begin a tree of UCT for the position that was set up. */
  begin(random, byClasses) {
    this.net = null;
    this.random = random;
    this.classes = byClasses ? "classes" : "no_classes";
    this.#plant(this.about.node, this.legalMoves().length);
  }

  /** Begin a tree of PUCT, whose leaves a net evaluates; the last of `moves` led to its root. */
  beginByNet(name, moves) {
    this.net = this.nets.get(name);
    this.lastSquare = BigInt(moves.length ? this.about.squares[moves.at(-1)] : -1);
    this.#plant(this.about.guided_node, -1);
  }

  /** Keep a net, as the build has written it, so that `beginByNet` finds it. */
  addNet(name, file) {
    this.top = this.end;
    const address = this.allocate(file.byteLength);
    new Uint8Array(this.exports.memory.buffer, address).set(new Uint8Array(file));
    this.nets.set(name, BigInt(address));
    this.end = this.top;
  }

  /** Room for this many nodes; it is behind everything else, so that it can become more. */
  #makeRoom(capacity) {
    this.capacity = Math.min(capacity, MAX_NODES);
    this.top = this.end;
    this.#make("nodes", "", [this.capacity], this.record.size);
  }

  #grow() {
    this.#makeRoom(2 * this.capacity + this.about.num_actions);
  }

  #plant(record, untried) {
    this.record = record;
    this.#makeRoom(FIRST_CAPACITY);
    this.#putIn("counters");
    const root = this.#view(0);
    for (let byte = 0; byte < record.size; byte++) root.setUint8(byte, 0);
    this.#write(root, "first_child", -1);
    this.#write(root, "next_sibling", -1);
    this.#write(root, "num_untried", untried);
    this.#write(root, "mover", this.look().player);
  }

  /** Run `chunk` simulations, but not more than `limit`; how many there were. */
  run(chunk, limit = NO_LIMIT) {
    const number = Math.min(chunk, limit);
    if (this.net) return this.#runByNet(number);
    for (let done = 0; ; this.#grow()) {
      done += this.#call(
        "search", "nodes", "counters", "start", "words", "random", BigInt(number - done),
        this.about.c, "bonuses", "factors", "filled", this.classes, 1n,
        Number(this.capacity < MAX_NODES));
      if (done >= number) return done;
    }
  }

  #runByNet(number) {
    const rule = [this.about.c_puct, 0, 0];
    for (let done = 0; done < number; done++) {
      if (this.#used + this.about.num_actions > this.capacity && this.capacity < MAX_NODES) this.#grow();
      const numMoves = this.#call(
        "walk_to_leaf", "nodes", "start", "words", ...rule, ...this.walk, this.lastSquare,
        "squares", "planes");
      const value = numMoves ? this.#evaluate() : 0;
      this.#call("judge_leaf", "nodes", "counters", ...this.walk, "logits", value, "actions");
    }
    return number;
  }

  /** The value of the leaf by the net, which also writes the logits. */
  #evaluate() {
    const before = this.top;
    const [planes, logits] = ["planes", "logits"].map((name) => BigInt(this.places.get(name).address));
    const value = this.exports.evaluate(this.net, planes, logits);
    this.top = before;
    return Math.tanh(value);
  }

  // The first counters: records that were ever used, and the third, how many of these are not now.

  get #used() {
    return Number(this.array("counters")[0]);
  }

  get numNodes() {
    return this.#used - Number(this.array("counters")[2]);
  }

  // The tree

  #view(index) {
    const { size } = this.record;
    return new DataView(this.exports.memory.buffer, this.places.get("nodes").address + index * size, size);
  }

  #read(view, name) {
    const [offset, kind] = this.record.fields[name];
    return Number(view[READ[kind]](offset, true));
  }

  #write(view, name, value) {
    const [offset, kind] = this.record.fields[name];
    view[WRITE[kind]](offset, value, true);
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
      prior: this.net ? this.#read(view, "prior") : null,
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
}
