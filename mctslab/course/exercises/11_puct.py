"""Notebook 11, PUCT: the score, noise at the root, and virtual losses."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from mctslab import search
from mctslab.course.checking.comparing import Words
from mctslab.course.exercise import exercise
from mctslab.course.noise import NUM_CALLS, OFTEN, noise_expected, noise_seen
from mctslab.course.question import FROM_MODEL, Case, case
from mctslab.course.tree_game import (
    LONG,
    Grown,
    Place,
    TreeGame,
    drawn,
    is_long,
    named,
    place_of,
    plant,
    statistics,
    turn_of,
    written,
)
from mctslab.search.node import Node
from mctslab.search.selection import SelectionRule

# puct


def _puct_cases() -> list[Case]:
    # Computed with decimals of forty digits.
    return [
        case(3.0, 5, 0.2, 16, 1.0, expected=0.7333333333333333333),
        case(0.0, 0, 0.5, 9, 1.0, expected=1.5),
        case(6.0, 8, 0.3, 50, 1.25, expected=1.044627825494394802),
    ]


def _puct_variation(rng: np.random.Generator) -> Case:
    visits = int(rng.integers(0, 30)) if rng.random() < 0.9 else 0
    prior, c = float(rng.uniform(0, 1)), float(rng.uniform(0, 5))
    total_value = float(rng.uniform(-visits, visits)) if visits else 0.0
    parent_visits = visits + int(rng.integers(1, 500))
    return case(total_value, visits, prior, parent_visits, c, expected=FROM_MODEL)


@exercise(cases=_puct_cases, variation=_puct_variation)
def puct(
    total_value: float, visit_count: int, prior: float, parent_visit_count: int, c: float
) -> float:
    """The PUCT score of a child, from W, n, P and the parent's N; without a visit its Q is 0."""
    value = total_value / visit_count if visit_count else 0.0
    return value + c * prior * math.sqrt(parent_visit_count) / (1 + visit_count)


# noisy_priors


def _judged_tree(priors: Sequence[float], below: Sequence[float]) -> Node:
    """A root with children that have these priors, the first of which has children as well."""
    deep = turn_of(1, *([drawn()] * len(below)))
    place = turn_of(len(below) % 2, deep, *([drawn()] * (len(priors) - 1)))
    new = dict.fromkeys(range(len(below)), Grown(0, 0))
    others = dict.fromkeys(range(1, len(priors)), Grown(0, 0))
    root = plant(TreeGame(place), Grown(9, 1, {0: Grown(3, 1, new), **others}))
    for node, shares in ((root, priors), (root.children[0], below)):
        for child, prior in zip(node.children, shares, strict=True):
            child.prior = prior
    return root


def _over_many_draws(
    function: Callable[..., Any], node: Node, alpha: float, weight: float, rng: np.random.Generator
) -> object:
    """Facts about many answers, and whether the tree still has the evaluator's priors."""
    answers = []
    for _ in range(NUM_CALLS):
        answer = function(node, alpha, weight, rng)
        if not isinstance(answer, list | tuple | np.ndarray) or len(answer) != len(node.children):
            return answer
        if not all(isinstance(each, int | float | np.number) for each in answer):
            return answer
        answers.append([float(number) for number in answer])
    return {_LEFT: [child.prior for child in node.children], **noise_seen(answers)}


_LEFT: Final = "the priors in the tree after that"


def _noise_case(
    priors: Sequence[float], below: Sequence[float], at_the_root: bool, alpha: float, weight: float
) -> Case:
    def arguments() -> tuple[Node, float, float, np.random.Generator]:
        root = _judged_tree(priors, below)
        return root if at_the_root else root.children[0], alpha, weight, np.random.default_rng(11)

    here = priors if at_the_root else below
    facts = {_LEFT: list(here), **noise_expected(here, alpha, weight if at_the_root else 0.0)}
    where = "the root" if at_the_root else "a child of the root"
    shown = f"{OFTEN}noisy_priors(node, {alpha}, {weight}, rng), where node is {where}, and its"
    shown += f" children have the priors {', '.join(f'{prior:.3g}' for prior in here)}"
    return Case(arguments, facts, shown, _over_many_draws, changes_arguments=True)


def _noise_cases() -> list[Case]:
    return [
        _noise_case((0.7, 0.2, 0.1), (0.6, 0.4), False, 0.3, 0.25),
        _noise_case((0.4, 0.2, 0.1, 0.1, 0.1, 0.1), (0.6, 0.4), True, 0.3, 0.25),
        _noise_case((0.6, 0.4), (1.0,), True, 1.0, 0.25),
    ]


def _noise_variation(rng: np.random.Generator) -> Case:
    """Without noise: below the root, or at a root with a single move."""
    priors = rng.dirichlet(np.ones(rng.integers(1, 6))).tolist()
    is_root = bool(len(priors) == 1 and rng.random() < 0.5)
    made = _noise_case(priors, priors, is_root, 0.3, 0.25)
    return replace(made, expected=FROM_MODEL, use=None, shown=made.shown.removeprefix(OFTEN))


@exercise(cases=_noise_cases, variation=_noise_variation)
def noisy_priors(node: Node, alpha: float, weight: float, rng: np.random.Generator) -> list[float]:
    """The priors that selection uses for the children of `node`, in their order.

    At the root a share `weight` of them is fresh Dirichlet noise, and elsewhere there is no noise.
    The tree keeps the evaluator's own priors.
    """
    priors = [child.prior for child in node.children]
    if node.parent is not None:
        return priors
    noise = rng.dirichlet([alpha] * len(priors))
    return [(1 - weight) * p + weight * float(n) for p, n in zip(priors, noise, strict=True)]


# gather


class Judged(NamedTuple):
    """A node of a small tree: P, N and W, and the nodes below it; a leaf has none."""

    prior: float
    visit_count: int
    total_value: float
    below: "tuple[Judged, ...]" = ()
    is_end: bool = False


def _place(judged: Judged, player: int) -> Place:
    """Turns alternate; a leaf has two moves that have not been tried."""
    below = [_place(child, 1 - player) for child in judged.below]
    return drawn() if judged.is_end else turn_of(player, *(below or [drawn(), drawn()]))


def _planted(judged: Judged) -> Node:
    root = Node(TreeGame(_place(judged, 0)))
    waiting = [(root, judged)]
    while waiting:
        node, its = waiting.pop()
        node.prior, node.visit_count, node.total_value = its[:3]
        for action, child in enumerate(its.below):
            node.untried_actions.remove(action)
            node.children.append(Node(parent=node, action=action))
            waiting.append((node.children[-1], child))
    return root


def _gathered(function: Callable[..., Any], root: Node, rule: SelectionRule, number: int) -> object:
    """The leaves by their places, and what is left in the tree."""
    leaves = function(root, rule, number)
    if not isinstance(leaves, list | tuple):
        return leaves
    places = tuple(place_of(leaf, root) for leaf in leaves)
    return {"the leaves": places, **statistics(root)}


def _gather_case(judged: Judged, c: float, *leaves: tuple[int, ...]) -> Case:
    def arguments() -> tuple[Node, SelectionRule, int]:
        return _planted(judged), search.puct(c), len(leaves)

    root = _planted(judged)
    facts = {"the leaves": tuple(Words(named(path)) for path in leaves), **statistics(root)}
    shown = f"gather(root, search.puct({c:g}), {len(leaves)})\n{written(root, with_priors=True)}"
    return Case(arguments, facts, shown, _gathered, changes_arguments=True)


def _gather_cases() -> list[Case]:
    # By hand.
    first = Judged(1.0, 1, 0.0, (Judged(0.6, 0, 0.0), Judged(0.4, 0, 0.0)))
    at_the_end = Judged(1.0, 9, 5.0, (Judged(0.8, 6, 6.0, is_end=True), Judged(0.2, 2, -1.0)))
    deep = Judged(
        *(1.0, 7, -2.0),
        (
            Judged(
                *(0.5, 5, 2.5), (Judged(0.3, 1, -1.0), Judged(0.4, 3, -1.5), Judged(0.3, 0, 0.0))
            ),
            Judged(0.5, 1, -0.5),
        ),
    )
    return [
        _gather_case(first, 1.0, (0,), (1,)),
        _gather_case(at_the_end, 1.0, (0,), (0,), (0,)),
        _gather_case(deep, 2.0, (0, 2), (1,), (0, 1), (0, 1), (1,)),
    ]


def _judged_at_random(rng: np.random.Generator, depth: int, prior: float) -> Judged:
    visits = int(rng.integers(1, 9))
    value = float(rng.uniform(-visits, visits))
    if depth == 0 or rng.random() < 0.3:
        return Judged(prior, visits, value, is_end=bool(rng.integers(2)))
    shares = rng.dirichlet([1.0] * int(rng.integers(1, 4)))
    below = tuple(_judged_at_random(rng, depth - 1, float(share)) for share in shares)
    visits = 1 + sum(child.visit_count for child in below)
    return Judged(prior, visits, float(rng.uniform(-visits, visits)), below)


def _gather_variation(rng: np.random.Generator) -> Case:
    judged = _judged_at_random(rng, 4, 1.0)
    if is_long(rng):
        for above in range(LONG):
            value = float(rng.uniform(-above, above))
            judged = Judged(1.0, judged.visit_count + 1, value, (judged,))
        half = judged._replace(prior=0.5)
        judged = Judged(1.0, 2 * half.visit_count + 1, 0.0, (half, half))
    number = int(rng.integers(1, 9))
    case = _gather_case(judged, float(rng.uniform(0.5, 4)), *[()] * number)
    return replace(case, expected=FROM_MODEL)


@exercise(cases=_gather_cases, variation=_gather_variation)
def gather(root: Node, rule: SelectionRule, number: int) -> list[Node]:
    """The leaves of `number` walks down the tree, to be evaluated at once.

    Until all are found, a finished walk counts at each of its nodes as a visit that the node's
    mover has lost. Afterwards N and W of every node are what they were.
    """
    leaves, passed = [], []
    for _ in range(number):
        leaves.append(search.select(root, rule))
        node: Node | None = leaves[-1]
        while node is not None:
            node.visit_count += 1
            node.total_value -= 1
            passed.append(node)
            node = node.parent
    for node in passed:
        node.visit_count -= 1
        node.total_value += 1
    return leaves
