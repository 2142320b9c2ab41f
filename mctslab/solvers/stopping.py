"""Compiled searches that can be stopped, because they run in threads of their own."""

import threading
from _thread import start_new_thread  # `threading` waits in Python code, which Ctrl-C can break
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

Answer = TypeVar("Answer")

_SECONDS: Final = 0.005
"""The time between two looks at a search that is running."""


class _StoppedError(Exception):
    """Ends a search that nobody waits for any longer."""


class Stoppable:
    """Runs the searches that share a memory, one at a time."""

    def __init__(self) -> None:
        self._memory = threading.Lock()
        self.is_stopped: npt.NDArray[np.bool_] = np.zeros(1, np.bool_)
        """[1]: set when the search that runs must end; compiled code reads it at every position."""

    @contextmanager
    def start(self, search: Callable[[], None]) -> Iterator[Callable[[], bool]]:
        """Run `search` in another thread; at the end of the block it is stopped and waited for.

        Yields a function that waits for the end, but not longer than a few milliseconds, and
        returns whether it has come. What the search has raised is raised after the block.
        """
        is_stopped, is_running = np.zeros(1, np.bool_), threading.Lock()
        errors: list[BaseException] = []

        def search_alone() -> None:
            with self._memory:  # one that was interrupted can take a moment to end
                self.is_stopped = is_stopped
                try:
                    search()
                except BaseException as error:
                    errors.append(error)
            is_running.release()

        def has_ended() -> bool:
            is_over = is_running.acquire(timeout=_SECONDS)
            if is_over:
                is_running.release()
            return is_over

        is_running.acquire()
        try:
            start_new_thread(search_alone, ())
            yield has_ended
        finally:
            is_stopped[0] = True
        with is_running:
            for error in errors:
                raise error

    def run(self, search: Callable[[], Answer]) -> Answer:
        """The answer of `search`, which runs in another thread; Ctrl-C stops it.

        Whenever compiled code has returned, `search` must call `check`.
        """
        answers: list[Answer] = []
        with self.start(lambda: answers.append(search())) as has_ended:
            while not has_ended():
                pass
        return answers[0]

    def check(self) -> None:
        """End a search that was stopped, for then its answer means nothing."""
        if self.is_stopped[0]:
            raise _StoppedError
