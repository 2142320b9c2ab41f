"""A match or a tournament in the background: a thread that waits for the arena's processes.

The thread goes on while a cell runs, and the kernel's interrupt does not reach it. It can be
stopped and started again; what is finished is in the arena's file.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from mctslab.arena import MatchResult, Progress, Standing, Tournament

Result: TypeAlias = MatchResult | Tournament

Play: TypeAlias = Callable[[Progress, Callable[[], bool]], Result]
"""Plays what is left, tells of every finished game, and ends early when the second says True."""

LONGEST_SHARE: Final = 0.2
"""So much of the time may go into telling of the games: the more there are, the longer it takes."""

SHORTEST_WAIT: Final = 0.2
"""Seconds between two tellings at the least."""


@dataclass(frozen=True, slots=True)
class RunListener:
    """Whom to tell; each is called in the run's thread, which then holds the lock."""

    standing: Callable[[Standing], None]
    """Some more games are finished."""
    ended: Callable[[Result], None]
    """Nothing plays any more: all is played, or it was stopped."""
    failed: Callable[[Exception], None]
    """It could not go on."""


class BackgroundRun:
    """Plays in a thread of its own, one at a time.

    Args:
        play: see `Play`.
        lock: Held during every call to a listener. It must be reentrant.
        listener: Whom to tell.
    """

    def __init__(self, play: Play, lock: "threading.RLock", listener: RunListener) -> None:
        self._play = play
        self._lock = lock
        self._listener = listener
        self._is_wanted = False
        self._thread: threading.Thread | None = None
        self._next_telling = 0.0
        self._untold: Standing | None = None

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
        """Go on playing; nothing happens if it does."""
        with self._lock:
            self._is_wanted = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="mctslab arena", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Stop soon; the games that are going on are given up."""
        with self._lock:
            self._is_wanted = False

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until nothing plays any more; whether that is so. Never call it with the lock."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)
        return not self.is_running

    def _run(self) -> None:
        try:
            while True:
                result = self._play(self._note, self._must_stop)
                with self._lock:
                    # It may have been started again before it had stopped.
                    if not self._is_wanted or result.is_complete:
                        self._is_wanted, self._thread = False, None
                        self._listener.ended(result)
                        return
        except Exception as error:  # in a thread nobody else would see it
            with self._lock:
                self._is_wanted, self._thread = False, None
                self._listener.failed(error)

    def _note(self, standing: Standing) -> None:
        self._untold = None if standing.is_last else standing
        self._tell()

    def _must_stop(self) -> bool:
        # It is asked several times a second: what came too fast to be told can be told now.
        self._tell()
        return not self._is_wanted

    def _tell(self) -> None:
        began, standing = time.monotonic(), self._untold
        if standing is None or began < self._next_telling:
            return
        self._untold = None
        with self._lock:
            self._listener.standing(standing)
        ended = time.monotonic()
        self._next_telling = ended + max(SHORTEST_WAIT, (ended - began) / LONGEST_SHARE)
