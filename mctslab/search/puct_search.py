"""The search of AlphaZero: PUCT down the tree, and an evaluator at the leaf instead of a rollout.

Silver et al., "A general reinforcement learning algorithm that masters chess, shogi, and Go through
self-play" (2018). The four phases are those of `mcts.py` in another order: a leaf is evaluated
once, which gives the value of its position and a prior for each of its moves, and then all of its
children are added with these priors, unvisited.

A net evaluates eight positions in hardly more time than one, so several leaves can be gathered for
one call. So that the walks of a batch do not all end at the same leaf, each counts as lost at the
nodes that it has passed until the batch is complete: a **virtual loss** (Chaslot, Winands and van
den Herik, "Parallel Monte-Carlo Tree Search", 2008).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from mctslab.games.bitboards import is_finite
from mctslab.games.state import State, checked_moves, checked_returns
from mctslab.search.budget import Budget
from mctslab.search.checks import check_batch_size, check_brackets, check_position, evaluate
from mctslab.search.evaluators import Evaluator, history_of
from mctslab.search.node import Node
from mctslab.search.result import SearchResult
from mctslab.search.reuse import find_root, growing
from mctslab.search.selection import PUCT, SelectionRule, puct
from mctslab.search.solving import SolverSelection, carry_up, prove_by_rules, proven_returns

VISITS_PER_LEAF: Final = 8
"""How many visits the root has for each leaf of a batch after the first. It limits the share of a
young tree whose leaves are chosen without the results of the others in their batch."""


@dataclass(frozen=True, slots=True)
class DirichletNoise:
    """Noise for the priors at the root, so that the search also tries moves with low priors.

        P' = (1 - weight) * P + weight * eta,   eta drawn from Dir(alpha, alpha, ...)

    Silver et al., "Mastering the game of Go without human knowledge" (2017), Methods.

    Raises:
        ValueError: `alpha` is not above 0, or `weight` is outside [0, 1].
    """

    alpha: float = 0.03
    """The smaller it is, the fewer moves share the noise. AlphaZero takes about 10 divided by the
    number of legal moves: 0.03 in Go, 0.15 in shogi, 0.3 in chess."""
    weight: float = 0.25
    """The share of noise in the mixture, from 0 to 1; epsilon in the paper."""

    def __post_init__(self) -> None:
        if not (is_finite(self.alpha) and self.alpha > 0):
            raise ValueError(f"alpha must be above 0 and finite, got {self.alpha!r}.")
        if not (is_finite(self.weight) and 0 <= self.weight <= 1):
            raise ValueError(f"weight must be from 0 to 1, got {self.weight!r}.")

    def mixed(self, priors: list[float], rng: np.random.Generator) -> list[float]:
        """The `priors` with new noise; their sum is still 1."""
        noise = rng.dirichlet([self.alpha] * len(priors)).tolist()
        return [
            (1 - self.weight) * prior + self.weight * share
            for prior, share in zip(priors, noise, strict=True)
        ]


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
    rng: np.random.Generator,
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
        rng: the random number generator. The same seed grows the same tree.
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
    check_position(state, rng)
    check_brackets(evaluator=evaluator, selection=selection)
    check_batch_size(batch_size)
    with growing(root), Budget(num_simulations, seconds, stop) as budget:
        root = find_root(root, state, is_guided=True) or Node(state)
        rule: SelectionRule = SolverSelection(selection) if solver else selection
        simulate = partial(simulate_batch, root, rule, evaluator, rng, solver=solver, past=past)
        if not root.children:
            simulate(1)
            budget.spent = 1
        if solver:
            budget.end_when_proven(root)
        priors = [child.prior for child in root.children]
        try:
            if noise is not None:
                set_priors(root, noise.mixed(priors, rng))
            while not budget.is_spent:
                length = batch_length(batch_size, root.visit_count)
                length = min(length, budget.simulations_left(otherwise=length))
                simulate(length)
                budget.spent += length
        finally:
            set_priors(root, priors)  # those of the evaluator, for the next search of this tree
        return SearchResult(
            root, num_simulations=budget.spent, seconds=budget.seconds, is_guided=True
        )


def batch_length(batch_size: int, visit_count: int) -> int:
    """The number of leaves in the next batch when the root has `visit_count` visits.

    >>> [batch_length(8, visit_count) for visit_count in (1, 8, 16, 100)]
    [1, 2, 3, 8]
    """
    return min(batch_size, 1 + visit_count // VISITS_PER_LEAF)


def set_priors(root: Node, priors: Sequence[float]) -> None:
    """Give the children of `root` these priors."""
    for child, prior in zip(root.children, priors, strict=True):
        child.prior = prior


# A batch of simulations, and its phases


def simulate_batch(
    root: Node,
    rule: SelectionRule,
    evaluator: Evaluator,
    rng: np.random.Generator,
    number: int,
    *,
    solver: bool = False,
    past: Sequence[State] = (),
) -> None:
    """`number` simulations whose leaves are evaluated in one call."""
    paths = gather_paths(root, rule, number, solver=solver)
    returns = evaluate_leaves([path[-1] for path in paths], evaluator, rng, past)
    count_all(paths, returns, solver=solver)


def count_all(
    paths: Sequence[Sequence[Node]], returns: Sequence[tuple[float, float]], *, solver: bool
) -> None:
    """Phase 4 for every path; with `solver`, proven values replace estimates and are carried up."""
    if solver:
        returns = proven_or_estimated([path[-1] for path in paths], returns)
    for path, each in zip(paths, returns, strict=True):
        count_along(path, each)
        if solver and path[-1].proven is not None:
            carry_up(reversed(path[:-1]))


def proven_or_estimated(
    leaves: Sequence[Node], estimates: Sequence[tuple[float, float]]
) -> list[tuple[float, float]]:
    """The returns of the leaves: proven by the rules, otherwise as the evaluator estimates them."""
    for leaf in dict.fromkeys(leaves):
        if leaf.proven is None:
            prove_by_rules(leaf)
    return [
        estimate if leaf.proven is None else proven_returns(leaf)
        for leaf, estimate in zip(leaves, estimates, strict=True)
    ]


def gather_paths(
    root: Node, rule: SelectionRule, number: int, *, solver: bool = False
) -> list[list[Node]]:
    """Phase 1, `number` times: paths from the root to a leaf; the tree stays as it was.

    Several paths can lead to the same leaf, or to the same end of a game.
    """
    with virtual_losses() as count_as_lost:
        paths = []
        for _ in range(number):
            path = walk(root, rule, solver=solver)
            count_as_lost(path)
            paths.append(path)
    return paths


@contextmanager
def virtual_losses() -> Iterator[Callable[[Sequence[Node]], None]]:
    """A function that counts a visit and a loss, for its own mover, at every node of a path; at the
    end of the block they are taken back."""
    before: list[tuple[Node, float]] = []

    def count_as_lost(path: Sequence[Node]) -> None:
        for node in path:
            before.append((node, node.total_value))
            node.visit_count += 1
            node.total_value -= 1.0

    try:
        yield count_as_lost
    finally:
        for node, total_value in reversed(before):
            node.visit_count -= 1
            node.total_value = total_value  # W - 1 + 1 could differ from W in the last digit


def walk(root: Node, rule: SelectionRule, *, solver: bool = False) -> list[Node]:
    """The nodes from the root to a leaf; at each step the rule picks the best child.

    With `solver`, a node that is proven is a leaf.
    """
    path = [root]
    while path[-1].is_fully_expanded and path[-1].children:
        if solver and path[-1].proven is not None:
            break
        path.append(rule.best_child(path[-1]))
    return path


def evaluate_leaves(
    leaves: Sequence[Node],
    evaluator: Evaluator,
    rng: np.random.Generator,
    past: Sequence[State] = (),
) -> list[tuple[float, float]]:
    """Phases 3 and 2: the returns of the leaves, which get children with the evaluator's priors.

    A leaf that appears twice is evaluated once; a finished game has its result, and a leaf that is
    proven has its value. If the evaluator fails, no leaf gets any children. `past` has the
    positions before the root, for an evaluator that sees them.

    Raises:
        EvaluationError: the evaluator failed.
        ValueError: the tree was not grown by `puct_search`.
    """
    returns = {leaf: known for leaf in leaves if (known := certain_returns(leaf)) is not None}
    unique = [leaf for leaf in dict.fromkeys(leaves) if leaf not in returns]
    if any(leaf.children for leaf in unique):
        raise ValueError(
            "The tree of root= was grown by mcts, where nodes can have some of their children. "
            "puct_search needs a tree that puct_search has grown."
        )
    if unique:
        number = history_of(evaluator) - 1
        before = [positions_before(leaf, number, past) for leaf in unique] if number else []
        values, priors = evaluate([leaf.state for leaf in unique], evaluator, rng, before)
        returns |= dict(zip(unique, values, strict=True))
        for place, leaf in enumerate(unique):
            add_children(leaf, None if priors is None else priors[place])
    return [returns[leaf] for leaf in leaves]


def positions_before(leaf: Node, number: int, past: Sequence[State]) -> list[State]:
    """The last `number` positions before that of `leaf`, the newest last; `past` is before the
    root."""
    newest_first = []
    node = leaf.parent
    while node is not None:
        newest_first.append(node.state)
        node = node.parent
    return [*past, *reversed(newest_first)][-number:]


def certain_returns(leaf: Node) -> tuple[float, float] | None:
    """The returns of a leaf that needs no evaluation: it is proven, or the game is over there."""
    if leaf.proven is not None:
        return proven_returns(leaf)
    return checked_returns(leaf.state) if leaf.state.is_terminal else None


def add_children(leaf: Node, priors: Sequence[float] | None) -> None:
    """Phase 2: add an unvisited child with its prior for each legal action.

    Without `priors` they are all equal.
    """
    number = len(checked_moves(leaf.state))
    priors = [1 / number] * number if priors is None else priors
    leaf.children = [
        Node(parent=leaf, action=action, prior=prior)
        for action, prior in zip(leaf.untried_actions, priors, strict=True)
    ]
    leaf.forget_untried_actions()


def count_along(path: Sequence[Node], returns: tuple[float, float]) -> None:
    """Phase 4: count the result at every node of a path, each for its own mover."""
    for node in path:
        node.visit_count += 1
        node.total_value += returns[node.mover]
