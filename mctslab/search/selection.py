"""The rules of the selection phase, which choose the next child."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias

from mctslab.games.bitboards import is_finite
from mctslab.search.node import Node


class SelectionScore(NamedTuple):
    """Why a child is worth a visit: the two parts whose sum is its score."""

    exploitation: float
    """How well the move has done so far."""
    exploration: float
    """The bonus for having been tried rarely; infinite for a child without a visit."""

    @property
    def total(self) -> float:
        """The number by which the children are compared."""
        return self.exploitation + self.exploration


class SelectionRule(Protocol):
    """A rule scores every child of a node and picks one with the highest score."""

    def score(self, node: Node, child: Node) -> SelectionScore:
        """The two parts of `child`'s score, seen from its parent `node`."""
        ...

    def best_child(self, node: Node) -> Node:
        """The child with the highest score; the first of them when several share it."""
        ...


Exploration: TypeAlias = Callable[[int, float, int, float], float]
"""`(visits, prior, parent_visits, c)`: the bonus of a child for few visits, which is added to how
well it has done. A plain function of numbers that calls only `math` and functions like itself is
compiled with the search; where Python raises an error, as for 1 / 0, that is infinite or NaN."""


def ucb1_exploration(visits: int, prior: float, parent_visits: int, c: float) -> float:
    """c * sqrt(ln N / n)."""
    # The child's own factor is in brackets, because the compiled search keeps it.
    return c * math.sqrt(math.log(parent_visits)) * (1 / math.sqrt(visits))


def puct_exploration(visits: int, prior: float, parent_visits: int, c: float) -> float:
    """c * P * sqrt(N) / (1 + n)."""
    return c * math.sqrt(parent_visits) * prior * (1 / (1 + visits))


_SHIPPED: Final = (ucb1_exploration, puct_exploration)


@dataclass(frozen=True, slots=True)
class UCB1:
    """The upper confidence bound of Auer, Cesa-Bianchi and Fischer (2002), applied to trees (UCT).

        score = win rate + c * sqrt(ln N / n)

    N counts the visits of the node, n those of the child. The win rate is (1 + Q) / 2, so that a
    draw is half a win and rewards are in [0, 1], as the bound assumes. A child without a visit
    comes before all others. The theory gives c = sqrt 2.

    Raises:
        ValueError: `c` is negative or not a finite number, or `exploration` is not a formula.
    """

    c: float = math.sqrt(2)
    exploration: Exploration = ucb1_exploration
    """The second term of the sum; with another formula it is another rule. `visits` is at least 1,
    and `prior` is 1 divided by the number of moves."""

    def __post_init__(self) -> None:
        _check(self.c, self.exploration, visits=1)

    def score(self, node: Node, child: Node) -> SelectionScore:
        """The child's win rate, and its bonus for few visits."""
        n = child.visit_count
        if n == 0:
            return SelectionScore(0.0, math.inf)
        bonus = self.exploration(n, child.prior, node.visit_count, self.c)
        return SelectionScore((1 + child.mean_value) / 2, bonus)

    def best_child(self, node: Node) -> Node:
        """The child with the highest UCB1 score; without a visit it comes before all others."""
        # N is 0 only if an earlier search was interrupted in its first simulation.
        parent_visits = node.visit_count or 1
        best, best_score = node.children[0], -math.inf
        for child in node.children:
            n = child.visit_count
            if n == 0:
                return child
            bonus = self.exploration(n, child.prior, parent_visits, self.c)
            score = (1 + child.total_value / n) / 2 + bonus
            if score > best_score:
                best, best_score = child, score
        return best


@dataclass(frozen=True, slots=True)
class PUCT:
    """The rule of AlphaGo Zero and AlphaZero (Silver et al., 2017 and 2018).

        score = Q + c * P * sqrt(N) / (1 + n)

    N counts the visits of the node, n those of the child, P is the child's prior. Q is in [-1, 1].

    Raises:
        ValueError: `c` is negative or not a finite number, `fpu` is not a value, or `exploration`
            is not a formula.
    """

    c: float = 1.25
    """c_puct, 0 or more. The formula Q + c * P / (1 + n) with c = 5 * sqrt(N) has c_puct = 5."""
    fpu: float | Literal["parent"] = 0.0
    """First-play urgency: the Q of a child without a visit, for the player to move at its parent.
    0, a draw, is AlphaGo Zero's; with -1, a loss, other moves are tried late; "parent" is the
    parent's Q."""
    exploration: Exploration = puct_exploration
    """The second term of the sum; with another formula it is another rule. `visits` can be 0."""

    def __post_init__(self) -> None:
        _check(self.c, self.exploration, visits=0)
        fpu = self.fpu
        if fpu != "parent" and not (is_finite(fpu) and -1 <= float(fpu) <= 1):
            raise ValueError(f'fpu must be a number from -1 to 1, or "parent", got {fpu!r}.')

    def score(self, node: Node, child: Node) -> SelectionScore:
        """The child's mean value, and its bonus for a promising prior and few visits."""
        value = child.mean_value if child.visit_count else self.first_play_value(node, child.mover)
        numbers = (child.visit_count, child.prior, node.visit_count, self.c)
        return SelectionScore(value, self.exploration(*numbers))

    def best_child(self, node: Node) -> Node:
        """The child with the highest PUCT score."""
        unvisited = self.first_play_value(node, node.children[0].mover)
        best, best_score = node.children[0], -math.inf
        for child in node.children:
            n = child.visit_count
            value = child.total_value / n if n else unvisited
            score = value + self.exploration(n, child.prior, node.visit_count, self.c)
            if score > best_score:
                best, best_score = child, score
        return best

    def first_play_value(self, node: Node, player: int) -> float:
        """The Q of `node`'s children without a visit, for the player who moves there."""
        if self.fpu != "parent":
            return self.fpu
        return node.mean_value if node.mover == player else 0.0 - node.mean_value


ucb1 = UCB1
puct = PUCT


def _check(c: float, exploration: Exploration, visits: int) -> None:
    """Check a rule's constant, and its formula by a child with this number of visits."""
    if not (is_finite(c) and c >= 0):
        raise ValueError(f"The exploration constant c must be 0 or more and finite, got {c!r}.")
    if exploration in _SHIPPED:
        return
    call = f"exploration({visits}, 0.5, 1, {c!r})"
    try:
        bonus = exploration(visits, 0.5, 1, c)
    except Exception as error:
        raise ValueError(f"{call} must return a finite number, but it raised {error!r}.") from error
    if not is_finite(bonus):
        raise ValueError(f"{call} must return a finite number, but it returned {bonus!r}.")
