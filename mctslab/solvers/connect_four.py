"""A perfect player of Connect Four: the exact value of a position and of each move.

Alpha-beta (Knuth and Moore 1975) on bitboards, with a transposition table, compiled. It first tries
the moves that make the most threats, and then those near the centre; a move after which the
opponent wins at once is not tried. Connect Four was solved by Allen and by Allis in 1988; its first
player wins.

A verdict is 1 for a win, 0 for a draw and -1 for a loss, under perfect play on both sides.
"""

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mctslab.fast.compile.module_builder import compiled_module
from mctslab.fast.compile.translate import rules_text
from mctslab.games.connect_four import ConnectFour, Geometry
from mctslab.games.rules import Position
from mctslab.solvers.stopping import Stoppable

TABLE_SIZE: Final = 1 << 22
"""Slots of the transposition table, a power of two: 42 MB. It affects how long the search takes,
but never its answer."""

ANY_SCORE: Final = 64


class ConnectFourSolver:
    """Solves positions of Connect Four on one size of board, and remembers what it has found.

    To solve many positions, use a single solver. It serves one thread at a time, and lets other
    threads run while it searches. On the usual board a verdict from ply 8 on takes a fraction of a
    second, rarely a few seconds; the first plies take a minute or more.

    Args:
        rows: height of the board.
        cols: width of the board; (rows + 1) * cols must not exceed 64.

    Raises:
        ValueError: the board does not fit into 64 bits.

    >>> state = ConnectFour(rows=4, cols=5)
    >>> for action in (2, 2, 1):
    ...     state = state.child(action)
    >>> ConnectFourSolver(rows=4, cols=5).solve_moves(state)
    {0: 0, 1: -1, 2: -1, 3: 1, 4: 0}
    """

    def __init__(self, rows: int = 6, cols: int = 7) -> None:
        first = ConnectFour(rows, cols)
        if (rows + 1) * cols > 64:
            raise ValueError(
                f"A board of {rows} x {cols} is too large to be solved: (rows + 1) * cols is "
                f"{(rows + 1) * cols}, and it must fit into 64 bits."
            )
        self._geometry: Geometry = first.compilable().geometry
        self._kernel = _kernel(rows, cols)
        self._memory = _memory(rows, cols, TABLE_SIZE)
        self._thread = Stoppable()

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy, in another process for example, begins without what this one remembers."""
        return ConnectFourSolver, (self._geometry.rows, self._geometry.cols)

    def solve(self, state: ConnectFour) -> int:
        """The verdict on `state`, for the player to move.

        Raises:
            ValueError: it is not Connect Four on this solver's size of board, or the game is over.
        """
        return self._thread.run(partial(self._verdict, self._checked(state)))

    def solve_moves(self, state: ConnectFour) -> dict[int, int]:
        """The verdict on each legal action, for the player who takes it; errors as in `solve`."""
        self._checked(state)
        return self._thread.run(
            lambda: {action: self._verdict_of(state, action) for action in state.legal_actions()}
        )

    def distance(self, state: ConnectFour) -> int | None:
        """The number of plies until the game ends if the winner hurries and the loser delays.

        None if neither player can force a win; errors as in `solve`. It is odd if the player to
        move wins.
        """
        position = self._checked(state)
        squares_left = self._squares_left(position)
        lower, upper = -(squares_left // 2), (squares_left + 1) // 2
        score = self._thread.run(partial(self._exact_score, position, lower, upper))
        if score == 0:
            return None
        plies = squares_left + 2 - 2 * abs(score)
        return plies if plies % 2 == (score > 0) else plies - 1

    def _verdict(self, position: Position) -> int:
        """The verdict on `position`, for the player to move."""
        score = self._search(position, -1, 1)
        return (score > 0) - (score < 0)

    def _verdict_of(self, state: ConnectFour, action: int) -> int:
        """The verdict on `action`, for the player who takes it."""
        child = state.child(action)
        if child.is_terminal:
            return int(child.returns()[state.current_player])
        return -self._verdict(self._checked(child))

    def _checked(self, state: ConnectFour) -> Position:
        """The position of `state`, on bitboards; ValueError if there is nothing to solve."""
        if not isinstance(state, ConnectFour) or state.rules is not ConnectFour.rules:
            raise ValueError(f"The solver knows Connect Four only, and this is {state!r}.")
        _, geometry, position, *_ = state.compilable()
        if geometry != self._geometry:
            raise ValueError(
                f"This solver is for boards of {self._geometry.rows} x {self._geometry.cols}, and "
                f"the position has {geometry.rows} x {geometry.cols} squares."
            )
        if state.is_terminal:
            raise ValueError("The game is over, so there is nothing left to solve.")
        return position

    def _squares_left(self, position: Position) -> int:
        own, opponent, _ = position
        return (self._geometry.board & ~(own | opponent)).bit_count()

    def _exact_score(self, position: Position, lower: int, upper: int) -> int:
        """The score, from `lower` to `upper`, by bisection: null windows cut off the most."""
        while lower < upper:
            middle = (lower + upper) // 2
            if self._search(position, middle, middle + 1) > middle:
                lower = middle + 1
            else:
                upper = middle
        return lower

    def _search(self, position: Position, alpha: int, beta: int) -> int:
        """The score of `position`, see `kernels/connect_four.py`; a bound outside the window."""
        own, opponent = map(np.uint64, position[:2])
        score: int = self._kernel.search(
            own, opponent, alpha, beta, *self._memory, self._thread.is_stopped
        )
        self._thread.check()
        return score


class SolvedPosition(NamedTuple):
    """A position with the verdicts of a perfect player."""

    state: ConnectFour
    verdicts: Mapping[int, int]
    """For each legal action 1, 0 or -1: a win, a draw or a loss for the player who takes it."""

    @property
    def outcome_keeping(self) -> frozenset[int]:
        """The actions that lead to the best possible outcome."""
        best = max(self.verdicts.values())
        return frozenset(action for action, verdict in self.verdicts.items() if verdict == best)

    @property
    def matters(self) -> bool:
        """Whether some moves keep the outcome and others do not."""
        return len(self.outcome_keeping) < len(self.verdicts)


# Compiling


class _Memory(NamedTuple):
    """What the kernel writes to, besides its own variables."""

    moves: npt.NDArray[np.uint64]
    """[squares + 1, cols]: for each number of free squares, the moves that are still to be
    tried."""
    keys: npt.NDArray[np.uint64]
    """[table_size]: the position that a slot of the transposition table is for; 0 for none."""
    bounds: npt.NDArray[np.int8]
    """[table_size, 2]: its score is at least the first, and at most the second."""


def _memory(rows: int, cols: int, table_size: int) -> _Memory:
    return _Memory(
        moves=np.zeros((rows * cols + 1, cols), np.uint64),
        keys=np.zeros(table_size, np.uint64),
        bounds=np.zeros((table_size, 2), np.int8),
    )


@cache
def _kernel(rows: int, cols: int) -> ModuleType:
    """The compiled functions of `kernels/connect_four.py` for one size of board."""
    game = ConnectFour(rows, cols).compilable()
    columns = game.geometry.columns
    middle = (len(columns) - 1) / 2
    inwards = sorted(range(len(columns)), key=lambda col: -abs(col - middle))
    return compiled_module(
        "solver",
        rules_text(game),
        Path(__file__).parent / "kernels" / "connect_four.py",
        {
            "BOARD": np.uint64(game.geometry.board),
            "BOTTOM": np.uint64(game.geometry.bottom),
            "STEPS": tuple(map(np.uint64, game.geometry.steps)),
            "CENTRE_LAST": tuple(np.uint64(columns[col]) for col in inwards),
        },
        entry_points=("search",),
        warm_up=partial(_call_once, memory=_memory(rows, cols, table_size=2)),
    )


def _call_once(module: ModuleType, memory: _Memory) -> None:
    """Look at a board of which no square is free."""
    own, opponent = np.uint64(module.BOARD), np.uint64(0)
    module.search(own, opponent, 0, 1, *memory, np.zeros(1, np.bool_))
