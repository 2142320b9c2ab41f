"""What the side road from objects to arrays says is so, and stays so with another seed."""

import numpy as np
import pytest

from mctslab import games, search
from tests.notebooks.reading import NOTEBOOKS

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "07_objects_to_arrays")
START = games.ConnectFour()


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


def test_every_comparison_of_the_notebook_says_the_same(executed):
    shown = executed(NOTEBOOK).text

    assert "[True, True, True, True]" in shown
    assert "False" not in shown.replace("(True, False)", "")


@pytest.mark.parametrize("seed", range(20, 24))
def test_all_ways_grow_the_same_tree_with_other_seeds(names, seed):
    assert names["equal_trees"](seed) == [True] * 4


def test_a_tree_that_differs_in_one_visit_is_found(names):
    tree = names["by_arrays"].copy()
    tree["visits"][7] += 1

    assert names["array_statistics"](tree) != names["statistics"](names["by_bitboards"])


@pytest.mark.parametrize("moves", ["4", "44351", "444444226", "3545433"])
def test_a_table_is_the_same_tree_from_other_positions(names, moves):
    state = START
    for move in moves:
        state = state.child(state.string_to_action(move))
    _, _, position, *_ = state.compilable()
    table = np.zeros(801, names["NODE"])
    names["array_search"](table, position, np.random.default_rng(2))
    root = search.mcts(state, num_simulations=800, rng=np.random.default_rng(2)).root

    assert names["array_statistics"](table) == names["statistics"](root)


def test_the_lines_are_those_of_the_rules(names):
    def bits(line):
        return sum(1 << square % 7 * 7 + square // 7 for square in line)

    boards = {bits(line) for line in names["LINES"]}
    assert len(boards) == len(names["LINES"]) == 24 + 21 + 12 + 12
    assert all(names["has_four"](board, names["BOARD"]) for board in boards)
    assert {square for line in names["LINES"] for square in line} == set(range(42))


@pytest.mark.parametrize("seed", range(20))
def test_the_tuples_know_the_rules(names, seed):
    rng = np.random.default_rng(seed)
    slow, quick = names["TupleFour"](), START
    while not quick.is_terminal:
        assert slow.current_player == quick.current_player
        assert slow.legal_actions() == quick.legal_actions()
        action = search.uniform(quick, rng)
        slow, quick = slow.child(action), quick.child(action)

    assert slow.is_terminal
    assert slow.legal_actions() == ()
    assert slow.returns() == quick.returns()


def test_the_nearest_number_is_found_by_factors(names):
    for factor, said in ((1.9, "2 times"), (3.4, "2 times"), (3.5, "6 times"), (70, "60 times")):
        assert names["nearest"](factor, 2, 6, 20, 60) == said
