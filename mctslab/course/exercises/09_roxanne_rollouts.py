"""Notebook 09: a fair match and its score, how many games it takes, how estimates go wrong."""

import math
import statistics
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from mctslab.course.checking.cases import FROM_MODEL, Case, Near, OneOf, case
from mctslab.course.exercise import exercise
from mctslab.course.tree_game import game_of, outlined, place_at_random
from mctslab.course.valued_games import leftmost, rightmost
from mctslab.games.state import State

# fair_match

Player: TypeAlias = Callable[[State, np.random.Generator], int]


def at_random(state: State, rng: np.random.Generator) -> int:
    """A player whose moves depend on the random numbers that it is given."""
    legal_actions = state.legal_actions()
    return legal_actions[int(rng.random() * len(legal_actions))]


def _match_variation(rng: np.random.Generator) -> Case:
    place = place_at_random(rng, int(rng.integers(1, 5)))
    one, other = ((leftmost, rightmost, at_random, at_random)[rng.integers(4)] for _ in range(2))
    num_games, seed = int(rng.integers(1, 12)), int(rng.integers(1_000))
    call = f"fair_match(start, {one.__name__}, {other.__name__}, {num_games}, rng)"
    return Case(
        lambda: (game_of(place), one, other, num_games, np.random.default_rng(seed)),
        shown=f"{call}: `leftmost` plays the first legal move,\n"
        f"`rightmost` the last one and `at_random` any. The game is\n{outlined(place)}",
    )


@exercise(variation=_match_variation, points=2)
def fair_match(
    start: State, one: Player, other: Player, num_games: int, rng: np.random.Generator
) -> tuple[int, int, int]:
    """How many games `one` wins, draws and loses against `other`, all of them begun at `start`.

    A player is a function of a position and `rng` that returns a legal action. `one` is player 0 in
    the first game, player 1 in the second, and so on.
    """
    wins = draws = losses = 0
    for number in range(num_games):
        side = number % 2
        players = [one, other] if side == 0 else [other, one]
        state = start
        while not state.is_terminal:
            action = players[state.current_player](state, rng)
            state = state.child(action)
        result = state.returns()[side]
        wins += result > 0
        draws += result == 0
        losses += result < 0
    return wins, draws, losses


# match_score


def _score_variation(rng: np.random.Generator) -> Case:
    wins, draws, losses = map(int, rng.integers(0, 60, 3))
    return case(wins, draws, losses + 1, expected=Near(FROM_MODEL, within=4e-4))


@exercise(variation=_score_variation, points=2)
def match_score(wins: int, draws: int, losses: int) -> tuple[float, float, float]:
    """The score of a match, where a draw is half a point, and the ends of its Wilson interval.

    The interval is that for 95%, with z = 1.96.
    """
    k, n, z = wins + draws / 2, wins + draws + losses, 1.96
    middle = (k + z**2 / 2) / (n + z**2)
    margin = z / (n + z**2) * math.sqrt(k * (n - k) / n + z**2 / 4)
    return k / n, middle - margin, middle + margin


# games_needed


def _needed_cases() -> list[Case]:
    # By hand: 1.96² = 3.8416; at a score of one half, 3.8416 / 4 = 0.9604 games over half_width².
    return [
        case(0.1, 0.5, expected=97),  # 0.9604 / 0.01 = 96.04
        case(0.245, 0.5, expected=16),  # 0.9604 / 0.060025, a whole number
        case(0.99, 0.5, expected=1),
    ]


def _needed_variation(rng: np.random.Generator) -> Case:
    half_width, score = float(rng.uniform(0.01, 0.3)), float(rng.uniform(0.05, 0.95))
    exact = 1.96**2 * score * (1 - score) / half_width**2
    choices = {math.ceil(exact), math.ceil(exact * (1.959964 / 1.96) ** 2)}  # of either 1.96
    return case(half_width, score, expected=OneOf(tuple(choices)))


@exercise(cases=_needed_cases, variation=_needed_variation)
def games_needed(half_width: float, score: float = 0.5) -> int:
    """The smallest number of games after which a score near `score` is known to within
    `half_width`, by the simple 95% interval and if no game is drawn."""
    variance = score * (1 - score)
    return math.ceil(1.96**2 * variance / half_width**2)


# bias_and_variance

Playouts = Sequence[Sequence[float]]
Pair = tuple[float, float]


def _parts_variation(rng: np.random.Generator) -> Case:
    """A case with what is expected for a variance that was divided by n, and by n - 1."""
    playouts = [
        tuple(map(int, rng.choice((-1, 0, 1), rng.integers(2, 12))))
        for _ in range(rng.integers(1, 5))
    ]
    exact = [float(each) for each in rng.choice((-1, 0, 1), len(playouts))]
    means = [sum(results) / len(results) for results in playouts]
    bias = sum((mean - value) ** 2 for mean, value in zip(means, exact, strict=True)) / len(exact)
    variances = [
        [statistics.pvariance(results) for results in playouts],
        [statistics.variance(results) for results in playouts],
    ]
    expected = [(bias, statistics.mean(each)) for each in variances]

    def arguments() -> tuple[list[list[float]], list[float]]:
        return [list(results) for results in playouts], list(exact)

    shown = f"bias_and_variance({[list(results) for results in playouts]}, {list(exact)})"
    return Case(arguments, OneOf(tuple(expected)), shown)


@exercise(variation=_parts_variation, points=2)
def bias_and_variance(playouts: Playouts, exact: Sequence[float]) -> tuple[float, float]:
    """The squared bias of a move's mean, and the variance of one result, averaged over the moves.

    `playouts` has a list for each move, the results of its rollouts, and `exact` has the move's
    true value.
    """
    biases = []
    variances = []
    for results, value in zip(playouts, exact, strict=True):
        biases.append(np.mean(results) - value)
        variances.append(np.var(results))
    return float(np.mean(np.square(biases))), float(np.mean(variances))
