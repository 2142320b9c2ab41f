// What Python is for the panel of a notebook: it keeps the game and answers the panel's messages, as
// described in mctslab/widgets/static/session.js. The worker knows the rules and searches.

import explorer from "./tree_explorer.js";
import { Model } from "./model.js";
import { count } from "./words.js";


export class Server {
  #about; #engine; #below;
  #thinking = null; // {id, isHint} of the worker's search
  #searched = null; // the last search: {found, mover, isHint}, and its tree

  /** `below` shows the widget {widget, model, label} of the open section below the panel, or none. */
  constructor(about, engine, below) {
    [this.#about, this.#engine, this.#below] = [about, engine, below];
  }

  /** The traits of the panel, as the notebook's has them. */
  async start() {
    const { title, look, sides, rules, players, hint, pause, opponent } = this.#about;
    const choices = [["human", "Human"], ...players.map(({ value, label }) => [value, label])];
    const sections = ["statistics", "tree", "record"];
    const about = { title, look, sides, rules, players: choices, hint, pause, sections, limit: null };
    const game = {
      turn: 0, moves: [], sides: ["human", opponent], set_up: 0, hint: null, said: {}, is_paused: false, is_lost: false,
      heat: "visits", random_sides: false, limit: null, position: await this.#position([]),
    };
    this.model = new Model({ about, game }, (message) => this.#hear(message));
    return this.model;
  }

  #hear(message) {
    const { put, think, stop, section, set_up: record, set_rules: rules } = message;
    if (put) this.#put(message);
    else if (think) this.#think(think);
    else if (stop !== undefined && this.#thinking) this.#engine.stop(this.#thinking.id);
    else if (section) this.#showSection(section);
    else if (record !== undefined) this.#setUp(record);
    else if (rules) location.hash = rules.size;
  }

  get #game() {
    return this.model.get("game");
  }

  async #put({ put, turn = this.#game.turn, next = false }) {
    if (turn !== this.#game.turn) return;
    if (next) this.#cancel();
    const position = put.moves ? await this.#position(put.moves) : this.#game.position;
    if (turn !== this.#game.turn) return; // something else has happened
    if (put.moves?.length === 0) this.#searched = null;
    this.model.set("game", { ...this.#game, ...put, position, turn: turn + Number(next) });
  }

  #cancel() {
    if (this.#thinking) this.#engine.stop(this.#thinking.id); // the worker does one thing at a time
    this.#thinking = null;
  }

  async #setUp(record) {
    const moves = [];
    let position = await this.#position([]);
    for (const [place, word] of record.trim().split(/\s+/).filter(Boolean).entries()) {
      const found = position.legal.find(({ name }) => name.toLowerCase() === word.toLowerCase());
      if (!found) return this.#tell({ record_error: `Move ${place + 1}, ${word}, is not a legal move there.` });
      const { move, name, square } = found;
      const nothing = { seconds: null, simulations: 0, nodes: 0, share: null };
      moves.push({ move, name, is_pass: square === null, player: position.player, ...nothing });
      position = await this.#position(moves);
    }
    const { turn, sides } = this.#game;
    this.#cancel();
    this.#searched = null;
    const begun = { set_up: moves.length, hint: null, said: {}, is_lost: false, is_paused: !sides.includes("human") };
    this.model.set("game", { ...this.#game, ...begun, moves, position, turn: turn + 1 });
  }

  #tell(message) {
    this.model.tell("msg:custom", message);
  }

  // The position

  async #position(moves) {
    const { pass, look, moves: known } = this.#about;
    const { legal, ...here } = await this.#engine.request({ position: moves.map(({ move }) => move) }).answer;
    return {
      ...here,
      legal: legal.map((move) => ({ move, square: null, name: pass.name, ...known[move] })),
      discs: look.style === "discs" ? ["0", "1"].map((sign) => here.stones.split(sign).length - 1) : null,
    };
  }

  // Searches

  async #think({ turn, player: name, is_hint: isHint }) {
    if (turn !== this.#game.turn || this.#thinking) return;
    const player = this.#about.players.find(({ value }) => value === name);
    const moves = this.#game.moves.map(({ move }) => move);
    const mover = this.#about.sides[this.#game.position.player].name;
    const tell = (news) => { if (this.#thinking?.id === id) this.#tell({ turn, is_hint: isHint, ...news }); };
    const { id, answer } = this.#engine.request({ think: { moves, player } }, (progress) => {
      const share = player.seconds ? progress.seconds / player.seconds : progress.simulations / player.simulations;
      tell({ progress: foundIn(progress, Math.min(share, 1)) });
    });
    this.#thinking = { id, isHint };
    tell({ stage: "started" });
    try {
      const found = await answer;
      if (this.#thinking?.id !== id) return; // it was given up
      this.#searched = { found, mover, isHint };
      tell({ answer: { ...foundIn(found, 1), move: found.move, took: found.seconds } });
    } catch (error) {
      tell({ error: error.message });
    }
    if (this.#thinking?.id === id) this.#thinking = null;
  }

  // The sections

  /** Show the open section in the panel; `below` gets the widget that belongs to it, or null. */
  #showSection(name) {
    const searched = this.#searched;
    const show = (shown, widget = null) => {
      this.#tell({ section: { name, ...shown } });
      this.#below(widget);
    };
    if (!searched || name === "" || name === "record") return show({});
    if (!searched.found.simulations)
      return show({ remark: `${searched.mover} has shown no search, so there is nothing to see here.` });
    if (name === "statistics") return show(this.#statistics(searched));
    searched.tree ??= this.#tree(searched);
    show({ remark: this.#caption(searched) }, searched.tree);
  }

  #nameOf(move) {
    return (this.#about.moves[move] ?? this.#about.pass).name;
  }

  #caption({ found: { move, simulations, seconds }, mover, isHint }) {
    const who = isHint ? `Hint for ${mover}` : mover;
    return `${who}: ${this.#nameOf(move)}, after ${count(simulations)} simulations in ${seconds.toFixed(1)} s`;
  }

  #statistics(searched) {
    const { found: { children }, mover } = searched;
    const visits = children.reduce((sum, child) => sum + child.visits, 0) || 1;
    const hasPriors = children[0].prior !== null;
    return {
      caption: this.#caption(searched),
      head: ["Play", "Visits", "Share of visits", `Win rate for ${mover}`, ...(hasPriors ? ["Prior"] : [])],
      rows: children.map((child) => [
        this.#nameOf(child.move),
        count(child.visits),
        percentOf(child.visits / visits),
        child.visits ? percentOf(rateOf(child)) : "–",
        ...(hasPriors ? [percentOf(child.prior)] : []),
      ]),
    };
  }

  /** The tree of a search in the tree explorer. */
  #tree(searched) {
    const { traced: game, look: pieces, value_colors, visit_colors, unknown_color } = this.#about;
    const { nodes, size, principal } = searched.found.tree;
    const data = { game, nodes, size, principal, pieces, value_colors, visit_colors, unknown_color };
    return { label: "Tree", widget: explorer, model: new Model({ data }) };
  }
}

/** What a search has found, as the panel gets it. */
function foundIn({ simulations, seconds, children = [] }, progress) {
  const shown = children.map((child) => {
    const { move, visits, prior } = child;
    return { move, visits, prior, rate: visits ? rateOf(child) : null };
  });
  return { move: shown[0]?.move, simulations, nodes: 0, seconds, progress, children: shown };
}

const rateOf = ({ visits, total }) => (1 + total / visits) / 2;
const percentOf = (share) => `${(100 * share).toFixed(1)}%`;
