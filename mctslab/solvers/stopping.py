"""Compiled searches that can be stopped, because they run in threads of their own."""

import threading
from _thread import start_new_thread  # `threading` waits in Python code, which Ctrl-C can break
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Generic, TypeVar

import numpy as np
import numpy.typing as npt

Answer = TypeVar("Answer")

_SECONDS: Final = 0.005
"""The time between two looks at a search that is running."""


class SolverStoppedError(RuntimeError):
    """The solver was stopped before it knew the answer."""


class Running(Generic[Answer]):
    """A search that runs in another thread."""

    def __init__(self, search: Callable[[], Answer]) -> None:
        self._search = search
        self._results: list[Answer | BaseException] = []
        self._is_running = threading.Lock()
        self._is_running.acquire()
        self.is_stopped: npt.NDArray[np.bool_] = np.zeros(1, np.bool_)

    def search(self) -> None:
        """What the other thread does."""
        try:
            self._results.append(self._search())
        except BaseException as error:
            self._results.append(error)
        self._is_running.release()

    def has_ended(self) -> bool:
        """Wait for the end, but not longer than a few milliseconds; whether it has come."""
        is_over = self._is_running.acquire(timeout=_SECONDS)
        if is_over:
            self._is_running.release()
        return is_over

    def answer(self) -> Answer:
        """Wait for the end; what the search has returned, or raise what it has raised."""
        with self._is_running:
            (result,) = self._results
        if isinstance(result, BaseException):
            raise result
        return result


class Stoppable:
    """Runs the searches that share a memory, one at a time."""

    def __init__(self) -> None:
        self._memory = threading.Lock()
        self.is_stopped: npt.NDArray[np.bool_] = np.zeros(1, np.bool_)
        """[1]: set when the search that runs must end; compiled code reads it at every position."""

    @contextmanager
    def start(self, search: Callable[[], Answer]) -> Iterator[Running[Answer]]:
        """Run `search` in another thread; at the end of the block it is stopped and waited for."""
        running = Running(search)

        def search_alone() -> None:
            with self._memory:  # one that was interrupted can take a moment to end
                self.is_stopped = running.is_stopped
                running.search()

        try:
            start_new_thread(search_alone, ())
            yield running
        finally:
            running.is_stopped[0] = True
        running.answer()

    def run(self, search: Callable[[], Answer], stop: Callable[[], bool] | None = None) -> Answer:
        """The answer of `search`, which calls `check` whenever compiled code has returned.

        Args:
            search: runs in another thread.
            stop: called many times a second; when it returns True, the search is stopped.

        Raises:
            SolverStoppedError: `stop` returned True.
        """
        with self.start(search) as running:
            while not running.has_ended():
                if stop is not None and stop():
                    break
        return running.answer()

    def check(self) -> None:
        """Raise SolverStoppedError if the search was stopped, for then its answer means nothing."""
        if self.is_stopped[0]:
            raise SolverStoppedError("The solver was stopped before it knew the answer.")
