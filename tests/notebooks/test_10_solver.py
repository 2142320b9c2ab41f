"""What the side road on proofs says is so, and stays so with another seed."""

import numpy as np
import pytest

from mctslab.fast import EndgameSolver
from tests.notebooks.reading import NOTEBOOKS

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "10_solver")


@pytest.fixture
def seeded(executed, monkeypatch):
    """The notebook's functions, drawing from another seed."""
    names = executed(NOTEBOOK).names
    monkeypatch.setitem(names["quick_position"].__globals__, "rng", np.random.default_rng(77))
    return names


def test_the_solver_says_what_minimax_says(seeded):
    solver = EndgameSolver()
    for num_empty in (4, 5, 6, 7):
        state = seeded["endgame"](num_empty)
        assert 64 - sum(state.disc_counts()) == num_empty
        assert solver.solve(state) == seeded["discs_by_minimax"](state)


@pytest.mark.parametrize("num_empty", [6, 8])
def test_proofs_are_right(seeded, monkeypatch, num_empty):
    monkeypatch.setitem(seeded["proof"].__globals__, "solver", EndgameSolver())
    found = [seeded["proof"](num_empty) for _ in range(10)]

    assert all(is_right for _, is_right in found)
    assert sum(np.isfinite(needed) for needed, _ in found) >= 8


def test_with_more_empty_squares_a_proof_takes_more_simulations(seeded):
    needed = [[seeded["proof"](empty)[0] for _ in range(12)] for empty in (6, 8, 10)]
    six, eight, ten = (np.median(row) for row in needed)
    assert 2 * six < eight
    assert 2 * eight < ten


def test_two_more_empty_squares_take_several_times_as_many_positions(seeded):
    visited = []
    for num_empty in (8, 10, 12):
        counts = []
        for _ in range(12):
            fresh = EndgameSolver()
            fresh.solve(seeded["endgame"](num_empty))
            counts.append(fresh.num_positions)
        visited.append(np.median(counts))
    assert 2 < visited[1] / visited[0] < 20
    assert 2 < visited[2] / visited[1] < 20
