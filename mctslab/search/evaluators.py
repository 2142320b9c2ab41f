"""Evaluators: how good a leaf is, and which of its moves look promising.

An evaluator receives a list of states, none of them terminal, and returns values and priors. A
rollout is one way to estimate a value; a neural network is another. UCT and AlphaZero differ only
in their evaluator and their selection rule.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

import numpy as np

from mctslab.games.bitboards import checked_size
from mctslab.games.rules import MAX_PLIES
from mctslab.games.state import Rng, State, as_generator, checked_moves, checked_returns, endless
from mctslab.typed import takes

MOST_ROLLOUTS: Final = 1_000
"""The largest number of rollouts for a leaf. Nothing can interrupt them when they are compiled."""


class Evaluation(NamedTuple):
    """What an evaluator returns for a list of states."""

    values: Sequence[tuple[float, float]]
    """For each state its value for player 0 and for player 1, in [-1, 1]."""
    priors: Sequence[Sequence[float]] | None = None
    """For each state a probability for each of its legal actions; None: all are equal."""


class Evaluator(Protocol):
    """Anything that can be called with a list of states and a random number generator.

    It returns an Evaluation; or values and priors, or values alone, as arrays. Values [N, 2] are
    for player 0 and player 1, values [N] for the player to move in each state. Priors can also be
    an array [N, A], for all actions of the game: those of the legal ones are divided by their sum.

    An evaluator that also looks at earlier positions of a game has an attribute `history`, the
    number of positions that it sees, 2 or more. Then `puct_search` passes a third argument: for
    each state the positions before it, the newest last.
    """

    def __call__(self, states: Sequence[State], rng: np.random.Generator) -> Any:
        """Values and priors of `states`, none of which is terminal."""
        ...


def for_both(value: float, current_player: int) -> tuple[float, float]:
    """A value for the player to move as the values for player 0 and player 1."""
    return (value, -value) if current_player == 0 else (-value, value)


def history_of(evaluator: Evaluator) -> int:
    """The number of positions of a game that an evaluator sees, the newest included."""
    history: int = getattr(evaluator, "history", 1)
    return history


# Rollouts

RolloutPolicy: TypeAlias = Callable[[State, np.random.Generator], int]
"""Chooses a legal action of a state that is not terminal."""


def rollout(state: State, policy: RolloutPolicy, rng: Rng) -> tuple[float, float]:
    """Play by `policy` to the end of the game; its returns, one for each player.

    Raises:
        BrokenRulesError: the game does not end, has no legal action, or has no valid returns.
    """
    here, rng = state, as_generator(rng)
    for _ in range(MAX_PLIES):
        if here.is_terminal:
            return checked_returns(here)
        here = here.child(policy(here, rng))
    raise endless(state)


def random_item(items: Sequence[int], rng: np.random.Generator) -> int:
    """One of `items`, each equally likely.

    All random choices of a search are made in this way, with `rng.random()`, which is faster than
    `rng.choice` and `rng.integers` and gives compiled code the same numbers.
    """
    return items[int(rng.random() * len(items))]


def uniform(state: State, rng: np.random.Generator) -> int:
    """Any legal action, all equally likely."""
    return random_item(checked_moves(state), rng)


@dataclass(frozen=True, slots=True)
class RolloutEvaluator:
    """The mean return of `num_rollouts` games played to the end by `policy`, as one value.

    Raises:
        ValueError: `num_rollouts` is not a whole number from 1 to MOST_ROLLOUTS, or `policy` cannot
            be called as one.
    """

    policy: RolloutPolicy = uniform
    num_rollouts: int = 1

    def __post_init__(self) -> None:
        checked_size("num_rollouts", self.num_rollouts, 1, MOST_ROLLOUTS)
        if not takes(self.policy, None, None):
            raise ValueError(
                f"A rollout policy is a function of (state, rng) that returns a legal action, got "
                f"{self.policy!r}."
            )

    def __call__(self, states: Sequence[State], rng: Rng) -> Evaluation:
        """The mean returns of each of `states`; no priors."""
        rng = as_generator(rng)
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


# Without rollouts


@dataclass(frozen=True, slots=True)
class UniformEvaluator:
    """No knowledge: every position has the value of a draw, and all moves have the same prior.

    With it, a search learns from finished games only.
    """

    def __call__(self, states: Sequence[State], rng: np.random.Generator) -> Evaluation:
        """A value of 0 for both players in each of `states`; no priors."""
        return Evaluation([(0.0, 0.0)] * len(states))


PriorFunction: TypeAlias = Callable[[State], Sequence[float]]
"""Returns, for a state that is not terminal, a weight of 0 or more for each legal action."""


@dataclass(frozen=True, slots=True)
class EvaluatorWithPriors:
    """The values of an evaluator that sees no earlier positions, with the priors of a function."""

    evaluator: Evaluator
    prior_function: PriorFunction

    def __call__(self, states: Sequence[State], rng: np.random.Generator) -> Evaluation:
        """The evaluator's values, and the function's weights divided by their sum."""
        found = self.evaluator(states, rng)
        values: Any = found if isinstance(found, np.ndarray) else found[0]
        return Evaluation(values, [_normalized(self.prior_function(state)) for state in states])


rollout_evaluator = RolloutEvaluator
uniform_evaluator = UniformEvaluator
with_priors = EvaluatorWithPriors


def _normalized(weights: Sequence[float]) -> list[float]:
    total = math.fsum(weights)
    # Wrong weights are left unchanged: the search reports them together with the position.
    return [weight / total for weight in weights] if total > 0 else list(weights)
