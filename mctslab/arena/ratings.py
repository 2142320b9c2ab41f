"""Elo ratings of several players from the games between them.

The model is that of Zermelo (1929) and of Bradley and Terry (1952), on Elo's scale: a player rated
d above the opponent is expected to score 1 / (1 + 10 ** (-d / 400)). The ratings are the most
likely ones, with a draw as half a win and half a loss. They are found by Newton's method: the
likelihood has one maximum.

A player who won every game would be rated infinitely high. Therefore one drawn game is added
between any two who have played each other, as Coulom's program Bayeselo does. It moves the ratings
a little closer together, by less the more games there are; the rating of a player who lost no point
remains a lower bound.

The intervals come from the Fisher information at the maximum. Draws vary less than in the model, so
the intervals are too wide rather than too narrow.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mctslab.score import Z95, Estimate

ELO_PER_LOGIT: Final = 400 / math.log(10)

_NUM_STEPS: Final = 200
_LONGEST_STEP: Final = 2.0
_CLOSE_ENOUGH: Final = 1e-10

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings of several players, with intervals."""

    names: tuple[str, ...]
    _logits: Matrix
    _covariance: Matrix
    _is_connected: bool
    _zero: Matrix
    """[players]: weights whose sum is 1; the weighted mean of the ratings is 0."""

    @property
    def elo(self) -> tuple[Estimate, ...]:
        """Of each player, relative to the mean of all, or to the player who is rated 0."""
        return tuple(self._estimate(own - self._zero) for own in np.eye(len(self.names)))

    def difference(self, first: str, second: str) -> Estimate:
        """The rating of `first` minus that of `second`, from the games of all players."""
        return self._estimate(_only(self.names, first) - _only(self.names, second))

    def ranking(self) -> tuple[tuple[str, Estimate], ...]:
        """The players with their ratings, the highest first."""
        rows = zip(self.names, self.elo, strict=True)
        return tuple(sorted(rows, key=lambda row: -row[1].value))

    def _estimate(self, weights: Matrix) -> Estimate:
        """A weighted sum of ratings in Elo; infinitely wide if players are not connected."""
        value = float(weights @ self._logits) * ELO_PER_LOGIT
        variance = max(float(weights @ self._covariance @ weights), 0.0)
        half = Z95 * math.sqrt(variance) * ELO_PER_LOGIT if self._is_connected else math.inf
        return Estimate(value, value - half, value + half)


def bradley_terry(
    names: Sequence[str],
    points: Sequence[Sequence[float]],
    *,
    zero: str | None = None,
    prior_draws: float = 1.0,
) -> Ratings:
    """The most likely ratings for a table of results.

    Args:
        names: the players.
        points: [players, players]; the points of each row's player against each column's.
        zero: the player who is rated 0; without it, the mean of all.
        prior_draws: the number of drawn games added between any two who have played each other.

    Raises:
        ValueError: the table has another size, or there is no player called `zero`.

    >>> ratings = bradley_terry(("a", "b"), ((0, 75), (25, 0)), prior_draws=0)
    >>> round(ratings.difference("a", "b").value, 1)
    190.8
    """
    table = np.array(points, dtype=np.float64)
    if table.shape != (len(names), len(names)):
        raise ValueError(f"{len(names)} players need a table with one row and one column each.")
    table += prior_draws / 2 * (table + table.T > 0)
    logits, covariance = _most_likely(table)
    # A power of the matrix of who has played whom: reachable through others.
    links = (table + table.T > 0) | np.eye(len(names), dtype=bool)
    is_connected = bool(np.linalg.matrix_power(links, max(len(names), 1)).all())
    mean = np.full(len(names), 1 / max(len(names), 1))
    zeros = mean if zero is None else _only(names, zero)
    return Ratings(tuple(names), logits, covariance, is_connected, zeros)


def _only(names: Sequence[str], name: str) -> Matrix:
    """[players]: 1 for this player, 0 for the others."""
    if name not in names:
        raise ValueError(f"There is no player {name!r}; there are {', '.join(names)}.")
    return np.array([float(each == name) for each in names])


def _most_likely(points: Matrix) -> tuple[Matrix, Matrix]:
    """[players]: ratings on the logistic scale, mean 0, that maximise the likelihood; and
    [players, players]: their covariance, the inverse of the Fisher information there."""
    games = points + points.T
    logits = np.zeros(len(points))
    for _ in range(_NUM_STEPS):
        expected = 1 / (1 + np.exp(logits[np.newaxis, :] - logits[:, np.newaxis]))
        weights = games * expected * (1 - expected)
        # Only differences count, so the information is singular.
        information = np.diag(weights.sum(axis=1)) - weights
        covariance = np.linalg.pinv(information, hermitian=True).astype(np.float64)
        step = covariance @ (points - games * expected).sum(axis=1)
        longest = float(np.abs(step).max(initial=0))
        if longest < _CLOSE_ENOUGH:
            break
        logits += step * min(1.0, _LONGEST_STEP / longest)
    return logits - (logits.mean() if len(logits) else 0.0), covariance
