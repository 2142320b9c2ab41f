"""Processes that work for this one: they end together with it, and ignore Ctrl-C."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import connection, resource_tracker
from multiprocessing.connection import Connection
from typing import Any, Final, Generic, TypeVar, TypeVarTuple

_METHOD: Final = "spawn"
"""Fresh processes on every system, because threads and compiled code may not survive a fork."""
_GRACE_SECONDS: Final = 2.0
"""How long a process may take to end after its end of the pipe was closed."""
_MOST_PROCESSES: Final = 61
"""Windows cannot wait for more at once."""
_MOST_ATTEMPTS: Final = 3
"""How often a call is made whose process dies."""

_More = TypeVarTuple("_More")
_Result = TypeVar("_Result")
_Call = Callable[[], _Result]


class ProcessDiedError(RuntimeError):
    """Processes died again and again; the sentence says what may help."""


class Calls(Generic[_Result]):
    """Calls of pure functions that processes make in the background, or any other executor.

    When a process dies, new ones make the calls again whose results are missing.

    Args:
        num_processes: how many there are; with 0, this process makes each call at once.
        executor: makes the calls instead.
    """

    def __init__(self, num_processes: int = 0, executor: Executor | None = None) -> None:
        self._num_processes = num_processes
        self._executor = executor
        self._pool: ProcessPoolExecutor | None = None
        self._calls: list[tuple[_Call[_Result], Future[_Result]]] = []

    def begin(self, calls: Iterable[_Call[_Result]]) -> None:
        """Begin to make some calls, which other processes can be sent."""
        self._calls = [(call, self._submit(call)) for call in calls]

    def results(self) -> list[_Result]:
        """Wait for the results of these calls, in their order.

        Raises:
            ProcessDiedError: processes died three times.
        """
        for _ in range(_MOST_ATTEMPTS):
            self._calls = [
                (call, self._submit(call) if _is_broken(future) else future)
                for call, future in self._calls
            ]
            try:
                return [future.result() for _, future in self._calls]
            except BrokenExecutor as error:
                broken = error
            self.close()
            if self._executor is not None:
                break
        raise ProcessDiedError(
            "A process that worked for this one ended, and so did those that took its place. In a "
            'script, call training under `if __name__ == "__main__":`; if memory is short, use '
            "fewer processes."
        ) from broken

    def close(self) -> None:
        """End the processes, whatever they are doing."""
        if self._pool is not None:
            for process in list((self._pool._processes or {}).values()):
                process.kill()
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def _submit(self, call: _Call[_Result]) -> Future[_Result]:
        if self._executor is not None:
            return self._executor.submit(call)
        future: Future[_Result] = Future()
        if not self._num_processes:
            future.set_result(call())
            return future
        if self._pool is None:
            context = multiprocessing.get_context(_METHOD)
            number = min(self._num_processes, _MOST_PROCESSES)
            self._pool = ProcessPoolExecutor(number, context, _get_ready)
        restore_main_spec()
        try:
            with deaf_to_ctrl_c():
                return self._pool.submit(call)
        except BrokenExecutor as error:  # a process has died since the calls before
            self.close()
            future.set_exception(error)
            return future


def _is_broken(future: Future[Any]) -> bool:
    if not future.done():
        return False
    return future.cancelled() or isinstance(future.exception(), BrokenExecutor)


class ChildProcess:
    """A process from its parent's point of view, and a pipe to it.

    It is a fresh process ("spawn") on every system, because threads and compiled code may not
    survive a fork. When the parent is gone, for whatever reason, it ends by itself.

    Args:
        work: the function that the process runs, at the top level of a module; it receives its end
            of the pipe.
        more: further arguments of `work`.
    """

    def __init__(
        self, work: "Callable[[Connection[Any, Any], *_More], None]", *more: *_More
    ) -> None:
        context = multiprocessing.get_context(_METHOD)
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_begin, args=(work, theirs, *more), daemon=True)
        restore_main_spec()
        with deaf_to_ctrl_c():
            self._process.start()
        theirs.close()  # so that the pipe closes when the process ends

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.join()
        self.connection.close()

    def status(self) -> int | None:
        """Its exit status, once the pipe has closed; None if the process is still running."""
        self._process.join(_GRACE_SECONDS)
        return self._process.exitcode


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
