"""Flat Monte Carlo: rollouts divided evenly among the moves of a position, without a tree.

The compiled search does the work: it gives the root all its children at once, evaluates each by a
few rollouts and stops there. The results of all rounds are added up.
"""

from collections.abc import Callable
from typing import Final

from mctslab.fast.mcts import mcts
from mctslab.fast.running import NO_LIMIT
from mctslab.games.state import Rng, State
from mctslab.search.budget import Budget
from mctslab.search.checks import check_arguments
from mctslab.search.evaluators import RolloutPolicy, rollout_evaluator, uniform
from mctslab.search.node import Node
from mctslab.search.result import NotEnoughSimulationsError, SearchResult

ROLLOUTS_A_ROUND: Final = 16
"""The number of rollouts of each move in a round."""
_SHORT_ROUND_SECONDS: Final = 0.02
"""With a clock, the rounds get more rollouts of each move as long as they take less than this."""
_NO_SECONDS: Final = 1e-6
"""The time that is left when the time is up, because a budget cannot be 0."""


def flat_monte_carlo(
    state: State,
    *,
    num_simulations: int | None = None,
    seconds: float | None = None,
    policy: RolloutPolicy = uniform,
    rng: Rng,
    root: Node | None = None,
    stop: Callable[[], bool] | None = None,
) -> SearchResult:
    """Evaluate each move of `state` by the same number of rollouts; the best has the highest mean.

    Args:
        state: the position to think about; not terminal.
        num_simulations: the rollouts of all moves together. Each move gets an equal share, and the
            remainder of the division is not played.
        seconds: the budget as a time. When it ends within a round, that round does not count,
            unless it is the first: then some moves have no rollout.
        policy: how the rollouts are played.
        rng: a `numpy.random.Generator`, or a seed; the same seed gives the same result.
        root: `result.root` of an earlier call for this position, to continue from.
        stop: called after every round; when it returns True, the search ends.

    Raises:
        NotEnoughSimulationsError: there are fewer simulations than moves.
        ValueError: no budget, a state at which the game is over, or a root of another position.
    """
    Budget(num_simulations, seconds)
    rng = check_arguments(state, rng)
    if root is not None and root.state != state:
        raise ValueError(f"root contains the rollouts of another position:\n{root.state}")
    num_moves = len(state.legal_actions())
    if num_simulations is not None and num_simulations < num_moves:
        raise NotEnoughSimulationsError(
            f"num_simulations={num_simulations} is too few: flat Monte Carlo needs one for each of "
            f"the {num_moves} moves."
        )
    root = root or _with_all_children(state)
    note, is_spent = "", False
    most_rollouts = ROLLOUTS_A_ROUND if seconds is None else 1
    with Budget(num_simulations, seconds, stop) as budget:
        while not is_spent:
            share = budget.simulations_left(otherwise=NO_LIMIT) // num_moves
            num_rollouts = min(share, most_rollouts)
            began = budget.seconds
            judged = mcts(
                state,
                num_simulations=num_moves,
                seconds=None if seconds is None else max(budget.seconds_left, _NO_SECONDS),
                evaluator=rollout_evaluator(policy, num_rollouts),
                expansion="all",
                rng=rng,
            )
            if judged.num_simulations == num_moves or not root.visit_count:
                _add(root, judged, num_rollouts)
                budget.spent += judged.num_simulations * num_rollouts
            note = judged.note
            if budget.seconds - began < _SHORT_ROUND_SECONDS:
                most_rollouts = min(2 * most_rollouts, ROLLOUTS_A_ROUND)
            is_spent = share == num_rollouts or budget.is_spent
    return SearchResult(root, budget.spent, budget.seconds, note)


def _with_all_children(state: State) -> Node:
    """A root with a child for each move, none of them visited yet."""
    root = Node(state)
    actions, root.untried_actions[:] = root.untried_actions[:], []
    root.children = [Node(parent=root, action=each, prior=1 / len(actions)) for each in actions]
    return root


def _add(root: Node, judged: SearchResult, num_rollouts: int) -> None:
    """Count `num_rollouts` rollouts of each move that has been tried; `judged` has their means."""
    children = {child.action: child for child in root.children}
    for found in judged.children:
        if not found.visit_count:
            continue
        child = children[found.action]
        # A rollout has the value -1, 0 or 1, so rounding restores the sum before the division.
        total_value = round(found.mean_value * num_rollouts)
        for node in (child, root):
            node.visit_count += num_rollouts
            node.total_value += total_value
