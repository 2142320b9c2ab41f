"""Positions of random games on which a player can be measured against a perfect one.

Of Connect Four those where some moves keep the outcome and others don't, and endgames of Reversi.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from mctslab.fast.solver import Solver
from mctslab.games.connect_four import ConnectFour
from mctslab.games.reversi import Reversi
from mctslab.search.evaluators import RolloutPolicy, uniform

PLIES: Final = range(12, 28)


class SolvedPosition(NamedTuple):
    """A position, and what a perfect player knows of it."""

    state: ConnectFour
    verdicts: Mapping[int, int]
    """For each legal action 1, 0 or -1: a win, a draw or a loss for the player who takes it."""

    @property
    def outcome_keeping(self) -> frozenset[int]:
        """The actions after which the outcome is the best that there is."""
        best = max(self.verdicts.values())
        return frozenset(action for action, verdict in self.verdicts.items() if verdict == best)

    @property
    def matters(self) -> bool:
        """Whether a wrong move would change the outcome, and a right one is there."""
        return len(self.outcome_keeping) < len(self.verdicts)


def positions_where_it_matters(
    num: int, rng: np.random.Generator, plies: Sequence[int] = PLIES
) -> list[SolvedPosition]:
    """Positions of random games in which one legal move is better than another.

    Args:
        num: how many.
        rng: decides the games, and after how many plies each is looked at.
        plies: the numbers of plies to draw from, all equally likely; a game that ends before, and
            a position where all moves are worth the same, is thrown away.

    Raises:
        ValueError: `num` is below 0, or `plies` holds none at which a game can go on.
    """
    if num < 0:
        raise ValueError(f"num={num!r} is not possible: it has to be a whole number, 0 or more.")
    if not plies or not all(0 <= ply < 42 for ply in plies):
        raise ValueError(f"plies={plies!r} is not possible: it has to hold numbers from 0 to 41.")
    solver = Solver()
    found: list[SolvedPosition] = []
    while len(found) < num:
        state = random_position(plies[int(rng.random() * len(plies))], rng)
        solved = SolvedPosition(state, solver.solve_moves(state))
        if solved.matters:
            found.append(solved)
    return found


def random_position(ply: int, rng: np.random.Generator) -> ConnectFour:
    """A position after `ply` random moves where the game goes on, by trying until there is one."""
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
    """A position of a random game of Reversi with `num_empty` squares left, where it goes on.

    Whoever is to move may have to pass. Games that end before are thrown away, and others played
    until there is one.

    Args:
        num_empty: how many squares are empty, from 1 to those of the first position.
        rng: the source of chance.
        size: squares on a side of the board.
        policy: plays the games; any legal action, all equally likely, unless you say otherwise.

    Raises:
        ValueError: there are never so many empty squares, or no board has this size.
    """
    first = Reversi(size)
    if not 0 < num_empty <= _num_empty(first):
        raise ValueError(
            f"num_empty={num_empty!r} is not possible: on a board of {size} x {size} it has to be "
            f"a number from 1 to {_num_empty(first)}."
        )
    while True:
        state = first
        while not state.is_terminal and _num_empty(state) > num_empty:
            state = state.child(policy(state, rng))
        if not state.is_terminal:
            return state


def _num_empty(state: Reversi) -> int:
    return state.pass_action - sum(state.disc_counts())
