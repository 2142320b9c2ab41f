"""What a player of Gomoku sees without looking ahead, as a prior over the moves.

Every empty square gets a weight: for the best thing that the player to move could make there, for
the best thing that the opponent would make there and that a stone prevents, and for lying near
other stones. So there is one order of preference, and two ways to use it: PUCT takes the weights as
a prior, and the heuristic player takes the square with the highest one.
"""

from typing import Final

import numpy as np

from mctslab.boards.board import square_bits
from mctslab.games.gomoku import Gomoku
from mctslab.games.state import State
from mctslab.search.rollouts import random_item
from mctslab.search.threats import Threats, find_threats, neighbours

TO_MAKE: Final = (
    ("five", 1_000_000.0),
    ("double_four", 10_000.0),
    ("four_three", 3_000.0),
    ("double_three", 300.0),
    ("open_three", 40.0),
    ("four", 20.0),
)
"""The kinds of threat, the best first, and what it weighs to make one."""

TO_PREVENT: Final = (
    ("five", 100_000.0),
    ("double_four", 1_000.0),
    ("four_three", 200.0),
    ("double_three", 100.0),
    ("open_three", 15.0),
    ("four", 5.0),
)
"""The same for what the opponent would make on a square."""

NEAR: Final = 1.0
"""For a neighbour of a stone."""
NOT_FAR: Final = 0.3
"""For a square two steps from a stone."""
FAR: Final = 0.01
"""For any other square."""


def gomoku_prior(state: State) -> list[float]:
    """Weights over `state.legal_actions()`, in that order, each above 0; they need not add up to 1.

    Raises:
        ValueError: this is not Gomoku.

    >>> max(gomoku_prior(Gomoku())) == gomoku_prior(Gomoku())[112]  # the centre comes first
    True
    """
    own = find_threats(state)
    assert isinstance(state, Gomoku)  # or there would be no threats
    return weigh(state, own, find_threats(state, 1 - state.current_player))


def heuristic(state: State, rng: np.random.Generator) -> int:
    """The legal action with the highest weight of `gomoku_prior`; one of them by lot.

    Raises:
        ValueError: this is not Gomoku.
    """
    weights = gomoku_prior(state)
    highest = max(weights)
    actions = zip(state.legal_actions(), weights, strict=True)
    return random_item([action for action, weight in actions if weight == highest], rng)


def weigh(state: Gomoku, own: Threats, opponent: Threats) -> list[float]:
    """The weights of `gomoku_prior`, where the threats of both players are known."""
    weights = [FAR] * state.num_actions
    near = squares_near_stones(state)
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


def squares_near_stones(state: Gomoku) -> int:
    """The stones and their neighbours; on the empty board the middle of it."""
    stones = state.stones_of(0) | state.stones_of(1)
    if stones:
        return stones | neighbours(stones, state.size)
    middle = {(state.size - 1) // 2, state.size // 2}
    return sum(1 << row * state.size + col for row in middle for col in middle)
