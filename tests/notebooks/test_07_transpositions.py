"""What the side road on transpositions says is so, and stays so with another seed."""

import numpy as np
import pytest

from mctslab import arena, fast, games, search
from mctslab.course.positions import after
from tests.notebooks.test_07_connect_four import EXAM, START


def test_fewer_than_half_of_the_nodes_are_different_positions(names):
    root = fast.mcts(START, num_simulations=100_000, rng=np.random.default_rng(9)).root
    counts = [(len(ply), len({n.state for n in ply})) for ply in names["plies_of"](root)]
    nodes, positions = map(sum, zip(*counts, strict=True))

    assert counts[:4] == [(1, 1), (7, 7), (49, 49), (343, 238)]
    assert 0.28 < 1 - 238 / 343 < 1 / 3, "nearly a third"
    assert positions < nodes / 2


def test_without_transpositions_the_graph_is_the_tree(names):
    # Seven moves and seven replies are different positions all of them: no two ways meet.
    known = names["graph_search"](START, 56, np.random.default_rng(3))
    root = search.mcts(START, num_simulations=56, rng=np.random.default_rng(3)).root

    assert len(known) == 57
    assert known[root.state].visit_count == root.visit_count
    for node in root.children:
        position = known[node.state]
        assert (position.visit_count, position.total_value) == (node.visit_count, node.total_value)


def edges_of(known):
    return [(above, action) for above in known.values() for action in above.children]


@pytest.mark.parametrize("seed", [10, 11])
def test_in_a_graph_the_results_do_not_reach_every_parent(names, seed):
    known = names["graph_search"](games.TicTacToe(), 10_000, np.random.default_rng(seed))
    more, neglected, walked = [], [], []
    for above, action in edges_of(known):
        below = above.children[action]
        misfit = above.mean_value + below.mean_value
        more.append(below.visit_count > above.visit_count)
        if above.visit_count >= 10 and below.visit_count > 5 * above.visit_count:
            neglected.append(misfit)
        if above.visit_count >= 10 and above.edge_visits[action] > 0.8 * above.visit_count:
            walked.append(misfit)

    assert 0.04 < np.mean(more) < 0.2, "some have more visits than a position above them"
    assert len(neglected) > 3
    assert np.mean(neglected) > 0.05
    assert abs(np.mean(walked)) < 0.04


def test_the_examination_cannot_tell_the_graph_from_the_tree(names):
    right, sizes = [], []
    for question in EXAM[1::3]:
        state = after(START, " ".join(question["moves"]))
        move, size = names["graph_move"](state, 300)
        result = fast.mcts(state, num_simulations=300, rng=np.random.default_rng(31))
        sizes.append(size)
        right.append([chosen in question["right"] for chosen in (move, result.best_action)])

    graph, tree = (arena.wilson(int(found), len(right)) for found in np.sum(right, axis=0))
    assert max(graph.low, tree.low) < min(graph.high, tree.high)
    assert np.mean(sizes) < 290
