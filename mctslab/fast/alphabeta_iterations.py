"""The compiled alpha-beta of Reversi: iteration by iteration, and to the end where it is near."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from mctslab.fast.alphabeta_limits import Limits
from mctslab.fast.alphabeta_result import AlphaBetaResult, Iteration, end_value, nothing_yet
from mctslab.fast.alphabeta_search import ReversiSearch
from mctslab.fast.endgame import EndgameSolver
from mctslab.fast.solver import SolverStoppedError
from mctslab.games.reversi import Reversi

_SECONDS_BETWEEN_RESULTS: Final = 0.1
_DEPTH_BEFORE_SOLVING: Final = 6


def deepen_to(
    last_depth: int, state: Reversi, limits: Limits, search: ReversiSearch
) -> Iterator[AlphaBetaResult]:
    """Search iteration by iteration, in pieces short enough to keep to the limits."""
    limits.start_clock()
    result = nothing_yet(state)
    for depth in range(1, min(last_depth, search.longest_line) + 1):
        finished = result
        is_over = is_finished = False
        search.begin(depth)
        while not is_over and not is_finished:
            num_nodes = finished.num_nodes + search.num_nodes
            is_finished = search.go_on(limits.next_chunk(num_nodes))
            num_nodes = finished.num_nodes + search.num_nodes
            is_over = limits.are_reached(num_nodes)
            is_due = limits.seconds - result.seconds > _SECONDS_BETWEEN_RESULTS
            if is_finished or is_over or is_due:
                result = _so_far(finished, search, depth, is_finished, limits.seconds)
                yield result
        if is_over or result.is_exact:
            return


def _so_far(
    finished: AlphaBetaResult, search: ReversiSearch, depth: int, is_finished: bool, seconds: float
) -> AlphaBetaResult:
    """What is known after a piece of the iteration to `depth`; `finished` are those before it."""
    result = replace(finished, num_nodes=finished.num_nodes + search.num_nodes, seconds=seconds)
    if not is_finished and not search.is_as_good:
        return result
    line = search.line()
    result = replace(
        result,
        best_action=line[0],
        value=float(search.value),
        move_values=search.move_values,
        principal_variation=line,
    )
    if not is_finished:
        return result
    spent = seconds - finished.seconds
    iteration = Iteration(depth, search.num_nodes, spent, result.value, result.best_action)
    return replace(
        result,
        depth=depth,
        is_exact=search.is_exact,
        iterations=(*finished.iterations, iteration),
    )


# Near the end of the game


def deepen_and_solve(
    state: Reversi, limits: Limits, search: ReversiSearch, solver: EndgameSolver
) -> Iterator[AlphaBetaResult]:
    """Look a few plies ahead, so that there is a move, and then to the end of the game."""
    depth = min(limits.depth, _DEPTH_BEFORE_SOLVING)
    for result in deepen_to(depth, state, limits, search):
        yield result
    if not result.is_exact and not limits.are_reached(result.num_nodes):
        yield _solved(state, result, limits, solver)


def _solved(
    state: Reversi, result: AlphaBetaResult, limits: Limits, solver: EndgameSolver
) -> AlphaBetaResult:
    """`result` with what is certain; as it was, but for the time, where that is up before."""
    try:
        discs = solver.solve_moves(state)
    except SolverStoppedError:
        discs = {}
    result = replace(
        result, num_nodes=result.num_nodes + solver.num_positions, seconds=limits.seconds
    )
    if not discs:
        return result
    values = {action: end_value(number) for action, number in discs.items()}
    best_action = max(values, key=lambda action: values[action])
    return replace(
        result,
        best_action=best_action,
        value=values[best_action],
        is_exact=True,
        move_values=values,
        principal_variation=(best_action,),
        note="Solved to the end of the game.",
    )
