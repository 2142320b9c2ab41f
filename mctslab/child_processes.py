"""What a process needs that works for another one: to end with it, and to leave Ctrl-C to it."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import connection, resource_tracker


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


def serve_the_parent() -> None:
    """For a process that has begun: be deaf to Ctrl-C, and end when the parent is gone.

    It ends then even in the middle of a computation, and however the parent went.
    """
    # As in `deaf_to_ctrl_c`, where the system doesn't hand that on.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
