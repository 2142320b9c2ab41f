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
        bonus = self.c * math.sqrt(math.log(node.visit_count))
        exploration = bonus * (1 / math.sqrt(child.visit_count))
        return Score((1 + child.mean_value) / 2, exploration)

    def best_child(self, node: Node) -> Node:
        """The child with the highest UCB1 score; without a visit it comes before all others."""
        # The same sums as in score(), with what all children share taken once; what is each child's
        # own stands in brackets, since the compiled search keeps it. N is 0 only if an earlier
        # search was interrupted in its first simulation.
        bonus = self.c * math.sqrt(math.log(node.visit_count or 1))
        best, best_score = node.children[0], -math.inf
        for child in node.children:
            n = child.visit_count
            if n == 0:
                return child
            score = (1 + child.total_value / n) / 2 + bonus * (1 / math.sqrt(n))
            if score > best_score:
                best, best_score = child, score
        return best


def ucb1(c: float = math.sqrt(2)) -> UCB1:
    """UCB1 with the exploration constant `c`, which the theory puts at sqrt 2.

    Raises:
        ValueError: `c` is negative or not a finite number.
    """
    return UCB1(_checked_constant("c", c))


@dataclass(frozen=True, slots=True)
class PUCT:
    """The rule of AlphaGo Zero and AlphaZero (Silver et al., 2017 and 2018).

        score = Q + c * P * sqrt(N) / (1 + n)

    N counts the visits of the node, n those of the child, P is the child's prior. Q lies in
    [-1, 1] and is 0 for a child without a visit.
    """

    c: float

    def score(self, node: Node, child: Node) -> Score:
        """The child's mean value, and its bonus for a promising prior and few visits."""
        bonus = self.c * math.sqrt(node.visit_count)
        return Score(child.mean_value, bonus * child.prior * (1 / (1 + child.visit_count)))

    def best_child(self, node: Node) -> Node:
        """The child with the highest PUCT score."""
        # The same sums as in score(), with what all children share taken once.
        bonus = self.c * math.sqrt(node.visit_count)
        best, best_score = node.children[0], -math.inf
        for child in node.children:
            score = child.mean_value + bonus * child.prior * (1 / (1 + child.visit_count))
            if score > best_score:
                best, best_score = child, score
        return best


def puct(c_puct: float = 1.25) -> PUCT:
    """PUCT with the exploration constant `c_puct`; 1.25 is what AlphaZero starts from.

    Raises:
        ValueError: `c_puct` is negative or not a finite number.
    """
    return PUCT(_checked_constant("c_puct", c_puct))


def _checked_constant(name: str, value: float) -> float:
    if not (math.isfinite(value) and value >= 0):
        raise ValueError(
            f"{name}={value!r} is no exploration constant: it has to be 0 or more, and finite."
        )
    return value
