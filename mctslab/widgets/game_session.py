"""A game between people and players, and everything a panel shows of it, without any widget.

The rules of a match are in `match.py`, thinking in the background is in `thinker.py`, and the
sentences are in `wording.py`. A session puts them together: it takes commands and keeps its views,
which are plain dictionaries, up to date. The menus are rebuilt only when a choice in them changes.
Commands arrive in any thread, even while a cell runs, so every public method holds the lock.
"""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, TypeAlias

import numpy as np

from mctslab import draw, games, players
from mctslab.boards.board import EMPTY, BoardStyle
from mctslab.boards.geometry import square_name
from mctslab.boards.layers import HeatScale
from mctslab.boards.style import LOOKS
from mctslab.boards.svg import stone_svg
from mctslab.draw.render import svg_element
from mctslab.games.state import State
from mctslab.players import Player, Proposal
from mctslab.search.result import SearchResult
from mctslab.widgets import wording
from mctslab.widgets.board_view import BoardView, legal_squares
from mctslab.widgets.front_end import checked_position
from mctslab.widgets.match import Match, Move, RecordError, must_pass
from mctslab.widgets.menus import (
    HUMAN,
    NET,
    hint_player,
    label_of,
    levels,
    on_another_board,
    rule_menus,
    usual_net,
    with_rules,
)
from mctslab.widgets.search_view import (
    Heat,
    Searched,
    clocks_table,
    has_different_priors,
    hot_squares,
    in_background,
    share_of_first,
    statistics_table,
    tree_view,
)
from mctslab.widgets.thinker import Listener, Thinker

PAUSE_BEFORE_THINKING: Final = 0.35
"""Seconds for a person to see the last move before the computer player answers."""

USUAL_LIMIT: Final = 60.0
"""Seconds for a move that the switch on the page sets if no limit was ever given."""

View: TypeAlias = dict[str, Any]


@dataclass(slots=True)
class _Side:
    """Who plays one colour."""

    choice: str
    """The value of the choice in the menu."""
    player: Player | None
    """None for a human, and for a player that has to be made again from its short name."""

    @property
    def is_human(self) -> bool:
        return self.choice == HUMAN


class GameSession:
    """A game that is played on a panel; for the arguments see `GamePanel`.

    Attributes:
        lock: held by every public method, and whenever a view changes.
        views: what a panel shows, by name: `board`, `menus`, `game`, `status`, `section`,
            `statistics`, `tree` and `clocks`.
        on_change: called with the views that have changed.
    """

    def __init__(
        self,
        game: State | str,
        black: str | Player = HUMAN,
        white: str | Player = "uct:2s",
        *,
        seconds_per_move: float | None = None,
        hint: str | Player | None = None,
        heat: Heat | str = Heat.VISITS,
        random_sides: bool = False,
        rng: np.random.Generator | None = None,
    ) -> None:
        first_state = games.make(game) if isinstance(game, str) else checked_position(game)
        self.lock = threading.RLock()
        self.views: dict[str, Any] = {"section": "", "statistics": {}, "tree": {}, "clocks": {}}
        self.on_change: Callable[[dict[str, Any]], None] = lambda views: None
        self._rng = np.random.default_rng() if rng is None else rng
        self._match = Match(first_state, seconds_per_move=seconds_per_move)
        self._usual_limit = seconds_per_move or USUAL_LIMIT
        self._random_sides = random_sides
        self._heat = _checked_heat(heat)
        self._given: dict[str, Player] = {}
        remark = self._make_sides(black, white)
        self._hint = _Side(*self._made(hint or hint_player(first_state)))
        self._thinker = Thinker(self.lock)
        self._timer: threading.Timer | None = None
        self._activity = ""
        self._thinking: View = {}
        self._is_watched = False
        self._is_paused = self._is_between_players
        self._first_ply_of_sitting = 0
        self._searched: Searched | None = None
        self._drawn: Searched | None = None
        self._shares: dict[State, float] = {}
        self._show_menus()
        self._go_on(remark)

    # What other cells can read

    @property
    def state(self) -> State:
        """The position on the board."""
        with self.lock:
            return self._match.state

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves played so far, with the time and the work behind each."""
        with self.lock:
            return self._match.moves

    @property
    def seconds_per_move(self) -> float | None:
        """A player who takes longer for one move loses; None for no limit. It can be set.

        If a player is thinking, the change can give this move more time, but never less.

        Raises:
            ValueError: it is set to a number that is not above 0.
        """
        with self.lock:
            return self._match.seconds_per_move

    @seconds_per_move.setter
    def seconds_per_move(self, seconds: float | None) -> None:
        with self.lock:
            self._match.seconds_per_move = seconds
            self._usual_limit = seconds or self._usual_limit
            self._say(wording.new_limit(self._match))
            self._show_menus()
            self._show_game()

    # Commands

    def play(self, action: int) -> None:
        """Play `action` for the side to move; if a player is thinking, it is interrupted.

        Raises:
            IllegalActionError: the rules don't allow it here.
            ValueError: the match was lost on time.
        """
        with self.lock:
            self._match.play(action)
            self._go_on(wording.last_move(self._match, self._is_human))

    def new_game(self) -> None:
        """Begin again at the first position; the players may change sides at random."""
        with self.lock:
            self._match.set_up("")
            self._begin(self._draw_sides() if self._random_sides else "")

    def set_rules(self, **rules: Any) -> None:
        """Begin a new game by other rules: `panel.session.set_rules(size=9, exactly_five=True)`.

        Gomoku has `size`, `in_a_row` and `exactly_five`; what is not given stays as it is.

        Raises:
            ValueError: the game has no such rule, or the rules don't go together.
        """
        with self.lock:
            before = self._match.first_state
            after = with_rules(before, **rules)
            self._match = Match(after, seconds_per_move=self._match.seconds_per_move)
            remarks = [self._move_to_board(side, before, after) for side in self._sides]
            self.new_game()
            self._show_menus()
            if remark := next(filter(None, remarks), ""):
                self._say(remark, "warning")

    def undo(self) -> None:
        """Go back to where a human chose last; without a human, one move."""
        with self.lock:
            self._match.undo(self._is_human)
            self._is_paused = self._is_between_players
            self._forget_what_was_taken_back()
            self._go_on()

    def set_up(self, record: str) -> None:
        """Begin again and play the moves of `record`, such as `d3 c5 f6`.

        Raises:
            RecordError: a move of the record is not a move, or is not legal at that point; the
                message names it.
        """
        with self.lock:
            self._match.set_up(record)
            self._begin()

    def set_player(self, side: int, player: str | Player) -> None:
        """Let `player` play `side` (0 or 1) from now on.

        Raises:
            ValueError: an unknown player, or a side that is neither 0 nor 1.
        """
        if side not in (0, 1):
            raise ValueError(f"side={side!r} does not exist: 0 moves first, and 1 second.")
        with self.lock:
            self._sides[side] = _Side(*self._made(player))
            self._change_sides()

    def swap_sides(self) -> None:
        """Let the two players change sides; the position stays."""
        with self.lock:
            self._sides.reverse()
            self._change_sides()

    def start(self) -> None:
        """Let players who play each other continue, or retry a player that failed."""
        with self.lock:
            self._is_paused = False
            self._go_on()

    def pause(self) -> None:
        """Pause players who play each other; the search for this move starts again later."""
        with self.lock:
            self._is_paused = True
            self._go_on()

    def stop(self) -> None:
        """Stop thinking: the best move so far is played, or shown as the hint."""
        with self.lock:
            self._thinker.decide_now()

    def hint(self) -> None:
        """Search for a human's move, and show what was found."""
        with self.lock:
            if "hint" not in self.views["game"]["commands"]:
                return
            state = self._match.state
            self._activity = "Looking for a hint"
            self._thinking = {"text": "", "share": 0.0}
            listener = self._listener(state, self._show_hint, "The search for a hint")
            self._thinker.start(
                self._player_of(self._hint), state, replace(listener, started=lambda: None)
            )
            self._show_game()

    def choose_square(self, square: int) -> None:
        """Play the move that puts a stone on `square`."""
        with self.lock:
            action = self._match.state.square_action(square)
            if action is not None:
                self.play(action)

    def refuse_square(self, square: int) -> None:
        """Explain why no stone can be put on `square`."""
        with self.lock:
            board = self._match.state.board()
            refusal = wording.refusal(
                self._match,
                square_name(board, square),
                is_empty=board.stones[square] == EMPTY,
                is_human=self._is_human[self._match.state.current_player],
            )
            self._say(refusal, "warning")

    def handle(self, content: Any) -> None:
        """Carry out a message from the page; ignore it if it is not a command or not possible
        now."""
        with self.lock:
            match content:
                case {"command": "set_up", "record": str(record)}:
                    self._set_up_from_page(record)
                case {"command": "set_player", "side": 0 | 1 as side, "player": str(player)}:
                    self.set_player(side, player)
                case {"command": "set_rules", "rules": dict(rules)}:
                    self.set_rules(**rules)
                case {"command": "random_sides", "value": bool(value)}:
                    self._switch_random_sides(value)
                case {"command": "heat", "value": str(heat)}:
                    self._choose_heat(Heat(heat))
                case {"command": "limit", "value": bool(value)}:
                    self.seconds_per_move = self._usual_limit if value else None
                case {"command": "open_section", "section": str(section)}:
                    self._open_section(section)
                case {"command": "pass"} if "pass" in self.views["game"]["commands"]:
                    self.play(self._match.state.legal_actions()[0])
                case {"command": "new"}:
                    self.new_game()
                case {"command": "swap"}:
                    self.swap_sides()
                case {"command": str(name)} if name in self.views["game"]["commands"]:
                    getattr(self, name)()  # undo, start, pause, stop or hint

    def watch(self, is_watched: bool) -> None:
        """Remember whether a page shows the session; if none does, nothing thinks and no clock
        runs.

        When no page shows it any more, it frees what takes much memory: the last search, and the
        players that can be made again, with the trees that they keep.
        """
        with self.lock:
            if is_watched == self._is_watched:
                return
            self._is_watched = is_watched
            self._first_ply_of_sitting = len(self._match.moves)
            if not is_watched:
                self._forget_search()
                for side in (*self._sides, self._hint):
                    side.player = self._given.get(side.choice)
            status = self.views["status"]
            self._go_on(status["message"], status["tone"], status["effort"])

    def show_error(self, error: Exception) -> None:
        """Show what went wrong."""
        with self.lock:
            self._say(f"{type(error).__name__}: {error}", "error")

    def wait(self, seconds: float) -> bool:
        """Wait until no player is thinking; whether that is so.

        Never call this while holding the lock.
        """
        return self._thinker.wait(seconds)

    def _set_up_from_page(self, record: str) -> None:
        try:
            self.set_up(record)
        except RecordError as error:
            self._show(game=self.views["game"] | {"record_error": str(error)})

    def _switch_random_sides(self, value: bool) -> None:
        self._random_sides = value
        self._show_menus()
        if not self._thinking:
            self._say(wording.new_random_sides(value))

    def _choose_heat(self, heat: Heat) -> None:
        self._heat = heat
        self._show_menus()
        # The new numbers come with the player's next proposal.
        self._show(board=replace(self.views["board"], heat={}))

    def _open_section(self, section: str) -> None:
        self._show(section=section)
        if section == "tree":
            self._draw_tree()
        self._show_clocks()

    # Who plays

    @property
    def _is_human(self) -> tuple[bool, bool]:
        return self._sides[0].is_human, self._sides[1].is_human

    @property
    def _is_between_players(self) -> bool:
        """Whether two players play each other."""
        return not any(self._is_human)

    def _make_sides(self, black: str | Player, white: str | Player) -> str:
        """Set who plays; returns a sentence if a net was wanted and there is none."""
        remark = ""
        self._sides = []
        for wanted in (black, white):
            if wanted == NET:
                wanted, remark = usual_net(self._match.first_state)
            self._sides.append(_Side(*self._made(wanted)))
        return remark

    def _made(self, wanted: object) -> tuple[str, Player | None]:
        """The choice in the menu, and the player."""
        if wanted == HUMAN:
            return HUMAN, None
        if isinstance(wanted, Player):
            self._given[wanted.name] = wanted
            return wanted.name, wanted
        if not isinstance(wanted, str):
            known = 'give "human", a short name such as "uct:1s", or a Player'
            raise ValueError(f"{wanted!r} cannot play: {known}.")
        if wanted in self._given:
            return wanted, self._given[wanted]
        return wanted, players.make(wanted, rng=self._rng.spawn(1)[0])

    def _player_of(self, side: _Side) -> Player:
        if side.player is None:
            _, side.player = self._made(side.choice)
        assert side.player is not None
        return side.player

    def _move_to_board(self, side: _Side, before: State, after: State) -> str:
        """Replace a net by one for the new board; returns a sentence if there is none."""
        new, remark = on_another_board(side.choice, before, after)
        if new != side.choice:
            side.choice, side.player = self._made(new)
        return remark

    def _draw_sides(self) -> str:
        """Decide at random who moves first, and say who it is."""
        if all(self._is_human):
            return ""
        if self._rng.integers(2):
            self._sides.reverse()
            self._show_menus()
        offered = self._offered()
        first, second = ("" if side.is_human else offered[side.choice] for side in self._sides)
        return wording.random_sides(self._match.state, (first, second))

    def _change_sides(self) -> None:
        self._is_paused = self._is_between_players
        self._show_menus()
        self._go_on()

    # What happens next

    def _begin(self, message: str = "") -> None:
        """Continue with a game that begins here or was set up."""
        self._first_ply_of_sitting = len(self._match.moves)
        self._is_paused = self._is_between_players
        self._forget_search()
        self._go_on(message)

    def _go_on(self, message: str = "", tone: str = "plain", effort: str = "") -> None:
        """Show the position, and start the clock or the player.

        Everything that happens leads here. A running search is discarded.
        """
        self._thinker.cancel()
        self._stop_timer()
        self._activity, self._thinking = "", {}
        if self._match.outcome is None:
            self._match.reset_clock()
            if self._is_watched and not self._is_paused:
                self._start_turn()
        self._show(board=self._board_view())
        self._show_game(message=message, tone=tone, effort=effort)
        self._show_clocks()

    def _start_turn(self) -> None:
        state = self._match.state
        player = state.current_player
        if not self._is_human[player]:
            self._let_player_think(self._sides[player], state)
        elif self._is_timed(player):
            self._start_clock()

    def _let_player_think(self, side: _Side, state: State) -> None:
        actions = state.legal_actions()
        mover = state.player_names[state.current_player]
        self._thinker.start(
            _OnlyMove(side.choice, actions[0]) if len(actions) == 1 else self._player_of(side),
            state,
            self._listener(state, self._play_decision, f"{mover}'s player"),
            delay=PAUSE_BEFORE_THINKING,
        )

    def _listener(
        self, state: State, decided: Callable[[State, Proposal], None], who: str
    ) -> Listener:
        return Listener(
            waiting=self._show_waiting,
            preparing=self._show_preparing,
            started=self._begin_thinking,
            proposed=lambda proposal: self._show_proposal(state, proposal),
            decided=lambda proposal: decided(state, proposal),
            failed=lambda error: self._show_failure(who, error),
        )

    def _show_waiting(self) -> None:
        self._activity = "Waiting for another search"
        self._thinking = {"text": "", "share": 0.0}
        self._show_game()

    def _show_preparing(self) -> None:
        self._activity = f"{self._mover_name} is getting ready"
        self._show_game(message=wording.PREPARING)

    def _begin_thinking(self) -> None:
        self._activity = f"{self._mover_name} is thinking"
        self._thinking = {"text": "", "share": 0.0}
        self._start_clock()
        if self.views["status"]["message"] == wording.PREPARING:
            self._show_game(message="")
        else:
            self._show_game()

    def _show_proposal(self, state: State, proposal: Proposal) -> None:
        self._thinking = {"text": wording.progress(state, proposal), "share": proposal.progress}
        news: View = {"thinking": self._thinking}
        share = share_of_first(state, proposal.result)
        if share is not None:
            news["estimate"] = share
        if proposal.result is not None:
            if self._heat is Heat.PRIORS and not has_different_priors(proposal.result.children):
                news |= {"message": wording.SAME_PRIORS, "tone": "plain", "effort": ""}
            scale = HeatScale.WIN_RATE if self._heat is Heat.VALUES else HeatScale.AMOUNT
            heat = hot_squares(state, proposal.result, self._heat)
            self._show(board=replace(self.views["board"], heat=heat, heat_scale=scale))
        self._show_status(**news)

    def _play_decision(self, state: State, proposal: Proposal) -> None:
        self._match.play(
            proposal.action, num_simulations=proposal.num_simulations, num_nodes=proposal.num_nodes
        )
        self._note_search(Searched(state, proposal))
        played = wording.last_move(self._match, self._is_human)
        self._go_on(played, effort=wording.effort(proposal))

    def _show_hint(self, state: State, proposal: Proposal) -> None:
        self._activity, self._thinking = "", {}
        self._note_search(Searched(state, proposal, is_hint=True))
        square = state.action_square(proposal.action)
        self._show(board=replace(self.views["board"], heat={}, hint_square=square))
        hint, speed = wording.hint(state, proposal), wording.speed(proposal)
        self._show_game(message=hint, tone="hint", effort=speed)

    def _show_failure(self, who: str, error: Exception) -> None:
        """Say that a player raised `error`, and wait for the person to decide what comes next."""
        self._is_paused = not self._is_human[self._match.state.current_player]
        self._go_on(f"{who} failed. {type(error).__name__}: {error}", "error")

    # Clocks

    def _is_timed(self, player: int) -> bool:
        """Whether a human's clock runs: from their second move in one sitting on."""
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
        with self.lock:
            if threading.current_thread() is not self._timer:
                return  # it was stopped just as it went off
            if self._match.check_time():
                self._go_on(wording.explain_time_loss(self._match), "warning")
            else:
                self._start_clock()

    # The views

    def _show(self, **views: Any) -> None:
        """Publish the views that have changed."""
        changed = {
            name: view
            for name, view in views.items()
            if name not in self.views or self.views[name] != view
        }
        self.views |= changed
        if changed:
            self.on_change(changed)

    def _say(self, message: str, tone: str = "plain") -> None:
        self._show_status(message=message, tone=tone, effort="")

    def _show_status(self, **news: Any) -> None:
        self._show(status=self.views["status"] | news)

    def _show_game(self, **said: Any) -> None:
        """Update the views that depend on the match; `said` is a new message, with its tone and
        effort."""
        match = self._match
        outcome = match.outcome
        commands = sorted(self._possible_commands())
        if said:
            said = {"tone": "plain", "effort": ""} | said
        status = self.views.get("status", {}) | said
        if not status["message"] and outcome is None and "pass" in commands:
            status |= {"message": wording.pass_needed(match.state), "tone": "warning", "effort": ""}
        counts = wording.disc_counts(match.state)
        self._show(
            status=status
            | {
                "headline": self._activity or wording.headline(match, self._is_human),
                "thinking": self._thinking,
                "estimate": self._share_now(),
            },
            game={
                "sides": [
                    {
                        "seconds": match.total_seconds(player),
                        "discs": None if counts is None else counts[player],
                    }
                    for player in (0, 1)
                ],
                "turn": {
                    "player": None if outcome else match.state.current_player,
                    "is_running": match.clock_is_running,
                    "seconds": match.seconds_of_this_move,
                    "limit": match.limit_of_this_move,
                },
                "commands": commands,
                "moves": [
                    {"notation": move.notation, "seconds": move.seconds, "player": move.player}
                    for move in match.moves
                ],
                "record": match.record,
                "record_error": "",
            },
        )

    def _show_menus(self) -> None:
        """Show what can be chosen, and what is chosen."""
        state = self._match.first_state
        style = state.board().style
        self._show(
            menus={
                "title": state.title,
                "players": [
                    {"value": value, "label": label} for value, label in self._offered().items()
                ],
                "sides": [
                    {
                        "name": state.player_names[player],
                        "stone": stone_svg(style, player),
                        "color": LOOKS[style].stones[player],
                        "choice": self._sides[player].choice,
                    }
                    for player in (0, 1)
                ],
                "rules": rule_menus(state),
                "limit": {
                    "seconds": self._usual_limit,
                    "is_on": self._match.seconds_per_move is not None,
                },
                "random_sides": self._random_sides,
                "heat": self._heat.value,
            }
        )

    def _offered(self) -> dict[str, str]:
        """The choices for a side, with their labels in the menu."""
        offered = {HUMAN: "Human"}
        offered |= {level.player: level.label for level in levels(self._match.first_state)}
        for name in (*self._given, *(side.choice for side in self._sides)):
            offered.setdefault(name, label_of(name))
        return offered

    def _board_view(self) -> BoardView:
        state = self._match.state
        board = state.board()
        player = state.current_player
        if self._match.outcome or not self._is_human[player] or must_pass(state):
            return BoardView(board)
        legal = legal_squares(state)
        # If every empty square is legal, or every column, dots would carry no information.
        mark = board.style is not BoardStyle.DROP and len(legal) < board.stones.count(EMPTY)
        return BoardView(board, legal, player, mark_legal=mark)

    @property
    def _mover_name(self) -> str:
        state = self._match.state
        return state.player_names[state.current_player]

    def _possible_commands(self) -> Iterator[str]:
        match, is_human = self._match, self._is_human
        state = match.state
        yield "new"
        yield "swap"
        if match.can_undo(is_human):
            yield "undo"
        if self._thinking:
            yield "stop"
        if match.outcome is not None:
            return
        if self._is_paused:
            yield "start"
        elif self._is_between_players:
            yield "pause"
        if is_human[state.current_player]:
            if must_pass(state):
                yield "pass"
            elif not self._thinking:
                yield "hint"

    def _show_clocks(self) -> None:
        """Draw the time and work of the moves, if that section is open."""
        if self.views["section"] == "clocks":
            state = self._match.state
            self._show(clocks=clocks_table(draw.clocks(self._match.moves, state.player_names)))

    # The last search

    def _note_search(self, searched: Searched) -> None:
        self._searched = searched
        share = share_of_first(searched.state, searched.proposal.result)
        if share is not None:
            self._shares[searched.state] = share
        # The page shows the remark as soon as the section is opened, before the kernel answers.
        remark = searched.why_no_tree or "Drawing the tree …"
        self._show(statistics=statistics_table(searched), tree={"remark": remark})
        if searched.result is not None:
            _warm_up_renderer()
        if self.views["section"] == "tree":
            self._draw_tree()

    def _forget_search(self) -> None:
        self._searched = self._drawn = None
        self._shares.clear()
        self._show(statistics={}, tree={})

    def _forget_what_was_taken_back(self) -> None:
        """Show the last search no longer if its position is not in the match any more."""
        if self._searched is not None and self._searched.state not in self._match.states:
            self._searched = self._drawn = None
            said = wording.TAKEN_BACK
            self._show(statistics={"caption": said, "rows": []}, tree={"remark": said})

    def _share_now(self) -> float | None:
        """How the match ended, or the first side's win rate according to the last search.

        After an undo this is an earlier search, because the last one was for a position that was
        taken back.
        """
        outcome = self._match.outcome
        if outcome is not None:
            return {0: 1.0, 1: 0.0, None: 0.5}[outcome.winner]
        searched = (state for state in reversed(self._match.states) if state in self._shares)
        last = next(searched, None)
        return None if last is None else self._shares[last]

    def _draw_tree(self) -> None:
        """Draw the tree of the last search in a thread, which shows it if it is still wanted."""
        searched = self._searched
        if searched is None or searched.result is None or searched is self._drawn:
            return
        self._drawn = searched
        in_background(self._finish_tree, searched, searched.result)

    def _finish_tree(self, searched: Searched, result: SearchResult) -> None:
        drawn = tree_view(lambda: draw.tree(result), searched.caption)
        with self.lock:
            if searched is self._searched:
                self._show(tree=drawn)


def _checked_heat(heat: Heat | str) -> Heat:
    if heat not in list(Heat):
        names = ", ".join(Heat)
        raise ValueError(f"heat={heat!r} can't be shown on the board; it is one of {names}.")
    return Heat(heat)


class _OnlyMove(Player):
    """Plays the only legal move without spending a budget on it."""

    def __init__(self, name: str, action: int) -> None:
        self.name = name
        self._action = action

    def think(self, state: State) -> Iterator[Proposal]:
        """One proposal, at once."""
        yield Proposal(self._action, progress=1.0)


@cache
def _warm_up_renderer() -> None:
    """Draw a first small graph, once per process, because the first drawing takes a second."""
    in_background(svg_element, "graph {}")
