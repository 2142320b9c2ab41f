"""Threats in Gomoku: bitboards against the definitions, and positions that show each term."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mctslab.boards.board import square_bits
from mctslab.games import Gomoku, TicTacToe
from mctslab.search.knowledge.threats import Threats, find_threats
from tests.search import threats_by_hand


def scattered(game: Gomoku, num_stones: int, spread: float, rng: np.random.Generator) -> Gomoku:
    """Stones thrown around a spot of the board, one by one, none of which ends the game."""
    size = game.size
    rows, cols = np.divmod(np.arange(size * size), size)
    row, col = rng.random(2) * size
    distance = np.hypot(rows - row, cols - col)
    order = np.argsort(distance + spread * size * rng.random(size * size))
    state = game
    for action in order[:num_stones].tolist():
        child = state.child(action)
        if not child.is_terminal:
            state = child
    return state


@st.composite
def positions(draw: st.DrawFn) -> Gomoku:
    in_a_row = draw(st.integers(3, 6))
    size = draw(st.integers(max(4, in_a_row), 9) | st.just(15))
    game = Gomoku(size, in_a_row, draw(st.booleans()))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return scattered(
        game, draw(st.integers(0, size * size)), draw(st.sampled_from([0.2, 1, 9])), rng
    )


def as_squares(threats: Threats, size: int) -> dict[str, set[tuple[int, int]]]:
    return {
        name: {divmod(square, size) for square in square_bits(bits)}
        for name, bits in threats._asdict().items()
    }


@settings(max_examples=40, deadline=None)
@given(positions())
def test_the_threats_are_those_of_the_definitions(state):
    for player in (0, 1):
        found = as_squares(find_threats(state, player), state.size)
        assert found == threats_by_hand.threats(state, player)


def test_what_is_asked_wrongly_is_said():
    with pytest.raises(ValueError, match=r"Gomoku only; this is Tic-Tac-Toe"):
        find_threats(TicTacToe())
    with pytest.raises(ValueError, match=r"player must be 0, 1 or None .*, got 2"):
        find_threats(Gomoku(), 2)
