"""Iterative deepening by the readable alpha-beta, for what is not compiled."""

from collections.abc import Iterator
from dataclasses import replace

from mctslab.fast.alphabeta_limits import Limits
from mctslab.fast.alphabeta_result import AlphaBetaResult, Iteration, nothing_yet
from mctslab.games.state import State
from mctslab.search.alphabeta import WIN, EvaluationFunction, MinimaxResult, alpha_beta


class _BudgetSpentError(Exception):
    """Ends a readable search in the middle of an iteration."""


class _WatchedEvaluation:
    """An evaluation that counts what it is asked, and ends the search when a limit is reached."""

    def __init__(self, evaluation: EvaluationFunction, limits: Limits, num_nodes: int) -> None:
        self._evaluation = evaluation
        self._limits = limits
        self.num_nodes = num_nodes
        self.has_guessed = False
        """Whether it was asked about a position that is not the end of a game."""

    def __call__(self, state: State) -> float:
        if self._limits.are_reached(self.num_nodes):
            raise _BudgetSpentError
        self.num_nodes += 1
        self.has_guessed = self.has_guessed or not state.is_terminal
        return self._evaluation(state)


def deepen_readably(
    state: State, limits: Limits, evaluation: EvaluationFunction, note: str
) -> Iterator[AlphaBetaResult]:
    """Search iteration by iteration; one that cannot be finished is thrown away."""
    limits.start_clock()
    result = nothing_yet(state, note)
    for depth in range(1, limits.depth + 1):
        watched = _WatchedEvaluation(evaluation, limits, result.num_nodes)
        try:
            found = alpha_beta(state, depth, watched)
        except _BudgetSpentError:
            yield replace(result, num_nodes=watched.num_nodes, seconds=limits.seconds)
            return
        result = _one_deeper(result, depth, found, limits.seconds, not watched.has_guessed)
        yield result
        is_decided = abs(result.value) > WIN / 2
        if result.is_exact or is_decided or limits.are_reached(result.num_nodes):
            return


def _one_deeper(
    result: AlphaBetaResult, depth: int, found: MinimaxResult, seconds: float, is_exact: bool
) -> AlphaBetaResult:
    """`result` with what a finished iteration has found."""
    value = found.value if result.state.current_player == 0 else -found.value
    best_action = found.best_action
    assert best_action is not None
    if value < -WIN / 2 and result.iterations:
        # All is lost. The move that did not look lost a ply earlier holds out longest.
        best_action = result.best_action
    spent = seconds - result.seconds
    iteration = Iteration(depth, found.num_nodes, spent, value, best_action)
    return replace(
        result,
        best_action=best_action,
        value=value,
        depth=depth,
        num_nodes=result.num_nodes + found.num_nodes,
        seconds=seconds,
        is_exact=is_exact,
        move_values={best_action: value},
        principal_variation=(best_action,),
        iterations=(*result.iterations, iteration),
    )
