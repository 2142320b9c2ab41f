"""An evaluator for Gomoku that knows the threats: priors, and values without rollouts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mctslab.games.gomoku import Gomoku
from mctslab.games.state import State
from mctslab.search.evaluators import Evaluation
from mctslab.search.gomoku_prior import weigh
from mctslab.search.threats import Threats, find_threats

FOUR_THREE: Final = 0.7
"""What a position is worth to the player to move who can make a four and a three at once."""
PER_SQUARE: Final = 0.03
"""By how much one more square to make a four or an open three on raises the guess."""


@dataclass(frozen=True, slots=True)
class ThreatEvaluator:
    """The priors of `gomoku_prior` and the value of `threat_value`."""

    def __call__(self, states: Sequence[State], rng: np.random.Generator) -> Evaluation:
        """Values and priors of `states`; chance has no part in them.

        Raises:
            ValueError: one of them is not of Gomoku.
        """
        values, priors = [], []
        for state in states:
            own = find_threats(state)
            assert isinstance(state, Gomoku)  # or there would be no threats
            opponent = find_threats(state, 1 - state.current_player)
            value = threat_value(own, opponent)
            values.append((value, -value) if state.current_player == 0 else (-value, value))
            weights = weigh(state, own, opponent)
            total = sum(weights)
            priors.append([weight / total for weight in weights])
        return Evaluation(values, priors)


def threat_evaluator() -> ThreatEvaluator:
    """Judge positions of Gomoku by the threats of both players, without any rollout."""
    return ThreatEvaluator()


def threat_value(own: Threats, opponent: Threats) -> float:
    """What a position is worth to the player to move, in [-1, 1], by the threats of both.

    It is 1 or -1 where that is certain: the player to move completes a row; or the opponent has two
    squares that complete one, of which only one can be taken; or else the player to move makes two
    such squares, by a stone that also takes the opponent's, if there is one. The rest is a guess.
    """
    if own.five:
        return 1.0
    if opponent.five.bit_count() > 1:
        return -1.0
    if own.double_four & (opponent.five or own.double_four):
        return 1.0
    if opponent.five:
        return 0.0
    if own.four_three:
        return FOUR_THREE
    return math.tanh(PER_SQUARE * (squares_to_threaten(own) - squares_to_threaten(opponent)))


def squares_to_threaten(threats: Threats) -> int:
    """On how many squares a player could make a four or an open three."""
    return (threats.four | threats.open_three).bit_count()
