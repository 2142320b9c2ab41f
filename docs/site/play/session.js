// A game on the page: whose turn it is, what was played, and what the panel shows. It contains no
// rules: the worker finds out which moves are legal, what they lead to and who has won.

import explorer from "./tree_explorer.js";
import stepper from "./phase_stepper.js";
import { Model } from "./model.js";

const HUMAN = "human";
const PAUSE_MS = 350; // for a person to see the last move
const STEPS = { most: 160, afterFirst: 60, onLarge: 30 }; // simulations to step through
const MOST_HOT_SQUARES = 30;
const LEAST_PRIOR = 0.05; // of the largest
const SECTIONS = ["statistics", "tree", "phases", "record"];
const NOTHING_SEARCHED = "Nothing has been searched yet. The result appears here after a player has searched, or after Hint.";

export class Session {
  #about; #engine; #sides; #heat = "visits"; #isRandom = false; #isPaused = false;
  #moves = []; // of the game: {move, player, seconds}
  // Before and after each of them, as the worker describes them; with the first side's win rate in
  // the search that chose the move there, and in that of a hint: {..., decided, hinted}.
  #positions = [];
  #searched = null; // the last search: {moves, player, found, mover, isHint}, and its widgets
  #said = {}; #section = ""; #turnBegan = 0; #thinking = null; #wait = null; #moveNumber = 0;

  /** `below` shows the widget {widget, model, label} of the open section below the panel, or none. */
  constructor(about, engine, below) {
    this.below = below;
    this.#about = about;
    this.#engine = engine;
    this.#sides = [HUMAN, about.opponent];
    this.panel = new Model({ board: "board", thinking: {}, section: {} }, (message) => this.#obey(message));
    this.board = new Model({ title: `${about.title} board`, look: about.look, heat: { scale: "amount", squares: [] } }, (message) => this.#choose(message));
  }

  async start() {
    this.#positions = [await this.#describe([])];
    this.#goOn();
  }

  // What a person wants

  #obey({ command, ...more }) {
    const commands = {
      new: () => this.#begin(),
      undo: () => this.#undo(),
      hint: () => this.#think(this.#about.hint, true),
      swap: () => this.#changeSides([...this.#sides].reverse()),
      set_player: () => this.#changeSides(this.#sides.with(more.side, more.player)),
      pass: () => this.#play(this.#now.legal[0]),
      start: () => this.#pause(false),
      pause: () => this.#pause(true),
      stop: () => this.#thinking && this.#engine.stop(this.#thinking),
      heat: () => { this.#heat = more.value; this.#showBoard(); this.#show(); },
      random_sides: () => { this.#isRandom = more.value; this.#show(); },
      set_rules: () => { location.hash = more.rules.size; },
      open: () => { this.#section = more.section; this.#showSection(); },
      set_up: () => this.#setUp(more.record),
    };
    commands[command]?.();
  }

  #choose({ chosen, move_number: moveNumber }) {
    if (moveNumber !== this.#moveNumber) return;
    const move = this.#now.legal.find((each) => this.#squareOf(each) === chosen);
    if (this.#isHumansTurn && move !== undefined) this.#play(move);
    else this.#say({ message: this.#refusal(chosen), tone: "warning" });
  }

  #refusal(square) {
    const name = this.#nameOf(this.#now.player);
    if (this.#isOver) return "The game is over. Press New for another one.";
    if (!this.#isHumansTurn) return `It is ${name}'s turn. Press Stop if you don't want to wait.`;
    return `${name} can't play ${this.#about.look.names[square]}.`;
  }

  #begin() {
    if (this.#isRandom && Math.random() < 0.5) this.#sides.reverse();
    const humans = [0, 1].filter((side) => this.#sides[side] === HUMAN);
    const message = this.#isRandom && humans.length === 1
      ? `Drawn at random: you are ${this.#nameOf(humans[0])} and move ${["first", "second"][humans[0]]}.` : "";
    this.#putGame([], this.#positions.slice(0, 1), { message });
  }

  /** Go on with another game. */
  #putGame(moves, positions, said = {}) {
    [this.#moves, this.#positions, this.#searched] = [moves, positions, null];
    positions[0].hinted = null;
    this.#isPaused = this.#isBetweenPlayers;
    this.#goOn(said);
  }

  /** Go back to where a person chose last; without a person, one move. */
  #undo() {
    const isChoice = ({ player, move }) => this.#sides[player] === HUMAN && move !== this.#about.pass.move;
    let last = this.#moves.length - 1;
    if (!this.#isBetweenPlayers) while (last > 0 && !isChoice(this.#moves[last])) last -= 1;
    this.#moves.splice(last);
    this.#positions.splice(last + 1);
    this.#isPaused = this.#isBetweenPlayers;
    this.#goOn();
  }

  #changeSides(sides) {
    this.#sides = sides;
    this.#pause(this.#isBetweenPlayers);
  }

  #pause(isPaused) {
    this.#isPaused = isPaused;
    this.#goOn();
  }

  async #setUp(record) {
    const moves = [], positions = [this.#positions[0]];
    for (const [place, word] of record.trim().split(/\s+/).filter(Boolean).entries()) {
      const { legal, player } = positions.at(-1);
      const move = legal.find((each) => this.#notation(each).toLowerCase() === word.toLowerCase());
      if (move === undefined) return this.#say({ record_error: `Move ${place + 1}, ${word}, is not a legal move there.` });
      moves.push({ move, player, seconds: null });
      positions.push(await this.#describe(moves));
    }
    this.#putGame(moves, positions);
  }

  // What happens next

  async #play(move, effort = "", decided = null) {
    const { player } = this.#now;
    const moves = [...this.#moves, { move, player, seconds: (performance.now() - this.#turnBegan) / 1000 }];
    const number = this.#moveNumber;
    const position = await this.#describe(moves);
    if (number !== this.#moveNumber) return; // something else has happened
    this.#moves = moves;
    this.#positions.push({ ...position, decided });
    const isPass = move === this.#about.pass.move;
    const isOwn = this.#sides[player] === HUMAN && !isPass;
    const said = isPass ? "had no legal move and passed" : `played ${this.#notation(move)}`;
    this.#goOn({ message: isOwn ? "" : `${this.#nameOf(player)} ${said}.`, effort });
  }

  /** Everything that happens leads here; a search that is running is given up. */
  #goOn(said = {}) {
    clearTimeout(this.#wait);
    this.#stopThinking();
    this.#moveNumber += 1;
    this.#turnBegan = performance.now();
    const isPlayersTurn = !this.#isOver && !this.#isPaused && !this.#isHumansTurn;
    if (isPlayersTurn) this.#wait = setTimeout(() => this.#answer(), PAUSE_MS);
    this.#showBoard();
    this.#say(said);
    this.#showSection();
  }

  #stopThinking() {
    if (this.#thinking) this.#engine.stop(this.#thinking);
    this.#thinking = null;
    this.panel.set("thinking", {});
  }

  #answer() {
    const { legal, player } = this.#now;
    if (legal.length === 1) this.#play(legal[0]);
    else this.#think(this.#sides[player], false);
  }

  async #think(name, isHint) {
    const player = this.#about.players.find(({ value }) => value === name);
    const mover = this.#nameOf(this.#now.player);
    const moves = this.#moves.map(({ move }) => move);
    if (!isHint) this.#turnBegan = performance.now();
    const { id, answer } = this.#engine.request({ think: { moves, player } }, (progress) => this.#showProgress(id, player, progress));
    this.#thinking = id;
    this.panel.set("thinking", { text: "", share: 0 });
    this.#show({ headline: isHint ? "Looking for a hint" : `${mover} is thinking` });
    try {
      const found = await answer;
      if (this.#thinking !== id) return; // it was given up
      this.#searched = { moves, player, found, mover, isHint };
      const share = found.simulations ? shareOfFirst(found) : null;
      const effort = found.simulations ? speedOf(found) : "";
      if (isHint) this.#showHint(found.children[0], effort, share);
      else this.#play(found.move, effort, share);
    } catch (error) {
      if (this.#thinking !== id) return;
      this.#isPaused = true;
      this.#goOn({ message: error.message, tone: "error" });
    }
  }

  #showProgress(id, { seconds, simulations }, progress) {
    if (this.#thinking !== id) return;
    const share = Math.min(seconds ? progress.seconds / seconds : progress.simulations / simulations, 1);
    const text = `${this.#notation(progress.children[0].move)} so far, ${speedOf(progress)}`;
    this.panel.set("thinking", { share, text, estimate: shareOfFirst(progress) });
    const squares = this.#hotSquares(progress.children);
    this.board.set("heat", { scale: this.#heat === "values" ? "win rate" : "amount", squares });
  }

  #showHint(best, effort, share) {
    this.#now.hinted = share;
    this.#stopThinking();
    this.#showBoard(this.#squareOf(best.move));
    const message = `Hint: ${this.#notation(best.move)}, win rate ${percentOf(rateOf(best))} in ${count(best.visits)} simulations.`;
    this.#say({ message, tone: "hint", effort });
    this.#showSection();
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

  /** The first side's win rate by a hint, or by the search that led here; while a player has found nothing yet, by the one before. */
  get #share() {
    const { hinted, decided } = this.#now;
    return hinted ?? decided ?? (this.#isHumansTurn ? null : this.#positions.at(-2)?.decided) ?? null;
  }

  get #isBetweenPlayers() {
    return !this.#sides.includes(HUMAN);
  }

  get #mustPass() {
    return this.#now.legal[0] === this.#about.pass.move;
  }

  #describe(moves) {
    if (this.#thinking) this.#engine.stop(this.#thinking); // the worker does one thing at a time
    return this.#engine.request({ position: moves.map(({ move }) => move) }).answer;
  }

  #nameOf(player) {
    return this.#about.sides[player].name;
  }

  #notation(move) {
    return (this.#about.moves[move] ?? this.#about.pass).name;
  }

  #squareOf(move) {
    return this.#about.moves[move]?.square ?? null;
  }

  /** The winner, or null for a draw. */
  get #winner() {
    const { outcome, player } = this.#now;
    const { drawn, won } = this.#about.outcomes;
    return outcome === drawn ? null : outcome === won ? player : 1 - player;
  }

  get #discs() {
    if (this.#about.look.style !== "discs") return null;
    return ["0", "1"].map((sign) => this.#now.stones.filter((stone) => stone === sign).length);
  }

  // What the panel shows

  #say(said) {
    this.#said = said;
    this.#show();
  }

  #show({ headline = this.#headline() } = {}) {
    const { title, players, sides, rules } = this.#about;
    const commands = this.#commands();
    const isPassing = commands.includes("pass") && !this.#said.message;
    this.panel.set("view", {
      title,
      rules,
      players: [[HUMAN, "Human"], ...players.map(({ value, label }) => [value, label])],
      sides: sides.map((side, player) => ({ ...side, choice: this.#sides[player] })),
      limit: null,
      random_sides: this.#isRandom,
      heat: this.#heat,
      sections: SECTIONS,
      tone: isPassing ? "warning" : "plain",
      effort: "",
      record_error: "",
      message: isPassing ? `${this.#nameOf(this.#now.player)} has no legal move: press Pass.` : "",
      ...this.#said,
      headline,
      estimate: this.#isOver ? [1, 0][this.#winner] ?? 0.5 : this.#share,
      seconds: [0, 1].map((side) => this.#moves.reduce((sum, { player, seconds }) => sum + (player === side ? seconds : 0), 0)),
      discs: this.#discs,
      turn: {
        player: this.#isOver ? null : this.#now.player,
        is_running: !this.#isOver && !this.#isPaused,
        seconds: this.#isOver ? null : (performance.now() - this.#turnBegan) / 1000,
        limit: null,
      },
      commands,
      moves: this.#moves.map(({ move, seconds, player }) => [player, this.#notation(move), seconds]),
      record: this.#moves.map(({ move }) => this.#notation(move)).join(" "),
    });
  }

  #headline() {
    const name = this.#nameOf(this.#now.player);
    if (this.#isOver) {
      const score = this.#discs ? `, ${this.#discs.join(" to ")}` : "";
      return (this.#winner === null ? "Draw" : `${this.#nameOf(this.#winner)} wins`) + score;
    }
    if (!this.#isHumansTurn) return `${name} is to move`;
    if (this.#mustPass) return `${name} has to pass`;
    return this.#sides.every((side) => side === HUMAN) ? `${name} to move` : `Your turn: ${name}`;
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

  #showBoard(hint = null) {
    const { look } = this.#about;
    const { legal, stones, player, lines } = this.#now;
    const isOpen = !this.#isOver && this.#isHumansTurn && !this.#mustPass;
    const squares = isOpen ? legal.map((move) => this.#squareOf(move)).sort((one, other) => one - other) : [];
    this.board.set("heat", { scale: "amount", squares: [] });
    this.board.set("position", {
      stones: stones.join(""),
      last: this.#squareOf(this.#moves.at(-1)?.move),
      winning: lines.flat(),
      line: lines.map((line) => this.#stroke(line)).join(""),
      legal: squares,
      mark_legal: look.style !== "drop" && squares.length < stones.filter((stone) => stone === ".").length,
      mover: isOpen ? player : null,
      hint,
      move_number: this.#moveNumber,
    });
  }

  /** A line through the squares of a row, as SVG. */
  #stroke(squares) {
    const { look, win, win_casing: casing } = this.#about;
    const [from, to] = [squares[0], squares.at(-1)].map((square) => ({
      x: look.left + ((square % look.cols) + 0.5) * look.square,
      y: look.top + (Math.floor(square / look.cols) + 0.5) * look.square,
    }));
    const path = (ink, width) => `<path d="M${from.x} ${from.y}L${to.x} ${to.y}" stroke="${ink}" stroke-width="${width}"/>`;
    return `<g data-win="${squares.length}" fill="none" stroke-linecap="round">${path(casing, 7)}${path(win, 4)}</g>`;
  }

  #hotSquares(children) {
    const numbers = { visits: ({ visits }) => visits, priors: ({ prior }) => prior, values: rateOf, nothing: () => null };
    const numberOf = numbers[this.#heat];
    const most = Math.max(...children.map(numberOf));
    const isShown = {
      visits: () => true,
      priors: ({ prior }) => prior !== null && prior >= LEAST_PRIOR * most,
      values: ({ visits }) => visits > 0,
      nothing: () => false,
    }[this.#heat];
    const shown = children.filter((child) => this.#squareOf(child.move) !== null && isShown(child));
    return shown.slice(0, MOST_HOT_SQUARES).map((child) => [this.#squareOf(child.move), numberOf(child)]);
  }

  // The sections

  /** Show the open section in the panel; `below` gets the widget that belongs to it, or null. */
  async #showSection() {
    const [name, searched] = [this.#section, this.#searched];
    const show = (shown, widget = null) => {
      if (this.#section !== name || this.#searched !== searched) return; // something else has happened
      this.panel.set("section", { name, ...shown });
      this.below(widget);
    };
    if (!name || name === "record") return show({});
    if (!searched) return show({ remark: NOTHING_SEARCHED });
    if (name !== "phases" && !searched.found.simulations) return show({ remark: `${searched.mover} played without a search, so there is nothing to show.` });
    if (name === "statistics") return show(this.#statistics(searched));
    if (!searched[name]) {
      show({ remark: "The search is being recorded …" });
      searched[name] = name === "tree" ? this.#tree(searched) : await this.#phases(searched);
    }
    const { remark, ...widget } = searched[name];
    show({ remark }, widget);
  }

  #caption({ found, mover, isHint }) {
    return `${isHint ? `Hint for ${mover}` : mover}: ${this.#notation(found.move)}, after ${count(found.simulations)} simulations in ${found.seconds.toFixed(1)} s`;
  }

  #statistics(searched) {
    const { found: { children }, mover } = searched;
    const visits = children.reduce((sum, child) => sum + child.visits, 0) || 1;
    const hasPriors = children[0].prior !== null;
    return {
      caption: this.#caption(searched),
      head: ["Play", "Visits", "Share of visits", `Win rate for ${mover}`, ...(hasPriors ? ["Prior"] : [])],
      rows: children.map((child) => [
        this.#notation(child.move),
        count(child.visits),
        percentOf(child.visits / visits, 1),
        child.visits ? percentOf(rateOf(child), 1) : "–",
        ...(hasPriors ? [percentOf(child.prior, 1)] : []),
      ]),
    };
  }

  /** The tree of a search in the tree explorer. */
  #tree(searched) {
    const { traced: game, value_colors, visit_colors, unknown_color } = this.#about;
    const { nodes, lines, size, principal } = searched.found.tree;
    const data = { game, nodes, size, principal, pieces: this.#piecesWith(lines), value_colors, visit_colors, unknown_color };
    return { label: "Tree", widget: explorer, model: new Model({ data }), remark: this.#caption(searched) };
  }

  /** A short search of the same position in the phase stepper. */
  async #phases({ moves, player, found, mover, isHint }) {
    const numMoves = this.#positions[moves.length].legal.length;
    const isLarge = numMoves + STEPS.afterFirst > STEPS.most;
    const number = isLarge ? STEPS.onLarge : numMoves + STEPS.afterFirst;
    const how = player.net ? "by random games instead of the net" : "with other random numbers";
    const purpose = isHint ? `a hint for ${mover}` : `${mover}'s ${this.#notation(found.move)}`;
    const why = isLarge ? ` Each tries another of the ${numMoves} moves; only after all of them does the search choose.` : "";
    const { trace, lines } = await this.#engine.request({ trace: { moves, byClasses: player.by_classes ?? false, number } }).answer;
    const { value_colors, unknown_color } = this.#about;
    const data = { trace, pieces: this.#piecesWith(lines), value_colors, unknown_color, note: "" };
    const remark = `A short search of the position before ${purpose}, ${how}: the first ${number} simulations, step by step.${why}`;
    return { label: "Phases", widget: stepper, model: new Model({ data, simulation: 1 }), remark };
  }

  /** The pieces of the board, with the winning lines of some positions by their squares. */
  #piecesWith(lines) {
    const strokes = Object.entries(lines).map(([squares, found]) => [squares, found.map((line) => this.#stroke(line)).join("")]);
    return { ...this.#about.look, winning_lines: Object.fromEntries(strokes) };
  }
}

// Numbers

const count = (number) => number.toLocaleString("en-US");
const rateOf = ({ visits, total }) => (visits ? (1 + total / visits) / 2 : 0.5);
const percentOf = (share, digits = 0) => `${(100 * share).toFixed(digits)}%`;

/** How often the side that moves first won in a search, from the visits of the root's children. */
function shareOfFirst({ children }) {
  const visits = children.reduce((sum, child) => sum + child.visits, 0);
  const total = children.reduce((sum, child) => sum + child.total, 0);
  const rate = rateOf({ visits, total });
  return children[0].mover === 0 ? rate : 1 - rate;
}

function speedOf({ simulations, seconds }) {
  const rate = Number((simulations / Math.max(seconds, 1e-3)).toPrecision(2));
  const text = rate < 1e6 ? count(rate) : `${(rate / 1e6).toFixed(rate < 1e7 ? 1 : 0)} M`;
  return `${count(simulations)} simulations, ${text}/s`;
}
