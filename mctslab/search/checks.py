"""Checks of what a search is given: its arguments, and what an evaluator returns."""

from collections.abc import Sequence
from typing import Any, Final, SupportsIndex

import numpy as np

from mctslab.games.bitboards import plain_int
from mctslab.games.state import (
    BrokenRulesError,
    Rng,
    State,
    as_generator,
    checked_child,
    checked_moves,
)
from mctslab.search.evaluators import Evaluation, Evaluator, RolloutEvaluator, for_both, history_of
from mctslab.search.knowledge.roxanne import Roxanne
from mctslab.search.node import Node
from mctslab.typed import takes

TOLERANCE: Final = 1e-3
"""The largest difference between the sum of priors and 1; a net computes with 7 digits."""


def check_arguments(
    state: State, rng: Rng, root: object = None, **others: object
) -> np.random.Generator:
    """Check what a search is given; returns the random number generator.

    Args:
        state: the position to search.
        rng: the generator, or a seed.
        root: a node of an earlier tree, or None.
        others: other arguments by name, of which none must be a class: `evaluator` must be callable
            as one, and `selection` a rule.

    Raises:
        ValueError: one of them is wrong, or the game is over.
    """
    check_state(state)
    check_brackets(**others)
    if "evaluator" in others:
        _check_evaluator(others["evaluator"])
    if "selection" in others:
        _check_selection(others["selection"])
    if root is not None and not isinstance(root, Node):
        raise ValueError(f"root must be a node of a tree, got {root!r}: pass result.root.")
    return as_generator(rng)


def check_brackets(**others: object) -> None:
    """Check that no argument is a class where an object of it is expected; ValueError if one is."""
    for name, value in others.items():
        if isinstance(value, type):
            raise ValueError(
                f"{name} is the class {value.__name__}, and an object of it is needed: put "
                f"brackets after its name, {value.__name__}()."
            )


def check_state(state: State) -> None:
    """Check that `state` is a position to search; ValueError if not, or if the game is over."""
    check_brackets(state=state)
    if not isinstance(state, State):
        raise ValueError(
            f"state must be a position of a game, got {state!r}. A game of your own must "
            "derive from mctslab.games.State, as in `class MyGame(State)`."
        )
    for name in ("is_terminal", "current_player"):
        if callable(getattr(state, name)):
            raise BrokenRulesError(
                state, f"{name} is a method, and it must be a property: write @property above it."
            )
    if state.is_terminal:
        raise ValueError(f"There is nothing to search, because the game is over:\n{state}")
    check_rules(state)


def check_rules(state: State) -> None:
    """Check what a search meets first of a game: the moves, the first of them, and whose turn it
    is.

    Raises:
        BrokenRulesError: one of them is not what `State` says.
    """
    legal = state.legal_actions()
    if not isinstance(legal, Sequence) or not all(isinstance(a, SupportsIndex) for a in legal[:1]):
        raise BrokenRulesError(
            state,
            f"legal_actions() is {legal!r}, and it must be a tuple or a list of ints: an array has "
            "the method tolist().",
        )
    after = checked_child(state, checked_moves(state)[0])
    for each in (state,) if after.is_terminal else (state, after):
        if each.current_player not in (0, 1):
            raise BrokenRulesError(
                state,
                f"current_player is {each.current_player!r}, and it must be 0 for the player who "
                "moves first, or 1 for the other one.",
            )


def check_expansion(expansion: object) -> None:
    """Check the name of an expansion; ValueError if there is none of this name."""
    if expansion not in ("one", "all"):
        raise ValueError(f"expansion must be 'one' or 'all', got {expansion!r}.")


def _check_evaluator(evaluator: Any) -> None:
    if type(evaluator) is RolloutEvaluator:
        return
    history = plain_int(history_of(evaluator))
    if history is None or history < 1:
        raise ValueError(
            "The history of an evaluator must be a number of positions, 1 or more, got "
            f"{evaluator.history!r}."
        )
    names = ("states", "rng", "before")[: 2 if history == 1 else 3]
    if not takes(evaluator, *(None for _ in names)) or isinstance(evaluator, Roxanne):
        raise ValueError(
            f"evaluator must be a function of ({', '.join(names)}), got {evaluator!r}. A policy "
            "for rollouts is given as search.rollout_evaluator(policy)."
        )


def _check_selection(selection: Any) -> None:
    if not callable(getattr(selection, "best_child", None)):
        raise ValueError(
            f"selection must be a rule such as search.ucb1(), got {selection!r}. A formula of your "
            "own is given as search.ucb1(exploration=formula)."
        )


# What an evaluator returns


class EvaluationError(ValueError):
    """An evaluator returned something invalid; the message shows the position."""


def value_of(state: State, evaluator: Evaluator, rng: np.random.Generator) -> tuple[float, float]:
    """The value of one position by `evaluator`, for player 0 and for player 1.

    Raises:
        EvaluationError: it is not a pair of numbers from -1 to 1.
    """
    found: Any = evaluator([state], rng)
    try:
        first, second = found[0][0]
        if -1 <= first <= 1 and -1 <= second <= 1:
            return first, second
    except (LookupError, TypeError, ValueError):
        pass  # the sentence follows
    return checked(found, [state]).values[0]


def checked(found: Any, states: Sequence[State]) -> Evaluation:
    """What an evaluator has returned for `states`, as pairs of values and lists of priors.

    Raises:
        EvaluationError: a value or a prior is missing, out of range or not a number.
    """
    try:
        values, priors = (found, None) if isinstance(found, np.ndarray) else found
        rows = [*zip(states, values, values if priors is None else priors, strict=True)]
    except (TypeError, ValueError):
        raise EvaluationError(
            f"The evaluator returned {found!r} instead of Evaluation(values, priors) with an entry "
            f"for each of {len(states)} positions, the first:\n{states[0]}"
        ) from None
    pairs = [_checked_value(value, state) for state, value, _ in rows]
    if priors is None:
        return Evaluation(pairs)
    is_full = getattr(priors, "shape", None) == (len(states), states[0].num_actions)
    return Evaluation(pairs, [_checked_priors(row, state, is_full) for state, _, row in rows])


def _checked_value(value: Any, state: State) -> tuple[float, float]:
    try:
        if isinstance(value, int | float | np.generic):
            value = for_both(float(value), state.current_player)
        first, second = map(float, value)
        if -1 <= first <= 1 and -1 <= second <= 1:
            return first, second
    except (TypeError, ValueError):
        pass  # the sentence follows
    raise EvaluationError(
        f"The evaluator returned the value {value!r}, but a value is a pair of numbers from -1 to "
        f"1, one for each player, or one number for the player to move. The position:\n{state}"
    )


def _checked_priors(priors: Any, state: State, is_full: bool) -> list[float]:
    """The priors of the legal actions, out of those of all actions if it `is_full`."""
    legal = state.legal_actions()
    try:
        numbers: list[float] = np.asarray(priors, np.float64).tolist()
        if is_full:
            numbers = [numbers[action] for action in legal]
            total = sum(numbers) or 1.0
            numbers = [number / total for number in numbers]
        if len(numbers) == len(legal) and abs(sum(numbers) - 1) <= TOLERANCE and min(numbers) >= 0:
            return numbers
        problem = f"{len(numbers)} priors with the sum {sum(numbers):.6g}, the lowest "
        problem += f"{min(numbers):.6g}"
    except (TypeError, ValueError):
        problem = f"the priors {priors!r}"
    raise EvaluationError(
        f"The evaluator returned {problem}, for {len(legal)} legal actions, but each of them needs "
        f"a prior of 0 or more, and their sum must be 1. The position:\n{state}"
    )
