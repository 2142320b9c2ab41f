"""Trees of numbers, and bounds where something was not looked at. See also the golden pictures."""

import math

from hypothesis import given
from hypothesis import strategies as st

from mctslab.draw.lookahead import _nodes

trees = st.recursive(st.integers(-9, 9), lambda below: st.lists(below, min_size=1, max_size=3))


def value(tree, ply=0):
    if isinstance(tree, int):
        return tree
    return (max, min)[ply % 2](value(branch, ply + 1) for branch in tree)


def leaves(tree, path=()):
    if isinstance(tree, int):
        return [path]
    return [leaf for move, branch in enumerate(tree) for leaf in leaves(branch, (*path, move))]


@given(trees, st.data())
def test_the_value_lies_within_what_is_known_of_it(tree, data):
    looked_at = data.draw(st.sets(st.sampled_from(leaves(tree))))
    some, everything = _nodes(tree, looked_at), _nodes(tree, None)

    assert everything[0].range == (value(tree), value(tree))
    for partly, fully in zip(some, everything, strict=True):
        if partly.children:
            assert partly.range[0] <= fully.range[0] <= partly.range[1]
        assert partly.is_seen == any(leaf[: len(partly.path)] == partly.path for leaf in looked_at)
        if not partly.is_seen and partly.children:
            assert partly.range == (-math.inf, math.inf)
