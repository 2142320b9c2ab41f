"""What seeds grow, on every machine."""

import numpy as np
import pytest

from mctslab import games
from mctslab.search import mcts

# What a seed grows: the visits of the root's children after 60 simulations. A draw is
# `int(rng.random() * n)` on NumPy's PCG64, the same on every machine. Who changes a rule, or the
# order of the draws, sees it here.
VISITS = {
    games.TicTacToe(): [5, 4, 8, 8, 9, 6, 7, 6, 7],
    games.ConnectFour(): [5, 6, 9, 7, 13, 11, 9],
    games.Reversi(): [19, 18, 9, 14],
    games.Gomoku(size=4, in_a_row=3): [3, 3, 3, 2, 5, 3, 6, 4, 5, 5, 5, 2, 5, 4, 3, 2],
}


@pytest.mark.parametrize("state", VISITS, ids=lambda state: state.game)
def test_a_seed_grows_the_same_tree_on_every_machine(state):
    result = mcts(state, num_simulations=60, rng=np.random.default_rng(1))
    assert [child.visit_count for child in result.children] == VISITS[state]
