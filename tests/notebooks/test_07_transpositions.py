"""What the side road on transpositions says is so."""

import numpy as np

from mctslab import search
from tests.notebooks.test_07_connect_four import START


def test_without_transpositions_the_graph_is_the_tree(names):
    # Seven moves and seven replies are different positions all of them: no two ways meet.
    known = names["graph_search"](START, 56, np.random.default_rng(3))
    root = search.mcts(START, num_simulations=56, rng=np.random.default_rng(3)).root

    assert len(known) == 57
    assert known[root.state].visit_count == root.visit_count
    for node in root.children:
        position = known[node.state]
        assert (position.visit_count, position.total_value) == (node.visit_count, node.total_value)
