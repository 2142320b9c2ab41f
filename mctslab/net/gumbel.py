"""Gumbel AlphaZero: how its root chooses moves, and what the net learns of them.

PUCT with 16 simulations can miss the moves that would improve a policy, and its visits are then a
worse target than the net's own output. Danihelka et al., "Policy improvement by planning with
Gumbel" (2022), draw Gumbel noise g(a) for every move. The m moves with the highest

    g(a) + logits(a)

are m draws from the net's policy, without replacement. Sequential halving searches these and drops
half of them again and again. Of the moves that were searched most, the one with the highest
g(a) + logits(a) + sigma(q(a)) is played. If the values q are right, that is in expectation no worse
than a draw from the policy, however few the simulations.

The net learns softmax(logits + sigma(q)). A move that was never searched counts there with the
value of the position, v_mix, neither good nor bad. Only the root is searched like this; below it
PUCT chooses.

The formulas take a batch of positions: the arrays are [..., A], a number for each action, and
values are for the player to move at the root.
"""

import functools
import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from mctslab.net.encode import Floats
from mctslab.net.training_config import Gumbel, SelfPlayConfig
from mctslab.search.readable_trees import Roots, Trees

Numbers = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]


class GumbelRoot:
    """The roots of `trees`, which have just been evaluated.

    During the first plies of a game the noise takes part in choosing among the moves that were
    searched most; later it only decides which moves are searched.

    Args:
        trees: after one simulation.
        config: how to play; `gumbel` and `num_simulations` plan the visits.
        rng: draws the noise.
    """

    def __init__(self, trees: Trees, config: SelfPlayConfig, rng: np.random.Generator) -> None:
        assert config.gumbel is not None
        self._trees = trees
        self._gumbel = config.gumbel
        self._temperature_plies = config.temperature_plies
        states = trees.states
        self._noise = rng.gumbel(size=(len(states), states[0].num_actions))
        self._is_legal = np.zeros(self._noise.shape, np.bool_)
        schedules = []
        for tree, state in enumerate(states):
            legal = state.legal_actions()
            self._is_legal[tree, list(legal)] = True
            considered = min(config.gumbel.num_considered, len(legal))
            schedules.append(considered_visits(considered, config.num_simulations - 1))
        self._planned_visits = np.array(schedules)
        """[trees, simulations]: the visits of the moves among which each simulation chooses."""

    def first_actions(self) -> Counts:
        """[trees]: the best of the moves that have as many visits as planned."""
        scores, roots = self._scores()
        visits = roots.visit_counts
        planned = self._planned_visits[np.arange(len(visits)), visits.sum(axis=1)]
        is_candidate = (visits == planned[:, None]) & self._is_legal
        best: Counts = np.where(is_candidate, self._noise + scores, -np.inf).argmax(axis=1)
        return best

    def moves(self, plies: Sequence[int]) -> list[int]:
        """For each tree the best of the moves that were searched most and that proofs leave."""
        scores, roots = self._scores()
        is_noisy = np.array(plies)[:, None] < self._temperature_plies
        visits = np.where(roots.are_left(), roots.visit_counts, -1)
        is_candidate = visits == visits.max(axis=1, keepdims=True)
        scores = np.where(is_candidate, scores + is_noisy * self._noise, -np.inf)
        actions: list[int] = scores.argmax(axis=1).tolist()
        return actions

    def policies(self) -> Floats:
        """[trees, A]: the improved policies."""
        scores, roots = self._scores()
        return improved_policy(np.where(roots.are_left(), scores, -np.inf)).astype(np.float32)

    def _scores(self) -> tuple[Numbers, Roots]:
        """[trees, A]: logits + sigma(q), and what they are computed from."""
        roots = self._trees.roots()
        bonus = sigma(completed_values(*roots), roots.visit_counts, self._gumbel)
        return log_priors(roots.priors, self._is_legal) + bonus, roots


# The formulas of Gumbel AlphaZero


@functools.cache
def considered_visits(num_considered: int, num_simulations: int) -> tuple[int, ...]:
    """Sequential halving: for each simulation the visit count of the moves it may choose from.

    Of the moves with that many visits the simulation takes the one with the highest
    g + logits + sigma(q). In each round all remaining moves get the same number of simulations, and
    all rounds have about the same total, until two moves are left. So the first `num_considered`
    simulations each try another move, the best by noise and logits alone.

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
    """v_mix, [...]: the value of the position, from the net's value and the results of the search.

    With N simulations it is (v + N * mean) / (1 + N): v is the net's value, and the mean is that of
    the values of the searched moves, weighted by their priors.

    Args:
        visit_counts: N(a), [..., A].
        total_values: W(a), [..., A], so that q = W / N.
        priors: the net's, [..., A].
        values: the net's values of the positions, [...], in [-1, 1].
    """
    weights = np.where(visit_counts > 0, np.maximum(priors, _TINY), 0.0)
    means = total_values / np.maximum(visit_counts, 1)
    searched = (weights * means).sum(axis=-1) / np.maximum(weights.sum(axis=-1), _TINY)
    num_simulations = visit_counts.sum(axis=-1)
    mixed: Numbers = (values + num_simulations * searched) / (1 + num_simulations)
    return mixed


def completed_values(
    visit_counts: Counts,
    total_values: Numbers,
    priors: Numbers,
    values: Numbers,
    proven: Numbers | None = None,
) -> Numbers:
    """q, [..., A], in [-1, 1]: the value of each move; v_mix where it was never searched.

    What is proven, [..., A] as in `Roots`, counts exactly; None stands for a search without proofs.
    The other arguments are those of `mixed_value`.
    """
    mixed = mixed_value(visit_counts, total_values, priors, values)[..., None]
    found = np.where(visit_counts > 0, total_values / np.maximum(visit_counts, 1), mixed)
    return found if proven is None else np.where(np.isfinite(proven), proven, found)


def sigma(completed: Numbers, visit_counts: Counts, gumbel: Gumbel) -> Numbers:
    """Values as additions to logits, [..., A]: (c_visit + the most visits) * c_scale * q.

    Here q is a win rate from 0 to 1. With the usual constants one more win in a hundred adds half a
    logit, and more in a longer search.
    """
    most: Counts = visit_counts.max(axis=-1, keepdims=True)
    return (gumbel.c_visit + most) * gumbel.c_scale * (1 + completed) / 2


def improved_policy(scores: Numbers) -> Numbers:
    """softmax(logits + sigma(q)), [..., A]: the policy that the net learns."""
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    policy: Numbers = weights / weights.sum(axis=-1, keepdims=True)
    return policy


def log_priors(priors: Numbers, is_legal: npt.NDArray[np.bool_]) -> Numbers:
    """Logits, [..., A], from their softmax: the same up to a constant; -inf if illegal."""
    return np.where(is_legal, np.log(np.maximum(priors, _TINY)), -np.inf)


_TINY: Final = float(np.finfo(np.float64).tiny)
