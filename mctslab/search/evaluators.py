"""Evaluators: what a leaf is worth, and which of its moves look promising.

An evaluator is asked about a list of states, none of them terminal, and answers with values
and priors. A rollout is one way to find a value, a neural network another; the search knows no
other difference between UCT and AlphaZero than its evaluator and its selection rule.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol, SupportsFloat, TypeAlias

import numpy as np

from mctslab.games.state import State
from mctslab.search.rollouts import RolloutPolicy, rollout, uniform


class Evaluation(NamedTuple):
    """What an evaluator answers about a list of states."""

    values: Sequence[tuple[float, float]]
    """For each state what it is worth to player 0 and to player 1, in [-1, 1]."""
    priors: Sequence[Sequence[float]] | None = None
    """For each state a probability for each of its legal actions; None: all the same."""


class Evaluator(Protocol):
    """Anything that can be called with a list of states and a source of chance."""

    def __call__(self, states: Sequence[State], rng: np.random.Generator) -> Evaluation:
        """Values and priors of `states`, none of which is terminal."""
        ...


@dataclass(frozen=True, slots=True)
class RolloutEvaluator:
    """The mean return of `num_rollouts` games played to the end by `policy`."""

    policy: RolloutPolicy
    num_rollouts: int

    def __call__(self, states: Sequence[State], rng: np.random.Generator) -> Evaluation:
        """The mean returns of each of `states`; no priors."""
        return Evaluation([self._mean_returns(state, rng) for state in states])

    def _mean_returns(self, state: State, rng: np.random.Generator) -> tuple[float, float]:
        if self.num_rollouts == 1:
            return rollout(state, self.policy, rng)
        first = second = 0.0
        for _ in range(self.num_rollouts):
            returns = rollout(state, self.policy, rng)
            first += returns[0]
            second += returns[1]
        return first / self.num_rollouts, second / self.num_rollouts


def rollout_evaluator(policy: RolloutPolicy = uniform, num_rollouts: int = 1) -> RolloutEvaluator:
    """Judge a leaf by rollouts: uniformly random ones unless another `policy` is given.

    However many rollouts a leaf gets, their mean is one value and the whole one simulation.

    Raises:
        ValueError: `num_rollouts` is below one.
    """
    if num_rollouts < 1:
        raise ValueError(f"num_rollouts={num_rollouts!r} is too few: a leaf needs at least one.")
    return RolloutEvaluator(policy, num_rollouts)


@dataclass(frozen=True, slots=True)
class FunctionEvaluator:
    """A value from a function of your own; all moves get the same prior."""

    function: Callable[[State], float]

    def __call__(self, states: Sequence[State], rng: np.random.Generator) -> Evaluation:
        """The function's value of each of `states`, for both players; no priors.

        Raises:
            ValueError: the function gave a value outside [-1, 1].
        """
        return Evaluation([self._returns(state) for state in states])

    def _returns(self, state: State) -> tuple[float, float]:
        value = float(self.function(state))
        if not -1 <= value <= 1:
            name = getattr(self.function, "__name__", "the function")
            raise ValueError(
                f"{name} gave {value!r} for this position, but a value lies in [-1, 1]:\n{state}"
            )
        return (value, -value) if state.current_player == 0 else (-value, value)


def function_evaluator(function: Callable[[State], float]) -> FunctionEvaluator:
    """Judge a leaf by `function(state)`, its value in [-1, 1] for the player to move.

    >>> even = function_evaluator(lambda state: 0.0)
    """
    return FunctionEvaluator(function)


@dataclass(frozen=True, slots=True)
class UniformEvaluator:
    """Knows nothing: every position is even, and every move as good as the others."""

    def __call__(self, states: Sequence[State], rng: np.random.Generator) -> Evaluation:
        """A value of 0 for both players in each of `states`; no priors."""
        return Evaluation([(0.0, 0.0)] * len(states))


def uniform_evaluator() -> UniformEvaluator:
    """An evaluator that costs nothing, because it knows nothing.

    A search with it learns from finished games only; it shows what the search does by itself.
    """
    return UniformEvaluator()


PriorFunction: TypeAlias = Callable[[State], Sequence[float]]
"""For a state that is not terminal a weight, 0 or more, for each of its legal actions."""


@dataclass(frozen=True, slots=True)
class EvaluatorWithPriors:
    """The values of one evaluator, with the priors of a function."""

    evaluator: Evaluator
    prior_function: PriorFunction

    def __call__(self, states: Sequence[State], rng: np.random.Generator) -> Evaluation:
        """The evaluator's values, and the function's weights as shares of their sum."""
        values = self.evaluator(states, rng).values
        return Evaluation(values, [_shares(self.prior_function(state)) for state in states])


def with_priors(evaluator: Evaluator, prior_function: PriorFunction) -> EvaluatorWithPriors:
    """Judge a leaf by `evaluator`, and its moves by `prior_function`.

    >>> cautious = with_priors(
    ...     rollout_evaluator(), lambda state: [1.0] * len(state.legal_actions())
    ... )
    """
    return EvaluatorWithPriors(evaluator, prior_function)


def _shares(weights: Sequence[float]) -> list[float]:
    total = math.fsum(weights)
    # What is no weight is left for the search to complain of, which knows the position.
    return [weight / total for weight in weights] if total > 0 else list(weights)


class EvaluationError(ValueError):
    """An evaluator failed, or gave an answer that is none; the message names the position."""


_MOST_OFF: Final = 1e-3
"""By how much the sum of priors may miss 1; a net computes with 7 digits."""


def ask(evaluator: Evaluator, states: Sequence[State], rng: np.random.Generator) -> Evaluation:
    """What `evaluator` answers about `states`, checked.

    Raises:
        EvaluationError: it raised an error itself, or a value or a prior is missing, out of range
            or not a number.
    """
    try:
        values, priors = evaluator(states, rng)
    except Exception as error:
        which = "this position" if len(states) == 1 else f"{len(states)} positions, the first:"
        raise EvaluationError(
            f"The evaluator failed, {error!r}, when it was asked about {which}\n{states[0]}"
        ) from error
    for name, answers in (("values", values), ("priors", values if priors is None else priors)):
        try:
            number = f"{len(answers)} {name}"
        except TypeError:
            number = f"{answers!r} in place of {name}"
        if number != f"{len(states)} {name}":
            raise EvaluationError(
                f"The evaluator gave {number} for {len(states)} positions, the first of which "
                f"is\n{states[0]}"
            )
    values = [_checked_value(value, state) for value, state in zip(values, states, strict=True)]
    if priors is not None:
        priors = [_checked_priors(each, state) for each, state in zip(priors, states, strict=True)]
    return Evaluation(values, priors)


def _checked_value(value: Iterable[SupportsFloat], state: State) -> tuple[float, float]:
    numbers = _numbers(value)
    if len(numbers) != 2 or not all(-1 <= number <= 1 for number in numbers):
        raise EvaluationError(
            f"The evaluator gave the value {value!r}, but it takes a number from -1 to 1 for each "
            f"of the two players, for this position:\n{state}"
        )
    return numbers[0], numbers[1]


def _checked_priors(priors: Iterable[SupportsFloat], state: State) -> list[float]:
    checked = _numbers(priors)
    number = len(state.legal_actions())
    if len(checked) == number and abs(sum(checked) - 1) <= _MOST_OFF and min(checked) >= 0:
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
        f"The evaluator gave {problem}, but it takes one for each legal action, 0 or more, with "
        f"the sum 1, for this position:\n{state}"
    )


def _numbers(answer: Iterable[SupportsFloat]) -> list[float]:
    """The numbers of an answer; none if one of them is something else."""
    if isinstance(answer, np.ndarray) and answer.dtype.kind == "f":
        return answer.ravel().tolist()
    try:
        items = list(answer)
        is_text = not {str, bytes}.isdisjoint(map(type, items))  # which float() would read
        return [] if is_text else [float(item) for item in items]
    except (TypeError, ValueError):
        return []
