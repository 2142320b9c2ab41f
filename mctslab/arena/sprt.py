"""A sequential test: play until the question is decided, and no longer.

The question: is a player `elo1` stronger than another (the hypothesis H1), or only `elo0` (H0)?
After each pair of games the logarithm of the likelihood ratio of H1 to H0 says how much better one
of them explains what was seen; when it leaves the bounds of Wald (1945), the test is over. Whoever
looks at an ordinary interval after every game, and stops when it no longer holds 0.5, is fooled far
more often than once in 20 matches; this test allows for the looking.

The likelihood is that of the points of a pair of games (0, 1/2, 1, 3/2 or 2) from one opening with
colours swapped. How often each occurs is not known under either hypothesis, so the likeliest
frequencies that have the hypothesis' mean take their place. That is the generalized sequential
probability ratio test (X. Li, J. Liu and Z. Ying, "Generalized Sequential Probability Ratio Test
for Separate Families of Hypotheses", Sequential Analysis 33, 2014); the frequencies are those of
M. Van den Bergh, "Maximum likelihood estimation for multinomial distributions with a given
expectation value", Proposition 1.1, by which the chess engine Stockfish is tested.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from mctslab.score import Interval, expected_score

NEVER_SEEN: Final = 1e-3
"""Counted for an outcome that has not occurred, so that it stays possible under both hypotheses."""

_BISECTIONS: Final = 60


class Decision(StrEnum):
    """How a sequential test ended."""

    H0 = "H0"
    H1 = "H1"


@dataclass(frozen=True, slots=True)
class SPRT:
    """A sequential test of H1, "it is `elo1` stronger", against H0, "it is `elo0` stronger".

    Args:
        elo0: the difference in Elo under H0.
        elo1: the difference in Elo under H1, above `elo0`.
        alpha: how often H1 may be accepted though H0 is true.
        beta: how often H0 may be accepted though H1 is true.

    Raises:
        ValueError: `elo0` is not below `elo1`, or an error rate is not between 0 and 0.5.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -math.inf < self.elo0 < self.elo1 < math.inf:
            raise ValueError(f"elo0={self.elo0!r} has to be below elo1={self.elo1!r}.")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ValueError(f"{name}={rate!r} has to be between 0 and 0.5.")

    @property
    def bounds(self) -> Interval:
        """Between these the test goes on; below it accepts H0, above it H1."""
        low = math.log(self.beta / (1 - self.alpha))
        return Interval(low, math.log((1 - self.beta) / self.alpha))

    def log_likelihood_ratio(self, counts: Sequence[int]) -> float:
        """How much better H1 explains what was seen than H0 does; 0 before the first result.

        Args:
            counts: how often each outcome occurred, from nothing to all points, evenly spaced: of
                single games (losses, draws, wins), of pairs of games those of 0, 1/2, 1, 3/2 and 2
                points.
        """
        if not any(counts):
            return 0.0
        seen = [count or NEVER_SEEN for count in counts]
        outcomes = [place / (len(counts) - 1) for place in range(len(counts))]
        mean0, mean1 = expected_score(self.elo0), expected_score(self.elo1)
        tilt0 = _tilt(seen, outcomes, mean0)
        tilt1 = _tilt(seen, outcomes, mean1)
        return sum(
            count * math.log((1 + tilt0 * (outcome - mean0)) / (1 + tilt1 * (outcome - mean1)))
            for count, outcome in zip(seen, outcomes, strict=True)
        )

    def decide(self, counts: Sequence[int]) -> Decision | None:
        """The hypothesis that `counts` are enough to accept; None: play on."""
        ratio = self.log_likelihood_ratio(counts)
        low, high = self.bounds
        if ratio <= low:
            return Decision.H0
        return Decision.H1 if ratio >= high else None


def _tilt(seen: Sequence[float], outcomes: Sequence[float], mean: float) -> float:
    """The number t for which the frequencies seen / (1 + t (outcome - mean)) have that `mean`.

    They are then the likeliest ones with this mean. The sum below falls as t grows, from infinity
    to minus infinity between the two values at which a frequency would become infinite.
    """
    low, high = -1 / (outcomes[-1] - mean), 1 / (mean - outcomes[0])
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        excess = sum(
            count * (outcome - mean) / (1 + middle * (outcome - mean))
            for count, outcome in zip(seen, outcomes, strict=True)
        )
        if excess > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
