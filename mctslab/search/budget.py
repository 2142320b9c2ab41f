"""The budget of a search: a number of simulations, a time, or until it is stopped.

with Budget(num_simulations=1000) as budget:
    while not budget.is_spent:
        ...  # a simulation, which Ctrl-C does not cut in two
        budget.spent += 1
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Self

from mctslab.games.bitboards import checked_size, is_finite
from mctslab.search.interrupts import Interrupt, interrupted_after
from mctslab.search.node import Node

MOST_SIMULATIONS: Final = 10**15
LONGEST_SECONDS: Final = 1_000_000_000
"""Thirty years. Larger numbers are typing errors and would overflow later."""


class Budget:
    """Counts simulations and watches the clock; inside its block Ctrl-C waits for `is_spent`.

    Args:
        num_simulations: the largest number of simulations, 1 or more.
        seconds: the longest time, from the creation of the budget. A simulation that has begun is
            completed.
        stop: called before each simulation; return True to end the search.

    Raises:
        ValueError: neither a number nor a time is given, or one is out of range.
    """

    def __init__(
        self,
        num_simulations: int | None = None,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        if num_simulations is None and seconds is None:
            raise ValueError(
                "The search needs a budget, such as num_simulations=1000 or seconds=2, or both."
            )
        self.spent = 0
        self._started = time.perf_counter()
        self._num_simulations: float = math.inf
        self._deadline = math.inf
        if num_simulations is not None:
            self._num_simulations = checked_size(
                "num_simulations", num_simulations, 1, MOST_SIMULATIONS
            )
        if seconds is not None:
            self._deadline = self._started + checked_seconds(seconds)
        self._stop = stop
        self._root: Node | None = None
        self._interrupt = Interrupt()
        self._block = interrupted_after()

    def __enter__(self) -> Self:
        self._interrupt = self._block.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._block.__exit__(*error)

    @property
    def seconds(self) -> float:
        """The time since the budget was created."""
        return time.perf_counter() - self._started

    @property
    def seconds_left(self) -> float:
        """The time until the search must end, 0 or more; infinite without a limit."""
        return max(0.0, self._deadline - time.perf_counter())

    def simulations_left(self, *, otherwise: int) -> int:
        """How many simulations are left; `otherwise` if their number is not limited."""
        if self._num_simulations == math.inf:
            return otherwise
        return int(self._num_simulations) - self.spent

    def end_when_proven(self, root: Node) -> None:
        """Also end the search when `root` is proven."""
        self._root = root

    @property
    def is_spent(self) -> bool:
        """Whether the search must end now; raises KeyboardInterrupt if Ctrl-C was pressed."""
        self._interrupt.check()
        return (
            self.spent >= self._num_simulations
            or time.perf_counter() >= self._deadline
            or (self._stop is not None and self._stop())
            or (self._root is not None and self._root.proven is not None)
        )

    def take(self, leaves: Iterable[Node]) -> Iterator[Node]:
        """Yield `leaves`, counting one simulation for each, until the budget is spent.

        The first is always yielded: it was found while some budget was left.
        """
        for number, leaf in enumerate(leaves):
            if number > 0 and self.is_spent:
                return
            self.spent += 1
            yield leaf


def checked_seconds(seconds: Any) -> float:
    """`seconds` as a float.

    Raises:
        ValueError: it is not a time above 0.
    """
    if not is_finite(seconds) or not 0 < float(seconds) <= LONGEST_SECONDS:
        raise ValueError(
            f"seconds must be above 0 and at most {LONGEST_SECONDS:,}, got {seconds!r}."
        )
    return float(seconds)
