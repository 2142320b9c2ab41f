"""The search as a whole: phases of one's own, and very long games."""

import sys

import numpy as np
import pytest

from mctslab.games import TicTacToe
from mctslab.search import Phases, Trace, backpropagate, mcts, rollout, uniform, uniform_evaluator
from mctslab.search.reuse import find_root
from tests.search.toys import Chain, statistics


@pytest.mark.parametrize("expansion", ["one", "all"])
@pytest.mark.parametrize("is_traced", [False, True])
def test_a_search_calls_the_phases_that_it_is_given(expansion, is_traced):
    counted = []

    def noted(leaf, returns):
        counted.append(leaf)
        backpropagate(leaf, returns)

    usual, own = (
        mcts(
            TicTacToe(),
            num_simulations=40,
            phases=phases,
            expansion=expansion,
            trace=Trace() if is_traced else None,
            rng=np.random.default_rng(5),
        ).root
        for phases in (Phases(), Phases(backpropagate=noted))
    )
    assert len(counted) == 40
    assert statistics(own) == statistics(usual)


def test_in_a_game_of_thousands_of_plies_nothing_recurses(rng):
    num_plies = 3 * sys.getrecursionlimit()
    # One legal action, so each simulation adds a node one ply deeper than the last.
    state = Chain(num_plies + 1)
    result = mcts(state, num_simulations=num_plies // 2, evaluator=uniform_evaluator(), rng=rng)
    assert len(result.principal_variation) == num_plies // 2
    (kept,) = result.root.children
    assert find_root(result.root, kept.state).visit_count == num_plies // 2 - 1
    assert rollout(state, uniform, rng) == (0.0, 0.0)
