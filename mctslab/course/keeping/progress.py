"""What a student has done so far, in a small file in their own data folder.

The file is a convenience: if something is wrong with it, checks still work, and one sentence says
what is wrong. Two kernels may write at once; each reads the file, adds to it and replaces it, while
the other one waits.
"""

import functools
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final

import msgspec
import platformdirs
from filelock import FileLock, Timeout

from mctslab.course.result import Outcome
from mctslab.typed import Number, write_whole

HOME_VARIABLE: Final = "MCTSLAB_HOME"
"""The environment variable that names another folder for the file."""

_SECONDS_FOR_LOCK: Final = 2.0


@dataclass(frozen=True, slots=True)
class ExerciseProgress:
    """How far a student has come with one exercise."""

    solved: str | None = None
    """The date when it was right for the first time, in ISO form; None: not yet."""
    last_was_right: bool = True
    """Whether the last check of a function that was no longer the stub found it right."""
    reason: str = ""
    """Why it was wrong, as far as that is known."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a student has predicted, and whether it came true."""

    guess: str | list[float]
    """The chosen option, the two ends of a range, or the values of a curve."""
    confidence: Number | None
    """How sure the student was, in percent; None for a curve."""
    came_true: bool | None
    """None for a curve, which is neither right nor wrong."""


@dataclass(frozen=True, slots=True)
class Rung:
    """A player of the student's own, and how it did in the match of its notebook."""

    name: str
    game: str
    """The title of the game."""
    own: list[str]
    """The exercises whose functions in it were the student's."""
    lent: list[str]
    """Those whose functions were the package's."""
    points: dict[str, float]
    """Against each opponent; a draw counts half a point."""
    num_games: Number
    """The games against each opponent."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The content of the file."""

    exercises: dict[str, ExerciseProgress] = field(default_factory=dict)
    """Those that were attempted, by their names."""
    predictions: dict[str, Prediction] = field(default_factory=dict)
    """By their names."""
    rungs: dict[str, Rung] = field(default_factory=dict)
    """By the numbers of their notebooks."""
    quizzes: dict[str, list[int]] = field(default_factory=dict)
    """The places of the options that were chosen "before" and "after" the course."""


def is_graded() -> bool:
    """Whether nbgrader runs this notebook, to grade it or because the student validates it."""
    return "NBGRADER_EXECUTION" in os.environ


def file() -> Path:
    """The path of the progress file; when nbgrader runs a notebook, it is one for this run only.

    Otherwise a notebook that is graded would find the functions of the one that was graded before.

    Raises:
        OSError: MCTSLAB_HOME begins with a `~` and the name of a user who does not exist.
    """
    home = _folder_of_this_run().name if is_graded() else os.environ.get(HOME_VARIABLE)
    try:
        folder = Path(home).expanduser() if home else platformdirs.user_data_path("mctslab", False)
    except RuntimeError as error:
        raise OSError(f"{HOME_VARIABLE}={home} names the home of an unknown user") from error
    return folder / "progress.json"


@functools.cache
def _folder_of_this_run() -> "tempfile.TemporaryDirectory[str]":
    return tempfile.TemporaryDirectory(prefix="mctslab-")


def load() -> Progress:
    """The content of the file; nothing where it cannot be read, which `change` reports."""
    try:
        return _read(file())
    except (OSError, ValueError):
        return Progress()


def change(make: Callable[[Progress], object]) -> list[str]:
    """Let `make` change the content of the file; returns remarks about the file, if any."""
    notes: list[str] = []
    try:
        path = file()
    except OSError as error:
        return [f"Your progress is not saved: {error}. Everything else works."]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_suffix(".lock"), timeout=_SECONDS_FOR_LOCK):
            try:
                content = _read(path)
            except ValueError:
                content, notes = Progress(), [_set_aside(path)]
            known = msgspec.to_builtins(content)
            make(content)
            new = msgspec.to_builtins(content)
            if new != known or not path.exists():
                after = _with_unknown(_entries(path), known, new)
                text = msgspec.json.encode(after, order="deterministic")
                write_whole(path, msgspec.json.format(text))
            return notes
    except Timeout:
        return [f"Your progress was not saved because another program locks {path}."]
    except (OSError, NotImplementedError) as error:  # the latter: a disk without file locks
        reason = getattr(error, "strerror", None) or type(error).__name__
        return [f"Your progress is not saved in {path} ({reason}). Everything else works."]


def of(exercise: str) -> ExerciseProgress:
    """How far the student has come with an exercise."""
    return load().exercises.get(exercise, ExerciseProgress())


def record(exercise: str, outcome: Outcome, reason: str = "") -> list[str]:
    """Add the outcome of a check, and why, to the file; returns remarks about the file, if any."""
    if outcome is Outcome.NOT_ATTEMPTED:
        return []

    def add(content: Progress) -> None:
        is_right = outcome is Outcome.RIGHT
        before = content.exercises.get(exercise, ExerciseProgress()).solved
        solved = before or (date.today().isoformat() if is_right else None)
        content.exercises[exercise] = ExerciseProgress(solved, is_right, reason)

    return change(add)


def _set_aside(path: Path) -> str:
    """Rename a file that cannot be read as progress; returns a remark about that."""
    now = datetime.now()
    aside = path.with_name(f"progress-damaged-{now:%Y%m%d-%H%M%S-%f}.json")
    os.replace(path, aside)
    renamed = f"It was renamed to {aside}, and a new one was begun."
    return f"The file with your progress was damaged. {renamed}"


def _read(path: Path) -> Progress:
    """The content of the file, nothing if there is none.

    Raises:
        ValueError: it is damaged.
        OSError: it cannot be read.
    """
    return msgspec.convert(_entries(path), Progress)


def _entries(path: Path) -> Any:
    """The content of the file as plain data; the errors are those of `_read`."""
    # An editor may have put a mark in front, and a later version more fields inside.
    return msgspec.json.decode(path.read_text("utf-8-sig")) if path.exists() else {}


def _with_unknown(stored: Any, known: Any, after: Any) -> Any:
    """`after`, with the entries of `stored` that this version does not know, as `known` shows."""
    if isinstance(stored, dict) and isinstance(known, dict) and isinstance(after, dict):
        for name, entry in stored.items():
            if name not in known:
                after.setdefault(name, entry)
            elif name in after:
                after[name] = _with_unknown(entry, known[name], after[name])
    return after
