"""A sequential test: play until the question is decided, and no longer.

The question is whether a player is `elo1` stronger than another (the hypothesis H1), or only `elo0`
(H0). After each pair of games the logarithm of the likelihood ratio of H1 to H0 measures how much
better one of them explains the results; when it leaves the bounds of Wald (1945), the test is over.
If you looked at an ordinary interval after every game, and stopped when it no longer contained 0.5,
you would be wrong far more often than once in 20 matches; this test takes the repeated looking into
account.

The likelihood is that of the points of a pair of games (0, 1/2, 1, 3/2 or 2) from one opening with
colours swapped. How often each occurs is not known under either hypothesis, so the most likely
frequencies with the hypothesis' mean are used instead. That is the generalized sequential
probability ratio test (X. Li, J. Liu and Z. Ying, "Generalized Sequential Probability Ratio Test
for Separate Families of Hypotheses", Sequential Analysis 33, 2014); the frequencies are those of M.
Van den Bergh, "Maximum likelihood estimation for multinomial distributions with a given expectation
value", Proposition 1.1, as used to test the chess engine Stockfish.
"""

import functools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

from mctslab.arena.game import PlayedGame
from mctslab.score import Interval, expected_score
from mctslab.typed import Finite, Meta, check

NEVER_SEEN: Final = 1e-3
"""The count of an outcome that has not occurred: it stays possible under both hypotheses."""

_BISECTIONS: Final = 60

ErrorRate = Annotated[float, Meta(gt=0, le=0.49)]


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
        alpha: the largest probability of accepting H1 although H0 is true.
        beta: the largest probability of accepting H0 although H1 is true.

    Raises:
        ValueError: `elo0` is not below `elo1`, or an error rate is out of range.
    """

    elo0: Finite
    elo1: Finite
    alpha: ErrorRate = 0.05
    beta: ErrorRate = 0.05

    def __post_init__(self) -> None:
        check(self)
        if self.elo0 >= self.elo1:
            raise ValueError(f"elo0 = {self.elo0!r} must be below elo1 = {self.elo1!r}.")

    @property
    def bounds(self) -> Interval:
        """Between these bounds the test goes on; below them it accepts H0, above them H1."""
        low = math.log(self.beta / (1 - self.alpha))
        return Interval(low, math.log((1 - self.beta) / self.alpha))

    def log_likelihood_ratio(self, counts: Sequence[int]) -> float:
        """How much better H1 explains the results than H0 does; 0 before the first result.

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

    They are then the most likely ones with this mean. The sum below falls as t grows, from infinity
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


def games_that_count(
    games: Iterable[PlayedGame], name: str, sprt: SPRT | None
) -> tuple[tuple[PlayedGame, ...], Decision | None]:
    """The games in the order of their pairings and numbers, up to the decision of a match's test.

    Games can be given in any order, and games after the decision don't count. So the result depends
    neither on which game ended first nor on how many processes played.

    Args:
        games: those that are finished.
        name: the player whose points are counted.
        sprt: the test; with None all games count, and nothing is decided.
    """
    in_order = tuple(sorted(games, key=lambda game: (game.pairing, game.number)))
    if sprt is None:
        return in_order, None
    counts = [0] * 5
    for number in range(0, len(in_order) - 1, 2):
        if (number, number + 1) != (in_order[number].number, in_order[number + 1].number):
            break  # a game before these is still being played
        counts[round(2 * sum(game.points(name) for game in in_order[number : number + 2]))] += 1
        if (decision := _decision(sprt, tuple(counts))) is not None:
            return in_order[: number + 2], decision
    return in_order, None


@functools.cache  # while a match is played, the same counts are looked at after every game
def _decision(sprt: SPRT, counts: tuple[int, ...]) -> Decision | None:
    return sprt.decide(counts)
