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


def shares(temperature, *visits):
    return visit_probabilities(children(*visits), temperature).tolist()


visit_counts = st.lists(st.integers(0, 10**15), min_size=1, max_size=30).filter(any)


def test_the_formula():
    for tau in (0.5, 1, 2, 7.5):
        powers = [n ** (1 / tau) for n in (1, 5, 30, 64)]
        expected = [power / sum(powers) for power in powers]
        assert shares(tau, 1, 5, 30, 64) == pytest.approx(expected)
    assert shares(1, 1, 0, 3) == [0.25, 0, 0.75]


def test_at_0_the_most_visited_share_everything():
    assert shares(0, 3, 8, 5) == [0, 1, 0]
    assert shares(0, 8, 3, 8, 8, 0) == [1 / 3, 0, 1 / 3, 1 / 3, 0]
    assert shares(0, 10**15, 10**15 - 1) == [1, 0]


def test_close_to_0_it_is_the_limit():
    for tau in [5e-324, 1e-300, 1e-18]:
        assert shares(tau, 3, 8, 5) == [0, 1, 0]
        assert shares(tau, 8, 3, 8, 8, 0) == [1 / 3, 0, 1 / 3, 1 / 3, 0]
        assert shares(tau, 10**15, 10**15 - 1) == [1, 0]


def test_a_single_visit_more_counts_also_among_many():
    # (1 - 1e-15) ** (1 / 1e-15) is nearly 1 / e.
    expected = math.exp(-1) / (1 + math.exp(-1))
    assert shares(1e-15, 10**15, 10**15 - 1)[1] == pytest.approx(expected, rel=0.1)


def test_a_low_temperature_neither_overflows_nor_vanishes():
    assert shares(1e-3, 999, 1_000) == pytest.approx(
        [0.999**1_000 / (1 + 0.999**1_000), 1 / (1 + 0.999**1_000)]
    )
    assert shares(1e-3, 10**15, 10**14, 1) == [1, 0, 0]


def test_a_high_temperature_makes_all_that_were_visited_alike():
    assert shares(1e6, 1, 10**15, 0, 7) == pytest.approx([1 / 3, 1 / 3, 0, 1 / 3], rel=1e-4)
    assert shares(1e300, 1, 10**15, 0, 7) == pytest.approx([1 / 3, 1 / 3, 0, 1 / 3])


@given(visit_counts, st.sampled_from([0, 1e-300, 1e-3, 0.3, 1, 4, 1e6]))
@pytest.mark.filterwarnings("error")
def test_they_are_probabilities_and_more_visits_never_have_less(visits, tau):
    probabilities = visit_probabilities(children(*visits), tau)
    assert probabilities.sum() == pytest.approx(1)
    assert np.isfinite(probabilities).all()
    for n, probability in zip(visits, probabilities, strict=True):
        assert 0 <= probability <= 1
        if n == 0:
            assert probability == 0
        if n == max(visits):
            assert probability == probabilities.max() > 0
    in_order = probabilities[np.argsort(visits, kind="stable")]
    assert (np.diff(in_order) >= 0).all()


def test_a_temperature_that_is_none():
    for tau in [-1, -1e-300, math.nan, math.inf]:
        with pytest.raises(ValueError, match="temperature must be 0 or more and finite") as error:
            shares(tau, 1, 2)
        assert f"got {tau!r}" in str(error.value)
        with pytest.raises(ValueError, match="0 or more and finite"):
            draw_action(children(1, 2), tau, np.random.default_rng(1))


@pytest.mark.parametrize("tau", [0, 1])
@pytest.mark.parametrize("visits", [(), (0,), (0, 0, 0)])
def test_without_visits_there_is_nothing_to_choose_by(visits, tau):
    with pytest.raises(ValueError, match="No move was visited: search with 2 simulations or more"):
        shares(tau, *visits)


# A draw


def test_moves_are_drawn_as_often_as_their_probability_says(rng):
    for tau in [0.5, 1, 3]:
        those = children(5, 0, 20, 1, 0, 30)
        number = 20_000
        drawn = [draw_action(those, tau, rng) for _ in range(number)]
        counts = np.array([drawn.count(child.action) for child in those])
        expected = number * visit_probabilities(those, tau)
        assert counts.sum() == number
        assert not counts[expected == 0].any()
        visited = expected > 0
        squares = (counts - expected)[visited] ** 2 / expected[visited]
        assert squares.sum() < 16.27  # chi-square with 3 degrees of freedom, 99.9%


def test_the_ends_of_the_scale():
    # Neither a move before the first visited one nor one after the last is ever drawn.
    those = children(0, 3, 0, 1, 0)
    assert draw_action(those, 1, Dictated(0.0)) == 11
    assert draw_action(those, 1, Dictated(np.nextafter(0.75, 0))) == 11
    assert draw_action(those, 1, Dictated(0.75)) == 13
    assert draw_action(those, 1, Dictated(np.nextafter(1, 0))) == 13


@given(visit_counts, st.floats(0, 5), st.floats(0, 1, exclude_max=True))
def test_only_visited_moves_are_drawn(visits, tau, number):
    action = draw_action(children(*visits), tau, Dictated(number))
    assert visits[action - 10] > 0
