"""A training run in a folder: a checkpoint after each iteration, and a log of what came of them."""

import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, Self

from filelock import FileLock, Timeout

from mctslab.net.checkpoint import save_checkpoint
from mctslab.net.event_log import EventLog
from mctslab.net.trainer import Iteration, Trainer, config_in
from mctslab.net.training_config import TrainingConfig
from mctslab.net.yardstick import STRENGTH, Measurement, Yardstick, read_strength

CHECKPOINT: Final = "checkpoint.safetensors"
BEST: Final = "best.safetensors"
"""With a promotion gate the net that makes the self-play; the checkpoint's is the newest."""
LOG: Final = "log.jsonl"
NETS: Final = "nets"
"""The folder of the nets of all ages, each a file called after its iteration."""


class FolderInUseError(RuntimeError):
    """Another program is training in this folder."""


def train(
    config: TrainingConfig,
    out: str | os.PathLike[str],
    *,
    progress: Callable[[Iteration], None] | None = None,
    stop: Callable[[], bool] | None = None,
    yardstick: Yardstick | None = None,
    measured: Callable[[Measurement], None] | None = None,
    tensorboard: bool = False,
    keep_every: int | None = None,
) -> Trainer:
    """Train a net, or go on training it: the folder holds a run that was stopped, or nothing.

    Whatever ends it, at most the current iteration is lost, and the net that comes out in the end
    is the same.

    Args:
        config: the settings.
        out: the folder for `checkpoint.safetensors` and `log.jsonl`, and with a promotion gate for
            `best.safetensors`; made if it is not there.
        progress: is told of every iteration, when it is in the folder.
        stop: is asked before every iteration; when it says True the run ends, and can go on later.
        yardstick: measures the net now and then, into `strength.jsonl`; what is learnt is the same.
        measured: is told of every measurement, when it is in the folder.
        tensorboard: whether to keep a log for TensorBoard, in the folder `tensorboard`.
        keep_every: after every so many iterations the net as it is then is kept for good, in the
            folder `nets`.

    Raises:
        ValueError: the folder holds a run with other settings, it says which; or an opponent that
            cannot play this game; or `keep_every` is below one.
        CheckpointError: its checkpoint is damaged.
        FolderInUseError: another program is training there.
        MissingPackageError: a log for TensorBoard is wanted, and its package is not installed.
        OSError: the folder can't be written to; what was there before still is.
    """
    if keep_every is not None and keep_every < 1:
        raise ValueError(f"keep_every={keep_every!r} is too few: keep a net every iteration or so.")
    if yardstick is not None:
        yardstick.check(config.first_state())
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / ".lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise FolderInUseError(f"Another program is training in {folder}.") from None
    with lock:
        trainer = _trainer_in(folder, config)
        with closing(trainer), _Folder(folder, trainer, tensorboard, keep_every) as run:
            run.measure(yardstick, measured, stop)  # where the run was stopped meanwhile
            while not trainer.is_done and not (stop is not None and stop()):
                iteration = trainer.iterate()
                trainer.begin_next()
                run.keep(iteration)
                if progress is not None:
                    progress(iteration)
                run.measure(yardstick, measured, stop)
    return trainer


class _Folder:
    """The folder of a run that is going on.

    Args:
        folder: the folder; what is in it of iterations that were not finished is taken out.
        trainer: the run.
        tensorboard: whether to keep a log for TensorBoard.
        keep_every: after how many iterations a net is kept for good, if at all.
    """

    def __init__(
        self, folder: Path, trainer: Trainer, tensorboard: bool, keep_every: int | None
    ) -> None:
        self._folder = folder
        self._keep_every = keep_every
        self._trainer = trainer
        self._events: EventLog | None = None
        done = trainer.num_iterations
        write_lines(folder / LOG, [each for each in read_log(folder) if each["number"] <= done])
        self._measurements = [each for each in read_strength(folder) if each.iteration <= done]
        if self._measurements or (folder / STRENGTH).exists():
            write_lines(folder / STRENGTH, [asdict(each) for each in self._measurements])
        self._keep_best()
        if tensorboard:
            self._events = EventLog(folder, read_log(folder), self._measurements)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *about_an_error: object) -> None:
        if self._events is not None:
            self._events.close()

    def keep(self, iteration: Iteration) -> None:
        """Write down an iteration, and the run as it is after it."""
        entries = _entries(iteration)
        # First the log: a line without its checkpoint is taken out when the run goes on.
        _append(self._folder / LOG, entries)
        if self._keep_every is not None and iteration.number % self._keep_every == 0:
            (self._folder / NETS).mkdir(exist_ok=True)
            self._trainer.save_net(self._folder / NETS / f"{iteration.number:05}.safetensors")
        self._trainer.save(self._folder / CHECKPOINT)
        if iteration.is_promoted:
            self._keep_best()
        if self._events is not None:
            self._events.add_iteration(entries)

    def _keep_best(self) -> None:
        """Write down the net that makes the self-play, if there is a gate."""
        config = self._trainer.config
        if config.gate is not None:
            about = {"game": config.game, "game_options": dict(config.game_options)}
            save_checkpoint(self._folder / BEST, self._trainer.playing_net, about=about)

    def measure(
        self,
        yardstick: Yardstick | None,
        measured: Callable[[Measurement], None] | None,
        stop: Callable[[], bool] | None,
    ) -> None:
        """Measure the net, if it is time for it and as far as it was not."""
        trainer = self._trainer
        done, config = trainer.num_iterations, trainer.config
        if yardstick is None or not yardstick.is_due(done, config.num_iterations):
            return
        for measurement in yardstick.measure(
            trainer.net,
            config.first_state(),
            iteration=done,
            num_positions=trainer.num_positions,
            known=self._measurements,
            stop=stop,
        ):
            _append(self._folder / STRENGTH, asdict(measurement))
            self._measurements.append(measurement)
            if self._events is not None:
                self._events.add_measurement(measurement)
            if measured is not None:
                measured(measurement)


def read_log(out: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """The iterations of the run in a folder, the first one first; none where there is no run."""
    file = Path(out) / LOG
    if not file.exists():
        return []
    lines = file.read_text("utf-8").splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith("\n")]


def refuse_other_settings(out: str | os.PathLike[str], config: TrainingConfig) -> None:
    """Make sure that the run in a folder, if there is one, can go on with these settings.

    Raises:
        ValueError: it has other settings, it says which.
        CheckpointError: its checkpoint is damaged.
        OSError: it can't be read.
    """
    file = Path(out) / CHECKPOINT
    if not file.exists():
        return
    ours, theirs = config.entries(), config_in(file).entries()
    differing = [name for name in ours if ours[name] != theirs[name]]
    if differing:
        raise ValueError(
            f"{out} holds a run with other settings: "
            + ", ".join(
                f"{name} is {theirs[name]!r} there, not {ours[name]!r}" for name in differing
            )
            + ". Choose another folder, or the same settings."
        )


def _trainer_in(folder: Path, config: TrainingConfig) -> Trainer:
    """The run in a folder as far as it has come, or a new one."""
    if not (folder / CHECKPOINT).exists():
        return Trainer(config)
    refuse_other_settings(folder, config)
    return Trainer.resume(folder / CHECKPOINT)


def _entries(iteration: Iteration) -> dict[str, Any]:
    """An iteration as JSON has it, which knows no NaN."""
    return {
        name: None if isinstance(number, float) and math.isnan(number) else number
        for name, number in asdict(iteration).items()
    }


def _append(file: Path, entries: Mapping[str, Any]) -> None:
    with open(file, "a", encoding="utf-8") as lines:
        lines.write(json.dumps(entries) + "\n")


def write_lines(file: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    """Write a file, a line of JSON for each of `lines`: beside the old one, then in its place.

    Raises:
        OSError: it can't be written.
    """
    beside = file.with_name(f".{file.name}.part")
    beside.write_text("".join(json.dumps(each) + "\n" for each in lines), "utf-8")
    os.replace(beside, file)
