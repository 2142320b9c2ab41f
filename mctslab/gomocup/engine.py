"""Our player as an engine: a manager's line comes in, our answers go out.

While the player thinks, no line is read. So the engine keeps every time limit by its own clock.
"""

import functools
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Final

import numpy as np

from mctslab import __version__
from mctslab.games.gomoku import Gomoku
from mctslab.gomocup.protocol import UNLIMITED, read_square, square_text
from mctslab.players import Player, Proposal
from mctslab.search.knowledge.gomoku import heuristic

_MARGIN_SECONDS: Final = 0.25
"""The part of every limit that is left unused: players propose a move ten times a second, the pipe
takes time, and the machine can be busy. With less, there is no time for a proposal."""
_MOVES_AHEAD: Final = 20
"""The time left for a game is divided by this number, as if this many moves were left. A fixed
fraction of what is left is never used up, however long the game is."""


class Engine:
    """A conversation with a manager.

    Args:
        make_player: makes a player for a game.
        rng: the source of random numbers, for moves that are played without a search.
    """

    def __init__(self, make_player: Callable[[], Player], *, rng: np.random.Generator) -> None:
        self._make_player = make_player
        self._rng = rng
        self._turn_seconds = self._match_seconds = self._seconds_left = math.inf
        self._size = 0  # until START
        self._rule = 0
        self._player: Player | None = None
        self._state: Gomoku | None = None  # None if the board is empty

    def converse(self, lines: Iterable[str]) -> Iterator[str]:
        """The answers to a manager's lines, until END."""
        waiting = iter(lines)
        for line in waiting:
            word, _, rest = " ".join(line.split()).partition(" ")
            command = word.upper()
            if command == "END":
                return
            stones: list[str] = []
            if command == "BOARD":
                stones += takewhile(lambda line: line.strip().upper() != "DONE", waiting)
            try:
                yield from self._answers(command, rest, stones)
            except Exception as error:  # the manager gets the message of any error
                yield f"ERROR {' '.join(str(error).split()) or type(error).__name__}"

    def _answers(self, command: str, rest: str, stones: Sequence[str]) -> Iterator[str]:
        match command:
            case "":
                return
            case "ABOUT":
                yield f'name="mctslab", version="{__version__}", author="the mctslab authors"'
            case "INFO":
                self._use_info(rest)
            case "START":
                self._start(rest)
                yield "OK"
            case "RESTART" | "BEGIN" | "TURN" | "BOARD" if self._player is None:
                raise ValueError("START must come first")
            case "RESTART":
                self._new_game()
                yield "OK"
            case "BEGIN":
                if self._state is not None:
                    raise ValueError("BEGIN is for an empty board; RESTART empties it")
                yield from self._move(self._empty_board())
            case "TURN":
                state = self._state or self._empty_board()
                yield from self._move(state.child(read_square(rest, self._size)))
            case "BOARD":
                yield from self._move(self._position(stones))
            case _:
                yield f"UNKNOWN command {command}"

    def _start(self, rest: str) -> None:
        self._player = None
        for exactly_five in (False, True):  # compile everything: the rule may come later
            player, state = self._make_player(), Gomoku(int(rest), exactly_five=exactly_five)
            player.prepare(state)
            next(iter(player.think(state)))
        self._size = int(rest)
        self._new_game()

    def _new_game(self) -> None:
        self._state = None
        self._player = self._make_player()
        self._seconds_left = self._match_seconds

    def _use_info(self, rest: str) -> None:
        """Use INFO; unknown keys and values that are not numbers are ignored."""
        key, _, value = rest.lower().partition(" ")
        if not value.lstrip("-").isdecimal():
            return
        number = int(value)
        match key:
            case "rule":
                self._rule = number
            case "timeout_turn":
                self._turn_seconds = number / 1_000
            case "timeout_match":
                self._match_seconds = self._seconds_left = number / 1_000 or math.inf  # 0: none
            case "time_left":
                self._seconds_left = math.inf if number == UNLIMITED else number / 1_000

    def _empty_board(self) -> Gomoku:
        if self._rule not in (0, 1):
            raise ValueError(
                f"rule {self._rule} is not supported, only 0 (five or more win) or 1 (exactly five)"
            )
        return Gomoku(self._size, exactly_five=self._rule == 1)

    def _position(self, lines: Sequence[str]) -> Gomoku:
        """The position with stones such as `7,8,1`, in which we, player 1, are to move."""
        stones: dict[str, list[int]] = {"1": [], "2": []}
        for line in lines:
            square, _, whose = line.rpartition(",")
            if whose.strip() not in stones:
                raise ValueError(f"a stone looks like 7,8,1 or 7,8,2, got {line!r}")
            stones[whose.strip()].append(read_square(square, self._size))
        own, opponent = stones.values()
        if len(opponent) - len(own) not in (0, 1):
            raise ValueError(
                f"{len(own)} of our stones and {len(opponent)} of the opponent's are impossible "
                "when it is our turn"
            )
        in_turn = (own, opponent) if len(own) == len(opponent) else (opponent, own)
        order = (in_turn[turn % 2][turn // 2] for turn in range(len(own) + len(opponent)))
        return functools.reduce(Gomoku.child, order, self._empty_board())

    def _move(self, state: Gomoku) -> Iterator[str]:
        """Let the player think about a position, and play its latest proposal in time."""
        if state.is_terminal:
            raise ValueError("the game on this board is over")
        started = time.monotonic()
        proposal = self._decide(state, started)
        self._state = state.child(proposal.action)
        self._seconds_left -= time.monotonic() - started  # the next INFO time_left corrects it
        yield square_text(proposal.action, self._size)

    def _decide(self, state: Gomoku, started: float) -> Proposal:
        """The player's latest proposal when the time is up, or a move without a search."""
        assert self._player is not None
        latest = Proposal(heuristic(state, self._rng), progress=1.0)
        # A limit of 0 for a move asks for the first proposal.
        if min(self._turn_seconds or math.inf, self._seconds_left) > _MARGIN_SECONDS:
            limit = min(self._turn_seconds, self._seconds_left / _MOVES_AHEAD) - _MARGIN_SECONDS
            for proposal in self._player.think(state):
                latest = proposal
                if time.monotonic() - started >= limit:
                    break
        return latest
