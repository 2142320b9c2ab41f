"""The log of a training run: a line of JSON for every iteration and every measurement.

The lines of an iteration that has no checkpoint, because the program was killed between the two,
are removed when the run goes on.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from mctslab.net.evaluation import Measurement
from mctslab.net.training import Iteration
from mctslab.typed import WrongEntryError, from_json_lines, write_whole

LOG: Final = "log.jsonl"
STRENGTH: Final = "strength.jsonl"
SEEN: Final = "seen.json"


def read_log(out: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """The iterations of the run in a folder, oldest first; empty if there is no run.

    A line has the names of `Iteration`; a number that does not exist is None.

    Raises:
        WrongEntryError: a line is damaged.
    """
    lines = _read_lines(Path(out) / LOG, dict[str, int | float | bool | list[int] | None])
    for line in lines:
        if not (isinstance(line.get("number"), int) and isinstance(line.get("seconds"), float)):
            raise WrongEntryError(f"{Path(out) / LOG}: a line without number and seconds.")
    return lines


def read_strength(out: str | os.PathLike[str]) -> list[Measurement]:
    """The measurements of the run in a folder, oldest first; empty if there are none.

    Raises:
        WrongEntryError: a line is damaged.
    """
    return _read_lines(Path(out) / STRENGTH, Measurement)


def read_seen(out: str | os.PathLike[str], position: str) -> list[dict[str, Any]]:
    """The frames that `write_seen` has kept of this position; none if it kept another one."""
    file = Path(out) / SEEN
    if not file.exists():
        return []
    kept = json.loads(file.read_text("utf-8"))
    return list(kept["frames"]) if kept["position"] == position else []


def write_seen(
    out: str | os.PathLike[str], position: str, frames: Sequence[Mapping[str, Any]]
) -> None:
    """Keep what the nets of a run answered in one position, as `LearningBoard` has it."""
    content = {"position": position, "frames": [dict(frame) for frame in frames]}
    write_whole(Path(out) / SEEN, json.dumps(content))


def add_line(out: str | os.PathLike[str], entry: Iteration | Measurement) -> None:
    """Write down an iteration or a measurement of the run in a folder."""
    file = Path(out) / (LOG if isinstance(entry, Iteration) else STRENGTH)
    with open(file, "a", encoding="utf-8") as lines:
        lines.write(json.dumps(asdict(entry)) + "\n")


def remove_later(out: str | os.PathLike[str], num_iterations: int) -> None:
    """Remove the lines of all iterations after the first `num_iterations`.

    Raises:
        WrongEntryError: a line is damaged.
        OSError: a file can't be written.
    """
    log = [line for line in read_log(out) if line["number"] <= num_iterations]
    strength = [asdict(each) for each in read_strength(out) if each.iteration <= num_iterations]
    for name, lines in ((LOG, log), (STRENGTH, strength)):
        if (file := Path(out) / name).exists():
            write_whole(file, "".join(json.dumps(each) + "\n" for each in lines))


def _read_lines(file: Path, kind: Any) -> list[Any]:
    if not file.exists():
        return []
    return list(from_json_lines(file.read_text("utf-8", "replace"), kind, str(file)))
