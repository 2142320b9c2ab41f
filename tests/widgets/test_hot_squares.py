"""The numbers that a search puts on the board."""

from mctslab.games import ConnectFour, Gomoku, Reversi, TicTacToe
from mctslab.search import SearchResult
from mctslab.search.node import Node
from mctslab.widgets.hot_squares import MOST_HOT_SQUARES, Heat, hot_squares, tells_priors


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
    assert not tells_priors(found.children)
    assert hot_squares(found.state, found, Heat.PRIORS) == {}
    assert tells_priors(FOUND.children)
    assert not tells_priors([])


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
