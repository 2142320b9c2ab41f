"""Uniformly random play, compared with shares that independent programs measured.

Their figures rest on 10 to 200 million games, so what differs is our sample's error: with 99.9 % of
all seeds a right implementation passes each comparison, and with these seeds it does.
"""

from functools import cache
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

import numpy as np
import pytest

from mctslab import games
from mctslab.games import State
from tests.games.playing import name_of, random_game

Z = NormalDist().inv_cdf(1 - 0.001 / 2)
OUTCOMES = [(1, -1), (-1, 1), (0, 0)]

# First player, second player, draw.
SHARES = [
    (games.TicTacToe(), (737 / 1260, 121 / 420, 8 / 63)),
    (games.ConnectFour(), (0.5557, 0.4417, 0.0026)),
    (games.Reversi(), (0.4539, 0.5044, 0.0417)),
    (games.Gomoku(), (0.5097, 0.4903, 0.0)),
    (games.Gomoku(size=9), (0.5192, 0.4779, 0.0029)),
    (games.Gomoku(size=6, in_a_row=4), (0.5374, 0.4571, 0.0055)),
]


class RandomGame(NamedTuple):
    last: State
    num_plies: int
    num_passes: int


@cache
def random_games(first_state: State) -> list[RandomGame]:
    """Many random games, more of them where they are short."""
    rng = np.random.default_rng(2026)
    played = []
    for _ in range(min(200_000 // first_state.num_actions, 5_000)):
        states = list(random_game(first_state, rng))
        num_passes = sum(state.last_action == 64 for state in states)  # of Reversi on 8 x 8
        played.append(RandomGame(states[-1], len(states) - 1, num_passes))
    return played


@pytest.mark.parametrize(
    ("first_state", "expected"), SHARES, ids=[name_of(state) for state, _ in SHARES]
)
def test_shares_of_random_play(first_state, expected):
    results = [game.last.returns() for game in random_games(first_state)]
    for outcome, share in zip(OUTCOMES, expected, strict=True):
        low, high = interval(share, len(results))
        assert low <= results.count(outcome) / len(results) <= high


def interval(share: float, num_games: int) -> tuple[float, float]:
    """Wilson's interval around the share that is expected, for a sample of `num_games`."""
    centre = (share + Z**2 / (2 * num_games)) / (1 + Z**2 / num_games)
    half = Z * (share * (1 - share) / num_games + Z**2 / (4 * num_games**2)) ** 0.5
    half /= 1 + Z**2 / num_games
    return centre - half, centre + half


@pytest.mark.parametrize(
    ("first_state", "mean_plies"),
    [(games.ConnectFour(), 21.31), (games.Gomoku(), 109.05)],
    ids=["connect_four", "gomoku"],
)
def test_length_of_random_games(first_state, mean_plies):
    assert_mean([game.num_plies for game in random_games(first_state)], mean_plies)


def test_passes_and_discs_of_random_reversi():
    played = random_games(games.Reversi())
    discs = [game.last.disc_counts() for game in played]
    assert_mean([game.num_passes for game in played], 0.446)
    assert_mean([first - second for first, second in discs], -0.88)


def assert_mean(sample: list[int], expected: float) -> None:
    assert abs(fmean(sample) - expected) <= Z * stdev(sample) / len(sample) ** 0.5
