"""What the side road on proofs says is so, and stays so with another seed."""

import numpy as np
import pytest

from mctslab.solvers import EndgameSolver


@pytest.fixture
def seeded(monkeypatch, names):
    """The notebook's functions, drawing from another seed."""
    monkeypatch.setitem(names, "rng", np.random.default_rng(77))
    return names


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
