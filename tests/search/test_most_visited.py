"""The most visited nodes of a tree, found by reading all of it."""

from functools import partial

import numpy as np
import pytest

from mctslab import fast, games, search
from mctslab.games.state import State
from mctslab.search.most_visited import most_visited
from mctslab.search.solving import WIN
from tests.search.toys import all_nodes, facts, path_to


def key(node: search.Node) -> tuple[object, ...]:
    """All that distinguishes a node, which is another object each time that it is read."""
    return path_to(node), *(value for value in facts(node).values() if not isinstance(value, list))


WON = games.TicTacToe().child(4).child(1)
EVEN = search.uniform_evaluator()
SEARCHES = {
    "readable": partial(search.mcts, num_simulations=300),
    "compiled": partial(fast.mcts, num_simulations=300),
    "puct": partial(search.puct_search, num_simulations=200, evaluator=EVEN, solver=True),
    "compiled puct": partial(fast.puct_search, num_simulations=200, evaluator=EVEN),
}


@pytest.mark.parametrize("how", SEARCHES)
@pytest.mark.parametrize("state", [games.TicTacToe(), WON, games.Reversi()], ids=str)
def test_they_are_a_tree_with_nothing_heavier_outside(how: str, state: State) -> None:
    root = SEARCHES[how](state, rng=np.random.default_rng(3)).root
    everything = {key(node): node for node in all_nodes(root)}
    for most in (1, 2, 3, 5, 10, 20, 40, 80, 10_000):
        found = most_visited(root, most)
        assert len(found) == min(most, len(everything))
        assert found[0].node is root
        inside = {key(each.node) for each in found}
        assert len(inside) == len(found)
        assert inside <= everything.keys()
        for place, each in enumerate(found):
            node = everything[key(each.node)]
            counts = [child.visit_count for child in node.children]
            numbers = (len(counts), sum(count > 0 for count in counts), sum(counts))
            assert (each.num_children, each.num_visited, each.child_visits) == numbers
            if each.parent is not None:
                assert each.parent < place
                assert key(each.node.parent) == key(found[each.parent].node)
        outside = [node for at, node in everything.items() if at not in inside]
        weights = [node.visit_count for node in outside]
        weights += [node.parent.visit_count for node in outside if node.proven == WIN]
        counted = [each.node.visit_count for each in found if each.node.proven != WIN]
        assert max(weights, default=0) <= min(counted, default=10**9)
