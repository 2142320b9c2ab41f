"""What a search knows of the moves, as numbers on the squares where they would put a stone."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from mctslab.games.state import State
from mctslab.search.result import ChildStatistics, SearchResult
from mctslab.search.solving import WIN

MOST_HOT_SQUARES: Final = 30
"""More would hide the board, and early in a search nearly all moves have as many visits."""

LEAST_PRIOR: Final = 0.05
"""Priors below this share of the largest are not shown."""


class Heat(StrEnum):
    """What the board shows of a search."""

    VISITS = "visits"
    PRIORS = "priors"
    VALUES = "values"
    NOTHING = "nothing"


def hot_squares(state: State, result: SearchResult, heat: Heat) -> dict[int, float]:
    """The numbers of the moves that matter most in a search of `state`, by their squares.

    Visits are counts, priors shares; a value is the win rate (1 + Q) / 2 of the player to move, of
    moves that were visited. It is what is proven where that is known, visited or not.
    """
    if heat is Heat.NOTHING:
        return {}
    numbers = {Heat.VISITS: _visits, Heat.PRIORS: _prior, Heat.VALUES: _win_rate}
    shown = _not_tiny(result.children) if heat is Heat.PRIORS else _most_visited(result.children)
    squares = {}
    for child in shown:
        square = state.action_square(child.action)
        number = numbers[heat](child)
        if square is not None and number is not None:
            squares[square] = number
    return squares


def tells_priors(children: Sequence[ChildStatistics]) -> bool:
    """Whether the priors are not all the same."""
    priors = [child.prior for child in children]
    return max(priors, default=0.0) > min(priors, default=0.0)


def _most_visited(children: Sequence[ChildStatistics]) -> list[ChildStatistics]:
    """Those with the most visits; a proven win, which may need none, before all others."""
    by_visits = sorted(children, key=_visits, reverse=True)
    return sorted(by_visits, key=lambda child: child.proven != WIN)[:MOST_HOT_SQUARES]


def _not_tiny(children: Sequence[ChildStatistics]) -> list[ChildStatistics]:
    """Nothing where all priors are the same: they don't favour any move."""
    if not tells_priors(children):
        return []
    least = LEAST_PRIOR * max(map(_prior, children))
    return [child for child in children if child.prior >= least]


def _visits(child: ChildStatistics) -> float:
    return float(child.visit_count)


def _prior(child: ChildStatistics) -> float:
    return child.prior


def _win_rate(child: ChildStatistics) -> float | None:
    if child.proven is not None:
        return (1 + child.proven) / 2
    return (1 + child.mean_value) / 2 if child.visit_count else None
