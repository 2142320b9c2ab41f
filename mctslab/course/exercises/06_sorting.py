"""Sorting networks, a side road of notebook 06: a search that keeps the best result of a node."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mctslab.course.checking.cases import Case
from mctslab.course.exercise import exercise
from mctslab.course.tree_game import (
    forced,
    game_of,
    named,
    node_at,
    path_at_random,
    rooted,
    statistics,
    tree_at_random,
    way_up,
    won_by,
    written,
)
from mctslab.search.node import Node


def _counted(function: Callable[..., Any], leaf: Node, returns: tuple[float, float]) -> object:
    function(leaf, returns)
    return statistics(way_up(leaf)[-1])


def _variation(rng: np.random.Generator) -> Case:
    """A result, for player 0, that is counted from the leaf at `path`."""
    place, grown = tree_at_random(rng, 7, 60)
    path = path_at_random(rng, place, grown)
    result = float(rng.choice((-1, 0, 1, 0.25)))
    return Case(
        lambda: (node_at(rooted(place, grown), path), (result, -result)),
        shown=f"max_backup(leaf, {(result, -result)}), and the leaf is {named(path)}\n"
        f"{written(rooted(place, grown))}",
        use=_counted,
        changes_arguments=True,
    )


def _new_root() -> list[Case]:
    """A root that has no visit, and a loss."""
    place = forced(2, won_by(1))
    return [
        Case(
            lambda: (Node(game_of(place)), (-1.0, 1.0)),
            shown="max_backup(leaf, (-1.0, 1.0)), and the leaf is a root without visits",
            use=_counted,
            changes_arguments=True,
        )
    ]


@exercise(cases=_new_root, variation=_variation, points=2)
def max_backup(leaf: Node, returns: tuple[float, float]) -> None:
    """From `leaf` up to the root: one more visit, and W = N times the best result of the mover."""
    node: Node | None = leaf
    while node is not None:
        best = returns[node.mover]
        if node.visit_count > 0:
            best = max(best, node.mean_value)
        node.visit_count += 1
        node.total_value = node.visit_count * best
        node = node.parent
