"""An evaluator whose answers are known beforehand."""

import zlib

import numpy as np

from mctslab.games import State
from mctslab.search import Evaluation


class Judge:
    """Gives every position a value and priors of its own, the same whenever it is asked.

    The values are multiples of 1/64, so that sums of them are exact, and those of the two players
    have nothing to do with each other. Some priors are 0.
    """

    def __init__(self, seed: int = 0, *, is_uniform: bool = False) -> None:
        self.seed = seed
        self.is_uniform = is_uniform
        self.batches: list[list[State]] = []

    def __call__(self, states, rng):
        self.batches.append(list(states))
        values = [self.value(state) for state in states]
        return Evaluation(
            values, None if self.is_uniform else [self.priors(state) for state in states]
        )

    def _chance(self, state):
        # Not by hash(state), which another run of Python may give another value.
        place = getattr(state, "path", ()), getattr(state, "left", 0), state.board().stones
        seen = repr((place, state.current_player, state.legal_actions()))
        return np.random.default_rng([self.seed, zlib.crc32(seen.encode())])

    def value(self, state):
        """What `state` is worth to player 0 and to player 1."""
        first, second = self._chance(state).integers(-64, 65, size=2)
        return float(first) / 64, float(second) / 64

    def priors(self, state):
        """A probability for each legal action."""
        number = len(state.legal_actions())
        if self.is_uniform:
            return [1 / number] * number
        weights = self._chance(state).integers(0, 6, size=2 + number)[2:].astype(float)
        weights[int(self._chance(state).integers(number))] += 1
        return [float(weight / weights.sum()) for weight in weights]
