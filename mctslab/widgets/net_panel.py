"""The panel for questioning nets: one position, and how each net evaluates it.

Every net has a board of its own, with its policy on it, its value below, and on demand the tree of
its search, next to the tree of UCT with rollouts. A stone placed on one board appears on all of
them. Two of the nets can play on from there.

The synced traits are the whole state of the page, and the browser sends commands. Searches run in
the background (`thinker.py`), while the panel is on a page. Under the lock nets evaluate and boards
are drawn, which takes some milliseconds; trees, which take longer, are drawn without it.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import traitlets

from mctslab import draw, games, players
from mctslab.boards.geometry import square_name
from mctslab.boards.layers import HeatScale
from mctslab.boards.style import LOOKS
from mctslab.boards.svg import board_svg
from mctslab.draw.cards import number
from mctslab.games.state import State
from mctslab.players import Player, Proposal
from mctslab.search.evaluators import Evaluator, history_of
from mctslab.search.result import NotEnoughSimulationsError, SearchResult, best_child
from mctslab.widgets.board_view import board_look, legal_squares, position_of
from mctslab.widgets.front_end import CommandedWidget, StillPicture, bundled, joined
from mctslab.widgets.net_positions import named_positions
from mctslab.widgets.records import must_pass, read_record, verdict
from mctslab.widgets.search_view import in_background, tree_view
from mctslab.widgets.thinker import Thinker

MOST_NETS: Final = 4
BUDGETS: Final = (100, 400, 1_600, 6_400)
"""Simulations that can be chosen on the page."""
PAUSE_BETWEEN_MOVES: Final = 0.5
"""Seconds for a person to see a move of a match."""

LEAST_SHARE: Final = 0.005
"""Moves with a smaller share get no colour, because they would hide the board."""
TOP_MOVES: Final = 3

_BATCH: Final = 8
_UCT: Final = "UCT with rollouts"
_STILL_SQUARE: Final = 26.0
_NOT_SEARCHED: Final = "There is only one legal move, so nothing was searched."

Net: TypeAlias = str | Path | tuple[str, Evaluator]
"""A net by name or file, or any evaluator with its name on the page."""


@dataclass(frozen=True, slots=True)
class NetAnswer:
    """Policy and value of a position that is not terminal."""

    state: State
    policy: dict[int, float]
    """For each legal action its share; they sum to 1."""
    value: float
    """For the player to move, in [-1, 1]."""

    @property
    def win_rate_of_first(self) -> float:
        """How often player 0 is expected to win, in [0, 1], whoever is to move."""
        value = self.value if self.state.current_player == 0 else -self.value
        return (1 + value) / 2

    def top(self) -> list[tuple[int, float]]:
        """The actions with the largest shares, largest first."""
        return sorted(self.policy.items(), key=lambda entry: -entry[1])[:TOP_MOVES]

    @property
    def in_words(self) -> str:
        """`value +0.31 for Black, to move`."""
        name = self.state.player_names[self.state.current_player]
        return f"value {number(self.value)} for {name}, to move"

    def heat(self) -> dict[int, float]:
        """The shares of moves by their squares, without negligible ones."""
        found = {}
        for action, share in self.policy.items():
            square = self.state.action_square(action)
            if square is not None and share >= LEAST_SHARE:
                found[square] = share
        return found

    def svg(self, *, square_size: float) -> str:
        """The board with the policy on it, as a picture."""
        return board_svg(
            self.state.board(),
            heat=self.heat(),
            heat_scale=HeatScale.AMOUNT,
            legend=False,
            square_size=square_size,
        )


def ask(evaluator: Evaluator, state: State) -> NetAnswer:
    """The answer of `evaluator` for `state`, which is not terminal.

    Raises:
        ValueError: the evaluator raised it, for a board of another size for instance.
    """
    # A net is deterministic; an evaluator that is not gets the same random numbers each time.
    values, priors = evaluator([state], np.random.default_rng(0))
    actions = state.legal_actions()
    shares = [1 / len(actions)] * len(actions) if priors is None else priors[0]
    policy = {action: float(share) for action, share in zip(actions, shares, strict=True)}
    return NetAnswer(state, policy, float(values[0][state.current_player]))


class Line:
    """The moves from a first position, and how many of them are on the boards.

    Moves that were taken back stay in the line until another move is played. A side that can only
    pass does so at once, and its pass is not a move here.
    """

    def __init__(self, first_state: State) -> None:
        self._first_state = first_state
        self._actions: list[int] = []
        self.go_to(0)

    def go_to(self, length: int) -> None:
        """Put that many of the moves on the boards, or as many as possible."""
        self.length = min(max(length, 0), len(self._actions))
        self.state, notations = self._first_state, []
        for action in self._actions[: self.length]:
            notations.append(self.state.action_to_string(action))
            self.state = self.state.child(action)
            while must_pass(self.state):
                (the_pass,) = self.state.legal_actions()
                notations.append(self.state.action_to_string(the_pass))
                self.state = self.state.child(the_pass)
        self.record = " ".join(notations)

    def play(self, action: int) -> None:
        """Play a move; those that were taken back are forgotten, unless it is the next of them."""
        self.state.child(action)  # it may be illegal, and then nothing changes
        if self._actions[self.length : self.length + 1] != [action]:
            self._actions[self.length :] = [action]
        self.go_to(self.length + 1)

    def set_up(self, record: str) -> None:
        """Begin again and play the moves of `record`; see `read_record`."""
        state, actions = self._first_state, []
        for action in read_record(record, state):
            actions += [] if must_pass(state) else [action]
            state = state.child(action)
        self._actions = actions
        self.go_to(len(actions))

    @property
    def can_redo(self) -> bool:
        """Whether a move was taken back that can be played again."""
        return self.length < len(self._actions)


class NetPanel(StillPicture, CommandedWidget):
    """Question nets of different ages about one position, side by side.

    Click a square of any board to place a stone there; on the keyboard the arrow keys and Enter do
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

    _esm = bundled("net_panel.js")
    _css = joined("common.css", "board.css", "net_panel.css")

    fixed = traitlets.Dict(
        help="title; the nets' names; player_names and the colors of their stones; the positions "
        "that can be set up; the budgets of simulations to choose from"
    ).tag(sync=True)
    look = traitlets.Dict(help="the pieces, sizes, names and colours of a board").tag(sync=True)
    position = traitlets.Dict(help="the stones, and what can be chosen").tag(sync=True)
    view = traitlets.Dict(
        help="headline, record, commands that make sense now, and for each net its answer: share "
        "of player 0, worth in words, top moves, and the policy as heat"
    ).tag(sync=True)
    message = traitlets.Unicode(help="what went wrong").tag(sync=True)
    note = traitlets.Unicode(help="what is being waited for").tag(sync=True)
    num_simulations = traitlets.Int().tag(sync=True)
    sides = traitlets.List(traitlets.Int(), help="the net of each side in a match").tag(sync=True)
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
        self._nets = dict(map(_loaded, nets))
        if len(self._nets) < len(nets):
            raise ValueError("Two of the nets have the same name; give them as (name, evaluator).")
        if any(history_of(evaluator) > 1 for evaluator in self._nets.values()):
            raise ValueError("A net that sees earlier positions (history above 1) can't be shown.")
        first_state = _first_state(self._nets) if state is None else state
        self._line = Line(first_state)
        self._named = named_positions(first_state)
        self._seed = seed
        self._thinker = Thinker(self._lock)
        self._answers: list[NetAnswer] = []
        self._results: list[SearchResult | None] = []
        self._is_seen = False
        super().__init__(
            fixed={
                "title": f"Nets for {first_state.title}",
                "names": list(self._nets),
                "player_names": list(first_state.player_names),
                "colors": list(LOOKS[first_state.board().style].stones),
                "positions": list(self._named),
                "budgets": sorted({*BUDGETS, num_simulations}),
            },
            num_simulations=num_simulations,
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
            return dict(zip(self._nets, self._answers, strict=False))

    # Commands: each is on the page, and can be called from a cell

    @contextmanager
    def _changing_position(self) -> Iterator[None]:
        """Hold the lock, end a match, and go on from the new position."""
        with self._lock:
            yield
            self.is_playing = False
            self._go_on()

    def play(self, action: int) -> None:
        """Place a stone for the side to move; this ends a match between nets.

        If the other side can only pass after it, it does so at once.

        Raises:
            IllegalActionError: the rules don't allow it here.
        """
        with self._changing_position():
            self._line.play(action)

    def undo(self) -> None:
        """Take the last move back, with the passes after it."""
        with self._changing_position():
            self._line.go_to(self._line.length - 1)

    def redo(self) -> None:
        """Play the move again that was taken back last, with the passes after it."""
        with self._changing_position():
            self._line.go_to(self._line.length + 1)

    def set_up(self, record: str) -> None:
        """Begin again, and play the moves of a record such as `"H8 I9 H9"`, or of a named position.

        Raises:
            RecordError: a move of the record is not a move, or is not legal at that point; the
                message names it.
        """
        with self._changing_position():
            self._line.set_up(self._named.get(record, record))

    def let_play(self) -> None:
        """Let the two chosen nets play on from here, until the end or `stop`."""
        with self._lock:
            self.is_playing = True
            self._go_on()

    def stop(self) -> None:
        """End the match between nets, at once; the move being searched is not played."""
        with self._changing_position():
            pass

    # What happens next

    def _go_on(self) -> None:
        """Show the position, evaluate it, and start the searches; every change leads here.

        A running search is discarded.
        """
        self._thinker.cancel()
        self.message = self.note = ""
        state = self._line.state
        if state.is_terminal:
            self.is_playing, self._answers = False, []
        elif not self._answers or self._answers[0].state != state:
            self._answers = [ask(evaluator, state) for evaluator in self._nets.values()]
        self._forget_trees()
        self._show()
        if self.is_playing and self._is_seen:
            self._let_net_play(state)
        elif self.trees_open and self._is_seen and not state.is_terminal:
            self._search_for_tree(0, state)

    def _let_net_play(self, state: State) -> None:
        name = list(self._nets)[self.sides[state.current_player]]
        who = f"{state.player_names[state.current_player]} ({name})"
        self.view = {**self.view, "headline": f"{who} is thinking"}

        def play(proposal: Proposal) -> None:
            self._line.play(proposal.action)
            self._go_on()

        self._think(self._player(name), state, play, delay=PAUSE_BETWEEN_MOVES)

    def _search_for_tree(self, place: int, state: State) -> None:
        """Search for the tree at `place`, and then for the next one."""
        self._set_tree(place, {"remark": f"{self.num_simulations:,} simulations …"})

        def show(proposal: Proposal) -> None:
            self._results[place] = proposal.result
            if proposal.result is None:
                self._set_tree(place, {"remark": _NOT_SEARCHED})
            else:
                self._set_tree(place, {"remark": "Drawing the tree …"})
                in_background(self._draw_tree, place, proposal.result)
            if place < len(self._nets):
                self._search_for_tree(place + 1, state)

        def fail(error: Exception) -> None:
            self.note = ""
            if isinstance(error, NotEnoughSimulationsError):
                self._set_tree(place, {"remark": _too_few(self.num_simulations, state)})
            else:
                self._show_failure(error)

        self._think(self._player([*self._nets, _UCT][place]), state, show, failed=fail)

    def _draw_tree(self, place: int, result: SearchResult) -> None:
        """Draw without the lock, and show it unless it has become outdated."""
        drawn = tree_view(lambda: draw.tree(result, top=3, depth=3, max_nodes=10), _caption(result))
        with self._lock:
            if self._results[place] is result:
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
        def hear(event: str, found: Any) -> None:
            match event:
                case "decided":
                    decided(found)
                case "failed":
                    (failed or self._show_failure)(found)
                case "waiting":
                    self.note = "Waiting for another search to end."
                case "preparing":
                    self.note = "Preparing the search."
                case "started":
                    self.note = ""

        self._thinker.start(player, state, hear, delay=delay)

    def _show_failure(self, error: Exception) -> None:
        self.is_playing = False
        self.note = ""
        self._show()
        self._say_error(error)

    def _player(self, name: str) -> Player:
        """A player that searches with the net called `name`, or UCT."""
        rng = np.random.default_rng(self._seed)
        if name == _UCT:
            return players.UCTPlayer(self.num_simulations, rng=rng, name=name)
        return players.PUCTPlayer(
            self.num_simulations, evaluator=self._nets[name], batch_size=_BATCH, rng=rng, name=name
        )

    # The browser

    def _handle_command(self, content: Any) -> None:
        match content:
            case {"command": "choose", "square": int(square), "record": str(record)}:
                if record == self.view["record"]:  # else the click was made on another position
                    self._choose(square)
            case {"command": "set_up", "record": str(record)}:
                self.set_up(record)
            case {"command": "simulations", "value": int(value)} if value in self.fixed["budgets"]:
                self.num_simulations = value
                self._go_on()
            case {"command": "side", "side": 0 | 1 as side, "net": int(net)} if (
                0 <= net < len(self._nets)
            ):
                self.sides = [net if each == side else self.sides[each] for each in (0, 1)]
                if self.is_playing:
                    self._go_on()
            case {"command": "trees", "value": bool(value)}:
                self.trees_open = value
                self._go_on()
            case {"command": "new"}:
                self.set_up("")
            case {"command": "undo" | "redo" | "stop" | "let_play" as command} if (
                command in self.view["commands"]
            ):
                getattr(self, command)()

    def _note_event(self, event: str) -> None:
        """Stop searches that no page shows."""
        was_seen, self._is_seen = self._is_seen, bool(self._views)
        if was_seen != self._is_seen:
            self.stop()

    def _choose(self, square: int) -> None:
        state = self._line.state
        action = state.square_action(square) if square in legal_squares(state) else None
        if action is not None:
            self.play(action)
            return
        why = "the game is over" if state.is_terminal else "it is not a legal move"
        self._say(f"{square_name(state.board(), square)} can't be chosen: {why}.")

    # What is shown

    def _show(self) -> None:
        """Update everything that depends on the position."""
        state = self._line.state
        board, mover = state.board(), None if state.is_terminal else state.current_player
        if mover is None:
            headline = verdict(state.returns(), state.player_names)
        else:
            headline = f"{state.player_names[mover]} to move"
        with self.hold_sync():
            if board.text or not self.look:  # a board of text looks different in each position
                self.look = board_look(board, state.player_names)
            legal = [] if mover is None else list(legal_squares(state))
            self.position = {**position_of(board), "legal": legal, "mover": mover}
            self.view = {
                "headline": headline,
                "record": self._line.record,
                "commands": sorted(self._possible_commands()),
                "answers": self._answers_in_words(),
            }

    def _possible_commands(self) -> Iterator[str]:
        yield "new"
        if self._line.length:
            yield "undo"
        if self._line.can_redo:
            yield "redo"
        if self.is_playing:
            yield "stop"
        elif not self._line.state.is_terminal:
            yield "let_play"

    def _answers_in_words(self) -> list[dict[str, Any]]:
        state = self._line.state
        if state.is_terminal:
            share = (1 + state.returns()[0]) / 2
            over = {"share": share, "worth": "The game is over.", "moves": [], "heat": []}
            return [over] * len(self._nets)
        return [
            {
                "share": answer.win_rate_of_first,
                "worth": answer.in_words,
                "moves": [
                    {"notation": state.action_to_string(action), "share": share}
                    for action, share in answer.top()
                ],
                "heat": list(answer.heat().items()),
            }
            for answer in self._answers
        ]

    def _forget_trees(self) -> None:
        if self._line.state.is_terminal:
            why = "The game is over."
        elif self.is_playing:
            why = "The trees come back when the match is stopped."
        else:
            why = "Nothing has been searched yet."
        names = [*self._nets, _UCT]
        self._results = [None] * len(names)
        self.trees = [{"title": name, "remark": why} for name in names]

    def _set_tree(self, place: int, drawn: Mapping[str, str]) -> None:
        trees = list(self.trees)
        trees[place] = {"title": trees[place]["title"], **drawn}
        self.trees = trees

    def still_pictures(self) -> list[tuple[str, str]]:
        """The boards with the policies, for a page without a kernel."""
        answers = self.answers.items()
        return [(answer.svg(square_size=_STILL_SQUARE), name) for name, answer in answers]

    def still_note(self) -> str:
        """The values, in the order of the pictures."""
        values = "; ".join(f"{name}: {answer.in_words}" for name, answer in self.answers.items())
        return f"What the nets think. {values}. Run this cell again to question them."


def _loaded(net: Net) -> tuple[str, Evaluator]:
    """A net's name on the page, and its evaluator."""
    if isinstance(net, tuple):
        return net
    from mctslab.net import load  # it loads PyTorch, which takes a second and may be missing

    return Path(net).stem, load(net)


def _first_state(nets: Mapping[str, Evaluator]) -> State:
    """The first position of the game that all nets play.

    Raises:
        ValueError: none of the nets names its game, or two of them differ.
    """
    origins = {name: getattr(evaluator, "about", {}) for name, evaluator in nets.items()}
    first_states = {
        name: games.make(about["game"], **about.get("game_options", {}))
        for name, about in origins.items()
        if "game" in about
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


def _too_few(num_simulations: int, state: State) -> str:
    """Why UCT has no tree to show."""
    return (
        f"{num_simulations:,} simulations are too few to try each of the "
        f"{len(state.legal_actions())} legal moves once."
    )


def _caption(result: SearchResult) -> str:
    """The result of a search, in one line."""
    state = result.state
    visits = sum(child.visit_count for child in result.children)
    best = best_child(result.children)
    name = state.player_names[state.current_player]
    return (
        f"{state.action_to_string(best.action)} got {best.visit_count / visits:.0%} of the visits; "
        f"value {number(result.value)} for {name}"
    )
