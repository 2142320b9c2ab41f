"""The tree of an earlier search is used again where it contains the position."""

import numpy as np
import pytest

from mctslab.games import ConnectFour, Gomoku, Reversi, TicTacToe
from mctslab.search import mcts, puct_search
from mctslab.search.reuse import find_root
from tests.search.judging import Judge


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (TicTacToe(), ConnectFour()),
        (Reversi(), Reversi(size=6)),
        (Gomoku(size=5), Gomoku(size=5, in_a_row=4)),
        (Gomoku(size=3, in_a_row=3), TicTacToe()),
    ],
)
def test_the_tree_of_another_game_is_of_no_use(old, new, rng):
    root = mcts(old, num_simulations=20, rng=rng).root
    assert find_root(root, new) is None
    assert mcts(new, num_simulations=15, root=root, rng=rng).root.visit_count == 15


# Trees of puct_search, where the root has been evaluated itself


def guided(state, root=None, number=20):
    options = {"evaluator": Judge(3), "num_simulations": number, "root": root}
    return puct_search(state, rng=np.random.default_rng(1), **options)


def test_a_leaf_that_was_just_evaluated_goes_on_by_its_priors():
    # Its children have no visit yet. With N = 0 all bonuses would be 0, and the first child chosen.
    old = guided(TicTacToe(), number=2).root
    (leaf,) = [child for child in old.children if child.visit_count]
    priors = Judge(3).priors(leaf.state)
    result = guided(leaf.state, old, number=1)
    (tried,) = [child for child in result.children if child.visit_count]
    assert tried.prior == max(priors) > priors[0]
    assert result.root.visit_count == 2


@pytest.mark.parametrize("is_guided", [False, True])
def test_after_undo_the_old_tree_goes_on_and_counts_right(is_guided, rng):
    # Its part was searched as a tree of its own meanwhile, and has more visits than it knows.
    def search(state, root, number):
        if is_guided:
            return guided(state, root, number).root
        return mcts(state, num_simulations=number, root=root, rng=rng).root

    old = search(TicTacToe(), None, 200)
    move = max(old.children, key=lambda child: child.visit_count)
    part = search(move.state, old, 100)
    before = old.visit_count, sum(child.visit_count for child in old.children)
    visits = part.visit_count
    assert search(TicTacToe(), old, 50) is old
    assert old.visit_count == before[0] + 50
    assert sum(child.visit_count for child in old.children) == before[1] + 50
    assert part.visit_count == visits
