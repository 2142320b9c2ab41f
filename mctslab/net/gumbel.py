"""Gumbel AlphaZero at the root: which moves to try with few simulations, and what to learn.

PUCT with 16 simulations can miss the moves that would improve a policy, and its visits are then a
worse target than the net's own answer. Danihelka et al., "Policy improvement by planning with
Gumbel" (2022), draw g(a), Gumbel noise, for every move. The m moves with the highest

    g(a) + logits(a)

are m draws from the net's policy, without replacement. Sequential halving searches these, and drops
half of them again and again; played is the move with the highest g(a) + logits(a) + sigma(q(a)) of
those that were searched most. If the values q are right, that is in expectation no worse than a
draw from the policy, with however few simulations.

The net learns softmax(logits + sigma(q)). A move that was never searched counts there for what the
position is worth, v_mix, neither good nor bad.

Only the root is searched so; below it PUCT chooses. Each function takes a batch of positions: the
arrays are [..., A], a number for each action, and values are for the player to move at the root.
"""

import functools
import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Gumbel:
    """How the root is searched.

    Raises:
        ValueError: a number out of range.
    """

    num_considered: int = 16
    """m: so many moves are tried, or all where there are fewer. With n simulations no more than n
    are; n / 2 leaves some to compare the best ones by."""
    c_visit: float = 50.0
    c_scale: float = 1.0
    """How much a value weighs against the net's logits; see `sigma`."""

    def __post_init__(self) -> None:
        if self.num_considered < 1:
            raise ValueError(f"num_considered={self.num_considered!r} is too few: one or more.")
        for name in ("c_visit", "c_scale"):
            number = getattr(self, name)
            if not (math.isfinite(number) and number >= 0):
                raise ValueError(f"{name}={number!r} is no weight: a number, 0 or more.")


@functools.cache
def considered_visits(num_considered: int, num_simulations: int) -> tuple[int, ...]:
    """Sequential halving: how many visits the move that each simulation takes must have had before.

    Of the moves with so many visits the simulation takes the best one, by `best_of`. In each round
    all that are left get equally many; all rounds have about the same number of simulations, until
    two moves are left. So the first `num_considered` simulations go to as many moves, the best by
    noise and logits alone.

    >>> considered_visits(4, 12)
    (0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4)
    """
    if num_considered == 1:
        return tuple(range(num_simulations))
    num_rounds = math.ceil(math.log2(num_considered))
    left, visits, schedule = num_considered, 0, list[int]()
    while len(schedule) < num_simulations:
        each = max(1, num_simulations // (num_rounds * left))
        for _ in range(each):
            schedule += [visits] * left
            visits += 1
        left = max(2, left // 2)
    return tuple(schedule[:num_simulations])


def mixed_value(
    visit_counts: Counts, total_values: Numbers, priors: Numbers, values: Numbers
) -> Numbers:
    """v_mix, [...]: what the position is worth, by the net and by what the search has found.

    With N simulations it is 1 part what the net said, and N parts the mean of the values of the
    moves that were searched, each counted by its prior.

    Args:
        visit_counts: N(a), [..., A].
        total_values: W(a), [..., A], so that q = W / N.
        priors: the net's, [..., A].
        values: the net's word on the position, [...], in [-1, 1].
    """
    weights = np.where(visit_counts > 0, np.maximum(priors, _TINY), 0.0)
    means = total_values / np.maximum(visit_counts, 1)
    searched = (weights * means).sum(axis=-1) / np.maximum(weights.sum(axis=-1), _TINY)
    num_simulations = visit_counts.sum(axis=-1)
    mixed: Numbers = (values + num_simulations * searched) / (1 + num_simulations)
    return mixed


def completed_values(
    visit_counts: Counts, total_values: Numbers, priors: Numbers, values: Numbers
) -> Numbers:
    """q, [..., A], in [-1, 1]: what each move is worth; v_mix where it was never searched.

    The arguments are those of `mixed_value`.
    """
    mixed = mixed_value(visit_counts, total_values, priors, values)[..., None]
    return np.where(visit_counts > 0, total_values / np.maximum(visit_counts, 1), mixed)


def sigma(completed: Numbers, visit_counts: Counts, gumbel: Gumbel) -> Numbers:
    """Values as additions to logits, [..., A]: (c_visit + the most visits) * c_scale * q.

    q counts as a win rate here, from 0 to 1: with the usual constants a hundredth of a win more is
    half a logit more, and the more the longer the search was.
    """
    most: Counts = visit_counts.max(axis=-1, keepdims=True)
    return (gumbel.c_visit + most) * gumbel.c_scale * (1 + completed) / 2


def improved_policy(scores: Numbers) -> Numbers:
    """softmax(logits + sigma(q)), [..., A]: what the net should have said of the moves."""
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    policy: Numbers = weights / weights.sum(axis=-1, keepdims=True)
    return policy


def best_of(scores: Numbers, is_candidate: npt.NDArray[np.bool_]) -> Counts:
    """The action with the highest of `scores`, g + logits + sigma(q), [...], among candidates.

    Candidates, [..., A], are the moves with as many visits as `considered_visits` says; in the end
    those with the most visits.
    """
    best: Counts = np.where(is_candidate, scores, -np.inf).argmax(axis=-1)
    return best


def log_priors(priors: Numbers, is_legal: npt.NDArray[np.bool_]) -> Numbers:
    """Logits, [..., A], from their softmax: the same up to a constant; -inf for what is illegal."""
    return np.where(is_legal, np.log(np.maximum(priors, _TINY)), -np.inf)


_TINY: Final = float(np.finfo(np.float64).tiny)
