"""The panel on which a game is played: board, players, clocks, search at work, record.

What has rules is elsewhere: `match.py` knows the game as it is played, `thinker.py` lets players
think in the background, `wording.py` writes the sentences. Here they are wired together. The
synced traits are the whole state of the page; the browser sends commands and never changes a
trait, so that the thinking thread and the page can't write the same one.

Callbacks of the page run in whatever thread the kernel gives them, also while a cell runs: every
public method and every callback holds the panel's one lock.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import anywidget
import numpy as np
import traitlets
from IPython.display import display

from mctslab import draw, games, players
from mctslab.boards.board import EMPTY, BoardStyle
from mctslab.boards.geometry import square_name
from mctslab.boards.heat import HeatScale
from mctslab.boards.style import LOOKS
from mctslab.boards.svg import stone_svg
from mctslab.draw.digraph import Tree
from mctslab.games.state import State
from mctslab.players import Player, Proposal
from mctslab.search.result import SearchResult
from mctslab.widgets import wording
from mctslab.widgets.board import BoardWidget
from mctslab.widgets.front_end import CommandedWidget, joined
from mctslab.widgets.match import Match, Move, RecordError, must_pass
from mctslab.widgets.menus import (
    HUMAN,
    NET,
    hint_player,
    levels,
    on_another_board,
    rule_menus,
    usual_net,
    with_rules,
)
from mctslab.widgets.search_view import Heat, alphabeta_table, hot_squares, tells_priors
from mctslab.widgets.thinker import Listener, Thinker

PAUSE_BEFORE_THINKING: Final = 0.35
"""Seconds in which a person sees the last move arrive before a player answers."""

USUAL_LIMIT: Final = 60.0
"""Seconds for a move, by the one-minute rule: what the switch on the page means where no limit
was ever given."""


class GamePanel(CommandedWidget):
    """Play a game, or watch two players play it.

    Args:
        game: The name of a game (`"reversi"`), or a position to begin at.
        black: Who plays the side that moves first (X, Red): `"human"`, the short name of a player
            (see `mctslab.players.make`), or a `Player`; `"net"` is a net that comes with mctslab
            for this board, or UCT, with a sentence, where there is none or no PyTorch.
        white: Who plays the other side (O, Yellow).
        seconds_per_move: Who takes longer for one move loses; None for no limit. The first move
            that a human makes has no limit, so that nobody loses by reading on. On the page it
            can be switched off and on, and from a cell set.
        hint: The player who gives hints; a quick search if None.
        heat: What the board shows of a search while it thinks: `"visits"`, `"priors"`, `"values"`
            (how often the move wins) or `"nothing"`. On the page it can be chosen.
        by_lot: Whether the lot decides in every new game who moves first. On the page it can be
            switched.
        rng: The source of chance for players made from short names, and of the lot.

    Raises:
        ValueError: an unknown game or player, a limit that is not above 0, or a `heat` that is none
            of the four.

    The rules of Gomoku are chosen on the page, too; see `set_rules`. The panel thinks only while it
    is on the page. Two players who play each other wait for Start.
    """

    _esm = joined("common.js", "game_panel.js")
    _css = joined("common.css", "game_panel.css")

    board = anywidget.WidgetTrait().tag(sync=True)
    title = traitlets.Unicode().tag(sync=True)
    choices = traitlets.List(traitlets.Dict(), help="[{value, label}]: who can play a side").tag(
        sync=True
    )
    sides = traitlets.List(
        traitlets.Dict(), help="for each player: name, stone, choice, seconds, discs"
    ).tag(sync=True)
    turn = traitlets.Dict(help="whose clock runs, since when, and its limit").tag(sync=True)
    headline = traitlets.Unicode().tag(sync=True)
    message = traitlets.Unicode().tag(sync=True)
    tone = traitlets.Unicode(help="of the message: plain, hint, warning or error").tag(sync=True)
    effort = traitlets.Unicode(help="beside the message: how many simulations, and a second").tag(
        sync=True
    )
    thinking = traitlets.Dict(help="{text, share} while somebody thinks").tag(sync=True)
    estimate = traitlets.Dict(help="{share}: how often the first side wins").tag(sync=True)
    commands = traitlets.List(traitlets.Unicode(), help="the commands that make sense now").tag(
        sync=True
    )
    limit = traitlets.Dict(help="{seconds, is_on}: of a move, as the switch shows it").tag(
        sync=True
    )
    move_rows = traitlets.List(traitlets.Dict(), help="[{notation, seconds, player}]").tag(
        sync=True
    )
    record = traitlets.Unicode().tag(sync=True)
    record_error = traitlets.Unicode().tag(sync=True)
    rules = traitlets.List(
        traitlets.Dict(), help="menus of the rules to choose: name, label, value, options"
    ).tag(sync=True)
    by_lot = traitlets.Bool(help="whether the lot decides who moves first in a new game").tag(
        sync=True
    )
    heat = traitlets.Enum(
        list(Heat), Heat.VISITS, help="what the board shows of a search while it thinks"
    ).tag(sync=True)
    section = traitlets.Unicode(help="the open section under the board, or nothing").tag(sync=True)
    statistics = traitlets.Dict(help="caption, head and rows of the last search").tag(sync=True)
    tree = traitlets.Dict(help="svg, or what to say in its place").tag(sync=True)
    clocks = traitlets.Dict(help="charts of what the moves cost, and a table").tag(sync=True)

    def __init__(
        self,
        game: State | str,
        black: str | Player = HUMAN,
        white: str | Player = "uct:2s",
        *,
        seconds_per_move: float | None = USUAL_LIMIT,
        hint: str | Player | None = None,
        heat: Heat | str = Heat.VISITS,
        by_lot: bool = False,
        rng: np.random.Generator | None = None,
    ) -> None:
        first_state = games.make(game) if isinstance(game, str) else game
        self._lock = threading.RLock()
        self._rng = np.random.default_rng() if rng is None else rng
        self._match = Match(first_state, seconds_per_move=seconds_per_move)
        self._usual_limit = seconds_per_move or USUAL_LIMIT
        self._given: dict[str, Player] = {}
        self._remark = ""
        self._sides = [self._make_side(black), self._make_side(white)]
        self._hint_player = self._make_player(hint or hint_player(first_state))
        self._thinker = Thinker(self._lock)
        self._timer: threading.Timer | None = None
        self._activity = ""
        self._views = 0
        self._page = ""
        self._is_paused = self._is_watched
        self._first_ply_of_sitting = 0
        self._searched: _Searched | None = None
        self._estimates: dict[State, dict[str, float]] = {}
        super().__init__(
            title=first_state.title,
            heat=Heat(heat),
            by_lot=by_lot,
            board=BoardWidget(
                first_state.board(),
                player_names=first_state.player_names,
                title=f"{first_state.title} board",
            ),
        )
        self.board.on_choose(self._choose_square)
        self.board.on_refuse(self._refuse_square)
        self.on_msg(self._handle_message)
        self._go_on(self._remark)

    # What other cells may ask

    @property
    def state(self) -> State:
        """The position on the board."""
        with self._lock:
            return self._match.state

    @property
    def moves(self) -> tuple[Move, ...]:
        """What was played, in order, with the time and the work behind each move.

        `mctslab.draw.clocks(panel.moves, panel.state.player_names)` draws them.
        """
        with self._lock:
            return self._match.moves

    @property
    def seconds_per_move(self) -> float | None:
        """Who takes longer for one move loses; None for no limit. It can be set.

        A move that is thought about meanwhile gets more time by it, but never less.

        Raises:
            ValueError: it is set to a number that is not above 0.
        """
        with self._lock:
            return self._match.seconds_per_move

    @seconds_per_move.setter
    def seconds_per_move(self, seconds: float | None) -> None:
        with self._lock:
            self._match.seconds_per_move = seconds
            self._usual_limit = seconds or self._usual_limit
            self._say(wording.new_limit(self._match), "plain")
            self._publish()

    @property
    def last_result(self) -> SearchResult | None:
        """The search behind the last move or hint; None if nobody searched."""
        with self._lock:
            return None if self._searched is None else self._searched.thought.result

    # Commands: each is a button of the panel, and can be called from a cell

    def play(self, action: int) -> None:
        """Play `action` for the side to move; a player who thinks is cut short.

        Raises:
            IllegalActionError: the rules don't allow it here.
            ValueError: the match was lost on time.
        """
        with self._lock:
            self._match.play(action)
            self._go_on(wording.last_move(self._match, self._is_human))

    def new_game(self) -> None:
        """Begin again at the first position; by lot, the players may change sides for it."""
        with self._lock:
            self._match.set_up("")
            self._begin(self._cast_lots() if self.by_lot else "")

    def set_rules(self, **rules: Any) -> None:
        """Begin a new game by other rules: `panel.set_rules(size=9, exactly_five=True)`.

        Gomoku has `size`, `in_a_row` and `exactly_five`; what is not given stays as it is.

        Raises:
            ValueError: the game has no such rule, or the rules don't go together.
        """
        with self._lock:
            before = self._match.first_state
            first_state = with_rules(before, **rules)
            self._match = Match(first_state, seconds_per_move=self._match.seconds_per_move)
            remarks = [self._move_to_board(side, before, first_state) for side in (0, 1)]
            self.new_game()
            if remark := next(filter(None, remarks), ""):
                self._say(remark, "warning")

    def undo(self) -> None:
        """Go back to where a human chose last; without a human, one move."""
        with self._lock:
            self._match.undo(self._is_human)
            self._is_paused = self._is_watched
            self._go_on()

    def set_up(self, record: str) -> None:
        """Begin again and play the moves of `record`, such as `d3 c5 f6`.

        Raises:
            RecordError: naming the move that is not one, or not legal where it stands.
        """
        with self._lock:
            self._match.set_up(record)
            self._begin()

    def set_player(self, side: int, player: str | Player) -> None:
        """Let `player` play `side` (0 or 1) from now on.

        Raises:
            ValueError: an unknown player.
        """
        with self._lock:
            self._sides[side] = self._make_side(player)
            self._is_paused = self._is_watched
            self._go_on()

    def swap_sides(self) -> None:
        """Let the two players change sides; the position stays."""
        with self._lock:
            self._sides.reverse()
            self._is_paused = self._is_watched
            self._go_on()

    def start(self) -> None:
        """Go on with players who play each other, or with one who failed."""
        with self._lock:
            self._is_paused = False
            self._go_on()

    def pause(self) -> None:
        """Stop players who play each other; the move that is thought about begins again later."""
        with self._lock:
            self._is_paused = True
            self._go_on()

    def stop(self) -> None:
        """End the thinking: the best move so far is played, or given as the hint."""
        with self._lock:
            self._thinker.decide_now()

    def hint(self) -> None:
        """Search for the human to move, and show what was found."""
        with self._lock:
            if "hint" not in self.commands:
                return
            state = self._match.state
            self._activity = "Looking for a hint"
            self.thinking = {"text": "", "share": 0.0}
            self._thinker.start(
                self._hint_player,
                state,
                Listener(
                    waiting=self._show_waiting,
                    preparing=self._show_preparing,
                    started=lambda: None,
                    thought=lambda thought: self._show_thought(state, thought),
                    decided=lambda thought: self._show_hint(state, thought),
                    failed=lambda error: self._show_failure("The search for a hint", error),
                ),
            )
            self._publish()

    # Who plays

    @property
    def _is_human(self) -> tuple[bool, bool]:
        return self._sides[0].player is None, self._sides[1].player is None

    @property
    def _is_watched(self) -> bool:
        """Whether two players play each other."""
        return not any(self._is_human)

    def _make_side(self, wanted: str | Player) -> "_Side":
        if wanted == HUMAN:
            return _Side(HUMAN, None)
        if wanted == NET:
            wanted, self._remark = usual_net(self._match.first_state)
        player = self._make_player(wanted)
        return _Side(player.name, player)

    def _move_to_board(self, side: int, before: State, after: State) -> str:
        """Let a net hand over to one for the new board; a sentence where there is none."""
        old = self._sides[side].choice
        new, remark = on_another_board(old, before, after)
        if new != old:
            self._sides[side] = self._make_side(new)
        return remark

    def _make_player(self, wanted: str | Player) -> Player:
        if isinstance(wanted, Player):
            self._given[wanted.name] = wanted
            return wanted
        if wanted in self._given:
            return self._given[wanted]
        return players.make(wanted, rng=self._rng.spawn(1)[0])

    def _cast_lots(self) -> str:
        """Let the players change sides or not, and say who moves first now."""
        if all(self._is_human):
            return ""
        if self._rng.integers(2):
            self._sides.reverse()
        return wording.lot(self._match.state, self._labels())

    # What happens next

    def _begin(self, message: str = "") -> None:
        """Go on with a game that begins here, or was set up."""
        self._first_ply_of_sitting = len(self._match.moves)
        self._is_paused = self._is_watched
        self._forget_search()
        self._go_on(message)

    def _go_on(self, message: str = "", tone: str = "plain", effort: str = "") -> None:
        """Show the position, and let whoever is to move begin: all that happens comes through here.

        What was thought about before is given up.
        """
        self._thinker.cancel()
        self._stop_timer()
        self._end_activity()
        if self._match.outcome is None:
            self._match.reset_clock()
        self._say(message, tone, effort)
        state, player = self._match.state, self._match.state.current_player
        self._show_position()
        self._show_clocks()
        if self._match.outcome is None and self._views and not self._is_paused:
            mover = self._sides[player].player
            if mover is not None:
                self._let_player_think(mover, state)
            elif self._is_timed(player):
                self._start_clock()
        self._publish()

    def _let_player_think(self, player: Player, state: State) -> None:
        actions = state.legal_actions()
        mover = state.player_names[state.current_player]
        self._thinker.start(
            _OnlyMove(player.name, actions[0]) if len(actions) == 1 else player,
            state,
            Listener(
                waiting=self._show_waiting,
                preparing=self._show_preparing,
                started=self._begin_thinking,
                thought=lambda thought: self._show_thought(state, thought),
                decided=lambda thought: self._play_decision(state, thought),
                failed=lambda error: self._show_failure(f"{mover}'s player", error),
            ),
            delay=PAUSE_BEFORE_THINKING,
        )

    def _show_waiting(self) -> None:
        self._activity = "Waiting for another search"
        self.thinking = {"text": "", "share": 0.0}
        self._publish()

    def _show_preparing(self) -> None:
        state = self._match.state
        self._activity = f"{state.player_names[state.current_player]} is getting ready"
        self._say(wording.PREPARING, "plain")
        self._publish()

    def _begin_thinking(self) -> None:
        state = self._match.state
        name = state.player_names[state.current_player]
        self._activity = f"{name} is thinking"
        if self.message == wording.PREPARING:
            self._say("", "plain")
        self.thinking = {"text": "", "share": 0.0}
        self._start_clock()
        self._publish()

    def _play_decision(self, state: State, thought: Proposal) -> None:
        self._match.play(
            thought.action,
            num_simulations=thought.num_simulations,
            num_nodes=thought.num_nodes,
        )
        self._note_search(state, thought, is_hint=False)
        played = wording.last_move(self._match, self._is_human)
        self._go_on(played, effort=wording.effort(thought))

    def _show_thought(self, state: State, thought: Proposal) -> None:
        with self.hold_sync():
            self.thinking = {
                "text": wording.progress(state, thought),
                "share": thought.progress,
            }
            self.estimate = _estimate_data(state, thought) or self.estimate
        self._show_heat(state, thought)

    def _show_heat(self, state: State, thought: Proposal) -> None:
        heat, result = Heat(self.heat), thought.result
        if result is None:
            return
        scale = HeatScale.WIN_RATE if heat is Heat.VALUES else HeatScale.AMOUNT
        self.board.show_heat(hot_squares(state, result, heat), scale)
        if heat is Heat.PRIORS and not tells_priors(result.children):
            self._say(wording.SAME_PRIORS, "plain")

    def _show_hint(self, state: State, thought: Proposal) -> None:
        self._end_activity()
        self._note_search(state, thought, is_hint=True)
        self.board.show_heat({})
        self.board.show_hint(state.action_square(thought.action))
        self._say(wording.hint(state, thought), "hint", wording.speed(thought))
        self._publish()

    def _show_failure(self, who: str, error: Exception) -> None:
        """Say that a player raised `error`, and wait for the person to decide what comes next."""
        self._is_paused = not self._is_human[self._match.state.current_player]
        self._go_on(f"{who} failed. {type(error).__name__}: {error}", "error")

    # Clocks

    def _is_timed(self, player: int) -> bool:
        """Whether a human's clock runs: from the second move on that they make in one sitting."""
        sitting = self._match.moves[self._first_ply_of_sitting :]
        return any(move.player == player for move in sitting)

    def _start_clock(self) -> None:
        self._match.start_clock()
        seconds_left = self._match.seconds_left
        if seconds_left is not None:
            self._timer = threading.Timer(seconds_left, self._check_time)
            self._timer.daemon = True
            self._timer.start()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check_time(self) -> None:
        """Called by the timer when the time of the player to move should be up."""
        with self._lock:
            if threading.current_thread() is not self._timer:
                return  # it was stopped just as it went off
            if self._match.check_time():
                self._go_on(wording.explain_time_loss(self._match), "warning")
            else:
                self._start_clock()

    # The browser

    def _ipython_display_(self) -> None:
        """Show the panel, and a line that is seen only where there is no panel any more."""
        bundle, metadata = self._repr_mimebundle_() or ({}, {})
        display(bundle, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]
        note = f"The {self.title} panel needs a running kernel: run this cell again."
        html = f'<p class="mctslab-run-again"><em>{note}</em></p>'
        display({"text/html": html, "text/plain": note}, raw=True)  # type: ignore[no-untyped-call]

    def _handle_command(self, content: Any) -> None:
        match content:
            case {"command": "set_up", "record": str(record)}:
                self._set_up_from_page(record)
            case {"command": "set_player", "side": 0 | 1 as side, "player": str(player)}:
                self.set_player(side, player)
            case {"command": "set_rules", "rules": dict(rules)}:
                self.set_rules(**rules)
            case {"command": "by_lot", "value": bool(value)}:
                self._switch_lot(value)
            case {"command": "heat", "value": str(heat)}:
                self.heat = Heat(heat)
            case {"command": "limit", "value": bool(value)}:
                self.seconds_per_move = self._usual_limit if value else None
            case {"command": "open_section", "section": str(section)}:
                self._open_section(section)
            case {"command": "pass"}:
                self._pass()
            case {"command": str(command)} if command in self.commands:
                getattr(self, _METHODS[command])()

    def _note_event(self, event: str, page: str) -> None:
        """Note what the page shows; without a view nothing thinks and no clock runs."""
        views = self._views_after(event, page)
        was_shown, self._views = self._views > 0, views
        if was_shown != (views > 0):
            self._first_ply_of_sitting = len(self._match.moves)
            if not views:
                self._forget_search()
            self._go_on(self.message, self.tone, self.effort)

    def _choose_square(self, square: int) -> None:
        with self._callback():
            action = self._match.state.square_action(square)
            if action is not None:
                self.play(action)

    def _refuse_square(self, square: int) -> None:
        with self._callback():
            board = self._match.state.board()
            self._say(
                wording.refusal(
                    self._match,
                    square_name(board, square),
                    is_empty=board.stones[square] == EMPTY,
                    is_human=self._is_human[self._match.state.current_player],
                ),
                "warning",
            )

    def _pass(self) -> None:
        if "pass" in self.commands:
            self.play(self._match.state.legal_actions()[0])

    def _set_up_from_page(self, record: str) -> None:
        try:
            self.set_up(record)
        except RecordError as error:
            self.record_error = str(error)

    def _switch_lot(self, value: bool) -> None:
        self.by_lot = value
        if not self.thinking:
            self._say(wording.new_lot(value), "plain")

    @traitlets.observe("heat")
    def _take_old_heat_away(self, _change: object) -> None:
        # The other numbers come with the next thought.
        with self._lock:
            self.board.show_heat({})

    def _open_section(self, section: str) -> None:
        self.section = section
        if section == "tree":
            self._draw_tree()
        self._show_clocks()

    # What is shown

    def _end_activity(self) -> None:
        self._activity, self.thinking = "", {}

    def _say(self, message: str, tone: str = "error", effort: str = "") -> None:
        with self.hold_sync():
            self.message, self.tone, self.effort = message, tone, effort

    def _show_position(self) -> None:
        state = self._match.state
        is_chosen_by_human = (
            self._match.outcome is None
            and self._is_human[state.current_player]
            and not must_pass(state)
        )
        board = state.board()
        legal = _legal_squares(state) if is_chosen_by_human else ()
        self.board.show(
            board,
            legal_squares=legal,
            mover=state.current_player if is_chosen_by_human else None,
            # Where every empty square is legal, or every column, dots would say nothing.
            mark_legal=board.style is not BoardStyle.DROP
            and len(legal) < board.stones.count(EMPTY),
        )

    def _publish(self) -> None:
        """Bring every trait that follows from the match up to date, in one message."""
        match, is_human = self._match, self._is_human
        outcome = match.outcome
        with self.hold_sync():
            self.choices = self._choices()
            self.sides = [self._side_data(player) for player in (0, 1)]
            self.turn = {
                "player": None if outcome else match.state.current_player,
                "is_running": match.clock_is_running,
                "seconds": match.seconds_of_this_move,
                "limit": match.limit_of_this_move,
            }
            self.limit = {
                "seconds": self._usual_limit,
                "is_on": match.seconds_per_move is not None,
            }
            self.rules = rule_menus(match.first_state)
            self.headline = self._activity or wording.headline(match, is_human)
            self.estimate = self._estimate()
            if not self.message and outcome is None and "pass" in self._commands():
                self._say(wording.pass_needed(match.state), "warning")
            self.commands = self._commands()
            self.move_rows = [
                {"notation": move.notation, "seconds": move.seconds, "player": move.player}
                for move in match.moves
            ]
            self.record = match.record
            self.record_error = ""

    def _commands(self) -> list[str]:
        return sorted(self._possible_commands())

    def _possible_commands(self) -> Iterator[str]:
        match, is_human = self._match, self._is_human
        state = match.state
        yield "new"
        yield "swap"
        if match.can_undo(is_human):
            yield "undo"
        if self.thinking:
            yield "stop"
        if match.outcome is not None:
            return
        if self._is_paused:
            yield "start"
        elif self._is_watched:
            yield "pause"
        if is_human[state.current_player]:
            if must_pass(state):
                yield "pass"
            elif not self.thinking:
                yield "hint"

    def _choices(self) -> list[dict[str, str]]:
        return [{"value": value, "label": label} for value, label in self._offered().items()]

    def _offered(self) -> dict[str, str]:
        """Who can play a side, with what stands in the menu."""
        offered = {HUMAN: "Human"}
        offered |= {level.player: level.label for level in levels(self._match.state)}
        for name in (*self._given, *(side.choice for side in self._sides)):
            offered.setdefault(name, name)
        return offered

    def _labels(self) -> tuple[str, str]:
        """Who plays each side, as the menus say it; nothing for a human."""
        offered = self._offered()
        first, second = (
            "" if side.player is None else offered[side.choice] for side in self._sides
        )
        return first, second

    def _side_data(self, player: int) -> dict[str, object]:
        state = self._match.state
        counts = wording.disc_counts(state)
        style = state.board().style
        return {
            "name": state.player_names[player],
            "stone": stone_svg(style, player),
            "color": LOOKS[style].stones[player],
            "choice": self._sides[player].choice,
            "seconds": self._match.total_seconds(player),
            "discs": None if counts is None else counts[player],
        }

    def _show_clocks(self) -> None:
        """Draw what the moves have cost, where anybody looks."""
        if self.section == "clocks":
            state = self._match.state
            self.clocks = _clocks_data(draw.clocks(self._match.moves, state.player_names))

    # The search behind the last move

    def _note_search(self, state: State, thought: Proposal, *, is_hint: bool) -> None:
        self._searched = _Searched(state, thought, is_hint)
        if found := _estimate_data(state, thought):
            self._estimates[state] = found
        with self.hold_sync():
            self.statistics = _statistics_data(self._searched)
            self.tree = {}
        if thought.result is not None:
            _warm_up_renderer()
        if self.section == "tree":
            self._draw_tree()

    def _forget_search(self) -> None:
        self._searched = None
        self._estimates.clear()
        with self.hold_sync():
            self.statistics = {}
            self.tree = {}

    def _estimate(self) -> dict[str, float]:
        """How the match ended, or what the last search in it found; empty if nobody searched.

        After an undo that is an earlier search: the last one was of a position taken back.
        """
        outcome = self._match.outcome
        if outcome is not None:
            return {"share": {0: 1.0, 1: 0.0, None: 0.5}[outcome.winner]}
        searched = (state for state in reversed(self._match.states) if state in self._estimates)
        last = next(searched, None)
        return {} if last is None else self._estimates[last]

    def _draw_tree(self) -> None:
        """Draw the tree of the last search, in a thread: the first drawing takes a second."""
        searched = self._searched
        if searched is None or searched.thought.result is None or self.tree:
            return
        drawing = draw.tree(searched.thought.result)
        self.tree = {"remark": "Drawing the tree …"}
        _in_background(self._finish_tree, searched, drawing)

    def _finish_tree(self, searched: "_Searched", drawing: Tree) -> None:
        try:
            drawn = {"svg": drawing.svg, "caption": _caption(searched)}
        except Exception as error:  # in a thread nobody else would see it
            drawn = {"remark": f"The tree could not be drawn. {error}"}
        with self._lock:
            if searched is self._searched:
                self.tree = drawn


_METHODS: Final[Mapping[str, str]] = {
    "new": "new_game",
    "undo": "undo",
    "swap": "swap_sides",
    "start": "start",
    "pause": "pause",
    "stop": "stop",
    "hint": "hint",
}


@dataclass(frozen=True, slots=True)
class _Side:
    """Who plays one colour."""

    choice: str
    """The value of the choice in the menu."""
    player: Player | None
    """None for a human."""


@dataclass(frozen=True, slots=True, eq=False)
class _Searched:
    """A search that has ended, where it was made, and what for."""

    state: State
    thought: Proposal
    is_hint: bool


class _OnlyMove(Player):
    """Plays the one move there is, without spending a budget on it."""

    def __init__(self, name: str, action: int) -> None:
        self.name = name
        self._action = action

    def think(self, state: State) -> Iterator[Proposal]:
        """One thought, at once."""
        yield Proposal(self._action, progress=1.0)


def _legal_squares(state: State) -> tuple[int, ...]:
    squares = (state.action_square(action) for action in state.legal_actions())
    return tuple(square for square in squares if square is not None)


def _estimate_data(state: State, thought: Proposal) -> dict[str, float]:
    """How often the side that moves first wins; empty for a player that doesn't search."""
    if thought.result is None:
        return {}
    win_rate = (1 + thought.result.value) / 2
    return {"share": win_rate if state.current_player == 0 else 1 - win_rate}


def _caption(searched: _Searched) -> str:
    return wording.searched(searched.state, searched.thought, is_hint=searched.is_hint)


def _statistics_data(searched: _Searched) -> dict[str, object]:
    """The table of the last search: its moves, or the iterations of alpha-beta."""
    result = searched.thought.result
    name = searched.state.player_names[searched.state.current_player]
    if searched.thought.alphabeta is not None:
        return alphabeta_table(searched.thought.alphabeta, is_hint=searched.is_hint)
    if result is None:
        return {"caption": wording.no_statistics(name, searched.thought), "rows": []}
    return {
        "caption": _caption(searched),
        "head": ["Play", "Visits", "Share of visits", f"Win rate for {name}"],
        "rows": [list(row) for row in result.table().rows()],
    }


def _clocks_data(drawn: draw.Clocks) -> dict[str, object]:
    """Charts, and a table with the same numbers."""
    return {
        "remark": "" if drawn.charts else drawn.description,
        "charts": list(drawn.charts),
        "head": list(drawn.head()),
        "rows": [list(row) for row in drawn.rows()],
        "totals": [list(row) for row in drawn.totals()],
    }


@cache
def _warm_up_renderer() -> None:
    """Draw a first small graph, once in a process: it takes a second that nobody then waits for."""
    _in_background(draw.svg, "graph {}")


def _in_background(function: Callable[..., object], *arguments: object) -> None:
    threading.Thread(target=function, args=arguments, name="mctslab drawing", daemon=True).start()
