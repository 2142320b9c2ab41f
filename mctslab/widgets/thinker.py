"""A player's thinking in the background, so that the page stays alive.

As a task of the event loop, a search would stand still while a cell runs, but a thread continues. A
thread can't be stopped from outside, not even by interrupting the kernel. So the thinking is done
in slices (`player.think` yields a proposal about ten times a second), and after each slice the
thread checks whether its answer is still wanted.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from mctslab.games.state import State
from mctslab.players import Player, Proposal
from mctslab.search import NotEnoughSimulationsError

PUBLISH_SECONDS: Final = 0.08
"""Seconds between two proposals that are shown, of a player that has them all the time."""
PATIENCE: Final = 0.15
"""Seconds that a player that has to decide now gets to finish its current step."""
PATIENCE_WITH_PREPARING: Final = 0.5
"""Seconds after which `preparing` is called."""
_POLL_SECONDS: Final = 0.02

# Two searches at once would halve each other's budgets, which are seconds of this process, so the
# second one waits. This lock is the one thing that all thinkers must share.
_ONE_SEARCH_AT_A_TIME: Final = threading.Lock()


Hear: TypeAlias = Callable[[str, Any], None]
"""What is called with the events of one search, in the thinking thread, with the lock held:

waiting: another search in this process has to end first.
preparing: the player is still getting ready; not called if that is quick.
started: the player begins now.
proposed: with the `Proposal` that the player has found so far, at most ten times a second.
decided: with the player's last proposal, its decision.
failed: with an exception: the player made no decision, or the player or this function raised it.
"""


@dataclass(slots=True, eq=False)
class _Search:
    """One search, and what is known about it so far."""

    player: Player
    state: State
    hear: Hear
    latest: Proposal | None = None
    must_decide: bool = False


class Thinker:
    """Lets one player think at a time, in a thread of its own.

    Args:
        lock: Held while anything is told. A thread that holds it and calls `start` or `cancel` can
            be sure that nothing of an earlier search is told after that. It must be reentrant,
            because whoever is told may call `start`.
    """

    def __init__(self, lock: "threading.RLock") -> None:
        self._lock = lock
        self._search: _Search | None = None  # the one that is wanted; removed as soon as it is over
        self._thread: threading.Thread | None = None

    def start(self, player: Player, state: State, hear: Hear, *, delay: float = 0.0) -> None:
        """Let `player` think about `state` after `delay` seconds; an earlier search is
        discarded."""
        with self._lock:
            self._search = _Search(player, state, hear)
            self._thread = threading.Thread(
                target=self._run, args=(self._search, delay), name="mctslab thinking", daemon=True
            )
            self._thread.start()

    def decide_now(self) -> None:
        """End the thinking with the best move so far, or with the first proposal if there is none
        yet. This does not wait for a slow step of the player, such as an evaluation of many
        positions.
        """
        with self._lock:
            if self._search is not None:
                self._search.must_decide = True
                timer = threading.Timer(PATIENCE, self._decide_for, [self._search])
                timer.daemon = True
                timer.start()

    def cancel(self) -> None:
        """Discard the search; nothing is told of it any more."""
        with self._lock:
            self._search = None

    def wait(self, seconds: float) -> bool:
        """Wait until the last thread has ended; whether it has.

        Never call this while holding the lock.
        """
        thread = self._thread
        if thread is not None:
            thread.join(seconds)
        return thread is None or not thread.is_alive()

    def _run(self, search: _Search, delay: float) -> None:
        time.sleep(delay)
        try:
            if self._take_turn(search):
                self._decide(search)
        except Exception as error:  # otherwise it would be lost in the thread
            self._tell(search, "failed", error)

    def _decide(self, search: _Search) -> None:
        with self._lock:
            if search is not self._search:
                return
            if search.latest is None:
                raise ValueError(f"{search.player.name} stopped thinking without choosing a move.")
            self._search = None  # what the player finds after this is too late
            try:
                search.hear("decided", search.latest)
            except Exception as error:  # an illegal move, for instance
                search.hear("failed", error)

    def _decide_for(self, search: _Search) -> None:
        """Decide for a player that should have decided by now."""
        if search.latest is not None:
            self._decide(search)

    def _take_turn(self, search: _Search) -> bool:
        """Think once no other search runs in this process; whether it is still wanted then."""
        if not _ONE_SEARCH_AT_A_TIME.acquire(blocking=False):
            self._tell(search, "waiting")
            while not _ONE_SEARCH_AT_A_TIME.acquire(timeout=_POLL_SECONDS):
                if search is not self._search:
                    return False
        try:
            self._prepare(search)
            return self._tell(search, "started") and self._think(search)
        finally:
            _ONE_SEARCH_AT_A_TIME.release()

    def _prepare(self, search: _Search) -> None:
        """Let the player get ready, which can take a few seconds of compiling; no clock runs
        yet."""
        timer = threading.Timer(PATIENCE_WITH_PREPARING, self._tell, [search, "preparing"])
        timer.daemon = True
        timer.start()
        try:
            search.player.prepare(search.state)
        finally:
            timer.cancel()

    def _think(self, search: _Search) -> bool:
        """Think to the end; whether the decision is still wanted then."""
        next_time = 0.0
        try:
            for proposal in search.player.think(search.state):
                search.latest = proposal
                if search is not self._search:
                    return False
                if search.must_decide:
                    return True
                if time.monotonic() >= next_time:
                    self._tell(search, "proposed", proposal)
                    next_time = time.monotonic() + PUBLISH_SECONDS
        except NotEnoughSimulationsError:
            # There was too little time to try every move. On a slow machine this should not end the
            # game, so the best move so far is played, as after Stop.
            if search.latest is None:
                raise
        return True

    def _tell(self, search: _Search, event: str, found: Any = None) -> bool:
        """Tell what happened, if the search is still wanted; whether it is."""
        with self._lock:
            if search is not self._search:
                return False
            search.hear(event, found)
            return True
