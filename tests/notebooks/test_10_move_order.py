"""What the side road on move order says is so, and stays so with another seed."""

import math

import numpy as np
import pytest

from tests.notebooks.reading import NOTEBOOKS

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "10_move_order")


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


def test_the_tree_of_twelve_takes_seven_looks_at_best_and_twelve_at_worst(names):
    best = names["best_first"]

    assert len(names["looked_at"](best)) == 3 * 2 + 2 - 1
    assert len(names["looked_at"](names["backwards"](best))) == 12
    assert names["worth"](best) == names["worth"](names["backwards"](best)) == 6


@pytest.mark.parametrize("seed", range(5))
def test_with_the_best_move_first_the_formula_says_how_many_are_looked_at(names, seed):
    rng = np.random.default_rng(seed)
    for depth in (2, 3, 4):
        numbers = rng.permutation(3**depth).reshape((3,) * depth).tolist()
        looks = len(names["looked_at"](names["in_order"](numbers)))
        assert looks == 3 ** math.ceil(depth / 2) + 3 ** (depth // 2) - 1


@pytest.fixture(scope="module")
def counted(executed):
    """Nodes by depth in other positions than the notebook's, six plies deep."""
    names = executed(NOTEBOOK).names
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(names["quick_position"].__globals__, "rng", np.random.default_rng(5))
        patch.setitem(names["nodes_by_depth"].__globals__, "deepest", 6)
        positions = [names["quick_position"](20) for _ in range(12)]
        return {
            way: np.array([names["nodes_by_depth"](state, way) for state in positions])
            for way in names["ways"]
        }


def test_each_part_of_the_search_looks_at_fewer_positions(counted):
    means = [np.log(nodes[:, -1]).mean() for nodes in counted.values()]

    assert means[0] > means[1] + 0.5 > means[2] + 0.5


def test_a_ply_more_multiplies_the_work_by_a_few_only(counted):
    plain, _, best = (np.sqrt(nodes[:, -1] / nodes[:, -3]).mean() for nodes in counted.values())

    assert 3.5 < plain < 7
    assert 2.5 < best < 4.5


def test_with_order_and_table_the_factor_is_about_the_root_of_minimax_s(names, counted):
    minimax = names["nodes"]["minimax"]
    root = math.sqrt(np.sqrt(minimax[:, -1] / minimax[:, -3]).mean())
    *_, best = (np.sqrt(nodes[:, -1] / nodes[:, -3]) for nodes in counted.values())
    margin = 1.96 * best.std() / math.sqrt(len(best))

    assert abs(best.mean() - root) < margin + 0.5


def test_the_best_case_is_that_of_knuth_and_moore(names):
    plain = np.array([[1 + 3, 1 + 3 + 9, 1 + 3 + 9 + 27]])
    found = names["best_case"](plain)[0]
    leaves = [3 ** math.ceil(d / 2) + 3 ** (d // 2) - 1 for d in range(1, 7)]

    assert list(found) == list(1 + np.cumsum(leaves))
