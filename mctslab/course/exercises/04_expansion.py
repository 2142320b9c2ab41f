"""Notebook 04, expansion: one more child."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mctslab.course.checking.comparing import Shares, Tally, Words, tally
from mctslab.course.exercise import exercise
from mctslab.course.question import FROM_MODEL, Case
from mctslab.course.tree_game import (
    SPARSE,
    Grown,
    Place,
    TreeGame,
    drawn,
    named,
    observed,
    outlined,
    place_of,
    plant,
    tree_at_random,
    turn_of,
    won_by,
    written,
)
from mctslab.search.node import Node

Expand = Callable[[Node, np.random.Generator], Any]


def _returned(function: Expand, node: Node, rng: np.random.Generator) -> object:
    found = function(node, rng)
    if isinstance(found, list) and len(found) == 1:  # as the package's function returns it
        found = found[0]
    return place_of(found, node)


def _once(function: Expand, node: Node, rng: np.random.Generator) -> object:
    return {"what is returned": _returned(function, node, rng), **observed(node)}


def _completely(function: Expand, node: Node, rng: np.random.Generator) -> object:
    """All actions one by one, in whatever order."""
    returned = [_returned(function, node, rng) for _ in node.untried_actions[:]]
    return {"what is returned": sorted(map(str, returned)), **observed(node)}


def _first(function: Expand, node: Node, rng: np.random.Generator) -> Tally:
    trees = [Node(node.state) for _ in range(900)]
    for tree in trees:
        function(tree, rng)
    return tally(tuple(child.action for child in tree.children) for tree in trees)


def _expand_case(place: Place, before: Grown, path: tuple[int, ...], after: Grown) -> Case:
    """A tree before and after its root was expanded; the node at `path` is returned."""

    def root(grown: Grown) -> Node:
        return plant(TreeGame(place), grown)

    return Case(
        lambda: (root(before), np.random.default_rng(1)),
        {"what is returned": Words(named(path)), **observed(root(after))},
        f"expand(node, rng), and the node is this root\n{written(root(before))}",
        _once,
        changes_arguments=True,
    )


def _expand_cases() -> list[Case]:
    end, new = drawn(), Grown(0, 0)
    return [
        _expand_case(end, Grown(2, 0), (), Grown(2, 0)),
        _expand_case(turn_of(0, end), Grown(1, 0), (0,), Grown(1, 0, {0: new})),
        _expand_case(
            turn_of(1, end, won_by(1)),
            Grown(5, 2, {0: Grown(5, 2)}),
            (1,),
            Grown(5, 2, {0: Grown(5, 2), 1: new}),
        ),
        Case(
            lambda: (Node(TreeGame(turn_of(0, end, end, end))), np.random.default_rng(1)),
            Shares({(0,): 1 / 3, (1,): 1 / 3, (2,): 1 / 3}),
            "the first child of a node with the actions 0, 1 and 2, in 900 trees",
            _first,
            changes_arguments=True,
        ),
    ]


def _expand_variation(rng: np.random.Generator) -> Case:
    place, grown = tree_at_random(rng, 2, 4)
    return Case(
        lambda: (plant(TreeGame(place, (), SPARSE), grown), np.random.default_rng(1)),
        FROM_MODEL,
        f"a root that is expanded until nothing is left to try\n{outlined(place)}",
        _completely,
        changes_arguments=True,
    )


@exercise(cases=_expand_cases, variation=_expand_variation)
def expand(node: Node, rng: np.random.Generator) -> Node:
    """Add a child for an untried action drawn at random; where the game is over, the node."""
    if not node.untried_actions:
        return node
    action = int(rng.choice(node.untried_actions))
    node.untried_actions.remove(action)
    child = Node(parent=node, action=action)
    node.children.append(child)
    return child
