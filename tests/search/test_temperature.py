"""From visits to probabilities, at any temperature."""

import math

import numpy as np
import pytest

from mctslab.search import ChildStatistics, draw_action, visit_probabilities


def children(*visits):
    return [ChildStatistics(10 + place, n, 0.0, 0.1) for place, n in enumerate(visits)]


ODDS = 0.999**1_000


@pytest.mark.parametrize(
    ("tau", "visits", "expected"),
    [
        (1, (1, 0, 3), [0.25, 0, 0.75]),
        (0.5, (1, 2, 3), [1 / 14, 4 / 14, 9 / 14]),
        # At 0 the most visited share everything, and close to 0 it is the limit.
        *((tau, (8, 3, 8, 8, 0), [1 / 3, 0, 1 / 3, 1 / 3, 0]) for tau in (0, 5e-324, 1e-18)),
        # A low temperature neither overflows nor vanishes; (1 - 1e-15) ** 1e15 is nearly 1 / e.
        (1e-3, (999, 1_000), [ODDS / (1 + ODDS), 1 / (1 + ODDS)]),
        (1e-15, (10**15, 10**15 - 1), [math.e / (1 + math.e), 1 / (1 + math.e)]),
        # A high one makes all that were visited alike.
        (1e300, (1, 10**15, 0, 7), [1 / 3, 1 / 3, 0, 1 / 3]),
    ],
)
def test_probabilities_by_hand(tau, visits, expected):
    rel = 0.1 if tau == 1e-15 else 1e-6
    assert visit_probabilities(children(*visits), tau) == pytest.approx(expected, rel=rel, abs=0)


def test_a_move_is_drawn_by_these_probabilities_and_a_seed_stands_for_its_generator():
    found = children(0, 3, 0, 1, 0)
    drawn = [draw_action(found, 1, seed) for seed in range(400)]
    assert set(drawn) == {11, 13}
    assert 0.68 < drawn.count(11) / 400 < 0.82
    assert drawn[9] == draw_action(found, 1, np.random.default_rng(9))
    assert {draw_action(found, 0, seed) for seed in range(9)} == {11}
