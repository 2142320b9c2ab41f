"""How self-play chooses a move: how long it searches, what it does at the root, what is learned.

`VisitPlanner` is AlphaZero's way: PUCT with Dirichlet noise, and the visits as the policy target.

`GumbelPlanner` is that of Gumbel AlphaZero. PUCT with 16 simulations can miss the moves that would
improve a policy, and its visits are then a worse target than the net's own output. Danihelka et
al., "Policy improvement by planning with Gumbel" (2022), draw Gumbel noise g(a) for every move. The
m moves with the highest

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
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mctslab.net.encode import Floats
from mctslab.net.replay import policy_target
from mctslab.net.training_config import Gumbel, PlayoutCap, SelfPlayConfig
from mctslab.net.trees import Trees
from mctslab.search.puct_search import DirichletNoise
from mctslab.search.readable_trees import BY_PUCT, Roots

Numbers = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]


class Budgets:
    """The number of visits that the position at each root has when its move is chosen.

    Args:
        trees: in which they are searched.
        num_simulations: visits after a full search.
        cap: when the search is short; None: never.
        rng: draws which positions are searched fully.
    """

    def __init__(
        self, trees: Trees, num_simulations: int, cap: PlayoutCap | None, rng: np.random.Generator
    ) -> None:
        self.num_visits = np.full(len(trees.states), num_simulations, np.int64)
        """[trees]."""
        self.is_full = np.ones(len(trees.states), np.bool_)
        """[trees]: whether the position is searched fully."""
        self._trees = trees
        self._num_simulations = num_simulations
        self._cap = cap
        self._rng = rng

    def begin(self, tree: int) -> None:
        """Draw the budget of the new position at the root of a tree."""
        if self._cap is None:
            return
        is_full = self._rng.random() < self._cap.full_share
        self.is_full[tree] = is_full
        self.num_visits[tree] = self._num_simulations if is_full else self._cap.num_simulations

    def spent(self) -> list[int]:
        """The trees whose roots have all their visits."""
        due: list[int] = np.flatnonzero(self._trees.num_visits >= self.num_visits).tolist()
        return due


class Choice(NamedTuple):
    """The result of a search."""

    action: int
    """The move to play."""
    policy: Floats | None
    """pi, [A]: the policy target; None after a short search, which teaches nothing."""


class Planner:
    """Searches the positions at the roots of many trees.

    Args:
        trees: in which they are searched.
        budgets: how long they are searched.
        temperature_plies: the plies during which the choice of a move is random.
        rng: draws noise and moves.
    """

    keeps_trees = True
    """Whether a search begins with the subtree of the move before."""

    def __init__(
        self, trees: Trees, budgets: Budgets, temperature_plies: int, rng: np.random.Generator
    ) -> None:
        self._trees = trees
        self._budgets = budgets
        self._temperature_plies = temperature_plies
        self._rng = rng

    def begin(self, tree: int) -> None:
        """Prepare for the new position at the root of a tree, whose budget is known."""
        raise NotImplementedError

    def first_actions(self) -> npt.NDArray[np.int64] | None:
        """[trees]: the action of the next simulation at each root; None: PUCT chooses."""
        return None

    def prepare(self) -> None:
        """Do what needs an evaluated root; called after a simulation in each tree."""

    def choices(self, trees: Sequence[int], plies: Sequence[int]) -> Iterator[Choice]:
        """A move for each of `trees`, in whose games `plies` plies were played before."""
        raise NotImplementedError


def make_planner(
    trees: Trees, budgets: Budgets, config: SelfPlayConfig, rng: np.random.Generator
) -> Planner:
    """The planner that the settings name."""
    plies = config.temperature_plies
    if config.gumbel is not None:
        return GumbelPlanner(trees, budgets, plies, rng, config.gumbel)
    return VisitPlanner(trees, budgets, plies, rng, config.noise)


class VisitPlanner(Planner):
    """AlphaZero's: PUCT and Dirichlet noise at the root; the policy is the share of the visits.

    Noise is mixed into the priors of the roots that are searched fully; None: into none. During the
    first plies a move is drawn in proportion to the visits; later the most visited is played.
    """

    def __init__(
        self,
        trees: Trees,
        budgets: Budgets,
        temperature_plies: int,
        rng: np.random.Generator,
        noise: DirichletNoise | None,
    ) -> None:
        super().__init__(trees, budgets, temperature_plies, rng)
        self._noise = noise
        self._needs_noise = np.zeros(len(trees.states), np.bool_)

    def begin(self, tree: int) -> None:
        """Only a full search has noise."""
        self._needs_noise[tree] = self._noise is not None and self._budgets.is_full[tree]

    def prepare(self) -> None:
        """Mix noise into each root's priors, once, as soon as it has priors."""
        for tree in np.flatnonzero(self._needs_noise).tolist():
            if self._noise is not None and self._trees.has_children(tree):
                self._trees.mix_noise(tree, self._noise, self._rng)
                self._needs_noise[tree] = False

    def choices(self, trees: Sequence[int], plies: Sequence[int]) -> Iterator[Choice]:
        """Choose by the visits."""
        weights = self._trees.roots().weights()
        for tree, ply in zip(trees, plies, strict=True):
            visits = weights[tree]
            if ply < self._temperature_plies:
                action = int(self._rng.choice(len(visits), p=visits / visits.sum()))
            else:
                action = int(visits.argmax())
            policy = policy_target(dict(enumerate(visits.tolist())), len(visits))
            yield Choice(action, policy if self._budgets.is_full[tree] else None)


class GumbelPlanner(Planner):
    """Gumbel AlphaZero's; every search begins with an empty tree, because sequential halving counts
    visits from 0 on.

    The first visit of a root is its evaluation by the net, the others are planned. During the first
    plies the noise takes part in choosing among the moves that were searched most; later it only
    decides which moves are searched. A short search has no noise.
    """

    keeps_trees = False

    def __init__(
        self,
        trees: Trees,
        budgets: Budgets,
        temperature_plies: int,
        rng: np.random.Generator,
        gumbel: Gumbel,
    ) -> None:
        super().__init__(trees, budgets, temperature_plies, rng)
        self._gumbel = gumbel
        num_trees, num_actions = len(trees.states), trees.states[0].num_actions
        self._noise = np.zeros((num_trees, num_actions))
        self._is_legal = np.zeros((num_trees, num_actions), np.bool_)
        self._planned_visits = np.zeros((num_trees, int(budgets.num_visits.max())), np.int64)

    def begin(self, tree: int) -> None:
        """Draw noise, and plan the visits."""
        noise = self._noise[tree]
        noise[:] = self._rng.gumbel(size=len(noise)) if self._budgets.is_full[tree] else 0.0
        legal = self._trees.states[tree].legal_actions()
        self._is_legal[tree] = False
        self._is_legal[tree, list(legal)] = True
        number = int(self._budgets.num_visits[tree]) - 1
        considered = min(self._gumbel.num_considered, len(legal))
        self._planned_visits[tree, :number] = considered_visits(considered, number)

    def first_actions(self) -> npt.NDArray[np.int64]:
        """The best of the moves that have as many visits as planned."""
        roots = self._trees.roots()
        visits = roots.visit_counts
        planned = self._planned_visits[np.arange(len(visits)), visits.sum(axis=1)]
        is_candidate = (visits == planned[:, None]) & self._is_legal
        actions = best_of(self._noise + self._scores(roots), is_candidate)
        return np.where(self._trees.num_visits == 0, BY_PUCT, actions)

    def choices(self, trees: Sequence[int], plies: Sequence[int]) -> Iterator[Choice]:
        """The best of the moves that were searched most, and the improved policy."""
        roots = self._trees.roots()
        scores, is_left = self._scores(roots), roots.are_left()
        visits = np.where(is_left, roots.visit_counts, -1)
        is_most = visits == visits.max(axis=1, keepdims=True)
        policies = improved_policy(np.where(is_left, scores, -np.inf)).astype(np.float32)
        for tree, ply in zip(trees, plies, strict=True):
            noise = self._noise[tree] if ply < self._temperature_plies else 0.0
            action = int(best_of(noise + scores[tree], is_most[tree]))
            yield Choice(action, policies[tree] if self._budgets.is_full[tree] else None)

    def _scores(self, roots: Roots) -> npt.NDArray[np.float64]:
        """[trees, actions]: logits + sigma(q)."""
        bonus = sigma(completed_values(*roots), roots.visit_counts, self._gumbel)
        return log_priors(roots.priors, self._is_legal) + bonus


# The formulas of Gumbel AlphaZero


@functools.cache
def considered_visits(num_considered: int, num_simulations: int) -> tuple[int, ...]:
    """Sequential halving: for each simulation the visit count of the moves it may choose from.

    Of the moves with that many visits the simulation takes the best one, by `best_of`. In each
    round all remaining moves get the same number of simulations, and all rounds have about the same
    total, until two moves are left. So the first `num_considered` simulations each try another
    move, the best by noise and logits alone.

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


def best_of(scores: Numbers, is_candidate: npt.NDArray[np.bool_]) -> Counts:
    """The action with the highest of `scores`, g + logits + sigma(q), [...], among candidates.

    Candidates, [..., A], are the moves with the visits that `considered_visits` gives; at the end
    of a search, those with the most visits.
    """
    best: Counts = np.where(is_candidate, scores, -np.inf).argmax(axis=-1)
    return best


def log_priors(priors: Numbers, is_legal: npt.NDArray[np.bool_]) -> Numbers:
    """Logits, [..., A], from their softmax: the same up to a constant; -inf if illegal."""
    return np.where(is_legal, np.log(np.maximum(priors, _TINY)), -np.inf)


_TINY: Final = float(np.finfo(np.float64).tiny)
