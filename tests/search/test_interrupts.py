"""A tree whose search was interrupted, at whatever line, is one that could have been grown."""

import pytest

from mctslab.search.node import Node
from tests.search.interrupting import SEARCHES, check_sound, interrupted_at_line, new_rng, visited


@pytest.mark.parametrize("name", SEARCHES)
def test_an_interrupted_search_leaves_the_tree_of_its_complete_simulations(name):
    searched, number = SEARCHES[name], 1
    trees = [{}]
    if "all" not in name and "transpositions" not in name:
        trees = [visited(grown(searched, number)) for number in range(60)]
    while True:
        root = grown(searched, 0)
        if not interrupted_at_line(number, lambda root=root: searched(root=root, rng=new_rng(1))):
            break
        if "transpositions" not in name:
            check_sound(root)
        if len(trees) > 1 and "batches" not in name and number % 7 == 0:
            assert visited(root) in trees
        searched(root=root, rng=new_rng(2))  # nobody holds it
        number += 1 + number // 12
    assert number > 300


def grown(searched, number):
    """The root after `number` simulations, without noise left in its priors."""
    budget = iter([False] * number)
    return searched(root=first_root(searched), stop=lambda: next(budget, True), rng=new_rng(1)).root


def first_root(searched):
    return Node(searched.args[0])
