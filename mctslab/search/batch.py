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
from mctslab.search.mcts import select
from mctslab.search.node import Node
from mctslab.search.selection import SelectionRule


class VirtualLosses:
    """The losses that are counted in a tree for walks whose results are not known yet."""

    def __init__(self) -> None:
        self._before: dict[Node, tuple[int, float]] = {}

    def add(self, leaf: Node) -> None:
        """Count a visit and a loss, for its mover, at every node from `leaf` up to the root."""
        node: Node | None = leaf
        while node is not None:
            self._before.setdefault(node, (node.visit_count, node.total_value))
            node.visit_count += 1
            node.total_value -= 1.0
            node = node.parent

    def take_back(self) -> None:
        """Give every node what it had before, to the last digit; W - 1 + 1 could differ there."""
        for node, (visit_count, total_value) in self._before.items():
            node.visit_count, node.total_value = visit_count, total_value
        self._before.clear()


def gather(root: Node, rule: SelectionRule, number: int) -> list[Node]:
    """Phase 1, several times: the leaves of `number` walks down the tree, which stays as it was.

    A leaf comes twice where two walks have led to it, and so may the end of a game.
    """
    losses = VirtualLosses()
    leaves = []
    try:
        for _ in range(number):
            leaf = select(root, rule)
            losses.add(leaf)
            leaves.append(leaf)
    finally:
        losses.take_back()
    return leaves


def evaluate(
    leaves: Sequence[Node], evaluator: Evaluator, rng: np.random.Generator
) -> list[tuple[float, float]]:
    """Phases 3 and 2: what the leaves are worth; the evaluator's priors give them children.

    A leaf that comes twice is asked about once. At the end of a game nobody is asked. When the
    evaluator's answer is none, no leaf gets any children.

    Raises:
        EvaluationError: the evaluator failed.
    """
    asked = [leaf for leaf in dict.fromkeys(leaves) if not leaf.state.is_terminal]
    worth = {}
    if asked:
        evaluation = ask(evaluator, [leaf.state for leaf in asked], rng)
        assert evaluation.priors is not None
        worth = dict(zip(asked, evaluation.values, strict=True))
        for leaf, priors in zip(asked, evaluation.priors, strict=True):
            expand(leaf, priors)
    return [worth[leaf] if leaf in worth else leaf.state.returns() for leaf in leaves]


def expand(leaf: Node, priors: Sequence[float]) -> None:
    """Phase 2: add a child for every legal action, each with its prior, none with a visit."""
    leaf.children = [
        Node(parent=leaf, action=action, prior=prior)
        for action, prior in zip(leaf.untried_actions, priors, strict=True)
    ]
    leaf.untried_actions.clear()
