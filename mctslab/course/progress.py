"""What a student has done so far, in a small file in their own data folder.

The file is a convenience: whatever is wrong with it, a check gives its answer all the same, and
says in a sentence what is the matter. Two kernels may write at once; each reads what is there,
adds to it and replaces the file, while the other waits.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

import platformdirs
from filelock import FileLock, Timeout

from mctslab.course.files import write_text
from mctslab.course.result import Outcome

HOME_VARIABLE: Final = "MCTSLAB_HOME"
"""The environment variable that names another folder for the file."""

_FILE_NAME: Final = "progress.json"
_SECONDS_FOR_LOCK: Final = 2.0


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a student has come with one exercise."""

    attempts: int = 0
    """Checks of something that had been written."""
    solved: str | None = None
    """When it was right for the first time, as an ISO date; None: not yet."""


def file() -> Path:
    """Where the progress is kept."""
    home = os.environ.get(HOME_VARIABLE)
    folder = Path(home).expanduser() if home else platformdirs.user_data_path("mctslab", False)
    return folder / _FILE_NAME


def load() -> dict[str, Standing]:
    """The standing of every exercise that was attempted, by its name.

    A file that cannot be read counts as empty; `record` says so and sets it aside.
    """
    try:
        return _parse(file().read_text("utf-8"))
    except (OSError, ValueError):
        return {}


def record(exercise: str, outcome: Outcome) -> list[str]:
    """Add the outcome of a check to the file; returns what there is to say about it."""
    if outcome is Outcome.NOT_ATTEMPTED:
        return []
    path = file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_suffix(".lock"), timeout=_SECONDS_FOR_LOCK):
            notes = _set_aside_if_damaged(path)
            standings = load()
            standings[exercise] = _after(standings.get(exercise, Standing()), outcome)
            write_text(path, _written(standings))
            return notes
    except Timeout:
        return _SAID.only_once(f"Your progress was not saved: another program locks {path}.")
    except (OSError, NotImplementedError) as error:  # the latter: a disk that knows no locks
        reason = getattr(error, "strerror", None) or type(error).__name__
        return _SAID.only_once(f"Your progress is not saved in {path} ({reason}). All else works.")


class _Said:
    """What was said already, so that it is not said at every check."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def only_once(self, note: str) -> list[str]:
        """`note`, unless this is not the first time."""
        is_new = note not in self._said
        self._said.add(note)
        return [note] if is_new else []


_SAID: Final = _Said()


def _after(standing: Standing, outcome: Outcome) -> Standing:
    today = datetime.now().astimezone().date().isoformat()
    solved = standing.solved or (today if outcome is Outcome.RIGHT else None)
    return Standing(standing.attempts + 1, solved)


def _set_aside_if_damaged(path: Path) -> list[str]:
    """Rename a file that is not what `_written` gives; what there is to say about it."""
    try:
        _parse(path.read_text("utf-8"))
    except FileNotFoundError:
        return []
    except ValueError:
        now = datetime.now().astimezone()
        aside = path.with_name(f"progress-damaged-{now:%Y%m%d-%H%M%S-%f}.json")
        os.replace(path, aside)
        return [f"The file of your progress was damaged. It is kept as {aside}; a new one begins."]
    return []


def _parse(text: str) -> dict[str, Standing]:
    """The content of the file.

    Raises:
        ValueError: it is something else.
    """
    table = json.loads(text)
    if not isinstance(table, dict) or not isinstance(table.get("exercises"), dict):
        raise ValueError("no table of exercises")
    return {str(name): _parse_standing(entry) for name, entry in table["exercises"].items()}


def _parse_standing(entry: object) -> Standing:
    match entry:
        case {"attempts": int(attempts), "solved": str() | None as solved} if attempts >= 0:
            return Standing(attempts, solved)
    raise ValueError(f"no standing: {entry!r}")


def _written(standings: Mapping[str, Standing]) -> str:
    table = {"exercises": {name: asdict(standings[name]) for name in sorted(standings)}}
    return json.dumps(table, indent=2)
