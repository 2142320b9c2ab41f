"""Bars of exploitation and exploration: the numbers, where they lie, and what comes next."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mctslab import search
from mctslab.draw.selection_bars import Axis, Words, bars_svg, in_words, selection_rows
from mctslab.games import ConnectFour, Reversi, TicTacToe
from mctslab.search.node import Node
from mctslab.search.selection import SelectionScore
from tests.draw.drawn import all_texts, grow, having


def tree_of(statistics) -> Node:
    """A root whose moves 0, 1, ... have these (visits, mean value, prior)."""
    root = Node(ConnectFour())
    for action, (visits, value, prior) in enumerate(statistics):
        grow(root, action, visits, visits * value).prior = prior
        root.visit_count += visits
    return root


ROOT = tree_of([
    (10, 0.5, 0.2), (40, -0.25, 0.5), (0, 0.0, 0.05), (2, 0.1, 0.05), (30, 0.2, 0.1),
    (0, 0.0, 0.1), (8, -1.0, 0.0),
])  # fmt: skip


def test_the_next_move_is_where_the_search_goes_and_is_always_shown():
    options = {"evaluator": search.rollout_evaluator(), "rng": np.random.default_rng(3)}
    result = search.puct_search(ConnectFour(), num_simulations=50, **options)
    for most in (1, 3, 7, 1, 3, 7):
        rows = selection_rows(result.root, search.puct(), most=most)
        assert len(rows) == most
        (following,) = (row for row in rows if row.is_next)
        result = search.puct_search(ConnectFour(), num_simulations=1, root=result.root, **options)
        visits = {child.action: child.visit_count for child in result.children}
        assert visits[following.action] == following.visit_count + 1


def test_before_every_move_has_a_node_nothing_is_marked():
    result = search.mcts(ConnectFour(), num_simulations=4, rng=np.random.default_rng(1))
    picture = bars_svg(result.root, search.ucb1())
    assert having(picture, "data-next") == {}
    told = "N = 4 at the root; 4 of 7 moves, by visits. The next move has no node yet."
    assert all_texts(picture)[-1] == told
    picture = bars_svg(Node(Reversi()), search.puct())
    assert all_texts(picture)[-1] == "No move has been tried yet."


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(0, 50) | st.just(math.inf)), max_size=12))
def test_every_score_has_its_place_on_the_axis(scores):
    axis = Axis.over([SelectionScore(*score) for score in scores])
    assert axis.low <= 0 <= axis.high
    left, right = axis.x(axis.low), axis.x(axis.high)
    for exploitation, exploration in scores:
        for value in (exploitation, exploitation + exploration):
            assert left - 0.01 <= axis.x(value) <= right + 0.01
    assert len(axis.ticks) <= 9
    assert min(abs(tick) for tick in axis.ticks) < 1e-9


def test_the_picture_is_told_in_words():
    rows = selection_rows(ROOT, search.puct(2.0))
    words = in_words(ROOT.state, rows, Words.of(search.puct()))
    assert words == ("Red is to move. Most visited: 2, 40 visits. Next: 6, Q +0.000, U 1.897.")
    assert in_words(TicTacToe(), [], Words.of(search.ucb1())).startswith("X is to move; nothing")
