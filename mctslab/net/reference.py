"""Runs to compare with: the logs of some finished runs in one small file.

"Is my result normal?" Runs with the same settings and other seeds answer it. The file has lines of
JSON: the first gives the settings of the runs, each other line is a line of the log of one run, or
one of its measurements, after the seed of that run.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mctslab.net.evaluation import Measurement
from mctslab.net.evaluator import WEIGHTS
from mctslab.net.training_config import TrainingConfig
from mctslab.typed import NonNegative, Number, convert, from_json, from_json_lines


@dataclass(frozen=True, slots=True)
class Run:
    """The log and the measurements of a run."""

    seed: int
    log: list[Mapping[str, Any]]
    """A line an iteration."""
    strength: list[Measurement]


@dataclass(frozen=True, slots=True)
class Reference:
    """Runs with the same settings, each with its own seed."""

    settings: TrainingConfig
    """Of all runs, with any seed."""
    runs: Sequence[Run]

    def differences(self, config: TrainingConfig) -> list[str]:
        """The settings in which these runs differ from `config`, by name; the seed may differ."""
        here, there = config.entries(), self.settings.entries()
        return [name for name in here if here[name] != there[name] and name != "seed"]


def read_reference(path: str | os.PathLike[str]) -> Reference:
    """The runs in a file.

    Args:
        path: the file, or a family of the nets that come with mctslab, such as `reversi6`.

    Raises:
        ValueError: the file holds something else.
        OSError: there is no such file.
    """
    file, shipped = Path(path), WEIGHTS / f"{path}_runs.jsonl"
    file = shipped if shipped.exists() and not file.exists() else file
    runs: dict[int, Run] = {}
    try:
        first, _, rest = file.read_text("utf-8").partition("\n")
        settings = from_json(first, dict[str, Any], "line 1")["settings"]
        for line in from_json_lines(rest, dict[str, Any], "the runs"):
            seed = convert(line["seed"], Number, "seed")
            run = runs.setdefault(seed, Run(seed, [], []))
            if "iteration" in line:
                run.log.append(convert(line["iteration"], dict[str, Number | NonNegative | None]))
            else:
                run.strength.append(convert(line["measured"], Measurement, "measured"))
        # A setting that is newer than the file has its default.
        return Reference(TrainingConfig.from_entries(settings), tuple(runs.values()))
    except (KeyError, ValueError) as error:
        raise ValueError(f"{path} holds no runs to compare with: {error}") from error
