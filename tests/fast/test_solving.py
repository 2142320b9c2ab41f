"""MCTS-Solver, compiled: all proofs are true, also in a tree that has no room left.

Where there is room they are those of the readable search, as test_same_tree.py shows.
"""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mctslab import fast, games, search
from mctslab.games import State
from tests.fast.same_trees import MisereTicTacToe
from tests.games.playing import late
from tests.search.toys import all_nodes

GAMES = (games.TicTacToe(), MisereTicTacToe(), games.ConnectFour(4, 5), games.Reversi(4))
SEARCHES = [
    partial(fast.mcts, solver=True),
    partial(fast.mcts, expansion="all", solver=True),
    partial(fast.puct_search, evaluator=search.uniform_evaluator(), solver=True),
    partial(fast.puct_search, evaluator=search.rollout_evaluator(), batch_size=8, solver=True),
]
MEMO: dict[State, tuple[float, float]] = {}


@given(
    first=st.sampled_from(GAMES),
    num_empty=st.integers(1, 8),
    seed=st.integers(0, 10**9),
    num_simulations=st.integers(1, 3_000),
    max_nodes=st.sampled_from((60, 300)),
    searched=st.sampled_from(SEARCHES),
)
@settings(max_examples=100)
def test_whatever_is_proven_in_a_full_tree_is_what_minimax_says(
    first, num_empty, seed, num_simulations, max_nodes, searched
):
    rng = np.random.default_rng(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mctslab.fast.running.MAX_NODES", max_nodes)
        state = late(first, num_empty, rng)
        result = searched(state, num_simulations=num_simulations, rng=rng)
    assert result.root.visit_count == result.num_simulations
    for node in all_nodes(result.root):
        if node.proven is not None:
            assert node.proven == search.minimax(node.state, MEMO)[node.mover]
