"""Scores, Wilson's interval and Elo against published and hand-computed values."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab.score import Score, elo_difference, wilson


def test_wilson_as_published():
    # R. Newcombe, Statistics in Medicine 17, 1998, table I, method 3.
    for successes, number, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        assert wilson(successes, number) == pytest.approx((low, high), abs=5e-5)
    assert wilson(0, 0) == (0, 1)
    for successes in (-1, 5, math.nan):
        with pytest.raises(ValueError, match="from 0 to number=4"):
            wilson(successes, 4)


@given(st.integers(1, 500), st.data())
def test_the_interval_holds_the_share_and_mirrors(number, data):
    share = data.draw(st.integers(0, 2 * number)) / 2
    low, high = wilson(share, number)
    assert 0 <= low <= share / number <= high <= 1
    assert low < high
    assert (1 - high, 1 - low) == pytest.approx(wilson(number - share, number))


def test_elo_of_a_score():
    for score, elo in (
        (0.5, 0), (0.501, 0.695), (10 / 11, 400), (1 / 11, -400), (0.64, 99.95), (100 / 101, 800),
    ):  # fmt: skip
        assert elo_difference(score) == pytest.approx(elo, abs=0.005)
    assert (elo_difference(1), elo_difference(0)) == (math.inf, -math.inf)
    with pytest.raises(ValueError, match="from 0 to 1"):
        elo_difference(1.01)


def test_a_score_by_hand():
    score = Score(6, 2, 2) + Score(draws=2)
    assert (score.num_games, score.points, str(score)) == (12, 8, "+6 =4 -2")
    assert score.rate == (pytest.approx(2 / 3), *wilson(8, 12))
    assert score.elo.value == pytest.approx(400 * math.log10(2))
    assert score.elo.low == pytest.approx(elo_difference(score.rate.low))
    assert score.elo.low < score.elo.value < score.elo.high
    assert (Score().rate.value, Score().elo.low) == (0.5, -math.inf)
