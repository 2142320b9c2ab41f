"""A training run in a folder, stopped at any time and resumed exactly.

A checkpoint has the net, the state of its optimiser, the replay buffer, and the number of the
iteration. This decides everything that comes next. So a run that was stopped or killed goes on from
its last iteration, and ends with the same net as one that was not, to the last bit.

checkpoint.safetensors    the run after its newest iteration
log.jsonl                 a line an iteration
strength.jsonl            a line a measurement, if there is a benchmark
seen.json                 the answers of its nets in a position, if a panel watched one
best.safetensors          with a promotion gate, the net that makes the self-play
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Final

import numpy as np
from filelock import FileLock, Timeout

from mctslab.child_processes import Processes
from mctslab.games.openings import random_opening
from mctslab.net.checkpoint import CHECKPOINT as CHECKPOINT
from mctslab.net.checkpoint import (
    Checkpoint,
    CheckpointError,
    has_changed,
    load_checkpoint,
    save_checkpoint,
)
from mctslab.net.evaluation import Benchmark, Measurement
from mctslab.net.learning import optimizer_tensors, restore_optimizer
from mctslab.net.own_net import MakeNet, is_importable
from mctslab.net.run_log import add_line, read_strength, remove_later
from mctslab.net.training import Iteration, Run, alphazero
from mctslab.net.training_config import TrainingConfig
from mctslab.typed import Number, convert, remove_unfinished

BEST: Final = "best.safetensors"
_BEST: Final = "gate."
"""In a checkpoint, the prefix of the names of the self-play net's tensors."""
_NO_BENCHMARK: Final = Benchmark(opponents=(), opening_plies=0)
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
    make_net: MakeNet | None = None,
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
        config: the settings. Those of a run that goes on must be the same, but `num_iterations`
            can be larger than before.
        out: the folder, made if it does not exist; the module's docstring lists its files.
        make_net: makes a net of your own, such as its class; see `mctslab.net.own_net`.
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
        DivergedError: the net's weights became infinite or NaN; the folder has the net before.
        FolderInUseError: another program is training there.
        ProcessDiedError: processes of self-play died again and again, or BrokenExecutor if that
            of the caller is broken; what was trained so far is in the folder.
        OSError: the folder can't be written to; what was there before still is.
    """
    if not isinstance(config, TrainingConfig):
        raise ValueError(
            f"config must be a TrainingConfig, such as one of a TOML file, got {config!r}."
        )
    benchmark = benchmark or _NO_BENCHMARK
    random_opening(config.first_state(), benchmark.opening_plies, np.random.default_rng(0))
    if num_workers is None:
        num_workers = (os.cpu_count() or 1) if config.num_shares > 1 else 0
    num_workers = min(convert(num_workers, Number, "num_workers"), config.num_shares)
    if executor is not None:
        num_workers = 0
    if config.game_name.startswith("__main__:") or not is_importable(make_net):
        # No other process has a class of a notebook.
        num_workers, executor = 0, None
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)

    num_attempts = 0  # since the last iteration was finished

    def go_on(workers: Executor | None) -> Run:
        nonlocal num_attempts
        num_attempts += 1
        run = open_run(folder, config, make_net)
        remove_later(folder, run.num_iterations)

        def measure() -> None:
            done = read_strength(folder)
            for measurement in benchmark.measure(run, done, stop=stop, executor=workers):
                add_line(folder, measurement)
                if measured is not None:
                    measured(measurement)

        measure()  # if the run was stopped during a measurement
        for iteration in alphazero(run, workers, stop):
            # The log comes first: a line without its checkpoint is removed later.
            add_line(folder, iteration)
            save_run(run, folder)
            num_attempts = 0
            if progress is not None:
                progress(iteration)
            measure()
        return run

    with _locked(folder):
        while True:
            try:
                with Processes(num_workers) if num_workers else nullcontext(executor) as workers:
                    return go_on(workers)
            except BrokenExecutor as error:  # a process has died: go on from the checkpoint
                if executor is not None:  # it stays broken
                    raise
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
    tensors = optimizer_tensors(run.optimizer) | run.replay.tensors()
    if run.config.gate is not None:
        best = run.playing_net
        tensors |= {f"{_BEST}{name}": each for name, each in best.state_dict().items()}
        save_checkpoint(folder / BEST, best, about=about)
    save_checkpoint(folder / CHECKPOINT, run.net, about=about, tensors=tensors)


def open_run(folder: Path, config: TrainingConfig, make_net: MakeNet | None = None) -> Run:
    """The run in a folder as far as it has come, or a new one; errors as in `check_settings`."""
    kept = check_settings(folder, config, make_net)
    if kept is None:
        return Run(config, make_net=make_net)
    run = Run(config, kept.net)
    run.num_iterations, run.num_positions = kept.about["iterations"], kept.about["positions"]
    restore_optimizer(run.optimizer, kept.tensors)
    run.replay.restore(kept.tensors)
    if config.gate is not None:
        names = run.playing_net.state_dict()
        run.playing_net.load_state_dict({n: kept.tensors[f"{_BEST}{n}"] for n in names})
    return run


def check_settings(
    folder: Path, config: TrainingConfig, make_net: MakeNet | None = None
) -> Checkpoint | None:
    """The checkpoint in a folder, if there is one and its run can go on with these settings.

    Raises:
        ValueError: it has other settings, which the sentence names, or the source of a net of your
            own has changed.
        CheckpointError: its checkpoint is damaged.
        OSError: it can't be read.
    """
    file = folder / CHECKPOINT
    if not file.exists():
        return None
    kept = load_checkpoint(file, make_net)
    if make_net is not None and has_changed(kept.about, make_net):
        raise ValueError(
            f"{folder} holds a run of another net: the source of make_net={make_net!r} has changed "
            "since. Choose another folder, or the same source."
        )
    there, here = kept.about.get("training"), config.entries()
    if not kept.tensors or there is None:
        raise CheckpointError(f"{file} has a net, but no training run to go on with.")
    names = [name for name in here if here[name] != there.get(name)]
    if here["num_iterations"] > there["num_iterations"]:  # a run can be given more of them
        names.remove("num_iterations")
    differing = (f"{name} is {there.get(name)!r} there, not {here[name]!r}" for name in names)
    if names:
        raise ValueError(
            f"{folder} holds a run with other settings: {', '.join(differing)}. Choose another "
            "folder, or the same settings; only num_iterations can grow."
        )
    return kept
