"""Minimax against what is known, with a horizon against that, and alpha-beta against it."""

import math
from zlib import crc32

import numpy as np
import pytest

from mctslab.games import ConnectFour, Reversi, State, TicTacToe
from mctslab.search import WIN, alpha_beta, depth_limited_minimax, minimax, no_evaluation
from mctslab.search.alphabeta import MinimaxResult
from tests.games.playing import must_pass, random_game
from tests.search.toys import Chain

both = pytest.mark.parametrize("search", [depth_limited_minimax, alpha_beta])


def noise(state: State) -> float:
    """An evaluation that means nothing, from -9 to 9, the same for the same position."""
    return float(crc32(str(state).encode()) % 19 - 9)


# Known values


@pytest.mark.parametrize(
    ("first_state", "value", "num_positions"),
    [
        (TicTacToe(), 0.0, 5_478),
        (Reversi(4), -1.0, 62_789),  # known: White wins 11 to 3
        (Chain(5_000), 0.0, 5_001),  # nothing recurses
    ],
)
def test_small_games_have_their_known_value_and_number_of_positions(
    first_state: State, value: float, num_positions: int
) -> None:
    memo: dict[State, tuple[float, float]] = {}
    assert minimax(first_state, memo) == (value, -value)
    assert len(memo) == num_positions
    if first_state == TicTacToe():
        for state in list(memo)[::20]:
            (value, other) = minimax(state)
            assert memo[state] == (value, other) == (value, -value)
            assert depth_limited_minimax(state, 9).value == WIN * value


def test_the_trees_of_tic_tac_toe_have_their_known_sizes():
    all_nodes = 1 + 9 + 9 * 8 + 9 * 8 * 7 + 9 * 8 * 7 * 6 + 9 * 8 * 7 * 6 * 5
    assert depth_limited_minimax(TicTacToe(), 5).num_nodes == all_nodes
    assert alpha_beta(TicTacToe(), 9) == MinimaxResult(0.0, 0, 18_297)


# Against each other


def positions() -> list[State]:
    """Positions of every game, also where passes are near."""
    rng = np.random.default_rng(10)
    found: list[State] = []
    for first in (TicTacToe(), ConnectFour(4, 5), Reversi(4), Reversi(6), Reversi(8)):
        for _ in range(2):
            line = list(random_game(first, rng))
            found += line[1 :: max(1, len(line) // 4)]
            found += filter(must_pass, line)
    return found


@pytest.mark.parametrize("evaluate", [no_evaluation, noise])
def test_alpha_beta_finds_what_plain_minimax_finds(evaluate):
    fewer = passes = 0
    for state in positions():
        for depth in range(4):
            plain = depth_limited_minimax(state, depth, evaluate)
            found = alpha_beta(state, depth, evaluate)
            assert found[:2] == plain[:2], (state, depth)
            assert found.num_nodes <= plain.num_nodes
            fewer += found.num_nodes < plain.num_nodes
        passes += must_pass(state)
    assert fewer > 30
    assert passes > 1


# What is refused


@both
@pytest.mark.parametrize("value", [WIN, -WIN, math.inf, math.nan])
def test_an_evaluation_like_a_win_is_refused(search, value):
    with pytest.raises(ValueError, match=r"(?s)evaluation returned .* must stay between"):
        search(TicTacToe(), 1, lambda state: value)
