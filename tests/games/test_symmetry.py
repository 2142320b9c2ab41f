"""Symmetries, against boards that are turned and mirrored as arrays.

The oracle is NumPy: `rot90` and `fliplr` of a picture. That the rules stay the same is checked by
`games.contract`.
"""

import numpy as np
import pytest

from mctslab.games import State
from mctslab.games.symmetry import identity, turns_and_mirrors
from tests.games.playing import FIRST_STATES, name_of


def pictures(numbers: np.ndarray) -> list[list[int]]:
    """A board in its eight orientations."""
    both = (numbers, np.fliplr(numbers))
    return sorted(np.rot90(board, turns).ravel().tolist() for board in both for turns in range(4))


def moved(stones, symmetry) -> list[int]:
    """The picture of a board after a symmetry."""
    after = list(stones)
    for square, stone in zip(symmetry.squares, stones, strict=True):
        after[square] = stone
    return after


@pytest.mark.parametrize("size", range(2, 9))
def test_a_square_board_has_eight(size):
    board = np.arange(size * size).reshape(size, size)
    symmetries = turns_and_mirrors(size, size * size + 1)
    assert sorted(moved(board.ravel().tolist(), each) for each in symmetries) == pictures(board)
    assert len(set(symmetries)) == 8
    assert symmetries[0] == identity(size * size, size * size + 1)
    assert all(each.actions == (*each.squares, size * size) for each in symmetries)  # the pass


@pytest.mark.parametrize("first_state", FIRST_STATES, ids=name_of)
def test_every_game_of_ours_says_its_symmetries(first_state):
    assert State.symmetries(first_state) == first_state.symmetries()[:1]  # a game that says nothing
    assert len(first_state.symmetries()) == (2 if first_state.game == "connect_four" else 8)
