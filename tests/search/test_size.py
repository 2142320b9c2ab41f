"""Trees that are very large, and games that are very long: nothing recurses, nothing is lost."""

import gc
import sys

import numpy as np
import pytest

from mctslab.games import ConnectFour, TicTacToe
from mctslab.search import Evaluation, expand, mcts, rollout, uniform
from mctslab.search.node import Node
from mctslab.search.reuse import find_root
from tests.search.toys import Chain, all_nodes

NUM_NODES = 30_000
NUM_PLIES = 3 * sys.getrecursionlimit()


def nobody_knows(states, rng):
    return Evaluation([(0.0, 0.0)] * len(states))


@pytest.fixture(scope="module")
def large():
    return mcts(
        ConnectFour(),
        num_simulations=NUM_NODES,
        evaluator=nobody_knows,
        rng=np.random.default_rng(1),
    )


def test_a_tree_of_tens_of_thousands_of_nodes(large):
    assert len(all_nodes(large.root)) == NUM_NODES + 1
    assert sum(child.visit_count for child in large.children) == NUM_NODES
    assert large.best_action in range(7)
    assert len(large.principal_variation) >= 3
    assert len(str(large.table()).splitlines()) == 8


def test_a_position_in_a_large_tree_is_found_and_one_that_is_not_is_not(large):
    deepest = all_nodes(large.root)[-1]
    assert find_root(large.root, deepest.state).state == deepest.state
    assert find_root(large.root, TicTacToe()) is None


def test_a_game_of_thousands_of_plies(rng):
    # One legal action, so each simulation adds a node one ply deeper than the last.
    state = Chain(NUM_PLIES + 1)
    result = mcts(state, num_simulations=NUM_PLIES // 2, evaluator=nobody_knows, rng=rng)
    assert len(result.principal_variation) == NUM_PLIES // 2
    assert result.root.visit_count == NUM_PLIES // 2
    (kept,) = result.root.children
    assert find_root(result.root, kept.state).visit_count == NUM_PLIES // 2 - 1
    assert rollout(state, uniform, rng) == (0.0, 0.0)


def test_a_tree_of_thousands_of_plies_is_let_go_of(rng):
    node = root = Node(Chain(NUM_PLIES))
    while not node.state.is_terminal:
        (node,) = expand(node, rng)
    assert len(all_nodes(root)) == NUM_PLIES + 1
    assert find_root(root, TicTacToe()) is None  # having looked all the way down
    result = mcts(root.state, num_simulations=3, evaluator=nobody_knows, root=root, rng=rng)
    assert result.root.children[0].visit_count == 3
    del node, root, result
    gc.collect()
