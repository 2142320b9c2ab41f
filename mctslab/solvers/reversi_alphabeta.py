"""The compiled alpha-beta search of one position of Reversi, iteration by iteration."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from mctslab.fast.compile.module_builder import compiled_module
from mctslab.fast.compile.translate import rules_text
from mctslab.games.reversi import Geometry, Reversi
from mctslab.search.alphabeta import WIN
from mctslab.search.budget import MOST_SIMULATIONS, Budget
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

_SECONDS_BETWEEN_RESULTS: Final = 0.1

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


def iterations(
    state: Reversi,
    depths: Iterable[int],
    budget: Budget,
    evaluation: ReversiEvaluation,
    *,
    ordering: bool,
    table: bool,
) -> Iterator[AlphaBetaResult]:
    """Search deeper and deeper; yields the result so far about ten times a second, and at the end
    of each iteration.

    Args:
        state: the position to search, not terminal; on a board of 8 x 8 or less.
        depths: the number of plies of each iteration; the last can be TO_THE_END. An exact value
            ends the search earlier.
        budget: of positions and of time.
        evaluation: evaluates the positions at the horizon.
        ordering: whether promising moves are tried first.
        table: whether there is a transposition table.
    """
    _, geometry, position, *_ = state.compilable()
    own, opponent = map(np.uint64, position[:2])
    compiled, thread = kernel(geometry.size), Stoppable()
    memories, entries = new_memory(geometry, _FIRST_TABLE_SIZE if table else 2)
    memory = memories[0]
    memory["has_ordering"], memory["has_table"] = ordering, table
    memory["weights"], memory["num_nodes"] = evaluation.weights, 0

    def iterate(entries: Array) -> None:
        window = -MORE_THAN_ANY, MORE_THAN_ANY
        compiled.search(own, opponent, *window, memories, entries, thread.is_stopped)

    result = AlphaBetaResult(state, state.legal_actions()[0])
    for depth in depths:
        if table:  # an iteration is several times as long as the last one
            num_slots = 4 * memory["num_nodes"] if depth < TO_THE_END else LATE_TABLE_SIZE
            entries = _grown(entries, num_slots, compiled)
        _begin(memory, depth, budget.simulations_left(otherwise=0))
        finished = result
        with thread.start(partial(iterate, entries)) as has_ended:
            while not has_ended() and not budget.is_spent:
                if budget.seconds - result.seconds > _SECONDS_BETWEEN_RESULTS:
                    num_nodes = finished.num_nodes + int(memory["num_nodes"])
                    result = replace(finished, num_nodes=num_nodes, seconds=budget.seconds)
                    yield result
        budget.spent += int(memory["num_nodes"])
        result = _improved(finished, memory, budget.seconds)
        yield result
        if memory["is_over"] or result.is_exact or budget.is_spent:
            return


def _begin(memory: Any, depth: int, most_nodes: int) -> None:
    """Set up an iteration of this depth, which ends when it has visited so many positions."""
    length = memory["line_lengths"][0]
    memory["last_line"][:] = NO_MOVE
    memory["last_line"][:length] = memory["lines"][0, :length]
    memory["killers"][:] = NO_MOVE
    memory["num_nodes"], memory["most_nodes"] = 0, most_nodes
    memory["depth"] = depth


def _grown(table: Array, num_slots: int, compiled: ModuleType) -> Array:
    """The table with room for `num_slots`, if there are not too many."""
    size = len(table)
    while size < min(num_slots, _LARGEST_TABLE_SIZE):
        size *= 2
    if size == len(table):
        return table
    larger = np.zeros(size, _ENTRY)
    compiled.copy_table(table, larger)
    return larger


def _improved(before: AlphaBetaResult, memory: Any, seconds: float) -> AlphaBetaResult:
    """`before`, the result of the iterations before, after this one.

    The best move of an unfinished iteration replaces that of the one before if its first move has
    been searched, because with ordering that is the best one of before.
    """
    num_nodes, value = int(memory["num_nodes"]), int(memory["value"])
    result = replace(before, num_nodes=before.num_nodes + num_nodes, seconds=seconds)
    if memory["is_over"] and not (memory["has_ordering"] and value > -MORE_THAN_ANY):
        return result
    moves = memory["lines"][0, : memory["line_lengths"][0]].tolist()
    pass_action = result.state.num_actions - 1
    line = tuple(pass_action if move == PASS_SQUARE else move for move in moves)
    result = replace(result, best_action=line[0], value=float(value), principal_variation=line)
    if memory["is_over"]:
        return result
    depth, is_exact = int(memory["depth"]), bool(memory["is_exact"])
    if depth == TO_THE_END:
        return replace(result, is_exact=True, note="Solved to the end of the game.")
    iteration = Iteration(depth, num_nodes, seconds - before.seconds, value, line[0])
    found = (*before.iterations, iteration)
    return replace(result, depth=depth, is_exact=is_exact, iterations=found)


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
