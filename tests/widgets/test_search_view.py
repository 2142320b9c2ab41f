"""What is shown of a search: numbers on the board, and the table of alpha-beta."""

import re
from dataclasses import replace

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
from tests.widgets.browser_messages import click, event, see
from tests.widgets.fake_players import wait_for
from tests.widgets.test_match import BLACK_MUST_PASS, match_of


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
    same = result_of(state, [(0, 10, 0.5, 0.5), (4, 30, -0.2, 0.5)])
    assert hot_squares(state, same, Heat.PRIORS) == {}
    assert not has_different_priors(same.children)
    assert not has_different_priors([])
    assert has_different_priors(FOUND.children)


def test_a_proven_win_is_shown_though_other_moves_were_visited_more():
    found = result_of(Gomoku(), [(action, 9, 0.5, 0.1) for action in range(40)])
    found.root.children[-1].visit_count, found.root.children[-1].proven = 0, 1.0
    found.root.children[0].proven = -1.0
    proven = SearchResult(found.root, num_simulations=351, seconds=1.0)
    shown = hot_squares(found.state, proven, Heat.VALUES)
    assert len(shown) == MOST_HOT_SQUARES
    assert (shown[39], shown[0], shown[1]) == (1.0, 0.0, 0.75)


def test_the_most_visited_moves_are_shown_where_there_are_many():
    found = result_of(Reversi(), [(action, action, 0.0, 1 / 60) for action in range(60)])
    shown = hot_squares(found.state, found, Heat.VISITS)
    assert sorted(shown) == list(range(60 - MOST_HOT_SQUARES, 60))


def test_a_number_lies_where_the_stone_would_and_a_pass_has_none():
    found = result_of(ConnectFour(), [(3, 5, 0.0, 0.9), (2, 5, 0.0, 0.1)])
    assert set(hot_squares(found.state, found, Heat.VISITS)) == {37, 38}
    passing = match_of(BLACK_MUST_PASS).state
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
    best = result.state.action_to_string(result.best_action)
    assert table["rows"][0][3:] == [best, f"{result.value:+g} points"]
    found = re.fullmatch(
        r"Black: (\w\d), after a search 5 plies ahead, ([\d,]+) nodes in [\d.]+ s\. "
        r"Expected: ([\w ]+)\. Value for Black: ([+-]\d+) points\.",
        table["caption"],
    )
    assert found
    assert int(found[2].replace(",", "")) == result.num_nodes
    assert float(found[4]) == result.value
    line = found[3].split()
    assert line[0] == found[1] == best
    assert len(line) == len(result.principal_variation) >= 5
    after(result.state, *result.principal_variation)  # each of them is legal


def test_what_is_solved_says_how_the_game_ends():
    for actions, value in (
        ((), "X: drawn."),
        ((0, 1), "X: won."),  # a corner, answered beside it
        ((0, 1, 4), "O: lost."),  # X threatens c3, and after that a3 and a2
    ):
        result = fast.alphabeta(after(TicTacToe(), *actions), depth=9)
        caption = alphabeta_table(result, is_hint=False)["caption"]
        assert ("a search to the end of the game" in caption) == (actions == ())
        assert caption.endswith(f"Value for {value}")


def test_values_in_words():
    for value, words in (
        (0.0, "0 points"),
        (-2.5, "-2.5 points"),
        (WIN + 64, "won by 64 discs"),
        (-WIN - 2, "lost by 2 discs"),
        (-WIN, "lost"),
    ):
        assert value_in_words(value) == words


def test_a_line_is_cut_where_it_gets_long():
    state, moves = Reversi(), []
    for _ in range(20):
        moves.append(state.legal_actions()[0])
        state = state.child(moves[-1])
    result = replace(fast.alphabeta(Reversi(), depth=1), principal_variation=tuple(moves))
    caption = alphabeta_table(result, is_hint=True)["caption"]
    assert re.search(r"Expected:( \w\d){12} …\.", caption)
    assert caption.startswith("Hint for Black: ")
    assert "a search 1 ply ahead" in caption


def test_the_panel_shows_it():
    panel = GamePanel("reversi", black="human", white=AlphaBetaPlayer(depth=3))
    see(panel)
    click(panel.board, 19)
    wait_for(lambda: len(panel.moves) == 2)
    shown = panel.statistics
    event(panel, "page_opened", "no page")
    assert [row[0] for row in shown["rows"]] == ["3", "2", "1"]
    move = panel.moves[1].notation
    assert shown["caption"].startswith(f"White: {move}, after a search 3 plies ahead")
