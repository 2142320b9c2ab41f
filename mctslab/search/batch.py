"""Several leaves at once: one call of the evaluator for a whole batch of simulations.

A net takes hardly longer for eight positions than for one. But a search that knows nothing new
walks down to the same leaf again and again. So while a batch is gathered, every walk counts as
lost at the nodes that it has passed: it is a **virtual loss** (Chaslot, Winands and van den Herik,
"Parallel Monte-Carlo Tree Search", 2008). The next walk then finds another way, if there is one
that is nearly as good. When the batch is complete all virtual losses are taken back.
"""

from collections.abc import Sequence

import numpy as np

from mctslab.search.evaluators import Evaluator, ask
from mctslab.search.node import Node
from mctslab.search.selection import SelectionRule


class VirtualLosses:
    """The losses that are counted in a tree for walks whose results are not known yet."""

    def __init__(self) -> None:
        self._before: dict[Node, tuple[int, float]] = {}

    def add(self, path: Sequence[Node]) -> None:
        """Count a visit and a loss, for its mover, at every node of a walk."""
        for node in path:
            self._before.setdefault(node, (node.visit_count, node.total_value))
            node.visit_count += 1
            node.total_value -= 1.0

    def take_back(self) -> None:
        """Give every node what it had before, to the last digit; W - 1 + 1 could differ there."""
        for node, (visit_count, total_value) in self._before.items():
            node.visit_count, node.total_value = visit_count, total_value
        self._before.clear()


def walk(root: Node, rule: SelectionRule) -> list[Node]:
    """Phase 1: the nodes from the root to a leaf; at each step the rule picks the best child."""
    path = [root]
    while path[-1].is_fully_expanded and path[-1].children:
        path.append(rule.best_child(path[-1]))
    return path


def gather(root: Node, rule: SelectionRule, number: int) -> list[list[Node]]:
    """Phase 1, several times: `number` walks down the tree, which stays as it was.

    Two walks may have led to the same leaf, or to the same end of a game.
    """
    losses = VirtualLosses()
    paths = []
    try:
        for _ in range(number):
            path = walk(root, rule)
            losses.add(path)
            paths.append(path)
    finally:
        losses.take_back()
    return paths


def evaluate(
    leaves: Sequence[Node], evaluator: Evaluator, rng: np.random.Generator
) -> list[tuple[float, float]]:
    """Phases 3 and 2: what the leaves are worth; the evaluator's priors give them children.

    A leaf that comes twice is asked about once. At the end of a game nobody is asked. When the
    evaluator's answer is none, no leaf gets any children.

    Raises:
        EvaluationError: the evaluator failed.
        ValueError: the tree was not grown by `puct_search`.
    """
    asked = [leaf for leaf in dict.fromkeys(leaves) if not leaf.state.is_terminal]
    if any(leaf.children for leaf in asked):
        raise ValueError(
            "The tree of root= has nodes with some of their children, as mcts makes them: PUCT can "
            "go on from a tree of puct_search only."
        )
    worth = {}
    if asked:
        values, priors = ask(evaluator, [leaf.state for leaf in asked], rng)
        worth = dict(zip(asked, values, strict=True))
        for place, leaf in enumerate(asked):
            expand(leaf, None if priors is None else priors[place])
    return [worth[leaf] if leaf in worth else leaf.state.returns() for leaf in leaves]


def expand(leaf: Node, priors: Sequence[float] | None) -> None:
    """Phase 2: add a child for every legal action, each with its prior, none with a visit.

    Without `priors` they are all the same.
    """
    number = len(leaf.untried_actions)
    priors = [1 / number] * number if priors is None else priors
    leaf.children = [
        Node(parent=leaf, action=action, prior=prior)
        for action, prior in zip(leaf.untried_actions, priors, strict=True)
    ]
    leaf.untried_actions.clear()


def count(path: Sequence[Node], returns: tuple[float, float]) -> None:
    """Phase 4: count the result at every node of a walk, for its mover."""
    for node in path:
        node.visit_count += 1
        node.total_value += returns[node.mover]
