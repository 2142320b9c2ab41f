// A game at a panel: whose turn it is, undo, clocks, and every sentence about them. It knows no rules.
//
// In a notebook Python answers the messages below, on the website a worker does. `game` is all that
// is kept, so that a page that is loaded again, or a second tab, goes on with the same game:
//
//   turn       a number that rises with whatever ends a search: a move, an undo, other players, ...
//   moves      {move, player, name, is_pass, seconds, simulations, nodes, share}; `share` is the
//              first side's win rate in the search behind the move, null if there was none
//   position   {stones, last, winning: lines, player, legal: [{move, square, name}], returns, discs}
//   sides      who plays each: "human", or the value of a choice in the menus
//   set_up     how many of the moves were set up, and not played
//   hint       {square, share}, or null;   said: {message, tone, effort}
//   is_paused, is_lost (on time), heat, random_sides, limit (seconds or null)
//
// To the server:
//   {put: some of these, turn, next}  change the game; with `next` the turn rises. If `turn` is over
//                                     it is dropped, so of two tabs the first one counts
//   {think: {turn, side, player, is_hint}}, {stop: turn}  search; play or show the best move so far
//   {set_up: record}, {set_rules: rules}, {section: name}
// From it, besides a changed game:
//   {turn, is_hint, stage: "waiting", "preparing" or "started"}
//   {turn, is_hint, progress: found}, {turn, is_hint, answer: found}, {turn, is_hint, error: text}
//     found = {move, simulations, nodes, seconds, progress, children: [{move, visits, rate, prior}]};
//     rates are of the player to move, from 0 to 1, and null without a visit; in an answer, `took` is
//     the time of the whole move in seconds
//   {section: {name, ...}}, {record_error: text}, {error: text}

import { Model } from "./model.js";
import { count } from "./words.js";

const HUMAN = "human";
const MOST_HOT_SQUARES = 30; // more would hide the board
const LEAST_PRIOR = 0.05; // of the largest
const NO_HEAT = { scale: "amount", squares: [] };
const PREPARING = "A search is being compiled for this board. This is needed only once.";
const SAME_PRIORS = "All priors are the same, so this player has no favourites.";

export class Session {
  #send; #about; #game = { turn: -1 }; #numViews = 0;
  #thinking = null; // {isHint, stage} of a search that has been asked for
  #wait = null; #alarm = null; // timers: for the pause before a player thinks, and for its limit
  #began = null; #used = null; // when the clock of this move started; what a move that was too long took
  #limit = null; // of this move
  #sitting = 0; // the first move since the page was opened
  #section = ""; #recordError = "";

  constructor(send, about, game) {
    this.#send = send;
    this.panel = new Model({ view: {}, thinking: {}, section: {} });
    this.board = new Model({ look: about.look, position: {}, heat: NO_HEAT });
    this.#sitting = game.moves.length;
    this.arrive(about, game);
  }

  /** A page shows the panel once more; nobody thinks and no clock runs while none does. */
  open() {
    this.#numViews += 1;
    if (this.#numViews > 1) return;
    this.#sitting = this.#game.moves.length;
    this.#beginTurn();
  }

  close() {
    this.#numViews -= 1;
    if (this.#numViews === 0) this.#endTurn();
  }

  /** The game is another one now. */
  arrive(about, game) {
    const isNewTurn = game.turn !== this.#game.turn;
    this.#sitting = Math.min(this.#sitting, game.moves.length);
    const clock = this.#game.limit;
    [this.#about, this.#game] = [about, game];
    if (isNewTurn) {
      this.#recordError = "";
      this.#beginTurn();
    } else {
      if (game.limit !== clock) this.#changeLimit(game.limit);
      this.#showBoard();
      this.#show();
    }
  }

  /** A message of the server. */
  hear({ turn, is_hint: isHint, stage, progress, answer, error, section, record_error: recordError }) {
    if (section) return section.name === this.#section && this.panel.set("section", section);
    if (recordError) return this.#show({ record_error: this.#recordError = recordError });
    if (turn === undefined) return error && this.#show({ message: error, tone: "error" });
    if (turn !== this.#game.turn || !this.#numViews) return;
    if (stage) this.#note(isHint, stage);
    else if (progress) this.#showProgress(progress);
    else if (error) this.#fail(isHint, error);
    else if (answer && isHint) this.#showHint(answer);
    else if (answer) this.#play(answer.move, answer);
  }

  // What a person wants

  obey(command, more = {}) {
    const { sides, heat } = this.#game;
    const commands = {
      new: () => this.#begin(),
      undo: () => this.#undo(),
      hint: () => this.#think(this.#about.hint, true),
      swap: () => this.#putSides([...sides].reverse()),
      set_player: () => this.#putSides(sides.with(more.side, more.player)),
      pass: () => this.#play(this.#legal[0].move),
      start: () => this.#put({ is_paused: false }),
      pause: () => this.#put({ is_paused: true }),
      stop: () => this.#send({ stop: this.#game.turn }),
      heat: () => more.value !== heat && this.#change({ heat: more.value }),
      random_sides: () => this.#change({ random_sides: more.value }, more.value
        ? "In the next new game, it is decided at random who moves first."
        : "In the next new game, the players keep their sides."),
      limit: () => this.#putLimit(more.value ? this.#about.limit : null),
      set_rules: () => this.#send({ set_rules: more.rules }),
      set_up: () => this.#send({ set_up: more.record }),
      open: () => {
        this.#section = more.section;
        this.panel.set("section", { name: more.section });
        this.#send({ section: more.section });
      },
    };
    commands[command]?.();
  }

  choose(square) {
    const found = this.#legal.find((each) => each.square === square);
    if (this.#isHumansTurn && !this.#isOver && found) this.#play(found.move);
    else this.#show({ message: this.#refusal(square), tone: "warning" });
  }

  /** A board of text looks different in each position. */
  get #look() {
    return this.#game.position.look ?? this.#about.look;
  }

  #refusal(square) {
    const look = this.#look;
    const name = this.#nameOf(this.#player);
    if (this.#isOver) return "The game is over. Press New for another one.";
    if (!this.#isHumansTurn) return `It is ${name}'s turn. Press Stop if you don't want to wait.`;
    if (this.#mustPass) return this.#passNeeded;
    if (look.style === "drop") return "This column is full.";
    if (this.#game.position.stones[square] !== ".") return `${look.names[square]} is taken.`;
    return `${name} can't play ${look.names[square]}: the dots show where it can.`;
  }

  /** Begin again; the players may change sides at random. */
  #begin() {
    let { sides } = this.#game;
    let message = "";
    if (this.#game.random_sides && !sides.every(isHuman)) {
      if (Math.random() < 0.5) sides = [...sides].reverse();
      const human = sides.findIndex(isHuman);
      const [who, moves] = human < 0 ? [`${this.#labelOf(sides[0])} is`, "moves"] : ["you are", "move"];
      const [side, place] = human === 1 ? [1, "second"] : [0, "first"];
      message = `Drawn at random: ${who} ${this.#nameOf(side)} and ${moves} ${place}.`;
    }
    this.#put({ moves: [], sides, set_up: 0, is_lost: false, is_paused: !sides.some(isHuman) }, { message });
  }

  /** Go back to where a person chose last; without a person, one move. A loss on time is taken back. */
  #undo() {
    const { sides, moves, is_lost: isLost } = this.#game;
    const kept = isLost && this.#isHumansTurn ? moves.length : moves.length - this.#pliesToUndo;
    this.#put({ moves: moves.slice(0, kept), is_lost: false, is_paused: !sides.some(isHuman) });
  }

  get #pliesToUndo() {
    const { sides, moves } = this.#game;
    if (!sides.some(isHuman)) return Math.min(1, moves.length);
    const chosen = moves.findLastIndex(({ player, is_pass: isPass }) => isHuman(sides[player]) && !isPass);
    return chosen < 0 ? 0 : moves.length - chosen;
  }

  #putSides(sides) {
    this.#put({ sides, is_paused: !sides.some(isHuman) });
  }

  #putLimit(seconds) {
    const isLater = this.#began !== null && seconds !== null && (this.#limit === null || seconds < this.#limit);
    this.#change({ limit: seconds }, seconds === null
      ? "There is no limit for a move now."
      : `Whoever takes longer than ${seconds} s for a move loses${isLater ? ", from the next move on" : ""}.`);
  }

  /** Change the game so that a search, or a hint, is over. */
  #put(changes, said = {}) {
    this.#send({ put: { hint: null, said, ...changes }, turn: this.#game.turn, next: true });
  }

  /** Change what does not disturb a search; a search has its own words. */
  #change(changes, message = "") {
    const said = message && !this.#thinking ? { said: { message } } : {};
    this.#send({ put: { ...changes, ...said } });
  }

  // What happens next

  #play(move, found = null) {
    const { moves } = this.#game;
    const { name, square } = this.#legal.find((each) => each.move === move) ?? { name: "?", square: null };
    const player = this.#player;
    const isPass = square === null;
    const isOwn = isHuman(this.#game.sides[player]) && !isPass;
    const said = isPass ? "had no legal move and passed" : `played ${name}`;
    const { simulations = 0, nodes = 0 } = found ?? {};
    const seconds = found ? found.took : this.#seconds;
    const played = { move, player, name, is_pass: isPass, seconds, simulations, nodes, share: this.#shareIn(found) };
    const message = isOwn ? "" : `${this.#nameOf(player)} ${said}.`;
    this.#put({ moves: [...moves, played] }, { message, effort: found ? effortOf(found) : "" });
  }

  /** Let the clock run, or the player think: every new turn leads here. */
  #beginTurn() {
    this.#endTurn();
    const { sides, moves, set_up: setUp, is_paused: isPaused, limit } = this.#game;
    this.#limit = limit;
    if (this.#numViews && !this.#isOver && !isPaused) {
      const isTimed = moves.slice(Math.max(this.#sitting, setUp)).some(({ player }) => player === this.#player);
      if (!this.#isHumansTurn) this.#wait = setTimeout(() => this.#answer(), this.#about.pause);
      else if (isTimed) this.#startClock();
    }
    this.#showBoard();
    this.#show();
    this.#showSection();
  }

  #endTurn() {
    clearTimeout(this.#wait);
    clearTimeout(this.#alarm);
    [this.#thinking, this.#began, this.#used] = [null, null, null];
    this.panel.set("thinking", {});
  }

  #answer() {
    const [only, ...others] = this.#legal;
    if (others.length) this.#think(this.#game.sides[this.#player], false);
    else this.#play(only.move, { took: 0, simulations: 0, nodes: 0, children: [] });
  }

  #think(player, isHint) {
    const { turn } = this.#game;
    this.#send({ think: { turn, side: this.#player, player, is_hint: isHint } });
  }

  #note(isHint, stage) {
    this.#thinking = { isHint, stage };
    if (!isHint && stage === "started" && this.#began === null) this.#startClock();
    if (stage !== "preparing") this.panel.set("thinking", { text: "", share: 0 });
    this.#show(stage === "preparing" ? { message: PREPARING } : {});
  }

  #showProgress(found) {
    const text = [`${this.#nameIn(found.move)} so far`, effortOf(found)].filter(Boolean).join(", ");
    this.panel.set("thinking", { share: found.progress, text, estimate: this.#shareIn(found) ?? undefined });
    if (this.#game.heat === "priors" && found.children.length && !hasFavourites(found.children))
      this.#show({ message: SAME_PRIORS });
    const scale = this.#game.heat === "values" ? "win rate" : "amount";
    this.board.set("heat", { scale, squares: this.#hotSquares(found.children) });
  }

  #showHint(found) {
    this.#thinking = null;
    this.panel.set("thinking", {});
    const best = found.children.find(({ move, visits }) => move === found.move && visits);
    const rate = best ? `, win rate ${percentOf(best.rate)} in ${count(best.visits)} simulations` : "";
    const said = { message: `Hint: ${this.#nameIn(found.move)}${rate}.`, tone: "hint", effort: speedOf(found) };
    const hint = { square: this.#squareOf(found.move), share: this.#shareIn(found) };
    this.#send({ put: { hint, said }, turn: this.#game.turn });
    this.#showSection();
  }

  #fail(isHint, error) {
    const who = isHint ? "The search for a hint" : `${this.#nameOf(this.#player)}'s player`;
    this.#put({ is_paused: !this.#isHumansTurn }, { message: `${who} failed. ${error}`, tone: "error" });
  }

  // Clocks

  get #seconds() {
    return this.#began === null ? this.#used : (performance.now() - this.#began) / 1000;
  }

  #startClock() {
    this.#began = performance.now();
    this.#setAlarm();
  }

  #setAlarm() {
    clearTimeout(this.#alarm);
    if (this.#limit === null || this.#began === null) return;
    this.#alarm = setTimeout(() => this.#loseOnTime(), Math.max(0, 1000 * (this.#limit - this.#seconds)));
  }

  #loseOnTime() {
    const message = `${this.#nameOf(this.#player)} took longer than ${this.#limit} s for this move.`;
    this.#put({ is_lost: true }, { message, tone: "warning" });
  }

  /** A clock that is running gets a new limit only if it leaves more time. */
  #changeLimit(seconds) {
    const isLonger = this.#limit !== null && (seconds === null || seconds > this.#limit);
    if (this.#began === null || isLonger) this.#limit = seconds;
    this.#setAlarm();
  }

  // The game

  get #player() {
    return this.#game.position.player;
  }

  get #legal() {
    return this.#game.position.legal;
  }

  get #isHumansTurn() {
    return isHuman(this.#game.sides[this.#player]);
  }

  get #mustPass() {
    return this.#legal.length === 1 && this.#legal[0].square === null;
  }

  get #passNeeded() {
    return `${this.#nameOf(this.#player)} has no legal move: press Pass.`;
  }

  /** What each side got in the end; null while the game goes on. */
  get #returns() {
    if (this.#game.is_lost) return this.#player === 0 ? [-1, 1] : [1, -1];
    return this.#game.position.returns;
  }

  get #isOver() {
    return this.#returns !== null;
  }

  #nameOf(player) {
    return this.#about.sides[player].name;
  }

  #nameIn(move) {
    return this.#legal.find((each) => each.move === move)?.name ?? "?";
  }

  #squareOf(move) {
    return this.#legal.find((each) => each.move === move)?.square ?? null;
  }

  #labelOf(choice) {
    return this.#about.players.find(([value]) => value === choice)?.[1] ?? choice;
  }

  /** The first side's win rate in a search, from the visits of the moves; null without a search. */
  #shareIn(found) {
    const children = found?.children.filter(({ visits }) => visits) ?? [];
    const visits = children.reduce((sum, child) => sum + child.visits, 0);
    if (!visits) return null;
    const rate = children.reduce((sum, child) => sum + child.visits * child.rate, 0) / visits;
    return this.#player === 0 ? rate : 1 - rate;
  }

  /** The result; or the win rate by a hint, by the last move's search, or by the one before it. */
  get #share() {
    const { hint, moves } = this.#game;
    if (this.#isOver) return (1 + this.#returns[0]) / 2;
    const before = this.#isHumansTurn ? null : moves.at(-2)?.share;
    return hint?.share ?? moves.at(-1)?.share ?? before ?? null;
  }

  #hotSquares(children) {
    const { heat } = this.#game;
    const most = Math.max(...children.map(({ prior }) => prior ?? 0));
    const numberOf = {
      visits: ({ visits }) => visits,
      priors: ({ prior }) => (hasFavourites(children) && prior >= LEAST_PRIOR * most ? prior : null),
      values: ({ rate }) => rate,
      nothing: () => null,
    }[heat];
    const shown = heat === "priors" ? children : children.slice(0, MOST_HOT_SQUARES);
    return shown.map((child) => [this.#squareOf(child.move), numberOf(child)])
      .filter(([square, number]) => square !== null && number !== null);
  }

  // What the panel shows

  #headline() {
    const name = this.#nameOf(this.#player);
    if (this.#thinking) {
      const { isHint, stage } = this.#thinking;
      if (stage === "waiting") return "Waiting for another search";
      if (stage === "preparing") return `${name} is getting ready`;
      return isHint ? "Looking for a hint" : `${name} is thinking`;
    }
    if (this.#isOver) return this.#result();
    if (!this.#isHumansTurn) return `${name} is to move`;
    if (this.#mustPass) return `${name} has to pass`;
    return this.#game.sides.every(isHuman) ? `${name} to move` : `Your turn: ${name}`;
  }

  #result() {
    const [first, second] = this.#returns;
    const { discs } = this.#game.position;
    const verdict = first === second ? "Draw" : `${this.#nameOf(first > second ? 0 : 1)} wins`;
    if (this.#game.is_lost) return `${verdict} on time`;
    return discs ? `${verdict}, ${discs.join(" to ")}` : verdict;
  }

  #commands() {
    const { is_lost: isLost, is_paused: isPaused, sides } = this.#game;
    const commands = ["new", "swap"];
    if (isLost || this.#pliesToUndo > 0) commands.push("undo");
    if (this.#thinking) commands.push("stop");
    if (this.#isOver) return commands;
    if (isPaused) commands.push("start");
    else if (!sides.some(isHuman)) commands.push("pause");
    if (this.#isHumansTurn && this.#mustPass) commands.push("pass");
    else if (this.#isHumansTurn && !this.#thinking) commands.push("hint");
    return commands;
  }

  /** Show everything; `said` is a sentence that is not part of the game. */
  #show(said = null) {
    const { title, players, sides, rules, limit, sections } = this.#about;
    const game = this.#game;
    const commands = this.#commands();
    const words = { message: "", tone: "plain", effort: "", record_error: this.#recordError, ...(said ?? game.said) };
    if (commands.includes("pass") && !words.message)
      Object.assign(words, { message: this.#passNeeded, tone: "warning" });
    const isOver = this.#isOver;
    this.panel.set("view", {
      title, players, rules, sections, commands, ...words,
      sides: sides.map((side, player) => ({ ...side, choice: game.sides[player] })),
      limit: limit && { seconds: limit, is_on: game.limit !== null },
      random_sides: game.random_sides,
      heat: game.heat,
      headline: this.#headline(),
      estimate: this.#share,
      seconds: [0, 1].map((side) => this.#totalOf(side)),
      discs: game.position.discs,
      turn: {
        player: isOver ? null : this.#player, is_running: this.#began !== null,
        seconds: this.#seconds, limit: this.#limit,
      },
      moves: game.moves.map(({ player, name, seconds }) => [player, name, seconds]),
      record: game.moves.map(({ name }) => name).join(" "),
    });
  }

  #totalOf(side) {
    const own = this.#game.moves.filter(({ player }) => player === side);
    const now = side === this.#player ? this.#seconds ?? 0 : 0;
    return own.reduce((sum, { seconds }) => sum + (seconds ?? 0), now);
  }

  #showBoard() {
    const look = this.#look;
    this.board.set("look", look);
    const { position: { stones, last, winning }, hint } = this.#game;
    const isOpen = !this.#isOver && this.#isHumansTurn && !this.#mustPass;
    const squares = isOpen ? this.#legal.map(({ square }) => square).filter((square) => square !== null) : [];
    const numFree = [...stones].filter((stone) => stone === ".").length;
    this.board.set("heat", NO_HEAT);
    this.board.set("position", {
      stones, last, winning, legal: squares.sort((one, other) => one - other),
      // If every empty square is legal, or every column, dots would carry no information.
      mark_legal: look.style !== "drop" && squares.length < numFree,
      mover: isOpen ? this.#player : null,
      hint: hint?.square ?? null,
    });
  }

  #showSection() {
    if (this.#section && this.#section !== "record") this.#send({ section: this.#section });
  }
}

const isHuman = (side) => side === HUMAN;
const hasFavourites = (children) => new Set(children.map(({ prior }) => prior)).size > 1;

const percentOf = (share) => `${(100 * share).toFixed(0)}%`;

/** How much was searched, and how fast: "602,113 simulations, 600,000/s"; empty without a search. */
function effortOf(found) {
  const number = found.simulations || found.nodes;
  const what = found.simulations ? "simulations" : "nodes";
  return number ? [`${count(number)} ${what}`, speedOf(found)].filter(Boolean).join(", ") : "";
}

/** How many a second, with two digits, because the third keeps changing. */
function speedOf({ simulations, nodes, seconds }) {
  const number = simulations || nodes;
  if (!number || !seconds) return "";
  const rate = Number((number / seconds).toPrecision(2));
  return `${rate < 1e6 ? count(rate) : `${(rate / 1e6).toFixed(rate < 1e7 ? 1 : 0)} M`}/s`;
}
