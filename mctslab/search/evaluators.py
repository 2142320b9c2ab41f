"""Evaluators: what a leaf is worth.

An evaluator is asked about a list of states, none of them terminal, and answers with values
and priors. A rollout is one way to find a value, a neural network another; the search knows no
other difference between UCT and AlphaZero than its evaluator and its selection rule.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

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
