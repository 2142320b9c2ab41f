"""What holds in every tree, whatever was searched and however."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mctslab import games
from mctslab.search import Expansion, mcts, rollout_evaluator, ucb1
from tests.games.own_games import DotsAndBoxes
from tests.search.toys import FunctionEvaluator, all_nodes, play, statistics

FIRST_STATES = (
    games.TicTacToe(),
    games.ConnectFour(rows=4, cols=5),
    games.Reversi(size=4),
    games.Reversi(size=6),
    games.Gomoku(size=5, in_a_row=4),
    DotsAndBoxes(),  # who closes a box moves again
)


@st.composite
def positions(draw):
    """A position that is not terminal, some random plies into a game."""
    state = draw(st.sampled_from(FIRST_STATES))
    for number in draw(st.lists(st.integers(0, 1_000), max_size=30)):
        child = state.child(state.legal_actions()[number % len(state.legal_actions())])
        if child.is_terminal:
            break
        state = child
    return state


JUDGING = FunctionEvaluator(lambda state: hash(state) % 21 / 10 - 1)
"""Some value in [-1, 1], the same whenever it is asked."""

options = st.fixed_dictionaries(
    {
        "num_simulations": st.integers(1, 80),
        "expansion": st.sampled_from(Expansion),
        "selection": st.builds(ucb1, st.floats(0, 4)),
        "evaluator": st.sampled_from(
            (rollout_evaluator(), rollout_evaluator(num_rollouts=3), JUDGING)
        ),
    }
)
seeds = st.integers(0, 2**32)


def check_node(node):
    legal = node.state.legal_actions()
    tried = [child.action for child in node.children]
    # Every legal action is either a child, once, or untried.
    assert sorted(tried + node.untried_actions) == list(legal)
    assert node.is_fully_expanded == (len(tried) == len(legal))
    for child in node.children:
        assert child.parent is node
        assert child.mover == node.state.current_player
        assert child.state == node.state.child(child.action)
        assert child.prior == 1 / len(legal)
    # A return lies in [-1, 1], so a sum of N of them in [-N, N], and their mean in [-1, 1].
    assert abs(node.total_value) <= node.visit_count
    assert -1 <= node.mean_value <= 1
    if node.state.is_terminal:
        assert node.total_value == node.visit_count * node.state.returns()[node.mover]


def own_share(node):
    """What a node counts beyond its children: its visits, and their value for its mover."""
    visits = node.visit_count - sum(child.visit_count for child in node.children)
    below = sum(
        child.total_value if child.mover == node.mover else -child.total_value
        for child in node.children
    )
    return visits, node.total_value - below


def check_tree(root):
    """What holds at every node, and between a node and its children."""
    assert root.parent is None
    assert root.action is None
    assert root.mover == root.state.current_player
    for node in all_nodes(root):
        check_node(node)
        visits, value = own_share(node)
        if node is root:
            assert visits == 0
            assert value == pytest.approx(0, abs=1e-9)
        elif not node.state.is_terminal:
            # Each node was a leaf once, unless the budget ended before its turn came; one that is
            # proven to be lost for its mover can be a leaf more often.
            assert visits == (1 if node.visit_count else 0) or (node.proven == -1 and visits > 1)
            assert abs(value) <= visits + 1e-9


@settings(max_examples=30)
@given(positions(), options, seeds)
def test_every_tree_is_sound(state, options, seed):
    result = mcts(state, rng=np.random.default_rng(seed), **options)
    check_tree(result.root)
    assert result.root.state == state
    assert result.root.visit_count == result.num_simulations == options["num_simulations"]
    assert result.value == pytest.approx(result.root.mean_value, abs=1e-9)
    play(state, result.principal_variation)  # they are all legal
    again = mcts(state, rng=np.random.default_rng(seed), **options)
    assert list(statistics(again.root).items()) == list(statistics(result.root).items())


@settings(max_examples=30)
@given(positions(), options, seeds, st.lists(st.integers(1, 30), max_size=6))
def test_a_search_in_slices_grows_the_tree_of_one_in_a_piece(state, options, seed, slices):
    # Not so where all children are added at once: a slice may end in the middle of them.
    options["expansion"] = Expansion.ONE
    piece = mcts(state, rng=np.random.default_rng(seed), **options)
    rng, root, left = np.random.default_rng(seed), None, options.pop("num_simulations")
    for number in [*slices, left]:
        if number := min(number, left):
            root = mcts(state, num_simulations=number, rng=rng, root=root, **options).root
            left -= number
    assert list(statistics(root).items()) == list(statistics(piece.root).items())


@settings(max_examples=30)
@given(positions(), options, seeds, st.data())
def test_a_tree_that_is_reused_stays_sound(state, options, seed, data):
    rng = np.random.default_rng(seed)
    earlier = mcts(state, rng=rng, **options).root
    nodes = [node for node in all_nodes(earlier) if not node.state.is_terminal]
    reached = data.draw(st.sampled_from(nodes))
    result = mcts(reached.state, rng=rng, root=earlier, **options)
    check_tree(result.root)
    assert result.root.visit_count >= result.num_simulations == options["num_simulations"]
    assert result.state == reached.state
