"""The panel on which a game is played: board, players, clocks, the running search, record.

The rules of a match are in `match.py`, thinking in the background is in `thinker.py`, and the
sentences are in `wording.py`. The page only sends commands and never changes a trait, so that it
and a thread that thinks cannot both write the same one. Commands arrive in any thread, even while a
cell runs, so everything happens with the lock held, and drawing a tree, which is slow, without it.
"""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

import anywidget
import traitlets

from mctslab import draw, games, players
from mctslab.boards.board import EMPTY, BoardStyle
from mctslab.boards.style import LOOKS
from mctslab.boards.svg import board_svg, stone_svg
from mctslab.draw.render import lay_out
from mctslab.games.state import Rng, State, as_generator
from mctslab.players import Player, Proposal
from mctslab.search.result import SearchResult
from mctslab.widgets import wording
from mctslab.widgets.board import BoardWidget
from mctslab.widgets.board_view import BoardView, legal_squares
from mctslab.widgets.front_end import (
    CommandedWidget,
    StillPicture,
    bundled,
    checked_position,
    joined,
)
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
    checked_heat,
    clocks_table,
    has_different_priors,
    heat_scale,
    hot_squares,
    in_background,
    share_of_first,
    tree_view,
)
from mctslab.widgets.thinker import Listener, Thinker

PAUSE_BEFORE_THINKING: Final = 0.35
"""Seconds for a person to see the last move before the computer player answers."""

USUAL_LIMIT: Final = 60.0
"""Seconds for a move that the switch on the page sets if no limit was ever given."""

_STILL_SQUARE: Final = 30.0


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


class GamePanel(StillPicture, CommandedWidget):
    """Play a game, or watch two players play it.

    Args:
        game: The name of a game (`"reversi"`), or a position to begin at.
        black: Who plays the side that moves first (X, Red): `"human"`, the short name of a player
            (see `mctslab.players.make`), or a `Player`; `"net"` is a net that comes with mctslab
            for this board; if there is none, or no PyTorch, UCT plays instead, and a sentence says
            so.
        white: Who plays the other side (O, Yellow).
        seconds_per_move: Whoever takes longer for one move loses; None for no limit. The first move
            that a human makes has no limit, so that nobody loses while still reading. The limit can
            be switched off and on on the page.
        hint: The player who gives hints; a quick search if None.
        heat: What the board shows of a running search: `"visits"`, `"priors"`, `"values"` (the win
            rate of the move) or `"nothing"`. It can also be chosen on the page.
        random_sides: Whether it is decided at random in each new game who moves first. This can
            also be switched on the page.
        rng: Random numbers for players given by short names and for the random sides.

    Raises:
        ValueError: an unknown game or player, a limit that is not above 0, or an unknown `heat`.

    The rules of Gomoku are chosen on the page, too. The panel thinks only while it is on the page.
    When two computer players play each other, they wait for Start.
    """

    _esm = bundled("game_panel.js")
    _css = joined("common.css", "game_panel.css")

    board = anywidget.WidgetTrait().tag(sync=True)
    view = traitlets.Dict(
        help="choices in the menus, both sides, turn, possible commands, moves, record, sentences"
    ).tag(sync=True)
    thinking = traitlets.Dict(
        help="share of the budget, text and estimate, ten times a second; empty if nobody thinks"
    ).tag(sync=True)
    section = traitlets.Dict(help="name of the open section, and all that it shows").tag(sync=True)

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
        rng: Rng = None,
    ) -> None:
        state = games.make(game) if isinstance(game, str) else checked_position(game)
        self._lock = threading.RLock()
        self._rng = as_generator(rng)
        self._match = Match(state, seconds_per_move=seconds_per_move)
        self._usual_limit = seconds_per_move or USUAL_LIMIT
        self._random_sides = random_sides
        self._heat = checked_heat(heat)
        self._given: dict[str, Player] = {}
        remark = self._make_sides(black, white)
        self._adviser = _Side(*self._made(hint or hint_player(state)))
        self._thinker = Thinker(self._lock)
        self._timer: threading.Timer | None = None
        self._activity = ""
        self._said = {"message": remark, "tone": "plain", "effort": ""}
        self._is_watched = False
        self._is_paused = self._is_between_players
        self._first_ply_of_sitting = 0
        self._searched: Searched | None = None
        self._remark = wording.NOTHING_SEARCHED
        self._drawn: tuple[Searched, dict[str, str]] | None = None
        self._shares: dict[tuple[State, bool], float] = {}
        self._menus = self._list_choices()
        self._pictured = state
        board = BoardWidget(
            self._board_view(),
            player_names=state.player_names,
            title=f"{state.title} board",
            on_choose=self._choose_square,
            on_refuse=self._refuse_square,
        )
        self._show()  # first, so that no page gets the panel without its view
        super().__init__(board=board)

    # For other cells

    @property
    def state(self) -> State:
        """The position on the board."""
        with self._lock:
            return self._match.state

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves played so far, with the time and the work behind each.

        `mctslab.draw.clocks(panel.moves, panel.state.player_names)` draws them.
        """
        with self._lock:
            return self._match.moves

    def play(self, action: int) -> None:
        """Play `action` for the side to move; if a player is thinking, it is interrupted.

        Raises:
            IllegalActionError: the rules don't allow it here.
            ValueError: the match was lost on time.
        """
        with self._lock:
            self._match.play(action)
            self._go_on(wording.last_move(self._match, self._is_human))

    def set_player(self, side: int, player: str | Player) -> None:
        """Let `player` play `side` (0 or 1) from now on.

        Raises:
            ValueError: an unknown player, or a side that is neither 0 nor 1.
        """
        if side not in (0, 1):
            raise ValueError(f"side={side!r} does not exist: 0 moves first, and 1 second.")
        with self._lock:
            self._sides[side] = _Side(*self._made(player))
            self._change_sides()

    def wait(self, seconds: float) -> bool:
        """Wait until no player is thinking; whether that is so."""
        return self._thinker.wait(seconds)

    # Without a kernel

    def still_svg(self) -> str:
        """The board, for a page without a kernel."""
        return board_svg(self.state.board(), square_size=_STILL_SQUARE)

    def still_note(self) -> str:
        """The line under that picture."""
        return f"The {self.state.title} panel needs a running kernel: run this cell again."

    # From the page

    def _handle_command(self, content: Any) -> None:
        match content:
            case {"command": "set_up", "record": str(record)}:
                self._set_up(record)
            case {"command": "set_player", "side": 0 | 1 as side, "player": str(player)}:
                self.set_player(side, player)
            case {"command": "set_rules", "rules": dict(rules)}:
                self._set_rules(**rules)
            case {"command": "random_sides", "value": bool(value)}:
                self._random_sides = value
                self._list_choices_again(wording.new_random_sides(value))
            case {"command": "heat", "value": str(heat)}:
                self._heat = checked_heat(heat)
                self._list_choices_again()
                # The new numbers come with the player's next proposal.
                self.board.show(replace(self.board.view, heat={}))
            case {"command": "limit", "value": bool(value)}:
                self._match.seconds_per_move = self._usual_limit if value else None
                self._list_choices_again(wording.new_limit(self._match))
            case {"command": "open", "section": str(name)}:
                self.section = {"name": name}
                self._show_section()
            case {"command": str(name)} if name in self.view["commands"]:
                getattr(self, f"_{name}")()

    def _note_event(self, event: str) -> None:
        """If no page shows the panel, nothing thinks and no clock runs.

        Then it frees what takes much memory: the last search, and the players that can be made
        again, with the trees that they keep.
        """
        if self._is_watched == bool(self._views):
            return
        self._is_watched = bool(self._views)
        self._first_ply_of_sitting = len(self._match.moves)
        if not self._is_watched:
            self._forget_search()
            for side in (*self._sides, self._adviser):
                side.player = self._given.get(side.choice)
        self._go_on(**self._said)

    def _say_error(self, error: Exception) -> None:
        with self._lock:
            self._show(message=f"{type(error).__name__}: {error}", tone="error")

    def _choose_square(self, square: int) -> None:
        with self._callback():
            action = self._match.state.square_action(square)
            if action is not None:
                self.play(action)

    def _refuse_square(self, square: int) -> None:
        with self._callback():
            is_human = self._is_human[self._match.state.current_player]
            refusal = wording.refusal(self._match, square, is_human=is_human)
            self._show(message=refusal, tone="warning")

    # Commands without anything else; the page knows those that are possible

    def _possible_commands(self) -> Iterator[str]:
        match, is_human = self._match, self._is_human
        state = match.state
        yield from ("new", "swap")
        if match.can_undo(is_human):
            yield "undo"
        if self.thinking:
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
            elif not self.thinking:
                yield "hint"

    def _new(self) -> None:
        """Begin again at the first position; the players may change sides at random."""
        self._match.set_up("")
        self._begin(self._draw_sides() if self._random_sides else "")

    def _undo(self) -> None:
        """Go back to where a human chose last; without a human, one move."""
        self._match.undo(self._is_human)
        self._is_paused = self._is_between_players
        if self._searched is not None and self._searched.state not in self._match.states:
            self._searched, self._remark = None, wording.TAKEN_BACK
        self._go_on()

    def _swap(self) -> None:
        """Let the two players change sides; the position stays."""
        self._sides.reverse()
        self._change_sides()

    def _start(self) -> None:
        """Let players who play each other continue, or retry a player that failed."""
        self._is_paused = False
        self._go_on()

    def _pause(self) -> None:
        """Pause players who play each other; the search for this move starts again later."""
        self._is_paused = True
        self._go_on()

    def _stop(self) -> None:
        """Stop thinking: the best move so far is played, or shown as the hint."""
        self._thinker.decide_now()

    def _pass(self) -> None:
        """Play the one legal move."""
        self.play(self._match.state.legal_actions()[0])

    def _hint(self) -> None:
        """Search for a human's move, and show what was found."""
        state = self._match.state
        listener = self._listener(state, self._show_hint, "The search for a hint")
        listener = replace(listener, started=lambda: None)
        self._think("Looking for a hint")
        self._thinker.start(self._player_of(self._adviser), state, listener)

    def _set_up(self, record: str) -> None:
        """Begin again and play the moves of `record`, or say which of them is wrong."""
        try:
            self._match.set_up(record)
        except RecordError as error:
            self.view = self.view | {"record_error": str(error)}
        else:
            self._begin()

    def _set_rules(self, **rules: Any) -> None:
        """Begin a new game by other rules; what is not given stays as it is."""
        before = self._match.states[0]
        after = with_rules(before, **rules)
        self._match = Match(after, seconds_per_move=self._match.seconds_per_move)
        remarks = [self._move_to_board(side, before, after) for side in self._sides]
        self._menus = self._list_choices()
        self._new()
        if remark := next(filter(None, remarks), ""):
            self._show(message=remark, tone="warning")

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
                wanted, remark = usual_net(self._match.states[0])
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
            self._menus = self._list_choices()
        offered = self._offered()
        first, second = ("" if side.is_human else offered[side.choice] for side in self._sides)
        return wording.random_sides(self._match.state, (first, second))

    def _change_sides(self) -> None:
        self._is_paused = self._is_between_players
        self._menus = self._list_choices()
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
        self._activity = ""
        with self.hold_sync():
            self.thinking = {}
            if self._match.outcome is None:
                self._match.reset_clock()
                if self._is_watched and not self._is_paused:
                    self._start_turn()
            self.board.show(self._board_view())
            self._show(message=message, tone=tone, effort=effort)
            self._show_section()
        if self._pictured != self._match.state:
            self._pictured = self._match.state
            self.renew_still()

    def _start_turn(self) -> None:
        state = self._match.state
        player = state.current_player
        if not self._is_human[player]:
            self._let_player_think(self._sides[player], state)
        elif self._is_timed(player):
            self._start_clock()

    def _let_player_think(self, side: _Side, state: State) -> None:
        actions = state.legal_actions()
        self._thinker.start(
            _OnlyMove(side.choice, actions[0]) if len(actions) == 1 else self._player_of(side),
            state,
            self._listener(state, self._play_decision, f"{self._mover_name}'s player"),
            delay=PAUSE_BEFORE_THINKING,
        )

    def _listener(
        self, state: State, decided: Callable[[State, Proposal], None], who: str
    ) -> Listener:
        return Listener(
            waiting=lambda: self._think("Waiting for another search"),
            preparing=self._show_preparing,
            started=self._begin_thinking,
            proposed=lambda proposal: self._show_proposal(state, proposal),
            decided=lambda proposal: decided(state, proposal),
            failed=lambda error: self._show_failure(who, error),
        )

    def _think(self, activity: str) -> None:
        """Show that a search is running or waits."""
        self._activity = activity
        with self.hold_sync():
            self.thinking = {"text": "", "share": 0.0}
            self._show()

    def _show_preparing(self) -> None:
        self._activity = f"{self._mover_name} is getting ready"
        self._show(message=wording.PREPARING)

    def _begin_thinking(self) -> None:
        self._start_clock()
        if self._said["message"] == wording.PREPARING:
            self._said["message"] = ""
        self._think(f"{self._mover_name} is thinking")

    def _show_proposal(self, state: State, proposal: Proposal) -> None:
        """Show what has been found so far: a few numbers, because this comes ten times a second."""
        news: dict[str, Any] = {
            "text": wording.progress(state, proposal),
            "share": proposal.progress,
        }
        result = proposal.result
        if result is not None:
            news["estimate"] = share_of_first(state, result)
            if self._heat is Heat.PRIORS and not has_different_priors(result.children):
                self._show(message=wording.SAME_PRIORS)
            heat = hot_squares(state, result, self._heat)
            view = replace(self.board.view, heat=heat, heat_scale=heat_scale(self._heat))
            self.board.show(view)
        self.thinking = news

    def _play_decision(self, state: State, proposal: Proposal) -> None:
        self._match.play(
            proposal.action, num_simulations=proposal.num_simulations, num_nodes=proposal.num_nodes
        )
        self._note_search(Searched(state, proposal))
        played = wording.last_move(self._match, self._is_human)
        self._go_on(played, effort=wording.effort(proposal))

    def _show_hint(self, state: State, proposal: Proposal) -> None:
        self._activity = ""
        self._note_search(Searched(state, proposal, is_hint=True))
        square = state.action_square(proposal.action)
        hint, speed = wording.hint(state, proposal), wording.speed(proposal)
        with self.hold_sync():
            self.thinking = {}
            self.board.show(replace(self.board.view, heat={}, hint_square=square))
            self._show(message=hint, tone="hint", effort=speed)
            self._show_section()

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
        with self._lock:
            if threading.current_thread() is not self._timer:
                return  # it was stopped just as it went off
            if self._match.check_time():
                self._go_on(wording.explain_time_loss(self._match), "warning")
            else:
                self._start_clock()

    # The view

    def _show(self, **said: str) -> None:
        """Show the match as it is; `said` is a new message, with its tone and effort."""
        match = self._match
        outcome = match.outcome
        if said:
            self._said = {"message": "", "tone": "plain", "effort": ""} | said
        commands = sorted(self._possible_commands())
        if not self._said["message"] and "pass" in commands:
            self._said |= {"message": wording.pass_needed(match.state), "tone": "warning"}
        self.view = {
            **self._menus,
            **self._said,
            "headline": self._activity or wording.headline(match, self._is_human),
            "estimate": self._share_now(),
            "seconds": [match.total_seconds(player) for player in (0, 1)],
            "discs": wording.disc_counts(match.state),
            "turn": {
                "player": None if outcome else match.state.current_player,
                "is_running": match.clock_is_running,
                "seconds": match.seconds_of_this_move,
                "limit": match.limit_of_this_move,
            },
            "commands": commands,
            "moves": [[move.player, move.notation, move.seconds] for move in match.moves],
            "record": match.record,
            "record_error": "",
        }

    def _list_choices_again(self, message: str = "") -> None:
        """Show the menus after a choice in them; with the sentence about it, unless one thinks."""
        self._menus = self._list_choices()
        self._show(**({"message": message} if message and not self.thinking else {}))

    def _list_choices(self) -> dict[str, Any]:
        """What can be chosen, and what is chosen."""
        state = self._match.states[0]
        style = state.board().style
        return {
            "title": state.title,
            "players": list(self._offered().items()),
            "sides": [
                {
                    "name": state.player_names[player],
                    "stone": stone_svg(style, player),
                    "color": LOOKS[style].stones[player],
                    "choice": side.choice,
                }
                for player, side in enumerate(self._sides)
            ],
            "rules": rule_menus(state),
            "limit": {
                "seconds": self._usual_limit,
                "is_on": self._match.seconds_per_move is not None,
            },
            "random_sides": self._random_sides,
            "heat": self._heat.value,
        }

    def _offered(self) -> dict[str, str]:
        """The choices for a side, with their labels in the menu."""
        offered = {HUMAN: "Human"}
        offered |= {level.player: level.label for level in levels(self._match.states[0])}
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

    # The last search, and the open section

    def _note_search(self, searched: Searched) -> None:
        self._searched = searched
        if searched.result is not None:
            share = share_of_first(searched.state, searched.result)
            self._shares[self._match.state, searched.is_hint] = share
            _warm_up_renderer()

    def _forget_search(self) -> None:
        self._searched, self._drawn = None, None
        self._remark = wording.NOTHING_SEARCHED
        self._shares.clear()

    def _share_now(self) -> float | None:
        """How the match ended, or the first side's win rate according to a search, if there is one.

        It is the search of a hint for this position, or the one that chose the move to it. While a
        player has not found anything yet, the one that chose the move before counts.
        """
        outcome = self._match.outcome
        if outcome is not None:
            return {0: 1.0, 1: 0.0, None: 0.5}[outcome.winner]
        now = self._match.state
        searches = [(now, True), (now, False)]
        if not self._is_human[now.current_player]:
            searches += [(state, False) for state in self._match.states[-2:-1]]
        return next((self._shares[each] for each in searches if each in self._shares), None)

    def _show_section(self) -> None:
        """Show what the open section shows now; nothing is made for one that is closed."""
        match self.section.get("name"):
            case "statistics":
                shown = self._searched.table() if self._searched else {"remark": self._remark}
            case "tree":
                shown = self._tree()
            case "clocks":
                in_background(self._draw_clocks, self._match.moves)
                return
            case _:
                return
        self.section = {"name": self.section["name"]} | shown

    def _tree(self) -> dict[str, Any]:
        """The tree of the last search, or why there is none; one that is not drawn yet is drawn in
        a thread, which shows it if it is still wanted."""
        searched = self._searched
        if searched is None or searched.result is None:
            return {"remark": searched.why_no_tree if searched else self._remark}
        if self._drawn is None or self._drawn[0] is not searched:
            self._drawn = searched, {"remark": "Drawing the tree …"}
            in_background(self._draw_tree, searched, searched.result)
        return self._drawn[1]

    def _draw_clocks(self, moves: tuple[Move, ...]) -> None:
        state = self.state
        colors = LOOKS[state.board().style].stones
        shown = clocks_table(draw.clocks(moves, state.player_names, colors))
        with self._lock:
            if self.section["name"] == "clocks" and moves == self._match.moves:
                self.section = {"name": "clocks"} | shown

    def _draw_tree(self, searched: Searched, result: SearchResult) -> None:
        drawn = tree_view(lambda: draw.tree(result), searched.caption)
        with self._lock:
            if searched is self._searched:
                self._drawn = searched, drawn
                self._show_section()


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
    in_background(lay_out, "graph {}")
