"""Processes that work for this one: they end together with it, and ignore Ctrl-C."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import connection, resource_tracker
from multiprocessing.process import BaseProcess
from typing import Any, Final

_METHOD: Final = "spawn"
"""Fresh processes on every system, because threads and compiled code may not survive a fork."""
_MOST_PROCESSES: Final = 61
"""Windows cannot wait for more at once."""


class Processes(ProcessPoolExecutor):
    """Processes that make calls; at the end of the block they end, whatever they are doing.

    Args:
        number: how many there are.
    """

    def __init__(self, number: int) -> None:
        context = multiprocessing.get_context(_METHOD)
        super().__init__(min(number, _MOST_PROCESSES), context, _get_ready)

    def submit(self, *call: Any, **named: Any) -> Future[Any]:
        """Begin a call; this may start a process."""
        with starting():
            return super().submit(*call, **named)

    @property
    def processes(self) -> list[BaseProcess]:
        """Those that were started."""
        return list((self._processes or {}).values())

    def __exit__(self, *error: object) -> None:
        for process in self.processes:
            process.kill()
        self.shutdown(cancel_futures=True)


@contextmanager
def starting() -> Iterator[None]:
    """Start processes inside: they ignore Ctrl-C, even while they get ready.

    Ctrl-C goes to all processes of a terminal; the parent, which receives it a moment later,
    decides what to do. This is not possible on Windows, where a process ignores Ctrl-C only once it
    is ready.
    """
    # `multiprocessing` reads this name, which IPython's `%reset` deletes in a notebook.
    vars(sys.modules["__main__"]).setdefault("__spec__", None)
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # starting it here would restore the handler
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# In the process


def _get_ready() -> None:
    """Ignore Ctrl-C; end when the parent is gone, even during a computation."""
    # As in `starting`, for systems on which a new process does not inherit that.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
