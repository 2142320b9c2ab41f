// The page: one game on the panel of the notebooks, against the search in worker.js.
//
// In a notebook Python keeps the game and sends the panel what it shows. Here `Session` does that.
// It contains no rules: the worker finds out which moves are legal, what they lead to and who has
// won. The parts common.js and words.js are put before this file.

import board from "./board.js";
import panel from "./game_panel.js";
import stepper from "./stepper.js";
import explorer from "./tree_explorer.js";
import { explorerAnswers } from "./explorer.js";
import { followTheme } from "./theme.js";

const HUMAN = "human";
const PAUSE_MS = 350; // for a person to see the last move
const STEPS = { most: 160, afterFirst: 60, onLarge: 30 }; // simulations to step through
const UNFOLDED = 5; // children of a node that the tree shows at first
const MOST_DRAWN = 300; // nodes of the tree that are drawn
const MOST_HOT_SQUARES = 30; // more would hide the board
const LEAST_PRIOR = 0.05; // of the largest
const NOTHING_SEARCHED = "Nothing has been searched yet. The result appears here after a player has searched, or after Hint.";

// The models of the panel and the board, which a notebook's kernel has elsewhere

class Model {
  #values; #listeners = new Map(); #receive;

  constructor(values, receive = (message) => this.answer(message)) {
    this.#values = values;
    this.#receive = receive;
  }

  get(name) {
    return this.#values[name];
  }

  /** Show new values: what listens for a change of one of them is called. */
  show(values) {
    const changed = Object.keys(values).filter(
      (name) => JSON.stringify(values[name]) !== JSON.stringify(this.#values[name]));
    Object.assign(this.#values, values);
    for (const name of changed)
      for (const listener of this.#listeners.get(`change:${name}`) ?? []) listener();
  }

  off(event, listener) {
    this.#listeners.set(event, (this.#listeners.get(event) ?? []).filter((each) => each !== listener));
  }

  /** The same, as the answers of the book's pages call it. */
  update(values) {
    this.show(values);
  }

  on(event, listener) {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
  }

  send(message) {
    this.#receive(message);
  }
}

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

// One game

class Session {
  #about; #engine; #sides; #heat = "visits"; #isRandom = false; #isPaused = false;
  #menus; #said = { message: "", tone: "plain", effort: "" };
  #table = { remark: NOTHING_SEARCHED }; // what the section "Statistics" shows
  #moves = []; // of the game: {move, player, seconds}
  #positions = []; // before and after each of them, as the worker describes them
  #shares = new Map(); // number of moves -> how often the first side won in the last search
  #tree = null; // of the last search: {nodes, size, caption}
  #searched = null; // the last search: {moves, byClasses, number, caption}
  #turnBegan = 0; #thinking = null; #wait = null; #moveNumber = 0;

  constructor(about, engine) {
    this.#about = about;
    this.#engine = engine;
    this.#sides = [HUMAN, about.opponent];
    this.panel = new Model(
      { board: "board", section: {}, searched: "", tree: "", thinking: {}, view: {} },
      (message) => this.#obey(message));
    this.board = new Model({ look: about.look }, (message) => this.#choose(message));
  }

  async start() {
    this.#positions = [await this.#describe([])];
    this.#listChoices();
    this.#goOn();
  }

  end() {
    clearTimeout(this.#wait);
    this.#engine.end();
  }

  // What the page requests

  #obey({ command, ...more }) {
    const commands = {
      new: () => this.#begin(),
      undo: () => this.#undo(),
      hint: () => this.#think(this.#about.hint, true),
      swap: () => this.#changeSides([...this.#sides].reverse()),
      set_player: () => this.#changeSides(this.#sides.map((old, side) => (side === more.side ? more.player : old))),
      pass: () => this.#play(this.#now.legal[0]),
      start: () => this.#pause(false),
      pause: () => this.#pause(true),
      stop: () => this.#thinking && this.#engine.stop(this.#thinking.id),
      heat: () => {
        this.#heat = more.value;
        this.#listChoices();
        this.#show();
        this.#showBoard();
      },
      random_sides: () => {
        this.#isRandom = more.value;
        this.#listChoices();
        this.#say(more.value
          ? "In the next new game, it is decided at random who moves first."
          : "In the next new game, the players keep their sides.");
      },
      set_rules: () => { location.hash = more.rules.size; },
      open: () => this.#showSection(more.section),
      set_up: () => this.#setUp(more.record),
    };
    commands[command]?.();
  }

  #choose({ chosen, move_number: moveNumber }) {
    if (moveNumber !== this.#moveNumber) return;
    const move = this.#now.legal.find((each) => this.#squareOf(each) === chosen);
    if (this.#isHumansTurn && move !== undefined) this.#play(move);
    else this.#say(this.#refusal(chosen), "warning");
  }

  #refusal(square) {
    const name = this.#nameOf(this.#now.player);
    if (this.#isOver) return "The game is over. Press New for another one.";
    if (!this.#isHumansTurn) return `It is ${name}'s turn. Press Stop if you don't want to wait.`;
    if (this.#mustPass) return `${name} has no legal move: press Pass.`;
    if (this.#about.look.style === "drop") return "This column is full.";
    const { names } = this.#about.look;
    if (this.#now.stones[square] !== ".") return `${names[square]} is taken.`;
    return `${name} can't play ${names[square]}: the dots show where it can.`;
  }

  #begin() {
    if (this.#isRandom && Math.random() < 0.5) this.#sides.reverse();
    const humans = [0, 1].filter((side) => this.#sides[side] === HUMAN);
    const message = this.#isRandom && humans.length === 1
      ? `Drawn at random: you are ${this.#nameOf(humans[0])} and move ${["first", "second"][humans[0]]}.` : "";
    this.#moves = [];
    this.#positions = this.#positions.slice(0, 1);
    this.#forget();
    this.#isPaused = this.#isBetweenPlayers;
    this.#listChoices();
    this.#goOn({ message });
  }

  #forget() {
    this.#shares.clear();
    this.#searched = this.#tree = null;
    this.panel.show({ tree: "", searched: "" });
    this.#keepTable({ remark: NOTHING_SEARCHED });
  }

  #undo() {
    const isChoice = ({ player, move }) => this.#sides[player] === HUMAN && move !== this.#about.pass.move;
    let last = this.#moves.length - 1;
    if (!this.#isBetweenPlayers) while (last > 0 && !isChoice(this.#moves[last])) last -= 1;
    this.#moves.splice(last);
    this.#positions.splice(last + 1);
    for (const ply of this.#shares.keys()) if (ply > last) this.#shares.delete(ply);
    this.#isPaused = this.#isBetweenPlayers;
    this.#goOn();
  }

  #changeSides(sides) {
    this.#sides = sides;
    this.#isPaused = this.#isBetweenPlayers;
    this.#listChoices();
    this.#goOn();
  }

  #pause(isPaused) {
    this.#isPaused = isPaused;
    this.#goOn();
  }

  async #setUp(record) {
    const words = record.trim().split(/\s+/).filter(Boolean);
    const moves = [], positions = [this.#positions[0]];
    for (const [place, word] of words.entries()) {
      const { legal, player } = positions.at(-1);
      const move = legal.find((each) => this.#notation(each).toLowerCase() === word.toLowerCase());
      if (move === undefined)
        return this.#showRecordError(`Move ${place + 1}, ${word}, is not a legal move there.`);
      moves.push({ move, player, seconds: null });
      positions.push(await this.#describe(moves));
    }
    [this.#moves, this.#positions] = [moves, positions];
    this.#forget();
    this.#isPaused = this.#isBetweenPlayers;
    this.#goOn();
  }

  // What happens next

  async #play(move, effort = "") {
    const { player } = this.#now;
    const played = { move, player, seconds: (performance.now() - this.#turnBegan) / 1000 };
    const moves = [...this.#moves, played];
    const number = this.#moveNumber;
    const position = await this.#describe(moves);
    if (number !== this.#moveNumber) return; // something else has happened
    this.#moves = moves;
    this.#positions.push(position);
    const isOwn = this.#sides[player] === HUMAN && move !== this.#about.pass.move;
    const name = this.#nameOf(player);
    const said = move === this.#about.pass.move
      ? `${name} had no legal move and passed.` : `${name} played ${this.#notation(move)}.`;
    this.#goOn({ message: isOwn ? "" : said, effort });
  }

  #goOn(said = {}) {
    clearTimeout(this.#wait);
    if (this.#thinking) this.#engine.stop(this.#thinking.id);
    this.#thinking = null;
    this.#moveNumber += 1;
    this.#turnBegan = performance.now();
    const isPlayersTurn = !this.#isOver && !this.#isPaused && !this.#isHumansTurn;
    if (isPlayersTurn) this.#wait = setTimeout(() => this.#answer(), PAUSE_MS);
    this.#showBoard();
    this.#show({ message: "", tone: "plain", effort: "", ...said });
  }

  #answer() {
    const { legal } = this.#now;
    if (legal.length === 1) this.#play(legal[0]);
    else this.#think(this.#sides[this.#now.player], false);
  }

  async #think(name, isHint) {
    const player = this.#about.players.find((each) => each.value === name);
    const ply = this.#moves.length;
    this.#turnBegan = isHint ? this.#turnBegan : performance.now();
    const moves = this.#moves.map(({ move }) => move);
    const { id, answer } = this.#engine.request(
      { think: { moves, player } }, (progress) => this.#showProgress(id, player, progress));
    this.#thinking = { id, isHint, text: "", share: 0 };
    this.#show(isHint ? { message: "", effort: "" } : {});
    try {
      const found = await answer;
      if (this.#thinking?.id !== id) return; // it was cancelled
      this.#noteSearch(found, ply, isHint);
      this.#noteSteps(moves, player, isHint ? `a hint for ${this.#nameOf(this.#now.player)}` : `${this.#nameOf(this.#now.player)}'s ${this.#notation(found.move)}`);
      const speed = found.simulations ? speedOf(found) : "";
      this.#thinking = null;
      if (!isHint) return this.#play(found.move, speed);
      const [best] = found.children;
      this.#showBoard({ hint: this.#squareOf(best.move) });
      this.#show({
        message: `Hint: ${this.#notation(best.move)}, win rate ${percentOf(rateOf(best))} in ${count(best.visits)} simulations.`,
        tone: "hint",
        effort: speed,
      });
    } catch (error) {
      if (this.#thinking?.id !== id) return;
      this.#thinking = null;
      this.#isPaused = true;
      this.#goOn({ message: error.message, tone: "error" });
    }
  }

  #showProgress(id, { seconds, simulations }, progress) {
    if (this.#thinking?.id !== id) return;
    const share = seconds ? progress.seconds / seconds : progress.simulations / simulations;
    const [best] = progress.children;
    Object.assign(this.#thinking, { share: Math.min(share, 1), text: `${this.#notation(best.move)} so far, ${speedOf(progress)}` });
    this.#showBoard({ children: progress.children });
    const { text, share: spent } = this.#thinking;
    this.panel.show({ thinking: { text, share: spent, estimate: this.#shareOfFirst(progress) } });
  }

  #noteSearch(found, ply, isHint) {
    const mover = this.#nameOf(this.#now.player);
    if (!found.simulations) {
      const caption = `${mover} played without a search, so there is nothing to show.`;
      this.#tree = { nodes: [], caption };
      this.#keepTable({ remark: caption });
      return this.panel.show({ tree: caption });
    }
    this.#shares.set(ply, this.#shareOfFirst(found));
    const move = this.#notation(found.move);
    const caption = `${isHint ? `Hint for ${mover}` : mover}: ${move}, after ${count(found.simulations)} simulations in ${found.seconds.toFixed(1)} s`;
    const visits = found.children.reduce((sum, child) => sum + child.visits, 0) || 1;
    this.#keepTable({
      caption,
      head: ["Play", "Visits", "Share of visits", `Win rate for ${mover}`,
        ...(found.children[0].prior === null ? [] : ["Prior"])],
      rows: found.children.map((child) => [
        this.#notation(child.move),
        count(child.visits),
        percentOf(child.visits / visits, 1),
        child.visits ? percentOf(rateOf(child), 1) : "–",
        ...(child.prior === null ? [] : [percentOf(child.prior, 1)]),
      ]),
    });
    this.#tree = { nodes: found.tree, size: found.numNodes, caption };
    this.panel.show({ tree: caption });
  }

  // The tree of the last search

  drawTree(pane, signal) {
    const remark = h("p", { class: "remark" }, this.#tree?.caption ?? "Nothing has been searched yet. After a search by a player, or by Hint, its tree is here.");
    pane.replaceChildren(remark);
    if (!this.#tree?.nodes.length) return;
    const { title, pieces, legends, inks, small_stones: stones } = this.#about;
    const nodes = this.#tree.nodes.map((node) => this.#describeNode(node));
    const principal = [];
    for (let at = 0; at >= 0; at = this.#tree.nodes.findIndex(({ parent, visits }) => parent === at && visits)) {
      nodes[at].principal = true;
      principal.splice(0, Infinity, ...nodes[at].path);
    }
    const model = new Model({
      title: `Search tree of ${title}`, pieces, min_visits: 1, color_by: "value",
      filters: [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000].filter((visits) => visits <= this.#tree.nodes[0].visits),
    });
    const needsPython = () => { remark.textContent = "What is below was visited too rarely to be kept for this page."; };
    explorerAnswers({ model, needsPython }, {
      nodes, top: UNFOLDED, most: MOST_DRAWN, size: this.#tree.size, legends, stones, inks, winning_lines: {}, principal,
    });
    const leave = explorer.render({ model, el: pane, signal });
    signal.addEventListener("abort", leave);
  }

  /** A node as the tree explorer shows it. */
  #describeNode({ parent, way, move, mover, visits, total: sum, prior, numChildren, numUntried, player, stones, outcome }) {
    const { legends, outcomes } = this.#about;
    const mean = meanValue(visits, sum);
    const share = visits / this.#tree.nodes[0].visits;
    const isOver = outcome !== outcomes.open;
    const winner = outcome === outcomes.won ? player : 1 - player;
    const result = !isOver ? "" : outcome === outcomes.drawn ? "draw" : `${this.#nameOf(winner)} wins`;
    const colorOf = ({ colors }, place) => colors[Math.round(place * (colors.length - 1))];
    const names = way.map((each) => this.#notation(each));
    return {
      parent,
      path: way,
      depth: way.length,
      title: names.length ? [...(names.length > 8 ? ["…"] : []), ...names.slice(-8)].join(" ") : "The root",
      facts: [
        `N ${count(visits)}`,
        ...(visits ? [`W ${total(sum)}`, `Q ${signed(mean)} for ${this.#nameOf(mover)}`, `win rate ${percentOf((1 + mean) / 2, 1)}`] : []),
        ...(prior && way.length ? [`prior ${prior.toFixed(3)}`] : []),
        result || `${this.#nameOf(player)} to move`,
        ...(numUntried && !isOver ? [plural(numUntried, "move not tried yet", "moves not tried yet")] : []),
      ],
      num_children: numChildren,
      stones,
      last_square: this.#squareOf(move),
      winning_squares: [],
      heading: way.length ? names.at(-1) : `${this.#nameOf(mover)} to move`,
      lines: [`N ${count(visits)}`, `${way.length ? "Q" : "value"} ${visits ? signed(mean) : "–"}`],
      outcome: result,
      player: mover,
      share,
      weight: visits,
      principal: false,
      colors: {
        value: visits ? colorOf(legends.value, (1 + mean) / 2) : this.#about.marks.unknown,
        visits: colorOf(legends.visits, share),
      },
    };
  }

  // The phases of a short search

  #noteSteps(moves, player, purpose) {
    const numMoves = this.#now.legal.length;
    const isLarge = numMoves + STEPS.afterFirst > STEPS.most;
    const number = isLarge ? STEPS.onLarge : numMoves + STEPS.afterFirst;
    const how = player.net ? "by random games instead of the net" : "with other random numbers";
    const why = isLarge ? ` Each tries another of the ${numMoves} moves; only after all of them does the search choose.` : "";
    const caption = `A short search of the position before ${purpose}, ${how}: the first ${number} simulations, step by step.${why}`;
    this.#searched = { moves, byClasses: player.by_classes ?? false, number, caption };
    this.panel.show({ searched: caption });
  }

  /** Draw the phase stepper into `pane`, for the last search. */
  async drawSteps(pane, signal) {
    const searched = this.#searched;
    const remark = (text) => pane.replaceChildren(h("p", { class: "remark" }, text));
    if (!searched) return remark("Nothing has been searched yet. After a search by a player, or by Hint, you can go through a short one here, step by step.");
    remark("The search is being recorded …");
    const { moves, byClasses, number, caption } = searched;
    const { trace, places, lines } = await this.#engine.request({ trace: { moves, byClasses, number } }).answer;
    if (searched !== this.#searched || signal.aborted) return;
    const { pieces, look, marks } = this.#about;
    const strokes = Object.entries(lines).map(([squares, found]) =>
      [squares, found.map((line) => new XMLSerializer().serializeToString(this.#stroke(line))).join("")]);
    const data = {
      trace,
      places,
      pieces: { ...pieces, winning_lines: Object.fromEntries(strokes) },
      value_colors: look.scales["win rate"].map(([color]) => color),
      unknown_color: marks.unknown,
    };
    remark(caption);
    stepper.render({ model: new Model({ data, simulation: 1 }), el: pane, signal });
  }

  // The position

  get #now() {
    return this.#positions.at(-1);
  }

  get #isOver() {
    return this.#now.outcome !== this.#about.outcomes.open;
  }

  get #isHumansTurn() {
    return this.#sides[this.#now.player] === HUMAN;
  }

  get #isBetweenPlayers() {
    return !this.#sides.includes(HUMAN);
  }

  get #mustPass() {
    return this.#now.legal[0] === this.#about.pass.move;
  }

  #describe(moves) {
    if (this.#thinking) this.#engine.stop(this.#thinking.id); // the worker does one thing at a time
    return this.#engine.request({ position: moves.map(({ move }) => move) }).answer;
  }

  #nameOf(player) {
    return this.#about.player_names[player];
  }

  #notation(move) {
    return (this.#about.moves[move] ?? this.#about.pass).name;
  }

  #squareOf(move) {
    return this.#about.moves[move]?.square ?? null;
  }

  /** How often the side that moves first won in a search, from the visits of the root's children. */
  #shareOfFirst({ children }) {
    const visits = children.reduce((sum, child) => sum + child.visits, 0);
    const total = children.reduce((sum, child) => sum + child.total, 0);
    const rate = visits ? (1 + total / visits) / 2 : 0.5;
    return children[0].mover === 0 ? rate : 1 - rate;
  }

  /** The winner, or null for a draw. */
  #winner() {
    const { outcome, player } = this.#now;
    const { drawn, won } = this.#about.outcomes;
    return outcome === drawn ? null : outcome === won ? player : 1 - player;
  }

  #discs() {
    if (this.#about.look.style !== "discs") return null;
    return ["0", "1"].map((sign) => this.#now.stones.filter((stone) => stone === sign).length);
  }

  #headline() {
    const { player } = this.#now;
    const name = this.#nameOf(player);
    if (this.#thinking) return this.#thinking.isHint ? "Looking for a hint" : `${name} is thinking`;
    if (this.#isOver) {
      const winner = this.#winner();
      const score = this.#discs() ? `, ${this.#discs().join(" to ")}` : "";
      return (winner === null ? "Draw" : `${this.#nameOf(winner)} wins`) + score;
    }
    if (!this.#isHumansTurn) return `${name} is to move`;
    if (this.#mustPass) return `${name} has to pass`;
    return this.#sides.every((side) => side === HUMAN) ? `${name} to move` : `Your turn: ${name}`;
  }

  #estimate() {
    if (this.#isOver) return [1, 0][this.#winner()] ?? 0.5;
    return [...this.#shares.entries()].sort(([one], [other]) => one - other).at(-1)?.[1] ?? null;
  }

  #commands() {
    const commands = ["new", "swap"];
    if (this.#moves.length) commands.push("undo");
    if (this.#thinking) commands.push("stop");
    if (this.#isOver) return commands;
    if (this.#isPaused) commands.push("start");
    else if (this.#isBetweenPlayers) commands.push("pause");
    if (this.#isHumansTurn && this.#mustPass) commands.push("pass");
    else if (this.#isHumansTurn && !this.#thinking) commands.push("hint");
    return commands;
  }

  // The views

  #say(message, tone = "plain") {
    this.#show({ message, tone, effort: "" });
  }

  #keepTable(table) {
    this.#table = table;
    this.#showSection(this.panel.get("section").name);
  }

  #showSection(name) {
    this.panel.show({ section: { name, ...(name === "statistics" ? this.#table : {}) } });
  }

  #listChoices() {
    const { title, name, boards, players, player_names: names, stones, colors } = this.#about;
    this.#menus = {
      title,
      sections: ["statistics", "record"], // others are added below
      players: [[HUMAN, "Human"], ...players.map(({ value, label }) => [value, label])],
      sides: [0, 1].map((side) => ({ name: names[side], stone: stones[side], color: colors[side], choice: this.#sides[side] })),
      rules: boards.length > 1 ? [{ name: "size", label: "Board", value: name, options: boards }] : [],
      limit: null, // for a move
      random_sides: this.#isRandom,
      heat: this.#heat,
    };
  }

  #show(said = {}) {
    const commands = this.#commands();
    Object.assign(this.#said, said);
    if (!this.#said.message && commands.includes("pass"))
      Object.assign(this.#said, { message: `${this.#nameOf(this.#now.player)} has no legal move: press Pass.`, tone: "warning" });
    const secondsOf = (side) => this.#moves.filter(({ player }) => player === side).reduce((sum, { seconds }) => sum + (seconds ?? 0), 0);
    this.panel.show({
      thinking: this.#thinking ? { text: this.#thinking.text, share: this.#thinking.share } : {},
      view: {
        ...this.#menus,
        ...this.#said,
        headline: this.#headline(),
        estimate: this.#estimate(),
        seconds: [0, 1].map(secondsOf),
        discs: this.#discs(),
        turn: {
          player: this.#isOver ? null : this.#now.player,
          is_running: !this.#isOver && !this.#isPaused,
          seconds: this.#isOver ? null : (performance.now() - this.#turnBegan) / 1000,
          limit: null,
        },
        commands,
        moves: this.#moves.map(({ move, seconds, player }) => [player, this.#notation(move), seconds]),
        record: this.#moves.map(({ move }) => this.#notation(move)).join(" "),
        record_error: "",
      },
    });
  }

  #showRecordError(error) {
    this.panel.show({ view: { ...this.panel.get("view"), record_error: error } });
  }

  #showBoard({ children = [], hint = null } = {}) {
    const { look, title } = this.#about;
    const { legal, stones, player } = this.#now;
    const isOpen = !this.#isOver && this.#isHumansTurn && !this.#mustPass;
    const squares = isOpen ? legal.map((move) => this.#squareOf(move)).sort((one, other) => one - other) : [];
    const lines = this.#now.lines.map((line) => line.map((move) => this.#squareOf(move)));
    const position = {
      stones: stones.join(""),
      last: this.#squareOf(this.#moves.at(-1)?.move),
      winning: lines.flat(),
      line: lines.map((line) => new XMLSerializer().serializeToString(this.#stroke(line))).join(""),
      legal: squares,
      mark_legal: look.style !== "drop" && squares.length < stones.filter((stone) => stone === ".").length,
      mover: isOpen ? player : null,
      hint,
      move_number: this.#moveNumber,
    };
    const scale = this.#heat === "values" ? "win rate" : "amount";
    this.board.show({ title: `${title} board`, position, heat: { scale, squares: this.#hotSquares(children) } });
  }

  /** A line through the two squares of a winning line that are farthest from each other. */
  #stroke(squares) {
    const { pieces, marks } = this.#about;
    const middles = squares.map((square) => {
      const { x, y } = cornerOf(pieces, square);
      return { x: x + pieces.square / 2, y: y + pieces.square / 2 };
    });
    const pairs = middles.flatMap((one) => middles.map((other) => [one, other]));
    const length = ([one, other]) => Math.hypot(one.x - other.x, one.y - other.y);
    const [from, to] = pairs.reduce((best, pair) => (length(pair) > length(best) ? pair : best));
    const d = `M${from.x} ${from.y}L${to.x} ${to.y}`;
    return s("g", { "data-win": squares.length, fill: "none", "stroke-linecap": "round" },
      s("path", { d, stroke: marks.win_casing, "stroke-width": 7 }),
      s("path", { d, stroke: marks.win, "stroke-width": 4 }));
  }

  #hotSquares(children) {
    const numbers = { visits: ({ visits }) => visits, priors: ({ prior }) => prior ?? 0, values: rateOf };
    const numberOf = numbers[this.#heat];
    if (!numberOf) return [];
    const most = Math.max(...children.map(numberOf), 0);
    const isWorthIt = {
      visits: () => true,
      priors: ({ prior }) => prior !== null && prior >= LEAST_PRIOR * most,
      values: ({ visits }) => visits > 0,
    }[this.#heat];
    return children.filter((child) => this.#squareOf(child.move) !== null && isWorthIt(child))
      .slice(0, MOST_HOT_SQUARES).map((child) => [this.#squareOf(child.move), numberOf(child)]);
  }
}

// Numbers

const rateOf = ({ visits, total }) => (visits ? (1 + total / visits) / 2 : 0.5);
const percentOf = (share, digits = 0) => `${(100 * share).toFixed(digits)}%`;

function speedOf({ simulations, seconds }) {
  const rate = Number((simulations / Math.max(seconds, 1e-3)).toPrecision(2));
  const text = rate < 1e6 ? count(rate) : `${(rate / 1e6).toFixed(rate < 1e7 ? 1 : 0)} M`;
  return `${count(simulations)} simulations, ${text}/s`;
}

// The page

/** Whether this browser has memory64: a module with nothing but such a memory is valid. */
const hasMemory64 = () =>
  typeof WebAssembly === "object" &&
  WebAssembly.validate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 4, 1]));

let session = null;
let opening = null; // stops the views of the game before

async function open(about) {
  const place = document.querySelector("#game");
  const wasInside = place.contains(document.activeElement); // another board was chosen
  session?.end();
  opening?.abort();
  opening = new AbortController();
  const { signal } = opening;
  const say = (text) => place.replaceChildren(h("p", { class: "trouble", role: "alert" }, text));
  const engine = new Engine((problem) => say(`The game does not work here: ${problem}.`));
  try {
    await engine.request({ load: about }).answer;
    session = new Session(about, engine);
    await session.start();
  } catch (error) {
    return say(`The game does not work here: ${error.message}`);
  }
  if (signal.aborted) return;
  place.replaceChildren();
  const { panel: model, board: boardModel } = session;
  const host = { getWidget: async () => ({ render: ({ el }) => board.render({ model: boardModel, el, signal }) }) };
  const close = panel.render({ model, el: place, host, signal });
  signal.addEventListener("abort", close);
  const priors = place.querySelector(".toggles option:nth-child(2)");
  priors.hidden = priors.disabled = !about.players.some(({ net }) => net);
  const { drawTree, drawSteps } = session;
  addSection(place, model, signal, { name: "explorer", label: "Tree", trait: "tree", draw: drawTree.bind(session) });
  addSection(place, model, signal, { name: "phases", label: "Phases", trait: "searched", draw: drawSteps.bind(session) });
  if (wasInside) place.querySelector(".rules select").focus();
  for (const link of document.querySelectorAll("nav.games a")) {
    if (link.hash === `#${about.game}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  for (const rules of document.querySelectorAll("[data-rules]"))
    rules.hidden = rules.dataset.rules !== about.game;
}

/** One section more, which `draw` fills when it is open and `trait` has changed. */
function addSection(place, model, signal, { name, label, trait, draw }) {
  const pane = h("div", { class: "more-section", id: name, role: "region", "aria-label": label, hidden: true });
  const toggle = () => model.send({ command: "open", section: pane.hidden ? name : "" });
  const tab = h("button", { type: "button", class: "section-tab", "data-section": name, "aria-controls": name, "aria-expanded": false, onclick: toggle }, label);
  place.querySelector('[data-section="record"]').before(tab);
  place.append(pane); // not inside of the panel, whose styles are not those of other widgets
  let drawing = new AbortController();
  let drawn; // what the pane shows
  const show = () => {
    pane.hidden = model.get("section").name !== name;
    tab.setAttribute("aria-expanded", !pane.hidden);
    if (pane.hidden || drawn === model.get(trait)) return;
    drawn = model.get(trait);
    drawing.abort();
    drawing = new AbortController();
    draw(pane, AbortSignal.any([drawing.signal, signal]));
  };
  for (const changed of ["section", trait]) model.on(`change:${changed}`, show);
}

async function main() {
  if (!hasMemory64()) {
    document.querySelector("#game").replaceChildren(h("p", { class: "trouble", role: "alert" },
      "This browser cannot run the search, which needs WebAssembly with a memory of 64 bits. " +
      "Current versions of Chrome, Edge, Firefox and Safari have it."));
    return;
  }
  const games = await (await fetch("games.json")).json();
  const chosen = () => games[location.hash.slice(1)] ?? games.reversi;
  window.addEventListener("hashchange", () => open(chosen()));
  await open(chosen());
}

followTheme();
main();
