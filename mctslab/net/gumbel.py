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
import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from mctslab.net.encode import Floats
from mctslab.net.training_config import Gumbel, SelfPlayConfig
from mctslab.search.forest import Counts, Forest
from mctslab.search.roots import Roots

Numbers = npt.NDArray[np.float64]


class GumbelRoot:
    """The roots of `trees`, which have just been evaluated.

    During the first plies of a game the noise takes part in choosing among the moves that were
    searched most; later it only decides which moves are searched.

    Args:
        forest: after one simulation in each tree, which has evaluated their roots.
        config: how to play; `gumbel` and `num_simulations` plan the visits.
        rng: draws the noise.
    """

    def __init__(self, forest: Forest, config: SelfPlayConfig, rng: np.random.Generator) -> None:
        assert config.gumbel is not None
        self._forest = forest
        self._gumbel = config.gumbel
        self._temperature_plies = config.temperature_plies
        num_moves = [len(state.legal_actions()) for state in forest.states]
        self._noise = rng.gumbel(size=(len(num_moves), forest.states[0].num_actions))
        most, simulations = self._gumbel.num_considered, config.num_simulations - 1
        self._plans = [  # the only move of a position needs no search
            num_considered(min(most, number), simulations) if number > 1 else ()
            for number in num_moves
        ]

    def rounds(self) -> Iterator[tuple[Counts, Counts]]:
        """The simulations that are left: those of a round begin with the best moves of each tree.

        A tree whose root is proven needs no more of them.
        """
        for visits, sizes in enumerate(itertools.zip_longest(*self._plans, fillvalue=0)):
            scores, roots = self._scores()
            is_candidate = (roots.visit_counts == visits) & roots.is_legal & ~roots.is_decided
            ranked = np.where(is_candidate, self._noise + scores, -np.inf).argsort(axis=1)[:, ::-1]
            is_chosen = np.zeros_like(is_candidate)
            is_early = np.arange(ranked.shape[1]) < np.array(sizes)[:, None]
            np.put_along_axis(is_chosen, ranked, is_early, axis=1)
            trees, first_actions = np.nonzero(is_chosen & is_candidate)
            if len(trees):
                yield trees, first_actions

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
        """[trees, A]: the improved policies; -1 if illegal."""
        scores, roots = self._scores()
        improved = improved_policy(np.where(roots.are_left(), scores, -np.inf))
        return np.where(roots.is_legal, improved, -1.0).astype(np.float32)

    def _scores(self) -> tuple[Numbers, Roots]:
        """[trees, A]: logits + sigma(q), and what they are computed from."""
        roots = self._forest.roots()
        bonus = sigma(completed_values(*roots), roots.visit_counts, self._gumbel)
        return log_priors(roots.priors, roots.is_legal) + bonus, roots


# The formulas of Gumbel AlphaZero


@functools.cache
def num_considered(most: int, num_simulations: int) -> tuple[int, ...]:
    """Sequential halving: how many moves, each visited 0, 1, 2, ... times, get one more visit.

    They are those with the highest g + logits + sigma(q) among the moves with that many visits.
    First all `most` moves are tried, the best by noise and logits alone. In each round all that are
    left get the same number of simulations, and all rounds have about the same total, until two
    moves are left.

    >>> num_considered(4, 12)
    (4, 2, 2, 2, 2)
    """
    if most == 1:
        return (1,) * num_simulations
    num_rounds = math.ceil(math.log2(most))
    left, unplanned, plan = most, num_simulations, list[int]()
    while unplanned > 0:
        for _ in range(max(1, num_simulations // (num_rounds * left))):
            plan.append(min(left, unplanned))
            unplanned -= plan[-1]
            if not unplanned:
                break
        left = max(2, left // 2)
    return tuple(plan)


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
