"""Another program that reads and writes lines; we never wait forever for its answer."""

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

from mctslab.gomocup import engine_keeper
from mctslab.gomocup.protocol import Lines

_LINES_KEPT: Final = 100_000
"""While this number of lines is unread, further ones are dropped."""
_LONGEST_MESSAGE: Final = 300


class EngineError(RuntimeError):
    """An engine breaks the protocol; the message names the engine and what it did."""


def split_command(command: str) -> tuple[str, ...]:
    r"""A command line as a program, with its full path, and its arguments.

    Words with blanks need quotes. A backslash is an ordinary character, as in a Windows path. A
    program without arguments needs no quotes, even if its path contains blanks.

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
            raise ValueError(f"A quote is not closed in {command!r}.") from None
    program = shutil.which(words[0]) if words else None
    if program is None:
        raise ValueError(
            f"There is no program {words[0] if words else command!r} to be an engine: give its "
            "path, or a name that the command line knows; put quotes around blanks."
        )
    return (os.path.abspath(program), *words[1:])


class EngineProcess:
    """A program that runs until `end` is called or this object is no longer referenced.

    Args:
        command: the program and its arguments; see `split_command`.
        farewell: the line after which the program should end; if it doesn't, it is killed.

    Raises:
        OSError: the program cannot be started.
    """

    def __init__(self, command: Sequence[str], farewell: str) -> None:
        keeper = [sys.executable, "-P", engine_keeper.__file__, *command]
        self._name = " ".join([Path(command[0]).name, *command[1:]])
        # In a session of its own, it does not receive the Ctrl-C that is meant for us.
        self._process = subprocess.Popen(
            keeper,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # on Windows
        )
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._errors: deque[str] = deque(maxlen=20)
        self._input, output, errors = _pipes(self._process)
        # The threads refer to the pipes and not to this object, which would otherwise never be
        # freed.
        _in_background(_read_lines, output, self._lines)
        self._reader_of_errors = _in_background(_read_errors, errors, self._errors)
        self._finalizer = weakref.finalize(self, _let_end, self._process, farewell)
        self._finalizer.atexit = False  # the pipes end with our process

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
        """The next line, if it comes before `time.monotonic()` reaches `deadline`.

        Raises:
            EngineError: the program has ended.
            TimeoutError: no line has arrived.
        """
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise TimeoutError from None
        if line is None:
            self._lines.put(None)  # for the next call
            raise self._ended()
        return line

    def error(self, what: str) -> EngineError:
        """An error with the name of this program and `what` it did."""
        return EngineError(f"The engine {self._name!r} {what[:_LONGEST_MESSAGE]}.")

    def end(self) -> None:
        """End the program; a second call does nothing."""
        self._finalizer()

    def _ended(self) -> EngineError:
        try:
            status = f"has ended with status {self._process.wait(timeout=2)}"
        except subprocess.TimeoutExpired:
            status = "has closed its input or output"
        self._reader_of_errors.join(timeout=1)
        return self.error(
            status + (f"; its last message was: {self._errors[-1]}" if self._errors else "")
        )


def _in_background(work: Callable[..., object], *arguments: object) -> threading.Thread:
    thread = threading.Thread(target=work, args=arguments, daemon=True)
    thread.start()
    return thread


def _pipes(process: "subprocess.Popen[bytes]") -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    return process.stdin, process.stdout, process.stderr


def _let_end(process: "subprocess.Popen[bytes]", farewell: str) -> None:
    """Close the program's input; then its keeper makes sure that it ends."""
    with contextlib.suppress(OSError), _pipes(process)[0] as pipe:
        pipe.write(f"{farewell}\r\n".encode())
    _in_background(process.wait)  # so that no dead process stays in the system's list


def _read_lines(pipe: IO[bytes], lines: "queue.SimpleQueue[str | None]") -> None:
    """Read lines; None marks their end."""
    for line in _lines_from(pipe):
        if lines.qsize() < _LINES_KEPT:
            lines.put(line)
    lines.put(None)


def _read_errors(pipe: IO[bytes], errors: "deque[str]") -> None:
    """Read the error output, which would hold the program up when its pipe is full."""
    for line in _lines_from(pipe):
        errors.append(line)


def _lines_from(pipe: IO[bytes]) -> Iterator[str]:
    lines = Lines()
    with pipe:
        while data := os.read(pipe.fileno(), 65_536):
            yield from lines.feed(data)
