"""Notebook 02, Monte Carlo: many random games, and how precise their mean is."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mctslab.course.checking.comparing import Near, OneOf, Shares, Tally, Words, same, tally
from mctslab.course.exercise import exercise
from mctslab.course.question import Case, Edit, Mistake, mistakes_in
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


@exercise(
    title="A playout",
    cases=_playout_cases,
    variation=_playout_variation,
    hints=(
        "As long as the game is not over, draw a legal action and continue from its child.",
        "`rng.choice(state.legal_actions())` draws one of them, all equally likely. And `child` "
        "does not change the state but makes a new one.",
        "Write a loop `while not state.is_terminal:` with `state = state.child(...)` in it. After "
        "the loop, return `state.returns()`.",
    ),
    when_right="The mean of a thousand playouts estimates the value under random play.",
    mistakes=mistakes_in("""
        a position that is never replaced
            `state.child(action)` makes a new position and leaves `state` as it was: without `state
            = ...`, the loop stays at the same position forever.
            state = state.child => state.child
        a game of one move
            One move rarely ends a game. Play on as long as it is not over: use `while` instead of
            `if`.
            while => if
        a move before checking whether the game is over
            The game can already be over. Then there is no move, and the position's returns are the
            answer.
            - while not state.is_terminal:
            - ...
            + while True:
            +     state = state.child(rng.choice(state.legal_actions()))
            +     if state.is_terminal:
            +         return state.returns()
        a number drawn from all actions of the game, legal or not
            Most of a game's actions are not legal in a given position: draw from
            `state.legal_actions()`.
            rng.choice(state.legal_actions()) => rng.integers(state.num_actions)
        the same game every time
            Every move has to be drawn from the generator that was passed in. A generator made
            inside the function starts over at every call, and `legal_actions()[0]` is not random at
            all.
            rng.choice(state.legal_actions()) => state.legal_actions()[0]
            or
            rng.choice(state.legal_actions()) => state.legal_actions()[-1]
            or
            - state = state.child(rng.choice(state.legal_actions()))
            + actions = state.legal_actions()
            + state = state.child(actions[1 if len(actions) == 3 else 0])
        random numbers from another source
            The generator `rng` is passed in so that a run can be repeated: the same seed gives the
            same games. Draw from it, not from the module random or a generator of your own.
            rng.choice => np.random.default_rng().choice
        a random choice that leaves out the last action
            `rng.integers(n)` gives 0 to n - 1: its end is not included, so you don't have to
            subtract 1.
            - state = state.child(rng.choice(state.legal_actions()))
            + actions = state.legal_actions()
            + state = state.child(actions[rng.integers(max(1, len(actions) - 1))])
        one player's result instead of both
            `state.returns()` is a pair, one number for each player. Return the pair, so that it is
            always clear whose number is whose.
            return state.returns() => return state.returns()[0]
            or
            - while not
            + player = state.current_player
            + while not
            return state.returns() => return state.returns()[player]
        the sign of the result flipped at every move
            `returns()` is already the result for each player, whoever moved last. No sign is
            flipped.
            - while not
            + sign = 1
            + while not
            - rng.choice(state.legal_actions()))
            + rng.choice(state.legal_actions()))
            + sign = -sign
            return state.returns() => return tuple(sign * result for result in state.returns())
        the last position instead of its result
            At the end, return the position's `returns()`.
            return state.returns() => return state
    """),
)
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


def _either_way(text: str) -> list[Mistake]:
    """Each mistake with a variance that is divided by n, and with one that is divided by n - 1."""
    other = Edit("np.std(results)", "np.std(results, ddof=1)")
    return [*mistakes_in(text), *mistakes_in(text, other)]


@exercise(
    title="An estimate with its interval",
    cases=_estimate_cases,
    variation=_estimate_variation,
    hints=(
        "First the mean. Then think about its error, which depends on how much the results vary "
        "and on how many there are.",
        "The standard error of the mean is the standard deviation of the results, divided by the "
        "square root of their number. `np.mean` and `np.std` help.",
        "With `margin = 1.96 * np.std(results) / math.sqrt(len(results))`, return the mean, the "
        "mean minus the margin, and the mean plus the margin.",
    ),
    when_right="We divide the variance by n, as on the page. Dividing by n - 1 is right, too: it "
    "makes up for a mean that comes from the same results, and widens the interval a little.",
    mistakes=(
        *_either_way("""
            the spread of single games instead of that of their mean
                The standard deviation describes how far apart single results are. The mean of n
                results is more precise: divide by the square root of n.
                 / math.sqrt(len(results)) =>
            a division by n instead of its square root
                The error of a mean shrinks with the square root of the number of results: four
                times the games halve it.
                math.sqrt(len(results)) => len(results)
            the variance instead of the standard deviation
                The variance is a square; take its square root before you multiply by 1.96.
                 / math.sqrt(len(results)) =>  ** 2 / math.sqrt(len(results))
            one standard error to each side
                That contains the true mean in about 68% of all cases. For 95% you need 1.96
                standard errors.
                1.96 *  =>
            the 1.96 divided between the two sides
                There are 1.96 standard errors on each side of the mean, not on both sides together.
                1.96 => 0.98
            the factor of a 90% interval
                1.645 standard errors on each side give 90%. For 95% you need 1.96.
                1.96 => 1.645
            an interval that was cut off at -1 and 1
                With few results the interval can reach beyond the possible values. Keep that: it is
                a warning that there are too few results.
                mean - margin, mean + margin => max(-1.0, mean - margin), min(1.0, mean + margin)
            the mean and the margin
                Return three numbers: the mean, the beginning of the interval, and its end.
                mean, mean - margin, mean + margin => mean, margin
            the mean between the two ends
                The order is mean, low, high.
                mean, mean - margin, mean + margin => mean - margin, mean, mean + margin
        """),
        *mistakes_in("""
            a margin that depends only on the number of games
                The mean is precise if the results vary little and imprecise if they vary a lot, so
                the formula needs their standard deviation.
                np.std(results) / math.sqrt(len(results)) => 1 / math.sqrt(len(results))
                or
                np.std(results) / math.sqrt(len(results)) => 1 / math.sqrt(len(results) - 1)
            the formula for shares of wins
                The square root of p (1 - p) / n is for results that are 0 or 1. Here they are from
                -1 to 1, and there are draws.
                - np.std(results) / math.sqrt(len(results))
                + math.sqrt((1 + mean) * (1 - mean) / 4 / len(results))
                or
                - np.std(results) / math.sqrt(len(results))
                + math.sqrt((1 + mean) * (1 - mean) / 4 / (len(results) - 1))
            the formula for games without draws
                If every result is 1 or -1, the variance is 1 minus the square of the mean. With
                draws it is smaller: use the results themselves, as `np.std` does.
                np.std(results) => math.sqrt(1 - mean**2)
                or
                - np.std(results) / math.sqrt(len(results))
                + math.sqrt((1 - mean**2) / (len(results) - 1))
            the mean distance instead of the standard deviation
                The distances from the mean are squared before they are averaged, and the root comes
                last.
                np.std(results) => np.mean(np.abs(np.array(results) - mean))
        """),
    ),
)
def estimate(results: Sequence[float]) -> tuple[float, np.floating[Any], np.floating[Any]]:
    """The mean of some results, and the two ends of its 95% interval."""
    mean = sum(results) / len(results)
    margin = 1.96 * np.std(results) / math.sqrt(len(results))
    return mean, mean - margin, mean + margin
