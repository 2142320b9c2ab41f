"""Notebook 02, Monte Carlo: many random games, and how precise their mean is."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mctslab.course.checking.comparing import Near, OneOf, Shares, Tally, Words, same, tally
from mctslab.course.exercise import exercise
from mctslab.course.question import Case
from mctslab.course.tree_game import SPARSE, Place, TreeGame, drawn, forced, turn_of, won_by
from mctslab.games.state import State

# playout


def _playout_cases() -> list[Case]:
    def once(place: Place, expected: tuple[float, float], shown: str) -> Case:
        return Case(lambda: (TreeGame(place), np.random.default_rng(1)), expected, shown)

    def often(place: Place, expected: object, shown: str, use: Callable[..., object]) -> Case:
        return Case(lambda: (TreeGame(place), np.random.default_rng(1)), expected, shown, use)

    fork = turn_of(0, drawn(), turn_of(1, won_by(0), drawn()), won_by(1))
    temptation = turn_of(1, won_by(1), turn_of(0, won_by(0), drawn()))
    return [
        once(won_by(1), (-1.0, 1.0), "a game that is over: the second player has won"),
        once(drawn(), (0.0, 0.0), "a game that is over: a draw"),
        once(turn_of(0, won_by(0)), (1.0, -1.0), "one forced move, and the first player wins"),
        once(
            turn_of(0, turn_of(1, turn_of(0, won_by(1)))),
            (-1.0, 1.0),
            "three forced moves, then the second player has won",
        ),
        once(
            turn_of(1, turn_of(1, won_by(0))),
            (1.0, -1.0),
            "the second player has to move twice, then the first player has won",
        ),
        once(forced(60, won_by(0)), (1.0, -1.0), "sixty forced moves, and the first player wins"),
        Case(
            lambda: (TreeGame(fork, numbers=SPARSE), np.random.default_rng(1)),
            Shares({(0.0, 0.0): 1 / 2, (-1.0, 1.0): 1 / 3, (1.0, -1.0): 1 / 6}),
            "1,200 playouts of a game whose actions are not 0, 1, 2 but 3, 7, 12",
            _many_playouts,
        ),
        often(
            temptation,
            Shares({(-1.0, 1.0): 1 / 2, (1.0, -1.0): 1 / 4, (0.0, 0.0): 1 / 4}),
            "1,200 playouts of a game in which each player has a move that wins, and another one",
            _many_playouts,
        ),
        # A draw by 1/3 + 1/6, a win of the first player by 1/6, of the second by 1/3.
        often(
            fork,
            Shares({(0.0, 0.0): 1 / 2, (-1.0, 1.0): 1 / 3, (1.0, -1.0): 1 / 6}),
            "1,200 playouts of a game with three moves: the first is a draw, the second leaves the "
            "opponent a choice between losing and a draw, the third loses",
            _many_playouts,
        ),
        often(
            fork,
            Words("the same results"),
            "60 playouts, and 60 again with the same seed",
            _playouts_again,
        ),
    ]


def _playout_variation(rng: np.random.Generator) -> Case:
    end = (won_by(0), won_by(1), drawn())[rng.integers(3)]
    length, place = int(rng.integers(1, 150)), end
    for _ in range(length):
        place = turn_of(int(rng.integers(2)), place)
    return Case(
        lambda: (TreeGame(place, (), SPARSE), np.random.default_rng(1)),
        end.returns,
        f"a game of {length} forced moves, each of them action {SPARSE[0]}",
    )


def _many_playouts(function: Callable[..., Any], state: State, rng: np.random.Generator) -> Tally:
    return tally(function(state, rng) for _ in range(1_200))


def _playouts_again(function: Callable[..., Any], state: State, rng: np.random.Generator) -> Words:
    def results() -> list[object]:
        same_rng = np.random.default_rng(7)
        return [function(state, same_rng) for _ in range(60)]

    return Words("the same results" if same(results(), results()) else "other results")


@exercise(cases=_playout_cases, variation=_playout_variation)
def playout(state: State, rng: np.random.Generator) -> tuple[float, float]:
    """Play on at random to the end of the game; the returns, for player 0 and player 1."""
    while not state.is_terminal:
        state = state.child(rng.choice(state.legal_actions()))
    return state.returns()


# estimate


def _estimate_case(results: tuple[int, ...], *expected: tuple[float, float, float]) -> Case:
    shown = f"estimate({list(results)})" if len(results) < 20 else "60 wins, 10 draws, 30 losses"
    choices = OneOf(tuple(Near(numbers, within=5e-4) for numbers in expected))
    return Case(lambda: (list(results),), choices, shown)


def _estimate_cases() -> list[Case]:
    # By hand, for a variance divided by n - 1 and by n. In the third, the squares of the
    # deviations add up to 3 * 0.25 + 2.25 = 3, so the variance is 3 / 3 or 3 / 4, and the interval
    # reaches 1.96 * sqrt(1 / 4) or 1.96 * sqrt(0.75 / 4) to either side.
    return [
        _estimate_case((0, 0), (0.0, 0.0, 0.0)),
        _estimate_case((1, -1), (0.0, -1.96, 1.96), (0.0, -1.38593, 1.38593)),
        _estimate_case((1, -1, 1, 1), (0.5, -0.48, 1.48), (0.5, -0.34870, 1.34870)),
        _estimate_case((-1, 0, 0, -1, 1), (-0.2, -0.93336, 0.53336), (-0.2, -0.85594, 0.45594)),
        _estimate_case(
            (1,) * 60 + (0,) * 10 + (-1,) * 30, (0.3, 0.12271, 0.47729), (0.3, 0.1236, 0.4764)
        ),
    ]


def _estimate_variation(rng: np.random.Generator) -> Case:
    results = tuple(map(int, rng.choice((-1, 0, 1), int(rng.integers(2, 60)))))
    mean = float(np.mean(results))
    margins = (1.96 * math.sqrt(np.var(results) / n) for n in (len(results), len(results) - 1))
    expected = [(mean, mean - margin, mean + margin) for margin in margins]
    return replace(_estimate_case(results, *expected), shown=f"estimate({list(results)})")


@exercise(cases=_estimate_cases, variation=_estimate_variation)
def estimate(results: Sequence[float]) -> tuple[float, np.floating[Any], np.floating[Any]]:
    """The mean of some results, and the two ends of its 95% interval."""
    mean = sum(results) / len(results)
    margin = 1.96 * np.std(results) / math.sqrt(len(results))
    return mean, mean - margin, mean + margin
