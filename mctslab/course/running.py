"""The process of a submission from the judge's side: started, watched, and ended."""

import contextlib
import inspect
import os
import queue
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import psutil

from mctslab.course import confined
from mctslab.course.keeping import progress
from mctslab.course.outline import PROJECT_FOLDER
from mctslab.course.question import Elsewhere
from mctslab.course.submission import CONFINED, NOTEBOOK, read_message, write_message
from mctslab.course.wire import GoneError, Wire, WireError

LARGEST_NOTEBOOK: Final = 20_000_000
"""Bytes; a notebook with outputs has a few hundred thousand."""

_BETWEEN_LOOKS: Final = 0.05
_SECONDS_TO_BEGIN: Final = 120.0
_LONGEST_MESSAGE: Final = 50_000_000
_MOST_MESSAGES: Final = 4
"""The number of received messages that may wait."""
_KEPT: Final = frozenset(
    {
        *("PATH", "HOME", "LANG", "LC_ALL", "VIRTUAL_ENV", "CONDA_PREFIX", "LD_LIBRARY_PATH"),
        *("SYSTEMROOT", "USERPROFILE", "TEMP", "TMP", "APPDATA", "LOCALAPPDATA", "COMSPEC"),
    }
)
"""The environment variables that a submission sees; the others may be secret."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one run of a submission."""

    seconds: float = 60.0
    megabytes: float = 2_000.0
    processes: int = 32
    """Including their threads, twice this number is allowed."""
    files: int = 1_000


USUAL: Final = Limits()


def content_of(path: Path) -> bytes:
    """The content of a file, without waiting for anything and without following a link.

    Raises:
        ValueError: it is not an ordinary file, or it is too large.
        OSError: it cannot be read.
    """
    found = os.lstat(path)
    if stat.S_ISLNK(found.st_mode):
        raise ValueError("it is a link, but the notebook itself is needed")
    if stat.S_ISDIR(found.st_mode):
        raise ValueError("it is a folder")
    if not stat.S_ISREG(found.st_mode):
        raise ValueError("it is not a file but a pipe or a device")
    if found.st_size > LARGEST_NOTEBOOK:
        raise ValueError(f"it is larger than {LARGEST_NOTEBOOK // 10**6} MB")
    with open(path, "rb", opener=_open_no_link) as stream:
        if not os.path.samestat(found, os.fstat(stream.fileno())):
            raise ValueError("it was replaced while it was read")
        return stream.read(LARGEST_NOTEBOOK)


def _open_no_link(path: str, flags: int) -> int:
    no_link = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    return os.open(path, flags | no_link)


class Running:
    """A submission in a process of its own, which ends when the `with` block is left.

    Args:
        content: the notebook.
        limits: the process is ended when it reaches one of them.
    """

    def __init__(self, content: bytes, limits: Limits) -> None:
        self._limits = limits
        self.ended = ""
        """How the process has ended, in words; empty while it runs."""
        self._folder = Path(tempfile.mkdtemp(prefix="mctslab-"))
        (self._folder / NOTEBOOK).write_bytes(content)
        self._messages: queue.Queue[bytes] = queue.Queue(_MOST_MESSAGES)
        self._deadline = time.monotonic() + _SECONDS_TO_BEGIN
        words = [] if confined.what_is_missing() else [CONFINED]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "mctslab.course.submission", *words],
            cwd=self._folder,
            env=_environment(self._folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.wire = Wire(self._send, self._receive, is_judge=True)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        threading.Thread(target=self._watch, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *given: object) -> None:
        self._end("was ended")
        _remove(self._folder)

    def begin(self) -> None:
        """Start measuring the time."""
        self._deadline = time.monotonic() + self._limits.seconds

    def function_in(self, cell: int) -> Any:
        """The function that a cell defines, to be called from here.

        Raises:
            LookupError: it defines none.
            GoneError, WireError: as `Wire.call`.
        """
        found = self.wire.call("look", cell)
        if not isinstance(found, dict) or not found:
            raise LookupError("the cell defines no function")
        if "value" in found:
            return found["value"]
        return Elsewhere(
            self._call,
            str(found.get("name")),
            _signature(found.get("parameters")),
            is_stub=found.get("is_stub") is True,
            essence=str(found.get("essence")),
        )

    def _call(self, *arguments: Any) -> Any:
        """Call the function, and print its output here."""
        try:
            value, printed = self.wire.call("call", *arguments)
        except (GoneError, WireError):
            raise
        except BaseException:
            if not self.wire.waits:  # otherwise the wait for it was ended
                print(self.wire.call("printed"), end="")
            raise
        if printed:
            print(printed, end="")
        return value

    # The pipe

    def _send(self, message: bytes) -> None:
        try:
            write_message(self._process.stdin, message)  # type: ignore[arg-type]
        except (OSError, ValueError):
            raise self._gone() from None

    def _receive(self) -> bytes:
        while True:
            try:
                return self._messages.get(timeout=_BETWEEN_LOOKS)
            except queue.Empty:
                is_over = not self._reader.is_alive() or self._process.poll() is not None
                if is_over and self._messages.empty():
                    raise self._gone() from None

    def _gone(self) -> GoneError:
        self._end("ended the process")
        return GoneError(self.ended)

    def _read(self) -> None:
        """Read everything that arrives, until nothing arrives any more."""
        try:
            while True:
                message = read_message(self._process.stdout, _LONGEST_MESSAGE)  # type: ignore[arg-type]
                while not self.ended and not self._taken_in(message):
                    pass
        except ValueError:
            self._end(f"returned more than {_LONGEST_MESSAGE // 10**6} MB")
        except (EOFError, OSError):
            pass

    def _taken_in(self, message: bytes) -> bool:
        """Whether there was room for a message, after a short wait."""
        try:
            self._messages.put(message, timeout=_BETWEEN_LOOKS)
        except queue.Full:
            return False
        return True

    # The limits

    def _watch(self) -> None:
        while not self.ended and self._process.poll() is None:
            began = time.thread_time()
            if reached := self._limit_reached():
                self._end(reached)
            # Where many programs run, a look takes milliseconds: it asks each for its parent.
            time.sleep(max(_BETWEEN_LOOKS, 20 * (time.thread_time() - began)))

    def _limit_reached(self) -> str:
        limits = self._limits
        if time.monotonic() > self._deadline:
            return f"took more than {limits.seconds:.0f} seconds"
        memory, threads, processes = _used(self._process.pid)
        if memory > limits.megabytes * 1e6:
            return f"used more than {limits.megabytes:,.0f} MB of memory"
        if processes > limits.processes or threads > 2 * limits.processes:
            return "started too many processes or threads"
        files, size = _written(self._folder, limits.files)
        if files >= limits.files:
            return f"wrote more than {limits.files:,} files"
        if size > limits.megabytes * 1e6:
            return f"wrote more than {limits.megabytes:,.0f} MB into files"
        return ""

    def _end(self, how: str) -> None:
        """End the process and everything that it has started."""
        self.ended = self.ended or how
        for each in _family(self._process.pid):
            with contextlib.suppress(psutil.Error):
                each.kill()
        if os.name == "posix":
            with contextlib.suppress(OSError):  # no process of its group is left
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()


def _signature(parameters: Any) -> inspect.Signature | None:
    if parameters is None:
        return None
    try:
        return inspect.Signature(
            [
                inspect.Parameter(
                    str(name),
                    list(inspect._ParameterKind)[kind],
                    default=None if may_be_left_out else inspect.Parameter.empty,
                )
                for name, kind, may_be_left_out in parameters
            ]
        )
    except (TypeError, ValueError, IndexError) as error:
        raise WireError("its parameters cannot be read") from error


def _environment(folder: Path) -> dict[str, str]:
    """The same package, small budgets, one thread, and files of its own."""
    return {name: value for name, value in os.environ.items() if name.upper() in _KEPT} | {
        "PYTHONPATH": str(PROJECT_FOLDER.parent),
        "PYTHONDONTWRITEBYTECODE": "1",
        "IPYTHONDIR": str(folder),
        "TMPDIR": str(folder),
        "MPLBACKEND": "agg",
        "MCTSLAB_QUICK": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        progress.HOME_VARIABLE: str(folder),
    }


def _family(pid: int) -> list[psutil.Process]:
    """A process and everything that it has started."""
    try:
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    except psutil.Error:
        return []


def _used(pid: int) -> tuple[float, int, int]:
    """The bytes of memory, the threads, and the number of the processes."""
    memory, threads, family = 0, 0, _family(pid)
    for process in family:
        with contextlib.suppress(psutil.Error):
            memory += process.memory_info().rss
            threads += process.num_threads()
    return memory, threads, len(family)


def _written(folder: Path, most: int) -> tuple[int, int]:
    """How many files are in a folder, and their bytes; counted up to a number of files."""
    count = size = 0
    waiting = [str(folder)]
    while waiting and count < most:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                count += 1
                with contextlib.suppress(OSError):
                    size += entry.stat(follow_symlinks=False).st_blocks * 512
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
    return count, size


def _remove(folder: Path) -> None:
    try:
        shutil.rmtree(folder)
    except (OSError, RecursionError):  # too deep for it
        if os.name == "posix":
            subprocess.run(["rm", "-rf", "--", folder], check=False, stderr=subprocess.DEVNULL)
