"""What notebook 09 says is so, and stays so with another seed."""

from itertools import pairwise
from statistics import NormalDist

import pytest

from mctslab import arena
from mctslab.score import Estimate

FACTS = ((0.590, 0.030), (0.698, 0.028), (0.763, 0.048))
"""Scores of UCT with nine classes that others have measured by another program, with margins."""


@pytest.fixture
def rates(names):
    """The scores against random rollouts for each budget."""
    return {
        key: [
            Estimate(value, *ends) for value, ends in zip(values, names["ends"][key], strict=True)
        ]
        for key, values in names["scores"].items()
    }


# The matches


def test_scores_agree_with_those_of_another_program(rates):
    for rate, (value, margin) in zip(rates["UCT, nine"], FACTS, strict=True):
        assert rate.low - margin <= value <= rate.high + margin


def test_in_the_tree_both_tables_help_more_with_more_simulations(rates):
    nine, five = rates["UCT, nine"], rates["UCT, five"]
    for ordered in (nine, five):
        assert ordered[0].low > 0.5
        assert all(less.high < more.low for less, more in pairwise(ordered))
    assert all(nine[place].high < five[place].low for place in (1, 2))


def test_in_flat_monte_carlo_nine_classes_harm_and_five_help_less_than_in_the_tree(rates):
    nine, five = rates["flat, nine"], rates["flat, five"]
    assert 0.5 < nine[0].high < 0.505
    assert max(nine[1].high, nine[2].high) < 0.45
    for flat, tree in zip(five, rates["UCT, five"], strict=True):
        assert 0.5 < flat.low < flat.high < tree.low


def test_early_both_tables_help_and_late_both_harm(names):
    nine, five = (
        [names["stages"][f"{stage}, {number} classes"] for stage in ("opening", "middle", "end")]
        for number in ("nine", "five")
    )
    for opening, _, end in (nine, five):
        assert opening.low > 0.5
        assert end.high < 0.45
    assert nine[1].low < 0.5 < nine[1].high
    assert five[1].low > five[0].high
    assert nine[2].high < five[2].low


def test_white_has_the_easier_task(names):
    match = names["four_hundred"]
    assert match.score_as(0).rate.high < match.score_as(1).rate.low


# Intervals


def test_most_matches_of_fifty_decide_nothing_and_all_hold_the_score(names):
    fifties, score = names["fifties"], names["points"].mean()

    assert len(fifties) == 20
    assert sum(low <= 0.5 <= high for _, low, high in fifties) > 10
    assert all(low <= score <= high for _, low, high in fifties)


# By the clock


def test_by_the_clock_three_matches_are_decided_and_the_fourth_is_not(names, rates):
    by_clock = dict(names["rates"])
    nine = by_clock.pop("flat, nine classes")

    assert all(rate.low > 0.5 for rate in by_clock.values())
    assert nine.value < 0.5 < nine.high
    assert all(nine.low < rate.value < nine.high for rate in rates["flat, nine"][1:])
    distance, deviation = 0.5 - nine.value, (nine.value * (1 - nine.value)) ** 0.5
    assert 180 < arena.games_needed(distance, nine.value) < 220

    def power(num_games):
        return NormalDist().cdf(distance * num_games**0.5 / deviation - 1.96)

    assert power(200) == pytest.approx(0.5, abs=0.03)
    assert power(400) == pytest.approx(0.8, abs=0.03)


def test_a_player_has_the_same_colour_in_all_charts(names):
    assert {*names["scores"], *names["shares"]} == {*names["PLAYERS"]}


# The endgame, exactly
