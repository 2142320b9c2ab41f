"""From the visits of a search to the probabilities of a move.

In self-play the moves have to differ from game to game, so they are drawn: with temperature 1 as
often as they were visited, with a lower one ever more surely the most visited.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mctslab.search.result import ChildStatistics


def visit_probabilities(
    children: Sequence[ChildStatistics], temperature: float = 1.0
) -> npt.NDArray[np.float64]:
    """A probability for each of `children`, in proportion to N ** (1 / temperature).

    That power overflows where the temperature is low. So N is taken as a share of the most visits
    first: no power of a number from 0 to 1 is large. At 0 the limit is taken: the most visited
    share everything. A move without a visit has no chance at any temperature.

    Args:
        children: `result.children`, at least one of them with a visit.
        temperature: tau in the papers, 0 or more.

    Raises:
        ValueError: nothing was visited, or `temperature` is negative or not a finite number.

    >>> from mctslab.search.result import ChildStatistics
    >>> children = [ChildStatistics(0, 30, 0.1, 0.5), ChildStatistics(1, 10, 0.2, 0.5)]
    >>> [visit_probabilities(children, tau).round(3).tolist() for tau in (1, 0.5, 0)]
    [[0.75, 0.25], [0.9, 0.1], [1.0, 0.0]]
    """
    if not 0 <= temperature < np.inf:
        raise ValueError(f"temperature={temperature!r} is none: 0 or more, and finite.")
    visits = np.array([child.visit_count for child in children], dtype=np.float64)
    if not visits.any():
        raise ValueError("No move was visited: search with 2 simulations or more.")
    shares = visits / visits.max()
    weights = np.floor(shares) if temperature == 0 else shares ** (1 / temperature)
    probabilities: npt.NDArray[np.float64] = weights / weights.sum()
    return probabilities


def draw_action(
    children: Sequence[ChildStatistics], temperature: float, rng: np.random.Generator
) -> int:
    """An action of one of `children`, drawn with its `visit_probabilities`.

    Raises:
        ValueError: as `visit_probabilities`.
    """
    cumulative = np.cumsum(visit_probabilities(children, temperature))
    place = int(np.searchsorted(cumulative, rng.random() * cumulative[-1], side="right"))
    return children[place].action
