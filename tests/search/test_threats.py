"""Threats in Gomoku: bitboards against the definitions, and positions that show each term."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mctslab.boards.board import square_bits
from mctslab.games import Gomoku, TicTacToe
from mctslab.search.knowledge.threats import Threats, find_threats
from tests.search import threats_by_hand
from tests.search.toys import play


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


@settings(max_examples=80, deadline=None)
@given(positions())
def test_the_threats_are_those_of_the_definitions(state):
    for player in (0, 1):
        found = as_squares(find_threats(state, player), state.size)
        assert found == threats_by_hand.threats(state, player)


@pytest.mark.parametrize(
    ("moves", "name", "squares"),
    [
        # Black: C9 D9 E9 with White on B9, and F7, F8 below F9. White's others lie far off.
        ("C9 B9 D9 A1 E9 O1 F7 A15 F8 O15", "four_three", {"F9"}),
        ("C9 B9 D9 A1 E9 O1 F7 A15 F8 O15", "four", {"F9", "G9"}),
        ("C9 B9 D9 A1 E9 O1 F7 A15 F8 O15", "double_three", set()),
        ("G8 A1 F8 O1 H9 A15 H10 O15", "double_three", {"H8"}),
        ("C9 B9 D9 F5 E9 A1 F6 O1 F7 A15 F8 O15", "double_four", {"F9"}),
        ("C9 B9 D9 F5 E9 A1 F6 O1 F7 A15 F8 O15", "open_four", set()),
    ],
)
def test_threats_along_two_lines_meet(moves, name, squares):
    state = play(Gomoku(15), moves)
    bits = getattr(find_threats(state), name)
    assert {state.action_to_string(square) for square in square_bits(bits)} == squares


def test_what_is_asked_wrongly_is_said():
    with pytest.raises(ValueError, match=r"Gomoku only; this is Tic-Tac-Toe"):
        find_threats(TicTacToe())
    with pytest.raises(ValueError, match=r"player must be 0, 1 or None .*, got 2"):
        find_threats(Gomoku(), 2)
