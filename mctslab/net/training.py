"""A training run in a folder: a checkpoint after each iteration, and a log of what came of them."""

import json
import math
import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout

from mctslab.net.trainer import Iteration, Trainer
from mctslab.net.training_config import TrainingConfig

CHECKPOINT: Final = "checkpoint.safetensors"
LOG: Final = "log.jsonl"


class FolderInUseError(RuntimeError):
    """Another program is training in this folder."""


def train(
    config: TrainingConfig,
    out: str | os.PathLike[str],
    *,
    progress: Callable[[Iteration], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Trainer:
    """Train a net, or go on training it: the folder holds a run that was stopped, or nothing.

    Whatever ends it, at most the current iteration is lost, and the net that comes out in the end
    is the same.

    Args:
        config: the settings.
        out: the folder for `checkpoint.safetensors` and `log.jsonl`; made if it is not there.
        progress: is told of every iteration, when it is in the folder.
        stop: is asked before every iteration; when it says True the run ends, and can go on later.

    Raises:
        ValueError: the folder holds a run with other settings; it says which.
        CheckpointError: its checkpoint is damaged.
        FolderInUseError: another program is training there.
        OSError: the folder can't be written to; what was there before still is.
    """
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / ".lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise FolderInUseError(f"Another program is training in {folder}.") from None
    with lock:
        trainer = _trainer_in(folder, config)
        _shorten(folder / LOG, trainer.num_iterations)
        while not trainer.is_done and not (stop is not None and stop()):
            iteration = trainer.iterate()
            # First the log: a line without its checkpoint is taken out when the run goes on.
            _append(folder / LOG, iteration)
            trainer.save(folder / CHECKPOINT)
            if progress is not None:
                progress(iteration)
    return trainer


def read_log(out: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """The iterations of the run in a folder, the first one first; none where there is no run."""
    file = Path(out) / LOG
    if not file.exists():
        return []
    lines = file.read_text("utf-8").splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith("\n")]


def _trainer_in(folder: Path, config: TrainingConfig) -> Trainer:
    """The run in a folder as far as it has come, or a new one."""
    if not (folder / CHECKPOINT).exists():
        return Trainer(config)
    trainer = Trainer.resume(folder / CHECKPOINT)
    ours, theirs = config.entries(), trainer.config.entries()
    differing = [name for name in ours if ours[name] != theirs[name]]
    if differing:
        raise ValueError(
            f"{folder} holds a run with other settings: "
            + ", ".join(
                f"{name} is {theirs[name]!r} there, not {ours[name]!r}" for name in differing
            )
            + ". Choose another folder, or the same settings."
        )
    return trainer


def _append(file: Path, iteration: Iteration) -> None:
    numbers = {
        name: None if isinstance(number, float) and math.isnan(number) else number
        for name, number in asdict(iteration).items()
    }
    with open(file, "a", encoding="utf-8") as log:
        log.write(json.dumps(numbers) + "\n")


def _shorten(file: Path, num_iterations: int) -> None:
    """Keep the lines of the iterations that are done, and no half of a line."""
    kept = [each for each in read_log(file.parent) if each["number"] <= num_iterations]
    beside = file.with_name(f".{file.name}.part")
    beside.write_text("".join(json.dumps(each) + "\n" for each in kept), "utf-8")
    os.replace(beside, file)
