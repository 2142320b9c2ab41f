"""Positions of random games: of Connect Four, and endgames of Reversi."""

import numpy as np

from mctslab.games.connect_four import ConnectFour
from mctslab.games.reversi import Reversi
from mctslab.search.evaluators import RolloutPolicy, uniform


def random_position(ply: int, rng: np.random.Generator) -> ConnectFour:
    """A position after `ply` random moves in which the game is not over."""
    while True:
        state = ConnectFour()
        for _ in range(ply):
            if not state.is_terminal:
                state = state.child(uniform(state, rng))
        if not state.is_terminal:
            return state


def random_endgame(
    num_empty: int, rng: np.random.Generator, size: int = 8, policy: RolloutPolicy = uniform
) -> Reversi:
    """A position of a random game of Reversi with `num_empty` empty squares, not the end of it."""
    while True:
        state = Reversi(size)
        while not state.is_terminal and number_of_empty(state) > num_empty:
            state = state.child(policy(state, rng))
        if not state.is_terminal:
            return state


def number_of_empty(state: Reversi) -> int:
    """How many squares have no disc."""
    return state.pass_action - sum(state.disc_counts())
