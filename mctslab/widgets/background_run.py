"""A long run in the background, such as a training: a thread that finishes it.

The thread keeps running while a cell runs, and interrupting the kernel does not stop it. It can be
stopped and started again; whatever is finished is in the run's files.
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
        """Whether this was the last step."""


class Outcome(Protocol):
    """What is known when the run has ended."""

    @property
    def is_complete(self) -> bool:
        """Whether everything is done; otherwise the run was stopped."""


Work: TypeAlias = Callable[[Callable[[Any], object], Callable[[], bool]], Outcome]
"""Does the rest of the work: calls the first with all news, ends early when the second returns
True."""

LONGEST_SHARE: Final = 0.2
"""The largest share of the time that is spent on reporting news, which takes longer the more there
is."""

SHORTEST_WAIT: Final = 0.2
"""The least number of seconds between two reports."""


@dataclass(frozen=True, slots=True)
class RunListener:
    """Callbacks; each is called in the run's thread, which then holds the lock."""

    news: Callable[[Any], None]
    """There is progress; not every step is reported."""
    ended: Callable[[Any], None]
    """The run has ended: everything is done, or it was stopped."""
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
        """Whether the thread is alive; after `stop` it still is for a moment."""
        with self._lock:
            return self._thread is not None

    @property
    def is_wanted(self) -> bool:
        """Whether it was started and has not been stopped since."""
        with self._lock:
            return self._is_wanted

    def start(self) -> None:
        """Start or continue; nothing happens if it is running."""
        with self._lock:
            self._is_wanted = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="mctslab run", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Stop soon; unfinished work is discarded."""
        with self._lock:
            self._is_wanted = False

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the run has ended; whether it has. Never call this while holding the lock."""
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
        except Exception as error:  # otherwise it would be lost in the thread
            with self._lock:
                self._is_wanted, self._thread = False, None
                self._listener.failed(error)

    def _note(self, news: News) -> None:
        self._untold = None if news.is_last else news
        self._tell()

    def _must_stop(self) -> bool:
        # This is called several times a second, so progress that came too fast is reported now.
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
