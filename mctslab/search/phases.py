"""The four phases of a simulation: select, expand, simulate, backpropagate.

Their names and their order follow Browne et al., "A Survey of Monte Carlo Tree Search Methods"
(2012), Algorithm 2. The loop that runs them is in `mcts.py`.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from mctslab.games.state import checked_returns
from mctslab.search.evaluators import Evaluator
from mctslab.search.node import Node
from mctslab.search.selection import SelectionRule


def select(root: Node, rule: SelectionRule) -> Node:
    """Phase 1: walk down from the root until a node has an untried action or the game is over.

    At each step the rule picks the most promising child.
    """
    node = root
    while node.is_fully_expanded and node.children:
        child = rule.best_child(node)
        child.parent = node  # a search that reuses part of the tree can have set another parent
        node = child
    return node


def expand(node: Node, rng: np.random.Generator) -> list[Node]:
    """Phase 2: add one child, for an untried action drawn at random.

    At the end of a game there is nothing to add: the node itself is the leaf.
    """
    untried = node.untried_actions
    if not untried:
        return [node]
    place = int(rng.random() * len(untried))
    prior = 1 / (len(untried) + len(node.children))
    child = Node(parent=node, action=untried[place], prior=prior)
    node.children += [child]  # Python reacts to Ctrl-C in calls and loops only,
    del untried[place]  # so these two happen together
    return [child]


def expand_all(node: Node, rng: np.random.Generator) -> list[Node]:
    """Phase 2, the other way: add a child for every untried action, in random order.

    A child that was added but not evaluated, because the budget ended, is a leaf itself.
    """
    if node.parent is not None and node.visit_count == 0:
        return [node]
    leaves = expand(node, rng)
    while not node.is_fully_expanded:
        leaves += expand(node, rng)
    return leaves


def simulate(leaf: Node, evaluator: Evaluator, rng: np.random.Generator) -> tuple[float, float]:
    """Phase 3: the value of the leaf for each player, in [-1, 1].

    For a finished game it is the result; any other position is evaluated.
    """
    if leaf.state.is_terminal:
        return checked_returns(leaf.state)
    return evaluator([leaf.state], rng).values[0]


def backpropagate(leaf: Node, returns: tuple[float, float]) -> None:
    """Phase 4: count the result at every node from the leaf up to the root.

    Each node counts the return of its own mover. No sign is flipped on the way, so a pass, or a
    game in which a player moves twice, is counted correctly.
    """
    node: Node | None = leaf
    while node is not None:
        node.visit_count += 1
        node.total_value += returns[node.mover]
        node = node.parent


class Phases(NamedTuple):
    """The four phases as functions; a solver or a trace replaces some of them."""

    select: Callable[[Node, SelectionRule], Node] = select
    expand: Callable[[Node, np.random.Generator], list[Node]] = expand
    simulate: Callable[[Node, Evaluator, np.random.Generator], tuple[float, float]] = simulate
    backpropagate: Callable[[Node, tuple[float, float]], None] = backpropagate
