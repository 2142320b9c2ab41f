"""Another program, spoken to line by line; whatever it does, it is never waited for in vain."""

import contextlib
import os
import queue
import shlex
import shutil
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Final

from mctslab.players import engine_keeper
from mctslab.players.gomocup_text import Lines

_LINES_KEPT: Final = 100_000
"""What a program says when so many lines are unread is lost."""
_WORDS_KEPT: Final = 300
"""How much of an error message is repeated."""


class EngineError(RuntimeError):
    """An engine does not what it should: the message says what, and which engine it is."""


def split_command(command: str) -> tuple[str, ...]:
    r"""A command line as a program and its arguments, the program with its full path.

    Quotes hold together what has blanks in it. A backslash is an ordinary sign, as in a path of
    Windows. A program whose path has blanks, and that has no arguments, needs no quotes.

    Raises:
        ValueError: there is no such program.
    """
    if Path(command).is_file():
        words = [command]
    else:
        reader = shlex.shlex(command, posix=True, punctuation_chars=False)
        reader.escape, reader.commenters, reader.whitespace_split = "", "", True
        try:
            words = list(reader)
        except ValueError:
            raise ValueError(f"A quote is left open in {command!r}.") from None
    program = shutil.which(words[0]) if words else None
    if program is None:
        raise ValueError(
            f"There is no program {words[0] if words else command!r} to be an engine: give its "
            "path, or a name that the command line knows; quotes round what has blanks in it."
        )
    return (os.path.abspath(program), *words[1:])


class EngineProcess:
    """A program that is running, until `end` is called or nobody knows this object any more.

    Args:
        command: the program and its arguments; see `split_command`.
        farewell: the line that tells the program to end; if it doesn't, it is killed.

    Raises:
        OSError: the program cannot be started.
    """

    def __init__(self, command: Sequence[str], farewell: str) -> None:
        keeper = [sys.executable, "-P", engine_keeper.__file__, *command]
        self._name = " ".join([Path(command[0]).name, *command[1:]])
        # In a session of its own, it hears nothing of a Ctrl-C that is meant for us.
        self._process = subprocess.Popen(
            keeper,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # as Windows says it
        )
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._complaints: deque[str] = deque(maxlen=20)
        self._input, output, errors = _pipes(self._process)
        # The threads know the pipes only, not this object, or it would never go.
        _in_background(_read_lines, output, self._lines)
        self._listener = _in_background(_read_complaints, errors, self._complaints)
        self._finalizer = weakref.finalize(self, _let_go, self._process, farewell)
        self._finalizer.atexit = False  # the pipes end with us

    def send(self, *lines: str) -> None:
        """Write lines.

        Raises:
            EngineError: the program has ended.
        """
        try:
            self._input.write("".join(f"{line}\r\n" for line in lines).encode())
            self._input.flush()
        except OSError:
            raise self._ended() from None

    def read(self, deadline: float) -> str:
        """The next line, if it comes before `time.monotonic()` is at `deadline`.

        Raises:
            EngineError: the program has ended.
            TimeoutError: no line has come.
        """
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise TimeoutError from None
        if line is None:
            self._lines.put(None)  # for whoever asks again
            raise self._ended()
        return line

    def error(self, what: str) -> EngineError:
        """An error that says of this program `what` it did."""
        return EngineError(f"The engine {self._name!r} {what[:_WORDS_KEPT]}.")

    def end(self) -> None:
        """End the program; the second time it does nothing."""
        self._finalizer()

    def _ended(self) -> EngineError:
        try:
            status = f"with status {self._process.wait(timeout=2)}"
        except subprocess.TimeoutExpired:
            status = "to listen and to speak"
        self._listener.join(timeout=1)
        says = f"; it said: {self._complaints[-1]}" if self._complaints else ""
        return self.error(f"has ended {status}{says}")


def _in_background(work: Callable[..., object], *arguments: object) -> threading.Thread:
    thread = threading.Thread(target=work, args=arguments, daemon=True)
    thread.start()
    return thread


def _pipes(process: "subprocess.Popen[bytes]") -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    return process.stdin, process.stdout, process.stderr


def _let_go(process: "subprocess.Popen[bytes]", farewell: str) -> None:
    """Close the program's input, upon which its keeper sees that it ends."""
    with contextlib.suppress(OSError), _pipes(process)[0] as pipe:
        pipe.write(f"{farewell}\r\n".encode())
    _in_background(process.wait)  # so that no dead process is left in the system's list


def _read_lines(pipe: IO[bytes], lines: "queue.SimpleQueue[str | None]") -> None:
    """Read lines to their end, which is None."""
    for line in _lines_from(pipe):
        if lines.qsize() < _LINES_KEPT:
            lines.put(line)
    lines.put(None)


def _read_complaints(pipe: IO[bytes], complaints: "deque[str]") -> None:
    """Read what a program says of its troubles, so that it is never held up; keep the last."""
    for line in _lines_from(pipe):
        complaints.append(line)


def _lines_from(pipe: IO[bytes]) -> Iterator[str]:
    lines = Lines()
    with pipe:
        while data := os.read(pipe.fileno(), 65_536):
            yield from lines.feed(data)
