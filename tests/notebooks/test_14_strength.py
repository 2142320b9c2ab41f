"""What the side road on the strength of the nets says is so."""

import itertools
import json

import numpy as np

from mctslab import players, search
from mctslab.players.shipped import header
from tests.benchmarks import notebook_14


def test_the_stored_matches_were_played_by_the_nets_that_come_with_mctslab():
    noted = json.loads(notebook_14.NETS.read_text("utf-8"))
    assert noted == notebook_14.digests(), (
        "the nets have changed: python -m tests.benchmarks.notebook_14 plays the matches again"
    )


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
    shapes = []
    for fpu in (0, "parent"):
        result = search.puct_search(
            names["state"],
            evaluator=names["nets"][names["oldest"]],
            selection=search.puct(fpu=fpu),
            num_simulations=200,
            batch_size=8,
            rng=np.random.default_rng(3),
        )
        tried = sum(child.visit_count > 0 for child in result.children)
        shapes.append((tried, len(result.principal_variation)))
        assert result.root_value < -0.5
    (bush, shallow), (narrow, deep) = shapes
    assert narrow < 10 < bush == 76
    assert deep > shallow


def test_the_youngest_net_for_six_by_six_had_ten_iterations():
    shipped = {each.name: each for each in players.shipped_nets()}
    assert header(shipped["gomoku6_1"].file)["about"]["iterations"] == 10
