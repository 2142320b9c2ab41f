"""From visits to probabilities, at any temperature."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab.search import ChildStatistics, draw_action, visit_probabilities
from tests.search.toys import Dictated


def children(*visits):
    return [ChildStatistics(10 + place, n, 0.0, 0.1) for place, n in enumerate(visits)]


visit_counts = st.lists(st.integers(0, 10**15), min_size=1, max_size=30).filter(any)


def test_the_formula():
    for tau in (0.5, 1, 2, 7.5):
        powers = [n ** (1 / tau) for n in (1, 5, 30, 64)]
        expected = [power / sum(powers) for power in powers]
        assert visit_probabilities(children(1, 5, 30, 64), tau) == pytest.approx(expected)


ODDS = 0.999**1_000


@pytest.mark.parametrize(
    ("tau", "visits", "expected"),
    [
        (1, (1, 0, 3), [0.25, 0, 0.75]),
        # At 0 the most visited share everything, and close to 0 it is the limit.
        *((tau, (3, 8, 5), [0, 1, 0]) for tau in (0, 5e-324, 1e-18)),
        *((tau, (8, 3, 8, 8, 0), [1 / 3, 0, 1 / 3, 1 / 3, 0]) for tau in (0, 5e-324, 1e-18)),
        *((tau, (10**15, 10**15 - 1), [1, 0]) for tau in (0, 5e-324, 1e-18)),
        # A low temperature neither overflows nor vanishes; (1 - 1e-15) ** 1e15 is nearly 1 / e.
        (1e-3, (999, 1_000), [ODDS / (1 + ODDS), 1 / (1 + ODDS)]),
        (1e-3, (10**15, 10**14, 1), [1, 0, 0]),
        (1e-15, (10**15, 10**15 - 1), [math.e / (1 + math.e), 1 / (1 + math.e)]),
        # A high one makes all that were visited alike.
        (1e300, (1, 10**15, 0, 7), [1 / 3, 1 / 3, 0, 1 / 3]),
    ],
)
def test_extreme_temperatures(tau, visits, expected):
    rel = 0.1 if tau == 1e-15 else 1e-6
    assert visit_probabilities(children(*visits), tau) == pytest.approx(expected, rel=rel, abs=0)


@given(visit_counts, st.sampled_from([0, 1e-300, 1e-3, 0.3, 1, 4, 1e6]))
@pytest.mark.filterwarnings("error")
def test_they_are_probabilities_and_more_visits_never_have_less(visits, tau):
    probabilities = visit_probabilities(children(*visits), tau)
    assert probabilities.sum() == pytest.approx(1)
    assert (probabilities >= 0).all()
    assert not probabilities[np.array(visits) == 0].any()
    assert (np.diff(probabilities[np.argsort(visits, kind="stable")]) >= 0).all()


def test_a_temperature_that_is_none():
    for tau in [-1, -1e-300, math.nan, math.inf]:
        message = f"temperature must be 0 or more and finite, got {tau!r}"
        with pytest.raises(ValueError, match=message):
            draw_action(children(1, 2), tau, np.random.default_rng(1))


@pytest.mark.parametrize("tau", [0, 1])
@pytest.mark.parametrize("visits", [(), (0, 0, 0)])
def test_without_visits_there_is_nothing_to_choose_by(visits, tau):
    with pytest.raises(ValueError, match="No move was visited: search with 2 simulations or more"):
        visit_probabilities(children(*visits), tau)


@pytest.mark.parametrize(
    ("number", "action"),
    [(0.0, 11), (np.nextafter(0.75, 0), 11), (0.75, 13), (np.nextafter(1, 0), 13)],
)
def test_moves_are_drawn_as_often_as_their_probability_says(number, action):
    # Neither a move before the first visited one nor one after the last is ever drawn.
    assert draw_action(children(0, 3, 0, 1, 0), 1, Dictated(number)) == action


@given(visit_counts, st.floats(0, 5), st.floats(0, 1, exclude_max=True))
def test_only_visited_moves_are_drawn(visits, tau, number):
    assert visits[draw_action(children(*visits), tau, Dictated(number)) - 10] > 0
