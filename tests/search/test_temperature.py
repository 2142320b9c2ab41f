"""From visits to probabilities, at any temperature."""

import math

import numpy as np
import pytest

from mctslab.search import ChildStatistics, draw_action, visit_probabilities
from tests.search.toys import Dictated


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


@pytest.mark.parametrize(
    ("number", "action"),
    [(0.0, 11), (np.nextafter(0.75, 0), 11), (0.75, 13), (np.nextafter(1, 0), 13)],
)
def test_moves_are_drawn_as_often_as_their_probability_says(number, action):
    # Neither a move before the first visited one nor one after the last is ever drawn.
    assert draw_action(children(0, 3, 0, 1, 0), 1, Dictated(number)) == action


def test_a_seed_stands_for_its_generator():
    for seed in range(9):
        drawn = draw_action(children(2, 3, 4), 1, seed)
        assert drawn == draw_action(children(2, 3, 4), 1, np.random.default_rng(seed))
