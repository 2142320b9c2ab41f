"""The engine's side of the protocol: what to answer to which line, and when to answer at all.

Nothing here reads, writes, waits or looks at a clock: lines and moments come in, lines go out. Who
holds the session lets `turn` be thought about, and tells what comes of it.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from mctslab import __version__
from mctslab.games.bitboards import MAXIMUM_SIZE
from mctslab.games.gomoku import Gomoku
from mctslab.games.state import State
from mctslab.gomocup.stones import position
from mctslab.gomocup.time_limits import TimeLimits
from mctslab.players import Player, Proposal
from mctslab.players.gomocup_text import EXACTLY_FIVE, FREESTYLE, read_square, square_text
from mctslab.search.gomoku_prior import heuristic

SMALLEST_SIZE: Final = 5
OWN: Final = 1
OPPONENT: Final = 2
"""How the protocol numbers whose stone it is."""

_LARGEST_NUMBER: Final = 10**15
"""What is larger is as good as this: 30,000 years, or a million gigabytes."""

Replies = list[str]


@dataclass(eq=False, slots=True)
class Turn:
    """A position that is being thought about, and what has come of it so far."""

    player: Player
    state: State
    began: float
    """The moment of the command that asks for the move."""
    may_grow: bool
    """Whether the memory was within its limit when the turn began."""
    thought: Proposal | None = None


@dataclass(slots=True)
class Block:
    """The lines from BOARD or SWAP2BOARD to DONE."""

    command: str
    lines: list[str] = field(default_factory=list)


def is_end(line: str) -> bool:
    """Whether the line is END, upon which the program has to go at once."""
    return line.strip().upper() == "END"


class Session:
    """A conversation with a manager.

    Args:
        make_player: makes a player for a game.
        rng: the source of chance for moves without a thought.
        memory_in_use: how many bytes this program occupies.
    """

    def __init__(
        self,
        make_player: Callable[[], Player],
        *,
        rng: np.random.Generator,
        memory_in_use: Callable[[], int] = lambda: 0,
    ) -> None:
        self.turn: Turn | None = None
        """What has to be thought about now; None where nothing is asked."""
        self.is_over = False
        """Whether END was heard."""
        self._make_player = make_player
        self._rng = rng
        self._memory_in_use = memory_in_use
        self._player: Player | None = None
        self._size = 0  # until START
        self._stones: dict[int, int] = {}  # by square, in the order in which they were laid
        self._rule = FREESTYLE
        self._limits = TimeLimits()
        self._max_memory = math.inf
        self._block: Block | None = None

    # What comes in

    def receive(self, line: str, now: float) -> Replies:
        """What to answer at once to a line, at the moment `now`."""
        word, _, rest = " ".join(line.split()).partition(" ")
        command = word.upper()
        if not command:
            return []
        if is_end(line):
            self.is_over, self.turn = True, None
            return []
        try:
            if command == "INFO":
                self._heed(rest)
                return []
            if self._block is not None:
                return self._add_to_block(self._block, command, line, now)
            if command not in _COMMANDS:
                return [f"UNKNOWN command {word}"]
            return _COMMANDS[command](self, rest, now)
        except ValueError as error:
            return [f"ERROR {_in_a_line(error)}"]

    def consider(self, turn: Turn, thought: Proposal, now: float) -> Replies:
        """The player has a thought; it is played when time, or memory, is up."""
        if turn is not self.turn:
            return []
        turn.thought = thought
        if turn.may_grow and self._memory_in_use() > self._max_memory:
            return self._answer(turn, now)
        return self.look(now)

    def finish(self, turn: Turn, error: Exception | None, now: float) -> Replies:
        """The player has ended its thinking, or was ended by an error."""
        if turn is not self.turn:
            return []
        if error is not None and turn.thought is None:
            self.turn = None
            return [f"ERROR the player fails: {_in_a_line(error)}"]
        return self._answer(turn, now)

    def look(self, now: float) -> Replies:
        """The answer, if it is due at the moment `now`."""
        due = self.due
        return self._answer(self.turn, now) if self.turn and due is not None and now >= due else []

    @property
    def due(self) -> float | None:
        """The moment when to `look` again; None where nothing is due."""
        if self.turn is None:
            return None
        allowance = self._limits.allowance()
        seconds = allowance.wanted if self.turn.thought else allowance.at_most
        return None if seconds == math.inf else self.turn.began + seconds

    # Commands

    def _start(self, rest: str, now: float) -> Replies:
        if not rest.isdecimal() or not SMALLEST_SIZE <= int(rest) <= MAXIMUM_SIZE:
            raise ValueError(
                f"the size of the board is a number from {SMALLEST_SIZE} to {MAXIMUM_SIZE}, "
                f"such as 20, and not {rest!r}"
            )
        self._size, self.turn = 0, None
        try:
            for exactly_five in (False, True):
                _warm(self._make_player(), Gomoku(int(rest), exactly_five=exactly_five))
        except Exception as error:  # whatever a player raises, the manager has to hear of it
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
        self._block = Block(command)
        return []

    def _add_to_block(self, block: Block, command: str, line: str, now: float) -> Replies:
        if command != "DONE":
            block.lines.append(line)
            return []
        self._block = None
        if block.command != "BOARD":
            return [f"UNKNOWN {block.command}: openings by swapping are not played"]
        before = self._stones
        try:
            self._stones = {}
            for stone in block.lines:
                self._lay(stone)
            return self._think(now)
        except ValueError:
            self._stones = before
            raise

    def _lay(self, line: str) -> None:
        """Lay the stone of a line such as `7,8,1`."""
        square, _, whose = line.rpartition(",")
        if whose.strip() not in ("1", "2"):
            raise ValueError(f"a stone looks like 7,8,1 or 7,8,2, and not {line!r}")
        self._stones[self._free_square(square)] = int(whose)

    def _about(self, rest: str, now: float) -> Replies:
        return [f'name="mctslab", version="{__version__}", author="the mctslab authors"']

    def _refuse_rectangle(self, rest: str, now: float) -> Replies:
        raise ValueError("the board has to be a square; send START")

    def _heed(self, rest: str) -> None:
        """Heed INFO; what is not known, or is no number, is no concern of ours."""
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
            self._limits.heed(key, number)

    # A turn

    def _think(self, now: float) -> Replies:
        """Let the position be thought about, with us to move."""
        if self._rule not in (FREESTYLE, EXACTLY_FIVE):
            raise ValueError(
                f"rule {self._rule} is not played: only 0 (five or more win) and 1 (exactly five)"
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
        return [f"MESSAGE {in_use:,} bytes are in use, and {self._max_memory:,} are allowed"]

    def _answer(self, turn: Turn, now: float) -> Replies:
        """Play what was thought of; without a thought, what looks best at first sight."""
        self.turn = None
        self._limits.spend(now - turn.began)
        thought = turn.thought
        action = thought.action if thought else heuristic(turn.state, self._rng)
        if action not in turn.state.legal_actions():
            return [f"ERROR the player chose {action!r}, which is no legal move"]
        self._stones[action] = OWN
        return [*_said_of(thought), square_text(action, self._size)]

    def _check_started(self) -> None:
        if not self._size:
            raise ValueError("START has to come first")

    def _check_free_to_move(self) -> None:
        self._check_started()
        if self.turn is not None:
            raise ValueError("a move is being thought about; RESTART, BOARD or TAKEBACK end that")

    def _free_square(self, text: str) -> int:
        square = read_square(text, self._size)
        if square in self._stones:
            raise ValueError(f"there is a stone on {text} already")
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
    """Let a player that is not needed compile all that it uses, and show that it can play."""
    player.prepare(state)
    for _ in player.think(state):
        return


def _said_of(thought: Proposal | None) -> Replies:
    """What is worth telling people about a move."""
    if thought is None:
        return ["MESSAGE no time to think: played at sight"]
    if thought.result is None:
        return []
    win_rate = (1 + thought.result.value) / 2
    return [f"MESSAGE {thought.num_simulations:,} simulations, win rate {win_rate:.0%}"]


def _in_a_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
