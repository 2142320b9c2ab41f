"""Which trees of an earlier search are used again; how they go on is in test_invariants.py."""

from functools import partial

import pytest

from mctslab.games import ConnectFour, Reversi, TicTacToe
from mctslab.search import mcts, puct_search, uniform_evaluator
from tests.search.toys import all_nodes, listed, play

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


@pytest.mark.parametrize("searched", [mcts, partial(puct_search, evaluator=EVEN)])
def test_a_search_from_a_later_position_leaves_the_old_tree_whole(searched, rng):
    """Its nodes are copied: none has two parents, or more visits below than it has itself."""
    old = searched(TicTacToe(), num_simulations=200, rng=rng).root
    before = listed(old)
    state = play(TicTacToe(), "b2 a1")
    new = searched(state, num_simulations=1_000, root=old, rng=rng).root
    assert new.visit_count > 1_000
    assert listed(old) == before
    for root in (old, new):
        assert all(child.parent is node for node in all_nodes(root) for child in node.children)


def test_a_position_is_found_down_to_four_plies_below_the_old_root(rng):
    """So the tree is still used after a forced move, for which nothing is searched."""
    old = mcts(ConnectFour(4, 4), num_simulations=3_000, rng=rng).root
    node = old
    for ply in range(1, 6):
        node = node.children[0]
        result = mcts(node.state, num_simulations=1, root=old, rng=rng)
        assert (result.root.visit_count > 1) == (ply <= 4)
