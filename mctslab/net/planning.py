"""How self-play chooses a move: what the search does at the root, and what a net learns of it.

A planner has a forest, with a position at the root of each tree. Budgets say how long to search.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mctslab.fast import BY_PUCT, BatchedTrees, Roots
from mctslab.net import gumbel as formulas
from mctslab.net.encode import Floats
from mctslab.net.gumbel import Gumbel
from mctslab.net.playout_cap import Budgets
from mctslab.net.targets import policy_target
from mctslab.search.puct_search import DirichletNoise


class Choice(NamedTuple):
    """What came of a search."""

    action: int
    """The move to play."""
    policy: Floats | None
    """pi, [A]: what a net should learn; None after a short search, which teaches nothing."""


class Planner(Protocol):
    """Searches the positions at the roots of a forest."""

    keeps_trees: bool
    """Whether a search begins with what the one of the move before has found out."""

    def begin(self, tree: int) -> None:
        """A new position stands at the root of a tree, and its budget is known."""

    def first_actions(self) -> npt.NDArray[np.int64] | None:
        """[trees]: what the next simulations do at the roots; see `BatchedTrees.gather`."""

    def prepare(self) -> None:
        """A simulation was made in each tree; so what can be done only at a judged root is due."""

    def choices(self, trees: Sequence[int], plies: Sequence[int]) -> Iterator[Choice]:
        """A move for each of `trees`, where so many plies were played before."""
        ...


class VisitPlanner:
    """AlphaZero's: PUCT and Dirichlet noise at the root; the policy is the shares of the visits.

    Args:
        forest: the trees.
        budgets: how long they are searched.
        noise: mixed into the priors of the roots that are searched fully; None: into none.
        temperature_plies: for so long a move is drawn in proportion to the visits; then the most
            visited is played.
        rng: draws noise and moves.
    """

    keeps_trees = True

    def __init__(
        self,
        forest: BatchedTrees,
        budgets: Budgets,
        *,
        noise: DirichletNoise | None,
        temperature_plies: int,
        rng: np.random.Generator,
    ) -> None:
        self._forest = forest
        self._budgets = budgets
        self._noise = noise
        self._temperature_plies = temperature_plies
        self._rng = rng
        self._needs_noise = np.zeros(len(forest.states), np.bool_)

    def begin(self, tree: int) -> None:
        """Only a full search has noise."""
        self._needs_noise[tree] = self._noise is not None and self._budgets.is_full[tree]

    def first_actions(self) -> None:
        """As PUCT says."""

    def prepare(self) -> None:
        """Mix noise into each root's priors, once, as soon as it has any."""
        for tree in np.flatnonzero(self._needs_noise).tolist():
            if self._noise is not None and self._forest.has_children(tree):
                self._forest.mix_noise(tree, self._noise, self._rng)
                self._needs_noise[tree] = False

    def choices(self, trees: Sequence[int], plies: Sequence[int]) -> Iterator[Choice]:
        """By the visits."""
        for tree, ply in zip(trees, plies, strict=True):
            visits = self._forest.visit_counts(tree)
            if ply < self._temperature_plies:
                action = int(self._rng.choice(len(visits), p=visits / visits.sum()))
            else:
                action = int(visits.argmax())
            policy = policy_target(dict(enumerate(visits.tolist())), len(visits))
            yield Choice(action, policy if self._budgets.is_full[tree] else None)


class GumbelPlanner:
    """Gumbel AlphaZero's; see `mctslab.net.gumbel`.

    Every search begins from nothing, since sequential halving counts visits from 0 on.

    Args:
        forest: the trees.
        budgets: how long they are searched; of the visits of a root the first is the net's
            judgement, and the others are planned.
        gumbel: the constants.
        temperature_plies: for so long the noise has a say in which of the moves that were searched
            most is played, which makes it a draw; then it only says which ones are searched. In a
            short search there is none.
        rng: draws the noise.
    """

    keeps_trees = False

    def __init__(
        self,
        forest: BatchedTrees,
        budgets: Budgets,
        *,
        gumbel: Gumbel,
        temperature_plies: int,
        rng: np.random.Generator,
    ) -> None:
        self._forest = forest
        self._budgets = budgets
        self._gumbel = gumbel
        self._temperature_plies = temperature_plies
        self._rng = rng
        num_trees, num_actions = len(forest.states), forest.states[0].num_actions
        self._noise = np.zeros((num_trees, num_actions))
        self._is_legal = np.zeros((num_trees, num_actions), np.bool_)
        self._planned_visits = np.zeros((num_trees, int(budgets.num_visits.max())), np.int64)

    def begin(self, tree: int) -> None:
        """Draw noise, and plan the visits."""
        noise = self._noise[tree]
        noise[:] = self._rng.gumbel(size=len(noise)) if self._budgets.is_full[tree] else 0.0
        legal = self._forest.states[tree].legal_actions()
        self._is_legal[tree] = False
        self._is_legal[tree, list(legal)] = True
        number = int(self._budgets.num_visits[tree]) - 1
        considered = min(self._gumbel.num_considered, len(legal))
        self._planned_visits[tree, :number] = formulas.considered_visits(considered, number)

    def first_actions(self) -> npt.NDArray[np.int64]:
        """The best of the moves that have as many visits as planned."""
        roots = self._forest.roots()
        visits = roots.visit_counts
        planned = self._planned_visits[np.arange(len(visits)), visits.sum(axis=1)]
        is_candidate = (visits == planned[:, None]) & self._is_legal
        actions = formulas.best_of(self._noise + self._scores(roots), is_candidate)
        return np.where(self._forest.num_visits == 0, BY_PUCT, actions)

    def prepare(self) -> None:
        """Nothing is due."""

    def choices(self, trees: Sequence[int], plies: Sequence[int]) -> Iterator[Choice]:
        """The best of the moves that were searched most, and the improved policy."""
        roots = self._forest.roots()
        scores = self._scores(roots)
        for tree, ply in zip(trees, plies, strict=True):
            visits = roots.visit_counts[tree]
            noise = self._noise[tree] if ply < self._temperature_plies else 0.0
            action = int(formulas.best_of(noise + scores[tree], visits == visits.max()))
            policy = formulas.improved_policy(scores[tree]).astype(np.float32)
            yield Choice(action, policy if self._budgets.is_full[tree] else None)

    def _scores(self, roots: Roots) -> npt.NDArray[np.float64]:
        """[trees, actions]: logits + sigma(q)."""
        completed = formulas.completed_values(*roots)
        bonus = formulas.sigma(completed, roots.visit_counts, self._gumbel)
        return formulas.log_priors(roots.priors, self._is_legal) + bonus
