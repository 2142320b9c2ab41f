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
import functools
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import _bootstrap
from typing import Any, Final

MOST_PRINTED: Final = 2_000
"""Characters of the function's output that are kept."""

_STORM_SECONDS: Final = 0.3
_SHOWER_SECONDS: Final = 0.5
_BETWEEN_DROPS: Final = 0.002
_SLICE: Final = 0.1
_WAITING_COUNTS: Final = 0.2
"""How much of the time counts in which a function only waits, perhaps because the computer is busy.
With a fifth, it can take five times its limit."""
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


def call(function: Callable[..., object], arguments: Sequence[object], seconds: float) -> Called:
    """Call `function(*arguments)` for at most `seconds`.

    Raises:
        NestedCallError: this was called from inside such a call.
    """
    if _INSIDE.get():
        raise NestedCallError("a function that is being checked cannot start a check itself")
    worker = _Worker(functools.partial(function, *arguments))
    with _ONE_AT_A_TIME, _kept_apart(worker):
        try:
            worker.start()
            too_slow = not worker.ends_within(seconds, but_for_imports=_LONGEST_IMPORT)
        finally:  # also when the kernel is interrupted meanwhile
            stuck = not worker.stop()
            if stuck or worker.error is not None:
                settle()
    printed = "".join(worker.printed)
    if too_slow:
        return Called(too_slow=True, stuck=stuck, printed=printed)
    return Called(worker.value, worker.error, printed=printed)


def call_to_its_end(
    function: Callable[..., object], arguments: Sequence[object], seconds: float
) -> Called:
    """Call `function(*arguments)`, and give it up only if it has no end.

    What takes long is called once more, and now the lines of Python that it runs are counted: it is
    given up after as many as take about `seconds`. So the result is the same on a computer that is
    busy or slow. A limit of time, several times as long, is left for what runs hardly any lines,
    such as a loop in C.

    Raises:
        NestedCallError: this was called from inside such a call.
    """
    called = call(function, arguments, _SOON * seconds)
    if not called.too_slow or called.stuck:
        return called
    lines = _Lines(int(_LINES_A_SECOND * seconds))
    settle()
    called = call(lines.counted, (function, *arguments), _AT_LAST * seconds)
    if lines.are_too_many:
        return Called(too_slow=True, stuck=called.stuck, printed=called.printed)
    return called


class _Lines:
    """Counts the lines that a function runs, also in what it calls, and stops it after `most`."""

    def __init__(self, most: int) -> None:
        self._left = most

    @property
    def are_too_many(self) -> bool:
        """Whether it was stopped."""
        return self._left < 0

    def counted(self, function: Callable[..., object], *arguments: object) -> object:
        """What the function returns."""

        def count(*_: object) -> Any:
            self._left -= 1
            if self._left < 0:
                raise SystemExit
            return count

        sys.settrace(count)
        try:
            return function(*arguments)
        finally:
            sys.settrace(None)


_SOON: Final = 0.5
_LINES_A_SECOND: Final = 1_000_000
_AT_LAST: Final = 8.0

_ONE_AT_A_TIME: Final = threading.Lock()
"""Two calls at once would restore each other's replacements of `sys.stdout` and `input`."""

_INSIDE: Final = contextvars.ContextVar("_INSIDE", default=False)


class _Worker:
    """A thread in which a function runs.

    It is a bare thread because in a `threading.Thread` Python code runs after the function, in
    which an exception from outside could still arrive and would be printed.
    """

    def __init__(self, function: Callable[[], object]) -> None:
        self.value: object = None
        self.error: BaseException | None = None
        self.printed: list[str] = []
        self.ident: int | None = None
        self._function = function
        self._is_stopped = False
        # A copy of the caller's context, so that what is displayed lands under the caller's cell.
        self._context = contextvars.copy_context()
        self._context.run(_INSIDE.set, True)
        self._noted = threading.Event()
        self._starting = threading.Lock()
        self._running = threading.Lock()
        # A SystemExit ends a bare thread without a message.
        self._time_is_up: Any = type("TimeIsUp", (SystemExit,), {})

    def start(self) -> None:
        """Start the thread, and wait until `stop` can reach it.

        An interrupt can come at any moment, even before it is recorded which thread was started. So
        the thread waits for the record, and calls nothing if `stop` comes first.
        """
        self._running.acquire()
        self._starting.acquire()
        self.ident = _thread.start_new_thread(self._run, ())
        self._noted.set()
        self._starting.acquire()

    def _run(self) -> None:
        try:
            self._noted.wait()
            if self.ident is None or self._is_stopped:
                return
            take_back = functools.partial(_set_exception, threading.get_ident(), None)
            self._starting.release()
            try:
                self.value = self._context.run(self._function)
            except BaseException as error:
                # The storm of `stop` may be on. In these two statements the interpreter does not
                # deliver the next exception, and after them there is none.
                self._time_is_up.__init__ = BaseException.__init__
                take_back()
                self.error = error
        finally:
            self._running.release()

    def ends_within(self, seconds: float, but_for_imports: float = 0.0) -> bool:
        """Wait for the function to end; whether it has.

        What counts is this process's processor time, so that a busy computer does not make an
        answer wrong, but at least a part of the time that passes. The wait is cut into slices, so
        that an interrupt arrives between them on Windows too. Up to `but_for_imports` seconds of
        importing do not count, and an import is not broken off: the module would stay half made,
        and whoever imports it next could wait for it for ever.
        """
        began, computed = time.monotonic(), time.process_time()
        while not self._running.acquire(timeout=max(0.0, min(_SLICE, seconds))):
            spent, began = time.monotonic() - began, time.monotonic()
            used, computed = time.process_time() - computed, time.process_time()
            if but_for_imports > 0 and self._imports():
                but_for_imports -= spent
                continue
            seconds -= min(spent, max(used, _WAITING_COUNTS * spent))  # several threads can compute
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

        An exception that is raised in the thread from outside may be caught by the function
        itself. So its class raises the next one in the very moment in which one is made (its
        `__init__` is the C function that does so): a handler is hit by the next before it can
        start over. Where the interpreter puts such an exception back into the handled block (a
        habit of Python 3.12), single ones at odd moments get further; they follow the storm.
        """
        self._is_stopped = True  # in a thread that has not begun yet, an exception would be lost
        self._noted.set()
        if self.ident is None or self.ends_within(0.0):
            return True
        strike = functools.partial(_set_exception, self.ident, id(self._time_is_up))
        self._time_is_up.__init__ = staticmethod(strike)
        strike()
        if self.ends_within(_STORM_SECONDS):
            return True
        self._time_is_up.__init__ = BaseException.__init__
        until = time.monotonic() + _SHOWER_SECONDS
        while time.monotonic() < until:
            strike()
            if self.ends_within(_BETWEEN_DROPS):
                return True
        return False


def settle() -> None:
    """Let Python notice that no exception is on its way from outside any more.

    Since one was taken back, the interpreter looks for it in every round of every loop. In Python
    3.11 it would even look for ever where code is traced or profiled, so call this before. It stops
    when one has arrived.
    """
    has_arrived = threading.Lock()
    has_arrived.acquire()
    _thread.start_new_thread(_strike_oneself, (has_arrived,))
    has_arrived.acquire()


def _strike_oneself(has_arrived: threading.Lock) -> None:
    try:
        _set_exception(threading.get_ident(), id(SystemExit))
        while True:
            pass
    except SystemExit:
        has_arrived.release()


_set_exception: Final = ctypes.PYFUNCTYPE(None, ctypes.c_ulong, ctypes.c_void_p)(
    ("PyThreadState_SetAsyncExc", ctypes.pythonapi)
)
"""Raise the class at an address in a thread, as soon as it runs; None takes it back."""


@contextmanager
def _kept_apart(worker: _Worker) -> Iterator[None]:
    """While this lasts, keep what the worker prints, and answer its `input()` with an error."""
    ask, out, err = builtins.input, sys.stdout, sys.stderr

    def refuse(prompt: object = "", /) -> str:
        if threading.get_ident() == worker.ident:
            raise InputRequestedError("input() was called")
        return ask(prompt)

    builtins.input = refuse
    sys.stdout, sys.stderr = _Redirected(out, worker), _Redirected(err, worker)
    try:
        yield
    finally:
        builtins.input, sys.stdout, sys.stderr = ask, out, err


class _Redirected:
    """A stream that keeps the worker's output; that of other threads goes where it went before."""

    def __init__(self, original: Any, worker: _Worker) -> None:
        self._original = original
        self._worker = worker

    def write(self, text: str) -> int:
        if threading.get_ident() != self._worker.ident:
            written: int = self._original.write(text)
            return written
        space = MOST_PRINTED - sum(map(len, self._worker.printed))
        if space > 0:
            self._worker.printed.append(text if len(text) <= space else text[:space] + " ...")
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)
