"""What the side road from objects to arrays says is so, and stays so with another seed."""

import numpy as np
import pytest

from mctslab import games, search

START = games.ConnectFour()


def test_all_ways_grow_the_same_tree_with_another_seed(names):
    assert names["equal_trees"](20) == [True] * 4


def test_a_tree_that_differs_in_one_visit_is_found(names):
    tree = names["by_arrays"].copy()
    tree["visits"][7] += 1

    assert names["array_statistics"](tree) != names["statistics"](names["by_bitboards"])


@pytest.mark.parametrize("moves", ["4", "444444226"])
def test_a_table_is_the_same_tree_from_other_positions(names, moves):
    state = START
    for move in moves:
        state = state.child(state.string_to_action(move))
    _, _, position, *_ = state.compilable()
    table = np.zeros(801, names["NODE"])
    names["array_search"](table, position, np.random.default_rng(2))
    root = search.mcts(state, num_simulations=800, rng=np.random.default_rng(2)).root

    assert names["array_statistics"](table) == names["statistics"](root)
