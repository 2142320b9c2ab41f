"""What the side road on proofs says is so, and stays so with another seed."""

import numpy as np
import pytest


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
