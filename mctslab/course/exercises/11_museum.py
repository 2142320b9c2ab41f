"""Notebook 11, the bug museum: three faults of PUCT that are found again and again.

Noise at every node that is expanded, a "virtual loss" that is only a visit, and the two brackets
that turn a temperature into nothing: each of them occurs in public programs that learn by
self-play, and none of them stops the program from running.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from mctslab.course.checking.comparing import Near
from mctslab.course.exercise import exhibit
from mctslab.course.question import FROM_MODEL, Case, case
from mctslab.course.tree_game import (
    SPARSE,
    Grown,
    TreeGame,
    drawn,
    grown_at_random,
    node_at_random,
    path_to,
    place_at_random,
    plant,
    statistics,
    turn_of,
    written,
)
from mctslab.search.node import Node

# museum_expand

_CALLS: Final = 400
_SEED: Final = 11


def _expanded(
    function: Callable[..., Any],
    node: Node,
    priors: Sequence[float],
    alpha: float,
    weight: float,
    rng: np.random.Generator,
) -> object:
    """The results of many calls: their means, and how much they vary."""
    rows = []
    for _ in range(_CALLS):
        answer = function(node, list(priors), alpha, weight, rng)
        if not isinstance(answer, dict) or tuple(answer) != node.state.legal_actions():
            return answer
        rows.append([float(number) for number in answer.values()])
    numbers = np.array(rows)
    sums = numbers.sum(axis=1)
    return {
        "mean of each prior, over many calls": tuple(numbers.mean(axis=0).tolist()),
        "standard deviation of each prior": tuple(numbers.std(axis=0).tolist()),
        "smallest and largest sum of the priors": (sums.min().item(), sums.max().item()),
    }


def _expand_case(
    priors: tuple[float, ...],
    is_root: bool,
    alpha: float,
    weight: float,
    above: int = 1,
    player: int = 0,
) -> Case:
    number = len(priors)

    def arguments() -> tuple[Node, list[float], float, float, np.random.Generator]:
        place = turn_of(player, *([drawn()] * number))
        grown = Grown(0, 0)
        for number_above in range(0 if is_root else above):
            # The first one of two above is a move of the same player.
            place = turn_of((above + number_above) % 2, place)
            grown = Grown(2, 0, {SPARSE[0]: grown})
        node = plant(TreeGame(place, (3,), SPARSE), grown)  # in the middle of a game
        while node.children:
            node = node.children[0]
        return node, list(priors), alpha, weight, np.random.default_rng(_SEED)

    mixed = weight if is_root else 0.0
    # As in the exercise: the variance of a share is m (1 - m) / (number * alpha + 1).
    deviation = mixed * math.sqrt((1 - 1 / number) / number / (number * alpha + 1))
    means = tuple((1 - mixed) * prior + mixed / number for prior in priors)
    facts = {
        "mean of each prior, over many calls": Near(
            means, 5 * deviation / math.sqrt(_CALLS) + 1e-9
        ),
        "standard deviation of each prior": Near((deviation,) * number, 0.15 * deviation + 1e-9),
        "smallest and largest sum of the priors": (sum(priors), sum(priors)),
    }
    where = "the root" if is_root else "a node below the root"
    shown = f"museum_expand(node, {list(priors)}, {alpha}, {weight}, rng), {_CALLS} times, "
    return Case(arguments, facts, f"{shown}and node is {where}", _expanded)


def _expand_cases() -> list[Case]:
    return [
        _expand_case((0.4, 0.2, 0.1, 0.1, 0.1, 0.1), True, 0.3, 0.25),
        _expand_case((0.7, 0.2, 0.1), False, 0.3, 0.25),
        _expand_case((0.5, 0.3, 0.2, 0.0), False, 0.15, 0.5, above=2),
        _expand_case((0.6, 0.4, 0.0), True, 1.0, 0.5, player=1),
    ]


def _expand_variation(rng: np.random.Generator) -> Case:
    """Below the root nothing is left to chance."""
    priors, above = rng.dirichlet(np.ones(rng.integers(1, 6))).tolist(), int(rng.integers(1, 5))
    made = _expand_case(tuple(priors), False, 0.3, 0.25, above, int(rng.integers(2)))
    numbers = ", ".join(f"{prior:.2f}" for prior in priors)
    shown = (
        f"museum_expand(node, [{numbers}], 0.3, 0.25, rng), where node is {above} below the root"
    )
    return Case(made.arguments, FROM_MODEL, shown)


@exhibit(
    start="""
        is_root = node.parent is None =>
         if is_root else prior =>
    """,
    faulty="shares[action] = (1 - weight) * prior + weight * share",
    cases=_expand_cases,
    variation=_expand_variation,
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


def _loss_case(path: tuple[int, ...], grown: Grown, *expected: tuple[int, float]) -> Case:
    def nodes() -> list[Node]:
        end = drawn()
        deep = turn_of(0, end, end)
        root = plant(TreeGame(turn_of(0, turn_of(1, deep, turn_of(1, end)), deep)), grown)
        found = [root]
        for action in path:
            found.append(next(each for each in found[-1].children if each.action == action))
        return found

    def use(function: Callable[..., Any], way: list[Node]) -> object:
        function(way)
        return statistics(way[0])

    facts = statistics(nodes()[0])
    for key, numbers in zip(list(facts), expected, strict=True):
        facts[key] = numbers
    shown = f"museum_virtual_loss(path), and path goes {_named(path)}, of\n"
    return Case(lambda: (nodes(),), facts, shown + written(nodes()[0]), use, changes_arguments=True)


def _named(path: tuple[int, ...]) -> str:
    return f"from the root by {', '.join(map(str, path))}" if path else "no farther than the root"


def _loss_cases() -> list[Case]:
    # Ply by ply: the root, its children, and the children of these.
    small = Grown(4, 1.0, {0: Grown(2, -2.0), 1: Grown(1, 1.0)})
    deep = Grown(
        9, 2.0, {0: Grown(5, -3.0, {0: Grown(2, 1.5), 1: Grown(2, 0.5)}), 1: Grown(3, 2.0)}
    )
    return [
        _loss_case((), Grown(3, 1.0), (4, 0.0)),
        _loss_case((0,), small, (5, 0.0), (3, -3.0), (1, 1.0)),
        _loss_case((0, 1), deep, (10, 1.0), (6, -4.0), (3, 2.0), (2, 1.5), (3, -0.5)),
        _loss_case((1,), deep, (10, 1.0), (5, -3.0), (4, 1.0), (2, 1.5), (2, 0.5)),
    ]


def _loss_variation(rng: np.random.Generator) -> Case:
    place, seed = place_at_random(rng, 4), int(rng.integers(10**6))

    def way() -> list[Node]:
        rng = np.random.default_rng(seed)
        root = plant(TreeGame(place, (), SPARSE), grown_at_random(rng, place, 30, SPARSE))
        found = [node_at_random(rng, root)]
        while found[0].parent is not None:
            found.insert(0, found[0].parent)
        return found

    def use(function: Callable[..., Any], path: list[Node]) -> object:
        function(path)
        return statistics(path[0])

    path = path_to(way()[-1])
    shown = f"museum_virtual_loss(path), and path goes {_named(path)}, of\n{written(way()[0])}"
    return Case(lambda: (way(),), FROM_MODEL, shown, use, changes_arguments=True)


@exhibit(
    start="total - 1 => total",
    faulty="node.total_value = total",
    cases=_loss_cases,
    variation=_loss_variation,
)
def museum_virtual_loss(path: Sequence[Node]) -> None:
    """Count a loss, for its mover, at every node of a walk whose result is not known yet."""
    for node in path:
        visits, total = node.visit_count, node.total_value
        node.visit_count = visits + 1
        node.total_value = total - 1


# museum_probabilities


def _probabilities_cases() -> list[Case]:
    # By hand: 3 ** 2 : 1 ** 2 is 9 : 1, and the roots of 16, 9, and 0 are 4, 3, and 0.
    return [
        case((6, 2), 1.0, expected=(0.75, 0.25)),
        case((3, 1), 0.5, expected=(0.9, 0.1)),
        case((16, 9, 0), 2.0, expected=(4 / 7, 3 / 7, 0.0)),
        case((2, 1, 1), 0.25, expected=(16 / 18, 1 / 18, 1 / 18)),
        case((5, 5), 0.1, expected=(0.5, 0.5)),
        case((40, 20), 0.2, expected=(32 / 33, 1 / 33)),
    ]


def _probabilities_variation(rng: np.random.Generator) -> Case:
    visits = (*map(int, rng.integers(0, 50, rng.integers(1, 6))), 1)
    return case(visits, float(rng.uniform(0.2, 3)), expected=FROM_MODEL)


@exhibit(
    start="n ** (1 / temperature) => n**1 / temperature",
    faulty="weights = [n**1 / temperature for n in visits]",
    cases=_probabilities_cases,
    variation=_probabilities_variation,
)
def museum_probabilities(visits: Sequence[int], temperature: float) -> list[float]:
    """The probability of each move, in proportion to N ** (1 / temperature)."""
    weights = [n ** (1 / temperature) for n in visits]
    total = sum(weights)
    return [weight / total for weight in weights]
