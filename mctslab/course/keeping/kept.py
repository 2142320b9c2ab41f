"""The student's functions that have passed their checks, kept as source for later notebooks.

Each is in a file of its own in the folder `mine`, next to the progress file: Python to read and to
run, in which the last definition is the function.

A function that cannot be written, such as a lambda, is kept in memory as long as this kernel runs.
"""

import ast
import linecache
from pathlib import Path
from typing import Any, Final, NamedTuple

from mctslab.course.keeping import progress
from mctslab.course.question import Function
from mctslab.typed import write_whole


def path_of(exercise: str) -> Path:
    """Where the function of an exercise is kept."""
    return progress.file().with_name("mine") / f"{exercise}.py"


def load(exercise: str, source: str) -> Function:
    """Run the source of the function of an exercise; returns the function.

    Raises:
        Exception: whatever running it raises.
    """
    # Tracebacks and `inspect` find the lines under this name; a time of None keeps them there.
    file = f"<{exercise}, {hash(source):x}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(source, file, "exec"), names)
    function: Function = names[_last_definition(source).name]
    return function


def write(exercise: str, source: str) -> None:
    """Keep the source of a function, instead of an earlier one of the same exercise.

    Raises:
        OSError: it cannot be written.
    """
    path = path_of(exercise)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, source)
    _UNWRITTEN.pop(path, None)


def read(exercise: str) -> str:
    """The source that is kept of an exercise.

    Raises:
        OSError: there is no such file, or it cannot be read.
        ValueError: it is damaged.
    """
    source = path_of(exercise).read_text("utf-8")
    _last_definition(source)
    return source


def _last_definition(source: str) -> ast.FunctionDef:
    try:
        *_, function = ast.parse(source).body
    except (SyntaxError, ValueError) as error:
        raise ValueError("it is damaged") from error
    if not isinstance(function, ast.FunctionDef):
        raise ValueError("it is damaged")
    return function


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
