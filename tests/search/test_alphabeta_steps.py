"""The steps of alpha-beta against minimax and the search that they show."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mctslab.games import TicTacToe
from mctslab.search import WIN, alpha_beta
from mctslab.search.alphabeta_steps import (
    MOST_LEAVES,
    alpha_beta_steps,
    returns_of_first,
    small_tree,
)
from tests.search.toys import Turn, WrittenOut


def turn(player, *options):
    return Turn(player, options)


THREE = turn(0, turn(1, 3, 5), turn(1, 2, 9, 8), turn(1, 7, 1))
"""The tree of notebook 10. Its nodes are the root 0, a 1 (2, 3), b 4 (5, 6, 7) and c 8 (9, 10)."""


def tree_of(place, depth=99):
    return small_tree(WrittenOut(place), depth, returns_of_first)


def worth(nodes, place=0):
    """Minimax."""
    node = nodes[place]
    if node.value is not None:
        return node.value
    return (max, min)[node.player](worth(nodes, child) for child in node.children)


def reordered(place, nodes, order, here=0):
    """The written-out game with the options of every turn in this order."""
    if not isinstance(place, Turn):
        return place
    options = [
        reordered(place.options[nodes[here].children.index(child)], nodes, order, child)
        for child in order[here]
    ]
    return Turn(place.player, tuple(options))


turns = st.deferred(
    lambda: st.builds(
        Turn,
        st.integers(0, 1),
        st.lists(st.integers(-5, 5) | turns, min_size=1, max_size=3).map(tuple),
    )
)
places = turns.filter(lambda place: _num_leaves(place) <= MOST_LEAVES)


def _num_leaves(place):
    return sum(map(_num_leaves, place.options)) if isinstance(place, Turn) else 1


@settings(max_examples=40)
@given(places, st.randoms(use_true_random=False))
def test_it_is_the_package_s_search_and_bounds_hold_the_value_of_minimax(place, random):
    nodes = tree_of(place)
    order = [random.sample(node.children, len(node.children)) for node in nodes]
    steps = alpha_beta_steps(nodes, order)
    twin = WrittenOut(reordered(place, nodes, order))
    found = alpha_beta(twin, 99)

    assert steps[-1].bounds == (worth(nodes), worth(nodes))
    assert found.value == WIN * worth(nodes)
    assert sum(step.kind != "back" for step in steps) == found.num_nodes

    for step in steps:
        low, high = step.bounds
        assert low <= worth(nodes, step.node) <= high
        assert not step.cut or step.alpha >= step.beta
    visited = [step.node for step in steps if step.kind != "back"]
    cut = [child for step in steps for child in step.cut]
    assert len(set(visited)) == len(visited)
    below_cut = {place for place in range(len(nodes)) if has_above(nodes, place, set(cut))}
    assert below_cut.isdisjoint(visited)
    assert below_cut | set(visited) == set(range(len(nodes)))


def has_above(nodes, place, those):
    while place is not None and place not in those:
        place = nodes[place].parent
    return place is not None


def test_what_cannot_be_drawn_is_refused_and_moves_have_their_names():
    assert [node.name for node in tree_of(THREE)[1:]] == list("aabbabccab")
    with pytest.raises(ValueError, match="more than 40 leaves"):
        small_tree(TicTacToe(), 2, returns_of_first)
    with pytest.raises(ValueError, match="the game is over"):
        tree_of(3)
    with pytest.raises(ValueError, match="below 1"):
        tree_of(THREE, depth=0)
