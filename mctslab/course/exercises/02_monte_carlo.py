"""Notebook 02, Monte Carlo: many random games, and how precise their mean is."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mctslab.course.checking.comparing import Near, OneOf, Shares, Tally, tally
from mctslab.course.exercise import exercise
from mctslab.course.question import Case
from mctslab.course.tree_game import (
    SPARSE,
    Place,
    TreeGame,
    chain_at_random,
    drawn,
    outlined,
    turn_of,
    won_by,
)
from mctslab.games.state import State

# playout


def _playout_case(
    place: Place, expected: object, shown: str, use: Callable[..., object] | None = None
) -> Case:
    def arguments() -> tuple[State, np.random.Generator]:
        return TreeGame(place, (), SPARSE), np.random.default_rng(1)

    return Case(arguments, expected, shown, use)


def _many_playouts(function: Callable[..., Any], state: State, rng: np.random.Generator) -> Tally:
    return tally(function(state, rng) for _ in range(1_200))


def _playout_cases() -> list[Case]:
    fork = turn_of(0, drawn(), turn_of(1, won_by(0), drawn()), won_by(1))
    temptation = turn_of(1, won_by(1), turn_of(0, won_by(0), drawn()))
    return [
        _playout_case(won_by(1), (-1.0, 1.0), "a game that is over: the second player has won"),
        _playout_case(
            turn_of(1, turn_of(1, won_by(0))),
            (1.0, -1.0),
            "the second player has to move twice, then the first player has won",
        ),
        _playout_case(
            temptation,
            Shares({(-1.0, 1.0): 1 / 2, (1.0, -1.0): 1 / 4, (0.0, 0.0): 1 / 4}),
            f"1,200 playouts; each player has a move that wins\n{outlined(temptation)}",
            _many_playouts,
        ),
        # A draw by 1/3 + 1/6, a win of the first player by 1/6, of the second by 1/3.
        _playout_case(
            fork,
            Shares({(0.0, 0.0): 1 / 2, (-1.0, 1.0): 1 / 3, (1.0, -1.0): 1 / 6}),
            f"1,200 playouts of a game with three moves\n{outlined(fork)}",
            _many_playouts,
        ),
    ]


def _playout_variation(rng: np.random.Generator) -> Case:
    place = chain_at_random(rng)
    end = place
    while end.options:
        [end] = end.options
    return _playout_case(place, end.returns, f"a game of forced moves\n{outlined(place)}")


@exercise(cases=_playout_cases, variation=_playout_variation)
def playout(state: State, rng: np.random.Generator) -> tuple[float, float]:
    """Play on at random to the end of the game; the returns, for player 0 and player 1."""
    while not state.is_terminal:
        state = state.child(rng.choice(state.legal_actions()))
    return state.returns()


# estimate


def _estimate_case(results: tuple[int, ...], *expected: tuple[float, float, float]) -> Case:
    choices = OneOf(tuple(Near(numbers, within=5e-4) for numbers in expected))
    return Case(lambda: (list(results),), choices, f"estimate({list(results)})")


def _estimate_cases() -> list[Case]:
    # By hand, for a variance divided by n - 1 and by n. In the third, the squares of the
    # deviations add up to 3 * 0.25 + 2.25 = 3, so the variance is 3 / 3 or 3 / 4, and the interval
    # reaches 1.96 * sqrt(1 / 4) or 1.96 * sqrt(0.75 / 4) to either side.
    return [
        _estimate_case((0, 0), (0.0, 0.0, 0.0)),
        _estimate_case((1, -1), (0.0, -1.96, 1.96), (0.0, -1.38593, 1.38593)),
        _estimate_case((1, -1, 1, 1), (0.5, -0.48, 1.48), (0.5, -0.34870, 1.34870)),
    ]


def _estimate_variation(rng: np.random.Generator) -> Case:
    results = tuple(map(int, rng.choice((-1, 0, 1), int(rng.integers(2, 60)))))
    mean = float(np.mean(results))
    margins = (1.96 * math.sqrt(np.var(results) / n) for n in (len(results), len(results) - 1))
    expected = [(mean, mean - margin, mean + margin) for margin in margins]
    return _estimate_case(results, *expected)


@exercise(cases=_estimate_cases, variation=_estimate_variation)
def estimate(results: Sequence[float]) -> tuple[float, np.floating[Any], np.floating[Any]]:
    """The mean of some results, and the two ends of its 95% interval."""
    mean = sum(results) / len(results)
    margin = 1.96 * np.std(results) / math.sqrt(len(results))
    return mean, mean - margin, mean + margin
