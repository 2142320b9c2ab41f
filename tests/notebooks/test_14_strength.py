"""What the side road on the strength of the nets says is so."""

import json

from tests.benchmarks import strength


def test_the_stored_matches_were_played_by_the_nets_that_come_with_mctslab():
    noted = json.loads(strength.NETS.read_text("utf-8"))
    assert noted == strength.digests(), (
        "the nets have changed: tests.benchmarks.strength notebook-14 plays the matches again"
    )


def test_the_order_of_the_table_is_that_of_the_ages(names):
    ranked = names["table"].ranked_names
    assert ranked == (*(f"net:gomoku9_{age}:100" for age in (5, 4, 3, 2, 1)), "uct:1000")
    assert names["table"].rates[-1][:-1] == (0.0, 0.0, 0.0, 0.0, 0.125), "UCT won two games"
