"""Minimax against values known from elsewhere, and against a definition without a memo."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import games
from mctslab.games import State
from mctslab.search import minimax


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
        # The number of positions stands in John Tromp's table of Connect Four on small boards.
        (games.ConnectFour(rows=4, cols=4), 0.0, 161_029),
    ],
)
def test_small_games_have_their_known_value_and_number_of_positions(
    first_state: State, value: float, num_positions: int
) -> None:
    memo: dict[State, tuple[float, float]] = {}
    assert minimax(first_state, memo) == (value, -value)
    assert len(memo) == num_positions


@given(st.lists(st.integers(0, 8), min_size=2, max_size=8))
def test_the_value_of_any_position_is_the_plain_definitions(choices: list[int]) -> None:
    state = games.TicTacToe()
    for choice in choices:
        actions = state.legal_actions()
        if not actions:
            break
        state = state.child(actions[choice % len(actions)])
    assert minimax(state) == plain_minimax(state)


def test_a_memo_is_used_and_filled() -> None:
    state = games.TicTacToe().child(4)
    wrong = (1.0, -1.0)
    assert minimax(state, {state: wrong}) == wrong
    memo = dict.fromkeys((state.child(action) for action in state.legal_actions()), wrong)
    assert minimax(state, memo) == wrong
    assert memo[state] == wrong


def test_a_game_of_a_thousand_plies_needs_no_recursion(long_game: State) -> None:
    assert minimax(long_game) == (1.0, -1.0)


class Countdown(games.State):
    """A game without choices: each move counts one down; player 0 wins at zero."""

    game = "countdown"
    title = "Countdown"
    player_names = ("First", "Second")

    def __init__(self, left: int) -> None:
        self._left = left

    current_player = property(lambda self: self._left % 2)
    num_actions = 1
    last_action = None
    is_terminal = property(lambda self: self._left == 0)

    def legal_actions(self) -> tuple[int, ...]:
        return () if self._left == 0 else (0,)

    def child(self, action: int) -> "Countdown":
        return Countdown(self._left - 1)

    def returns(self) -> tuple[float, float]:
        return (1.0, -1.0)

    def action_to_string(self, action: int) -> str:
        return "down"

    def board(self) -> games.state.Board:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Countdown) and self._left == other._left

    def __hash__(self) -> int:
        return self._left


@pytest.fixture
def long_game() -> State:
    return Countdown(100_000)
