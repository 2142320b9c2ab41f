"""Ctrl-C where it must not strike: it waits until a piece of work that cannot be cut is done.

Python raises KeyboardInterrupt between any two instructions of the main thread. Half an import of
PyTorch makes the next one crash, and in the middle of a compilation the exception is lost.
"""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Interrupt:
    """The handler of Ctrl-C while a block runs: it notes that Ctrl-C was pressed.

    Args:
        work: what the user has to wait for; it is printed at the first Ctrl-C.
    """

    def __init__(self, work: str) -> None:
        self._work = work
        self.has_come = False
        """Whether Ctrl-C was pressed; a loop can read it and end itself."""

    def __call__(self, *_: object) -> None:
        """Note it; what the block is doing is not disturbed, however often Ctrl-C is pressed."""
        if not self.has_come:
            self.has_come = True
            with suppress(Exception):  # the block may be writing to the same stream
                print(f"interrupting after {self._work} ...", file=sys.stderr)


@contextmanager
def interrupted_after(work: str) -> Iterator[Interrupt]:
    """Let Ctrl-C wait for the end of the block, such as the `work` "the compile".

    Then it does what it did before: usually KeyboardInterrupt is raised. Inside another such block
    it waits for the end of that one, and in other threads there is nothing to do, because Ctrl-C
    only ever interrupts the main thread.
    """
    before = signal.getsignal(signal.SIGINT)
    interrupt = before if isinstance(before, Interrupt) else Interrupt(work)
    is_main = threading.current_thread() is threading.main_thread()
    if interrupt is before or not is_main or not callable(before):
        yield interrupt
        return
    signal.signal(signal.SIGINT, interrupt)
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, before)
        if interrupt.has_come:
            signal.raise_signal(signal.SIGINT)
