"""What notebook 08 says is so."""

from itertools import chain

import numpy as np
import pytest

from mctslab import arena, search
from tests.notebooks.reading import PROJECT
from tests.notebooks.squares import BLACK, WHITE, frontier, moves, named, of

# Bitboards


def test_the_nine_classes_are_those_of_the_policy(names):
    ranks = search.roxanne().ranks

    for rank, squares in enumerate(names["CLASSES"]):
        assert all(ranks[place] == rank for place in squares)
    in_a_class = sorted(chain.from_iterable(names["CLASSES"]))
    assert in_a_class == sorted(set(range(64)) - {27, 28, 35, 36})


def test_the_wall_has_the_discs_and_the_other_side_has_the_moves(names):
    wall = names["wall"]
    wide_centre = {8 * row + col for row in range(2, 6) for col in range(2, 6)}
    internal = of(wall, WHITE) - frontier(wall, WHITE)

    assert wall.current_player == WHITE
    assert wall.disc_counts() == (23, 6)
    assert len(moves(wall, WHITE)) == 22
    assert named(moves(wall, BLACK)) == {"b1"}
    assert (len(frontier(wall, WHITE)), len(frontier(wall, BLACK))) == (2, 21)
    assert len(internal & wide_centre) == len(internal) == 4
    outer = frontier(wall, WHITE) | frontier(wall, BLACK)
    assert set(names["square_bits"](names["outer"])) == outer


# Experiments, on the stored games that the notebook does not read in a short run


MIDDLE = (22, 26, 30, 34, 38, 42)


@pytest.fixture(scope="module")
def histories():
    match = arena.load(PROJECT / "notebooks" / "results" / "08_quick_games.jsonl")
    return [game.states(match.first_state) for game in match.games]


def share(names, histories, lead, stages):
    """How often the leader wins, on average over some stages."""
    counts = [names["leader_wins"](histories, lead, num_discs) for num_discs in stages]
    return np.mean([won / number for won, number in counts])


@pytest.mark.thorough
def test_a_lead_in_discs_predicts_nothing_and_one_in_moves_more(names, histories):
    discs, moves_ahead = names["disc_lead"], names["move_lead"]

    assert 0.4 < share(names, histories, discs, MIDDLE) < 0.51
    assert share(names, histories, discs, (62,)) > 0.75
    for stages in ((30, 34, 38), (42, 46), (50, 54)):
        by_moves = share(names, histories, moves_ahead, stages)
        assert by_moves > share(names, histories, discs, stages) + 0.03


def test_a_lead_that_nobody_has_leaves_a_gap_in_the_curve(names):
    """As a lead in corners at the beginning, when no corner is taken."""
    shares, ends = names["curve_of"]([[names["start"], names["ended"]]], lambda state: 0)
    assert np.isnan(shares).all()
    assert np.isnan(ends).all()
    assert names["corner_lead"](names["wall"]) == names["corner_lead"](names["start"]) == 0
    assert names["frontier_lead"](names["wall"]) == 21 - 2
