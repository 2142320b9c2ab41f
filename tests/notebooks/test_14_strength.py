"""What the side road on the strength of the nets says is so."""

import itertools
import json

import numpy as np
import pytest

from mctslab import arena, net, players, search
from mctslab.players.shipped import header
from tests.benchmarks import notebook_14
from tests.notebooks.reading import NOTEBOOKS

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "14_strength")


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


def test_the_stored_matches_were_played_by_the_nets_that_come_with_mctslab():
    noted = json.loads(notebook_14.NETS.read_text("utf-8"))
    assert noted == notebook_14.digests(), (
        "the nets have changed: python -m tests.benchmarks.notebook_14 plays the matches again"
    )


STORED = [*notebook_14.played_files(), *notebook_14.strength_files()]


@pytest.mark.parametrize("file", STORED, ids=lambda file: file.stem)
def test_the_stored_matches_are_complete_and_no_game_was_lost_otherwise(file):
    result = arena.load(file)
    assert result.is_complete
    assert all(game.reason is arena.Reason.RULES for game in result.games)


def test_the_order_of_the_table_is_that_of_the_ages(names):
    ranked = names["table"].ranked_names
    assert ranked == (*(f"net:gomoku9_{age}:100" for age in (4, 3, 2, 1)), "uct:1000")
    assert names["table"].rates[-1][:-1] == (0.0, 0.0, 0.0, 0.0), "UCT lost all its games"


def test_the_intervals_of_neighbours_overlap_and_their_differences_are_decided(names):
    ratings, ages = names["ratings"], names["AGES"]
    elo = dict(zip(ratings.names, ratings.elo, strict=True))
    for younger, older in itertools.pairwise(ages):
        lower, higher = elo[f"net:{younger}:100"], elo[f"net:{older}:100"]
        assert lower.high > higher.low
    assert names["decided"] == 3
    assert all(low > 0 for low, _ in names["ends"].values())
    assert all(np.isfinite(number) for each in elo.values() for number in each), "no arrow is drawn"


def test_the_chart_has_the_stored_scores_against_uct(names):
    chart = names["against_uct_10000"]
    shipped = {each.name: each for each in players.shipped_nets()}
    assert list(chart) == [name for name in shipped if name in chart]
    for name in chart:
        result = arena.load(notebook_14.RESULTS / notebook_14.STRENGTH.format(name))
        own_name, rival = result.names
        assert own_name.startswith(name)
        assert rival == "uct:10000"
        assert result.first_state == net.load_checkpoint(shipped[name].file).first_state()
        points = [(1 + game.returns[game.players.index(own_name)]) / 2 for game in result.games]
        assert chart[name].value == pytest.approx(np.mean(points))


def test_the_scores_by_age_are_as_told(names):
    rates = names["against_uct_10000"]
    ages = {
        size: [rate for name, rate in rates.items() if name.startswith(f"gomoku{size}_")]
        for size in (6, 8, 9, 15)
    }
    assert all(rate.value == 1 for rate in ages.pop(15))
    for family in ages.values():
        values = [rate.value for rate in family]
        assert values == sorted(set(values)), "each age scores more"
    assert ages[9][0].high > ages[9][1].low, "this is not decided"


def test_where_an_untried_move_counts_as_its_position_bad_news_makes_no_bush(names):
    shapes = {}
    for fpu in (0, "parent"):
        result = search.puct_search(
            names["state"],
            evaluator=names["nets"][names["oldest"]],
            selection=search.puct(fpu=fpu),
            num_simulations=200,
            batch_size=8,
            rng=np.random.default_rng(3),
        )
        assert result.root_value < -0.5
        tried = sum(child.visit_count > 0 for child in result.children)
        shapes[fpu] = tried, len(result.principal_variation)
    assert shapes[0][0] == 76
    assert shapes["parent"][0] < 10
    assert shapes["parent"][1] > shapes[0][1]


def test_the_youngest_net_for_six_by_six_had_ten_iterations():
    shipped = {each.name: each for each in players.shipped_nets()}
    assert header(shipped["gomoku6_1"].file)["about"]["iterations"] == 10
