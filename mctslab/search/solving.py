"""MCTS-Solver: what is proven is carried up the tree, and never searched again.

Winands, Björnsson and Saito, "Monte-Carlo Tree Search Solver" (2008). A finished game is no
estimate, its result is known for certain. So one winning child proves that a position is won, and
when the last child of a position is proven, the position is worth what the best of them is worth.
The paper writes plus and minus infinity into the value of such a node, and knows wins and losses
only. Here the certain value stands beside the statistics, in `Node.proven`, and a draw can be
proven like any other value. Visits and mean values, of the proven node and of those above it, stay
what the simulations have shown; but as no more simulations go into it, they come to show what the
other moves are worth.

Two things are added to the search, a selection rule and a step after the fourth phase. Neither asks
how deep a node lies: whose turn it is decides, so a forced pass comes out right.

In `puct_search`, where a leaf gets all of its children at once, there is a third: Teytaud and
Teytaud, "On the huge benefit of decisive moves in Monte-Carlo Tree Search algorithms" (2010). A
**decisive move** ends the game with a win, and whoever has one plays it, whatever else there is. So
the children at which the game is over are proven before any of them has a visit; it does not matter
how little a prior thinks of them.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from mctslab.search.node import Node
from mctslab.search.phases import Phases
from mctslab.search.selection import SelectionRule, SelectionScore

WIN: Final = 1.0
"""The most that a game is worth; one child with it is enough."""


@dataclass(frozen=True, slots=True)
class AmongUnproven:
    """Another rule, but a child that is proven comes after all that are not."""

    rule: SelectionRule

    def score(self, node: Node, child: Node) -> SelectionScore:
        """The other rule's score; there is nothing left to explore below a child that is proven."""
        score = self.rule.score(node, child)
        return score if child.proven is None else score._replace(exploration=-math.inf)

    def best_child(self, node: Node) -> Node:
        """The child with the highest score; the first of several that share it."""
        unproven = [child for child in node.children if child.proven is None]
        return max(unproven or node.children, key=lambda child: self.rule.score(node, child).total)


def with_proofs(phases: Phases) -> Phases:
    """The same phases, which also carry up the tree what a finished game proves."""

    def backpropagate(leaf: Node, returns: tuple[float, float]) -> None:
        phases.backpropagate(leaf, returns)
        prove(leaf)

    return phases._replace(backpropagate=backpropagate)


def prove(leaf: Node) -> None:
    """After phase 4: where the game is over, carry up the tree what that proves."""
    if leaf.state.is_terminal:
        leaf.proven = leaf.state.returns()[leaf.mover]
        carry_up(_above(leaf))


def prove_by_rules(leaf: Node) -> None:
    """After phase 2: what the rules alone prove of a leaf that has all of its children.

    The children at which the game is over are proven, and what these prove about the leaf.
    """
    if leaf.state.is_terminal:
        leaf.proven = leaf.state.returns()[leaf.mover]
        return
    for child in leaf.children:
        assert child.action is not None
        state = leaf.state.child(child.action)  # not child.state, which would be kept
        if state.is_terminal:
            child.proven = state.returns()[child.mover]
    leaf.proven = proven_value(leaf)


def carry_up(nodes: Iterable[Node]) -> None:
    """Prove those `nodes` that their children prove: from above what was just proven to the root.

    It goes up as long as what was proven last proves the node above it.
    """
    for node in nodes:
        value = proven_value(node)
        if value is None:
            return
        node.proven = value


def _above(node: Node) -> Iterator[Node]:
    """The nodes from the parent of `node` up to the root."""
    while node.parent is not None:
        node = node.parent
        yield node


def proven_value(node: Node) -> float | None:
    """What `node`'s children prove about it, for its own mover; None while they prove nothing."""
    num_moves = len(node.children) + len(node.untried_actions)
    value = best_proven([child.proven for child in node.children], num_moves)
    if value is None or node.mover == node.children[0].mover:
        return value
    return 0.0 - value  # the children's mover is the opponent


def proven_returns(node: Node) -> tuple[float, float]:
    """What a node that is proven is worth to player 0 and to player 1."""
    assert node.proven is not None
    other = 0.0 - node.proven
    return (node.proven, other) if node.mover == 0 else (other, node.proven)


def best_proven(values: Sequence[float | None], num_moves: int) -> float | None:
    """What a position is worth to the player to move, if that is proven; None if it is not.

    Args:
        values: what is proven of its children, for the player who moves there; None for one of
            which nothing is proven.
        num_moves: how many legal actions the position has, tried or not.
    """
    known = [value for value in values if value is not None]
    if WIN in known or 0 < num_moves == len(known):
        return max(known)
    return None
