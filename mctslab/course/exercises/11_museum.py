"""Notebook 11, the bug museum: three faults of PUCT that are found again and again.

Noise at every node that is expanded, a "virtual loss" that is only a visit, and the two brackets
that turn a temperature into nothing: each of them occurs in public programs that learn by
self-play, and none of them stops the program from running.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mctslab.course.checking.cases import FROM_MODEL, Case, case
from mctslab.course.exercise import exercise
from mctslab.course.noise import OFTEN, noise_expected, noise_seen
from mctslab.course.tree_game import (
    SPARSE,
    Grown,
    TreeGame,
    drawn,
    node_at,
    path_at_random,
    plant,
    rooted,
    statistics,
    tree_at_random,
    turn_of,
    way_up,
    written,
)
from mctslab.search.node import Node

# museum_expand


def _expand_case(
    priors: Sequence[float], depth: int, alpha: float, weight: float, player: int = 0
) -> Case:
    """A node `depth` plies below the root, which is a position in the middle of a game."""
    action = SPARSE[0] if depth % 2 else 0  # for Python, 0 is false

    def arguments() -> tuple[Node, list[float], float, float, np.random.Generator]:
        place, grown = turn_of(player, *([drawn()] * len(priors))), Grown(0, 0)
        for above in range(depth):
            # The first one of two above is a move of the same player.
            place = turn_of((depth + above) % 2, place)
            grown = Grown(2, 0, {action: grown})
        root = plant(TreeGame(place, (3,), (action, *SPARSE[1:])), grown)
        node = node_at(root, [action] * depth)
        return node, list(priors), alpha, weight, np.random.default_rng(11)

    def often(function: Callable[..., Any], node: Node, priors: Any, *others: Any) -> object:
        return noise_seen(lambda: function(node, list(priors), *others), len(priors))

    facts = noise_expected(priors, alpha, 0.0 if depth else weight)
    where = f"{depth} below the root, and its action is {action}" if depth else "the root"
    numbers = ", ".join(f"{prior:.3g}" for prior in priors)
    shown = f"{OFTEN}museum_expand(node, [{numbers}], {alpha}, {weight}, rng), "
    return Case(arguments, facts, f"{shown}where node is {where}", often)


def _expand_cases() -> list[Case]:
    return [_expand_case((0.4, 0.2, 0.1, 0.1, 0.1, 0.1), 0, 0.3, 0.25)]


def _expand_variation(rng: np.random.Generator) -> Case:
    """Below the root nothing is left to chance."""
    priors, depth = rng.dirichlet(np.ones(rng.integers(1, 6))).tolist(), int(rng.integers(1, 5))
    made = _expand_case(priors, depth, 0.3, 0.25, int(rng.integers(2)))
    return replace(made, expected=FROM_MODEL, use=None, shown=made.shown.removeprefix(OFTEN))


@exercise(
    start="""
        is_root = node.parent is None =>
         if is_root else prior =>
    """,
    faulty="shares[action] = (1 - weight) * prior + weight * share",
    cases=_expand_cases,
    variation=_expand_variation,
    points=2,
)
def museum_expand(
    node: Node, priors: Sequence[float], alpha: float, weight: float, rng: np.random.Generator
) -> dict[int, float]:
    """The prior of each child with which `node` is expanded; the search's root gets noise."""
    shares = {}
    noise = rng.dirichlet([alpha] * len(priors))
    for action, prior, share in zip(node.state.legal_actions(), priors, noise, strict=True):
        is_root = node.parent is None
        shares[action] = (1 - weight) * prior + weight * share if is_root else prior
    return shares


# museum_virtual_loss


def _loss_variation(rng: np.random.Generator) -> Case:
    """A loss that is counted from the root to the node at `path`."""
    place, grown = tree_at_random(rng, 4, 30)
    path = path_at_random(rng, place, grown)

    def way() -> tuple[list[Node]]:
        return (way_up(node_at(rooted(place, grown), path))[::-1],)

    def use(function: Callable[..., Any], way: list[Node]) -> object:
        function(way)
        return statistics(way[0])

    goes = f"from the root by {', '.join(map(str, path))}" if path else "no farther than the root"
    shown = f"museum_virtual_loss(path), and path goes {goes}, of\n{written(rooted(place, grown))}"
    return Case(way, shown=shown, use=use, changes_arguments=True)


@exercise(
    start="total - 1 => total",
    faulty="node.total_value = total",
    variation=_loss_variation,
    points=2,
)
def museum_virtual_loss(path: Sequence[Node]) -> None:
    """Count a loss, for its mover, at every node of a walk whose result is not known yet."""
    for node in path:
        visits, total = node.visit_count, node.total_value
        node.visit_count = visits + 1
        node.total_value = total - 1


# museum_probabilities


def _probabilities_variation(rng: np.random.Generator) -> Case:
    visits = (*map(int, rng.integers(0, 50, rng.integers(1, 6))), 1)
    return case(visits, float(rng.uniform(0.2, 3)))


@exercise(
    start="n ** (1 / temperature) => n**1 / temperature",
    faulty="weights = [n**1 / temperature for n in visits]",
    variation=_probabilities_variation,
)
def museum_probabilities(visits: Sequence[int], temperature: float) -> list[float]:
    """The probability of each move, in proportion to N ** (1 / temperature)."""
    weights = [n ** (1 / temperature) for n in visits]
    total = sum(weights)
    return [weight / total for weight in weights]
