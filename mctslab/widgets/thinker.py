"""A player's thinking in the background, so that the page stays alive.

A search as a task of the event loop would stand still while a cell runs; a thread goes on. A
thread can't be stopped from outside, and the kernel's interrupt doesn't reach it either. So the
thinking comes in slices (`player.think` hands out a thought about ten times a second), and after
each slice it is asked whether anybody still wants the answer.
"""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from mctslab.games.state import State
from mctslab.players import Player, Proposal
from mctslab.search import NotEnoughSimulationsError

PUBLISH_SECONDS: Final = 0.1
PATIENCE: Final = 0.15
"""Seconds for which a player that has to decide now may go on with what it is doing."""
_POLL_SECONDS: Final = 0.02

PATIENCE_WITH_PREPARING: Final = 0.5
"""Seconds after which it is said that a player still gets ready."""

# Two searches at once would halve each other's budgets, which are seconds of this one process:
# the second waits. A lock is the one thing that has to be shared by everybody here.
_ONE_SEARCH_AT_A_TIME: Final = threading.Lock()


@dataclass(frozen=True, slots=True)
class Listener:
    """Whom to tell; each is called in the thinking thread, which then holds the thinker's lock."""

    waiting: Callable[[], None]
    """Another search in this process has to end first."""
    preparing: Callable[[], None]
    """The player still gets ready; told only where that takes a while."""
    started: Callable[[], None]
    """The player begins now."""
    thought: Callable[[Proposal], None]
    """What the player thinks so far, at most ten times a second."""
    decided: Callable[[Proposal], None]
    """The player's last thought: its decision."""
    failed: Callable[[Exception], None]
    """The player made no decision, or it or a listener raised this exception."""


@dataclass(frozen=True, slots=True)
class _Latest:
    """What was thought last, and who wants to know."""

    thought: Proposal
    listener: Listener


class Thinker:
    """Lets one player think at a time, in a thread of its own.

    Args:
        lock: Held during every call to a listener. Whoever holds it and calls `start` or
            `cancel` can be sure that the thinking before that is never heard of again. It must
            be reentrant, as a listener may call `start`.
    """

    def __init__(self, lock: "threading.RLock") -> None:
        self._lock = lock
        self._generation = 0
        self._must_decide = False
        self._latest: _Latest | None = None
        self._thread: threading.Thread | None = None

    def start(
        self, player: Player, state: State, listener: Listener, *, delay: float = 0.0
    ) -> None:
        """Let `player` think about `state` after `delay` seconds.

        What was thought about before is given up.
        """
        with self._lock:
            self._generation += 1
            self._must_decide = False
            self._latest = None
            self._thread = threading.Thread(
                target=self._run,
                args=(self._generation, player, state, listener, delay),
                name="mctslab thinking",
                daemon=True,
            )
            self._thread.start()

    def decide_now(self) -> None:
        """End the thinking with the best so far; with the first thought if there is none yet.

        A player in the middle of something slow, such as an evaluation of many positions, isn't
        waited for.
        """
        with self._lock:
            self._must_decide = True
            timer = threading.Timer(PATIENCE, self._decide_for, [self._generation])
            timer.daemon = True
            timer.start()

    def cancel(self) -> None:
        """Give the thinking up; its listener hears no more."""
        with self._lock:
            self._generation += 1

    def wait(self, seconds: float) -> bool:
        """Wait until the last thread has ended; whether it has. Never call it with the lock."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)
        return thread is None or not thread.is_alive()

    def _run(
        self, generation: int, player: Player, state: State, listener: Listener, delay: float
    ) -> None:
        time.sleep(delay)
        try:
            decision = self._take_turn(generation, player, state, listener)
        except Exception as error:  # whatever a player raises must be seen by somebody
            self._tell(generation, listener.failed, error)
        else:
            if decision is not None:
                self._decide(generation, listener, decision)

    def _decide(self, generation: int, listener: Listener, decision: Proposal) -> None:
        try:
            self._tell(generation, listener.decided, decision)
        except Exception as error:  # an illegal move, for instance
            self._tell(generation, listener.failed, error)

    def _decide_for(self, generation: int) -> None:
        """Decide in the place of a player that is asked to, and doesn't."""
        with self._lock:
            latest = self._latest
            if generation == self._generation and latest is not None:
                self._generation += 1  # what it still comes to is too late
                self._decide(self._generation, latest.listener, latest.thought)

    def _take_turn(
        self, generation: int, player: Player, state: State, listener: Listener
    ) -> Proposal | None:
        """Think once nobody else in this process does; None if it was given up."""
        if not _ONE_SEARCH_AT_A_TIME.acquire(blocking=False):
            self._tell(generation, listener.waiting)
            while not _ONE_SEARCH_AT_A_TIME.acquire(timeout=_POLL_SECONDS):
                if generation != self._generation:
                    return None
        try:
            self._prepare(generation, player, state, listener)
            if not self._tell(generation, listener.started):
                return None
            return self._think(generation, player, player.think(state), listener)
        finally:
            _ONE_SEARCH_AT_A_TIME.release()

    def _prepare(self, generation: int, player: Player, state: State, listener: Listener) -> None:
        """Let the player get ready; it may compile for some seconds, and no clock runs yet."""
        telling = threading.Timer(
            PATIENCE_WITH_PREPARING, self._tell, [generation, listener.preparing]
        )
        telling.daemon = True
        telling.start()
        try:
            player.prepare(state)
        finally:
            telling.cancel()

    def _think(
        self, generation: int, player: Player, thoughts: Iterator[Proposal], listener: Listener
    ) -> Proposal | None:
        """The last of `thoughts`; None if they were given up."""
        latest: Proposal | None = None
        next_time = 0.0
        try:
            for latest in thoughts:
                if not self._note(generation, latest, listener):
                    return None
                if self._must_decide:
                    return latest
                if time.monotonic() >= next_time:
                    self._tell(generation, listener.thought, latest)
                    next_time = time.monotonic() + PUBLISH_SECONDS
        except NotEnoughSimulationsError:
            # Time was too short to try every move. On a slow machine that is no reason to end a
            # game: as at Stop, the best so far is played.
            if latest is None:
                raise
        if latest is None:
            raise ValueError(f"{player.name} ended its thinking without a move.")
        return latest

    def _note(self, generation: int, thought: Proposal, listener: Listener) -> bool:
        """Keep `thought` in case that there will be no other; whether anybody still wants it."""
        with self._lock:
            if generation != self._generation:
                return False
            self._latest = _Latest(thought, listener)
            return True

    def _tell(
        self, generation: int, message: Callable[..., None], *arguments: Proposal | Exception
    ) -> bool:
        """Whether anybody still wanted to hear it."""
        with self._lock:
            if generation != self._generation:
                return False
            message(*arguments)
            return True
