"""Games in other processes: in several of ours at once, or by an executor.

Each way is a generator of finished games; closing it ends what is still being played.

A process of ours plays one game at a time and reports every turn before it begins. So a player that
ends its process, or never answers, only loses its game, and another process takes over.
"""

import pickle
import time
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import suppress
from itertools import islice
from multiprocessing import connection
from multiprocessing.connection import Connection
from typing import Any, Final

from mctslab.arena.game import Cost, PlayedGame, Reason
from mctslab.arena.playing import PREPARING_SECONDS, Turn, in_one_line, play
from mctslab.arena.settings import Setup
from mctslab.child_processes import end_with_children, start_process

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
    running: set[Future[PlayedGame]] = set()
    try:
        while True:
            for game in islice(games, _AHEAD - len(running)):
                running.add(executor.submit(play, setup, game))
            if not running:
                return
            for future in wait(running, _BETWEEN_LOOKS, FIRST_COMPLETED).done:
                running.remove(future)
                yield future.result()
    finally:
        for future in running:
            future.cancel()


def play_in_processes(
    setup: Setup, games: Iterator[PlayedGame], processes: int
) -> Generator[PlayedGame]:
    """Play the games in several processes; they come in the order in which they end.

    Raises:
        ValueError: a contestant or the game cannot be sent to another process, or a process failed
            through no fault of a player.
    """
    pickled = _pickled(setup)
    workers: list[_Worker] = []
    try:
        while True:
            for following in islice(games, processes - len(workers)):
                workers.append(_Worker(pickled, following, setup.settings.seconds_per_move))
            if not workers:
                return
            connection.wait([worker.connection for worker in workers], _BETWEEN_LOOKS)
            for worker in list(workers):
                if (game := worker.look()) is None:
                    continue
                yield game
                if worker.is_alive and (another := next(games, None)) is not None:
                    worker.begin(another)
                else:
                    worker.end()
                    workers.remove(worker)
    finally:
        for worker in workers:
            worker.end()


class _Worker:
    """A process that plays one game after the other, as seen from the parent."""

    def __init__(self, pickled: bytes, game: PlayedGame, seconds_per_move: float | None) -> None:
        self.is_alive = True
        self._limit = seconds_per_move
        self._process, self.connection = start_process(_work, pickled)
        self.begin(game)

    def begin(self, game: PlayedGame) -> None:
        """Let it play a game."""
        self._turn: Turn | None = None
        self._turn_began = time.monotonic()
        try:
            self.connection.send(game)
        except OSError:
            self.is_alive = False

    def look(self) -> PlayedGame | None:
        """The game, if it is over by now."""
        try:
            while self.is_alive and self.connection.poll():
                message = self.connection.recv()
                if isinstance(message, PlayedGame):
                    return message
                if not isinstance(message, Turn):
                    raise ValueError(message)
                self._turn, self._turn_began = message, time.monotonic()
        except (EOFError, OSError):
            self.is_alive = False
        return self._lost_by_silence()

    def end(self) -> None:
        """End the process and what it has started, whatever they are doing."""
        end_with_children(self._process)
        self._process.join()
        self.connection.close()

    def _lost_by_silence(self) -> PlayedGame | None:
        """The game, if the player to move has ended the process, or takes far too long."""
        turn, limit = self._turn, self._limit
        seconds = time.monotonic() - self._turn_began
        if not self.is_alive:
            self._process.join(GRACE_SECONDS)  # its pipe closes a moment earlier
            status = self._process.exitcode
            if turn is None:
                raise ValueError(
                    f"A process of the arena ended with status {status} before it could play. "
                    'In a script, call the arena under `if __name__ == "__main__":`.'
                )
            reason, message = Reason.CRASH, f"the process ended with status {status}"
        elif turn and limit is not None and seconds > GRACE_SECONDS + _allowed(turn, limit):
            self.is_alive = False
            what = "no answer" if turn.is_thinking else "not ready to play"
            reason = Reason.TIME
            message = f"{what} after {seconds:.2f} s, and {_allowed(turn, limit):g} s were allowed"
        else:
            return None
        return turn.game.charged(turn.player, Cost(1, seconds)).lost(turn.player, reason, message)


def _allowed(turn: Turn, limit: float) -> float:
    """The seconds that a player has for its turn."""
    return limit if turn.is_thinking else limit + PREPARING_SECONDS


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


def _work(parent: "Connection[Any, Any]", pickled: bytes) -> None:
    """Play the games that the parent sends, until it sends no more."""
    try:
        setup = pickle.loads(pickled)
    except Exception as error:
        parent.send(_unsendable(error))
        return
    with suppress(OSError, EOFError):  # the parent is gone
        while True:
            game = parent.recv()
            try:
                game = play(setup, game, parent.send)
            except (OSError, EOFError):
                raise
            except Exception as error:
                parent.send(f"A game could not be played: {in_one_line(error)}")
                return
            parent.send(game)
