"""Games that are very long: nothing recurses, nothing is lost."""

import sys

from mctslab.search import mcts, rollout, uniform, uniform_evaluator
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
