"""The search of AlphaZero: PUCT down the tree, and an evaluator at the leaf instead of a rollout.

Silver et al., "A general reinforcement learning algorithm that masters chess, shogi, and Go through
self-play" (2018). The four phases are those of `mcts.py` in another order: a leaf is evaluated
once, which gives the value of its position and a prior for each of its moves, and then all of its
children are added with these priors, unvisited. `forest.py` has the phases.

A net evaluates eight positions in hardly more time than one, so several leaves can be gathered for
one call.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from mctslab.games.state import Rng, State
from mctslab.search.budget import Budget
from mctslab.search.checks import check_batch_size, check_parts, check_position, evaluate
from mctslab.search.evaluators import Evaluation, Evaluator, history_of
from mctslab.search.forest import BY_PUCT, Counts, Forest
from mctslab.search.node import Node
from mctslab.search.noise import DirichletNoise
from mctslab.search.result import SearchResult
from mctslab.search.reuse import find_root, growing
from mctslab.search.selection import PUCT, puct

VISITS_PER_LEAF: Final = 8
"""How many visits the root has for each leaf of a batch after the first. It limits the share of a
young tree whose leaves are chosen without the results of the others in their batch."""


def puct_search(
    state: State,
    *,
    evaluator: Evaluator,
    num_simulations: int | None = None,
    seconds: float | None = None,
    selection: PUCT = puct(),
    batch_size: int = 1,
    noise: DirichletNoise | None = None,
    solver: bool = False,
    rng: Rng,
    root: Node | None = None,
    past: Sequence[State] = (),
    stop: Callable[[], bool] | None = None,
) -> SearchResult:
    """Search `state` by PUCT; the first simulation evaluates `state` itself.

    Args:
        state: the position to search; not terminal.
        evaluator: returns the value of a leaf and the priors of its moves.
        num_simulations: the budget as a number of simulations, 1 or more.
        seconds: the budget as a time, more than 0. With both, the search ends at the first.
        selection: the constants of PUCT.
        batch_size: the largest number of leaves that are gathered for one call of the evaluator. A
            young tree gets smaller batches; see `batch_length`.
        noise: noise for the priors of the root, for this search only; None for no noise.
        solver: whether proven wins, draws and losses are carried up the tree; moves that end the
            game are proven as soon as their position is expanded. See `mctslab.search.solving`.
            When the root is proven the search ends, whatever is left of its budget.
        rng: the random number generator, or a seed. The same seed grows the same tree.
        root: `result.root` of an earlier search. If `state` is found in that tree (at its root,
            or below, after the move played and the reply), the subtree grows further.
        past: the positions of the game before `state`, the newest last. Only an evaluator that sees
            them (its `history` is above 1) needs them.
        stop: called before each batch; return True to end the search. `state` itself is always
            evaluated, so that there is a best move.

    Raises:
        ValueError: the budget is missing or too small, the game is over at `state`, or another
            argument is wrong.
        EvaluationError: the evaluator failed. The tree is what it was before that batch.
        SearchRunningError: another search is growing the tree of `root`.
    """
    rng = check_position(state, rng)
    check_parts(evaluator, selection)
    check_batch_size(batch_size)
    with growing(root), Budget(num_simulations, seconds, stop) as budget:
        root = find_root(root, state, is_guided=True) or Node(state)
        forest = Forest([[*past, state]], selection=selection, solver=solver, roots=[root])
        if not root.children:
            simulate(forest, 1, evaluator, rng)
            budget.spent = 1
        if solver:
            budget.end_when_proven(root)
        priors = [child.prior for child in root.children]
        try:
            if noise is not None:
                forest.mix_noise(0, noise, rng)
            while not budget.is_spent:
                length = batch_length(batch_size, root.visit_count)
                length = min(length, budget.simulations_left(otherwise=length))
                simulate(forest, length, evaluator, rng)
                budget.spent += length
        finally:  # those of the evaluator again, for the next search of this tree
            for child, prior in zip(root.children, priors, strict=True):
                child.prior = prior
        return SearchResult(
            root, num_simulations=budget.spent, seconds=budget.seconds, is_guided=True
        )


def batch_length(batch_size: int, visit_count: int) -> int:
    """The number of leaves in the next batch when the root has `visit_count` visits.

    >>> [batch_length(8, visit_count) for visit_count in (1, 8, 16, 100)]
    [1, 2, 3, 8]
    """
    return min(batch_size, 1 + visit_count // VISITS_PER_LEAF)


def simulate(forest: Forest, number: int, evaluator: Evaluator, rng: np.random.Generator) -> None:
    """`number` simulations in a forest of one tree, whose leaves are evaluated in one call.

    Raises:
        EvaluationError: the evaluator failed; then the tree is what it was before.
    """
    walks = forest.gather(np.zeros(number, np.int64), np.full(number, BY_PUCT))
    forest.add(walks, *evaluated(forest, walks, evaluator, rng))


def evaluated(
    forest: Forest, walks: Counts, evaluator: Evaluator, rng: np.random.Generator
) -> Evaluation:
    """What an evaluator says of the leaves of `walks`; it sees as much of their games as it asks
    for (`history`)."""
    if not len(walks):
        return Evaluation([], None)
    history = history_of(evaluator)
    before = [forest.positions_on(walk)[:-1][1 - history :] for walk in walks if history > 1]
    return evaluate(forest.leaves(walks), evaluator, rng, before)
