"""The student's functions that have passed their checks, kept as source for later notebooks.

Each is in a file of its own in the folder `mine`, next to the progress file: a few lines about its
origin, as comments, and then Python to read and to run. One of these lines is a seal, made with a
key that is stored elsewhere and never leaves this computer. So a file that was copied from another
person or changed by hand is recognized, and is not run unless the student says so.

A function that cannot be written, such as a lambda, is kept in memory as long as this kernel runs.
"""

import hashlib
import hmac
import linecache
import os
import re
import secrets
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final, NamedTuple

import platformdirs
from filelock import FileLock

from mctslab.course import progress
from mctslab.course.question import Function
from mctslab.typed import write_whole

KEY_VARIABLE: Final = "MCTSLAB_KEY"
"""The environment variable that names another file for the key."""

_SECONDS_FOR_LOCK: Final = 2.0
_LENGTH_OF_DIGEST: Final = 12
_HEAD: Final = re.compile(
    r"# exercise: (?P<exercise>\w+)\n# notebook: (?P<notebook>\d\d)\n"
    r"# checked: (?P<checked>\d{4}-\d\d-\d\d)\n# attempts: (?P<attempts>\d+)\n"
    r"# function: (?P<function>\w+)\n# seal: (?P<seal>\w+)\n\n\n"
)


class StrangerError(ValueError):
    """A file whose seal was not made with the key of this computer."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A function that has passed its check."""

    exercise: str
    notebook: str
    """The number of the notebook that the exercise belongs to: `03`."""
    checked: date
    attempts: int
    """The number of checks of the exercise until then."""
    function: str
    """The name of the function in the source."""
    source: str
    """The function, with everything of the student's own that it uses."""

    @property
    def digest(self) -> str:
        """Twelve letters and digits; they differ for another source."""
        return hashlib.sha256(self.source.encode()).hexdigest()[:_LENGTH_OF_DIGEST]

    def load(self) -> Function:
        """Run the source; returns the function.

        Raises:
            Exception: whatever running it raises.
        """
        # Tracebacks and `inspect` find the lines under this name; a time of None keeps them there.
        file = f"<{self.exercise}, {self.digest}>"
        lines = self.source.splitlines(keepends=True)
        linecache.cache[file] = (len(self.source), None, lines, file)
        names: dict[str, Any] = {"__name__": "__main__"}
        exec(compile(self.source, file, "exec"), names)
        function: Function = names[self.function]
        return function


def path_of(exercise: str) -> Path:
    """Where the function of an exercise is kept."""
    return progress.file().with_name("mine") / f"{exercise}.py"


def write(kept: Kept) -> None:
    """Keep a function, instead of an earlier one of the same exercise.

    Raises:
        OSError: it cannot be written.
    """
    path = path_of(kept.exercise)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, _text(kept, _seal(kept, _key())))
    _IN_MEMORY.pop(kept.exercise)


def read(exercise: str, *, trust: bool = False) -> Kept:
    """What is kept of an exercise.

    Args:
        exercise: its name.
        trust: accept a file that comes from elsewhere, and seal it.

    Raises:
        StrangerError: the file comes from elsewhere, or was changed.
        OSError: there is no such file, or it cannot be read.
        ValueError: it is damaged.
    """
    path = path_of(exercise)
    text = path.read_text("utf-8")
    found = _HEAD.match(text)
    if found is None or found["exercise"] != exercise:
        raise ValueError(f"{path} is damaged")
    kept = Kept(
        exercise,
        found["notebook"],
        date.fromisoformat(found["checked"]),
        int(found["attempts"]),
        found["function"],
        text[found.end() :],
    )
    if not hmac.compare_digest(found["seal"], _seal(kept, _key())):
        if not trust:
            raise StrangerError(f"{path} was not written on this computer, or was changed later")
        write(kept)
    return kept


class Passed(NamedTuple):
    """A function that has passed its check and could not be written."""

    function: Function
    reason: str
    """Why not; ends a sentence with "because"."""


def remember(exercise: str, passed: Passed) -> None:
    """Keep a function in memory, instead of an earlier one of the same exercise."""
    _IN_MEMORY.put(exercise, passed)


def remembered(exercise: str) -> Passed | None:
    """The function in memory, which is later than the one that was written; None without one."""
    return _IN_MEMORY.get(exercise)


class _InMemory:
    """Functions by the paths where they would be: another folder of progress has others."""

    def __init__(self) -> None:
        self._passed: dict[Path, Passed] = {}

    def put(self, exercise: str, passed: Passed) -> None:
        self._passed[path_of(exercise)] = passed

    def get(self, exercise: str) -> Passed | None:
        return self._passed.get(path_of(exercise))

    def pop(self, exercise: str) -> None:
        self._passed.pop(path_of(exercise), None)


_IN_MEMORY: Final = _InMemory()


def _text(kept: Kept, seal: str) -> str:
    return (
        f"# exercise: {kept.exercise}\n# notebook: {kept.notebook}\n# checked: {kept.checked}\n"
        f"# attempts: {kept.attempts}\n# function: {kept.function}\n# seal: {seal}\n\n\n"
        f"{kept.source}"
    )


def _seal(kept: Kept, key: bytes) -> str:
    return hmac.new(key, _text(kept, "").encode(), hashlib.sha256).hexdigest()


def _key() -> bytes:
    """The key of this computer and this user, created when it is first needed.

    Its folder is not the one of the progress, so that copying the progress does not copy the key.

    Raises:
        OSError: it cannot be read or written.
    """
    named = os.environ.get(KEY_VARIABLE)
    path = Path(named) if named else platformdirs.user_config_path("mctslab-key") / "key"
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with FileLock(path.with_suffix(".lock"), timeout=_SECONDS_FOR_LOCK):
            if not path.exists():  # another kernel may have been quicker
                write_whole(path, secrets.token_bytes(32))
                path.chmod(0o600)
    return path.read_bytes()
