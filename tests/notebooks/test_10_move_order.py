"""What the side road on move order says is so, and stays so with another seed."""

import math

import numpy as np
import pytest


def test_the_tree_of_twelve_takes_seven_looks_at_best_and_twelve_at_worst(names):
    best = names["best_first"]

    assert len(names["looked_at"](best)) == 3 * 2 + 2 - 1
    assert len(names["looked_at"](names["backwards"](best))) == 12
    assert names["worth"](best) == names["worth"](names["backwards"](best)) == 6


def test_with_the_best_move_first_the_formula_says_how_many_are_looked_at(names):
    rng = np.random.default_rng(1)
    for depth in (2, 3, 4):
        numbers = rng.permutation(3**depth).reshape((3,) * depth).tolist()
        looks = len(names["looked_at"](names["in_order"](numbers)))
        assert looks == 3 ** math.ceil(depth / 2) + 3 ** (depth // 2) - 1


@pytest.fixture(scope="module")
def counted(names):
    """Nodes by depth in other positions than the notebook's, six plies deep."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(names, "rng", np.random.default_rng(5))
        patch.setitem(names, "deepest", 6)
        positions = [names["quick_position"](20) for _ in range(12)]
        return {
            way: np.array([names["nodes_by_depth"](state, way) for state in positions])
            for way in names["ways"]
        }


def test_each_part_of_the_search_looks_at_fewer_positions(counted):
    means = [np.log(nodes[:, -1]).mean() for nodes in counted.values()]

    assert means[0] > means[1] + 0.5 > means[2] + 0.5


def test_a_ply_more_multiplies_the_work_by_about_the_root_of_minimaxs_factor(names, counted):
    plain, _, best = (np.sqrt(nodes[:, -1] / nodes[:, -3]) for nodes in counted.values())
    minimax = names["nodes"]["minimax"]
    root = math.sqrt(np.sqrt(minimax[:, -1] / minimax[:, -3]).mean())

    assert 3.5 < plain.mean() < 7
    assert 2.5 < best.mean() < 4.5
    assert abs(best.mean() - root) < 1.96 * best.std() / math.sqrt(len(best)) + 0.5
