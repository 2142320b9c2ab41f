"""What the side road on long tournaments says is so."""

from pathlib import Path

import numpy as np
import pytest

from mctslab import arena


def test_the_first_alarm_is_when_wilsons_interval_leaves_one_half_out(names):
    for results in np.random.default_rng(5).integers(0, 2, (50, 60)):
        ends = [arena.wilson(results[:number].sum(), number) for number in range(20, 61)]
        alarms = [n for n, (low, high) in enumerate(ends, 20) if not low <= 0.5 <= high]
        assert names["first_alarm"](results) == (alarms or [0])[0]


def test_the_factor_is_the_ratio_of_two_probabilities_of_the_games(names):
    stronger = 10 ** (50 / 400) / (1 + 10 ** (50 / 400))
    for won, lost in ((0, 0), (3, 1), (10, 40), (57, 43)):
        ratio = stronger**won * (1 - stronger) ** lost / 0.5 ** (won + lost)
        assert np.exp(names["log_factor"](won, won + lost)) == pytest.approx(ratio)


def test_the_side_road_on_variants_stops_by_the_same_test(names):
    for file in Path("more/results").glob("11_variants_*.jsonl"):
        match = arena.load(file)
        assert names["decided"](match)[0] == len(match.games)
