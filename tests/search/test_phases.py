"""Each of the four phases alone, on trees whose numbers can be worked out by hand."""

import numpy as np
import pytest

from mctslab.games import TicTacToe
from mctslab.search import (
    Node,
    Phases,
    Trace,
    backpropagate,
    expand,
    expand_all,
    mcts,
    simulate,
)
from tests.search.toys import Dictated, Turn, WrittenOut, plant, play, statistics

# Expand


def test_expansion_draws_one_untried_action_and_moves_it_to_the_children():
    root = Node(WrittenOut(Turn(0, (1, 0, -1))))
    (child,) = expand(root, Dictated(0.4))  # 0.4 * 3 = 1.2: the second of three
    assert child.action == 1
    assert child.parent is root
    assert child.mover == 0
    assert root.children == [child]
    assert sorted(root.untried_actions) == [0, 2]
    assert (child.visit_count, child.total_value) == (0, 0.0)


def test_expansion_adds_nothing_at_the_end_of_a_game():
    end = Node(WrittenOut(1.0))
    assert expand(end, Dictated()) == [end]
    assert expand_all(end, Dictated()) == [end]
    assert end.children == []


def test_expansion_of_all_adds_every_child_that_is_left_in_the_order_drawn():
    root = Node(WrittenOut(Turn(1, (1, 0, -1, 0))))
    expand(root, Dictated(0.9))
    # Of 0, 1, 2 the last; of 0, 1 the first; then 1 is left.
    leaves = expand_all(root, Dictated(0.9, 0.0, 0.0))
    assert [leaf.action for leaf in root.children] == [3, 2, 0, 1]
    assert root.children[1:] == leaves
    assert root.is_fully_expanded


def test_a_child_that_was_never_evaluated_is_its_own_leaf_when_all_are_expanded():
    root = Node(WrittenOut(Turn(0, (Turn(1, (1, 0)), -1))))
    first, _ = expand_all(root, Dictated(0.0, 0.0))
    assert expand_all(first, Dictated()) == [first]
    backpropagate(first, (0.0, 0.0))
    assert len(expand_all(first, Dictated(0.0, 0.0))) == 2


# Simulate


def test_the_end_of_a_game_is_worth_its_result_and_nobody_is_asked():
    def must_not_be_asked(states, rng):
        raise AssertionError

    won = Node(play(TicTacToe(), "a1 a2 b1 b2 c1"))
    drawn = Node(play(TicTacToe(), "a1 b1 c1 b2 a2 c2 b3 a3 c3"))
    assert simulate(won, must_not_be_asked, Dictated()) == (1.0, -1.0)
    assert simulate(drawn, must_not_be_asked, Dictated()) == (0.0, 0.0)


# Backpropagate


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


# Phases of one's own


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
