"""What the side road on the strength of the nets says is so."""

import json

import numpy as np

from mctslab import search
from tests.benchmarks import notebook_14


def test_the_stored_matches_were_played_by_the_nets_that_come_with_mctslab():
    noted = json.loads(notebook_14.NETS.read_text("utf-8"))
    assert noted == notebook_14.digests(), (
        "the nets have changed: python -m tests.benchmarks.notebook_14 plays the matches again"
    )


def test_the_order_of_the_table_is_that_of_the_ages(names):
    ranked = names["table"].ranked_names
    assert ranked == (*(f"net:gomoku9_{age}:100" for age in (5, 4, 3, 2, 1)), "uct:1000")
    assert names["table"].rates[-1][:-1] == (0.0, 0.0, 0.0, 0.0, 0.125), "UCT won two games"


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
