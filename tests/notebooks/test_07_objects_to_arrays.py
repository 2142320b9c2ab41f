"""What the side road from objects to arrays says is so."""

import numpy as np
import pytest

from mctslab import games, search
from mctslab.course.positions import after


def test_all_ways_grow_the_same_tree_with_another_seed(names):
    assert names["equal_trees"](20) == [True] * 4


@pytest.mark.parametrize("moves", ["4", "444444226"])
def test_a_table_is_the_same_tree_from_other_positions(names, moves):
    state = after(games.ConnectFour(), " ".join(moves))
    _, _, position, *_ = state.compilable()
    table = np.zeros(801, names["NODE"])
    names["array_search"](table, position, np.random.default_rng(2))
    root = search.mcts(state, num_simulations=800, rng=np.random.default_rng(2)).root

    assert names["array_statistics"](table) == names["statistics"](root)
