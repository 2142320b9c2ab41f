"""Alpha-beta step by step: what `alpha_beta` does on a tree small enough to be drawn.

`small_tree` writes the tree down, with the values of its leaves, and `alpha_beta_steps` searches it
and notes each step. The search is the one of `alpha_beta`; only the order of the moves is given.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from mctslab.games.state import State
from mctslab.search.alphabeta import EvaluationFunction

MOST_LEAVES: Final = 40
"""A tree with more leaves cannot be read on a screen."""


class Bounds(NamedTuple):
    """Where the value of a node lies, as far as the search knows."""

    low: float
    high: float


UNKNOWN: Final = Bounds(-math.inf, math.inf)


@dataclass(slots=True)
class TreeNode:
    """A position of the small tree."""

    parent: int | None
    """Its place in the list of nodes; None for the root."""
    name: str
    """The move that leads here; empty for the root."""
    player: int
    """Whose turn it is, 0 or 1."""
    value: float | None = None
    """At a leaf, its value for player 0."""
    children: list[int] = field(default_factory=list)
    """Their places, in the order of the legal actions; empty at a leaf."""


class Step(NamedTuple):
    """What the search does at one moment, and what it knows then."""

    kind: Literal["enter", "leaf", "back"]
    """It comes to a node with moves, it evaluates a leaf, or the value of `child` comes back."""
    node: int
    alpha: float
    """What player 0 is sure of, after this step."""
    beta: float
    """To what player 1 can limit player 0, after this step."""
    bounds: Bounds
    """Where the value of the node lies, by what has been evaluated below it."""
    child: int | None = None
    narrows: bool = False
    """Whether that value has moved alpha or beta."""
    cut: tuple[int, ...] = ()
    """The children that are left alone because alpha has reached beta."""


def returns_of_first(state: State) -> float:
    """The result for player 0 if the game is over; otherwise 0."""
    return state.returns()[0] if state.is_terminal else 0.0


def small_tree(state: State, depth: int, evaluate: EvaluationFunction) -> list[TreeNode]:
    """All positions down to `depth` plies, each after its parent and with its leaves evaluated.

    Raises:
        ValueError: the game is over, or there are more than `MOST_LEAVES` leaves.
    """
    if depth < 1 or state.is_terminal:
        raise ValueError("There is no move to look at: the game is over, or depth is below 1.")
    nodes: list[TreeNode] = []
    num_leaves = 0

    def add(here: State, left: int, parent: int | None, name: str) -> int:
        nonlocal num_leaves
        place = len(nodes)
        nodes.append(TreeNode(parent, name, here.current_player))
        if left == 0 or here.is_terminal:
            num_leaves += 1
            if num_leaves > MOST_LEAVES:
                raise ValueError(
                    f"This tree has more than {MOST_LEAVES} leaves, too many to be read. "
                    "Choose a smaller depth, or a position with fewer moves."
                )
            nodes[place].value = float(evaluate(here))
            return place
        nodes[place].children = [
            add(here.child(action), left - 1, place, here.action_to_string(action))
            for action in here.legal_actions()
        ]
        return place

    add(state, depth, None, "")
    return nodes


def alpha_beta_steps(nodes: Sequence[TreeNode], order: Sequence[Sequence[int]]) -> list[Step]:
    """The steps of alpha-beta on the whole tree.

    Args:
        nodes: the tree, from `small_tree`.
        order: for each node its children in the order in which they are tried.
    """
    steps: list[Step] = []
    bounds = [UNKNOWN] * len(nodes)

    def search(place: int, alpha: float, beta: float) -> float:
        node = nodes[place]
        if node.value is not None:
            bounds[place] = Bounds(node.value, node.value)
            steps.append(Step("leaf", place, alpha, beta, bounds[place]))
            return node.value
        steps.append(Step("enter", place, alpha, beta, UNKNOWN))
        maximises = node.player == 0
        best_of = max if maximises else min
        value = -math.inf if maximises else math.inf
        for number, child in enumerate(order[place], start=1):
            value = best_of(value, search(child, alpha, beta))
            narrows = value > alpha if maximises else value < beta
            if maximises:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            below = [bounds[each] for each in node.children]
            bounds[place] = Bounds(*(best_of(ends) for ends in zip(*below, strict=True)))
            cut = tuple(order[place][number:]) if alpha >= beta else ()
            steps.append(Step("back", place, alpha, beta, bounds[place], child, narrows, cut))
            if alpha >= beta:
                break
        return value

    search(0, -math.inf, math.inf)
    return steps
