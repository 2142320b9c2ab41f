"""What notebook 09 says is so, and stays so with another seed."""

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from mctslab import arena, games
from mctslab.arena import results_file
from mctslab.score import Estimate, elo_difference
from tests.notebooks.reading import PROJECT

BUDGETS = (100, 400, 1_600)
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
    for rate, (value, margin) in zip(rates["UCT, nine classes"], FACTS, strict=True):
        assert rate.low - margin <= value <= rate.high + margin


def test_the_stages_are_the_whole_game_and_do_not_overlap(names):
    stages = [number for stage in names["STAGES"].values() for number in stage]
    assert sorted(stages) == list(range(61))


def test_in_the_tree_both_tables_help_more_with_more_simulations(rates):
    nine, five = rates["UCT, nine classes"], rates["UCT, five classes"]
    for ordered in (nine, five):
        assert ordered[0].low > 0.5
        assert all(less.high < more.low for less, more in pairwise(ordered))
    assert all(nine[place].high < five[place].low for place in (1, 2))


def test_in_flat_monte_carlo_nine_classes_harm_and_five_help_less_than_in_the_tree(rates):
    nine, five = rates["flat, nine classes"], rates["flat, five classes"]
    assert 0.5 < nine[0].high < 0.505
    assert max(nine[1].high, nine[2].high) < 0.45
    for flat, tree in zip(five, rates["UCT, five classes"], strict=True):
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


def test_ten_games_leave_more_than_a_quarter_of_the_scale():
    for points in np.arange(0, 10.5, 0.5):
        low, high = arena.wilson(points, 10)
        assert high - low > 0.25


def test_most_matches_of_fifty_decide_nothing_and_all_hold_the_score(names):
    fifties, score = names["fifties"], names["points"].mean()

    assert len(fifties) == 20
    assert sum(low <= 0.5 <= high for _, low, high in fifties) > 10
    assert all(low <= score <= high for _, low, high in fifties)


def test_the_numbers_that_are_worked_out_by_hand():
    low, high = arena.wilson(7, 10)
    assert [round(number, 2) for number in ((low + high) / 2, (high - low) / 2)] == [0.64, 0.25]
    assert round(elo_difference(0.75)) == 191


# By the clock


def test_by_the_clock_three_matches_are_decided_and_the_fourth_is_not(names, rates):
    by_clock = dict(names["rates"])
    nine = by_clock.pop("flat, nine classes")

    assert all(rate.low > 0.5 for rate in by_clock.values())
    assert nine.value < 0.5 < nine.high
    assert all(nine.low < rate.value < nine.high for rate in rates["flat, nine classes"][1:])
    assert 180 < arena.games_needed(0.5 - nine.value, nine.value) < 220


def test_both_sides_had_the_same_time_for_a_choice(names):
    for result in names["clocked"].values():
        clocks = [result.clock(name) for name in result.names]
        choices = [result.num_choices(name) for name in result.names]
        for clock, number in zip(clocks, choices, strict=True):
            assert 0.1 < clock.seconds / number < 0.1005
        assert clocks[0].simulations / choices[0] > clocks[1].simulations / choices[1]


# The endgame, exactly


def test_more_rollouts_help_random_ones_and_hardly_roxannes_and_the_tree_takes_no_harm(
    names, cells, monkeypatch
):
    """With another seed, and half of the positions from games of other players."""
    folder = PROJECT / "notebooks" / "results"
    both = [results_file.read(folder / f"09_{kind}_400.jsonl").games for kind in ("flat", "flat5")]
    mixed = [game for pair in zip(*both, strict=True) for game in pair]
    drawn = SimpleNamespace(games=mixed, first_state=games.Reversi())
    monkeypatch.setattr(arena, "load", lambda _: drawn)
    examined = names | {"rng": np.random.default_rng(77)}
    for cell in ("questions", "flat-answers"):
        exec(cells[cell], examined)
    examined["TRIES"] = [30, 1_600]
    flat = {kind: examined["answers"]("flat", kind) for kind in ("uniform", "roxanne", "roxanne5")}
    shares = {kind: found[0] for kind, found in flat.items()}
    few = [ends[0] for _, ends in flat.values()]

    assert len(examined["exam"]) == 150
    assert max(low for low, _ in few) < min(high for _, high in few)
    assert shares["uniform"][1] > shares["uniform"][0] + 0.1
    for kind in ("roxanne", "roxanne5"):
        assert abs(shares[kind][1] - shares[kind][0]) < 0.1
        assert shares[kind][1] < shares["uniform"][1] - 0.05
    examined["TRIES"] = [6_400]
    trees = [examined["answers"]("uct", kind) for kind in ("uniform", "roxanne")]
    assert all(share[0] > max(0.85, shares["roxanne"][1] + 0.12) for share, _ in trees)
    ends = [end[0] for _, end in trees]
    assert max(low for low, _ in ends) < min(high for _, high in ends)
