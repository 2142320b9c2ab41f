"""Runs to compare with: the logs of some finished runs in one small file.

"Is my result normal?" Runs with the same settings and other seeds answer it. The file is made of
lines of JSON: the first one says how the runs were made, each other one is a line of the log of one
of them, or one of its measurements, with the seed of the run before it.
"""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from mctslab.net.checkpoint import load_checkpoint
from mctslab.net.matches import Record
from mctslab.net.training import CHECKPOINT, read_log, write_lines
from mctslab.net.training_config import TrainingConfig
from mctslab.net.yardstick import Measurement, read_strength

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
"""What is kept of a line of a log."""

_FORMAT: Final = 1
_DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class Run:
    """What a run has left."""

    seed: int
    log: Sequence[Mapping[str, Any]]
    """A line an iteration."""
    strength: Sequence[Measurement]


@dataclass(frozen=True, slots=True)
class Reference:
    """Runs with the same settings, each with a seed of its own."""

    settings: Mapping[str, Any]
    """As `TrainingConfig.entries` has them, without the seed."""
    runs: Sequence[Run]

    def differences(self, config: TrainingConfig) -> list[str]:
        """The settings in which these runs differ from `config`, by name; the seed may differ."""
        ours, theirs = _settings(config), self.settings
        return [name for name in ours if ours[name] != theirs.get(name)]


def collect(folders: Iterable[str | os.PathLike[str]]) -> Reference:
    """The runs in some folders.

    Raises:
        ValueError: there are none, they differ in more than the seed, or two have the same one;
            CheckpointError where the checkpoint in a folder is no good.
        OSError: there is no run in a folder.
    """
    runs: list[Run] = []
    settings: dict[str, Any] | None = None
    for folder in map(Path, folders):
        about = load_checkpoint(folder / CHECKPOINT).about
        config = TrainingConfig.from_entries(about["training"])
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
    """Write the runs to the file `path`, which is never seen half written; return that path.

    Raises:
        OSError: the file can't be written.
    """
    lines: list[Mapping[str, Any]] = [{"format": _FORMAT, "settings": reference.settings}]
    for run in reference.runs:
        lines += ({"seed": run.seed, "iteration": _rounded(line)} for line in run.log)
        lines += ({"seed": run.seed, "measured": asdict(each)} for each in run.strength)
    target = Path(path)
    write_lines(target, lines)
    return target


def read_reference(path: str | os.PathLike[str]) -> Reference:
    """The runs that `write_reference` has written.

    Raises:
        ValueError: the file holds something else.
        OSError: there is no such file.
    """
    try:
        head, *lines = map(json.loads, Path(path).read_text("utf-8").splitlines())
        if head["format"] != _FORMAT:
            raise ValueError(f"its format is {head['format']!r}, not {_FORMAT}")
        logs: dict[int, list[Mapping[str, Any]]] = {}
        strength: dict[int, list[Measurement]] = {}
        for line in lines:
            logs.setdefault(line["seed"], [])
            if "iteration" in line:
                logs[line["seed"]].append(line["iteration"])
            else:
                strength.setdefault(line["seed"], []).append(_measurement(line["measured"]))
        runs = [Run(seed, log, strength.get(seed, [])) for seed, log in logs.items()]
        # A setting that came later has its default for a run that was made before.
        settings = _settings(TrainingConfig.from_entries(head["settings"]))
        return Reference(settings, tuple(runs))
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} holds no runs to compare with: {error}.") from error


def _measurement(entries: Mapping[str, Any]) -> Measurement:
    records = {name: Record(*entries[name]) for name in ("as_first", "as_second")}
    return Measurement(**{**entries, **records})


def _settings(config: TrainingConfig) -> dict[str, Any]:
    """All but the seed, as JSON gives them back."""
    entries: dict[str, Any] = json.loads(json.dumps(config.entries()))
    del entries["seed"]
    return entries


def _rounded(line: Mapping[str, Any]) -> dict[str, Any]:
    """What is kept of a line of the log, with as many digits as a curve can show."""
    return {
        name: float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value
        for name in KEPT
        if (value := line.get(name)) is not None
    }
