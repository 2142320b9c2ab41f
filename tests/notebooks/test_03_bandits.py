"""What the side road on bandits says is so, and stays so with another seed."""

import math
from itertools import count

import numpy as np
import pytest

from mctslab import games
from mctslab.search import bandits

SEEDS = pytest.mark.parametrize("seed", range(2))


def play(names, strategy, seed, *, num_pulls=1_000, num_runs=500):
    rng = np.random.default_rng(seed)
    return bandits.play(
        names["WIN_RATES"], strategy, num_pulls=num_pulls, num_runs=num_runs, rng=rng
    )


def test_an_arm_left_alone_is_pulled_again_when_it_is_told(names):
    """Where its bonus has reached the dotted line at 0.6; after 20 pulls it is that of UCB1."""
    root, logarithm = names["growths"]["grows as √N"], names["growths"]["grows as √(ln N)"]

    def pulled_again(growth):
        return next(
            n for n in count(20) if names["start"] * math.sqrt(growth(n) / growth(20)) >= 0.6
        )

    assert 40 < pulled_again(root) < 50
    assert 1_000 < pulled_again(logarithm) < 2_000
    arms = np.array([[2, 0]]), np.array([[20, 10**6]])
    assert bandits.ucb1(c=1).scores(*arms)[0][1] < 0.01, "the other arm's bonus stays small"


@SEEDS
def test_a_second_arm_close_to_the_third_costs_less_with_a_large_c_and_first_more_with_a_small(
    seed,
):
    def ends(c):
        for second in (0.5, 0.65, 0.69):
            rng, rates = np.random.default_rng(seed), (0.3, second, 0.7)
            played = bandits.play(rates, bandits.ucb1(c), num_pulls=1_000, num_runs=500, rng=rng)
            yield played.mean_regret[-1]

    far, close, closest = ends(1.4)
    assert far > close + 5 > closest + 8
    far, close, closest = ends(0.5)
    assert far + 2 < close
    assert closest < close - 2


@SEEDS
def test_in_the_long_run_ucb1_is_ahead(names, seed):
    ucb1, epsilon = (
        play(names, strategy, seed, num_pulls=10_000, num_runs=40).mean_regret
        for strategy in names["strategies"]
    )
    assert ucb1[999] > epsilon[999]
    assert ucb1[-1] < epsilon[-1]
    # In the last tenfold, the one grows nearly tenfold too, the other by little.
    assert epsilon[-1] / epsilon[999] > 4
    assert 1.75 < ucb1[-1] / ucb1[999] < 2.5


@SEEDS
def test_the_regret_by_c_has_its_valley_where_it_is_told(names, seed):
    by_c = {c: play(names, bandits.ucb1(c), seed) for c in names["constants"]}
    ends = {c: played.mean_regret[-1] for c, played in by_c.items()}

    assert min(ends, key=ends.get) in (0.3, 0.5, 0.7)
    assert ends[0.5] < ends[1.4] < ends[3]
    assert ends[0.5] < ends[0.2] < ends[0]
    # "As the wide band on the left shows".
    assert by_c[0].margin[-1] > 5 * by_c[1.4].margin[-1]


@SEEDS
def test_a_small_c_makes_a_deep_and_narrow_tree(names, seed, monkeypatch):
    monkeypatch.setitem(names, "rng", np.random.default_rng(seed))
    depths, shares = np.transpose(
        [np.mean([names["shape"](c) for _ in range(4)], axis=0) for c in (0.1, 0.5, 1.4, 4)]
    )

    assert depths[0] > 1.3 * max(depths[1:])
    assert shares[0] > shares[-1]
    assert shares[-1] < 2 / len(games.ConnectFour().legal_actions())
