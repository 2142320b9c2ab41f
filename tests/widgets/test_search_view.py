"""What is shown of a search: numbers on the board, the table of alpha-beta, and sentences."""

import numpy as np
import pytest

from mctslab import players, solvers
from mctslab.games import ConnectFour, Gomoku, Reversi, TicTacToe
from mctslab.players import Proposal
from mctslab.search import SearchResult
from mctslab.search.node import Node
from mctslab.widgets.menus import hint_player, levels
from mctslab.widgets.search_view import Searched, alphabeta_caption, children_of, tree_view
from tests.widgets.test_records import state_after


def result_of(state, statistics):
    """A search that found these (action, visits, mean value, prior)."""
    root = Node(state)
    for action, visits, value, prior in statistics:
        child = Node(parent=root, action=action, prior=prior)
        child.visit_count, child.total_value = visits, visits * value
        root.children.append(child)
    return SearchResult(root, num_simulations=sum(s[1] for s in statistics), seconds=1.0)


def test_the_page_gets_the_best_moves_first_and_a_proven_win_before_all():
    found = result_of(TicTacToe(), [(0, 10, 0.5, 0.6), (4, 30, -0.2, 0.39), (8, 0, 0.0, 0.01)])
    rows = [tuple(child.values()) for child in children_of(found)]
    assert rows == [(4, 30, 0.4, 0.39), (0, 10, 0.75, 0.6), (8, 0, None, 0.01)]
    found.root.children[2].proven, found.root.children[1].proven = 1.0, -1.0
    proven = SearchResult(found.root, num_simulations=40, seconds=1.0)
    shown = [(child["move"], child["rate"]) for child in children_of(proven)]
    assert shown == [(8, 1.0), (4, 0.0), (0, 0.75)]


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
        result = solvers.alphabeta(state_after(record, TicTacToe()), depth=9)
        caption = alphabeta_caption(result)
        assert ("a search to the end of the game" in caption) == (record == "")
        assert caption.endswith(f"Value for {value}")


def test_a_remark_says_why_there_is_no_tree():
    assert tree_view(lambda: 1 / 0, "")["remark"] == "The tree could not be drawn. division by zero"


@pytest.mark.parametrize(
    "state", [Reversi(), Reversi(size=6), TicTacToe(), ConnectFour(), Gomoku()]
)
def test_every_level_can_be_made_and_begins_to_play(state):
    rng = np.random.default_rng(1)
    for name in [*(level.player for level in levels(state)), hint_player(state)]:
        thought = next(players.make(name, rng=rng).think(state))
        assert thought.action in state.legal_actions()
