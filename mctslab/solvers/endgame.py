"""A perfect player of Reversi's endgame: the exact value of a position and of each move, in discs.

Alpha-beta (Knuth and Moore 1975) on bitboards, compiled. It first tries the move that leaves the
opponent the fewest replies, and keeps its results in a transposition table. Null-window searches
approach the exact value: MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1996).

A value is the difference of discs at the end of the game under perfect play on both sides; squares
that stay empty count for neither player.
"""

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mctslab.fast.compile.module_builder import compiled_module
from mctslab.fast.compile.translate import rules_text
from mctslab.games.reversi import Reversi
from mctslab.games.rules import Position
from mctslab.solvers.stopping import Answer, Stoppable

TABLE_SIZE: Final = 1 << 18
"""Slots of the transposition table, a power of two: 5 MB. It affects how long the search takes, but
never its answer. Without a table, 14 empty squares take twice as long; a larger one gains nothing
up to 20."""

ANY_VALUE: Final = 64
NO_VALUE: Final = -128
FEW: Final = 5
"""With this many empty squares or fewer, the search uses neither a list of moves nor the table."""


class EndgameSolver:
    """Solves positions of Reversi on one size of board, and remembers what it has found.

    To solve many positions of one game, use a single solver. It serves one thread at a time, and
    lets other threads run while it searches. On the usual board 12 empty squares take about a
    millisecond, 16 a few hundredths of a second and 20 about a second, and each additional square
    multiplies this by two or three: no number is refused, but 30 are out of reach.

    Args:
        size: squares on a side of the board, 4, 6 or 8.
        stop: called many times a second; when it returns True, the search ends with a
            SolverStoppedError. What it has found until then is kept.

    Raises:
        ValueError: the board does not fit into 64 bits.

    >>> state = Reversi(size=4)
    >>> for move in "c4 b4 a2 b1 a3 d3 c1 d2 a4".split():
    ...     state = state.child(state.string_to_action(move))
    >>> EndgameSolver(size=4).solve_moves(state)  # White wins 8 to 7, or loses 5 to 10
    {0: 1, 3: -5}
    """

    def __init__(self, size: int = 8, *, stop: Callable[[], bool] | None = None) -> None:
        first = Reversi(size)
        if first.pass_action > 64:
            raise ValueError(
                f"A board of {size} x {size} is too large to be solved: its squares must fit into "
                "64 bits, so 8 x 8 is the largest."
            )
        self._size: int = first.compilable().geometry.size
        self._kernel = _kernel(self._size)
        self._memory = _memory(self._size, TABLE_SIZE)
        self._thread = Stoppable()
        self._stop = stop

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy, in another process for example, begins without what this one remembers."""
        return partial(EndgameSolver, stop=self._stop), (self._size,)

    @property
    def num_positions(self) -> int:
        """The number of positions that this solver has visited, for all its answers together."""
        return int(self._memory.num_positions[0])

    def solve(self, state: Reversi) -> int:
        """The final difference of discs, own minus the opponent's, for the player to move.

        Raises:
            ValueError: it is not Reversi on this solver's size of board, or the game is over.
            SolverStoppedError: `stop` returned True.
        """
        return self._run(partial(self._value, self._checked(state)))

    def solve_moves(self, state: Reversi) -> dict[int, int]:
        """The final difference after each legal action, for the player who takes it.

        A forced pass is such an action; errors as in `solve`.
        """
        self._checked(state)
        return self._run(
            lambda: {action: self._value_of(state, action) for action in state.legal_actions()}
        )

    def _run(self, search: Callable[[], Answer]) -> Answer:
        return self._thread.run(search, self._stop)

    def _value_of(self, state: Reversi, action: int) -> int:
        """The value of `action`, for the player who takes it."""
        child = state.child(action)
        if child.is_terminal:
            mover = state.current_player
            discs = child.disc_counts()
            return discs[mover] - discs[1 - mover]
        return -self._value(self._checked(child))

    def _checked(self, state: Reversi) -> Position:
        """The position of `state`, on bitboards; ValueError if there is nothing to solve."""
        _, geometry, position, *_ = _as_reversi(state).compilable()
        if geometry.size != self._size:
            raise ValueError(
                f"This solver is for boards of {self._size} x {self._size}, and the position has "
                f"{geometry.size} x {geometry.size} squares."
            )
        if state.is_terminal:
            raise ValueError("The game is over, so there is nothing left to solve.")
        return position

    def _value(self, position: Position) -> int:
        """The value of `position`: each search moves one bound, and the next one tests the value
        next to it.

        Together they take 0.6 to 0.7 of the time of one search with a window from -64 to 64.
        """
        value, lower, upper = 0, -ANY_VALUE, ANY_VALUE
        while lower < upper:
            bound = max(value, lower + 1)
            value = self._search(position, bound)
            if value < bound:
                upper = value
            else:
                lower = value
        return value

    def _search(self, position: Position, bound: int) -> int:
        """A lower bound of the value if it is at least `bound`; otherwise an upper bound."""
        own, opponent = map(np.uint64, position[:2])
        value: int = self._kernel.search(
            own, opponent, bound, *self._memory, self._thread.is_stopped
        )
        self._thread.check()
        return value


def _as_reversi(state: Reversi) -> Reversi:
    if not isinstance(state, Reversi) or state.rules is not Reversi.rules:
        raise ValueError(f"The endgame solver knows Reversi only, and this is {state!r}.")
    return state


# Compiling


class _Memory(NamedTuple):
    """What the kernel writes to, besides its own variables."""

    moves: npt.NDArray[np.uint64]
    """[squares + 1, squares]: for each number of empty squares, the moves that are still to be
    tried."""
    keys: npt.NDArray[np.uint64]
    """[table_size, 2]: the position that a slot of the transposition table is for: the discs of the
    player to move, and the other's."""
    bounds: npt.NDArray[np.int8]
    """[table_size, 2]: its value is at least the first, and at most the second."""
    num_positions: npt.NDArray[np.int64]
    """[1]: the number of positions visited."""


def _memory(size: int, table_size: int) -> _Memory:
    return _Memory(
        moves=np.zeros((size**2 + 1, size**2), np.uint64),
        keys=np.zeros((table_size, 2), np.uint64),
        bounds=np.zeros((table_size, 2), np.int8),
        num_positions=np.zeros(1, np.int64),
    )


@cache
def _kernel(size: int) -> ModuleType:
    """The compiled functions of `kernels/endgame.py` for one size of board."""
    game = Reversi(size).compilable()
    edge = 1 | 1 << (size - 1)
    corners = edge | edge << size * (size - 1)
    return compiled_module(
        "endgame",
        rules_text(game),
        Path(__file__).parent / "kernels" / "endgame.py",
        {"BOARD": np.uint64(game.geometry.board), "CORNERS": np.uint64(corners)},
        entry_points=("search",),
        warm_up=partial(_call_once, memory=_memory(size, table_size=2)),
    )


def _call_once(module: ModuleType, memory: _Memory) -> None:
    """Look at a board of which no square is empty."""
    own, opponent = np.uint64(module.BOARD), np.uint64(0)
    module.search(own, opponent, 0, *memory, np.zeros(1, np.bool_))
