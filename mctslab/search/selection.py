"""Which child to go to: the rules of the selection phase."""

import math
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from mctslab.search.node import Node


class Score(NamedTuple):
    """Why a child is worth a visit, in the two parts that its score is the sum of."""

    exploitation: float
    """How well the move has done so far."""
    exploration: float
    """The bonus for having been tried seldom; infinite for a child without a visit."""

    @property
    def total(self) -> float:
        """What the children are compared by."""
        return self.exploitation + self.exploration


class SelectionRule(Protocol):
    """A rule scores every child of a node and picks one with the highest score."""

    def score(self, node: Node, child: Node) -> Score:
        """The two parts of `child`'s score, seen from its parent `node`."""
        ...

    def best_child(self, node: Node) -> Node:
        """The child with the highest score; the first of them when several share it."""
        ...


@dataclass(frozen=True, slots=True)
class UCB1:
    """The upper confidence bound of Auer, Cesa-Bianchi and Fischer (2002), applied to trees (UCT).

        score = win rate + c * sqrt(ln N / n)

    N counts the visits of the node, n those of the child. The win rate is (1 + Q) / 2, so that
    a draw is half a win and rewards lie in [0, 1], as the bound assumes. A child without a visit
    comes before all others.
    """

    c: float

    def score(self, node: Node, child: Node) -> Score:
        """The child's win rate, and its bonus for few visits."""
        if child.visit_count == 0:
            return Score(0.0, math.inf)
        exploration = self.c * math.sqrt(math.log(node.visit_count)) / math.sqrt(child.visit_count)
        return Score((1 + child.mean_value) / 2, exploration)

    def best_child(self, node: Node) -> Node:
        """The child with the highest UCB1 score; without a visit it comes before all others."""
        # The same sums as in score(), with what all children share taken once. N is 0 only if an
        # earlier search was interrupted in its first simulation.
        bonus = self.c * math.sqrt(math.log(node.visit_count or 1))
        best, best_score = node.children[0], -math.inf
        for child in node.children:
            n = child.visit_count
            if n == 0:
                return child
            score = (1 + child.total_value / n) / 2 + bonus / math.sqrt(n)
            if score > best_score:
                best, best_score = child, score
        return best


def ucb1(c: float = math.sqrt(2)) -> UCB1:
    """UCB1 with the exploration constant `c`, which the theory puts at sqrt 2.

    Raises:
        ValueError: `c` is negative or not a finite number.
    """
    if not (math.isfinite(c) and c >= 0):
        raise ValueError(f"c={c!r} is no exploration constant: it has to be 0 or more, and finite.")
    return UCB1(c)
