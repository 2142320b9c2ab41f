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
from tests.search.toys import Turn, WrittenOut, plant, statistics


def test_every_node_up_to_the_root_counts_what_its_own_mover_got():
    # Whose turn: 0, 1, 0. So the movers from the root down are 0 (nobody moved into the root, it
    # counts for the player to move), 0, 1, 0.
    root = plant(Node(WrittenOut(Turn(0, (Turn(1, (Turn(0, (1, -1)), 0)), 0)))))
    line = [root, root.children[0], root.children[0].children[0]]
    line.append(line[-1].children[0])
    backpropagate(line[-1], (1.0, -1.0))
    assert [node.total_value for node in line] == [1.0, 1.0, -1.0, 1.0]
    backpropagate(line[-1], (1.0, -1.0))
    backpropagate(line[2], (-1.0, 1.0))
    backpropagate(line[1], (0.5, -0.5))
    assert [node.visit_count for node in line] == [4, 4, 3, 2]
    assert [node.total_value for node in line] == [1.5, 1.5, -1.0, 2.0]
    # Nothing beside the line was touched.
    assert root.children[1].visit_count == line[1].children[1].visit_count == 0


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
