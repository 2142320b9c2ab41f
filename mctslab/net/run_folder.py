"""A training run in a folder, stopped at any time and resumed exactly.

The net, the state of its optimiser, the replay buffer and the number of the iteration decide
everything that comes next. So a run that was stopped or killed goes on from its last iteration, and
ends with the same net as one that was not, to the last bit.

checkpoint.safetensors    the net after the newest iteration
run.pt                    the run after that iteration
log.jsonl                 a line an iteration
strength.jsonl            a line a measurement, if there is a benchmark
seen.json                 the answers of its nets in a position, if a panel watched one
best.safetensors          with a promotion gate, the net that makes the self-play
"""

import io
import json
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor
from contextlib import contextmanager
from pathlib import Path
from pickle import UnpicklingError
from typing import Final

import torch
from filelock import FileLock, Timeout

from mctslab.child_processes import Processes
from mctslab.net.checkpoint import Checkpoint, CheckpointError, load_checkpoint, save_checkpoint
from mctslab.net.evaluation import Benchmark, Measurement
from mctslab.net.run_log import LOG, STRENGTH, add_line, cut_logs, read_strength
from mctslab.net.training import Iteration, Run, alphazero
from mctslab.net.training_config import TrainingConfig, check_opening
from mctslab.typed import Number, convert, remove_unfinished, write_whole

CHECKPOINT: Final = "checkpoint.safetensors"
RUN: Final = "run.pt"
BEST: Final = "best.safetensors"

_MOST_ATTEMPTS: Final = 3
"""How often processes are started for the same iteration, when one of them dies."""


class FolderInUseError(RuntimeError):
    """Another program is training in this folder."""


class ProcessDiedError(RuntimeError):
    """Processes died again and again; the sentence says what may help."""


def train(
    config: TrainingConfig,
    out: str | os.PathLike[str],
    *,
    progress: Callable[[Iteration], object] | None = None,
    stop: Callable[[], bool] | None = None,
    benchmark: Benchmark | None = None,
    measured: Callable[[Measurement], object] | None = None,
    num_workers: int | None = None,
    executor: Executor | None = None,
) -> Run:
    """Train a net, or go on with a run that was stopped in the folder.

    Whatever ends a run, at most the current iteration is lost, and the final net is the same.

    Args:
        config: the settings.
        out: the folder, made if it does not exist; the module's docstring lists its files.
        progress: called after every iteration, when it is in the folder.
        stop: called before each iteration; return True to stop. The run can go on later.
        benchmark: measures the net now and then; what is learned is the same.
        measured: called after every measurement, when it is in the folder.
        num_workers: the processes that play while this one learns; 0 lets it do both in turn. The
            net is the same with any number. By default as many as there are shares of the games,
            but not more than cores, and none for one share.
        executor: plays instead of processes, such as that of `mctslab.cluster.open_cluster`. The
            net is the same.

    Raises:
        ValueError: the folder holds a run with other settings, which the sentence names; or an
            opponent that cannot play this game.
        CheckpointError: its checkpoint is damaged.
        FolderInUseError: another program is training there.
        ProcessDiedError: processes of self-play died again and again; what was trained so far is in
            the folder.
        Exception: what the executor raises when its workers are gone; likewise.
        OSError: the folder can't be written to; what was there before still is.
    """
    if benchmark is not None:
        check_opening(config.first_state(), benchmark.opening_plies)
    num_processes = 0 if executor else _num_processes(config, num_workers)
    if config.game.startswith("__main__:"):  # as in a notebook: no other process has this class
        num_processes, executor = 0, None
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)

    num_attempts = 0  # since the last iteration was finished

    def measure(run: Run, workers: Executor | None) -> None:
        done, length = run.num_iterations, config.num_iterations
        if benchmark is None or not benchmark.is_due(done, length):
            return
        for measurement in benchmark.measure(
            run.net,
            config.first_state(),
            iteration=done,
            num_positions=run.num_positions,
            done=read_strength(folder),
            stop=stop,
            executor=workers,
        ):
            add_line(folder / STRENGTH, measurement)
            if measured is not None:
                measured(measurement)

    def go_on(workers: Executor | None) -> Run:
        nonlocal num_attempts
        num_attempts += 1
        run = open_run(folder, config)
        cut_logs(folder, run.num_iterations)
        measure(run, workers)  # if the run was stopped during a measurement
        for iteration in alphazero(run, workers, stop):
            # The log comes first: a line without its run is removed later.
            add_line(folder / LOG, iteration)
            save_run(run, folder)
            num_attempts = 0
            if progress is not None:
                progress(iteration)
            measure(run, workers)
        return run

    with _locked(folder):
        if not num_processes:
            return go_on(executor)
        while True:
            try:
                with Processes(num_processes) as workers:
                    return go_on(workers)
            except BrokenExecutor as error:  # a process has died: go on from the checkpoint
                if num_attempts >= _MOST_ATTEMPTS:
                    raise ProcessDiedError(_DIED) from error


_DIED: Final = (
    "A process that worked for this one ended, and so did those that took its place. In a script, "
    'call training under `if __name__ == "__main__":`; if memory is short, use fewer processes.'
)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep other programs from training in a folder, and clear up what a killed one has left."""
    lock = FileLock(folder / ".lock")
    try:
        held = lock.acquire(timeout=0)
    except Timeout:
        raise FolderInUseError(f"Another program is training in {folder}.") from None
    with held:
        remove_unfinished(folder)
        yield


def _num_processes(config: TrainingConfig, num_workers: int | None) -> int:
    if num_workers is not None:
        return min(convert(num_workers, Number, "num_workers"), config.num_shares)
    return min(config.num_shares, os.cpu_count() or 1) if config.num_shares > 1 else 0


# Checkpoints


def save_run(run: Run, folder: Path) -> None:
    """Write the nets of a run, and everything that it needs to go on; each file is always whole.

    Raises:
        OSError: a file can't be written; an older one of that name is still there.
    """
    about = {
        "game": run.config.game,
        "game_options": dict(run.config.game_options),
        "training": run.config.entries(),
        "iterations": run.num_iterations,
        "positions": run.num_positions,
    }
    save_checkpoint(folder / CHECKPOINT, run.net, about=about)
    if run.config.gate is not None:
        save_checkpoint(folder / BEST, run.playing_net, about=about)
    torch.save(run.state_dict(), state := io.BytesIO())
    write_whole(folder / RUN, state.getvalue())  # the last one, since it decides what comes next


def open_run(folder: Path, config: TrainingConfig) -> Run:
    """The run in a folder as far as it has come, or a new one; errors as in `check_settings`."""
    kept, file = check_settings(folder, config), folder / RUN
    if kept is None or not file.exists():
        return Run(config)
    try:
        run = Run(config, kept.net)
        run.load_state_dict(torch.load(file, map_location="cpu", weights_only=True))
    except (EOFError, LookupError, RuntimeError, TypeError, ValueError, UnpicklingError) as error:
        raise CheckpointError(f"{file} is damaged: {error}") from error
    return run


def check_settings(out: str | os.PathLike[str], config: TrainingConfig) -> Checkpoint | None:
    """The net in a folder, if there is one and its run can go on with these settings.

    Raises:
        ValueError: it has other settings, which the sentence names.
        CheckpointError: its checkpoint is damaged, or does not come from a run.
        OSError: it can't be read.
    """
    file = Path(out) / CHECKPOINT
    if not file.exists():
        return None
    kept, ours = load_checkpoint(file), json.loads(json.dumps(config.entries()))
    theirs = kept.about.get("training")
    if not isinstance(theirs, Mapping):
        raise CheckpointError(f"{file} has a net, but no training run to go on with.")
    differing = [
        f"{name} is {theirs[name]!r} there, not {ours[name]!r}"
        for name in ours
        if name in theirs and theirs[name] != ours[name]
    ]
    if differing:
        raise ValueError(
            f"{out} holds a run with other settings: {', '.join(differing)}. Choose another "
            "folder, or the same settings."
        )
    return kept
