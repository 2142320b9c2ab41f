"""What the side road of 06 says is so, and stays so with another seed."""

import math
from itertools import count

import numpy as np
import pytest

from mctslab import arena, search
from tests.notebooks.test_06_backpropagation import found_by


@pytest.mark.parametrize("seed", range(3))
def test_one_random_number_too_many_changes_nearly_all_visits(names, seed):
    first, visits = names["first"], []
    for has_slip in (False, True):
        rng = np.random.default_rng(seed)
        root = search.mcts(first, num_simulations=9, rng=rng).root
        if has_slip:
            rng.random()
        root = search.mcts(first, num_simulations=191, rng=rng, root=root).root
        visits.append([child.visit_count for child in root.children])

    assert sum(one == other for one, other in zip(*visits, strict=True)) <= 3


@pytest.mark.parametrize("seed", range(5))
def test_a_flipped_sign_loses_the_squeeze_whatever_the_seed(names, seed):
    for way_back, best in ((search.backpropagate, "a3"), (names["sign_flipped"], "c4")):
        root = found_by(way_back, names["skipped"], 50, seed)
        means = {
            root.state.action_to_string(node.action): node.mean_value for node in root.children
        }
        robust = max(root.children, key=lambda child: child.visit_count)
        assert root.state.action_to_string(robust.action) == best
        assert max(means, key=means.get) == best


@pytest.mark.parametrize("seed", range(2))
def test_a_flipped_sign_costs_many_endgames_and_the_movers_return_hardly_any(
    names, seed, monkeypatch
):
    monkeypatch.setitem(names, "rng", np.random.default_rng(seed))
    made = (names["random_endgame"]() for _ in count())
    matters = ((state, worth) for state, worth in made if len(set(worth.values())) > 1)
    monkeypatch.setitem(names, "endgames", [next(matters) for _ in range(30)])

    assert names["best_moves"](lambda *search_of: found_by(search.backpropagate, *search_of)) >= 29
    assert names["best_moves"](names["flipping"]) <= 26


def disputed(names, c, budgets, seeds):
    """For each budget the results of the searches in which the two rules disagree."""
    searches = [names["results_on_the_way"](names["trap"], seed, budgets, c) for seed in seeds]
    return [list(filter(names["disagree"], results)) for results in zip(*searches, strict=True)]


def test_the_dispute_ends_with_the_usual_constant_and_lasts_with_a_small_one(names):
    usual, small = (
        list(map(len, disputed(names, c, (7, 80, 160, 320), range(1_000, 1_060))))
        for c in (math.sqrt(2), 0.1)
    )

    assert usual[0] == small[0] > 12, "as long as every move was tried at most twice"
    assert usual[-1] <= 4
    assert sum(small[1:]) > sum(usual[1:])


def test_only_with_the_small_constant_the_max_child_is_right_more_often(names):
    right = {}
    for c in (0.1, math.sqrt(2)):
        (late,) = disputed(names, c, (160,), range(2_000, 2_200))
        for rule in (search.SearchResult.robust_child, search.SearchResult.max_child):
            found = sum(rule(result) == names["c3"] for result in late)
            right[c, rule.__name__] = arena.wilson(found, len(late))

    assert right[0.1, "robust_child"].high < right[0.1, "max_child"].low
    assert right[2**0.5, "robust_child"].high > right[2**0.5, "max_child"].low
    assert right[2**0.5, "max_child"].high > right[2**0.5, "robust_child"].low
