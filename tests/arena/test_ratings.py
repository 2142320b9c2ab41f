"""Elo ratings against a published table."""

import math

import numpy as np
import pytest

from mctslab.arena.ratings import ELO_PER_LOGIT, bradley_terry

TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
BASEBALL = (
    (0, 7, 9, 7, 7, 9, 11),
    (6, 0, 7, 5, 11, 9, 9),
    (4, 6, 0, 7, 7, 8, 12),
    (6, 8, 6, 0, 6, 7, 10),
    (6, 2, 6, 7, 0, 7, 12),
    (4, 4, 5, 6, 6, 0, 6),
    (2, 4, 1, 3, 1, 7, 0),
)
"""Wins in the American League of 1987 (A. Agresti, Categorical Data Analysis, section 10.6)."""

PUBLISHED = {
    "Milwaukee": (1.5814, 0.3433),
    "Detroit": (1.4364, 0.3396),
    "Toronto": (1.2945, 0.3367),
    "New York": (1.2476, 0.3359),
    "Boston": (1.1077, 0.3339),
    "Cleveland": (0.6839, 0.3319),
}
"""Abilities above Baltimore's, and standard errors: the standard model of R's BradleyTerry2."""


def test_as_published():
    ratings = bradley_terry(TEAMS, BASEBALL, zero="Baltimore", prior_draws=0)
    *others, baltimore = ratings.elo
    for (ability, error), elo in zip(PUBLISHED.values(), others, strict=True):
        assert elo.value / ELO_PER_LOGIT == pytest.approx(ability, abs=6e-5)
        assert (elo.high - elo.value) / ELO_PER_LOGIT / 1.959964 == pytest.approx(error, abs=6e-5)
        assert elo.high - elo.value == pytest.approx(elo.value - elo.low)
    assert baltimore == pytest.approx((0, 0, 0), abs=1e-6)
    without_zero = bradley_terry(TEAMS, BASEBALL)
    assert sum(elo.value for elo in without_zero.elo) == pytest.approx(0, abs=1e-6)
    assert [name for name, _ in without_zero.ranking()] == list(TEAMS)


def test_who_won_everything_is_rated_high_but_not_infinitely():
    """One drawn game more for each pairing: half a point for each side."""
    names, points = ("all", "some", "few"), np.array(((0, 20, 20), (0, 0, 19.5), (0, 0.5, 0)))
    ratings = bradley_terry(names, points)
    assert all(math.isfinite(end) for elo in ratings.elo for end in elo)
    by_hand = bradley_terry(names, points + 0.5 * (1 - np.eye(3)), prior_draws=0)
    assert ratings.elo == by_hand.elo


def test_who_has_not_played_is_not_compared():
    ratings = bradley_terry(("a", "b", "new"), ((0, 6, 0), (4, 0, 0), (0, 0, 0)))
    assert ratings.elo[2].high == math.inf
    assert ratings.elo[0].low == -math.inf
    apart = bradley_terry("abcd", ((0, 6, 0, 0), (4, 0, 0, 0), (0, 0, 0, 5), (0, 0, 5, 0)))
    assert apart.elo[0].high == math.inf
    by_others = bradley_terry("abc", ((0, 6, 0), (4, 0, 5), (0, 5, 0)))
    assert math.isfinite(by_others.difference("a", "c").high)
