"""The log of a training run: a line of JSON for every iteration and every measurement.

The lines of an iteration that has no checkpoint, because the program was killed between the two,
are removed when the run goes on.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mctslab.net.evaluation import Measurement
from mctslab.typed import WrongEntryError, from_json_lines, write_whole

if TYPE_CHECKING:
    from mctslab.net.training import Iteration

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
    kept = json.loads(file.read_text("utf-8")) if file.exists() else {}
    return list(kept.get(position, ()))


def write_seen(
    out: str | os.PathLike[str], position: str, frames: Sequence[Mapping[str, Any]]
) -> None:
    """Keep what the nets of a run answered in one position, as `LearningBoard` has it."""
    content = {position: [dict(frame) for frame in frames]}
    write_whole(Path(out) / SEEN, json.dumps(content))


def cut_logs(folder: Path, num_iterations: int) -> None:
    """Remove what came after this number of iterations, those that have a checkpoint."""
    log = [line for line in read_log(folder) if line["number"] <= num_iterations]
    strength = [asdict(each) for each in read_strength(folder) if each.iteration <= num_iterations]
    for name, lines in ((LOG, log), (STRENGTH, strength)):
        if (folder / name).exists():
            write_whole(folder / name, "".join(map(_line, lines)))


def add_line(file: Path, entries: "Iteration | Measurement") -> None:
    """Write down an iteration or a measurement, at the end of its log."""
    with open(file, "a", encoding="utf-8") as lines:
        lines.write(_line(asdict(entries)))


def _line(entries: Mapping[str, Any]) -> str:
    return json.dumps(entries) + "\n"


def _read_lines(file: Path, kind: Any) -> list[Any]:
    if not file.exists():
        return []
    return list(from_json_lines(file.read_text("utf-8", "replace"), kind, str(file)))
