"""Processes that work for this one: they end together with it, and ignore Ctrl-C."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import connection, resource_tracker
from multiprocessing.connection import Connection
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

    def __exit__(self, *error: object) -> None:
        for process in list((self._processes or {}).values()):
            process.kill()
        self.shutdown(cancel_futures=True)


def start_process(
    work: Callable[..., None], *more: object
) -> "tuple[BaseProcess, Connection[Any, Any]]":
    """Start a process that calls `work`, and a pipe to it; both close when the process ends.

    When this process is gone, for whatever reason, the other one ends by itself.

    Args:
        work: a function at the top level of a module; it receives its end of the pipe.
        more: its further arguments.
    """
    context = multiprocessing.get_context(_METHOD)
    ours, theirs = context.Pipe()
    process = context.Process(target=_begin, args=(work, theirs, *more), daemon=True)
    with starting():
        process.start()
    theirs.close()  # so that the pipe closes when the process ends
    return process, ours


def end_with_children(started: "BaseProcess | subprocess.Popen[bytes]") -> None:
    """Kill a process and all that it has started, as far as they are still there."""
    import psutil  # only here: it takes a while

    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(started.pid)
        for each in (*process.children(recursive=True), process):
            with suppress(psutil.NoSuchProcess):
                each.kill()


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


def _begin(work: Callable[..., None], *arguments: object) -> None:
    """Do the work, ignoring Ctrl-C; end when the parent is gone, even during a computation."""
    _get_ready()
    work(*arguments)


def _get_ready() -> None:
    # As in `starting`, for systems on which a new process does not inherit that.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
