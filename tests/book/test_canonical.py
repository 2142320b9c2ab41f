"""The canonical position against brute force: boards that NumPy turns and mirrors."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings

from mctslab.book.canonical import canonical
from mctslab.games import State
from tests.games.own_games import DotsAndBoxes
from tests.games.playing import FIRST_STATES, choices, name_of, played

every_game = pytest.mark.parametrize("first_state", FIRST_STATES, ids=name_of)


def orientations(state: State) -> Iterator[tuple[list[int], list[int]]]:
    """Every way to lay the board: its stones, and which square now lies where each one lay."""
    board = state.board()
    shape = (board.rows, board.cols)
    stones = np.array(board.stones).reshape(shape)
    squares = np.arange(board.rows * board.cols).reshape(shape)
    for turns in range(4 if state.game != "connect_four" else 1):
        for mirrored in (False, True):
            laid = [np.rot90(np.fliplr(b) if mirrored else b, turns) for b in (stones, squares)]
            yield laid[0].ravel().tolist(), laid[1].ravel().tolist()


def is_same(one: State, other: State) -> bool:
    """Whether two positions can be laid onto each other, tried in every way."""
    stones = list(other.board().stones)
    return one.current_player == other.current_player and any(
        laid == stones for laid, _ in orientations(one)
    )


@every_game
@settings(max_examples=20)
@given(first=choices(12), second=choices(12))
def test_two_positions_have_one_key_exactly_when_one_can_be_laid_on_the_other(
    first_state, first, second
):
    one, other = played(first_state, first)[-1], played(first_state, second)[-1]
    assert (canonical(one).key == canonical(other).key) == is_same(one, other)


@every_game
@settings(max_examples=20)
@given(numbers=choices(30))
def test_moves_are_one_exactly_when_the_position_can_be_laid_on_itself(first_state, numbers):
    state = played(first_state, numbers)[-1]
    stones, kept = list(state.board().stones), canonical(state).actions
    ways = [squares for laid, squares in orientations(state) if laid == stones]
    legal, square_of = state.legal_actions(), state.action_square
    for action in legal:
        square = square_of(action)
        alike = {None if square is None else way[square] for way in ways}
        same = [other for other in legal if kept[other] == kept[action]]
        assert same == [other for other in legal if square_of(other) in alike]


def test_a_game_without_symmetries_keeps_every_position_apart():
    first = DotsAndBoxes()
    keys = {canonical(first.child(action)).key for action in first.legal_actions()}
    assert len(keys) == len(first.legal_actions())
    assert canonical(first).actions == tuple(range(first.num_actions))
