"""The compiled alpha-beta search of one position of Reversi, iteration by iteration."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from mctslab.fast.compile.module_builder import compiled_module
from mctslab.fast.compile.translate import rules_text
from mctslab.games.reversi import Geometry, Reversi
from mctslab.search.alphabeta import WIN
from mctslab.search.budget import MOST_SIMULATIONS
from mctslab.search.knowledge.reversi import (
    TERMS,
    ReversiEvaluation,
    corner_squares,
    edge_squares,
    squares_beside,
)
from mctslab.solvers.alphabeta_result import AlphaBetaResult, Iteration
from mctslab.solvers.stopping import Stoppable

Array: TypeAlias = npt.NDArray[Any]

LARGEST_SIZE: Final = 8
"""The longest side of a board whose squares fit into 64 bits."""

WIN_VALUE: Final = int(WIN)
MORE_THAN_ANY: Final = 4 * WIN_VALUE
TO_THE_END: Final = 255
"""The depth of a search without a horizon, larger than any other."""
FEW: Final = 6
"""With this many empty squares or fewer, such a search uses neither a list of moves nor the table.
"""
PASS_SQUARE: Final = 64
NO_MOVE: Final = 127
_FIRST_TABLE_SIZE: Final = 1 << 12
_LARGEST_TABLE_SIZE: Final = 1 << 20
"""32 MB. Tables begin small and grow, because clearing a large one takes time."""
LATE_TABLE_SIZE: Final = 1 << 17
"""Slots for a search to the end, a power of two: 4 MB. They affect how long it takes, but never its
answer."""

_PLIES: Final = 2 * LARGEST_SIZE**2
"""No game is longer: after each move there is at most one pass."""

_MEMORY: Final = np.dtype(
    [
        ("depth", np.int64),  # the number of plies that this iteration looks ahead
        ("num_nodes", np.int64),  # that it has visited
        ("most_nodes", np.int64),  # that it is allowed to visit
        ("is_over", np.bool_),  # it was stopped, or has visited that number
        ("value", np.int64),  # of the best move of the root so far
        ("is_exact", np.bool_),  # whether no evaluation has contributed to it
        ("has_ordering", np.bool_),
        ("has_table", np.bool_),
        ("moves", np.uint64, (_PLIES, 64)),  # of each position of the current line of play
        ("lines", np.uint8, (_PLIES, _PLIES)),  # from each of them on, the best line so far
        ("line_lengths", np.int64, _PLIES),
        ("last_line", np.uint8, _PLIES),  # the principal variation of the last iteration
        ("killers", np.uint8, (_PLIES, 2)),  # the last moves at each ply that were too good
        ("weights", np.int64, len(TERMS)),  # of the evaluation
        ("square_ranks", np.uint64, 64),  # a first guess at how promising each square is
    ],
    align=True,
)
"""What a search reads and writes, besides the table."""

_ENTRY: Final = np.dtype(
    [
        ("own", np.uint64),
        ("opponent", np.uint64),
        ("value", np.int32),
        ("depth", np.int16),
        ("iteration", np.int16),
        ("best_move", np.uint8),
        ("bound", np.uint8),
        ("is_exact", np.bool_),
    ],
    align=True,
)
"""An entry of the transposition table."""


class ReversiSearch:
    """Alpha-beta of one position, one iteration after the other; remembers what it has found.

    Args:
        state: the position to search, not terminal; on a board of 8 x 8 or less.
        evaluation: evaluates the positions at the horizon.
        ordering: whether promising moves are tried first.
        table: whether there is a transposition table.
    """

    def __init__(
        self, state: Reversi, evaluation: ReversiEvaluation, *, ordering: bool, table: bool
    ) -> None:
        _, geometry, position, *_ = state.compilable()
        self._kernel = kernel(geometry.size)
        self.squares_left = geometry.size**2 - (position[0] | position[1]).bit_count()
        """The number of empty squares."""
        self._position = position
        self._pass_action = state.pass_action
        self._thread = Stoppable()
        size = _FIRST_TABLE_SIZE if table else 2
        self._memories, self._table = new_memory(geometry, size)
        memory = self._memory = self._memories[0]
        memory["has_ordering"], memory["has_table"] = ordering, table
        memory["weights"] = evaluation.weights

    def iterate(self, depth: int, most_nodes: int) -> AbstractContextManager[Callable[[], bool]]:
        """Run the iteration that looks `depth` plies ahead in a thread, as `Stoppable.start` does.

        Args:
            depth: 1 or more; one more than that of the last iteration, or TO_THE_END.
            most_nodes: the iteration also ends when it has visited this number of positions.
        """
        memory = self._memory
        if memory["has_table"]:  # an iteration is several times as long as the last one
            self._grow_table(4 * self.num_nodes if depth < TO_THE_END else LATE_TABLE_SIZE)
        length = memory["line_lengths"][0]
        memory["last_line"][:] = NO_MOVE
        memory["last_line"][:length] = memory["lines"][0, :length]
        memory["killers"][:] = NO_MOVE
        memory["num_nodes"], memory["most_nodes"] = 0, most_nodes
        memory["depth"] = depth
        return self._thread.start(self._iterate)

    def _iterate(self) -> None:
        own, opponent = map(np.uint64, self._position[:2])
        memory, window = (self._memories, self._table), (-MORE_THAN_ANY, MORE_THAN_ANY)
        self._kernel.search(own, opponent, *window, *memory, self._thread.is_stopped)

    def _grow_table(self, num_slots: int) -> None:
        """Make room for `num_slots`, if there are not too many."""
        size = len(self._table)
        while size < min(num_slots, _LARGEST_TABLE_SIZE):
            size *= 2
        if size > len(self._table):
            larger = np.zeros(size, _ENTRY)
            self._kernel.copy_table(self._table, larger)
            self._table = larger

    @property
    def num_nodes(self) -> int:
        """The number of positions that this iteration has visited."""
        return int(self._memory["num_nodes"])

    @property
    def is_finished(self) -> bool:
        """Whether the last iteration has come to its end."""
        return not self._memory["is_over"]

    def improved(self, before: AlphaBetaResult, seconds: float) -> AlphaBetaResult:
        """`before`, the result of the iterations before, after this one.

        The best move of an unfinished iteration replaces that of the one before if its first move
        has been searched, because with ordering that is the best one of before.
        """
        memory = self._memory
        value, depth = int(memory["value"]), int(memory["depth"])
        result = replace(before, num_nodes=before.num_nodes + self.num_nodes, seconds=seconds)
        if not self.is_finished and not (memory["has_ordering"] and value > -MORE_THAN_ANY):
            return result
        moves = memory["lines"][0, : memory["line_lengths"][0]].tolist()
        line = tuple(self._pass_action if move == PASS_SQUARE else move for move in moves)
        result = replace(result, best_action=line[0], value=float(value), principal_variation=line)
        if not self.is_finished:
            return result
        if depth == TO_THE_END:
            return replace(result, is_exact=True, note="Solved to the end of the game.")
        iteration = Iteration(depth, self.num_nodes, seconds - before.seconds, value, line[0])
        iterations, is_exact = (*before.iterations, iteration), bool(memory["is_exact"])
        return replace(result, depth=depth, is_exact=is_exact, iterations=iterations)


def new_memory(geometry: Geometry, table_size: int) -> tuple[Array, Array]:
    """The arrays that a search to the end fills: _MEMORY [1] and _ENTRY [table_size].

    `table_size` is a power of two.
    """
    memories = np.zeros(1, _MEMORY)
    memory = memories[0]
    memory["depth"], memory["most_nodes"] = TO_THE_END, MOST_SIMULATIONS
    memory["has_ordering"] = memory["has_table"] = True
    memory["killers"][:] = memory["last_line"][:] = NO_MOVE
    memory["square_ranks"] = _square_ranks(geometry)
    return memories, np.zeros(table_size, _ENTRY)


def _square_ranks(geometry: Geometry) -> list[int]:
    """How promising each square is: corners most, then edges, and squares next to corners least."""
    corners, edges = corner_squares(geometry), edge_squares(geometry)
    near_corners = squares_beside(corners, geometry)
    near_edges = squares_beside(edges, geometry)
    ranks = []
    for square in range(64):
        bit = 1 << square
        if bit & corners:
            ranks.append(400)
        elif bit & near_corners:
            ranks.append(40 if bit & edges else 0)
        elif bit & edges:
            ranks.append(110)
        else:
            ranks.append(80 if bit & near_edges else 100)
    return ranks


# Compiling


@cache
def kernel(size: int) -> ModuleType:
    """The compiled functions of `kernels/alphabeta.py` for one size of board."""
    game = Reversi(size).compilable()
    return compiled_module(
        "alphabeta",
        rules_text(game, TERMS.values()) + _evaluate_text(),
        Path(__file__).parent / "kernels" / "alphabeta.py",
        {"BOARD": np.uint64(game.geometry.board)},
        entry_points=("search", "copy_table"),
        warm_up=_call_once,
    )


def _evaluate_text() -> str:
    """The evaluation for the player to move, as in `ReversiEvaluation`: weights by differences."""
    lines = ["\n\n@njit\ndef evaluate(position, weights):", "    value = 0"]
    for place, name in enumerate(TERMS):
        lines += [
            f"    if weights[{place}] != 0:",
            f"        ours, theirs = {name}(position)",
            f"        value += weights[{place}] * (np.int64(ours) - np.int64(theirs))",
        ]
    return "\n".join([*lines, "    return value\n"])


def _call_once(module: ModuleType) -> None:
    zero, table = np.uint64(0), np.zeros(2, _ENTRY)
    module.search(zero, zero, 0, 1, np.zeros(1, _MEMORY), table, np.ones(1, np.bool_))
    module.copy_table(table, table)
