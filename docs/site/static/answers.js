// What a widget's script gets instead of Python's answers, by the widget's class. Each function is
// called once with the page's side of the widget, {model, modelOf, needsPython}, and with what the
// build has written down for it.

import { explorerAnswers } from "./explorer.js";

const PICTURES_A_SECOND = 10;

/** The selection bars: the frames of a search that the build has run to its end. */
function barsAnswers({ model }, { frames }) {
  let at = 0;
  let timer = null;
  const show = (next) => {
    at = Math.min(Math.max(next, 0), frames.length - 1);
    model.update(frames[at]);
  };
  const pause = () => {
    clearInterval(timer);
    model.update({ is_running: false });
  };
  const run = () => {
    clearInterval(timer);
    model.update({ is_running: true });
    const speed = model.get("speed");
    let simulations = frames[at].progress.done;
    timer = setInterval(() => {
      simulations += Math.max(1, speed / PICTURES_A_SECOND);
      const next = frames.findLastIndex(({ progress }) => progress.done <= simulations);
      if (next !== at) show(next);
      if (at === frames.length - 1) pause();
    }, Math.max(1000 / speed, 1000 / PICTURES_A_SECOND));
  };
  const acts = {
    run,
    pause,
    step: () => { pause(); show(at + 1); },
    finish: () => { pause(); show(frames.length - 1); },
    reset: () => { pause(); show(0); },
  };
  model.answer = ({ command, value }) => {
    if (command === "speed") {
      model.update({ speed: value });
      if (model.get("is_running")) run();
    } else acts[command]?.();
  };
}

/** The net panel: positions that the build has put to the nets, by their records. */
function netsAnswers({ model, modelOf, needsPython }, { positions, named }) {
  const boards = model.get("boards").map(modelOf);
  let line = model.get("record").split(" ").filter(Boolean);
  let length = line.length; // how many moves of the line are on the boards
  let isOpen = model.get("trees_open");

  function show(moves, all = moves) {
    const record = moves.join(" ");
    const found = positions[record];
    if (!found) return needsPython("What the nets think of this position");
    [line, length] = [all, moves.length];
    const { boards: shown, trees, ...traits } = found;
    const commands = ["let_play", "new", ...(length ? ["undo"] : []), ...(length < line.length ? ["redo"] : [])];
    model.update({ record, ...traits, commands, trees: trees ?? model.get("trees").map(({ title }) => ({ title, remark: "The search of this position needs Python." })) });
    shown.forEach((traits, place) => boards[place].update(traits));
  }

  const acts = {
    set_up: ({ record }) => show((named[record] ?? record).split(" ").filter(Boolean)),
    new: () => show([]),
    undo: () => length && show(line.slice(0, length - 1), line),
    redo: () => length < line.length && show(line.slice(0, length + 1), line),
    trees: ({ value }) => { isOpen = value; model.update({ trees_open: isOpen }); },
    let_play: () => needsPython("A game between nets"),
    simulations: () => { model.tell("change:num_simulations"); needsPython("A search with another number of simulations"); },
    side: () => { model.tell("change:sides"); needsPython("A game between nets"); },
  };
  model.answer = (message) => acts[message.command]?.(message);
  for (const board of boards) board.answer = ({ chosen }) => {
    const { legal, labels } = board.get("squares");
    if (!legal.includes(chosen)) return;
    show([...line.slice(0, length), labels[chosen].split(",")[0]]);
  };
}

export const ANSWERS = {
  NetPanel: netsAnswers,
  SelectionBars: barsAnswers,
  TreeExplorer: explorerAnswers,
};
