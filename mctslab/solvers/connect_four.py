"""A perfect player of Connect Four: the exact value of a position and of each move.

Alpha-beta (Knuth and Moore 1975) on bitboards, with a transposition table, compiled. It first tries
the moves that make the most threats, and then those near the centre; a move after which the
opponent wins at once is not tried. Connect Four was solved by Allen and by Allis in 1988; its first
player wins.

A verdict is 1 for a win, 0 for a draw and -1 for a loss, under perfect play on both sides.
"""

from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Final

import numpy as np

from mctslab.fast.compile.module_builder import compiled_module
from mctslab.fast.compile.translate import rules_text
from mctslab.games.connect_four import ConnectFour
from mctslab.games.rules import Position
from mctslab.solvers.solver import Memory, Solver

TABLE_SIZE: Final = 1 << 22
"""Slots of the transposition table, a power of two: 42 MB. It affects how long the search takes,
but never its answer."""

ANY_SCORE: Final = 64


class ConnectFourSolver(Solver[ConnectFour]):
    """Solves positions of Connect Four: a value is a verdict.

    On the usual board a verdict from ply 8 on takes a fraction of a second, rarely a few seconds;
    the first plies take a minute or more.

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

    kind = ConnectFour

    def __init__(self, rows: int = 6, cols: int = 7) -> None:
        first = ConnectFour(rows, cols)
        if (rows + 1) * cols > 64:
            raise ValueError(
                f"A board of {rows} x {cols} is too large to be solved: (rows + 1) * cols is "
                f"{(rows + 1) * cols}, and it must fit into 64 bits."
            )
        memory = _memory(rows, cols, TABLE_SIZE)
        super().__init__(first, _kernel(rows, cols), memory, rows, cols)

    def distance(self, state: ConnectFour) -> int | None:
        """The number of plies until the game ends if the winner hurries and the loser delays.

        None if neither player can force a win; errors as in `solve`. It is odd if the player to
        move wins.
        """
        position, num_empty = self._checked(state), self.num_empty(state)
        lower, upper = -(num_empty // 2), (num_empty + 1) // 2
        score = self._thread.run(partial(self._exact_score, position, lower, upper))
        if score == 0:
            return None
        plies = num_empty + 2 - 2 * abs(score)
        return plies if plies % 2 == (score > 0) else plies - 1

    def best_action(self, state: ConnectFour) -> int:
        """An action that wins as soon as possible, or one that draws or loses as late as it can."""
        verdicts = self.solve_moves(state)
        best = max(verdicts.values())

        def plies_times_verdict(action: int) -> int:
            """Smallest for the soonest win, the latest loss, or any draw."""
            child = state.child(action)
            return 0 if child.is_terminal else best * (self.distance(child) or 0)

        return min((each for each in verdicts if verdicts[each] == best), key=plies_times_verdict)

    def _final_value(self, state: ConnectFour, player: int) -> int:
        return int(state.returns()[player])

    def _value(self, position: Position) -> int:
        score = self._searched(position, -1, 1)
        return (score > 0) - (score < 0)

    def _exact_score(self, position: Position, lower: int, upper: int) -> int:
        """The score, from `lower` to `upper`, by bisection: null windows cut off the most."""
        while lower < upper:
            middle = (lower + upper) // 2
            if self._searched(position, middle, middle + 1) > middle:
                lower = middle + 1
            else:
                upper = middle
        return lower


# Compiling


def _memory(rows: int, cols: int, table_size: int) -> Memory:
    """The arrays that the kernel fills.

    uint64 [rows * cols + 1, cols]: for each number of empty squares, the moves still to be tried.
    uint64 [table_size]: the position that a slot of the transposition table is for. int8
    [table_size, 2]: its value is at least the first, and at most the second.
    """
    return (
        np.zeros((rows * cols + 1, cols), np.uint64),
        np.zeros(table_size, np.uint64),
        np.zeros((table_size, 2), np.int8),
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
        warm_up=partial(_call_once, _memory(rows, cols, 2)),
    )


def _call_once(memory: Memory, module: ModuleType) -> None:
    """Compile the kernel: look at a board of which no square is empty."""
    own, opponent = np.uint64(module.BOARD), np.uint64(0)
    module.search(own, opponent, 0, 1, *memory, np.zeros(1, np.bool_))
