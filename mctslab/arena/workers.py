"""Play games in several processes at once.

Each process plays one game at a time and tells of every turn as it comes. So a player that ends its
process, or never answers, loses its game and nothing else: another process takes over.
"""

import pickle
import time
from collections.abc import Callable, Generator, Iterable
from itertools import islice
from multiprocessing import connection
from multiprocessing.connection import Connection
from typing import Any, Final

from mctslab.arena.fixtures import Fixture
from mctslab.arena.played import PlayedGame, Reason
from mctslab.arena.playing import Conditions, Scoresheet, play, told
from mctslab.child_processes import ChildProcess

GRACE_SECONDS: Final = 2.0
"""So much longer than allowed may a player take before its process is ended."""

_BETWEEN_LOOKS: Final = 0.2

Stop = Callable[[], bool]


class WorkerError(ValueError):
    """What was to be played cannot be played in other processes; the sentence says why."""


class StoppedError(Exception):
    """Playing was stopped from outside."""


def play_here(
    conditions: Conditions, fixtures: Iterable[Fixture], stop: Stop
) -> Generator[PlayedGame]:
    """Play the games one after the other in this process.

    A player that never answers is waited for.
    """

    def watch(sheet: Scoresheet) -> None:
        if stop():
            raise StoppedError

    try:
        for fixture in fixtures:
            yield play(conditions, fixture, watch)
    except StoppedError:
        return


def play_in_processes(
    conditions: Conditions, fixtures: Iterable[Fixture], stop: Stop, processes: int
) -> Generator[PlayedGame]:
    """Play the games in so many processes; they come in the order in which they end.

    Raises:
        WorkerError: a contestant or the game cannot be sent to another process, or a process failed
            without a player being at fault.
    """
    pickled = _pickled(conditions)
    waiting = iter(fixtures)
    workers: list[Worker] = []
    try:
        for fixture in islice(waiting, processes):
            workers.append(Worker(pickled, fixture, conditions.seconds_per_move))
        while workers and not stop():
            connection.wait([worker.connection for worker in workers], _BETWEEN_LOOKS)
            for worker in list(workers):
                game = worker.look()
                if game is None:
                    continue
                yield game
                _give_next(worker, next(waiting, None), workers, pickled)
    finally:
        for worker in workers:
            worker.end()


def _give_next(
    worker: "Worker", fixture: Fixture | None, workers: list["Worker"], pickled: bytes
) -> None:
    """Let a worker play the next game, a new one if it is gone; without a game it is sent home."""
    if fixture is not None and worker.is_alive:
        worker.begin(fixture)
        return
    worker.end()
    workers.remove(worker)
    if fixture is not None:
        workers.append(Worker(pickled, fixture, worker.seconds_per_move))


class Worker:
    """A process that plays games, as seen from the parent."""

    def __init__(self, pickled: bytes, fixture: Fixture, seconds_per_move: float | None) -> None:
        self.seconds_per_move = seconds_per_move
        self.is_alive = True
        self._sheet: Scoresheet | None = None
        self._turn_began = time.monotonic()
        self._process = ChildProcess(_work, pickled)
        self.connection = self._process.connection
        self.begin(fixture)

    def begin(self, fixture: Fixture) -> None:
        """Let it play a game."""
        self._sheet = None
        try:
            self.connection.send(fixture)
        except OSError:
            self.is_alive = False

    def look(self) -> PlayedGame | None:
        """The game, if it is over by now."""
        try:
            while self.is_alive and self.connection.poll():
                said = self.connection.recv()
                if isinstance(said, PlayedGame):
                    return said
                if not isinstance(said, Scoresheet):
                    raise WorkerError(said)
                self._sheet, self._turn_began = said, time.monotonic()
        except (EOFError, OSError):
            self.is_alive = False
        return self._lost_by_silence()

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.is_alive = False
        self._process.end()

    def _lost_by_silence(self) -> PlayedGame | None:
        """The game, if the player to move has ended the process, or takes far too long."""
        if not self.is_alive:
            status = self._process.status()
            if self._sheet is None:
                raise WorkerError(
                    f"A process of the arena ended with status {status} before it could play. "
                    'In a script, call the arena under `if __name__ == "__main__":`.'
                )
            return self._lost(Reason.CRASH, f"the process ended with status {status}")
        limit = self.seconds_per_move
        if limit is None or self._sheet is None or not self._sheet.is_thinking:
            return None
        seconds = time.monotonic() - self._turn_began
        if seconds <= limit + GRACE_SECONDS:
            return None
        self.is_alive = False
        return self._lost(
            Reason.TIME, f"no answer after {seconds:.2f} s, and {limit:g} s were allowed"
        )

    def _lost(self, reason: Reason, message: str) -> PlayedGame:
        assert self._sheet is not None
        self._sheet.note(time.monotonic() - self._turn_began, None)
        return self._sheet.lost(reason, message)


def _pickled(conditions: Conditions) -> bytes:
    try:
        return pickle.dumps(conditions)
    except Exception as error:
        raise WorkerError(_unsendable(error)) from error


def _unsendable(error: Exception) -> str:
    return (
        f"A contestant or the game cannot be sent to another process ({error}). Define it in a "
        "file of its own and import it from there, or play in this process, with processes=None."
    )


# In the process


def _work(parent: "Connection[Any, Any]", pickled: bytes) -> None:
    """Play the games that the parent sends, until it sends no more."""
    try:
        conditions = pickle.loads(pickled)
    except Exception as error:
        parent.send(_unsendable(error))
        return
    try:
        while True:
            fixture = parent.recv()
            try:
                game = play(conditions, fixture, parent.send)
            except (OSError, EOFError):
                raise
            except Exception as error:
                parent.send(f"A game could not be played: {told(error)}")
                return
            parent.send(game)
    except (OSError, EOFError):
        return  # the parent is gone
