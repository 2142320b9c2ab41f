"""Minimax against values known from elsewhere, and against a definition without a memo."""

import pytest

from mctslab import games
from mctslab.games import State
from mctslab.search import minimax
from tests.search.toys import Chain


def plain_minimax(state: State) -> tuple[float, float]:
    """The definition as it stands in a textbook: X maximises, O minimises X's result."""
    if state.is_terminal:
        return state.returns()
    best = max if state.current_player == 0 else min
    value = best(plain_minimax(state.child(action))[0] for action in state.legal_actions())
    return value, -value


@pytest.mark.parametrize(
    ("first_state", "value", "num_positions"),
    [
        (games.TicTacToe(), 0.0, 5_478),
        # White wins Reversi on 4 x 4 (known: 11 discs to 3).
        (games.Reversi(size=4), -1.0, 62_789),
        (Chain(5_000), 0.0, 5_001),  # nothing recurses
    ],
)
def test_small_games_have_their_known_value_and_number_of_positions(
    first_state: State, value: float, num_positions: int
) -> None:
    memo: dict[State, tuple[float, float]] = {}
    assert minimax(first_state, memo) == (value, -value)
    assert len(memo) == num_positions


def test_the_value_of_any_position_is_the_plain_definitions() -> None:
    memo: dict[State, tuple[float, float]] = {}
    minimax(games.TicTacToe(), memo)
    for state in list(memo)[::10]:
        assert minimax(state) == minimax(state, memo) == plain_minimax(state)
