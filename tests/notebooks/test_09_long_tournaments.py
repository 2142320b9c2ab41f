"""What the side road on long tournaments says is so, and stays so with another seed."""

import numpy as np

from mctslab import arena


def test_what_is_said_of_the_policies_is_so(names):
    rates = {name: result.score.rate for name, result in names["policies"].items()}
    direct = rates["nine classes, five classes"]

    assert all(rates[f"{who}, random"].low > 0.7 for who in ("nine classes", "five classes"))
    assert rates["nine classes, greedy"].low > 0.7
    assert rates["five classes, random"].value > rates["nine classes, random"].value
    assert 0.49 < direct.high < 0.5
    assert direct.low <= 0.456 <= direct.high, "as another program has measured it"


def test_a_repeated_game_is_only_two_games(names):
    conditions = {"num_games": 20, "seed": 3}
    first = names["FirstMove"]
    assert arena.match("reversi", first, first, **conditions).num_different_games == 2
    varied = arena.match("reversi", first, first, opening_plies=4, **conditions)
    assert varied.num_different_games > 15


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


def test_the_sequential_test_needs_fewer_than_a_hundred_games(names):
    assert all(40 < number < 100 for number in names["needed"].values())


def test_each_search_is_far_above_each_policy_and_neighbours_overlap(names):
    ratings = names["ratings"]
    elo = dict(zip(ratings.names, ratings.elo, strict=True))
    searches = [elo[name] for name in elo if ":" in name]
    policies = [elo[name] for name in elo if ":" not in name]
    assert min(each.low for each in searches) > max(each.high for each in policies)
    assert elo["flat:400:roxanne"].high > elo["flat:400"].low


def test_the_tournament_does_not_decide_what_the_long_match_does(names):
    value, low, high = names["ratings"].difference("flat:400", "flat:400:roxanne")
    assert low < 0 < value < high
    long_low, long_high = names["long_low"], names["long_high"]
    assert 0 < long_low < names["long_value"] < long_high
    assert names["flat_games"].elo.value == -names["long_value"]
