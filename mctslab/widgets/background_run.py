"""A long run in the background, such as a tournament or a training: a thread that sees it through.

The thread goes on while a cell runs, and the kernel's interrupt does not reach it. It can be
stopped and started again; what is finished is in the run's files.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias


class News(Protocol):
    """A step of the run is done."""

    @property
    def is_last(self) -> bool:
        """Whether nothing more will come."""


class Outcome(Protocol):
    """What there is when the run has ended."""

    @property
    def is_complete(self) -> bool:
        """Whether all is done; else it was stopped."""


Work: TypeAlias = Callable[[Callable[[Any], object], Callable[[], bool]], Outcome]
"""Does what is left, calls the first with all news, and ends early when the second returns True."""

LONGEST_SHARE: Final = 0.2
"""So much of the time may go into telling of news: the more there are, the longer it takes."""

SHORTEST_WAIT: Final = 0.2
"""Seconds between two tellings at the least."""


@dataclass(frozen=True, slots=True)
class RunListener:
    """Callbacks; each is called in the run's thread, which then holds the lock."""

    news: Callable[[Any], None]
    """There is progress; some of it is skipped."""
    ended: Callable[[Any], None]
    """Nothing runs any more: all is done, or it was stopped."""
    failed: Callable[[Exception], None]
    """It could not go on."""


class BackgroundRun:
    """Works in a thread of its own, one at a time.

    Args:
        work: see `Work`.
        lock: Held during every call to a listener. It must be reentrant.
        listener: the callbacks.
    """

    def __init__(self, work: Work, lock: "threading.RLock", listener: RunListener) -> None:
        self._work = work
        self._lock = lock
        self._listener = listener
        self._is_wanted = False
        self._thread: threading.Thread | None = None
        self._next_telling = 0.0
        self._untold: News | None = None

    @property
    def is_running(self) -> bool:
        """Whether the thread lives; after `stop` it does for a moment."""
        with self._lock:
            return self._thread is not None

    @property
    def is_wanted(self) -> bool:
        """Whether it was started, and not stopped since."""
        with self._lock:
            return self._is_wanted

    def start(self) -> None:
        """Go on; nothing happens if it does."""
        with self._lock:
            self._is_wanted = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="mctslab run", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Stop soon; what the work has not finished is given up."""
        with self._lock:
            self._is_wanted = False

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until nothing runs any more; whether that is so. Never call it with the lock."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)
        return not self.is_running

    def _run(self) -> None:
        try:
            while True:
                outcome = self._work(self._note, self._must_stop)
                with self._lock:
                    # It may have been started again before it had stopped.
                    if not self._is_wanted or outcome.is_complete:
                        self._is_wanted, self._thread = False, None
                        self._listener.ended(outcome)
                        return
        except Exception as error:  # a thread would swallow it
            with self._lock:
                self._is_wanted, self._thread = False, None
                self._listener.failed(error)

    def _note(self, news: News) -> None:
        self._untold = None if news.is_last else news
        self._tell()

    def _must_stop(self) -> bool:
        # It is called several times a second, so progress that came too fast is reported now.
        self._tell()
        return not self._is_wanted

    def _tell(self) -> None:
        began, news = time.monotonic(), self._untold
        if news is None or began < self._next_telling:
            return
        self._untold = None
        with self._lock:
            self._listener.news(news)
        ended = time.monotonic()
        self._next_telling = ended + max(SHORTEST_WAIT, (ended - began) / LONGEST_SHARE)
