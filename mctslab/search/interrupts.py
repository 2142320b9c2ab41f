"""Ctrl-C where it must not strike: it waits for a moment at which it can do no harm.

Python raises KeyboardInterrupt between any two instructions of the main thread. In the middle of a
simulation that would leave a tree half updated; half an import of PyTorch makes the next one crash,
and in a compilation the exception is lost. So both replace the handler of Ctrl-C by one that only
notes it. A search reads the note between two simulations, and raises KeyboardInterrupt there.
"""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Interrupt:
    """The handler of Ctrl-C while a block runs: it notes that Ctrl-C was pressed.

    Args:
        work: what the user has to wait for, which is printed at the first Ctrl-C. Without it the
            block is a search: a second Ctrl-C does not wait, for a rollout that never ends. Then
            the tree can be half a simulation off.
    """

    def __init__(self, work: str = "") -> None:
        self.work = work
        self.has_come = False
        """Whether Ctrl-C was pressed."""

    def __call__(self, *_: object) -> None:
        """Note it."""
        if self.work and not self.has_come:
            with suppress(Exception):  # the block may be writing to the same stream
                print(f"interrupting after {self.work} ...", file=sys.stderr)
        elif self.has_come and not self.work:
            self.has_come = False
            raise KeyboardInterrupt
        self.has_come = True

    def check(self) -> None:
        """Raise KeyboardInterrupt if Ctrl-C was pressed."""
        if self.has_come:
            self.has_come = False
            raise KeyboardInterrupt


@contextmanager
def interrupted_after(work: str = "") -> Iterator[Interrupt]:
    """Let Ctrl-C wait for the end of the block, such as the `work` "the compile"; or, without
    `work`, for the next `check` of a search.

    Then it does what it did before: usually KeyboardInterrupt is raised. Inside a block of the same
    kind, or of one that has to be waited for, it is that block's. In other threads there is nothing
    to do, because Ctrl-C only ever interrupts the main thread.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield Interrupt(work)
        return
    if isinstance(before, Interrupt) and (before.work or not work):
        yield Interrupt(work) if before.work else before
        return
    interrupt = Interrupt(work)
    signal.signal(signal.SIGINT, interrupt)
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, before)
        if interrupt.has_come:
            signal.raise_signal(signal.SIGINT)
