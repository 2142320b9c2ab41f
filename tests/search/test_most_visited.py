"""The most visited nodes of a tree, found by reading all of it."""

import numpy as np
import pytest

from mctslab import fast, games, search
from mctslab.games.state import State
from mctslab.search.most_visited import most_visited
from mctslab.search.solving import WIN


def all_below(root: search.Node) -> list[search.Node]:
    nodes = [root]
    for node in nodes:
        nodes += node.children
    return nodes


def facts(node: search.Node) -> tuple[object, ...]:
    way = [node.action]
    above = node
    while (parent := above.parent) is not None:
        above = parent
        way.append(above.action)
    return tuple(way), node.mover, node.visit_count, node.total_value, node.prior, node.proven


def puct(state: State) -> search.SearchResult:
    evaluator, rng = search.uniform_evaluator(), np.random.default_rng(3)
    return search.puct_search(state, num_simulations=200, evaluator=evaluator, rng=rng, solver=True)


def guided(state: State) -> search.SearchResult:
    evaluator, rng = search.uniform_evaluator(), np.random.default_rng(3)
    return fast.puct_search(state, num_simulations=200, evaluator=evaluator, rng=rng)


SEARCHES = {
    "readable": lambda state: search.mcts(state, num_simulations=300, rng=np.random.default_rng(3)),
    "compiled": lambda state: fast.mcts(state, num_simulations=300, rng=np.random.default_rng(3)),
    "puct": puct,
    "compiled puct": guided,
}


@pytest.mark.parametrize("how", SEARCHES)
@pytest.mark.parametrize("state", [games.TicTacToe(), games.Reversi()], ids=str)
@pytest.mark.parametrize("most", [1, 40, 10_000])
def test_they_are_a_tree_with_nothing_heavier_outside(how: str, state: State, most: int) -> None:
    root = SEARCHES[how](state).root
    found = most_visited(root, most)
    everything = {facts(node): node for node in all_below(root)}
    assert len(found) == min(most, len(everything))
    assert found[0].node is root
    inside = {facts(each.node) for each in found}
    assert len(inside) == len(found)
    assert inside <= everything.keys()
    for place, each in enumerate(found):
        node = everything[facts(each.node)]
        counts = [child.visit_count for child in node.children]
        numbers = (len(counts), sum(count > 0 for count in counts), sum(counts))
        assert (each.num_children, each.num_visited, each.child_visits) == numbers
        if each.parent is not None:
            assert each.parent < place
            assert each.node.parent is not None
            assert facts(each.node.parent) == facts(found[each.parent].node)
    outside = [node for key, node in everything.items() if key not in inside]
    weights = [node.visit_count for node in outside]
    weights += [node.parent.visit_count for node in outside if node.parent and node.proven == WIN]
    least = min(each.node.visit_count for each in found if each.node.proven != WIN)
    assert max(weights, default=0) <= least
