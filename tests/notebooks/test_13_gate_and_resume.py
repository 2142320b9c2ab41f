"""What the side road on the gate and the exact run says is so."""

from math import comb


def passes(num_games, needed):
    """The probability that an equal net wins `needed` games or more: the binomial distribution."""
    return sum(comb(num_games, wins) for wins in range(needed, num_games + 1)) / 2**num_games


def test_a_gate_of_forty_games_lets_an_equal_net_through_one_time_in_three(names):
    equal = names["equal"]

    assert 0.28 < passes(40, 22) < 0.36, "one time in three"
    for num_games, needed in ((40, 22), (100, 55), (400, 220)):
        assert abs(equal[num_games] - 100 * passes(num_games, needed)) <= 1
    assert passes(400, 220) < 0.05 < passes(100, 55), "it takes hundreds of games"


def test_the_run_in_pieces_is_the_whole_one(names):
    assert names["whole"] == names["pieces"]
    assert names["answer"] == "not at all"
