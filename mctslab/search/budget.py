"""How long a search may think: a number of simulations, a time, or until it is told to stop."""

import math
import time
from collections.abc import Callable, Iterable, Iterator

from mctslab.search.node import Node


class Budget:
    """Counts simulations and watches the clock.

    Args:
        num_simulations: at most so many simulations.
        seconds: at most so long, from the moment when the budget is made.
        stop: is asked before every simulation; the search ends when it says True.

    Raises:
        ValueError: neither a number nor a time is given, or one that is too small.
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
        if num_simulations is not None and num_simulations < 1:
            raise ValueError(f"num_simulations={num_simulations!r} is too few: at least 1.")
        if seconds is not None and not 0 < seconds < math.inf:
            raise ValueError(f"seconds={seconds!r} is no time to think: more than 0, and finite.")
        self.spent = 0
        self._started = time.perf_counter()
        self._num_simulations = math.inf if num_simulations is None else num_simulations
        self._deadline = math.inf if seconds is None else self._started + seconds
        self._stop = stop

    @property
    def seconds(self) -> float:
        """The time since the budget was made."""
        return time.perf_counter() - self._started

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
