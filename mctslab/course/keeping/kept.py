"""The student's functions that have passed their checks, kept as source for later notebooks.

Each is in a file of its own in the folder `mine`, next to the progress file: a few lines about its
origin, as comments, and then Python to read and to run.

A function that cannot be written, such as a lambda, is kept in memory as long as this kernel runs.
"""

import linecache
import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final, NamedTuple

from mctslab.course.keeping import progress
from mctslab.course.question import Function
from mctslab.typed import write_whole

_HEAD: Final = re.compile(
    r"# exercise: (?P<exercise>\w+)\n# notebook: (?P<notebook>\d\d)\n"
    r"# checked: (?P<checked>\d{4}-\d\d-\d\d)\n# attempts: (?P<attempts>\d+)\n"
    r"# function: (?P<function>\w+)\n\n\n"
)


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

    def load(self) -> Function:
        """Run the source; returns the function.

        Raises:
            Exception: whatever running it raises.
        """
        # Tracebacks and `inspect` find the lines under this name; a time of None keeps them there.
        file = f"<{self.exercise}, {hash(self.source):x}>"
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
    write_whole(
        path,
        f"# exercise: {kept.exercise}\n# notebook: {kept.notebook}\n# checked: {kept.checked}\n"
        f"# attempts: {kept.attempts}\n# function: {kept.function}\n\n\n{kept.source}",
    )
    _UNWRITTEN.pop(path, None)


def read(exercise: str) -> Kept:
    """What is kept of an exercise.

    Raises:
        OSError: there is no such file, or it cannot be read.
        ValueError: it is damaged.
    """
    path = path_of(exercise)
    text = path.read_text("utf-8")
    found = _HEAD.match(text)
    if found is None or found["exercise"] != exercise:
        raise ValueError(f"{path} is damaged")
    checked, attempts = date.fromisoformat(found["checked"]), int(found["attempts"])
    source = text[found.end() :]
    return Kept(exercise, found["notebook"], checked, attempts, found["function"], source)


class Passed(NamedTuple):
    """A function that has passed its check and could not be written."""

    function: Function
    reason: str
    """Why not; ends a sentence with "because"."""


def remember(exercise: str, passed: Passed) -> None:
    """Keep a function in memory, instead of an earlier one of the same exercise."""
    _UNWRITTEN[path_of(exercise)] = passed


def remembered(exercise: str) -> Passed | None:
    """The function in memory, which is later than the one that was written; None without one."""
    return _UNWRITTEN.get(path_of(exercise))


class _Unwritten(dict[Path, Passed]):
    """By the paths where they would be, because another folder of progress has other functions."""


_UNWRITTEN: Final = _Unwritten()
