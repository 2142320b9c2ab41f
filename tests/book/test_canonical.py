"""The canonical position against brute force: boards that NumPy turns and mirrors."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings

from mctslab.book.canonical import canonical
from mctslab.games import State
from tests.games.own_games import TakeAway
from tests.games.playing import FIRST_STATES, choices, name_of, played


def orientations(state: State) -> Iterator[list[int]]:
    """The stones in every orientation of the board."""
    board = state.board()
    stones = np.array(board.stones).reshape(board.rows, board.cols)
    for turns in range(4 if state.game != "connect_four" else 1):
        for oriented in (stones, np.fliplr(stones)):
            yield np.rot90(oriented, turns).ravel().tolist()


@pytest.mark.parametrize("first_state", FIRST_STATES, ids=name_of)
@settings(max_examples=20)
@given(first=choices(12), second=choices(12))
def test_two_positions_have_one_key_exactly_when_one_can_be_laid_on_the_other(
    first_state, first, second
):
    one, other = played(first_state, first)[-1], played(first_state, second)[-1]
    is_same = one.current_player == other.current_player
    is_same &= [*other.board().stones] in orientations(one)
    assert (canonical(one)[0] == canonical(other)[0]) == is_same


def test_positions_of_a_game_without_squares_are_told_apart_by_their_text():
    assert len({canonical(TakeAway(heap))[0] for heap in (4, 5, 6)}) == 3
