"""What the side road on long tournaments says is so, and stays so with another seed."""

import numpy as np

from mctslab import arena


def test_the_first_alarm_is_when_wilsons_interval_leaves_one_half_out(names):
    for results in np.random.default_rng(5).integers(0, 2, (50, 60)):
        ends = [arena.wilson(results[:number].sum(), number, 1.96) for number in range(20, 61)]
        alarms = [n for n, (low, high) in enumerate(ends, 20) if not low <= 0.5 <= high]
        assert names["first_alarm"](results) == (alarms or [0])[0]


def test_looking_all_the_time_is_fooled_far_more_often(names):
    coins = np.random.default_rng(7).integers(0, 2, (600, 1_000))
    looking = np.mean([names["first_alarm"](results) > 0 for results in coins])
    once = np.mean(abs(coins.sum(axis=1) - 500) > 1.96 * 1_000**0.5 / 2)
    assert 0.36 < looking < 0.52
    assert once < 0.09
    assert arena.wilson(0.57 * 200, 200).low > 0.5, "which looks clear"


def test_the_sequential_test_stops_where_the_arena_would(names):
    sprt = arena.SPRT(0, 50)
    match = arena.match("reversi", "roxanne", "random", num_games=1_000, seed=9, sprt=sprt)
    number, decision = names["decided"](names["roxanne_random"], sprt)
    assert (len(match.games), match.decision.name) == (number, decision)
