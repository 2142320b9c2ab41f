"""A process that works for this one: it ends with it, and leaves Ctrl-C to it."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import connection, resource_tracker
from multiprocessing.connection import Connection
from typing import Any, Final, TypeVarTuple

_GRACE_SECONDS: Final = 2.0
"""So long a process may take to end after its end of the pipe was closed."""

_More = TypeVarTuple("_More")


class ChildProcess:
    """A process as seen from its parent, and a pipe to it.

    It is started anew ("spawn") on every system, as threads and compiled code may not survive a
    fork. When the parent is gone, however it went, it ends by itself.

    Args:
        work: what the process does, a function at the top level of a module; it is given its end of
            the pipe.
        more: what else `work` is given.
    """

    def __init__(
        self, work: "Callable[[Connection[Any, Any], *_More], None]", *more: *_More
    ) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_begin, args=(work, theirs, *more), daemon=True)
        restore_main_spec()
        with deaf_to_ctrl_c():
            self._process.start()
        theirs.close()  # so that the pipe is seen to end with the process

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.join()
        self.connection.close()

    def status(self) -> int | None:
        """With which status it has ended, where the pipe has; None if it goes on all the same."""
        self._process.join(_GRACE_SECONDS)
        return self._process.exitcode


def restore_main_spec() -> None:
    """Give `__main__` the `__spec__` of a notebook again, which IPython's `%reset` deletes.

    `multiprocessing` reads it whenever it starts a process.
    """
    vars(sys.modules["__main__"]).setdefault("__spec__", None)


@contextmanager
def deaf_to_ctrl_c() -> Iterator[None]:
    """A process that is started meanwhile doesn't hear Ctrl-C, not even while it gets ready.

    Ctrl-C goes to all processes of a terminal; the parent decides what is to be done, and hears it
    a moment later. Windows knows nothing of this; there a process becomes deaf when it is ready.
    """
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # its own start would end the deafness
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# In the process


def _begin(
    work: "Callable[[Connection[Any, Any], *_More], None]",
    parent: "Connection[Any, Any]",
    *more: *_More,
) -> None:
    """Do the work, deaf to Ctrl-C; end when the parent is gone, even amid a computation."""
    # As in `deaf_to_ctrl_c`, where the system doesn't hand that on.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    work(parent, *more)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
