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
from typing import Any, Final, ParamSpec, TypeVar, TypeVarTuple

_METHOD: Final = "spawn"
"""Fresh processes on every system, because threads and compiled code may not survive a fork."""
_MOST_PROCESSES: Final = 61
"""Windows cannot wait for more at once."""

_More = TypeVarTuple("_More")
_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


class Processes(ProcessPoolExecutor):
    """Processes that make calls; at the end of the block they end, whatever they are doing.

    Args:
        number: how many there are.
    """

    def __init__(self, number: int) -> None:
        context = multiprocessing.get_context(_METHOD)
        super().__init__(min(number, _MOST_PROCESSES), context, _get_ready)

    def submit(
        self,
        fn: Callable[_Arguments, _Result],
        /,
        *args: _Arguments.args,
        **kwargs: _Arguments.kwargs,
    ) -> Future[_Result]:
        """Begin a call; this may start a process."""
        restore_main_spec()
        with deaf_to_ctrl_c():
            return super().submit(fn, *args, **kwargs)

    def __exit__(self, *error: object) -> None:
        for process in list((self._processes or {}).values()):
            process.kill()
        self.shutdown(cancel_futures=True)


def start_process(
    work: "Callable[[Connection[Any, Any], *_More], None]", *more: *_More
) -> "tuple[BaseProcess, Connection[Any, Any]]":
    """Start a process that calls `work`, and a pipe to it; both close when the process ends.

    When this process is gone, for whatever reason, the other one ends by itself.

    Args:
        work: a function at the top level of a module; it receives its end of the pipe.
        more: further arguments of `work`.
    """
    context = multiprocessing.get_context(_METHOD)
    ours, theirs = context.Pipe()
    process = context.Process(target=_begin, args=(work, theirs, *more), daemon=True)
    restore_main_spec()
    with deaf_to_ctrl_c():
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


def restore_main_spec() -> None:
    """Give `__main__` the `__spec__` of a notebook again, which IPython's `%reset` deletes.

    `multiprocessing` reads it whenever it starts a process.
    """
    vars(sys.modules["__main__"]).setdefault("__spec__", None)


@contextmanager
def deaf_to_ctrl_c() -> Iterator[None]:
    """A process that is started meanwhile ignores Ctrl-C, even while it gets ready.

    Ctrl-C goes to all processes of a terminal; the parent, which receives it a moment later,
    decides what to do. This is not possible on Windows, where a process ignores Ctrl-C only once it
    is ready.
    """
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


def _begin(
    work: "Callable[[Connection[Any, Any], *_More], None]",
    parent: "Connection[Any, Any]",
    *more: *_More,
) -> None:
    """Do the work, ignoring Ctrl-C; end when the parent is gone, even during a computation."""
    _get_ready()
    work(parent, *more)


def _get_ready() -> None:
    # As in `deaf_to_ctrl_c`, for systems on which a new process does not inherit that.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
