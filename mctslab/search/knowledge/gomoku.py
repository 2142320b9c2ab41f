"""Gomoku without looking ahead: priors, values and a policy from threats.

Every empty square gets a weight. It depends on the best threat that the player to move could make
there, on the best threat of the opponent that a stone there prevents, and on the distance to other
stones. PUCT uses the weights as a prior, and the heuristic player plays on the square with the
highest weight.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mctslab.boards.board import square_bits
from mctslab.games.gomoku import Gomoku
from mctslab.games.state import State
from mctslab.search.evaluators import Evaluation, for_both, random_item
from mctslab.search.knowledge.threats import Threats, find_threats, neighbours

TO_MAKE: Final = (
    ("five", 1_000_000.0),
    ("double_four", 10_000.0),
    ("four_three", 3_000.0),
    ("double_three", 300.0),
    ("open_three", 40.0),
    ("four", 20.0),
)
"""The kinds of threat, best first, each with the weight of a square where one can be made."""

TO_PREVENT: Final = (
    ("five", 100_000.0),
    ("double_four", 1_000.0),
    ("four_three", 200.0),
    ("double_three", 100.0),
    ("open_three", 15.0),
    ("four", 5.0),
)
"""The same for the threats that the opponent could make on a square."""

NEAR: Final = 1.0
"""The weight of a neighbour of a stone."""
NOT_FAR: Final = 0.3
"""The weight of a square two steps from a stone."""
FAR: Final = 0.01
"""The weight of any other square."""

FOUR_THREE: Final = 0.7
"""The value of a position for the player to move who can make a four and a three at once."""
PER_SQUARE: Final = 0.03
"""How much each square where a four or an open three can be made adds to the estimate."""


def gomoku_prior(state: State) -> list[float]:
    """Weights over `state.legal_actions()`, in that order, each above 0; their sum is not always 1.

    Raises:
        ValueError: this is not Gomoku.

    >>> max(gomoku_prior(Gomoku())) == gomoku_prior(Gomoku())[112]  # the centre is the best
    True
    """
    return _weigh(state, *_threats_of_both(state))


def heuristic(state: State, rng: np.random.Generator) -> int:
    """The legal action with the highest weight of `gomoku_prior`; ties are broken at random.

    Raises:
        ValueError: this is not Gomoku.
    """
    weights = gomoku_prior(state)
    highest = max(weights)
    actions = zip(state.legal_actions(), weights, strict=True)
    return random_item([action for action, weight in actions if weight == highest], rng)


def _threats_of_both(state: State) -> tuple[Threats, Threats]:
    """Those of the player to move and of the opponent."""
    return find_threats(state), find_threats(state, 1 - state.current_player)


def _weigh(state: State, own: Threats, opponent: Threats) -> list[float]:
    """The weights of `gomoku_prior`, from the threats of both players."""
    assert isinstance(state, Gomoku)  # otherwise find_threats would have raised an error
    weights = [FAR] * state.num_actions
    near = _squares_near_stones(state)
    for square in square_bits(near | neighbours(near, state.size)):
        weights[square] = NEAR if near >> square & 1 else NOT_FAR
    for threats, kinds in ((own, TO_MAKE), (opponent, TO_PREVENT)):
        weighed = 0
        for kind, weight in kinds:
            squares = getattr(threats, kind) & ~weighed
            weighed |= squares
            for square in square_bits(squares):
                weights[square] += weight
    return [weights[action] for action in state.legal_actions()]


def _squares_near_stones(state: Gomoku) -> int:
    """The stones and their neighbours; on the empty board the squares in the middle."""
    stones = state.stones_of(0) | state.stones_of(1)
    if stones:
        return stones | neighbours(stones, state.size)
    middle = {(state.size - 1) // 2, state.size // 2}
    return sum(1 << row * state.size + col for row in middle for col in middle)


@dataclass(frozen=True, slots=True)
class ThreatEvaluator:
    """Evaluates positions of Gomoku by `gomoku_prior` and `threat_value`, without rollouts."""

    def __call__(self, states: Sequence[State], rng: np.random.Generator) -> Evaluation:
        """Values and priors of `states`, without any randomness.

        Raises:
            ValueError: one of them is not of Gomoku.
        """
        values, priors = [], []
        for state in states:
            own, opponent = _threats_of_both(state)
            value = threat_value(own, opponent)
            values.append(for_both(value, state.current_player))
            weights = _weigh(state, own, opponent)
            total = sum(weights)
            priors.append([weight / total for weight in weights])
        return Evaluation(values, priors)


threat_evaluator = ThreatEvaluator


def threat_value(own: Threats, opponent: Threats) -> float:
    """The value of a position for the player to move, in [-1, 1], from the threats of both players.

    It is 1 or -1 where that is certain: the player to move completes a row; or the opponent has two
    squares that complete one, and only one of them can be taken; or the player to move makes two
    such squares with a stone that also takes the opponent's, if there is one. Anything else is an
    estimate.
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
    return math.tanh(PER_SQUARE * (_num_threatening(own) - _num_threatening(opponent)))


def _num_threatening(threats: Threats) -> int:
    """The number of squares on which a player could make a four or an open three."""
    return (threats.four | threats.open_three).bit_count()
