"""Notebook 02, Monte Carlo: many random games, how precise their mean is, and what it misses."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

import numpy as np

from mctslab import search
from mctslab.course.checking.cases import (
    FROM_MODEL,
    Case,
    Function,
    Near,
    OneOf,
    Shares,
    Tally,
    tally,
)
from mctslab.course.exercise import exercise
from mctslab.course.memos import false_memo, many_transpositions
from mctslab.course.tree_game import (
    Place,
    TreeGame,
    chain_at_random,
    drawn,
    game_of,
    outlined,
    place_at_random,
    turn_of,
    won_by,
)
from mctslab.games.state import State

# playout


def _playout_case(place: Place, shares: Shares | None = None) -> Case:
    """One playout, or with shares of the results many of them."""
    return Case(
        lambda: (game_of(place), np.random.default_rng(1)),
        shares or FROM_MODEL,
        f"{'500 playouts' if shares else 'playout(state, rng)'} of this game\n{outlined(place)}",
        _many_playouts if shares else None,
        about=_CHOICE if shares else "",
    )


def _many_playouts(function: Callable[..., Any], state: State, rng: np.random.Generator) -> Tally:
    return tally(function(state, rng) for _ in range(500))


_CHOICE: Final = (
    "There is a choice of moves here: every legal action has the same chance, and each "
    "playout draws again."
)


def _playout_cases() -> list[Case]:
    fork = turn_of(0, drawn(), turn_of(1, won_by(0), drawn()), won_by(1))
    temptation = turn_of(1, won_by(1), turn_of(0, won_by(0), drawn()))
    win, draw, loss = (1.0, -1.0), (0.0, 0.0), (-1.0, 1.0)
    return [
        _playout_case(won_by(1)),
        _playout_case(temptation, Shares({loss: 1 / 2, win: 1 / 4, draw: 1 / 4})),
        # A draw by 1/3 + 1/6, a win of the first player by 1/6, of the second by 1/3.
        _playout_case(fork, Shares({draw: 1 / 2, loss: 1 / 3, win: 1 / 6})),
    ]


def _playout_variation(rng: np.random.Generator) -> Case:
    return _playout_case(chain_at_random(rng))


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


def _estimate_variation(rng: np.random.Generator) -> Case:
    results = tuple(map(int, rng.choice((-1, 0, 1), int(rng.integers(2, 60)))))
    mean = float(np.mean(results))
    margins = (1.96 * math.sqrt(np.var(results) / n) for n in (len(results), len(results) - 1))
    expected = [(mean, mean - margin, mean + margin) for margin in margins]
    return _estimate_case(results, *expected)


@exercise(variation=_estimate_variation)
def estimate(results: Sequence[float]) -> tuple[float, np.floating[Any], np.floating[Any]]:
    """The mean of some results, and the two ends of its 95% interval."""
    mean = sum(results) / len(results)
    margin = 1.96 * np.std(results) / math.sqrt(len(results))
    return mean, mean - margin, mean + margin


# exact_shares

Memo = dict[State, list[Fraction]]


def _shares_seen(function: Function, state: State, memo: Memo) -> Any:
    """Fractions and truth values are as good as numbers, because they are added up like them."""
    shares = function(state, memo)
    if isinstance(shares, list | tuple):
        return [float(x) if isinstance(x, Fraction | bool | np.bool_) else x for x in shares]
    return shares


def _shares_case(place: Place) -> Case:
    shown = f"exact_shares(state, {{}}), and the state is\n{outlined(place)}"
    return Case(lambda: (game_of(place), {}), shown=shown, use=_shares_seen, changes_arguments=True)


def _shares_cases() -> list[Case]:
    # The shares of Tic-Tac-Toe are those of a walk along all ways.
    return [
        _shares_case(won_by(1)),
        false_memo([0, 0, 1], _shares_seen),
        many_transpositions((23 / 35, 4 / 35, 8 / 35), _shares_seen),
    ]


def _shares_variation(rng: np.random.Generator) -> Case:
    return _shares_case(place_at_random(rng, int(rng.integers(1, 6))))


@exercise(cases=_shares_cases, variation=_shares_variation, points=2)
def exact_shares(state: State, memo: Memo) -> list[Fraction]:
    """The shares of wins, draws and losses of player 0 in random play; `memo` keeps them."""
    if state in memo:
        return memo[state]
    if state.is_terminal:
        result = state.returns()[0]
        shares = [Fraction(result == value) for value in (1, 0, -1)]
    else:
        children = [exact_shares(state.child(a), memo) for a in state.legal_actions()]
        shares = [sum(column) / Fraction(len(children)) for column in zip(*children, strict=True)]
    memo[state] = shares
    return shares


# flat_monte_carlo


def _flat_case(place: Place, num_playouts: int, expected: object = FROM_MODEL) -> Case:
    game = outlined(place)
    return Case(
        lambda: (game_of(place), num_playouts, np.random.default_rng(1)),
        expected,
        f"flat_monte_carlo(state, {num_playouts}, rng), and the state is\n{game}",
    )


def _two_playouts_each() -> Case:
    place = turn_of(0, turn_of(1, won_by(0), won_by(1)), drawn())

    def use(function: Function, state: State, num_playouts: int, rng: np.random.Generator) -> Tally:
        found = (function(state, num_playouts, rng) for _ in range(400))
        return tally(each.get(3) if isinstance(each, dict) else each for each in found)

    case = _flat_case(place, 2, Shares({-1.0: 1 / 4, 0.0: 1 / 2, 1.0: 1 / 4}))
    game = outlined(place)
    shown = f"the mean of action 3 in 400 calls with 2 playouts for each action\n{game}"
    return replace(case, shown=shown, use=use)


def _flat_cases() -> list[Case]:
    thirds = turn_of(0, won_by(0), won_by(1), won_by(1))
    halves = turn_of(0, turn_of(1, won_by(1)), drawn())
    means = {3: Near(1 / 3, 0.2), 7: Near(1 / 2, 0.2), 12: Near(-1, 0)}
    return [
        _flat_case(turn_of(0, won_by(0), won_by(1), drawn()), 3),
        _flat_case(turn_of(1, thirds, halves, won_by(0)), 600, means),
        _two_playouts_each(),
    ]


def _flat_variation(rng: np.random.Generator) -> Case:
    chains = [chain_at_random(rng) for _ in range(rng.integers(1, 4))]
    return _flat_case(turn_of(int(rng.integers(2)), *chains), int(rng.integers(1, 4)))


@exercise(cases=_flat_cases, variation=_flat_variation, points=2)
def flat_monte_carlo(state: State, num_playouts: int, rng: np.random.Generator) -> dict[int, float]:
    """For each legal action the mean of its playouts, for the player to move in `state`."""
    mover = state.current_player
    means = {}
    for action in state.legal_actions():
        child = state.child(action)
        results = [playout(child, rng)[mover] for _ in range(num_playouts)]
        means[action] = sum(results) / num_playouts
    return means


# is_trap


def _trap_case(place: Place) -> Case:
    shown = f"is_trap(state, {{}}, {{}}), and the state is\n{outlined(place)}"
    return Case(lambda: (game_of(place), {}, {}), shown=shown, changes_arguments=True)


def _trap_cases() -> list[Case]:
    even = turn_of(1, won_by(1), won_by(0))
    return [
        _trap_case(turn_of(0, won_by(0), won_by(1))),
        _trap_case(turn_of(0, even, won_by(1))),
        _trap_case(turn_of(0, even, drawn())),
        _trap_case(turn_of(0, drawn(), even)),
    ]


def _trap_variation(rng: np.random.Generator) -> Case:
    """No two moves have the same mean, because rounded numbers could break such a tie."""
    by_mean = {}
    for _ in range(4):
        option = place_at_random(rng, int(rng.integers(1, 5)))
        win, _draw, loss = exact_shares(TreeGame(option), {})
        by_mean[win - loss] = option
    return _trap_case(turn_of(int(rng.integers(2)), *by_mean.values()))


@exercise(cases=_trap_cases, variation=_trap_variation, points=2)
def is_trap(state: State, memo: Memo, values: dict[State, tuple[float, float]]) -> bool:
    """Whether every move with the highest exact mean is worth less than the best move."""
    mover = state.current_player
    means, worths = {}, {}
    for action in state.legal_actions():
        child = state.child(action)
        win, _, loss = exact_shares(child, memo)
        means[action] = win - loss if mover == 0 else loss - win
        worths[action] = search.minimax(child, values)[mover]
    highest = max(means.values())
    favourites = [action for action in means if means[action] == highest]
    return all(worths[action] < max(worths.values()) for action in favourites)
