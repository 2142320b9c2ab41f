"""MCTS-Solver: proven values are carried up the tree.

Winands, Björnsson and Saito, "Monte-Carlo Tree Search Solver" (2008). The result of a finished game
is not an estimate. So one winning child proves that a position is won, and when the last child of a
position is proven, the position has the value of its best child. The paper sets the value of such a
node to plus or minus infinity, and only has wins and losses. Here the proven value is kept next to
the statistics, in `Node.proven`, and a draw can be proven like any other value.

A proven node is a leaf: the search does not go below it, and a simulation that reaches it counts
the proven value, without a rollout. Selection passes over a proven draw, because the remaining
question is whether another move is better. A proven loss stays in the selection, with its exact
value: its player could still go wrong there, and the mean of the node above has to show that. If
    selection passed over proven losses too, a threat that leaves the opponent a single reply would
    no longer look good, because only that reply would count. (We once had it this way. On positions
    of Connect Four it made UCT weaker than without a solver; notebook 10 tells the story.)

The rules here do not depend on the depth of a node but on whose turn it is, so a forced pass is
handled correctly.

In `puct_search`, where a leaf gets all of its children at once, a second rule proves more: Teytaud
and Teytaud, "On the huge benefit of decisive moves in Monte-Carlo Tree Search algorithms" (2010). A
**decisive move** ends the game with a win, and whoever has one plays it. So the children at which
the game is over are proven before any of them has a visit, whatever their priors are.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from mctslab.games.state import State
from mctslab.search.node import Node
from mctslab.search.selection import SelectionRule, SelectionScore

WIN: Final = 1.0
"""The largest value of a game; one child with it is enough."""
LOSS: Final = -1.0


@dataclass(frozen=True, slots=True)
class SolverSelection:
    """A selection rule that passes over proven draws and uses the exact value of proven losses."""

    rule: SelectionRule

    def score(self, node: Node, child: Node) -> SelectionScore:
        """The other rule's score; minus infinity for a child that is proven to be a draw."""
        score = self.rule.score(node, child)
        if child.proven is None:
            return score
        if child.proven > LOSS:
            return score._replace(exploration=-math.inf)
        lost = Node(parent=node, action=child.action)
        lost.visit_count, lost.total_value = 1, LOSS
        return score._replace(exploitation=self.rule.score(node, lost).exploitation)

    def best_child(self, node: Node) -> Node:
        """The child with the highest score; the first of several that share it."""
        return max(node.children, key=lambda child: self.score(node, child).total)


def prove(leaf: Node) -> None:
    """After phase 4: carry up the tree what a finished game or a proven leaf proves."""
    if leaf.state.is_terminal:
        leaf.proven = leaf.state.returns()[leaf.mover]
    if leaf.proven is not None:
        carry_up(reversed(leaf.path[:-1]))


def prove_by_rules(leaf: Node) -> None:
    """After phase 2: what the rules alone prove about a leaf that has all of its children.

    This proves the children at which the game is over, and whatever these prove about the leaf.
    """
    if leaf.state.is_terminal:
        leaf.proven = leaf.state.returns()[leaf.mover]
        return
    for child in leaf.children:
        assert child.action is not None
        state = leaf.state.child(child.action)  # not child.state, which would be stored
        if state.is_terminal:
            child.proven = state.returns()[child.mover]
    leaf.proven = proven_value(leaf)


def has_decisive_move(state: State) -> bool:
    """Whether the player to move can win at once."""
    player = state.current_player
    children = (state.child(action) for action in state.legal_actions())
    return any(child.is_terminal and child.returns()[player] == WIN for child in children)


def carry_up(nodes: Iterable[Node]) -> None:
    """Prove those `nodes` that their children prove, from the parent of the last proven node
    upwards. It goes on as long as each newly proven node proves the node above it.
    """
    for node in nodes:
        value = proven_value(node)
        if value is None:
            return
        node.proven = value


def proven_value(node: Node) -> float | None:
    """What `node`'s children prove about it, for its own mover; None while they prove nothing."""
    num_moves = len(node.children) + len(node.untried_actions)
    value = best_proven([child.proven for child in node.children], num_moves)
    if value is None or node.mover == node.children[0].mover:
        return value
    return 0.0 - value  # the children's mover is the opponent


def proven_returns(node: Node) -> tuple[float, float]:
    """The value of a proven node for player 0 and for player 1."""
    assert node.proven is not None
    other = 0.0 - node.proven
    return (node.proven, other) if node.mover == 0 else (other, node.proven)


def best_proven(values: Sequence[float | None], num_moves: int) -> float | None:
    """The proven value of a position for the player to move; None if there is none.

    Args:
        values: the proven values of its children, for the player who moves there; None for a child
            about which nothing is proven.
        num_moves: the number of legal actions of the position, tried or not.
    """
    known = [value for value in values if value is not None]
    if WIN in known or 0 < num_moves == len(known):
        return max(known)
    return None
