"""How Python runs a compiled search: in short slices, with the state of NumPy's generator.

Between two slices the clock and `stop` are checked. The compiled code draws the same random numbers
as NumPy (see `kernels/primitives.py`), so the generator's state goes there and back.
"""

import math
import time
from collections.abc import Callable
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

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


# The random numbers


def is_compiled_generator(rng: object) -> bool:
    """Whether the draws are those that the compiled code makes by itself."""
    return type(rng) is np.random.Generator and type(rng.bit_generator) is np.random.PCG64


def random_state_of(rng: np.random.Generator) -> npt.NDArray[np.uint64]:
    """State and increment of the PCG64 in `rng`, each as upper and lower half."""
    numbers = rng.bit_generator.state["state"]
    halves = [half for key in ("state", "inc") for half in divmod(numbers[key], 1 << 64)]
    return np.array(halves, dtype=np.uint64)


def set_random_state(rng: np.random.Generator, random_state: npt.NDArray[np.uint64]) -> None:
    """Let `rng` go on from where the compiled code has come to."""
    state = rng.bit_generator.state
    upper, lower = (int(half) for half in random_state[:2])
    state["state"]["state"] = upper << 64 | lower
    rng.bit_generator.state = state
