"""Another program as a player: here we are the manager, write a line, and wait for the answer."""

import contextlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from mctslab.games.state import State
from mctslab.gomocup import keeper
from mctslab.gomocup.protocol import UNLIMITED, read_square, size_and_rule, square_text
from mctslab.players import Player, Proposal
from mctslab.search.budget import checked_seconds

SECONDS: Final = 5.0
"""The default time for a move."""
GRACE_SECONDS: Final = 2.0
"""How much later an answer can arrive, because the engine or the pipe may have been delayed."""
START_SECONDS: Final = 120.0
"""The time to get ready, which is long because some engines load large files, or compile."""
_LONGEST_MESSAGE: Final = 300


class EngineError(RuntimeError):
    """An engine breaks the protocol; the message names the engine and what it did."""


class GomocupPlayer(Player):
    """Plays the answers of an engine, a program that uses the protocol of Gomocup.

    `prepare`, or the first move, starts the program; it ends when this object is deleted. An engine
    that breaks the protocol is ended at once. For another game, it is started again.

    Args:
        command: the program and its arguments, as on a command line, with quotes around blanks.
        seconds: the engine's time for a move. An answer that comes more than two seconds later is
            an error. The arena's `seconds_per_move` is stricter.
        name: the name of this player; derived from the other arguments if not given.

    Raises:
        ValueError: there is no such program, or `seconds` is not a time.
    """

    def __init__(self, command: str, seconds: float = SECONDS, *, name: str = "") -> None:
        self._engine: EngineProcess | None = None
        self._board: State | None = None  # the position on the engine's board; None if it is empty
        self.name = name or f"gomocup:{seconds:g}s:{command}"
        self._command = split_command(command)
        self._seconds = checked_seconds(seconds)
        self._size_and_rule = (0, 0)

    def __del__(self) -> None:
        self._end()

    def prepare(self, state: State) -> None:
        """Start the engine and send it the board, the rule and the time, if it isn't ready.

        Raises:
            ValueError: an engine cannot play this game; it can play Gomoku with five in a row.
            EngineError: the engine refuses, breaks the protocol, or doesn't answer.
        """
        size, rule = wanted = size_and_rule(state)
        if self._engine and not self._engine.is_ended and wanted == self._size_and_rule:
            return
        self._end()
        self._size_and_rule = wanted
        self._engine = EngineProcess(self._command)
        answer = self._engine.ask(START_SECONDS, f"START {size}")
        if answer.split()[0].upper() != "OK":
            raise self._engine.error(f"answered START {size} with {answer!r}")
        self._engine.send(
            f"INFO timeout_turn {round(1_000 * self._seconds)}",
            "INFO timeout_match 0",
            "INFO max_memory 0",
            "INFO game_type 1",
            f"INFO rule {rule}",
        )

    def think(self, state: State) -> Iterator[Proposal]:
        """Yield one proposal, the engine's answer.

        Raises:
            ValueError: the game is over, or an engine cannot play it.
            EngineError: the answer is not a legal move, or does not arrive in time.
        """
        if state.is_terminal:
            raise ValueError(f"There is nothing to choose, because the game is over:\n{state}")
        if self._board is not None and not _follows(state, self._board):
            self._end()
        self.prepare(state)
        assert self._engine is not None
        started = time.monotonic()
        question = (f"INFO time_left {UNLIMITED}", *self._question(state))
        answer = self._engine.ask(self._seconds + GRACE_SECONDS, *question)
        try:
            action = read_square(answer, self._size_and_rule[0])
        except ValueError:
            wrong = f"should have answered with a square, but said {answer!r}"
            raise self._engine.error(wrong) from None
        if action not in state.legal_actions():
            raise self._engine.error(f"played {answer}, which is occupied")
        self._board = state.child(action)
        yield Proposal(action, progress=1.0, seconds=time.monotonic() - started)

    def _end(self) -> None:
        if self._engine is not None:
            self._engine.end()
        self._engine = self._board = None

    def _question(self, state: State) -> tuple[str, ...]:
        """The lines that request the engine's move: it is player 1 on a board."""
        size, _ = self._size_and_rule
        stones, last = state.board().stones, state.last_action
        squares = [square for square, stone in enumerate(stones) if stone in (0, 1)]
        if last is None:
            return ("BEGIN",)
        if self._board is not None or len(squares) == 1:
            return (f"TURN {square_text(last, size)}",)
        squares.sort(key=lambda square: square == last)
        owners = [1 if stones[square] == state.current_player else 2 for square in squares]
        texts = [square_text(square, size) for square in squares]
        return ("BOARD", *map("{},{}".format, texts, owners), "DONE")


class EngineProcess:
    """A program that runs until `end` is called, or until this process ends.

    Args:
        command: the program and its arguments; see `split_command`.

    Raises:
        OSError: the program cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._name = " ".join([Path(command[0]).name, *command[1:]])
        self.is_ended = False
        """Whether `end` was called."""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (open as long as the program runs)
        # In a session of its own, it does not receive the Ctrl-C that is meant for us.
        self._process = subprocess.Popen(
            [sys.executable, "-P", keeper.__file__, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # on Windows
        )

    def send(self, *lines: str) -> None:
        """Write lines; that the program has ended is noticed by the next `ask`."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.write("".join(f"{line}\r\n" for line in lines).encode())
            self._process.stdin.flush()

    def ask(self, seconds: float, *lines: str) -> str:
        """Write lines, and return the next line that is not meant for people.

        Raises:
            EngineError: the program has ended, or has not answered in time.
        """
        timer = threading.Timer(seconds, self.end)
        timer.start()
        try:
            self.send(*lines)
            assert self._process.stdout is not None
            for line in self._process.stdout:  # until a line comes, or the program has ended
                text = line.decode("utf-8", "replace").strip()
                if text and text.split()[0].upper() not in ("MESSAGE", "DEBUG"):
                    return text
        except KeyboardInterrupt:
            self.end()  # its answer to this question would follow the next one
            raise
        finally:
            timer.cancel()
        if self.is_ended:
            raise self.error(f"gave no answer to {lines[-1]!r} within {seconds:g} s")
        status, last_error = self._process.wait(), self._last_error()
        raise self.error(
            f"has ended with status {status}"
            + (f"; its last message was: {last_error}" if last_error else "")
        )

    def error(self, what: str) -> EngineError:
        """An error with the name of this program and `what` it did; ends the program."""
        self.end()
        return EngineError(f"The engine {self._name!r} {what[:_LONGEST_MESSAGE]}.")

    def end(self) -> None:
        """End the program: by END, and if that does not help, by its keeper."""
        self.is_ended = True
        self.send("END")
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=START_SECONDS)

    def _last_error(self) -> str:
        """The last line of the error output, once the program has ended."""
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - _LONGEST_MESSAGE))
        lines = self._errors.read().decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")


def split_command(command: str) -> tuple[str, ...]:
    r"""A command line as a program, with its full path, and its arguments.

    Words with blanks need quotes. On Windows a backslash is an ordinary character. A program
    without arguments needs no quotes, even if its path contains blanks.

    Raises:
        ValueError: there is no such program.
    """
    words = [command]
    if not Path(command).is_file():
        with contextlib.suppress(ValueError):  # a quote is not closed
            words = [word.strip('"') for word in shlex.split(command, posix=os.name == "posix")]
    program = shutil.which(words[0]) if words else None
    if program is None:
        raise ValueError(
            f"There is no program {command!r} to be an engine: give its path, or a name that the "
            "command line knows; put quotes around blanks."
        )
    return (os.path.abspath(program), *words[1:])


def _follows(state: State, board: State) -> bool:
    """Whether `state` is the position `board` and one move more."""
    action = state.last_action
    return action in board.legal_actions() and board.child(action) == state
