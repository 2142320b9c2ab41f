"""Games in other processes: in several of ours at once, or by an executor.

Each way is a generator of finished games; closing it ends what is still being played.

A process of ours plays one game at a time and notes every turn before it begins. So a player that
ends its process, or never answers, only loses its game, and another process takes over.
"""

import faulthandler
import os
import pickle
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from functools import lru_cache
from itertools import islice
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

from mctslab.arena.game import Cost, PlayedGame, Reason
from mctslab.arena.playing import PREPARING_SECONDS, Turn, in_one_line, play
from mctslab.arena.settings import Setup
from mctslab.child_processes import Processes

Allowed: TypeAlias = Mapping[bool, float] | None
"""The seconds that a player has to think (True) and to get ready (False); None for no limit."""

GRACE_SECONDS: Final = 2.0
"""How long after the time limit a player's process is ended."""

_BETWEEN_LOOKS: Final = 0.2
_AHEAD: Final = 200
"""Games given to an executor at once, so that none of its workers has to wait for its next."""


def play_by_executor(
    setup: Setup, games: Iterator[PlayedGame], executor: Executor
) -> Generator[PlayedGame]:
    """Play each game as a call of an executor; they come in the order in which they end.

    Raises:
        ValueError: a contestant or the game cannot be sent to another process.
        Exception: what the executor raises when its processes are gone.
    """
    _pickled(setup)
    return _as_they_end(
        games, _AHEAD, lambda game: executor.submit(play, setup, game), lambda call: call.result()
    )


def play_in_processes(
    setup: Setup, games: Iterator[PlayedGame], processes: int
) -> Generator[PlayedGame]:
    """Play the games in several processes; they come in the order in which they end.

    Raises:
        ValueError: a contestant or the game cannot be sent to another process, or a process failed
            through no fault of a player.
    """
    pickled, limit = _pickled(setup), setup.settings.seconds_per_move
    allowed = None if limit is None else {True: limit, False: limit + PREPARING_SECONDS}
    idle: list[Processes] = []
    at_work: dict[Future[PlayedGame], tuple[Processes, BaseProcess, Path]] = {}

    def begin(game: PlayedGame) -> Future[PlayedGame]:
        pool = idle.pop() if idle else pools.enter_context(Processes(1))
        file = Path(folder, f"{game.pairing} {game.number}")
        future = pool.submit(_play, game, pickled, file, allowed, GRACE_SECONDS)
        (process,) = pool.processes
        at_work[future] = pool, process, file
        return future

    def result(future: Future[PlayedGame]) -> PlayedGame:
        pool, process, file = at_work.pop(future)
        try:
            game = future.result()
        except BrokenProcessPool:
            pool.shutdown()
            return _lost(file, f"ended with status {process.exitcode}", allowed)
        idle.append(pool)
        file.unlink()
        return game

    with TemporaryDirectory() as folder, ExitStack() as pools:
        yield from _as_they_end(games, processes, begin, result)


def _as_they_end(
    games: Iterator[PlayedGame],
    most: int,
    begin: Callable[[PlayedGame], Future[PlayedGame]],
    result: Callable[[Future[PlayedGame]], PlayedGame],
) -> Generator[PlayedGame]:
    """Begin games, `most` at once, and yield each when it is over."""
    running: set[Future[PlayedGame]] = set()
    try:
        while True:
            running.update(map(begin, islice(games, most - len(running))))
            if not running:
                return
            for future in wait(running, _BETWEEN_LOOKS, FIRST_COMPLETED).done:
                running.remove(future)
                yield result(future)
    finally:
        for future in running:
            future.cancel()


def _lost(file: Path, ended: str, allowed: Allowed) -> PlayedGame:
    """The game of a process that has ended, lost by the player whose turn it was."""
    noted = file.read_bytes() if file.exists() else b""
    if not noted:
        raise ValueError(
            f"A process of the arena {ended} before it could play. "
            'In a script, call the arena under `if __name__ == "__main__":`.'
        )
    turn, began = pickle.loads(noted)
    seconds = time.time() - began
    reason, message = Reason.CRASH, f"the process {ended}"
    if allowed is not None and seconds > (limit := allowed[turn.is_thinking]):
        what = "no answer" if turn.is_thinking else "not ready to play"
        message = f"{what} after {seconds:.2f} s, and {limit:g} s were allowed"
        reason = Reason.TIME
    game: PlayedGame = turn.game.charged(turn.player, Cost(1, seconds))
    return game.lost(turn.player, reason, message)


def _pickled(setup: Setup) -> bytes:
    try:
        return pickle.dumps(setup)
    except Exception as error:
        raise ValueError(_unsendable(error)) from error


def _unsendable(error: Exception) -> str:
    return (
        f"A contestant or the game cannot be sent to another process ({error}). Define it in a "
        "file of its own and import it from there, or play in this process, with processes=None."
    )


# In the process


@lru_cache(1)
def _unpickled(pickled: bytes) -> Setup:
    try:
        setup: Setup = pickle.loads(pickled)
    except Exception as error:
        raise ValueError(_unsendable(error)) from error
    return setup


def _play(
    game: PlayedGame, pickled: bytes, file: Path, allowed: Allowed, grace: float
) -> PlayedGame:
    """Play a game. Each turn is written into a file before it begins, and a turn that takes far too
    long ends the process, even if its code never comes back to Python.
    """
    setup = _unpickled(pickled)
    with open(os.devnull, "w") as nowhere, open(file, "wb", buffering=0) as noted:

        def watch(turn: Turn) -> None:
            noted.seek(0)  # what is left behind a shorter turn is not read
            noted.write(pickle.dumps((turn, time.time())))
            if allowed is not None:
                seconds = allowed[turn.is_thinking] + grace
                faulthandler.dump_traceback_later(seconds, exit=True, file=nowhere)

        try:
            return play(setup, game, watch)
        except Exception as error:
            raise ValueError(f"A game could not be played: {in_one_line(error)}") from error
        finally:
            faulthandler.cancel_dump_traceback_later()
