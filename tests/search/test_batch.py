"""A batch: what virtual losses do while it is gathered, and that nothing is left of them."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab.games import TicTacToe
from mctslab.search import puct, puct_search, uniform_evaluator
from mctslab.search.puct_search import count_along, evaluate_leaves, gather_paths, walk
from tests.search.judging import snapshot
from tests.search.test_invariants import positions
from tests.search.test_puct_invariants import judges, rules, seeds
from tests.search.test_puct_search import ANSWERS, BY_HAND, Dictating
from tests.search.toys import all_nodes, path_to, visited

# The second of test_puct_search, in batches of two


def test_a_batch_of_two_by_hand(rng):
    evaluator = Dictating(ANSWERS)
    root = puct_search(
        BY_HAND, evaluator=evaluator, num_simulations=3, selection=puct(1.0), rng=rng
    ).root
    before = snapshot(root)
    # After three simulations: N = 3; a: N 1, W -1/2, P 3/4; b: N 1, W 1/4, P 1/4.
    # a: -0.5 + 0.75 * 1.732 / 2 = 0.150; b: 0.25 + 0.25 * 1.732 / 2 = 0.467. To b, and there to bb
    # with its prior of 3/4, where the game is over. Nobody knows that yet: b has N 2, W -3/4 now.
    # N = 4. a: -0.5 + 0.75 * 2 / 2 = 0.25; b: -0.375 + 0.25 * 2 / 3 = -0.208. To a, and there to
    # the first of two with the same prior.
    paths = gather_paths(root, puct(1.0), 2)
    assert [path_to(path[-1]) for path in paths] == [(1, 1), (0, 0)]
    assert [len(path) for path in paths] == [3, 3]
    assert snapshot(root) == before
    worth = evaluate_leaves([path[-1] for path in paths], evaluator, rng)
    assert worth == [(1.0, -1.0), (0.0, 0.0)]
    assert evaluator.asked[3:] == [[(0, 0)]]  # not about the end of the game
    for path, returns in zip(paths, worth, strict=True):
        count_along(path, returns)
    assert visited(root) == {
        (): (5, 0.25 - 0.5 + 0.25 + 1 + 0),
        (0,): (2, -0.5 + 0),
        (0, 0): (1, 0),
        (1,): (2, 0.25 + 1),
        (1, 1): (1, -1),
    }


@given(positions(), judges, rules, st.integers(1, 60), st.integers(1, 20), seeds)
def test_gathering_leaves_the_tree_as_it_was_to_the_last_bit(
    state, judge, rule, simulations, number, seed
):
    root = puct_search(
        state, evaluator=judge, num_simulations=simulations, rng=np.random.default_rng(seed)
    ).root
    for node in all_nodes(root):  # sums that are not exact, as a net's values would make them
        node.total_value /= 3
    before = snapshot(root)
    paths = gather_paths(root, rule, number)
    assert snapshot(root) == before
    assert len(paths) == number
    assert paths[0] == walk(root, rule)
    for path in paths:
        assert path[0] is root
        assert path[-1].children == []
        for above, below in pairwise(path):
            assert below in above.children


def test_a_walk_that_is_interrupted_leaves_no_losses(rng):
    class Failing:
        calls = 0

        def best_child(self, node):
            self.calls += 1
            if self.calls == 6:
                raise KeyboardInterrupt
            return puct().best_child(node)

    even = uniform_evaluator()
    root = puct_search(TicTacToe(), evaluator=even, num_simulations=50, rng=rng).root
    before = snapshot(root)
    with pytest.raises(KeyboardInterrupt):
        gather_paths(root, Failing(), 8)
    assert snapshot(root) == before
