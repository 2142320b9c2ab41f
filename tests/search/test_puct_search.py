"""The search of AlphaZero: when it ends, and which trees it goes on with."""

import pytest

from mctslab.games import Reversi, TicTacToe
from mctslab.search import mcts, puct_search, uniform_evaluator
from tests.search.toys import listed


def search(state, rng, **options):
    return puct_search(state, evaluator=uniform_evaluator(), rng=rng, **options)


def test_the_position_itself_is_evaluated_even_if_the_search_is_told_to_stop_at_once(rng):
    options = {"num_simulations": 500, "stop": lambda: True}
    result = search(TicTacToe(), rng, **options)
    assert (result.num_simulations, result.best_action) == (1, 0)
    again = search(TicTacToe(), rng, root=result.root, **options)  # and not again
    assert (again.num_simulations, again.root.visit_count) == (0, 1)


def test_uct_can_go_on_from_such_a_tree_but_not_the_other_way_round(rng):
    state = Reversi(size=4)
    root = search(state, rng, num_simulations=30).root
    assert mcts(state, num_simulations=30, root=root, rng=rng).root.visit_count == 60
    for number in (3, 50):
        root = mcts(TicTacToe(), num_simulations=number, rng=rng).root
        before = listed(root)
        with pytest.raises(ValueError, match=r"needs a tree that puct_search has grown"):
            search(TicTacToe(), rng, root=root, num_simulations=40)
        assert number == 50 or listed(root) == before
