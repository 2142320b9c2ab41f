"""Whoever won, won: the labels of both colours, also on the last square and after a pass."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import games
from mctslab.games import GameNotOverError, State
from mctslab.net.encode import InputPlanes, encode
from mctslab.net.replay import policy_target, samples_of, value_target
from tests.games.own_games import DotsAndBoxes, Hex
from tests.games.playing import random_game

BLACK_WINS = (0, 3, 1, 4, 2)  # Tic-Tac-Toe: X takes the top row
WHITE_WINS = (8, 0, 3, 1, 4, 2)  # the same row, for O
DRAWN = (0, 1, 2, 4, 3, 5, 7, 6, 8)
ON_THE_LAST_SQUARE = (0, 2, 1, 3, 4, 5, 6, 7, 8)
"""X wins with the ninth mark by the diagonal; a board that is full is no draw by itself."""


def positions_of(actions: tuple[int, ...], state: State) -> list[State]:
    positions = [state]
    for action in actions:
        positions.append(positions[-1].child(action))
    assert positions[-1].is_terminal
    return positions


def labels(positions: list[State], discount: float = 1.0) -> list[float]:
    num_actions = positions[0].num_actions
    policies = [np.full(num_actions, 1 / num_actions, np.float32)] * (len(positions) - 1)
    return samples_of(positions, policies, InputPlanes(), discount).values.tolist()


def test_when_black_wins_blacks_positions_are_won_and_whites_lost():
    assert labels(positions_of(BLACK_WINS, games.TicTacToe())) == [1, -1, 1, -1, 1]


def test_when_white_wins_whites_positions_are_won_and_blacks_lost():
    assert labels(positions_of(WHITE_WINS, games.TicTacToe())) == [-1, 1, -1, 1, -1, 1]


def test_with_a_discount_a_result_counts_less_the_further_it_is():
    black_wins = labels(positions_of(BLACK_WINS, games.TicTacToe()), discount=0.5)
    white_wins = labels(positions_of(WHITE_WINS, games.TicTacToe()), discount=0.5)
    assert black_wins == [1 / 32, -1 / 16, 1 / 8, -1 / 4, 1 / 2]
    assert white_wins == [-1 / 64, 1 / 32, -1 / 16, 1 / 8, -1 / 4, 1 / 2]


def test_a_draw_is_worth_nothing_to_both():
    assert labels(positions_of(DRAWN, games.TicTacToe())) == [0] * 9


def test_a_win_on_the_last_square_is_a_win():
    positions = positions_of(ON_THE_LAST_SQUARE, games.TicTacToe())
    assert all(stone >= 0 for stone in positions[-1].board().stones)
    assert positions[-1].returns() == (1, -1)
    assert labels(positions) == [1, -1, 1, -1, 1, -1, 1, -1, 1]


def test_a_won_position_of_each_colour_has_the_target_that_a_person_gives_it():
    """Four in a row on 6 x 6: whoever is to move has three in a row, open at both ends."""
    state = games.Gomoku(size=6, in_a_row=4)
    black_to_win = positions_of((14, 0, 15, 5, 16, 30, 17), state)
    white_to_win = positions_of((0, 14, 5, 15, 30, 16, 35, 17), state)
    for positions, winner in ((black_to_win, 0), (white_to_win, 1)):
        assert positions[-2].current_player == winner
        assert value_target(positions[-2], positions[-1].returns()) == 1
        assert value_target(positions[-3], positions[-1].returns()) == -1
    # Seen by the player to move, both are the same: three own stones in a row, and a win.
    seen = [encode([positions[-2]], InputPlanes(1, False, False)) for positions in
            (black_to_win, white_to_win)]  # fmt: skip
    np.testing.assert_array_equal(seen[0][0, 2, 2:5], [1, 1, 1])
    np.testing.assert_array_equal(seen[1][0, 2, 2:5], [1, 1, 1])


@given(
    first_state=st.sampled_from(
        [games.TicTacToe(), games.ConnectFour(4, 4), games.Reversi(4), Hex(), DotsAndBoxes(),
         games.Gomoku(size=4, in_a_row=3)]
    ),
    seed=st.integers(0, 10_000),
)  # fmt: skip
def test_a_label_says_whether_the_player_to_move_won(first_state, seed):
    """In Reversi a player can pass, in Dots and Boxes move again: turns need not alternate."""
    positions = list(random_game(first_state, np.random.default_rng(seed)))
    end = positions[-1]
    for state, label in zip(positions[:-1], labels(positions), strict=True):
        sign = {0: 1, 1: -1}[state.current_player]
        assert label == sign * end.returns()[0]


def test_the_planes_are_those_of_the_game_so_far():
    positions = positions_of(WHITE_WINS, games.TicTacToe())
    inputs = InputPlanes(history=3)
    policies = [np.eye(9, dtype=np.float32)[action] for action in WHITE_WINS]
    samples = samples_of(positions, policies, inputs)
    for ply in range(6):
        np.testing.assert_array_equal(
            samples.planes[ply], encode(positions[: ply + 1], inputs), err_msg=f"ply {ply}"
        )
    np.testing.assert_array_equal(samples.policies, policies)


def test_a_policy_target_is_the_share_of_the_visits():
    policy = policy_target({2: 30, 0: 10, 8: 0}, 9)
    assert policy.tolist() == [0.25, 0, 0.75, 0, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("shares", [{}, {0: 0, 1: 0}, {0: -1, 1: 3}, {0: float("nan")}])
def test_shares_of_nothing_are_refused(shares):
    with pytest.raises(ValueError, match="expected none below 0, and a sum above 0"):
        policy_target(shares, 9)


def test_an_unfinished_game_has_no_labels():
    state = games.TicTacToe()
    with pytest.raises(GameNotOverError):
        samples_of([state, state.child(0)], [np.zeros(9, np.float32)], InputPlanes())
    with pytest.raises(ValueError, match="a policy for each position"):
        samples_of([state], [np.zeros(9, np.float32)], InputPlanes())
    with pytest.raises(ValueError, match="a policy for each position"):
        samples_of(positions_of(BLACK_WINS, state), [], InputPlanes())


def test_an_opening_without_policies_makes_no_samples():
    positions = positions_of(WHITE_WINS, games.TicTacToe())
    policies = [np.eye(9, dtype=np.float32)[action] for action in WHITE_WINS]
    whole = samples_of(positions, policies, InputPlanes(history=2))
    last_three = samples_of(positions, policies[3:], InputPlanes(history=2))
    for all_of_them, some in zip(whole, last_three, strict=True):
        np.testing.assert_array_equal(all_of_them[3:], some)


def test_a_short_search_makes_no_sample():
    """None in place of a policy; a game of short searches alone makes no samples at all."""
    positions = positions_of(WHITE_WINS, games.TicTacToe())
    policies = [np.eye(9, dtype=np.float32)[action] for action in WHITE_WINS]
    whole = samples_of(positions, policies, InputPlanes(history=2))
    some = [policy if ply in (1, 4) else None for ply, policy in enumerate(policies)]
    for all_of_them, two in zip(
        whole, samples_of(positions, some, InputPlanes(history=2)), strict=True
    ):
        np.testing.assert_array_equal(all_of_them[[1, 4]], two)
    none = samples_of(positions, [None] * 6, InputPlanes(history=2))
    assert [part.shape for part in none] == [(0, *part.shape[1:]) for part in whole]
