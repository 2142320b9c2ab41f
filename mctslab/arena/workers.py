"""Play games in this process, in several at once, or on the workers of a cluster.

A process of ours plays one game at a time and reports every turn before it begins. So a player that
ends its process, or never answers, only loses its game, and another process takes over.
"""

import pickle
import time
from collections.abc import Callable, Generator, Iterable
from itertools import islice
from multiprocessing import connection
from multiprocessing.connection import Connection
from typing import Any, Final

from mctslab.arena.played import PlayedGame, Reason
from mctslab.arena.playing import Scoresheet, in_one_line, play
from mctslab.arena.settings import Fixture, Settings
from mctslab.child_processes import ChildProcess
from mctslab.cluster_tasks import Cluster, Task

GRACE_SECONDS: Final = 2.0
"""How long after the time limit a player's process is ended."""

_BETWEEN_LOOKS: Final = 0.2

Stop = Callable[[], bool]


class StoppedError(Exception):
    """Playing was stopped from outside."""


def play_here(settings: Settings, fixtures: Iterable[Fixture], stop: Stop) -> Generator[PlayedGame]:
    """Play the games one after the other in this process, where a silent player cannot be ended."""

    def watch(sheet: Scoresheet) -> None:
        if stop():
            raise StoppedError

    try:
        for fixture in fixtures:
            yield play(settings, fixture, watch)
    except StoppedError:
        return


def play_in_processes(
    settings: Settings, fixtures: Iterable[Fixture], stop: Stop, processes: int
) -> Generator[PlayedGame]:
    """Play the games in several processes; they come in the order in which they end.

    Raises:
        ValueError: a contestant or the game cannot be sent to another process, or a process failed
            through no fault of a player.
    """
    waiting = iter(fixtures)
    workers: list[_Worker] = []
    try:
        pickled = pickle.dumps(settings)
    except Exception as error:
        raise ValueError(_unsendable(error)) from error
    try:
        for fixture in islice(waiting, processes):
            workers.append(_Worker(pickled, fixture, settings.seconds_per_move))
        while workers and not stop():
            connection.wait([worker.connection for worker in workers], _BETWEEN_LOOKS)
            for worker in list(workers):
                if (game := worker.look()) is None:
                    continue
                yield game
                following = next(waiting, None)
                if following is not None and worker.is_alive:
                    worker.begin(following)
                    continue
                worker.end()
                workers.remove(worker)
                if following is not None:
                    workers.append(_Worker(pickled, following, settings.seconds_per_move))
    finally:
        for worker in workers:
            worker.end()


_AHEAD: Final = 8
"""Games given to a cluster for each of its workers, so that none has to wait for its next."""


def connect(address: str, **options: Any) -> Cluster:
    """The cluster whose scheduler has this address, for matches and tournaments.

    Args:
        address: of the scheduler, as in `Cluster`.
        options: as in `Cluster`.

    Raises:
        ClusterError: Dask is not installed, or no scheduler answers.
        ValueError: this is not an address.
    """
    from mctslab.net.playing import RoundProbe  # loads PyTorch
    from mctslab.net.training_config import TrainingConfig

    return Cluster(address, probe=RoundProbe(TrainingConfig()), **options)


def play_on_cluster(
    settings: Settings, fixtures: Iterable[Fixture], stop: Stop, cluster: Cluster
) -> Generator[PlayedGame]:
    """Play the games on a cluster; they come in the order in which they end.

    Raises:
        ClusterError: the scheduler is gone, or a game ended several workers.
        ValueError: a contestant or the game cannot be sent to another process.
    """
    try:
        shared = cluster.share(settings)
    except Exception as error:
        raise ValueError(_unsendable(error)) from error
    waiting = iter(fixtures)
    running: list[Task[PlayedGame]] = []
    try:
        while not stop():
            wanted = _AHEAD * max(1, cluster.num_workers()) - len(running)
            for fixture in islice(waiting, max(0, wanted)):
                name = f"Game {fixture.number} between {_names(settings, fixture)}"
                running.append(cluster.submit(name, _play, fixture, shared=shared))
            if not running:
                return
            if (task := cluster.first_done(running)) is not None:
                running.remove(task)
                yield task.result()
    finally:
        for task in running:
            task.cancel()


def _play(fixture: Fixture, settings: Settings) -> PlayedGame:
    return play(settings, fixture)


def _names(settings: Settings, fixture: Fixture) -> str:
    return " and ".join(settings.names[place] for place in fixture.pairing)


class _Worker:
    """A process that plays games, as seen from the parent."""

    def __init__(self, pickled: bytes, fixture: Fixture, seconds_per_move: float | None) -> None:
        self.is_alive = True
        self._limit = seconds_per_move
        self._process = ChildProcess(_work, pickled)
        self.connection = self._process.connection
        self.begin(fixture)

    def begin(self, fixture: Fixture) -> None:
        """Let it play a game."""
        self._sheet: Scoresheet | None = None
        self._turn_began = time.monotonic()
        try:
            self.connection.send(fixture)
        except OSError:
            self.is_alive = False

    def look(self) -> PlayedGame | None:
        """The game, if it is over by now."""
        try:
            while self.is_alive and self.connection.poll():
                message = self.connection.recv()
                if isinstance(message, PlayedGame):
                    return message
                if not isinstance(message, Scoresheet):
                    raise ValueError(message)
                self._sheet, self._turn_began = message, time.monotonic()
        except (EOFError, OSError):
            self.is_alive = False
        return self._lost_by_silence()

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.is_alive = False
        self._process.end()

    def _lost_by_silence(self) -> PlayedGame | None:
        """The game, if the player to move has ended the process, or takes far too long."""
        sheet, limit = self._sheet, self._limit
        seconds = time.monotonic() - self._turn_began
        if not self.is_alive:
            status = self._process.status()
            if sheet is None:
                raise ValueError(
                    f"A process of the arena ended with status {status} before it could play. "
                    'In a script, call the arena under `if __name__ == "__main__":`.'
                )
            reason, message = Reason.CRASH, f"the process ended with status {status}"
        elif (
            sheet is None
            or not sheet.is_thinking
            or limit is None
            or seconds <= limit + GRACE_SECONDS
        ):
            return None
        else:
            self.is_alive = False
            message = f"no answer after {seconds:.2f} s, and {limit:g} s were allowed"
            reason = Reason.TIME
        sheet.note(seconds, None)
        return sheet.lost(reason, message)


def _unsendable(error: Exception) -> str:
    return (
        f"A contestant or the game cannot be sent to another process ({error}). Define it in a "
        "file of its own and import it from there, or play in this process, with processes=None."
    )


# In the process


def _work(parent: "Connection[Any, Any]", pickled: bytes) -> None:
    """Play the games that the parent sends, until it sends no more."""
    try:
        settings = pickle.loads(pickled)
    except Exception as error:
        parent.send(_unsendable(error))
        return
    try:
        while True:
            fixture = parent.recv()
            try:
                game = play(settings, fixture, parent.send)
            except (OSError, EOFError):
                raise
            except Exception as error:
                parent.send(f"A game could not be played: {in_one_line(error)}")
                return
            parent.send(game)
    except (OSError, EOFError):
        return  # the parent is gone
