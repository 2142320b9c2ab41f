"""What the side road on long tournaments says is so."""

from pathlib import Path

import numpy as np
import pytest

from mctslab import arena


def test_the_first_alarm_is_when_wilsons_interval_leaves_one_half_out(names):
    for results in np.random.default_rng(5).integers(0, 2, (50, 60)):
        ends = [arena.wilson(results[:number].sum(), number, 1.96) for number in range(20, 61)]
        alarms = [n for n, (low, high) in enumerate(ends, 20) if not low <= 0.5 <= high]
        assert names["first_alarm"](results) == (alarms or [0])[0]


def test_the_factor_is_the_ratio_of_two_probabilities_of_the_games(names):
    stronger = 10 ** (50 / 400) / (1 + 10 ** (50 / 400))
    for won, lost in ((0, 0), (3, 1), (10, 40), (57, 43)):
        ratio = stronger**won * (1 - stronger) ** lost / 0.5 ** (won + lost)
        assert np.exp(names["log_factor"](won, won + lost)) == pytest.approx(ratio)


@pytest.mark.thorough
@pytest.mark.parametrize("true_claim", ["H0", "H1"])
def test_the_sequential_test_is_wrong_in_at_most_one_match_of_twenty(names, true_claim):
    chance = {"H0": 0.5, "H1": 1 / (1 + 10 ** (-50 / 400))}[true_claim]
    won = (np.random.default_rng(3).random((1_000, 1_500)) < chance).cumsum(axis=1)
    factors = names["log_factor"](won, np.arange(1, 1_501))[:, 1::2]
    is_over = abs(factors) >= np.log(19)
    last = factors[np.arange(1_000), is_over.argmax(axis=1)]
    wrong = np.mean((last > 0) != (true_claim == "H1"))
    assert is_over.any(axis=1).mean() > 0.98
    assert wrong < 0.06


def test_the_side_road_on_variants_stops_by_the_same_test(names):
    for file in Path("more/results").glob("11_variants_*.jsonl"):
        match = arena.load(file)
        assert names["decided"](match)[0] == len(match.games)
