// The page's half of the panel for questioning nets. The synced traits are the whole state, and a
// person's actions are sent as commands.

import { ICONS, onKeys, tell } from "./common.js";
import { LiveBoard } from "./live_board.js";
import { Balance, Button, Menu, WideDrawing, html, useKeptFocus, useMemo, useRef, useTraits, widget } from "./ui.js";
import { count, percent } from "./words.js";

Object.assign(ICONS, {
  redo: { path: "M9.5 3.5 13 7l-3.5 3.5M13 7H6.8a3.4 3.4 0 0 0 0 6.8H9" },
  let_play: ICONS.play,
  trees: { path: "M8 2.5v3.2M8 5.7 3.5 9.3M8 5.7v3.6M8 5.7l4.5 3.6M2 9.3h3v3.2H2zM6.5 9.3h3v3.2h-3zM11 9.3h3v3.2h-3z" },
});

function Nets({ model }) {
  const { title, names, player_names: players, colors, positions, budgets } = model.get("fixed");
  const [{ headline, record, commands, answers }, message, note, budget, sides, isPlaying, isOpen, trees] = useTraits(
    model, "view", "message", "note", "num_simulations", "sides", "is_playing", "trees_open", "trees");
  const [look, position] = useTraits(model, "look", "position");
  const root = useRef();
  const focus = useKeptFocus(root, { let_play: "stop", stop: "let_play", undo: "redo", redo: "undo" });
  const send = (command, more = {}) => tell(model, { command, ...more });
  const toggleTrees = () => send("trees", { value: !isOpen });
  const keys = {
    u: () => send("undo"), r: () => send("redo"), n: () => send("new"),
    p: () => send(isPlaying ? "stop" : "let_play"), t: toggleTrees,
  };
  const button = (name, label, key, more = {}) => html`
    <${Button} sign=${name} label=${label} word title=${`${label} (${key})`} data-command=${name}
      disabled=${!commands.includes(name)} onclick=${() => send(name)} ...${more} />`;
  const labelled = (text, menu) => html`<label class="row"><span>${text}</span>${menu}</label>`;
  return html`
    <section class="mctslab mctslab-nets" aria-label=${title} tabindex="-1" ref=${root}
      onkeydown=${onKeys(keys)} ...${focus}>
      <div class="controls" role="toolbar" aria-label="Position">
        <div class="buttons">
          ${button("new", "New", "n")}${button("undo", "Undo", "u")}${button("redo", "Redo", "r")}
          <${Menu} label="Position to set up" value=""
            options=${[["", "set up …"], ...positions.map((name) => [name, name])]}
            choose=${(name) => name && send("set_up", { record: name })} />
        </div>
        <p class="headline" role="status">${headline}</p>
      </div>
      <div class="nets tiles">${names.map((name, place) => html`
        <${Net} key=${name} name=${name} players=${players} colors=${colors} ...${answers[place]}
          look=${look} position=${position} choose=${(square) => send("choose", { square, record })} />`)}
      </div>
      <p class="message" role="alert">${message}</p>
      <p class="note" role="status">${note}</p>
      <p class="record muted">${record && `Moves: ${record}`}</p>
      <div class="controls" role="toolbar" aria-label="Match and trees">
        <div class="buttons">
          ${button("let_play", "Let the nets play from here", "p", { kind: "primary", hidden: isPlaying })}
          ${button("stop", "Stop", "p", { hidden: !isPlaying })}
          ${players.map((player, side) => labelled(player, html`
            <${Menu} label=${`Which net plays ${player}`} value=${sides[side]}
              options=${names.map((name, net) => [net, name])} choose=${(net) => send("side", { side, net })} />`))}
        </div>
        <div class="buttons">
          ${labelled("simulations", html`
            <${Menu} label="Simulations of a search" value=${budget}
              options=${budgets.map((value) => [value, count(value)])}
              choose=${(value) => send("simulations", { value })} />`)}
          ${button("trees", "Trees", "t", { disabled: false, "aria-expanded": isOpen, onclick: toggleTrees })}
        </div>
      </div>
      <div class="trees tiles" hidden=${!isOpen}>
        ${isOpen && trees.map((tree) => html`<${NetTree} key=${tree.title} ...${tree} />`)}
      </div>
    </section>`;
}

/** A net's board with its policy, its value as a bar, and the moves that it likes best. */
function Net({ name, players, colors, share, worth, moves, heat, ...board }) {
  const shown = useMemo(() => ({ scale: "amount", squares: heat }), [heat]);
  return html`
    <figure class="net" data-net=${name}>
      <figcaption class="strong">${name}</figcaption>
      <${LiveBoard} title="${name}: the board" heat=${shown} ...${board} />
      <${Balance} words=${[`${players[0]} ${percent(share)}`, `${percent(1 - share)} ${players[1]}`]}
        colors=${colors} share=${share}
        bar=${{ role: "img", "aria-label": `${players[0]} is expected to win ${percent(share)}` }} />
      <p class="worth muted">${worth}</p>
      <ol class="moves row" aria-label=${`Moves that ${name} likes best`}>${moves.map((move) => html`
        <li><b class="notation">${move.notation}</b> <span class="share">${percent(move.share)}</span></li>`)}
      </ol>
    </figure>`;
}

/** The tree of a search, or why there is none. */
const NetTree = ({ title, svg, caption, remark }) => html`
  <figure class="net-tree">
    <figcaption class="row"><b>${title}</b><span class="muted">${caption ?? remark ?? ""}</span></figcaption>
    ${svg && html`<${WideDrawing} label=${`${title}: ${caption}`} svg=${svg} />`}
  </figure>`;

export default widget(Nets, "panel");
