"""What is shown of a search: numbers on the board, and the table of alpha-beta."""

import re
from dataclasses import replace

import pytest

from mctslab import fast
from mctslab.games import ConnectFour, Gomoku, Reversi, TicTacToe
from mctslab.players import AlphaBetaPlayer
from mctslab.search import SearchResult
from mctslab.search.alphabeta import WIN
from mctslab.search.node import Node
from mctslab.widgets import GamePanel
from mctslab.widgets.search_view import (
    MOST_HOT_SQUARES,
    Heat,
    alphabeta_table,
    has_different_priors,
    hot_squares,
    value_in_words,
)
from tests.widgets.browser_messages import click, send
from tests.widgets.fake_players import wait_for


def result_of(state, statistics) -> SearchResult:
    """A search that found these (action, visits, mean value, prior)."""
    root = Node(state)
    for action, visits, value, prior in statistics:
        child = Node(parent=root, action=action, prior=prior)
        child.visit_count, child.total_value = visits, visits * value
        root.children.append(child)
    return SearchResult(root, num_simulations=sum(s[1] for s in statistics), seconds=1.0)


FOUND = result_of(TicTacToe(), [(0, 10, 0.5, 0.6), (4, 30, -0.2, 0.39), (8, 0, 0.0, 0.01)])


def test_each_choice_shows_its_numbers():
    state = FOUND.state
    assert hot_squares(state, FOUND, Heat.VISITS) == {0: 10, 4: 30, 8: 0}
    assert hot_squares(state, FOUND, Heat.VALUES) == {0: 0.75, 4: 0.4}
    assert hot_squares(state, FOUND, Heat.PRIORS) == {0: 0.6, 4: 0.39}
    assert hot_squares(state, FOUND, Heat.NOTHING) == {}


def test_a_value_that_is_proven_is_shown_as_such():
    FOUND.root.children[0].proven = 1.0
    try:
        proven = SearchResult(FOUND.root, num_simulations=40, seconds=1.0)
    finally:
        FOUND.root.children[0].proven = None
    assert hot_squares(FOUND.state, proven, Heat.VALUES)[0] == 1.0


def test_a_proven_win_is_shown_though_other_moves_were_visited_more():
    found = result_of(Gomoku(), [(action, 9, 0.5, 0.1) for action in range(40)])
    found.root.children[-1].visit_count, found.root.children[-1].proven = 0, 1.0
    proven = SearchResult(found.root, num_simulations=351, seconds=1.0)
    shown = hot_squares(found.state, proven, Heat.VALUES)
    assert len(shown) == MOST_HOT_SQUARES
    assert shown[39] == 1.0


def test_priors_that_are_all_the_same_say_nothing():
    found = result_of(TicTacToe(), [(0, 10, 0.5, 0.5), (4, 30, -0.2, 0.5)])
    assert not has_different_priors(found.children)
    assert hot_squares(found.state, found, Heat.PRIORS) == {}
    assert has_different_priors(FOUND.children)
    assert not has_different_priors([])


def test_the_most_visited_moves_are_shown_where_there_are_many():
    state = Reversi()
    statistics = [(action, action, 0.0, 1 / 60) for action in range(60)]
    root = Node(state)
    for action, visits, _, prior in statistics:
        child = Node(parent=root, action=action, prior=prior)
        child.visit_count = visits
        root.children.append(child)
    found = SearchResult(root, num_simulations=1, seconds=1.0)
    shown = hot_squares(state, found, Heat.VISITS)
    assert sorted(shown) == list(range(60 - MOST_HOT_SQUARES, 60))


def test_a_number_lies_where_the_stone_would_and_a_pass_has_none():
    state = ConnectFour()
    found = result_of(state, [(3, 5, 0.0, 0.9), (2, 5, 0.0, 0.1)])
    assert set(hot_squares(state, found, Heat.VISITS)) == {
        state.action_square(3),
        state.action_square(2),
    }
    passing = Reversi()
    for notation in ["d3", "c3", "b3", "b2", "f5", "a3", "a1", "c1"]:
        passing = passing.child(passing.string_to_action(notation))
    found = result_of(passing, [(passing.pass_action, 5, 0.0, 1.0)])
    assert hot_squares(passing, found, Heat.VISITS) == {}


def after(state, *actions):
    for action in actions:
        state = state.child(action)
    return state


def test_a_row_for_each_iteration_the_deepest_first():
    result = fast.alphabeta(Reversi(), depth=5)
    table = alphabeta_table(result, is_hint=False)
    assert table["head"] == ["Depth", "Nodes", "Seconds", "Best move", "Value for Black"]
    assert [row[0] for row in table["rows"]] == ["5", "4", "3", "2", "1"]
    nodes = [int(row[1].replace(",", "")) for row in table["rows"]]
    assert sum(nodes) == result.num_nodes
    assert table["rows"][0][3:] == [
        result.state.action_to_string(result.best_action),
        f"{result.value:+g} points",
    ]


def test_the_caption_tells_move_depth_nodes_line_and_value():
    result = fast.alphabeta(Reversi(), depth=5)
    caption = alphabeta_table(result, is_hint=False)["caption"]
    found = re.fullmatch(
        r"Black: (\w\d), after a search 5 plies ahead, ([\d,]+) nodes in [\d.]+ s\. "
        r"Expected: ([\w ]+)\. Value for Black: ([+-]\d+) points\.",
        caption,
    )
    assert found
    assert int(found[2].replace(",", "")) == result.num_nodes
    assert float(found[4]) == result.value
    line = found[3].split()
    assert line[0] == found[1]
    assert len(line) == len(result.principal_variation) >= 5
    after(result.state, *result.principal_variation)  # each of them is legal


def test_a_hint_is_called_one_and_one_ply_is_no_plies():
    caption = alphabeta_table(fast.alphabeta(Reversi(), depth=1), is_hint=True)["caption"]
    assert caption.startswith("Hint for Black: ")
    assert "a search 1 ply ahead" in caption


def test_what_is_solved_says_how_the_game_ends():
    drawn = alphabeta_table(fast.alphabeta(TicTacToe(), depth=9), is_hint=False)["caption"]
    assert "a search to the end of the game" in drawn
    assert drawn.endswith("Value for X: drawn.")
    fork = after(TicTacToe(), 0, 1)  # a corner, answered beside it: X wins
    won = alphabeta_table(fast.alphabeta(fork, depth=9), is_hint=False)["caption"]
    assert won.endswith("Value for X: won.")
    threatened = after(TicTacToe(), 0, 1, 4)  # X threatens c3, and after that a3 and a2
    lost = alphabeta_table(fast.alphabeta(threatened, depth=9), is_hint=False)["caption"]
    assert lost.endswith("Value for O: lost.")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.0, "0 points"),
        (-2.5, "-2.5 points"),
        (WIN + 64, "won by 64 discs"),
        (-WIN - 2, "lost by 2 discs"),
        (-WIN, "lost"),
    ],
)
def test_values_in_words(value, words):
    assert value_in_words(value) == words


def test_a_line_is_cut_where_it_gets_long():
    state, moves = Reversi(), []
    for _ in range(20):
        moves.append(state.legal_actions()[0])
        state = state.child(moves[-1])
    result = replace(fast.alphabeta(Reversi(), depth=1), principal_variation=tuple(moves))
    caption = alphabeta_table(result, is_hint=False)["caption"]
    assert re.search(r"Expected:( \w\d){12} …\.", caption)


def test_the_panel_shows_it():
    panel = GamePanel("reversi", black="human", white=AlphaBetaPlayer(depth=3))
    for name in ("page_opened", "view_opened"):
        send(panel, {"event": name, "page": "a page"})
    click(panel.board, 19)
    wait_for(lambda: len(panel.moves) == 2)
    shown = panel.statistics
    send(panel, {"event": "page_opened", "page": "no page"})
    assert [row[0] for row in shown["rows"]] == ["3", "2", "1"]
    move = panel.moves[1].notation
    assert shown["caption"].startswith(f"White: {move}, after a search 3 plies ahead")
