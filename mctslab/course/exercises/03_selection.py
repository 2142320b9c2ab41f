"""Notebook 03, selection: a score that balances good moves against unknown ones."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from mctslab.course.checking.comparing import Words
from mctslab.course.exercise import exercise
from mctslab.course.question import FROM_MODEL, Case, case
from mctslab.course.tree_game import (
    IN_ORDER,
    SPARSE,
    Grown,
    Place,
    TreeGame,
    drawn,
    named,
    place_of,
    plant,
    tree_at_random,
    turn_of,
    written,
)
from mctslab.search.node import Node
from mctslab.search.selection import SelectionRule
from mctslab.search.selection import ucb1 as ucb1_rule

# ucb1


def _ucb1_cases() -> list[Case]:
    # Computed with decimals of forty digits.
    return [
        case(0.5, 1, 1, 1.0, expected=0.5),
        case(0.0, 0, 5, 0.0, expected=math.inf),
        case(0.5, 2, 8, 1.0, expected=1.519666990168808968),
        case(0.0, 1, 10, 1.0, expected=1.517427129385146351),
    ]


def _ucb1_variation(rng: np.random.Generator) -> Case:
    visits = int(rng.integers(0, 20)) if rng.random() < 0.9 else 0
    rate = float(rng.uniform(0, 1) * rng.integers(4)) / 3 if visits else 0.0
    parent_visits = visits + int(rng.integers(1, 1_000))
    c = float(rng.choice((0, 1, 3)) * rng.uniform())
    return case(rate, visits, parent_visits, c, expected=FROM_MODEL)


@exercise(cases=_ucb1_cases, variation=_ucb1_variation)
def ucb1(win_rate: float, visit_count: int, parent_visit_count: int, c: float) -> float:
    """The UCB1 score of a child; without a visit it comes before all others."""
    if visit_count == 0:
        return math.inf
    return win_rate + c * math.sqrt(math.log(parent_visit_count) / visit_count)


# select


def _select_case(
    place: Place, grown: Grown, c: float, *path: int, numbers: tuple[int, ...] = IN_ORDER
) -> Case:
    def arguments() -> tuple[Node, SelectionRule]:
        return plant(TreeGame(place, (), numbers), grown), ucb1_rule(c)

    def where(function: Callable[..., Any], root: Node, rule: SelectionRule) -> object:
        return place_of(function(root, rule), root)

    root, rule = arguments()
    return Case(arguments, Words(named(path)), f"select(root, {rule!r})\n{written(root)}", where)


def _select_cases() -> list[Case]:
    # Every walk was worked out by hand; the comments contain the scores that decide.
    end = drawn()
    later = turn_of(1, end, end)
    two_moves = turn_of(0, later, later)
    last = turn_of(0, end, end)
    two_plies = turn_of(0, turn_of(1, last, last), turn_of(1, last, last, last))
    moving_twice = turn_of(0, turn_of(0, last, end), later)
    return [
        _select_case(end, Grown(3, 0), 1.4),
        _select_case(two_moves, Grown(1, 1, {0: Grown(1, 1)}), 1.4),
        # 0.80 + 0.85 against 0.50 + 1.20: the bonus decides.
        _select_case(two_moves, Grown(9, 3.6, {0: Grown(6, 3.6), 1: Grown(3, 0)}), 1.4, 1),
        # 0.75 + 0.50 against 0.38 + 0.61; then 0.08 + 0.64 against 0.50 + 0.70.
        _select_case(
            two_plies,
            Grown(20, 4, {0: Grown(12, 6, {0: Grown(6, -5), 1: Grown(5, 0)}), 1: Grown(8, -2)}),
            *(1.0, 0, 1),
        ),
        # Player 0 moves twice. 0.83 + 0.30 against 0.50 + 0.43; then 1.00 + 0.39, 0.50 + 0.47.
        _select_case(
            moving_twice,
            Grown(9, 4, {0: Grown(6, 4, {0: Grown(3, 3), 1: Grown(2, 0)}), 1: Grown(3, 0)}),
            *(0.5, 0, 0),
        ),
    ]


def _select_variation(rng: np.random.Generator) -> Case:
    place, grown = tree_at_random(rng, 7, 80)
    case = _select_case(place, grown, float(rng.uniform(0, 2)), numbers=SPARSE)
    return replace(case, expected=FROM_MODEL)


@exercise(cases=_select_cases, variation=_select_variation)
def select(root: Node, rule: SelectionRule) -> Node:
    """Walk from the root to a node with an untried action, or to the end of a game."""
    node = root
    while node.is_fully_expanded and node.children:
        node = rule.best_child(node)
    return node
