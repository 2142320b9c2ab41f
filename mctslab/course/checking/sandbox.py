"""Call a function that a student wrote, and return to the caller whatever it does.

The function runs in a thread of its own, on every system and from every kind of caller: the main
thread of a notebook's kernel, one of its subshells, a script. When its time is up an exception is
raised in that thread, again and again until it has left the function, so that even a loop around a
bare `except:` ends.

Two things cannot be stopped from within one process: a call into C that never returns, such as
`sum(itertools.count())`, and one that ends the process. Grading therefore runs every submission in
a process of its own.
"""

import _thread
import builtins
import contextvars
import ctypes
import io
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import partial
from importlib import _bootstrap
from typing import Any, Final

MOST_PRINTED: Final = 2_000
"""Characters of the function's output that are kept."""

_STORM_SECONDS: Final = 0.3
_SHOWER_SECONDS: Final = 0.5
_BETWEEN_DROPS: Final = 0.002
_SLICE: Final = 0.1
_LONGEST_IMPORT: Final = 60.0


class InputRequestedError(Exception):
    """The function called `input()`, which cannot be answered here."""


class NestedCallError(Exception):
    """A function that is being run here tried to run another one here."""


@dataclass(frozen=True, slots=True)
class Called:
    """How a call ended."""

    value: Any = None
    """What the function returned."""
    error: BaseException | None = None
    """What it raised."""
    too_slow: bool = False
    """It was still running when its time was up; then there is neither a value nor an error."""
    stuck: bool = False
    """It could not even be stopped and goes on in the background."""
    printed: str = ""
    """The part of its output that was kept."""


def call(
    function: Callable[..., object],
    arguments: Sequence[object],
    seconds: float,
    waiting_counts: float = 0.5,
) -> Called:
    """Call `function(*arguments)` for at most `seconds`.

    Args:
        function: what is called.
        arguments: its arguments.
        seconds: the processor time that it may take.
        waiting_counts: how much of the time counts in which it only waits, perhaps because the
            computer is busy. With a half, it can take twice its limit.

    Raises:
        NestedCallError: this was called from inside such a call.
    """
    check_not_inside()
    worker, printed = _Worker(function, arguments), _Printed()
    with _ONE_AT_A_TIME, _kept_apart(printed):
        try:
            worker.start()
            too_slow = not worker.ends_within(seconds, _LONGEST_IMPORT, waiting_counts)
        finally:  # also when the kernel is interrupted meanwhile
            stuck = not worker.stop()
    if too_slow:
        return Called(too_slow=True, stuck=stuck, printed=printed.text)
    return Called(worker.value, worker.error, printed=printed.text)


def check_not_inside() -> None:
    """Raise NestedCallError if this is called from inside a call."""
    if _INSIDE.get():
        raise NestedCallError("a function that is being checked cannot start a check itself")


_ONE_AT_A_TIME: Final = threading.Lock()
"""Two calls at once would restore each other's replacements of `sys.stdout` and `input`."""

_INSIDE: Final = contextvars.ContextVar("_INSIDE", default=False)


class _Worker:
    """A thread in which a function runs.

    It is a bare thread because in a `threading.Thread` Python code runs after the function, in
    which an exception from outside could still arrive and would be printed.
    """

    def __init__(self, function: Callable[..., object], arguments: Sequence[object]) -> None:
        self.value: object = None
        self.error: BaseException | None = None
        self.ident: int | None = None
        self._function = partial(function, *arguments)
        self._is_stopped = False
        # A copy of the caller's context, so that what is displayed lands under the caller's cell.
        self._context = contextvars.copy_context()
        self._context.run(_INSIDE.set, True)
        self._noted = threading.Event()
        self._running = threading.Lock()
        # A SystemExit ends a bare thread without a message.
        self._time_is_up: Any = type("TimeIsUp", (SystemExit,), {})

    def start(self) -> None:
        """Start the thread.

        An interrupt can come at any moment, even before it is recorded which thread was started. So
        the thread waits for the record, and calls nothing if `stop` comes first.
        """
        self._running.acquire()
        self.ident = _thread.start_new_thread(self._run, ())
        self._noted.set()

    def _run(self) -> None:
        try:
            self._noted.wait()
            if self.ident is None or self._is_stopped:
                return
            sys.settrace(threading.gettrace())  # a debugger stops in the function, too
            self.value = self._context.run(self._function)
        except BaseException as error:
            # Another exception of `stop` can be on its way. It arrives after the lock is released,
            # because the interpreter delivers none before the next call has returned.
            self._time_is_up.__init__ = BaseException.__init__
            self.error = error
        finally:
            self._running.release()

    def ends_within(
        self, seconds: float, but_for_imports: float = 0.0, waiting_counts: float = 0.5
    ) -> bool:
        """Wait for the function to end; whether it has.

        What counts is this process's processor time, so that a busy computer does not make an
        answer wrong, but at least a part of the time that passes. The wait is cut into slices, so
        that an interrupt arrives between them on Windows too. Up to `but_for_imports` seconds of
        importing do not count.
        """
        began, computed = time.monotonic(), time.process_time()
        while not self._running.acquire(timeout=max(0.0, min(_SLICE, seconds))):
            spent, began = time.monotonic() - began, time.monotonic()
            used, computed = time.process_time() - computed, time.process_time()
            if but_for_imports > 0 and self._imports():
                but_for_imports -= spent
                continue
            seconds -= min(spent, max(used, waiting_counts * spent))  # several threads can compute
            if seconds <= 0:
                if self._running.acquire(blocking=False):  # it ended at the last moment
                    break
                return False
        self._running.release()
        return True

    def _imports(self) -> bool:
        """Whether the thread is importing a module at this moment.

        It holds the lock of the module until then. (To walk over its frames while it runs could
        crash Python.)
        """
        locks = [lock() for lock in list(_bootstrap._module_locks.values())]  # type: ignore[attr-defined]
        return any(lock is not None and lock.owner == self.ident for lock in locks)

    def stop(self) -> bool:
        """Make the function end if it is still running; gives up, and says False, within seconds.

        Another thread does it, because in Python 3.11 no traced or profiled function can be called
        while an exception is on its way to any thread; this one may be profiled, but only waits.
        """
        self._is_stopped = True  # in a thread that has not begun yet, an exception would be lost
        self._noted.set()
        if self.ident is None or self.ends_within(0.0):
            return True
        is_done = threading.Lock()
        is_done.acquire()
        _thread.start_new_thread(self._strike, (is_done,))
        is_done.acquire()
        return self.ends_within(0.0)

    def _strike(self, is_done: _thread.LockType) -> None:
        """Raise exceptions in the thread until the function ends, and at last one in this thread.

        An import is not broken off: the module would stay half made, and whoever imports it next
        could wait for it for ever.

        An exception that is raised from outside may be caught by the function itself. So its class
        raises the next one in the very moment in which one is made (its `__init__` is the C
        function that does so): a handler is hit by the next before it can start over. Where the
        interpreter puts such an exception back into the handled block (a habit of Python 3.12),
        single ones at odd moments get further; they follow the storm.
        """
        try:
            self.ends_within(_BETWEEN_DROPS, but_for_imports=_LONGEST_IMPORT)
            again = partial(_set_exception, self.ident, id(self._time_is_up))
            self._time_is_up.__init__ = staticmethod(again)
            again()
            if not self.ends_within(_STORM_SECONDS):
                self._time_is_up.__init__ = BaseException.__init__
                until = time.monotonic() + _SHOWER_SECONDS
                while not self.ends_within(_BETWEEN_DROPS) and time.monotonic() < until:
                    again()
            # While an exception has not arrived, because its thread is gone or waits in C code,
            # Python 3.11 looks for one at every call, in all threads, until any exception arrives.
            _set_exception(threading.get_ident(), id(SystemExit))
            while True:
                pass
        finally:
            is_done.release()


_set_exception: Final = ctypes.PYFUNCTYPE(None, ctypes.c_ulong, ctypes.c_void_p)(
    ("PyThreadState_SetAsyncExc", ctypes.pythonapi)
)
"""Raise the class at an address in a thread, as soon as it runs."""


@contextmanager
def _kept_apart(printed: "_Printed") -> Iterator[None]:
    """While this lasts, keep what is printed, and answer `input()` with an error."""

    def refuse(prompt: object = "", /) -> str:
        raise InputRequestedError("input() was called")

    ask, builtins.input = builtins.input, refuse
    try:
        with redirect_stdout(printed), redirect_stderr(printed):
            yield
    finally:
        builtins.input = ask


class _Printed(io.TextIOBase):
    """A stream that keeps the beginning of what is written into it."""

    text = ""

    def write(self, text: str) -> int:
        if len(self.text) < MOST_PRINTED:
            self.text += text
            if len(self.text) > MOST_PRINTED:
                self.text = f"{self.text[:MOST_PRINTED]} ..."
        return len(text)
