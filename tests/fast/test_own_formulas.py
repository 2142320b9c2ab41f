"""A selection rule with a formula of one's own is the same rule in the compiled search."""

import math
from math import log, sqrt

import numpy as np
import pytest

from mctslab import fast, games, search
from tests.fast.same_trees import both, difference
from tests.games.playing import new_rng
from tests.search.judging import Judge

BASE = 19652.0


def growing_constant(visits: int, prior: float, parent_visits: int, c: float) -> float:
    """AlphaZero's own: its constant grows with the visits."""
    rate = math.log((1 + parent_visits + BASE) / BASE) + c
    return rate * prior * math.sqrt(parent_visits) / (1 + visits)


def squared(number: int) -> int:
    return number * number


def in_two_parts(visits: int, prior: float, parent_visits: int, c: float) -> float:
    """A helper, a branch, and names from `math`."""
    bonus = c * sqrt(log(1 + parent_visits))
    if visits > 10:
        bonus = bonus / 2
    return bonus * min(prior, 0.2) / squared(1 + visits)


def greedy(visits: int, prior: float, parent_visits: int, c: float) -> float:
    return 0


@pytest.mark.parametrize(
    ("formula", "solver"), [(growing_constant, False), (in_two_parts, True), (greedy, False)]
)
def test_own_formulas_grow_the_trees_of_the_readable_search(formula, solver):
    state, options = games.TicTacToe(), {"num_simulations": 400, "solver": solver}
    both("mcts", state, 1, selection=search.ucb1(exploration=formula), **options)
    evaluator = search.with_priors(search.rollout_evaluator(), Judge().priors)
    rule = search.puct(exploration=formula, fpu="parent")
    both("puct_search", state, 3, selection=rule, evaluator=evaluator, **options)


def test_a_formula_counts_as_changed_when_what_it_reads_has_changed(monkeypatch):
    rule, state = search.puct(exploration=growing_constant), games.TicTacToe()
    options = {"evaluator": search.rollout_evaluator(), "num_simulations": 300, "selection": rule}
    before = fast.puct_search(state, rng=new_rng(), **options)
    monkeypatch.setitem(globals(), "BASE", 2.0)
    after = fast.puct_search(state, rng=new_rng(), **options)
    assert difference(before.root, after.root) != ""
    readable = search.puct_search(state, rng=new_rng(), **options)
    assert difference(after.root, readable.root) == ""


def closed_over(factor: float) -> search.SelectionRule:
    def formula(visits: int, prior: float, parent_visits: int, c: float) -> float:
        return factor * c / (1 + visits)

    return search.puct(exploration=formula)


def by_numpy(visits: int, prior: float, parent_visits: int, c: float) -> float:
    return float(np.sqrt(c)) / (1 + visits)


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        (closed_over(2.0), r"formula\(\) reads variables of the function around it"),
        (search.puct(exploration=by_numpy), "np is a module: a formula reads numbers and"),
        (search.puct(exploration=lambda n, *others: 1 / (1 + n)), "a lambda is not a plain `def`"),
    ],
    ids=["closure", "numpy", "lambda"],
)
def test_other_formulas_are_left_to_the_readable_search(rule, reason):
    state, options = games.TicTacToe(), {"evaluator": search.uniform_evaluator()}
    options |= {"num_simulations": 60, "selection": rule}
    with pytest.warns(fast.SlowSearchWarning, match=reason):
        ours = fast.puct_search(state, rng=new_rng(), **options)
    theirs = search.puct_search(state, rng=new_rng(), **options)
    assert difference(ours.root, theirs.root) == ""


@pytest.mark.parametrize(
    ("formula", "what"),
    [
        (lambda *_: math.nan, "returned nan"),
        (lambda visits, prior, parent_visits, c: 1 / visits, "raised ZeroDivisionError"),
        (lambda visits: 1.0, "raised TypeError"),
        (1.25, "raised TypeError"),
    ],
)
def test_a_formula_without_a_number_for_a_new_child_is_refused(formula, what):
    with pytest.raises(ValueError, match=rf"exploration\(0, 0.5, 1, 1.25\) must .* {what}"):
        search.puct(exploration=formula)
