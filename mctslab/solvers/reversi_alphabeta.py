"""The compiled alpha-beta search of one position of Reversi: its memory, and its way to Numba."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mctslab.fast.compile.module_builder import compiled_module
from mctslab.fast.compile.translate import rules_text
from mctslab.games.reversi import Geometry, Reversi, play
from mctslab.games.rules import PASS, Position
from mctslab.search.alphabeta import WIN
from mctslab.search.knowledge.reversi import (
    TERMS,
    ReversiEvaluation,
    corner_squares,
    edge_squares,
    squares_beside,
)

LARGEST_SIZE: Final = 8
"""The longest side of a board whose squares fit into 64 bits."""

BEGIN, DONE = -2, -1
WIN_VALUE: Final = int(WIN)
MORE_THAN_ANY: Final = 4 * WIN_VALUE
PASS_SQUARE: Final = 64
NO_MOVE: Final = 127
_FIRST_TABLE_SIZE: Final = 1 << 12
_LARGEST_TABLE_SIZE: Final = 1 << 20
"""32 MB. Tables begin small and grow, because clearing a large one takes time."""

_FRAME: Final = np.dtype(
    [
        ("own", np.uint64),
        ("opponent", np.uint64),
        ("depth", np.int64),  # plies that are left down to the horizon
        ("alpha", np.int64),  # the lower bound for the player to move
        ("first_alpha", np.int64),  # the same when the position was entered
        ("beta", np.int64),  # the opponent would not let a higher value happen
        ("value", np.int64),  # of the best move so far
        ("num_moves", np.int64),
        ("next_move", np.int64),  # place in the list of the next one to be tried
        ("move", np.uint64),  # that is being tried
        ("best_move", np.uint64),
        ("table_move", np.uint64),  # that was best in an earlier search
        ("is_exact", np.bool_),  # no evaluation has contributed to the value
        ("is_on_last_line", np.bool_),  # on the principal variation of the last iteration
    ],
    align=True,
)
"""The record of one position on the current line of play."""

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


class _Memory(NamedTuple):
    """All the data of the kernel."""

    num_nodes: npt.NDArray[np.int64]
    """[1]: the number of positions that this iteration has visited."""
    stack: npt.NDArray[Any]
    """[plies] of _FRAME: the line of play."""
    moves: npt.NDArray[np.uint64]
    """[plies, 64]: the moves of each position of that line."""
    lines: npt.NDArray[np.uint64]
    """[plies, plies]: from each position of that line on, the best line of play so far."""
    line_lengths: npt.NDArray[np.int64]
    """[plies]: how long those lines are."""
    last_line: npt.NDArray[np.uint64]
    """[plies]: the principal variation of the last iteration."""
    killers: npt.NDArray[np.uint64]
    """[plies, 2]: the last moves at each ply that were too good to be allowed."""
    root_values: npt.NDArray[np.int64]
    """[65]: the value of each move of the root, if it is known."""
    root_depths: npt.NDArray[np.int64]
    """[65]: the depth of the iteration that found it."""
    weights: npt.NDArray[np.int64]
    """[terms]: of the evaluation."""
    square_ranks: npt.NDArray[np.uint64]
    """[64]: a first guess at how promising a move to each square is."""
    table: npt.NDArray[Any]
    """[slots] of _ENTRY: the transposition table; their number is a power of two."""


class _Options(NamedTuple):
    ordering: bool
    table: bool
    iteration: int


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
        _, self._geometry, position, *_ = state.compilable()
        self._kernel = kernel(self._geometry.size)
        self.squares_left = self._geometry.size**2 - (position[0] | position[1]).bit_count()
        """The number of empty squares."""
        self.longest_line = 2 * self.squares_left + 1
        """No game is longer: after each move there is at most one pass."""
        self._memory = _memory(
            self.longest_line + 2,
            evaluation.weights,
            _square_ranks(self._geometry),
            _FIRST_TABLE_SIZE if table else 1,
        )
        self._first = self._memory.stack[0]
        self._position = position
        self._options = _Options(ordering, table, 0)
        self._ply = DONE
        self.pass_action = state.pass_action

    def begin(self, depth: int) -> None:
        """Begin the iteration that looks `depth` plies ahead."""
        if self._options.table:
            self._grow_table()
        memory = self._memory
        length = memory.line_lengths[0]
        memory.last_line[:] = NO_MOVE
        memory.last_line[:length] = memory.lines[0, :length]
        memory.killers[:] = NO_MOVE
        memory.num_nodes[0] = 0
        first = self._first
        first["own"], first["opponent"] = self._position[:2]
        first["depth"] = depth
        first["alpha"], first["beta"] = -MORE_THAN_ANY, MORE_THAN_ANY
        first["is_on_last_line"] = True
        self._options = self._options._replace(iteration=depth)
        self._ply = BEGIN

    def _grow_table(self) -> None:
        """Make room for an iteration that is several times as long as the last one."""
        table = self._memory.table
        size = len(table)
        while size < min(4 * self.num_nodes, _LARGEST_TABLE_SIZE):
            size *= 2
        if size > len(table):
            larger = np.zeros(size, _ENTRY)
            self._kernel.copy_table(table, larger)
            self._memory = self._memory._replace(table=larger)

    def go_on(self, num_nodes: int) -> bool:
        """Search `num_nodes` more positions; returns whether the iteration is finished."""
        self._ply = self._kernel.advance(self._ply, num_nodes, self._memory, self._options)
        return self._ply == DONE

    @property
    def num_nodes(self) -> int:
        """How many positions this iteration has looked at."""
        return int(self._memory.num_nodes[0])

    @property
    def is_as_good(self) -> bool:
        """Whether the best move of an unfinished iteration can replace that of the last one.

        This is so once the first move has been searched, because it is the last iteration's best.
        """
        return self._options.ordering and bool(self._first["value"] > -MORE_THAN_ANY)

    @property
    def value(self) -> int:
        """The value of the best move of this iteration so far, for the player to move."""
        return int(self._first["value"])

    @property
    def is_exact(self) -> bool:
        """Whether no evaluation has contributed to it."""
        return bool(self._first["is_exact"])

    @property
    def move_values(self) -> dict[int, float]:
        """The value of each move that became the best one of this iteration when it was tried."""
        known = np.flatnonzero(self._memory.root_depths == self._first["depth"])
        return {self._action(int(move)): float(self._memory.root_values[move]) for move in known}

    def line(self) -> tuple[int, ...]:
        """The best line of play found by this iteration so far, as actions.

        Where the table has decided a position, the line continues with the moves from the table.
        """
        memory = self._memory
        line = [int(move) for move in memory.lines[0, : memory.line_lengths[0]]]
        position = self._position
        for move in line:
            position = self._after(position, move)
        depth = int(self._first["depth"])
        while self._options.table and len(line) < depth:
            own, opponent = map(np.uint64, position[:2])
            move = int(self._kernel.recalled_move(own, opponent, depth - len(line), memory.table))
            if move == NO_MOVE:
                break
            line.append(move)
            position = self._after(position, move)
        return tuple(self._action(move) for move in line)

    def _after(self, position: Position, move: int) -> Position:
        return play(position, PASS if move == PASS_SQUARE else move, self._geometry)

    def _action(self, move: int) -> int:
        return self.pass_action if move == PASS_SQUARE else move


def _memory(
    plies: int, weights: Sequence[int], square_ranks: Sequence[int], table_size: int
) -> _Memory:
    return _Memory(
        num_nodes=np.zeros(1, np.int64),
        stack=np.zeros(plies, _FRAME),
        moves=np.zeros((plies, 64), np.uint64),
        lines=np.zeros((plies, plies), np.uint64),
        line_lengths=np.zeros(plies, np.int64),
        last_line=np.full(plies, NO_MOVE, np.uint64),
        killers=np.full((plies, 2), NO_MOVE, np.uint64),
        root_values=np.zeros(PASS_SQUARE + 1, np.int64),
        root_depths=np.zeros(PASS_SQUARE + 1, np.int64),
        weights=np.array(weights, np.int64),
        square_ranks=np.array(square_ranks, np.uint64),
        table=np.zeros(table_size, _ENTRY),
    )


def _square_ranks(geometry: Geometry) -> list[int]:
    """How promising each square is: corners most, then edges, and squares next to corners least."""
    corners, edges = corner_squares(geometry), edge_squares(geometry)
    near_corners = squares_beside(corners, geometry)
    near_edges = squares_beside(edges, geometry) & ~edges
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
        {},
        entry_points=("advance", "recalled_move", "copy_table"),
        warm_up=_call_once,
    )


def _evaluate_text() -> str:
    """The evaluation, as in `ReversiEvaluation.for_mover`: weights times differences, summed up."""
    lines = ["\n\n@njit\ndef evaluate(position, weights):", "    value = 0"]
    for place, name in enumerate(TERMS):
        lines += [
            f"    if weights[{place}] != 0:",
            f"        ours, theirs = {name}(position)",
            f"        value += weights[{place}] * (np.int64(ours) - np.int64(theirs))",
        ]
    return "\n".join([*lines, "    return value\n"])


def _call_once(module: ModuleType) -> None:
    memory = _memory(2, [0] * len(TERMS), [0] * 64, table_size=2)
    module.advance(DONE, 0, memory, _Options(True, True, 0))
    module.recalled_move(np.uint64(0), np.uint64(0), 0, memory.table)
    module.copy_table(memory.table, memory.table)
