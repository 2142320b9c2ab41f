"""Checks of what a search is given: its arguments, and what an evaluator returns."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, SupportsFloat, SupportsIndex

import numpy as np
import numpy.typing as npt

from mctslab.games.bitboards import plain_int
from mctslab.games.state import (
    BrokenRulesError,
    Rng,
    State,
    as_generator,
    checked_child,
    checked_moves,
)
from mctslab.search.evaluators import (
    Evaluation,
    Evaluator,
    RolloutEvaluator,
    evaluation,
    history_of,
)
from mctslab.search.knowledge.roxanne import Roxanne
from mctslab.typed import takes

MOST_LEAVES: Final = 1_024
"""The largest batch; the compiled search reserves 400 kB of addresses for each of its walks."""

TOLERANCE: Final = 1e-3
"""The largest difference between the sum of priors and 1; a net computes with 7 digits."""


def check_position(state: State, rng: Rng) -> np.random.Generator:
    """Check what every search needs: a position to search, and a random number generator, which
    is returned.

    Raises:
        ValueError: one of them is wrong, or the game is over.
    """
    check_state(state)
    return as_generator(rng)


def check_state(state: Any) -> None:
    """Check that `state` is a position to search; ValueError if not, or if the game is over."""
    if isinstance(state, type) and hasattr(state, "is_terminal"):
        name = state.__name__
        raise ValueError(
            f"state must be a position, got the class {name}: the brackets are missing, "
            f"write {name}()."
        )
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


def check_parts(evaluator: Any, selection: Any) -> None:
    """Check what a search calls: that an evaluator can be called as one, and a rule chooses.

    Raises:
        ValueError: one of them is a class, or something else.
    """
    for name, value in {"evaluator": evaluator, "selection": selection}.items():
        if isinstance(value, type):
            raise ValueError(
                f"{name} is the class {value.__name__}, and an object of it is needed: put "
                "brackets, (), after its name."
            )
    if type(evaluator) is not RolloutEvaluator:
        _check_evaluator(evaluator)
    if not callable(getattr(selection, "best_child", None)):
        raise ValueError(
            f"selection must be a rule such as search.ucb1(), got {selection!r}. A formula of your "
            "own is given as search.ucb1(exploration=formula)."
        )


def _check_evaluator(evaluator: Any) -> None:
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


def check_batch_size(batch_size: object) -> None:
    """Check the size of a batch; ValueError if it is not a number from 1 to MOST_LEAVES."""
    if not isinstance(batch_size, SupportsIndex) or int(batch_size) < 1:
        raise ValueError(f"batch_size must be a whole number, 1 or more, got {batch_size!r}.")
    if int(batch_size) > MOST_LEAVES:
        raise ValueError(
            f"batch_size must be at most {MOST_LEAVES:,}, got {batch_size!r}: a net gains nothing "
            "from more than about 64 leaves at once, and they are chosen without each other's "
            "results."
        )


class EvaluationError(ValueError):
    """An evaluator failed or returned something invalid; the message shows the position."""


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
    return _checked(found, [state]).values[0]


def evaluate(
    states: Sequence[State],
    evaluator: Evaluator,
    rng: np.random.Generator,
    before: Sequence[Sequence[State]] = (),
) -> Evaluation:
    """Call `evaluator` for `states` and check what it returns.

    Args:
        states: the positions.
        evaluator: the evaluator.
        rng: the random number generator.
        before: for each state the positions before it, if the evaluator sees them; see `history`.

    Raises:
        EvaluationError: it raised an error, or a value or a prior is missing, out of range or not a
            number.
    """
    try:
        found = evaluation(states, evaluator, rng, before)
    except Exception as error:
        which = "this position" if len(states) == 1 else f"{len(states)} positions, the first:"
        raise EvaluationError(
            f"The evaluator failed with {error!r} for {which}\n{states[0]}"
        ) from error
    return _checked(found, states)


def _checked(found: Any, states: Sequence[State]) -> Evaluation:
    """What an evaluator has returned for `states`; EvaluationError if it is wrong."""
    try:
        values: Any
        priors: Any
        values, priors = (found, None) if isinstance(found, np.ndarray) else found
    except (TypeError, ValueError):
        raise EvaluationError(
            f"The evaluator returned {found!r} instead of Evaluation(values, priors) for "
            f"{len(states)} positions, the first:\n{states[0]}"
        ) from None
    _check_number("values", values, states)
    values = [_checked_value(value, state) for value, state in zip(values, states, strict=True)]
    if priors is not None:
        _check_number("priors", priors, states)
        if isinstance(priors, np.ndarray) and priors.shape == (len(states), states[0].num_actions):
            priors = [_of_legal(each, state) for each, state in zip(priors, states, strict=True)]
        priors = [_checked_priors(each, state) for each, state in zip(priors, states, strict=True)]
    return Evaluation(values, priors)


def _check_number(name: str, found: Sequence[object], states: Sequence[State]) -> None:
    """Check that there is one entry for each state."""
    try:
        number = f"{len(found)} {name}"
    except TypeError:
        number = f"{found!r} instead of {name}"
    if number != f"{len(states)} {name}":
        raise EvaluationError(
            f"The evaluator returned {number} for {len(states)} positions, the first:\n{states[0]}"
        )


def _checked_value(value: Any, state: State) -> tuple[float, float]:
    if isinstance(value, int | float | np.generic):  # for the player to move
        for_first = float(value) if state.current_player == 0 else -float(value)
        value = (for_first, -for_first)
    numbers = _numbers(value)
    if len(numbers) != 2 or not all(-1 <= number <= 1 for number in numbers):
        raise EvaluationError(
            f"The evaluator returned the value {value!r}, but a value is a pair of numbers from -1 "
            "to 1, one for each player, or one number for the player to move. The position:\n"
            f"{state}"
        )
    return numbers[0], numbers[1]


def _of_legal(priors: npt.NDArray[np.floating[Any]], state: State) -> list[float]:
    """From the numbers of all actions, [A], those of the legal ones, divided by their sum."""
    legal: list[float] = priors[list(state.legal_actions())].tolist()
    total = sum(legal)
    return [prior / total for prior in legal] if 0 < total < np.inf else legal


def _checked_priors(priors: Iterable[SupportsFloat], state: State) -> list[float]:
    checked, legal = _numbers(priors), state.legal_actions()
    number = len(legal)
    if len(checked) == number and abs(sum(checked) - 1) <= TOLERANCE and min(checked) >= 0:
        return checked
    if not checked:
        problem = f"the priors {priors!r}"
    elif len(checked) != number:
        problem = f"{len(checked)} priors for {number} legal actions"
    elif not all(prior >= 0 for prior in checked):
        problem = f"the prior {next(prior for prior in checked if not prior >= 0)!r}"
    else:
        problem = f"priors with the sum {sum(checked):.6g}"
    raise EvaluationError(
        f"The evaluator returned {problem}, but each legal action needs a prior of 0 or more, and "
        f"their sum must be 1. The position:\n{state}"
    )


def _numbers(found: Iterable[SupportsFloat]) -> list[float]:
    """The numbers that an evaluator returned; an empty list if one of them is not a number."""
    if isinstance(found, np.ndarray) and found.dtype.kind == "f":
        return found.ravel().tolist()
    try:
        items = list(found)
        is_text = not {str, bytes}.isdisjoint(map(type, items))  # float() would read it
        return [] if is_text else [float(item) for item in items]
    except (TypeError, ValueError):
        return []
