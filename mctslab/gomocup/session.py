"""The engine's side of the protocol: the answer to each line, and when to answer.

Nothing here reads, writes, waits or checks a clock: lines and times come in, lines go out. The
caller lets the player of `turn` think, and passes its proposals to `consider` and `finish`.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from mctslab import __version__
from mctslab.games.bitboards import MAXIMUM_SIZE
from mctslab.games.gomoku import Gomoku
from mctslab.games.state import State
from mctslab.gomocup.protocol import EXACTLY_FIVE, FREESTYLE, read_square, square_text
from mctslab.gomocup.stones import position
from mctslab.gomocup.time_limits import TimeLimits
from mctslab.players import Player, Proposal
from mctslab.search.knowledge.gomoku import heuristic

SMALLEST_SIZE: Final = 5
OWN: Final = 1
OPPONENT: Final = 2
"""The numbers of the owners of stones in the protocol."""

_LARGEST_NUMBER: Final = 10**15
"""Larger numbers mean the same: 30,000 years, or a million gigabytes."""

Replies = list[str]


@dataclass(eq=False, slots=True)
class Turn:
    """A position for a player to think about, and its latest proposal."""

    player: Player
    state: State
    began: float
    """The time of the command that requests the move."""
    may_grow: bool
    """Whether the memory was within its limit when the turn began."""
    proposal: Proposal | None = None


def is_end(line: str) -> bool:
    """Whether the line is END, after which the program must exit at once."""
    return line.strip().upper() == "END"


class Session:
    """A conversation with a manager.

    Args:
        make_player: makes a player for a game.
        rng: the source of random numbers, for moves that no player has proposed.
        memory_in_use: returns the number of bytes that this program occupies.
    """

    def __init__(
        self,
        make_player: Callable[[], Player],
        *,
        rng: np.random.Generator,
        memory_in_use: Callable[[], int] = lambda: 0,
    ) -> None:
        self.turn: Turn | None = None
        """The turn to think about now; None if no move is wanted."""
        self.is_over = False
        """Whether END was received."""
        self._make_player = make_player
        self._rng = rng
        self._memory_in_use = memory_in_use
        self._player: Player | None = None
        self._size = 0  # until START
        self._stones: dict[int, int] = {}  # by square, in their order
        self._rule = FREESTYLE
        self._limits = TimeLimits()
        self._max_memory = math.inf
        self._block: tuple[str, list[str]] | None = None  # BOARD or SWAP2BOARD, lines up to DONE

    # Input

    def receive(self, line: str, now: float) -> Replies:
        """The immediate answers to a line that came at the time `now`."""
        name, _, rest = " ".join(line.split()).partition(" ")
        command = name.upper()
        if not command:
            return []
        if is_end(line):
            self.is_over, self.turn = True, None
            return []
        try:
            if command == "INFO":
                self._use_info(rest)
                return []
            if self._block is not None:
                return self._add_to_block(command, line, now)
            if command not in _COMMANDS:
                return [f"UNKNOWN command {name}"]
            return _COMMANDS[command](self, rest, now)
        except ValueError as error:
            return [f"ERROR {_in_a_line(error)}"]

    def consider(self, turn: Turn, proposal: Proposal, now: float) -> Replies:
        """Remember a proposal of the player; it is played when the time or the memory is used
        up."""
        if turn is not self.turn:
            return []
        turn.proposal = proposal
        if turn.may_grow and self._memory_in_use() > self._max_memory:
            return self._answer(turn, now)
        return self.look(now)

    def finish(self, turn: Turn, error: Exception | None, now: float) -> Replies:
        """Play the latest proposal: the player has finished thinking, or has failed."""
        if turn is not self.turn:
            return []
        if error is not None and turn.proposal is None:
            self.turn = None
            return [f"ERROR the player fails: {_in_a_line(error)}"]
        return self._answer(turn, now)

    def look(self, now: float) -> Replies:
        """The answer, if it is due at the time `now`."""
        due = self.due
        return self._answer(self.turn, now) if self.turn and due is not None and now >= due else []

    @property
    def due(self) -> float | None:
        """The time when to `look` again; None if nothing is due."""
        if self.turn is None:
            return None
        allowance = self._limits.allowance()
        seconds = allowance.wanted if self.turn.proposal else allowance.at_most
        return None if seconds == math.inf else self.turn.began + seconds

    # Commands

    def _start(self, rest: str, now: float) -> Replies:
        if not rest.isdecimal() or not SMALLEST_SIZE <= int(rest) <= MAXIMUM_SIZE:
            raise ValueError(
                f"the size of the board must be an integer from {SMALLEST_SIZE} to "
                f"{MAXIMUM_SIZE}, such as 20, got {rest!r}"
            )
        self._size, self.turn = 0, None
        try:
            for exactly_five in (False, True):
                _warm(self._make_player(), Gomoku(int(rest), exactly_five=exactly_five))
        except Exception as error:  # the manager gets the message of any error
            raise ValueError(f"the player cannot play this: {_in_a_line(error)}") from error
        self._size = int(rest)
        return self._new_game()

    def _restart(self, rest: str, now: float) -> Replies:
        self._check_started()
        self._limits.begin_match()
        return self._new_game()

    def _new_game(self) -> Replies:
        self.turn = None
        self._stones = {}
        self._player = self._make_player()
        return ["OK"]

    def _begin(self, rest: str, now: float) -> Replies:
        self._check_free_to_move()
        if self._stones:
            raise ValueError("BEGIN is for an empty board; RESTART empties it")
        return self._think(now)

    def _turn(self, rest: str, now: float) -> Replies:
        self._check_free_to_move()
        square = self._free_square(rest)
        self._stones[square] = OPPONENT
        try:
            return self._think(now)
        except ValueError:
            del self._stones[square]
            raise

    def _take_back(self, rest: str, now: float) -> Replies:
        self._check_started()
        square = read_square(rest, self._size)
        if square not in self._stones:
            raise ValueError(f"there is no stone on {rest}")
        self.turn = None
        del self._stones[square]
        return ["OK"]

    def _open_block(self, command: str) -> Replies:
        self._check_started()
        self.turn = None
        self._block = (command, [])
        return []

    def _add_to_block(self, command: str, line: str, now: float) -> Replies:
        """Collect the lines of a block, and use them when DONE comes."""
        assert self._block is not None
        opened_by, lines = self._block
        if command != "DONE":
            lines.append(line)
            return []
        self._block = None
        if opened_by != "BOARD":
            return [f"UNKNOWN {opened_by}: openings by swapping are not supported"]
        before = self._stones
        try:
            self._stones = {}
            for stone in lines:
                self._add_stone(stone)
            return self._think(now)
        except ValueError:
            self._stones = before
            raise

    def _add_stone(self, line: str) -> None:
        """Add the stone of a line such as `7,8,1`."""
        square, _, whose = line.rpartition(",")
        if whose.strip() not in ("1", "2"):
            raise ValueError(f"a stone looks like 7,8,1 or 7,8,2, got {line!r}")
        self._stones[self._free_square(square)] = int(whose)

    def _about(self, rest: str, now: float) -> Replies:
        return [f'name="mctslab", version="{__version__}", author="the mctslab authors"']

    def _refuse_rectangle(self, rest: str, now: float) -> Replies:
        raise ValueError("the board must be a square; send START")

    def _use_info(self, rest: str) -> None:
        """Use INFO; unknown keys and values that are not numbers are ignored."""
        key, _, value = rest.lower().partition(" ")
        try:
            number = max(-_LARGEST_NUMBER, min(int(value), _LARGEST_NUMBER))
        except ValueError:
            return
        if key == "rule":
            self._rule = number
        elif key == "max_memory":
            self._max_memory = number if number > 0 else math.inf
        else:
            self._limits.set(key, number)

    # A turn

    def _think(self, now: float) -> Replies:
        """Begin a turn: make the position, with us to move, and let the player think."""
        if self._rule not in (FREESTYLE, EXACTLY_FIVE):
            raise ValueError(
                f"rule {self._rule} is not supported, only 0 (five or more win) or 1 (exactly five)"
            )
        own, opponent = (
            [square for square, owner in self._stones.items() if owner == player]
            for player in (OWN, OPPONENT)
        )
        state = position(self._size, self._rule == EXACTLY_FIVE, own, opponent)
        assert self._player is not None
        in_use = self._memory_in_use()
        self.turn = Turn(self._player, state, now, may_grow=in_use <= self._max_memory)
        if self.turn.may_grow:
            return []
        return [f"MESSAGE {in_use:,} bytes are in use, but only {self._max_memory:,} are allowed"]

    def _answer(self, turn: Turn, now: float) -> Replies:
        """Play the player's proposal; without one, the move that looks best without a search."""
        self.turn = None
        self._limits.spend(now - turn.began)
        proposal = turn.proposal
        action = proposal.action if proposal else heuristic(turn.state, self._rng)
        if action not in turn.state.legal_actions():
            return [f"ERROR the player chose {action!r}, which is not a legal move"]
        self._stones[action] = OWN
        return [*_message_about(proposal), square_text(action, self._size)]

    def _check_started(self) -> None:
        if not self._size:
            raise ValueError("START must come first")

    def _check_free_to_move(self) -> None:
        self._check_started()
        if self.turn is not None:
            raise ValueError("the player is thinking; RESTART, BOARD or TAKEBACK end that")

    def _free_square(self, text: str) -> int:
        square = read_square(text, self._size)
        if square in self._stones:
            raise ValueError(f"{text} is occupied")
        return square


_COMMANDS: Final[Mapping[str, Callable[[Session, str, float], Replies]]] = {
    "START": Session._start,
    "RECTSTART": Session._refuse_rectangle,
    "RESTART": Session._restart,
    "BEGIN": Session._begin,
    "TURN": Session._turn,
    "BOARD": lambda session, rest, now: session._open_block("BOARD"),
    "SWAP2BOARD": lambda session, rest, now: session._open_block("SWAP2BOARD"),
    "TAKEBACK": Session._take_back,
    "ABOUT": Session._about,
}


def _warm(player: Player, state: State) -> None:
    """Let a player compile everything that it needs, and check that it can play."""
    player.prepare(state)
    for _ in player.think(state):
        return


def _message_about(proposal: Proposal | None) -> Replies:
    """A message about a move, for people to read."""
    if proposal is None:
        return ["MESSAGE no time for a search: played by the heuristic"]
    if proposal.result is None:
        return []
    win_rate = (1 + proposal.result.value) / 2
    return [f"MESSAGE {proposal.num_simulations:,} simulations, win rate {win_rate:.0%}"]


def _in_a_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
