"""How long an alpha-beta search may go on."""

import math
import time
from collections.abc import Callable
from typing import Final

from mctslab.games.bitboards import checked_size, plain_int
from mctslab.search.alphabeta import MAXIMUM_DEPTH
from mctslab.search.budget import checked_seconds

_CHUNK: Final = 2_048
"""So many positions are searched, in one or two thousandths of a second, before the clock and
`stop` are asked."""


class Limits:
    """When a search has to end: by its depth, the positions looked at, the clock, or a word.

    Raises:
        ValueError: there is none, or one that is too small.
    """

    def __init__(
        self,
        depth: int | None,
        num_nodes: int | None,
        seconds: float | None,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        if depth is None and num_nodes is None and seconds is None and stop is None:
            raise ValueError(
                "The search needs a budget: depth=6, say, or num_nodes=100_000, or seconds=2."
            )
        self.depth = MAXIMUM_DEPTH
        if depth is not None:
            self.depth = checked_size("depth", depth, 1, MAXIMUM_DEPTH)
        self._num_nodes = math.inf if num_nodes is None else _checked_number(num_nodes)
        self._started = math.nan
        self._allowed = math.inf if seconds is None else checked_seconds(seconds)
        self._stop = stop

    def start_clock(self) -> None:
        """Begin to think; what came before, such as compiling, doesn't count."""
        self._started = time.perf_counter()

    @property
    def seconds(self) -> float:
        """The time since the clock was started."""
        return time.perf_counter() - self._started

    def next_chunk(self, num_nodes: int) -> int:
        """How many positions may be looked at now, after so many."""
        return int(min(_CHUNK, self._num_nodes - num_nodes))

    def are_reached(self, num_nodes: int) -> bool:
        """Whether the search has to end now, after so many positions."""
        return (
            num_nodes >= self._num_nodes
            or self.seconds >= self._allowed
            or (self._stop is not None and self._stop())
        )


def _checked_number(num_nodes: object) -> int:
    number = plain_int(num_nodes)
    if number is None or number < 1:
        raise ValueError(f"num_nodes={num_nodes!r} is no budget: a whole number, at least 1.")
    return number
