"""A compiled search that can be stopped: it runs in a thread of its own."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

Answer = TypeVar("Answer")
Flag = npt.NDArray[np.bool_]
"""[1]: set when the search must end. The compiled code reads it at every position."""

_SECONDS: Final = 0.005
"""The time between two looks at a search that is running."""


class SolverStoppedError(RuntimeError):
    """The solver was stopped before it knew the answer."""


@contextmanager
def in_a_thread(search: Callable[[], Answer], is_stopped: Flag) -> Iterator[Future[Answer]]:
    """Run `search` in another thread; at the end of the block it is stopped and waited for."""
    is_stopped[0] = False
    with ThreadPoolExecutor(1) as thread:
        try:
            yield thread.submit(search)
        finally:  # also when the user interrupts the block
            is_stopped[0] = True


def has_ended(search: Future[Answer]) -> bool:
    """Wait a few milliseconds; whether the search has ended by then."""
    return bool(wait([search], timeout=_SECONDS).done)


def run(search: Callable[[], Answer], is_stopped: Flag, stop: Callable[[], bool] | None) -> Answer:
    """The answer of `search`, which raises SolverStoppedError when `is_stopped` is set.

    Args:
        search: runs in a thread of its own.
        is_stopped: given to the compiled code as well.
        stop: called many times a second; when it returns True, the search is stopped.
    """
    with in_a_thread(search, is_stopped) as running:
        while not has_ended(running):
            if stop is not None and stop():
                break
    return running.result()


def check(is_stopped: Flag) -> None:
    """Raise SolverStoppedError if the search was stopped, for then its answer means nothing."""
    if is_stopped[0]:
        raise SolverStoppedError("The solver was stopped before it knew the answer.")
