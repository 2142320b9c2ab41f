"""Positions of Connect Four on which a player can be measured: some moves keep the outcome."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from mctslab.fast.solver import Solver
from mctslab.games.connect_four import ConnectFour
from mctslab.search.rollouts import uniform

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
