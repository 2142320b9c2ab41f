"""MCTS-Solver in both searches: what a tree calls proven is what minimax says, also used again.

That nothing else changes is shown by the plain programs of test_invariants.py and
test_puct_invariants.py.
"""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mctslab import games
from mctslab.search import mcts, minimax, puct, puct_search, rollout_evaluator, ucb1
from mctslab.search.reuse import as_root
from tests.search.judging import Judge
from tests.search.test_invariants import late_positions, seeds
from tests.search.test_puct_invariants import judges, options
from tests.search.toys import all_nodes, play

# Against minimax


@pytest.fixture(scope="module")
def exact():
    """What a node is worth for its mover."""
    memo = {}
    return lambda node: minimax(node.state, memo)[node.mover]


uct_searches = st.builds(
    partial,
    st.just(mcts),
    num_simulations=st.integers(1, 250),
    expansion=st.sampled_from(("one", "all")),
    selection=st.builds(ucb1, st.floats(0, 4)) | st.builds(puct, st.floats(0, 4)),
    evaluator=st.sampled_from((rollout_evaluator(), rollout_evaluator(num_rollouts=2), Judge())),
)
puct_searches = st.builds(
    lambda judge, options: partial(puct_search, evaluator=judge, **options), judges, options
)
both_searches = pytest.mark.parametrize(
    "searches", [uct_searches, puct_searches], ids=["uct", "puct"]
)


@both_searches
@given(st.data(), late_positions, seeds)
@settings(max_examples=20)
def test_a_tree_that_is_reused_keeps_what_was_proven(exact, searches, data, state, seed):
    search, rng = data.draw(searches), np.random.default_rng(seed)
    plain = search(state, rng=rng).root
    assert all(node.proven is None for node in all_nodes(plain))
    whole = search(state, rng=rng, root=plain, solver=True).root
    node = data.draw(st.sampled_from([node for node in all_nodes(whole) if node.children]))
    root = as_root(node, is_guided=searches is puct_searches)
    assert root.mover == node.state.current_player
    assert root.proven == (None if node.proven is None else exact(root))
    assert search(node.state, rng=rng, root=root, solver=True).root is root
    # And the tree that it is a part of goes on with what was found out there.
    for tree in (root, search(state, rng=rng, root=whole, solver=True).root):
        assert all(each.proven in (None, exact(each)) for each in all_nodes(tree))


@pytest.mark.parametrize("moves", ["b2 a1 c3", "a1 c3 b2"])
def test_without_the_solver_a_search_goes_on_in_a_tree_that_is_proven(moves, rng):
    state = play(games.TicTacToe(), moves)
    result = mcts(state, num_simulations=10**6, solver=True, rng=rng)
    assert result.proven == minimax(state)[state.current_player]
    more = mcts(state, num_simulations=50, root=result.root, rng=rng)
    assert (more.num_simulations, more.proven) == (50, result.proven)
