"""An evaluator's answer for one position, ready to be shown: shares of moves, and who will win."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from mctslab.boards.layers import HeatScale
from mctslab.boards.svg import board_svg
from mctslab.games.state import State
from mctslab.search.evaluators import Evaluator

LEAST_SHARE: Final = 0.005
"""Moves with a smaller share get no colour, because they would hide the board."""
TOP_MOVES: Final = 3


@dataclass(frozen=True, slots=True)
class NetAnswer:
    """Policy and value of a position that is not terminal."""

    state: State
    policy: dict[int, float]
    """For each legal action its share; they sum to 1."""
    value: float
    """For the player to move, in [-1, 1]."""

    @property
    def win_rate_of_first(self) -> float:
        """How often player 0 is expected to win, in [0, 1], whoever is to move."""
        value = self.value if self.state.current_player == 0 else -self.value
        return (1 + value) / 2

    def top(self, number: int = TOP_MOVES) -> list[tuple[int, float]]:
        """The actions with the largest shares, largest first."""
        return sorted(self.policy.items(), key=lambda entry: -entry[1])[:number]

    def heat(self) -> dict[int, float]:
        """The shares of moves by their squares, without negligible ones."""
        found = {}
        for action, share in self.policy.items():
            square = self.state.action_square(action)
            if square is not None and share >= LEAST_SHARE:
                found[square] = share
        return found

    def svg(self, *, square_size: float = 40.0) -> str:
        """The board with the policy on it, as a picture."""
        return board_svg(
            self.state.board(),
            heat=self.heat(),
            heat_scale=HeatScale.AMOUNT,
            legend=False,
            square_size=square_size,
        )


def ask(evaluator: Evaluator, state: State) -> NetAnswer:
    """The answer of `evaluator` for `state`, which is not terminal.

    Raises:
        ValueError: the evaluator raised it, for a board of another size for instance.
    """
    # A net is deterministic; an evaluator that is not gets the same random numbers each time.
    values, priors = evaluator([state], np.random.default_rng(0))
    actions = state.legal_actions()
    shares = [1 / len(actions)] * len(actions) if priors is None else priors[0]
    policy = {action: float(share) for action, share in zip(actions, shares, strict=True)}
    return NetAnswer(state, policy, float(values[0][state.current_player]))
