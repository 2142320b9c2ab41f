"""The sequential test against Wald's formula, a general optimiser's and published values."""

import math

import pytest

from mctslab.arena.game import PlayedGame
from mctslab.arena.sprt import SPRT, Decision, games_that_count


def test_the_bounds_are_walds():
    # log(0.05 / 0.95) and its negative, which chess programmers know as 2.94.
    assert SPRT(0, 5).bounds == (pytest.approx(-2.944439), pytest.approx(2.944439))
    assert SPRT(0, 5, alpha=0.01, beta=0.1).bounds == (
        pytest.approx(math.log(0.1 / 0.99)),
        pytest.approx(math.log(0.9 / 0.01)),
    )


def test_published_ratios():
    # Of the chess engine Stockfish's pull requests 2971, 2951, 3209 and 3098 of 2020, tested by its
    # "fishtest" on the same scale: pairs with 0, 1/2, 1, 3/2, 2 points, and LLR.
    for elo0, elo1, pairs, published in (
        (-0.5, 1.5, (17, 253, 1042, 337, 39), 2.96),
        (-0.5, 1.5, (59, 754, 2467, 865, 75), 2.95),
        (-0.25, 1.25, (253, 4282, 17604, 4431, 286), 2.94),
        (-0.25, 1.25, (491, 7345, 29693, 7670, 465), 2.96),
    ):
        ratio = SPRT(elo0, elo1).log_likelihood_ratio(pairs)
        assert ratio == pytest.approx(published, abs=0.0051)


def test_ratios_of_likelihoods_that_a_general_optimiser_found():
    # Differences of two maxima that scipy.optimize.minimize (SLSQP) found for sum(n log p) under
    # the two conditions sum(p) = 1 and mean = s.
    for counts, elo0, elo1, expected in (
        ((10, 20, 60, 35, 12), 0, 20, 1.2172852),
        ((3, 5, 2), 0, 100, -1.3191881),
        ((1, 4, 9, 14, 5), -10, 40, 3.2763584),
    ):
        ratio = SPRT(elo0, elo1).log_likelihood_ratio(counts)
        assert ratio == pytest.approx(expected, abs=1e-6)


def test_what_is_plain_is_decided():
    for counts, decision in (
        ((0, 0, 0, 0, 40), Decision.H1),
        ((0, 0, 500, 0, 0), Decision.H0),
        ((1, 1, 1, 1, 1), None),
        ((0, 0, 0, 0, 0), None),
    ):
        assert SPRT(0, 50).decide(counts) is decision
    assert SPRT(0, 50).log_likelihood_ratio((0, 0, 0, 0, 0)) == 0


def test_games_count_in_the_order_of_their_numbers_up_to_the_decision():
    won = [((1.0, -1.0), (-1.0, 1.0))[number % 2] for number in range(40)]
    games = [
        PlayedGame((0, 1), number, (), returns, players=("ab", "ba")[number % 2])
        for number, returns in enumerate(won)
    ]
    counted, decision = games_that_count(games[::-1], "a", SPRT(0, 200))
    assert decision is Decision.H1
    assert list(counted) == games[: len(counted)]
    assert SPRT(0, 200).decide((0, 0, 0, 0, len(counted) // 2 - 1)) is None
    # While a game is missing, nobody knows which of the later ones will count.
    assert games_that_count(games[:3] + games[4:], "a", SPRT(0, 200))[1] is None
    assert games_that_count(games[::-1], "a", None) == (tuple(games), None)


def test_what_is_no_test_is_refused():
    for wrong, message in (
        ((5, 5), "elo0 = 5 must be below elo1 = 5"),
        ((9, 5), "must be below"),
        ((0, math.inf), "elo1 = inf: expected `float`"),
        ((math.nan, 5), "elo0 = nan: expected `float`"),
        ((0, 5, 0), "alpha = 0: expected `float` > 0.0"),
        ((0, 5, 0.05, 0.5), "beta = 0.5"),
    ):
        with pytest.raises(ValueError, match=message):
            SPRT(*wrong)
