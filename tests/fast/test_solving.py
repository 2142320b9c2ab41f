"""A compiled tree that has no room left is searched on, and all proofs in it are true.

Where there is room it is that of the readable search, as test_same_tree.py shows.
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
    partial(fast.mcts),
    partial(fast.puct_search, evaluator=search.uniform_evaluator()),
    partial(fast.puct_search, evaluator=search.rollout_evaluator(), batch_size=8),
]
MEMO: dict[State, tuple[float, float]] = {}


@given(
    first=st.sampled_from(GAMES),
    num_empty=st.integers(1, 8),
    seed=st.integers(0, 10**9),
    num_simulations=st.integers(1, 3_000),
    max_nodes=st.sampled_from((60, 300)),
    searched=st.sampled_from(SEARCHES),
    solver=st.booleans(),
)
@settings(max_examples=60)
def test_a_full_tree_is_searched_on_and_whatever_is_proven_in_it_is_what_minimax_says(
    first, num_empty, seed, num_simulations, max_nodes, searched, solver
):
    rng = np.random.default_rng(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mctslab.fast.tree.MAX_NODES", max_nodes)
        state = late(first, num_empty, rng)
        result = searched(state, num_simulations=num_simulations, solver=solver, rng=rng)
    tree, nodes = result.root.tree, all_nodes(result.root)
    assert result.root.visit_count == result.num_simulations
    assert result.num_simulations == num_simulations or result.proven is not None
    assert len(nodes) == tree.num_nodes <= max_nodes
    assert result.note in ("", f"The tree is full: it has {tree.num_nodes:,} nodes.")
    assert not result.note or tree.num_nodes > 0.8 * max_nodes - 20
    for node in nodes:
        own_visits, own_value = node.visit_count, node.total_value
        for child in node.children:
            own_visits -= child.visit_count
            own_value -= child.total_value * (1 if child.mover == node.mover else -1)
        assert abs(own_value) <= own_visits + 1e-6
        if node.proven is not None:
            assert node.proven == search.minimax(node.state, MEMO)[node.mover]
