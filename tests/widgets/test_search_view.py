"""What is shown of a search: numbers on the board, the table of alpha-beta, and sentences."""

from dataclasses import replace

import numpy as np
import pytest

from mctslab import players, solvers
from mctslab.games import ConnectFour, Gomoku, Reversi, TicTacToe
from mctslab.players import Proposal
from mctslab.search import SearchResult
from mctslab.search.node import Node
from mctslab.widgets import wording
from mctslab.widgets.menus import hint_player, levels
from mctslab.widgets.search_view import (
    MOST_HOT_SQUARES,
    Heat,
    Searched,
    alphabeta_caption,
    hot_squares,
    tree_view,
)
from tests.widgets.test_match import BLACK_MUST_PASS, match_of


def result_of(state, statistics):
    """A search that found these (action, visits, mean value, prior)."""
    root = Node(state)
    for action, visits, value, prior in statistics:
        child = Node(parent=root, action=action, prior=prior)
        child.visit_count, child.total_value = visits, visits * value
        root.children.append(child)
    return SearchResult(root, num_simulations=sum(s[1] for s in statistics), seconds=1.0)


def test_each_choice_shows_its_numbers_where_the_stone_would_lie():
    state, connect_four, passing = TicTacToe(), ConnectFour(), match_of(BLACK_MUST_PASS).state
    found = result_of(state, [(0, 10, 0.5, 0.6), (4, 30, -0.2, 0.39), (8, 0, 0.0, 0.01)])
    same = result_of(state, [(0, 10, 0.5, 0.5), (4, 30, -0.2, 0.5)])
    falling = result_of(connect_four, [(3, 5, 0.0, 0.9), (2, 5, 0.0, 0.1)])
    passed = result_of(passing, [(passing.pass_action, 5, 0.0, 1.0)])
    for result, heat, expected in (
        (found, Heat.VISITS, {0: 10, 4: 30, 8: 0}),
        (found, Heat.VALUES, {0: 0.75, 4: 0.4}),
        (found, Heat.PRIORS, {0: 0.6, 4: 0.39}),
        (found, Heat.NOTHING, {}),
        (same, Heat.PRIORS, {}),
        (falling, Heat.VISITS, {38: 5, 37: 5}),
        (passed, Heat.VISITS, {}),
    ):
        assert hot_squares(result.state, result, heat) == expected


def test_of_many_moves_the_most_visited_are_shown_but_first_a_proven_win():
    found = result_of(Gomoku(), [(action, action, 0.5, 0.1) for action in range(1, 60)])
    most = {*range(60 - MOST_HOT_SQUARES, 60)}
    assert {*hot_squares(found.state, found, Heat.VISITS)} == most
    found.root.children[0].proven, found.root.children[-1].proven = 1.0, -1.0
    proven = SearchResult(found.root, num_simulations=found.num_simulations, seconds=1.0)
    shown = hot_squares(found.state, proven, Heat.VALUES)
    assert {*shown} == most - {60 - MOST_HOT_SQUARES} | {1}
    assert (shown[1], shown[59], shown[58]) == (1.0, 0.0, 0.75)


def test_a_row_for_each_iteration_the_deepest_first():
    result = solvers.alphabeta(Reversi(), depth=5)
    searched = Searched(result.state, Proposal(result.best_action, 1.0, alphabeta=result))
    table = searched.table()
    assert table["head"] == ["Depth", "Nodes", "Seconds", "Best move", "Value for Black"]
    assert [row[0] for row in table["rows"]] == ["5", "4", "3", "2", "1"]
    assert sum(int(row[1].replace(",", "")) for row in table["rows"]) == result.num_nodes
    best = result.state.action_to_string(result.best_action)
    points = f"−{-result.value:g} points"
    assert table["rows"][0][3:] == [best, points]
    start, _, line = table["caption"].partition(" Expected: ")
    assert start.startswith(f"Black: {best}, after a search 5 plies ahead, {result.num_nodes:,} n")
    line, _, value = line.partition(". ")
    assert line.split()[0] == best
    assert len(line.split()) == len(result.principal_variation) >= 5
    assert value == f"Value for Black: {points}."
    no_tree = "Alpha-beta keeps no tree; Statistics shows its iterations."
    assert searched.why_no_tree == f"{table['caption']} {no_tree}"


def test_what_is_solved_says_how_the_game_ends():
    for record, value in (
        ("", "X: drawn."),
        ("a1 b1", "X: won."),  # a corner, answered beside it
        ("a1 b1 b2", "O: lost."),  # X threatens c3, and after that a3 and a2
    ):
        result = solvers.alphabeta(match_of(record, TicTacToe()).state, depth=9)
        caption = alphabeta_caption(result)
        assert ("a search to the end of the game" in caption) == (record == "")
        assert caption.endswith(f"Value for {value}")


def test_progress_and_effort_tell_how_many_a_second_and_a_remark_why_there_is_no_tree():
    state, thought = TicTacToe(), Proposal(4, 0.5, num_simulations=1_500, seconds=0.5)
    assert wording.progress(state, thought) == "b2 so far, 1,500 simulations, 3,000/s"
    assert wording.progress(state, Proposal(0, progress=1.0)) == "a1 so far"
    assert wording.effort(replace(thought, seconds=0.0)) == "1,500 simulations"
    counts_nodes = Proposal(0, 1.0, num_nodes=30_000, seconds=2.0)
    assert wording.effort(counts_nodes) == "30,000 nodes, 15,000/s"
    no_search = Proposal(0, 1.0, seconds=2.0)
    assert wording.effort(no_search) == wording.speed(no_search) == ""
    assert tree_view(lambda: 1 / 0, "")["remark"] == "The tree could not be drawn. division by zero"


@pytest.mark.parametrize(
    "state", [Reversi(), Reversi(size=6), TicTacToe(), ConnectFour(), Gomoku()]
)
def test_every_level_can_be_made_and_begins_to_play(state):
    rng = np.random.default_rng(1)
    for name in [*(level.player for level in levels(state)), hint_player(state)]:
        thought = next(players.make(name, rng=rng).think(state))
        assert thought.action in state.legal_actions()
