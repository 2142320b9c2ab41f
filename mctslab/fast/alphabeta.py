"""Alpha-beta with a budget: iterative deepening, and for Reversi compiled.

It looks one ply ahead, then two, then three, until the budget is spent (Slate and Atkin 1977). So
there is a move at any time, and each iteration tells the next one which moves to try first.
"""

from collections.abc import Callable, Iterator
from typing import Final

from mctslab.fast.alphabeta_iterations import deepen_and_solve, deepen_to
from mctslab.fast.alphabeta_limits import Limits
from mctslab.fast.alphabeta_readable import deepen_readably
from mctslab.fast.alphabeta_result import AlphaBetaResult
from mctslab.fast.alphabeta_search import LARGEST_SIZE, ReversiSearch, kernel
from mctslab.fast.endgame import EndgameSolver
from mctslab.games.reversi import Reversi
from mctslab.games.state import State
from mctslab.search.alphabeta import EvaluationFunction, no_evaluation
from mctslab.search.knowledge.reversi import ReversiEvaluation

SOLVE_FROM: Final = 12
"""With so few empty squares the endgame is solved, unless you say otherwise."""


def alphabeta(
    state: State,
    *,
    depth: int | None = None,
    num_nodes: int | None = None,
    seconds: float | None = None,
    evaluation: EvaluationFunction | None = None,
    ordering: bool = True,
    table: bool = True,
    solve_from: int = SOLVE_FROM,
    stop: Callable[[], bool] | None = None,
) -> AlphaBetaResult:
    """Search `state` by alpha-beta, deeper and deeper, until the first of the budgets is spent.

    There is always a move: that of the last finished iteration, or a better one that the unfinished
    one has found. The search ends early where nothing is left to guess.

    It is compiled for Reversi on 8 x 8 or less and a `ReversiEvaluation`. Anything else is left to
    the readable `search.alpha_beta`, without ordering and table; `note` says so.

    Args:
        state: the position to think about; not terminal.
        depth: look so many plies ahead, from 1 to MAXIMUM_DEPTH, and no further.
        num_nodes: look at so many positions, 1 or more; in the readable search, so many leaves.
        seconds: think so long, more than 0.
        evaluation: judges the positions at the horizon, for player 0; by default
            `ReversiEvaluation()` for Reversi, and nothing (0 everywhere) for other games.
        ordering: try promising moves first. Without it, moves are tried in the order of actions.
        table: remember positions, for when they are met again.
        solve_from: with so many empty squares or fewer, a position of Reversi is solved to the end
            (`fast.endgame`), whatever `depth` says; 0 for never. Not with a budget of nodes.
        stop: is asked many times a second; when it says True, the search ends.

    Raises:
        ValueError: the game is over, there is no budget, or one that is too small.

    >>> alphabeta(Reversi(), depth=3).depth
    3
    """
    for result in deepen(
        state,
        depth=depth,
        num_nodes=num_nodes,
        seconds=seconds,
        evaluation=evaluation,
        ordering=ordering,
        table=table,
        solve_from=solve_from,
        stop=stop,
    ):
        last = result
    return last


def deepen(
    state: State,
    *,
    depth: int | None = None,
    num_nodes: int | None = None,
    seconds: float | None = None,
    evaluation: EvaluationFunction | None = None,
    ordering: bool = True,
    table: bool = True,
    solve_from: int = SOLVE_FROM,
    stop: Callable[[], bool] | None = None,
) -> Iterator[AlphaBetaResult]:
    """What `alphabeta` knows so far: after each iteration, and about ten times a second.

    The last result is what `alphabeta` answers; arguments and errors are the same. Who stops
    listening stops the search.
    """
    if state.is_terminal:
        raise ValueError(f"There is nothing to search, the game is over:\n{state}")
    limits = Limits(depth, num_nodes, seconds, stop)
    reason = why_readable(state, evaluation)
    if reason:
        if evaluation is None:
            evaluation = ReversiEvaluation() if isinstance(state, Reversi) else no_evaluation
        return deepen_readably(state, limits, evaluation, f"In plain Python: {reason}.")
    assert isinstance(state, Reversi)
    assert isinstance(evaluation, ReversiEvaluation | None)
    search = ReversiSearch(state, evaluation or ReversiEvaluation(), ordering=ordering, table=table)
    if num_nodes is None and search.squares_left <= solve_from:
        solver = EndgameSolver(state.board().rows, stop=lambda: limits.are_reached(0))
        return deepen_and_solve(state, limits, search, solver)
    return deepen_to(limits.depth, state, limits, search)


def why_readable(state: State, evaluation: EvaluationFunction | None = None) -> str:
    """Why the search of `state` is not compiled, in half a sentence; empty where it is."""
    if not isinstance(state, Reversi) or state.rules is not Reversi.rules:
        return "only alpha-beta of Reversi is compiled"
    if state.pass_action > LARGEST_SIZE**2:
        return "the board has more squares than the 64 bits of a word"
    if not isinstance(evaluation, ReversiEvaluation | None):
        return "the evaluation is no ReversiEvaluation"
    return ""


def prepare(state: State, evaluation: EvaluationFunction | None = None) -> None:
    """Compile the search for the game of `state`, or load it, so that no search waits for it."""
    if not why_readable(state, evaluation):
        size = state.board().rows
        kernel(size)
        EndgameSolver(size)
