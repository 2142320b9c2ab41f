"""Alpha-beta with a budget: iterative deepening, compiled for Reversi.

It looks one ply ahead, then two, then three, until the budget is spent (Slate and Atkin 1977). So
there is a move at any time, and each iteration shows the next one which moves to try first.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from mctslab.games.bitboards import checked_size
from mctslab.games.reversi import Reversi
from mctslab.games.state import State
from mctslab.search.alphabeta import (
    MAXIMUM_DEPTH,
    WIN,
    EvaluationFunction,
    alpha_beta,
    no_evaluation,
)
from mctslab.search.budget import MOST_SIMULATIONS, Budget, checked_seconds
from mctslab.search.checks import check_state
from mctslab.search.knowledge.reversi import ReversiEvaluation
from mctslab.solvers.alphabeta_result import AlphaBetaResult, Iteration
from mctslab.solvers.reversi_alphabeta import LARGEST_SIZE, TO_THE_END, iterations, kernel

SOLVE_FROM: Final = 12
"""With this many empty squares or fewer the endgame is solved by default."""

_DEPTH_BEFORE_SOLVING: Final = 6
"""So that there is a move if time is up before the game is solved."""


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
) -> AlphaBetaResult:
    """Search `state` by alpha-beta, deeper and deeper, until the first of the budgets is spent.

    There is always a move: that of the last finished iteration, or a better one that the unfinished
    one has found. The search ends early if the value is exact.

    It is compiled for Reversi on 8 x 8 or less and a `ReversiEvaluation`. Anything else is left to
    the readable `search.alpha_beta`, without ordering and table; `note` says so.

    Args:
        state: the position to think about; not terminal.
        depth: the largest number of plies to look ahead, from 1 to MAXIMUM_DEPTH.
        num_nodes: the largest number of positions to visit, 1 or more; leaves in the readable
            search.
        seconds: the time to think, more than 0.
        evaluation: evaluates the positions at the horizon, for player 0; by default
            `ReversiEvaluation()` for Reversi, and 0 everywhere for other games.
        ordering: try promising moves first. Without it, moves are tried in the order of actions.
        table: remember positions in case they are reached again.
        solve_from: a position of Reversi with at most this many empty squares is solved to the end,
            whatever `depth` is; 0 for never. Not with a budget of nodes.

    Raises:
        ValueError: the game is over, there is no budget, or it is too small.

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
) -> Iterator[AlphaBetaResult]:
    """The results of `alphabeta` so far: after each iteration, and about ten times a second.

    The last one is what `alphabeta` returns; arguments and errors are the same.
    """
    check_state(state)
    check_limits(depth, num_nodes, seconds)
    depth = depth or MAXIMUM_DEPTH
    num_nodes = num_nodes or MOST_SIMULATIONS
    reason = why_readable(state, evaluation)
    if reason:
        if evaluation is None:
            evaluation = ReversiEvaluation() if isinstance(state, Reversi) else no_evaluation
        note = f"In plain Python: {reason}."
        return _deepen_readably(state, depth, Budget(num_nodes, seconds), evaluation, note)
    assert isinstance(state, Reversi)
    assert isinstance(evaluation, ReversiEvaluation | None)
    depths = [*range(1, depth + 1)]
    num_empty = state.pass_action - sum(state.disc_counts())
    if num_nodes == MOST_SIMULATIONS and num_empty <= solve_from:
        depths = [*depths[:_DEPTH_BEFORE_SOLVING], TO_THE_END]
    evaluation, budget = evaluation or ReversiEvaluation(), Budget(num_nodes, seconds)
    return iterations(state, depths, budget, evaluation, ordering=ordering, table=table)


def check_limits(depth: int | None, num_nodes: int | None, seconds: float | None) -> None:
    """ValueError if nothing limits a search, or a limit is out of range."""
    if depth is None and num_nodes is None and seconds is None:
        raise ValueError(
            "The search needs a budget, such as depth=6, num_nodes=100_000 or seconds=2."
        )
    if depth is not None:
        checked_size("depth", depth, 1, MAXIMUM_DEPTH)
    if num_nodes is not None:
        checked_size("num_nodes", num_nodes, 1, MOST_SIMULATIONS)
    if seconds is not None:
        checked_seconds(seconds)


def why_readable(state: State, evaluation: EvaluationFunction | None = None) -> str:
    """Why the search of `state` is not compiled, in half a sentence; empty if it is."""
    if not isinstance(state, Reversi) or state.rules is not Reversi.rules:
        return "only alpha-beta of Reversi is compiled"
    if state.pass_action > LARGEST_SIZE**2:
        return "the board has more squares than fit into 64 bits"
    if not isinstance(evaluation, ReversiEvaluation | None):
        return "the evaluation is not a ReversiEvaluation"
    return ""


def prepare_alphabeta(state: State, evaluation: EvaluationFunction | None = None) -> None:
    """Compile the search for the game of `state`, or load it, so that no search waits for it."""
    if not why_readable(state, evaluation):
        kernel(state.board().rows)


# The readable search, for games and evaluations that are not compiled


class _BudgetSpentError(Exception):
    """Ends a readable search in the middle of an iteration."""


def _deepen_readably(
    state: State, last_depth: int, budget: Budget, evaluation: EvaluationFunction, note: str
) -> Iterator[AlphaBetaResult]:
    """Search iteration by iteration; one that cannot be finished is discarded."""
    result = AlphaBetaResult(state, state.legal_actions()[0], note=note)
    has_guessed = False  # whether the evaluation was called before the end of a game

    def watched(here: State) -> float:
        nonlocal has_guessed
        if budget.is_spent:
            raise _BudgetSpentError
        budget.spent += 1
        has_guessed = has_guessed or not here.is_terminal
        return evaluation(here)

    for depth in range(1, last_depth + 1):
        has_guessed = False
        try:
            found = alpha_beta(state, depth, watched)
        except _BudgetSpentError:
            yield replace(result, num_nodes=budget.spent, seconds=budget.seconds)
            return
        value = found.value if state.current_player == 0 else -found.value
        # If everything loses, the move that did not look lost one ply earlier loses latest.
        is_lost = value < -WIN / 2 and result.iterations
        best_action = result.best_action if is_lost else found.best_action
        assert best_action is not None
        seconds = budget.seconds
        iteration = Iteration(depth, found.num_nodes, seconds - result.seconds, value, best_action)
        result = replace(
            result,
            best_action=best_action,
            value=value,
            depth=depth,
            num_nodes=result.num_nodes + found.num_nodes,
            seconds=seconds,
            is_exact=not has_guessed,
            principal_variation=(best_action,),
            iterations=(*result.iterations, iteration),
        )
        yield result
        is_decided = abs(value) > WIN / 2
        if result.is_exact or is_decided or budget.is_spent:
            return
