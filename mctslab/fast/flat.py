"""Flat Monte Carlo: rollouts divided evenly among the moves of a position, without a tree.

Every round plays the same number of rollouts of each move, by the compiled search if possible.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from mctslab.fast.compile.recipes import compilable
from mctslab.fast.mcts import classes_of, compiled_search, tables
from mctslab.fast.nodes import node_record, num_kept_words
from mctslab.fast.running import NO_LIMIT, SlowSearchWarning, random_state_from
from mctslab.fast.tree import plant
from mctslab.games.state import Rng, State, endless
from mctslab.search.budget import Budget
from mctslab.search.checks import check_arguments
from mctslab.search.evaluators import RolloutPolicy, rollout, rollout_evaluator, uniform
from mctslab.search.node import Node
from mctslab.search.result import NotEnoughSimulationsError, SearchResult
from mctslab.search.selection import ucb1

ROLLOUTS_A_ROUND: Final = 16
"""The number of rollouts of each move in a round."""
_SHORT_ROUND_SECONDS: Final = 0.02
"""With a clock, the rounds get more rollouts of each move as long as they take less than this."""


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
    play, note = _rollouts(state, policy, rng)
    most_rollouts, is_spent = ROLLOUTS_A_ROUND if seconds is None else 1, False
    with Budget(num_simulations, seconds, stop) as budget:
        while not is_spent:
            share = budget.simulations_left(otherwise=NO_LIMIT) // num_moves
            num_rollouts, began = min(share, most_rollouts), budget.seconds
            totals: dict[Node, float] = {}
            for child in _shuffled(root.children, rng):
                if not totals or budget.seconds_left:
                    totals[child] = play(child.state, num_rollouts)
            if len(totals) == num_moves or not root.visit_count:
                _add(totals, num_rollouts)
                budget.spent += len(totals) * num_rollouts
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


def _shuffled(children: Sequence[Node], rng: np.random.Generator) -> list[Node]:
    """The moves in random order: if the time ends in the first round, none is preferred."""
    left = list(children)
    return [left.pop(int(rng.random() * len(left))) for _ in children]


def _add(totals: Mapping[Node, float], num_rollouts: int) -> None:
    """Count `num_rollouts` rollouts of each move, given the sums of their values for player 0."""
    for child, total in totals.items():
        for node in (child, child.parent):
            assert node is not None
            node.visit_count += num_rollouts
            node.total_value += total if child.mover == 0 else 0.0 - total


def _rollouts(
    state: State, policy: RolloutPolicy, rng: np.random.Generator
) -> tuple[Callable[[State, int], float], str]:
    """A function that plays some rollouts from a position and returns the sum of their values for
    player 0; and why it is slow, if it is not compiled."""
    compiled = compiled_search(state, rollout_evaluator(policy), ucb1(), None, rng, solver=False)
    if isinstance(compiled, str):
        warnings.warn(f"The readable search is used: {compiled}.", SlowSearchWarning, stacklevel=3)

        def play(position: State, number: int) -> float:
            return sum(rollout(position, policy, rng)[0] for _ in range(number))

        return play, f"In plain Python: {compiled}."

    _, engine = compiled
    record, rule = node_record(num_kept_words(compiled[0])), (1.0, *tables(), classes_of(policy))

    def play_compiled(position: State, number: int) -> float:
        """In a tree without room for a second node, all simulations are rollouts from the root."""
        arrays = plant([position], [compilable(position)], 1, record)
        nodes, counters, start, words = (array[0] for array in arrays)
        with random_state_from(rng) as random_state:
            done = engine.search(
                nodes, counters, start, words, random_state, number, *rule, 1, False
            )
        if done < 0:
            raise endless(state)
        total = float(nodes[0]["total_value"])
        return total if nodes[0]["mover"] == 0 else 0.0 - total

    return play_compiled, ""
