"""Random openings."""

import numpy as np
import pytest

from mctslab.games import TicTacToe
from mctslab.games.openings import random_opening
from tests.search.toys import play


def test_an_opening_is_drawn_evenly_and_leaves_the_game_open():
    rng = np.random.default_rng(0)
    first_moves = [random_opening(TicTacToe(), 1, rng)[0] for _ in range(900)]
    assert all(70 < first_moves.count(square) < 130 for square in range(9))
    for _ in range(50):
        assert not play(TicTacToe(), random_opening(TicTacToe(), 8, rng)).is_terminal


def test_an_opening_longer_than_the_game_is_refused():
    with pytest.raises(ValueError, match="opening_plies=9 is too many: Tic-Tac-Toe is over"):
        random_opening(TicTacToe(), 9, np.random.default_rng(0))
    over = play(TicTacToe(), "a1 a2 b1 b2 c1")
    with pytest.raises(ValueError, match="nothing to play"):
        random_opening(over, 0, np.random.default_rng(0))
