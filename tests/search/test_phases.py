"""The four phases: what the golden trees don't show, and phases of one's own."""

import numpy as np
import pytest

from mctslab.games import TicTacToe
from mctslab.search import (
    Node,
    Phases,
    Trace,
    backpropagate,
    mcts,
)
from tests.search.toys import statistics


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


def test_an_expansion_of_ones_own_decides_which_child_is_added(rng):
    def highest(node, rng):
        if not node.untried_actions:
            return [node]
        child = Node(parent=node, action=node.untried_actions.pop())
        node.children.append(child)
        return [child]

    result = mcts(TicTacToe(), num_simulations=3, phases=Phases(expand=highest), rng=rng)
    assert [child.action for child in result.root.children] == [8, 7, 6]
