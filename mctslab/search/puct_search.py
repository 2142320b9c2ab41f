"""The search of AlphaZero: PUCT down the tree, an evaluator at the leaf, and no rollouts needed.

Silver et al., "A general reinforcement learning algorithm that masters chess, shogi, and Go through
self-play" (2018). The four phases are those of `mcts.py`, but the evaluator speaks first: a leaf is
judged by the evaluator once, which says what the position is worth, and how promising each of its
moves looks. With these priors all of its children are added, without a visit.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, SupportsIndex

import numpy as np

from mctslab.games.state import State
from mctslab.search.batch import count, evaluate, gather
from mctslab.search.budget import Budget
from mctslab.search.evaluators import Evaluator
from mctslab.search.node import Node
from mctslab.search.noise import DirichletNoise, noisy_root
from mctslab.search.result import SearchResult
from mctslab.search.reuse import root_for
from mctslab.search.selection import PUCT, SelectionRule, puct
from mctslab.search.solving import AmongUnproven, carry_up, prove_by_rules, proven_returns
from mctslab.search.transpositions import InGraph, Positions

VISITS_PER_LEAF: Final = 8
"""How many visits the root has for each leaf of a batch but the first. A batch is chosen with the
knowledge of the last one; this bounds what share of a young tree may be chosen so blindly."""


def puct_search(
    state: State,
    *,
    evaluator: Evaluator,
    num_simulations: int | None = None,
    seconds: float | None = None,
    selection: PUCT = puct(),
    batch_size: int = 1,
    noise: DirichletNoise | None = None,
    transpositions: bool = False,
    solver: bool = False,
    rng: np.random.Generator,
    root: Node | None = None,
    stop: Callable[[], bool] | None = None,
) -> SearchResult:
    """Search `state` by PUCT; the first simulation evaluates `state` itself.

    Args:
        state: the position to think about; not terminal.
        evaluator: what a leaf is worth, and the priors of its moves.
        num_simulations: the budget as a number of simulations, 1 or more.
        seconds: the budget as a time, more than 0. With both, the search ends at the first.
        selection: the constants of PUCT.
        batch_size: up to how many leaves are gathered for one call of the evaluator. A young tree
            gets smaller batches; see `batch_length`.
        noise: what is mixed into the root's priors, once and for this search only; None for none.
        transpositions: whether a position that is reached in several ways is evaluated once, and
            searched as one from there on; see `mctslab.search.transpositions`.
        solver: whether wins, draws and losses that are proven are carried up the tree, moves that
            end the game as soon as their position is expanded; see `mctslab.search.solving`. When
            the root is proven the search ends, whatever is left of its budget.
        rng: the source of chance. The same seed grows the same tree.
        root: `result.root` of an earlier search. If `state` is found in that tree (at its root,
            or below, after the move played and the reply), the subtree grows further.
        stop: is asked before every batch; when it says True the search ends at once. `state` itself
            is evaluated in any case, so that there is a best move.

    Raises:
        ValueError: no budget, one that is too small, a state at which the game is over, `solver`
            together with `transpositions`, or another argument that is not what it should be.
        EvaluationError: the evaluator failed. The tree is what it was before that batch.
        SearchRunningError: the tree of `root` is being searched already.
    """
    check_arguments(state, batch_size, rng, transpositions=transpositions, solver=solver)
    budget = Budget(num_simulations, seconds, stop)
    with root_for(state, root) as root:
        positions = Positions(root) if transpositions else None
        rule: SelectionRule = AmongUnproven(selection) if solver else selection
        if positions is not None:
            rule = InGraph(selection, positions)
        simulate = partial(_simulate, root, rule, positions, evaluator, solver, rng)
        if not root.children:
            simulate(1)
            budget.spent = 1
        try:
            with noisy_root(root, noise, rng):
                while not budget.is_spent and not (solver and root.proven is not None):
                    length = batch_length(batch_size, root.visit_count)
                    length = min(length, budget.simulations_left(otherwise=length))
                    simulate(length)
                    budget.spent += length
        finally:  # also when the evaluator fails
            if positions is not None:
                positions.unlink_unvisited()
    return SearchResult(root, num_simulations=budget.spent, seconds=budget.seconds, is_guided=True)


def _simulate(
    root: Node,
    rule: SelectionRule,
    positions: Positions | None,
    evaluator: Evaluator,
    solver: bool,
    rng: np.random.Generator,
    number: int,
) -> None:
    """One batch of `number` simulations."""
    paths = gather(root, rule, number)
    leaves = [path[-1] for path in paths]
    if positions is not None:
        leaves = [positions.first(leaf) for leaf in leaves]
    worth = evaluate(leaves, evaluator, rng)
    if solver:
        worth = proven_or_estimated(leaves, worth)
    for path, returns in zip(paths, worth, strict=True):
        count(path, returns)
    if solver:
        for path in paths:
            if path[-1].proven is not None:
                carry_up(reversed(path[:-1]))


def proven_or_estimated(
    leaves: Sequence[Node], worth: Sequence[tuple[float, float]]
) -> list[tuple[float, float]]:
    """What the leaves are worth: what the rules prove, or else what the evaluator has said."""
    for leaf in dict.fromkeys(leaves):
        prove_by_rules(leaf)
    return [
        estimate if leaf.proven is None else proven_returns(leaf)
        for leaf, estimate in zip(leaves, worth, strict=True)
    ]


def batch_length(batch_size: int, visit_count: int) -> int:
    """How many leaves the next batch has when the root has `visit_count` visits.

    >>> [batch_length(8, visit_count) for visit_count in (1, 8, 16, 100)]
    [1, 2, 3, 8]
    """
    return min(batch_size, 1 + visit_count // VISITS_PER_LEAF)


def check_arguments(
    state: State,
    batch_size: int,
    rng: np.random.Generator,
    *,
    transpositions: bool = False,
    solver: bool = False,
) -> None:
    """What both of the searches by PUCT, this one and the compiled one, ask for.

    Raises:
        ValueError: one of them is not what it should be.
    """
    if state.is_terminal:
        raise ValueError(f"There is nothing to search, the game is over:\n{state}")
    if not isinstance(batch_size, SupportsIndex) or int(batch_size) < 1:
        raise ValueError(f"batch_size={batch_size!r} is no number of leaves: 1 or more.")
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"rng={rng!r} is no source of chance: pass np.random.default_rng(1), say.")
    if transpositions and solver:
        raise ValueError(
            "transpositions=True with solver=True is not possible: proofs are carried up a tree, "
            "and not from one way to a position to the others. Leave one of them out."
        )
