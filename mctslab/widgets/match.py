"""A game while it is played: its moves, its clocks, its record and how it ended.

Nothing here depends on players, threads or screens. The panel asks a match whose turn it is and
reports what was played; everything that follows from a rule is decided in this file.
"""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mctslab.games.state import State

_SEPARATORS = re.compile(r"[\s,;]+")
_MOVE_NUMBER = re.compile(r"^\d+\.+")
_RUN_TOGETHER = re.compile(r"(?<=\d)(?=[a-z])|(?<=pass)(?=[a-z])", re.IGNORECASE)
_SHOWN_MOVES = 12


class RecordError(ValueError):
    """A record of a game that can't be played; the message says which move is wrong, and why."""


@dataclass(frozen=True, slots=True)
class Move:
    """One move of a match, a pass included."""

    action: int
    player: int
    notation: str
    is_pass: bool
    seconds: float | None = None
    """How long the player took; None where no clock ran."""
    num_simulations: int = 0
    """Of the search behind it; 0 where there was none."""
    num_nodes: int = 0
    """That the search behind it has visited; 0 where they were not counted."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended."""

    winner: int | None
    """0 or 1; None for a draw."""
    on_time: bool = False
    """Whether the loser took too long, although the game was not over."""


class Match:
    """One game from `first_state` on, with a clock for the player to move.

    Args:
        first_state: Where the game begins, not necessarily an empty board.
        seconds_per_move: A player who takes longer for one move loses; None for no limit.
        clock: Returns the time in seconds; only differences matter.

    Raises:
        ValueError: `seconds_per_move` is not above 0.
    """

    limit_of_this_move: float | None
    """The limit that counts for the current move; None for no limit."""
    _running_since: float | None
    _used: float | None
    """For a move that took too long."""

    def __init__(
        self,
        first_state: State,
        *,
        seconds_per_move: float | None = 60.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._states: list[State] = [first_state]
        self._moves: list[Move] = []
        self._seconds_per_move = _checked_limit(seconds_per_move)
        self._clock = clock
        self._ran_out_of_time = False
        self.reset_clock()

    # The game

    @property
    def state(self) -> State:
        """The position on the board."""
        return self._states[-1]

    @property
    def states(self) -> tuple[State, ...]:
        """All positions of the game so far, the one on the board last."""
        return tuple(self._states)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves played so far."""
        return tuple(self._moves)

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None while it goes on."""
        if self._ran_out_of_time:
            return Outcome(1 - self.state.current_player, on_time=True)
        if not self.state.is_terminal:
            return None
        first, second = self.state.returns()
        return Outcome(None if first == second else int(second > first))

    def play(self, action: int, *, num_simulations: int = 0, num_nodes: int = 0) -> Move:
        """Play `action` for the player to move; the clock stops and is reset.

        Args:
            action: The move.
            num_simulations: Of the search behind it.
            num_nodes: That the search behind it has visited.

        Raises:
            IllegalActionError: the rules don't allow it here.
            ValueError: the match was lost on time.
        """
        if self._ran_out_of_time:
            raise ValueError("The match is over: it was lost on time.")
        before = self.state
        self._states.append(before.child(action))
        seconds = self.seconds_of_this_move
        move = Move(*_facts(before, action), seconds, num_simulations, num_nodes)
        self._moves.append(move)
        self.reset_clock()
        return move

    # Taking back

    def _plies_to_undo(self, is_human: tuple[bool, bool]) -> int:
        """How many moves "undo" takes back so that a human can choose again; 0 if that is nowhere.

        A position in which only a pass is legal is no choice. If no human plays, it is one move. A
        match that a human lost on time goes back to the position on the board.
        """
        if self._ran_out_of_time and is_human[self.state.current_player]:
            return 0
        if not any(is_human):
            return min(1, len(self._moves))
        for plies in range(1, len(self._moves) + 1):
            state = self._states[-1 - plies]
            if is_human[state.current_player] and not must_pass(state):
                return plies
        return 0

    def can_undo(self, is_human: tuple[bool, bool] = (False, False)) -> bool:
        """Whether `undo` would change anything."""
        return self._ran_out_of_time or self._plies_to_undo(is_human) > 0

    def undo(self, is_human: tuple[bool, bool]) -> None:
        """Go back to where a human chooses again; a loss on time is taken back too."""
        kept = len(self._moves) - self._plies_to_undo(is_human)
        del self._moves[kept:], self._states[kept + 1 :]
        self._ran_out_of_time = False
        self.reset_clock()

    # Clocks

    @property
    def seconds_per_move(self) -> float | None:
        """The limit for one move; None for none.

        It can be changed at any time. For a move whose clock is already running, a new limit counts
        only if it leaves more time, so that no player loses by a rule that changed while they were
        thinking.

        Raises:
            ValueError: it is set to a number that is not above 0.
        """
        return self._seconds_per_move

    @seconds_per_move.setter
    def seconds_per_move(self, seconds: float | None) -> None:
        self._seconds_per_move = _checked_limit(seconds)
        now = self.limit_of_this_move
        is_longer = now is not None and (seconds is None or seconds > now)
        if not self.clock_is_running or is_longer:
            self.limit_of_this_move = seconds

    @property
    def clock_is_running(self) -> bool:
        """Whether the time of the player to move is running."""
        return self._running_since is not None

    @property
    def seconds_of_this_move(self) -> float | None:
        """The time that the player to move has used so far; None if the clock never ran for this
        move."""
        return self._used if self._running_since is None else self._clock() - self._running_since

    @property
    def seconds_left(self) -> float | None:
        """Until the player to move loses on time, 0 at the least; None without a limit."""
        if self.limit_of_this_move is None:
            return None
        return max(0.0, self.limit_of_this_move - (self.seconds_of_this_move or 0.0))

    def total_seconds(self, player: int) -> float:
        """The time that `player` has used for all moves, including the current one."""
        total = sum(move.seconds or 0.0 for move in self._moves if move.player == player)
        if player == self.state.current_player:
            total += self.seconds_of_this_move or 0.0
        return total

    def start_clock(self) -> None:
        """Start the clock of the player to move; nothing happens if it is running, or at the
        end."""
        if self._running_since is None and self.outcome is None:
            self._running_since = self._clock()

    def reset_clock(self) -> None:
        """Stop the clock of the player to move and forget the time used for this move."""
        self._running_since = self._used = None
        self.limit_of_this_move = self._seconds_per_move

    def check_time(self) -> bool:
        """Whether the player to move is out of time; if so, the match is lost now."""
        if self.outcome is None and self.clock_is_running and self.seconds_left == 0.0:
            self._used = self.seconds_of_this_move
            self._running_since = None
            self._ran_out_of_time = True
        return self._ran_out_of_time

    # Records

    @property
    def record(self) -> str:
        """The moves as text, from which `set_up` makes the same position again."""
        return " ".join(move.notation for move in self._moves)

    def set_up(self, record: str) -> None:
        """Begin again at the first position and play the moves of `record`; no clock runs.

        Moves are separated by blanks, commas or line ends, or follow each other as in `h8i9h9`;
        move numbers such as `12.` are skipped. If the record can't be played, nothing changes.

        Raises:
            RecordError: a move of the record is not a move, or is not legal at that point; the
                message names it.
        """
        states, moves = [self._states[0]], []
        for number, word in enumerate(_notations(record, states[0]), start=1):
            action = _read_move(states[-1], word, number)
            moves.append(Move(*_facts(states[-1], action)))
            states.append(states[-1].child(action))
        self._states, self._moves = states, moves
        self._ran_out_of_time = False
        self.reset_clock()


def must_pass(state: State) -> bool:
    """Whether the player to move can only pass."""
    actions = state.legal_actions()
    return len(actions) == 1 and state.action_square(actions[0]) is None


def _facts(state: State, action: int) -> tuple[int, int, str, bool]:
    """The first fields of a `Move`."""
    is_pass = state.action_square(action) is None
    return action, state.current_player, state.action_to_string(action), is_pass


def _checked_limit(seconds: float | None) -> float | None:
    try:
        is_possible = seconds is None or seconds > 0
    except TypeError:  # a text, for instance
        is_possible = False
    if not is_possible:
        raise ValueError(
            f"seconds_per_move={seconds!r} is not possible: "
            "give a number above 0, or None for no limit."
        )
    return seconds


def _notations(record: str, state: State) -> Iterator[str]:
    """The moves of `record`, one by one, as they are written there."""
    for word in _SEPARATORS.split(record):
        if notation := _MOVE_NUMBER.sub("", word):
            yield from [notation] if _is_move(state, notation) else _RUN_TOGETHER.split(notation)


def _is_move(state: State, word: str) -> bool:
    """Whether `word` is the notation of a move of the game, legal or not."""
    try:
        state.string_to_action(word)
    except ValueError:
        return False
    return True


def _read_move(state: State, word: str, number: int) -> int:
    if state.is_terminal:
        raise RecordError(f"Move {number}, {word}: the game is over after move {number - 1}.")
    try:
        action = state.string_to_action(word)
    except ValueError as error:
        raise RecordError(f"Move {number}: {error}") from error
    legal = state.legal_actions()
    if action not in legal:
        shown = ", ".join(state.action_to_string(choice) for choice in legal[:_SHOWN_MOVES])
        more = f" and {len(legal) - _SHOWN_MOVES} more" if len(legal) > _SHOWN_MOVES else ""
        mover = state.player_names[state.current_player]
        raise RecordError(
            f"Move {number}, {word}, is not legal: {mover} is to move and can play {shown}{more}."
        )
    return action
