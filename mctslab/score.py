"""The score of a match, its interval, and the Elo difference that follows from it.

A score is the share of all points: a win is one point, a draw half a point.

The interval is Wilson's (1927) for a share of successes, with half a success for a draw. With draws
this is wider than necessary: among all numbers between 0 and 1 with a given mean, those that are
only 0 or 1 vary the most. It also assumes independent games. Two games from one opening with
colours swapped are not, but the advantage of that opening cancels within the pair, which again
makes the true interval narrower.
"""

import math
from typing import Final, NamedTuple

Z95: Final = 1.959963984540054
"""The normal distribution has 95% of its weight between -Z95 and Z95."""


class Interval(NamedTuple):
    """The two ends of a 95% confidence interval."""

    low: float
    high: float


class Estimate(NamedTuple):
    """A measured number, and the two ends of its 95% confidence interval."""

    value: float
    low: float
    high: float


def wilson(successes: float, number: int) -> Interval:
    """Wilson's 95% interval for a share of `successes` in `number` tries; (0, 1) without a try.

    Args:
        successes: from 0 to `number`; a draw counts one half.
        number: the number of tries, 0 or more.

    Raises:
        ValueError: `successes` is out of this range.

    >>> low, high = wilson(15, 20)
    >>> f"{low:.4f} {high:.4f}"
    '0.5313 0.8881'
    """
    if not 0 <= successes <= number:
        raise ValueError(f"successes={successes!r} must be from 0 to number={number!r}.")
    if number == 0:
        return Interval(0.0, 1.0)
    total = number + Z95**2
    centre = (successes + Z95**2 / 2) / total
    half = Z95 / total * math.sqrt(successes * (number - successes) / number + Z95**2 / 4)
    # Ends that are known are exact, without a rounding error.
    low = 0.0 if successes == 0 else centre - half
    high = 1.0 if successes == number else centre + half
    return Interval(low, high)


def elo_difference(score: float) -> float:
    """The Elo rating of a player with this expected score, above the opponent's.

    400 * log10(score / (1 - score)), infinite if one side gets every point (Elo, 1978, in the
    logistic form that is usual now).

    >>> round(elo_difference(0.75), 1)
    190.8
    """
    if not 0 <= score <= 1:
        raise ValueError(f"score={score!r} must be from 0 to 1.")
    if score in (0, 1):
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


class Score(NamedTuple):
    """Wins, draws and losses of one side."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def num_games(self) -> int:
        """The number of games played."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """One for a win, one half for a draw."""
        return self.wins + self.draws / 2

    @property
    def rate(self) -> Estimate:
        """Points a game, from 0 to 1, with Wilson's interval; 0.5 before the first game."""
        number = self.num_games
        return Estimate(self.points / number if number else 0.5, *wilson(self.points, number))

    @property
    def elo(self) -> Estimate:
        """The difference in Elo to the opponent, with the interval of the score turned into Elo.

        Its ends are infinite if those of the score are 0 or 1.
        """
        rate = self.rate
        return Estimate(*(elo_difference(end) for end in (rate.value, rate.low, rate.high)))

    def __add__(self, other: "Score") -> "Score":  # type: ignore[override]
        """Of both games together; a tuple would be appended."""
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def __str__(self) -> str:
        return f"+{self.wins} ={self.draws} -{self.losses}"
