"""The panel for questioning nets: one position, and how each net evaluates it.

Every net has a board of its own, with its policy on it, its value below, and on demand the tree of
its search, next to the tree of UCT with rollouts. A stone that is put on one board appears on all
of them. Two of the nets can play on from there.

The synced traits are the whole state of the page, and the browser sends commands, as in
`game_panel.py`. Searches run in the background (`thinker.py`), while the panel is on a page.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import traitlets

from mctslab import draw, games, players
from mctslab.boards.geometry import square_name
from mctslab.boards.style import LOOKS
from mctslab.draw.cards import number
from mctslab.draw.digraph import Tree
from mctslab.draw.picture import one_picture
from mctslab.games.state import State
from mctslab.players import Player, Proposal
from mctslab.search.evaluators import Evaluator
from mctslab.search.result import NotEnoughSimulationsError, SearchResult
from mctslab.widgets.board import BoardWidget
from mctslab.widgets.board_view import BoardView, legal_squares
from mctslab.widgets.front_end import CommandedWidget, StillPicture, joined
from mctslab.widgets.match import LineOfPlay, must_pass
from mctslab.widgets.net_answers import TOP_MOVES, NetAnswer, ask
from mctslab.widgets.net_positions import named_positions
from mctslab.widgets.search_view import in_background, tree_view
from mctslab.widgets.thinker import Listener, Thinker
from mctslab.widgets.wording import verdict

MOST_NETS: Final = 4
BUDGETS: Final = (100, 400, 1_600, 6_400)
"""Simulations that can be chosen on the page."""
PAUSE_BETWEEN_MOVES: Final = 0.5
"""Seconds for a person to see a move of a match."""

_BATCH: Final = 8
_UCT: Final = "UCT with rollouts"
_STILL_SQUARE: Final = 26.0
_NOT_SEARCHED: Final = "There is only one legal move, so nothing was searched."

Net: TypeAlias = str | Path | tuple[str, Evaluator]
"""A net by name or file, or any evaluator with its name on the page."""


class NetPanel(StillPicture, CommandedWidget):
    """Question nets of different ages about one position, side by side.

    Click a square of any board to put a stone there; on the keyboard the arrow keys and Enter do
    it, `u` takes a move back, `r` plays it again, `n` starts over, `t` shows the trees, and `p`
    lets two nets play on from here, or stops them.

    Args:
        nets: one to four, by name (`"gomoku9_1"`), by file, or as `(name, evaluator)`.
        state: the position to begin at; the first one of the nets' game if None.
        num_simulations: of a search, for the trees and in a match; it can be chosen on the page.
        seed: the seed of every search.

    Raises:
        ValueError: no net, too many, an unknown one, or nets for different boards.
        OSError: there is no such file.
        ModuleNotFoundError: a net has to be loaded, and PyTorch is missing.
    """

    _esm = joined("common.js", "net_panel.js")
    _css = joined("common.css", "net_panel.css")

    boards: traitlets.List[Any] = traitlets.List(help="the boards, one for each net").tag(
        sync=True, to_json=lambda boards, _: [f"anywidget:{board.model_id}" for board in boards]
    )
    title = traitlets.Unicode().tag(sync=True)
    names = traitlets.List(traitlets.Unicode(), help="of the nets").tag(sync=True)
    colors = traitlets.List(traitlets.Unicode(), help="of the two players' stones").tag(sync=True)
    player_names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    answers_data = traitlets.List(
        traitlets.Dict(), help="for each net: share of player 0, worth in words, top moves"
    ).tag(sync=True)
    headline = traitlets.Unicode().tag(sync=True)
    message = traitlets.Unicode(help="what went wrong, or what is being waited for").tag(sync=True)
    commands = traitlets.List(traitlets.Unicode(), help="the commands that make sense now").tag(
        sync=True
    )
    positions = traitlets.List(traitlets.Unicode(), help="names of positions to set up").tag(
        sync=True
    )
    record = traitlets.Unicode().tag(sync=True)
    num_simulations = traitlets.Int().tag(sync=True)
    budgets = traitlets.List(traitlets.Int(), help="those to choose from").tag(sync=True)
    sides = traitlets.List(traitlets.Int(), help="which net plays each side of a match").tag(
        sync=True
    )
    is_playing = traitlets.Bool(help="whether two nets play on").tag(sync=True)
    trees_open = traitlets.Bool().tag(sync=True)
    trees = traitlets.List(
        traitlets.Dict(), help="for each net, and last for UCT: title, svg or remark, caption"
    ).tag(sync=True)

    def __init__(
        self,
        *nets: Net,
        state: State | None = None,
        num_simulations: int = BUDGETS[1],
        seed: int = 1,
    ) -> None:
        if not 1 <= len(nets) <= MOST_NETS:
            raise ValueError(f"{len(nets)} nets don't fit side by side; choose 1 to {MOST_NETS}.")
        if num_simulations < 1:
            raise ValueError(f"num_simulations={num_simulations!r} is too few: at least 1.")
        self._lock = threading.RLock()
        self._nets = [_loaded(each) for each in nets]
        first_state = _first_state(self._nets) if state is None else state
        self._line = LineOfPlay(first_state)
        self._named = named_positions(first_state)
        self._seed = seed
        self._thinker = Thinker(self._lock)
        self._answers: list[NetAnswer] = []
        self._results: list[SearchResult | None] = []
        self._is_seen = False
        boards = [self._make_board(each.name) for each in self._nets]
        super().__init__(
            boards=boards,
            title=f"Nets for {first_state.title}",
            names=[each.name for each in self._nets],
            player_names=list(first_state.player_names),
            colors=list(LOOKS[first_state.board().style].stones),
            positions=list(self._named),
            num_simulations=num_simulations,
            budgets=sorted({*BUDGETS, num_simulations}),
            sides=[0, len(nets) - 1],
        )
        self._go_on()

    # What other cells can read

    @property
    def state(self) -> State:
        """The position on the boards."""
        with self._lock:
            return self._line.state

    @property
    def answers(self) -> dict[str, NetAnswer]:
        """The answer of each net; empty if the game is over."""
        with self._lock:
            return dict(zip(self.names, self._answers, strict=False))

    # Commands: each is on the page, and can be called from a cell

    def play(self, action: int) -> None:
        """Put a stone for the side to move; this ends a match between nets.

        If the other side can only pass after it, it does so at once.

        Raises:
            IllegalActionError: the rules don't allow it here.
        """
        with self._lock:
            self._line.play(action)
            while must_pass(self._line.state):
                self._line.play(self._line.state.legal_actions()[0])
            self._stop_and_go_on()

    def undo(self) -> None:
        """Take the last move back, with the passes after it."""
        with self._lock:
            self._line.undo()
            while self._line.can_undo() and must_pass(self._line.state):
                self._line.undo()
            self._stop_and_go_on()

    def redo(self) -> None:
        """Play the move again that was taken back last, with the passes after it."""
        with self._lock:
            self._line.redo()
            while self._line.can_redo and must_pass(self._line.state):
                self._line.redo()
            self._stop_and_go_on()

    def set_up(self, record: str) -> None:
        """Begin again, and play the moves of a record such as `"H8 I9 H9"`, or of a named position.

        Raises:
            RecordError: a move of the record is not a move, or is not legal at that point; the
                message names it.
        """
        with self._lock:
            self._line.set_up(self._named.get(record, record))
            self._stop_and_go_on()

    def let_play(self) -> None:
        """Let the two chosen nets play on from here, until the end or `stop`."""
        with self._lock:
            self.is_playing = not self._line.state.is_terminal
            self._go_on()

    def stop(self) -> None:
        """End the match between nets, at once; the move being searched is not played."""
        with self._lock:
            self._stop_and_go_on()

    # What happens next

    def _stop_and_go_on(self) -> None:
        self.is_playing = False
        self._go_on()

    def _go_on(self) -> None:
        """Show the position, evaluate it, and start the searches; every change leads here.

        A running search is discarded.
        """
        self._thinker.cancel()
        self.message = ""
        state = self._line.state
        if state.is_terminal:
            self.is_playing = False
        self._ask_nets(state)
        self._forget_trees()
        self._show()
        if state.is_terminal or not self._is_seen:
            return
        if self.is_playing:
            self._let_net_play(state)
        elif self.trees_open:
            self._search_for_tree(0, state)

    def _ask_nets(self, state: State) -> None:
        """Evaluate `state` with all nets, unless it is the position they evaluated last."""
        if state.is_terminal:
            self._answers = []
        elif not self._answers or self._answers[0].state is not state:
            self._answers = [ask(each.ask, state) for each in self._nets]

    def _let_net_play(self, state: State) -> None:
        net = self._nets[self.sides[state.current_player]]
        who = f"{state.player_names[state.current_player]} ({net.name})"
        self.headline = f"{who} is thinking"
        self._think(
            self._player_of(net),
            state,
            lambda proposal: self._play_decision(proposal),
            delay=PAUSE_BETWEEN_MOVES,
        )

    def _play_decision(self, proposal: Proposal) -> None:
        self._line.play(proposal.action)
        self._go_on()

    def _search_for_tree(self, place: int, state: State) -> None:
        """Search for the tree at `place`, and then for the next one."""
        player = self._uct() if place == len(self._nets) else self._player_of(self._nets[place])
        self._say_tree(place, f"{self.num_simulations:,} simulations …")
        self._think(
            player,
            state,
            lambda proposal: self._show_result(place, state, proposal),
            failed=lambda error: self._show_no_result(place, state, error),
        )

    def _show_result(self, place: int, state: State, proposal: Proposal) -> None:
        self._results[place] = proposal.result
        if proposal.result is None:
            self._say_tree(place, _NOT_SEARCHED)
        else:
            self._say_tree(place, "Drawing the tree …")
            in_background(self._finish_tree, place, proposal.result)
        if place < len(self._nets):
            self._search_for_tree(place + 1, state)

    def _show_no_result(self, place: int, state: State, error: Exception) -> None:
        if isinstance(error, NotEnoughSimulationsError):
            self._say_tree(place, _too_few(self.num_simulations, state))
        else:
            self._show_failure(error)

    def _finish_tree(self, place: int, result: SearchResult) -> None:
        drawn = tree_view(lambda: _small_tree(result), _caption(result))
        with self._lock:
            if place < len(self._results) and self._results[place] is result:
                self._set_tree(place, drawn)

    def _think(
        self,
        player: Player,
        state: State,
        decided: Callable[[Proposal], None],
        *,
        failed: Callable[[Exception], None] | None = None,
        delay: float = 0.0,
    ) -> None:
        self._thinker.start(
            player,
            state,
            Listener(
                waiting=lambda: self._say("Waiting for another search to end."),
                preparing=lambda: self._say("Preparing the search."),
                started=lambda: self._say(""),
                proposed=lambda proposal: None,
                decided=decided,
                failed=failed or self._show_failure,
            ),
            delay=delay,
        )

    def _show_failure(self, error: Exception) -> None:
        self.is_playing = False
        self._show()
        self._say_error(error)

    # The nets

    def _player_of(self, net: "_LoadedNet") -> Player:
        return players.PUCTPlayer(
            self.num_simulations,
            evaluator=net.ask,
            batch_size=_BATCH,
            rng=np.random.default_rng(self._seed),
            name=net.name,
        )

    def _uct(self) -> Player:
        rng = np.random.default_rng(self._seed)
        return players.UCTPlayer(self.num_simulations, rng=rng, name=_UCT)

    # The browser

    def _handle_command(self, content: Any) -> None:
        match content:
            case {"command": "set_up", "record": str(record)}:
                self.set_up(record)
            case {"command": "simulations", "value": int(value)} if value in self.budgets:
                self.num_simulations = value
                self._go_on()
            case {"command": "side", "side": 0 | 1 as side, "net": int(net)}:
                self._choose_side(side, net)
            case {"command": "trees", "value": bool(value)}:
                self.trees_open = value
                self._go_on()
            case {"command": "new"}:
                self.set_up("")
            case {"command": "undo" | "redo" | "stop" | "let_play" as command} if (
                command in self.commands
            ):
                getattr(self, command)()

    def _choose_side(self, side: int, net: int) -> None:
        if not 0 <= net < len(self._nets):
            raise ValueError(f"There is no net number {net}.")
        self.sides = [net if each == side else self.sides[each] for each in (0, 1)]
        if self.is_playing:
            self._go_on()

    def _note_event(self, event: str) -> None:
        """Stop searches that no page shows."""
        was_seen, self._is_seen = self._is_seen, self._views > 0
        if was_seen != self._is_seen:
            self._stop_and_go_on()

    def _choose_square(self, square: int) -> None:
        with self._callback():
            action = self._line.state.square_action(square)
            if action is not None:
                self.play(action)

    def _refuse_square(self, square: int) -> None:
        with self._callback():
            state = self._line.state
            why = "the game is over" if state.is_terminal else "it is not a legal move"
            self._say(f"{square_name(state.board(), square)} can't be chosen: {why}.")

    # What is shown

    def _make_board(self, name: str) -> BoardWidget:
        state = self._line.state
        return BoardWidget(
            BoardView(state.board()),
            player_names=state.player_names,
            title=f"{name}: {state.title} board",
            on_choose=self._choose_square,
            on_refuse=self._refuse_square,
        )

    def _show(self) -> None:
        """Update every trait that depends on the position."""
        line, state = self._line, self._line.state
        with self.hold_sync():
            self.record = line.record
            self.headline = (
                verdict(state.returns(), state.player_names)
                if state.is_terminal
                else f"{state.player_names[state.current_player]} to move"
            )
            self.commands = sorted(self._possible_commands())
            self.answers_data = self._answers_data()
        view = BoardView(state.board(), mark_legal=False)
        if not state.is_terminal:
            view = replace(view, legal_squares=legal_squares(state), mover=state.current_player)
        for place, board in enumerate(self.boards):
            heat = self._answers[place].heat() if self._answers else {}
            board.show(replace(view, heat=heat))

    def _possible_commands(self) -> Iterator[str]:
        yield "new"
        if self._line.can_undo():
            yield "undo"
        if self._line.can_redo:
            yield "redo"
        if self.is_playing:
            yield "stop"
        elif not self._line.state.is_terminal:
            yield "let_play"

    def _answers_data(self) -> list[dict[str, Any]]:
        state = self._line.state
        if self._answers:
            return [_answer_data(answer) for answer in self._answers]
        share = (1 + state.returns()[0]) / 2
        return [{"share": share, "worth": "The game is over.", "moves": []} for _ in self._nets]

    # Trees

    def _forget_trees(self) -> None:
        names = [*self.names, _UCT]
        self._results = [None] * len(names)
        self.trees = [{"title": name, "remark": self._why_no_tree()} for name in names]

    def _why_no_tree(self) -> str:
        if self._line.state.is_terminal:
            return "The game is over."
        if self.is_playing:
            return "The trees come back when the match is stopped."
        return "Nothing has been searched yet."

    def _say_tree(self, place: int, remark: str) -> None:
        self._set_tree(place, {"remark": remark})

    def _set_tree(self, place: int, drawn: Mapping[str, str]) -> None:
        title = [*self.names, _UCT][place]
        self.trees = [
            {"title": title, **drawn} if each == place else shown
            for each, shown in enumerate(self.trees)
        ]

    # Without a kernel

    def without_python(self) -> dict[str, Any]:
        """What the nets answer in the named positions, on the way there, and after the best moves.

        Each position is found by its record. The named ones have the trees, too.
        """
        with self._lock:
            record = self.record
            positions: dict[str, dict[str, Any]] = {}
            for named in [*self._named.values(), record]:
                self.set_up(named)
                self._note_position(positions, with_trees=True)
                best = {action for each in self._answers for action, _ in each.top(TOP_MOVES)}
                for action in sorted(best):
                    self.set_up(named)
                    self.play(action)
                    self._note_position(positions)
                moves = named.split()
                for length in range(len(moves)):
                    self.set_up(" ".join(moves[:length]))
                    self._note_position(positions)
            self.set_up(record)
        return {"positions": positions, "named": dict(self._named)}

    def _note_position(
        self, positions: dict[str, dict[str, Any]], *, with_trees: bool = False
    ) -> None:
        """Add what the page shows of the position on the boards."""
        noted = positions.setdefault(self.record, {})
        if noted and not with_trees:
            return
        noted["headline"] = self.headline
        noted["answers_data"] = self.answers_data
        noted["boards"] = [
            {"position": board.position, "heat": board.heat} for board in self.boards
        ]
        state = self._line.state
        if with_trees and not state.is_terminal:
            players = [*map(self._player_of, self._nets), self._uct()]
            names = [*self.names, _UCT]
            noted["trees"] = [
                {"title": name, **_searched_tree(player, state, self.num_simulations)}
                for name, player in zip(names, players, strict=True)
            ]

    def still_svg(self) -> str:
        """The boards with the policies, for a page without a kernel."""
        with self._lock:
            if not self._answers:
                return ""
            return one_picture(
                {
                    f"{name}: {_worth(answer)}": answer.svg(square_size=_STILL_SQUARE)
                    for name, answer in zip(self.names, self._answers, strict=True)
                }
            )

    def still_note(self) -> str:
        """The line under that picture."""
        return "What the nets think of this position. Run this cell again to question them."


@dataclass(frozen=True, slots=True)
class _LoadedNet:
    """A net on the panel."""

    name: str
    ask: Evaluator
    about: Mapping[str, Any]
    """The origin given in its file; empty for an evaluator that is not a net."""


def _loaded(net: Net) -> _LoadedNet:
    if isinstance(net, tuple):
        return _LoadedNet(net[0], net[1], {})
    from mctslab.net import load  # it loads PyTorch, which takes a second and may be missing

    evaluator = load(net)
    return _LoadedNet(Path(net).stem, evaluator, evaluator.about)


def _first_state(nets: Sequence[_LoadedNet]) -> State:
    """The first position of the game that all nets play.

    Raises:
        ValueError: none of the nets names its game, or two of them differ.
    """
    first_states = {
        each.name: games.make(each.about["game"], **each.about.get("game_options", {}))
        for each in nets
        if "game" in each.about
    }
    if not first_states:
        raise ValueError("None of these evaluators names its game, so give a position as state=.")
    first_name, first_state = next(iter(first_states.items()))
    for name, state in first_states.items():
        if state != first_state:
            raise ValueError(
                f"{first_name} and {name} are for different boards:\n{first_state}\n{state}"
            )
    return first_state


def _worth(answer: NetAnswer) -> str:
    state = answer.state
    return f"value {number(answer.value)} for {state.player_names[state.current_player]}, to move"


def _answer_data(answer: NetAnswer) -> dict[str, Any]:
    notation = answer.state.action_to_string
    return {
        "share": answer.win_rate_of_first,
        "worth": _worth(answer),
        "moves": [
            {"notation": notation(action), "share": share}
            for action, share in answer.top(TOP_MOVES)
        ],
    }


def _small_tree(result: SearchResult) -> Tree:
    """The top of a search's tree, small enough to be next to others."""
    return draw.tree(result, top=3, depth=3, max_nodes=10)


def _too_few(num_simulations: int, state: State) -> str:
    """Why UCT has no tree to show."""
    number = len(state.legal_actions())
    return (
        f"{num_simulations:,} simulations are too few to try each of the {number} legal moves once."
    )


def _searched_tree(player: Player, state: State, num_simulations: int) -> dict[str, str]:
    """The tree of a search of `state`, as the page shows it."""
    try:
        *_, proposal = player.think(state)
    except NotEnoughSimulationsError:
        return {"remark": _too_few(num_simulations, state)}
    result = proposal.result
    if result is None:
        return {"remark": _NOT_SEARCHED}
    return tree_view(lambda: _small_tree(result), _caption(result))


def _caption(result: SearchResult) -> str:
    """The result of a search, in one line."""
    state = result.state
    visits = sum(child.visit_count for child in result.children)
    best = max(result.children, key=lambda child: child.visit_count)
    name = state.player_names[state.current_player]
    return (
        f"{state.action_to_string(best.action)} got {best.visit_count / visits:.0%} of the visits; "
        f"value {number(result.value)} for {name}"
    )
