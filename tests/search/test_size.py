"""Games that are very long: nothing recurses, nothing is lost."""

import sys

from mctslab.games import TicTacToe
from mctslab.search import expand, mcts, rollout, uniform, uniform_evaluator
from mctslab.search.node import Node
from mctslab.search.reuse import find_root
from tests.search.toys import Chain

NUM_PLIES = 3 * sys.getrecursionlimit()
EVEN = uniform_evaluator()


def test_a_game_of_thousands_of_plies(rng):
    # One legal action, so each simulation adds a node one ply deeper than the last.
    state = Chain(NUM_PLIES + 1)
    result = mcts(state, num_simulations=NUM_PLIES // 2, evaluator=EVEN, rng=rng)
    assert len(result.principal_variation) == NUM_PLIES // 2
    (kept,) = result.root.children
    assert find_root(result.root, kept.state).visit_count == NUM_PLIES // 2 - 1
    assert rollout(state, uniform, rng) == (0.0, 0.0)


def test_a_tree_of_thousands_of_plies_is_let_go_of(rng):
    node = root = Node(Chain(NUM_PLIES))
    while not node.state.is_terminal:
        (node,) = expand(node, rng)
    assert find_root(root, TicTacToe()) is None  # having looked all the way down
    result = mcts(root.state, num_simulations=3, evaluator=EVEN, root=root, rng=rng)
    assert result.root.children[0].visit_count == 3
    del node, root, result  # without a crash
