"""Runs to compare with: the logs of some finished runs in one small file, and its command.

"Is my result normal?" Runs with the same settings and other seeds answer it. The file has lines of
JSON: the first gives the settings of the runs, each other line is a line of the log of one run, or
one of its measurements, after the seed of that run.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from mctslab.net.evaluation import Measurement
from mctslab.net.evaluator import WEIGHTS
from mctslab.net.run_log import read_log, read_strength
from mctslab.net.run_folder import CHECKPOINT, load_run
from mctslab.net.training_config import TrainingConfig
from mctslab.typed import NonNegative, Number, WrongEntryError, from_json, from_json_lines, write_whole

KEPT: Final = (
    "number",
    "num_positions",
    "num_games",
    "game_length",
    "first_player_score",
    "value_loss",
    "policy_loss",
    "policy_entropy",
    "seconds",
)
"""The entries of a line of a log that are kept."""

_FORMAT: Final = 1
_DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class Run:
    """The log and the measurements of a run."""

    seed: int
    log: Sequence[Mapping[str, Any]]
    """A line an iteration."""
    strength: Sequence[Measurement]


@dataclass(frozen=True, slots=True)
class Reference:
    """Runs with the same settings, each with its own seed."""

    settings: Mapping[str, Any]
    """As in `TrainingConfig.entries`, without the seed."""
    runs: Sequence[Run]

    def differences(self, config: TrainingConfig) -> list[str]:
        """The settings in which these runs differ from `config`, by name; the seed may differ."""
        ours, theirs = _settings(config), self.settings
        return [name for name in ours if ours[name] != theirs.get(name)]


def collect(folders: Iterable[str | os.PathLike[str]]) -> Reference:
    """The runs in some folders.

    Raises:
        ValueError: there are none, they differ in more than the seed, or two have the same seed;
            CheckpointError if the checkpoint in a folder is damaged.
        OSError: there is no run in a folder.
    """
    runs: list[Run] = []
    settings: dict[str, Any] | None = None
    for folder in map(Path, folders):
        _, config = load_run(folder / CHECKPOINT)
        if settings not in (None, _settings(config)):
            raise ValueError(f"{folder} holds a run with other settings than the first one.")
        if config.seed in (run.seed for run in runs):
            raise ValueError(f"{folder} holds a second run with the seed {config.seed}.")
        settings = _settings(config)
        runs.append(Run(config.seed, read_log(folder), read_strength(folder)))
    if settings is None:
        raise ValueError("There is no folder with a run to compare with.")
    return Reference(settings, tuple(runs))


def write_reference(reference: Reference, path: str | os.PathLike[str]) -> Path:
    """Write the runs to the file `path`, whole or not at all; returns that path.

    Raises:
        OSError: the file can't be written.
    """
    lines: list[Mapping[str, Any]] = [{"format": _FORMAT, "settings": reference.settings}]
    for run in reference.runs:
        lines += ({"seed": run.seed, "iteration": _rounded(line)} for line in run.log)
        lines += ({"seed": run.seed, "measured": asdict(each)} for each in run.strength)
    target = Path(path)
    write_whole(target, "".join(json.dumps(each) + "\n" for each in lines))
    return target


@dataclass(frozen=True, slots=True)
class _Head:
    """The first line of a file."""

    format: int
    settings: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Line:
    """Each other line: one of the two is there."""

    seed: int
    iteration: dict[str, Number | NonNegative | None] | None = None
    measured: Measurement | None = None

    def __post_init__(self) -> None:
        if (self.iteration is None) == (self.measured is None):
            raise WrongEntryError("expected an iteration or a measurement in each line.")


def read_reference(path: str | os.PathLike[str]) -> Reference:
    """The runs in a file that `write_reference` has written.

    Args:
        path: the file, or a family of the nets that come with mctslab, such as `reversi6`.

    Raises:
        ValueError: the file holds something else.
        OSError: there is no such file.
    """
    file, shipped = Path(path), WEIGHTS / f"{path}_runs.jsonl"
    try:
        text = (shipped if shipped.exists() and not file.exists() else file).read_text("utf-8")
        first, _, rest = text.partition("\n")
        head = from_json(first, _Head, "line 1")
        if head.format != _FORMAT:
            raise ValueError(f"its format is {head.format!r}, not {_FORMAT}")
        logs: dict[int, list[Mapping[str, Any]]] = {}
        strength: dict[int, list[Measurement]] = {}
        lines = rest.rstrip("\n") + "\n" if rest else ""
        for line in from_json_lines(lines, _Line, "the runs"):
            log = logs.setdefault(line.seed, [])
            if line.iteration is not None:
                log.append(line.iteration)
            if line.measured is not None:
                strength.setdefault(line.seed, []).append(line.measured)
        runs = [Run(seed, log, strength.get(seed, [])) for seed, log in logs.items()]
        # A setting that is newer than the file has its default.
        settings = _settings(TrainingConfig.from_entries(head.settings))
        return Reference(settings, tuple(runs))
    except ValueError as error:
        reason = str(error).removesuffix(".")
        raise ValueError(f"{path} holds no runs to compare with: {reason}.") from error


def _settings(config: TrainingConfig) -> dict[str, Any]:
    """All but the seed, as JSON gives them back."""
    entries: dict[str, Any] = json.loads(json.dumps(config.entries()))
    del entries["seed"]
    return entries


def _rounded(line: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of a line of the log that are kept, rounded to what a curve can show."""
    return {
        name: float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value
        for name in KEPT
        if (value := line.get(name)) is not None
    }


# The command `reference`


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The folders, and the file."""
    parser.add_argument(
        "folders",
        nargs="+",
        metavar="DIR",
        help="the folder of a run, made with the same settings as the others and its own seed",
    )
    parser.add_argument("--out", required=True, metavar="FILE", help="the file, lines of JSON")


def run(arguments: argparse.Namespace) -> int:
    """Write the file; 2 if a folder holds no run, or one that does not belong, else 0."""
    try:
        reference = collect(arguments.folders)
        file = write_reference(reference, arguments.out)
    except (ValueError, OSError) as error:
        print(f"reference: {error}", file=sys.stderr)
        return 2
    print(f"{len(reference.runs)} runs are in {file}")
    return 0
