"""How long a search may think: a number of simulations, a time, or until it is told to stop."""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final, SupportsFloat

from mctslab.games.bitboards import plain_int
from mctslab.search.node import Node

MOST_SIMULATIONS: Final = 10**15
LONGEST_SECONDS: Final = 1_000_000_000
"""Thirty years. Larger numbers are typing errors, and would overflow further on."""


class Budget:
    """Counts simulations and watches the clock.

    Args:
        num_simulations: at most so many simulations, 1 or more.
        seconds: at most so long, from the moment when the budget is made. A simulation that has
            begun is brought to its end.
        stop: is asked before every simulation; the search ends when it says True.

    Raises:
        ValueError: neither a number nor a time is given, or one that is no budget.
    """

    def __init__(
        self,
        num_simulations: int | None = None,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        if num_simulations is None and seconds is None:
            raise ValueError(
                "The search needs a budget: num_simulations=1000, say, or seconds=2, or both."
            )
        self.spent = 0
        self._started = time.perf_counter()
        self._num_simulations = math.inf
        self._deadline = math.inf
        if num_simulations is not None:
            self._num_simulations = _checked_number(num_simulations)
        if seconds is not None:
            self._deadline = self._started + checked_seconds(seconds)
        self._stop = stop

    @property
    def seconds(self) -> float:
        """The time since the budget was made."""
        return time.perf_counter() - self._started

    @property
    def seconds_left(self) -> float:
        """The time until the search has to end; infinite without a limit, 0 at the least."""
        return max(0.0, self._deadline - time.perf_counter())

    def simulations_left(self, *, otherwise: int) -> int:
        """How many simulations are left; `otherwise` where their number has no limit."""
        if self._num_simulations == math.inf:
            return otherwise
        return int(self._num_simulations) - self.spent

    @property
    def is_spent(self) -> bool:
        """Whether the search has to end now."""
        return (
            self.spent >= self._num_simulations
            or time.perf_counter() >= self._deadline
            or (self._stop is not None and self._stop())
        )

    def take(self, leaves: Iterable[Node]) -> Iterator[Node]:
        """Hand out `leaves`, each paid with one simulation, until the budget is spent.

        The first is always handed out: it was found while there was budget left.
        """
        for number, leaf in enumerate(leaves):
            if number > 0 and self.is_spent:
                return
            self.spent += 1
            yield leaf


def _checked_number(num_simulations: object) -> int:
    number = plain_int(num_simulations)  # None for True, which is no number here
    if number is None or not 1 <= number <= MOST_SIMULATIONS:
        raise ValueError(
            f"num_simulations={num_simulations!r} is no budget: an integer from 1 to "
            f"{MOST_SIMULATIONS:,}."
        )
    return number


def checked_seconds(seconds: object) -> float:
    """`seconds` as a float.

    Raises:
        ValueError: it is no time to think.
    """
    if not isinstance(seconds, SupportsFloat) or not 0 < float(seconds) <= LONGEST_SECONDS:
        raise ValueError(
            f"seconds={seconds!r} is no time to think: more than 0, at most {LONGEST_SECONDS:,}."
        )
    return float(seconds)
