"""Whoever won, won: the labels of both colours, also on the last square and after a pass."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import games
from mctslab.games import GameNotOverError, State
from mctslab.net.encode import InputPlanes, encode
from mctslab.net.replay import policy_target, samples_of
from tests.games.own_games import DotsAndBoxes
from tests.games.playing import random_game

WHITE_WINS = (8, 0, 3, 1, 4, 2)  # Tic-Tac-Toe: O takes the top row
POLICIES = [np.eye(9, dtype=np.float32)[action] for action in WHITE_WINS]


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


@given(
    first_state=st.sampled_from(
        [games.TicTacToe(), games.ConnectFour(4, 4), games.Reversi(4), DotsAndBoxes(),
         games.Gomoku(size=4, in_a_row=3)]
    ),
    seed=st.integers(0, 10_000),
    discount=st.sampled_from([1.0, 0.5]),
)  # fmt: skip
def test_a_label_says_whether_the_player_to_move_won(first_state, seed, discount):
    """In Reversi a player can pass, in Dots and Boxes move again: turns need not alternate."""
    positions = list(random_game(first_state, np.random.default_rng(seed)))
    returns = positions[-1].returns()
    for ply, label in enumerate(labels(positions, discount)):
        left = len(positions) - 1 - ply
        assert label == returns[positions[ply].current_player] * discount**left


def test_samples_are_made_of_what_was_searched_and_show_the_game_so_far():
    """Not of an opening without policies."""
    positions = positions_of(WHITE_WINS, games.TicTacToe())
    inputs = InputPlanes(history=3)
    whole = samples_of(positions, POLICIES, inputs)
    for ply in range(6):
        expected = encode(positions[: ply + 1], inputs)
        np.testing.assert_array_equal(whole.planes[ply], expected, err_msg=f"ply {ply}")
    np.testing.assert_array_equal(whole.policies, POLICIES)
    for ours, theirs in zip(whole, samples_of(positions, POLICIES[3:], inputs), strict=True):
        np.testing.assert_array_equal(ours[3:], theirs)


def test_a_policy_target_is_the_share_of_the_visits():
    policy = policy_target({2: 30, 0: 10, 8: 0}, 9)
    assert policy.tolist() == [0.25, 0, 0.75, 0, 0, 0, 0, 0, 0]
    for shares in ({}, {0: 0, 1: 0}, {0: -1, 1: 3}, {0: float("nan")}):
        with pytest.raises(ValueError, match="expected none below 0, and a sum above 0"):
            policy_target(shares, 9)


def test_an_unfinished_game_has_no_labels():
    state = games.TicTacToe()
    with pytest.raises(GameNotOverError):
        samples_of([state, state.child(0)], POLICIES[:1], InputPlanes())
    for positions, policies in (([state], POLICIES[:1]), (positions_of(WHITE_WINS, state), [])):
        with pytest.raises(ValueError, match="a policy for each position"):
            samples_of(positions, policies, InputPlanes())
