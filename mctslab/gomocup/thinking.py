"""A thread in which players think, while the program goes on listening."""

import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mctslab.gomocup.session import Turn
from mctslab.players import Proposal


@dataclass(frozen=True, slots=True)
class Considered:
    """A player has a thought."""

    turn: Turn
    thought: Proposal


@dataclass(frozen=True, slots=True)
class Finished:
    """A player has ended its thinking, by an error or without."""

    turn: Turn
    error: Exception | None


class Thinker:
    """Thinks about one turn at a time.

    A player cannot be interrupted, only left when it has its next thought, and the same player must
    not be asked twice at once: so a new turn waits until the one before is left.

    Args:
        tell: is told what comes of a turn, in the thinker's thread.
    """

    def __init__(self, tell: Callable[[Considered | Finished], object]) -> None:
        self._tell = tell
        self._turn: Turn | None = None
        self._waiting: queue.SimpleQueue[Turn] = queue.SimpleQueue()
        threading.Thread(target=self._work, name="mctslab thinking", daemon=True).start()

    def think_about(self, turn: Turn | None) -> None:
        """Think about this, or with None about nothing, and no longer about anything else."""
        if turn is self._turn:
            return
        self._turn = turn
        if turn is not None:
            self._waiting.put(turn)

    def _work(self) -> None:
        while True:
            turn = self._waiting.get()
            if turn is not self._turn:
                continue
            for news in self._thoughts(turn):
                if turn is not self._turn:
                    break
                self._tell(news)

    def _thoughts(self, turn: Turn) -> Iterator[Considered | Finished]:
        try:
            for thought in turn.player.think(turn.state):
                yield Considered(turn, thought)
        except Exception as error:  # whatever a player raises has to be told
            yield Finished(turn, error)
        else:
            yield Finished(turn, None)
