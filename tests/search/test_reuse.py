"""Which trees of an earlier search are used again; how they go on is in test_invariants.py."""

import pytest

from mctslab.games import Reversi, TicTacToe
from mctslab.search import mcts, puct_search, uniform_evaluator
from tests.search.toys import listed

EVEN = uniform_evaluator()


def test_uct_can_go_on_from_a_tree_of_puct_but_not_the_other_way_round(rng):
    state = Reversi(size=4)
    root = puct_search(state, evaluator=EVEN, num_simulations=30, rng=rng).root
    assert mcts(state, num_simulations=30, root=root, rng=rng).root.visit_count == 60
    for number in (3, 50):
        root = mcts(TicTacToe(), num_simulations=number, rng=rng).root
        before = listed(root)
        with pytest.raises(ValueError, match=r"needs a tree that puct_search has grown"):
            puct_search(TicTacToe(), evaluator=EVEN, root=root, num_simulations=40, rng=rng)
        assert number == 50 or listed(root) == before
