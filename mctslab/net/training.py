"""A training run in a folder: a checkpoint after each iteration, and a log of their results.

checkpoint.safetensors    the run after its newest iteration
log.jsonl                 a line an iteration
strength.jsonl            a line a measurement, if there is a benchmark
best.safetensors          with a promotion gate, the net that makes the self-play
nets/                     with `keep_every`, the nets of some iterations
tensorboard/              if wanted, the same curves: `tensorboard --logdir runs`
"""

import json
import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout

from mctslab.cluster_tasks import Cluster
from mctslab.net.checkpoint import save_checkpoint
from mctslab.net.evaluation import Benchmark, Measurement
from mctslab.net.missing import MissingPackageError
from mctslab.net.playing import Executor, make_executor
from mctslab.net.trainer import TAGS, Iteration, Trainer, load_run
from mctslab.net.training_config import TrainingConfig
from mctslab.typed import (
    Count,
    Number,
    WrongEntryError,
    convert,
    from_json_lines,
    remove_unfinished,
    write_whole,
)

CHECKPOINT: Final = "checkpoint.safetensors"
BEST: Final = "best.safetensors"
LOG: Final = "log.jsonl"
STRENGTH: Final = "strength.jsonl"
NETS: Final = "nets"
TENSORBOARD: Final = "tensorboard"


class FolderInUseError(RuntimeError):
    """Another program is training in this folder."""


def train(
    config: TrainingConfig,
    out: str | os.PathLike[str],
    *,
    progress: Callable[[Iteration], None] | None = None,
    stop: Callable[[], bool] | None = None,
    benchmark: Benchmark | None = None,
    measured: Callable[[Measurement], None] | None = None,
    tensorboard: bool = False,
    keep_every: int | None = None,
    num_workers: int | None = None,
    cluster: Cluster | None = None,
) -> Trainer:
    """Train a net, or go on with a run that was stopped in the folder.

    Whatever ends a run, at most the current iteration is lost, and the final net is the same.

    Args:
        config: the settings.
        out: the folder, made if it does not exist; the module's docstring lists its files.
        progress: called after every iteration, when it is in the folder.
        stop: called before each iteration; return True to stop. The run can go on later.
        benchmark: measures the net now and then; what is learned is the same.
        measured: called after every measurement, when it is in the folder.
        tensorboard: whether to keep a log for TensorBoard.
        keep_every: each time this number of iterations is done, the net is kept in `nets`.
        num_workers: the processes that play while this one learns; 0 lets it do both in turn. The
            net is the same with any number. By default as many as there are groups of games, but
            not more than cores, and none for one group.
        cluster: plays instead of processes; from `connect`. The net is the same.

    Raises:
        ValueError: the folder holds a run with other settings, which the sentence names; or an
            opponent that cannot play this game; or `keep_every` is below one.
        CheckpointError: its checkpoint is damaged.
        FolderInUseError: another program is training there.
        MissingPackageError: a log for TensorBoard is wanted, and its package is not installed.
        ClusterError: the cluster can't play; what was trained so far is in the folder.
        OSError: the folder can't be written to; what was there before still is.
    """
    if keep_every is not None:
        convert(keep_every, Count, "keep_every")
    if benchmark is not None:
        benchmark.check_game(config.first_state())
    if num_workers is not None:
        convert(num_workers, Number, "num_workers")
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / ".lock")
    try:
        held = lock.acquire(timeout=0)
    except Timeout:
        raise FolderInUseError(f"Another program is training in {folder}.") from None
    with held:
        remove_unfinished(folder)
        remove_unfinished(folder / NETS)
        trainer = _trainer_in(folder, config, make_executor(config, num_workers, cluster))
        with closing(trainer), closing(_Folder(folder, trainer, tensorboard, keep_every)) as run:
            run.measure(benchmark, measured, stop)  # if the run was stopped during a measurement
            while not trainer.is_done and not (stop is not None and stop()):
                iteration = trainer.iterate()
                trainer.begin_next()
                run.keep(iteration)
                if progress is not None:
                    progress(iteration)
                run.measure(benchmark, measured, stop)
    return trainer


class _Folder:
    """The folder of a run; lines of iterations that did not finish are removed from its files."""

    def __init__(
        self, folder: Path, trainer: Trainer, tensorboard: bool, keep_every: int | None
    ) -> None:
        self._folder = folder
        self._keep_every = keep_every
        self._trainer = trainer
        self._events: EventLog | None = None
        done = trainer.num_iterations
        log = [each for each in read_log(folder) if each["number"] <= done]
        write_lines(folder / LOG, log)
        self._measurements = [each for each in read_strength(folder) if each.iteration <= done]
        if (folder / STRENGTH).exists():
            write_lines(folder / STRENGTH, [asdict(each) for each in self._measurements])
        self._keep_best()
        if tensorboard:
            self._events = EventLog(folder, log, self._measurements)

    def close(self) -> None:
        """Close the log for TensorBoard."""
        if self._events is not None:
            self._events.close()

    def keep(self, iteration: Iteration) -> None:
        """Write down an iteration, and the run as it is after it."""
        entries = _entries(iteration)
        # The log comes first: a line without its checkpoint is removed when the run goes on.
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
        benchmark: Benchmark | None,
        measured: Callable[[Measurement], None] | None,
        stop: Callable[[], bool] | None,
    ) -> None:
        """Measure the net if that is due, against the opponents that are missing."""
        trainer = self._trainer
        done, config = trainer.num_iterations, trainer.config
        if benchmark is None or not benchmark.is_due(done, config.num_iterations):
            return
        for measurement in benchmark.measure(
            trainer.net,
            config.first_state(),
            iteration=done,
            num_positions=trainer.num_positions,
            done=self._measurements,
            stop=stop,
            cluster=trainer.cluster,
        ):
            _append(self._folder / STRENGTH, asdict(measurement))
            self._measurements.append(measurement)
            if self._events is not None:
                self._events.add_measurement(measurement)
            if measured is not None:
                measured(measurement)


def _trainer_in(folder: Path, config: TrainingConfig, executor: Executor) -> Trainer:
    """The run in a folder as far as it has come, or a new one."""
    check_settings(folder, config)
    if not (folder / CHECKPOINT).exists():
        return Trainer(config, executor=executor)
    return Trainer.resume(folder / CHECKPOINT, own_game=config.game, executor=executor)


def check_settings(out: str | os.PathLike[str], config: TrainingConfig) -> None:
    """Check that the run in a folder, if there is one, can go on with these settings.

    Raises:
        ValueError: it has other settings, which the sentence names.
        CheckpointError: its checkpoint is damaged.
        OSError: it can't be read.
    """
    file = Path(out) / CHECKPOINT
    if not file.exists():
        return
    ours, theirs = config.entries(), load_run(file, own_game=config.game)[1].entries()
    differing = [name for name in ours if ours[name] != theirs[name]]
    if differing:
        raise ValueError(
            f"{out} holds a run with other settings: "
            + ", ".join(
                f"{name} is {theirs[name]!r} there, not {ours[name]!r}" for name in differing
            )
            + ". Choose another folder, or the same settings."
        )


# Files of lines


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


def _read_lines(file: Path, kind: Any) -> list[Any]:
    if not file.exists():
        return []
    return list(from_json_lines(file.read_text("utf-8", "replace"), kind, str(file)))


def _entries(iteration: Iteration) -> dict[str, Any]:
    """An iteration as JSON has it, which has no NaN."""
    return {
        name: None if isinstance(number, float) and math.isnan(number) else number
        for name, number in asdict(iteration).items()
    }


def _append(file: Path, entries: Mapping[str, Any]) -> None:
    with open(file, "a", encoding="utf-8") as lines:
        lines.write(json.dumps(entries) + "\n")


def write_lines(file: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    """Write a file, a line of JSON for each of `lines`; whole or not at all.

    Raises:
        OSError: it can't be written.
    """
    write_whole(file, "".join(json.dumps(each) + "\n" for each in lines))


# For TensorBoard


class EventLog:
    """The event file of a run for TensorBoard; `close` it at the end.

    It is rewritten from the run's own log whenever a run continues, so that no iteration is in it
    twice and none is missing, however the run ended.

    Raises:
        MissingPackageError: the package tensorboard is not installed.
        OSError: the file can't be written.
    """

    def __init__(
        self,
        folder: Path,
        iterations: Sequence[Mapping[str, Any]],
        measurements: Sequence[Measurement],
    ) -> None:
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError as error:
            raise MissingPackageError(
                "A log for TensorBoard needs the package tensorboard, which is not installed here: "
                "`python3 run.py python -m pip install tensorboard` installs it, and so does "
                "`pip install tensorboard`.",
                name="tensorboard",
            ) from error
        for file in (folder / TENSORBOARD).glob("events.out.tfevents.*"):
            with suppress(FileNotFoundError):
                file.unlink()
        self._writer = SummaryWriter(str(folder / TENSORBOARD))
        # The clock of these events stands still between the parts of a run.
        self._time = time.time() - sum(each["seconds"] for each in iterations)
        for measurement in measurements:
            if measurement.iteration == 0:
                self.add_measurement(measurement)
        for iteration in iterations:
            self.add_iteration(iteration)
            for measurement in measurements:
                if measurement.iteration == iteration["number"]:
                    self.add_measurement(measurement)

    def close(self) -> None:
        """Write what is not written yet."""
        self._writer.close()

    def add_iteration(self, iteration: Mapping[str, Any]) -> None:
        """Add the numbers of an iteration; those that are None are left out."""
        self._time += iteration["seconds"]
        for name, tag in TAGS.items():
            if iteration.get(name) is not None:
                self._add(tag, float(iteration[name]), iteration["number"])

    def add_measurement(self, measurement: Measurement) -> None:
        """Add the score of a net against an opponent."""
        score = measurement.score.rate.value
        self._add(f"strength/{measurement.opponent}", score, measurement.iteration)

    def _add(self, tag: str, number: float, iteration: int) -> None:
        self._writer.add_scalar(tag, number, iteration, walltime=self._time)
        self._writer.flush()
