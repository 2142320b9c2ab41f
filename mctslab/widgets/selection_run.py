"""A search that runs in pieces, so that it can be watched: one step, many steps, or all over again.

Each piece continues with the tree of the last one. Nothing here depends on threads or screens.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from mctslab.games.state import State
from mctslab.search.node import Node
from mctslab.search.puct_search import DirichletNoise
from mctslab.search.result import SearchResult
from mctslab.search.selection import SelectionRule
from mctslab.widgets.front_end import checked_position

SearchFunction: TypeAlias = Callable[..., SearchResult]
"""A search such as `mctslab.search.mcts` or `mctslab.search.puct_search`: it takes a state and, by
name, `num_simulations`, `seconds`, `selection`, `rng` and `root`."""


class SelectionRun:
    """A search of `state` with up to `num_simulations` simulations.

    Args:
        state: the position to think about.
        search: the search function; it is called for each piece.
        selection: its selection rule.
        num_simulations: how many simulations the whole run has, 1 or more.
        seed: the seed of the random numbers. After `reset` the run is the same again.
        noise: what is mixed into the root's priors, once in the whole run; None for none.
        options: further arguments of the search function, such as `evaluator`.

    Raises:
        ValueError: there is nothing to search, or the number or the seed is too small.
    """

    def __init__(
        self,
        state: State,
        search: SearchFunction,
        *,
        selection: SelectionRule,
        num_simulations: int,
        seed: int,
        noise: DirichletNoise | None = None,
        **options: Any,
    ) -> None:
        if checked_position(state).is_terminal:
            raise ValueError(f"There is nothing to search, because the game is over:\n{state}")
        if num_simulations < 1:
            raise ValueError(f"num_simulations={num_simulations!r} is too few: at least 1.")
        self.state = state
        self.selection = selection
        self.num_simulations = num_simulations
        self._search = search
        self._seed = seed
        self._noise = noise
        self._options = options
        self.reset()

    def fresh(self) -> "SelectionRun":
        """A copy of this run, at its beginning."""
        return SelectionRun(
            self.state,
            self._search,
            selection=self.selection,
            num_simulations=self.num_simulations,
            seed=self._seed,
            noise=self._noise,
            **self._options,
        )

    def reset(self) -> None:
        """Begin again, without a tree."""
        self._rng = np.random.default_rng(self._seed)
        self.root = Node(self.state)
        self.result: SearchResult | None = None
        self.num_done = 0
        self._seconds = 0.0

    @property
    def is_complete(self) -> bool:
        """Whether all simulations have been made."""
        return self.num_done >= self.num_simulations

    def advance(self, num_simulations: int, *, seconds: float | None = None) -> None:
        """Run `num_simulations` more, or as many as the budget and the time allow.

        Args:
            num_simulations: 1 or more.
            seconds: how long it may take; None for as long as it takes.
        """
        left = min(num_simulations, self.num_simulations - self.num_done)
        if left > 0 and self._noise is not None and self.result is None:
            self._piece(1, None)  # before that, there are no priors to mix noise into
            self._mix_noise(self._noise)
            left -= 1
        if left > 0:
            self._piece(left, seconds)

    def _piece(self, num_simulations: int, seconds: float | None) -> None:
        root = None if self.result is None else self.root
        piece = self._search(
            self.state,
            num_simulations=num_simulations,
            seconds=seconds,
            selection=self.selection,
            rng=self._rng,
            root=root,
            **self._options,
        )
        self.num_done += piece.num_simulations
        self._seconds += piece.seconds
        self.root = piece.root
        self.result = replace(piece, num_simulations=self.num_done, seconds=self._seconds)

    def _mix_noise(self, noise: DirichletNoise) -> None:
        # The search would mix fresh noise into every piece; a whole search has it only once.
        priors = [child.prior for child in self.root.children]
        for child, prior in zip(self.root.children, noise.mixed(priors, self._rng), strict=True):
            child.prior = prior
