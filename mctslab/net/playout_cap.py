"""Playout-cap randomisation: few positions are searched long, and the others only a little.

Wu, "Accelerating self-play learning in Go" (2019). All the positions of a game learn their value
from its one result, so what values need is many games; a policy worth learning takes a long search.
With a cap most moves are played after a short search, without noise, as well as that goes. They
bring the game to its end, and teach nothing. The positions that are searched long become samples.
"""

from dataclasses import dataclass

import numpy as np

from mctslab.fast import BatchedTrees


@dataclass(frozen=True, slots=True)
class PlayoutCap:
    """How often the search is short, and how short.

    Raises:
        ValueError: a number out of range.
    """

    num_simulations: int = 16
    """Visits that a position has after a short search."""
    full_share: float = 0.25
    """The share of the positions that are searched long; each is drawn by lot."""

    def __post_init__(self) -> None:
        if self.num_simulations < 2:
            raise ValueError(f"num_simulations={self.num_simulations!r} is too few: 2 or more.")
        if not 0 < self.full_share <= 1:
            raise ValueError(f"full_share={self.full_share!r} is no share: more than 0, at most 1.")


class Budgets:
    """How many visits the position at each root of a forest has when its move is chosen.

    Args:
        forest: the trees.
        num_simulations: visits after a full search.
        cap: when the search is short; None: never.
        rng: draws which positions are searched fully.
    """

    def __init__(
        self,
        forest: BatchedTrees,
        num_simulations: int,
        cap: PlayoutCap | None,
        rng: np.random.Generator,
    ) -> None:
        self.num_visits = np.full(len(forest.states), num_simulations, np.int64)
        """[trees]."""
        self.is_full = np.ones(len(forest.states), np.bool_)
        """[trees]: whether the position is searched fully."""
        self._forest = forest
        self._num_simulations = num_simulations
        self._cap = cap
        self._rng = rng

    def begin(self, tree: int) -> None:
        """A new position stands at the root of a tree."""
        if self._cap is None:
            return
        is_full = self._rng.random() < self._cap.full_share
        self.is_full[tree] = is_full
        self.num_visits[tree] = self._num_simulations if is_full else self._cap.num_simulations

    def spent(self) -> list[int]:
        """The trees whose roots have all their visits."""
        trees: list[int] = np.flatnonzero(self._forest.num_visits >= self.num_visits).tolist()
        return trees
