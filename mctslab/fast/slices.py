"""A search that compiled code runs, in short slices: between two of them somebody looks up."""

import math
import time
from collections.abc import Callable
from typing import Final, Protocol

from mctslab.search.budget import Budget

NO_LIMIT: Final = 1 << 31
"""Stands for the simulations of a search that has only a time."""

_SLICE_SECONDS: Final = 0.02
"""How long the compiled code runs before it looks up, at the clock and at `stop`."""
_FIRST_SLICE: Final = 256
_PROGRESS_SECONDS: Final = 0.1


class Run(Protocol):
    """One search of a tree, which can be run a piece at a time."""

    @property
    def num_rollouts(self) -> int:
        """How many rollouts a simulation takes, or 1."""

    @property
    def is_proven(self) -> bool:
        """Whether there is nothing left to find out."""

    def go_on(self, chunk: int, limit: int) -> int:
        """Run `chunk` simulations, or a few more, but not more than `limit`; how many it were."""

    def expect(self, num_simulations: int) -> None:
        """Make room at once for the nodes of so many simulations."""


def spend(budget: Budget, run: Run, progress: Callable[[int, float], None] | None) -> None:
    """Let the compiled code run in short slices until the budget is spent."""
    chunk = max(1, _FIRST_SLICE // run.num_rollouts)
    next_progress = _PROGRESS_SECONDS
    run.expect(budget.simulations_left(otherwise=0))
    while not budget.is_spent and not run.is_proven:
        began = time.perf_counter()
        limit = budget.simulations_left(otherwise=NO_LIMIT)
        done = run.go_on(min(chunk, limit), limit)
        budget.spent += done
        took = max(time.perf_counter() - began, 1e-9)
        slice_seconds = min(_SLICE_SECONDS, budget.seconds_left / 2)
        if budget.seconds_left < math.inf:  # a longer array takes time, so not in the last moment
            run.expect(int(done / took * budget.seconds_left))
        chunk = max(1, min(int(done * slice_seconds / took), 64 * done))
        if progress is not None and budget.seconds >= next_progress:
            progress(budget.spent, budget.seconds)
            next_progress = budget.seconds + _PROGRESS_SECONDS
