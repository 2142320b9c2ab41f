"""The command `train`: a net that learns from its own games, in a folder, stopped and resumed."""

import argparse
import errno
import importlib.util
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

import torch

from mctslab.net.playing import WorkerError
from mctslab.net.trainer import Iteration, Trainer
from mctslab.net.training import CHECKPOINT, FolderInUseError, train
from mctslab.net.training_config import TrainingConfig
from mctslab.net.yardstick import Measurement, Yardstick, read_strength
from mctslab.running_line import RunningLine

_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""The disk is full, or one's share of it, or a file may not grow further."""
_NONE: Final[Mapping[str, float]] = MappingProxyType({})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The settings, and the folder."""
    parser.add_argument("config", metavar="CONFIG.toml", help="the settings of the run")
    parser.add_argument(
        "--out",
        required=True,
        metavar="DIR",
        help="the folder for the checkpoint and the log; the same command goes on with a run there",
    )
    parser.add_argument(
        "--measure-every",
        type=int,
        metavar="N",
        help="let the net play the opponents after every N iterations; what it learns is the same",
    )
    parser.add_argument(
        "--opponents",
        nargs="+",
        default=Yardstick().opponents,
        metavar="NAME",
        help=f"random, or such as uct:100 (default: {' '.join(Yardstick().opponents)})",
    )
    parser.add_argument(
        "--keep-every",
        type=int,
        metavar="N",
        help="keep the net as it is after every N iterations for good, in the folder nets",
    )
    parser.add_argument(
        "--tensorboard",
        action=argparse.BooleanOptionalAction,
        help="keep a log for TensorBoard, too (default: if its package is installed)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Train until the end or Ctrl-C; 2 where the settings or the folder are not right, else 0."""
    torch.set_num_threads(1)  # on several, sums are added up in another order each time
    try:
        trainer = _train(arguments)
    except KeyboardInterrupt:
        print("\nStopped. The same command goes on from here.")
        return 0
    except OSError as error:
        is_full = error.errno in _NO_ROOM
        print(f"train: {_full(arguments.out) if is_full else error}", file=sys.stderr)
        return 2
    except (ValueError, FolderInUseError, WorkerError) as error:
        print(f"train: {error}", file=sys.stderr)
        return 2
    for measurement in read_strength(arguments.out):
        if measurement.iteration == trainer.num_iterations:
            print(_in_words(measurement))
    file = Path(arguments.out) / CHECKPOINT
    print(f"All {trainer.num_iterations} iterations are done; the net is in {file}")
    return 0


def _full(folder: str) -> str:
    return (
        f"There is no room left for {folder}. What was trained up to the last checkpoint is there, "
        "and the same command goes on from it."
    )


def _train(arguments: argparse.Namespace) -> Trainer:
    config = TrainingConfig.from_toml(arguments.config)
    progress = TextProgress(config)
    yardstick = None
    if arguments.measure_every is not None:
        yardstick = Yardstick(arguments.opponents, arguments.measure_every)
    tensorboard = arguments.tensorboard
    if tensorboard is None:
        tensorboard = importlib.util.find_spec("tensorboard") is not None
    return train(
        config,
        arguments.out,
        progress=progress,
        yardstick=yardstick,
        measured=progress.measured,
        tensorboard=tensorboard,
        keep_every=arguments.keep_every,
    )


class TextProgress:
    """Keeps a line of text up to date: how far a run has come, and what it has learnt."""

    def __init__(self, config: TrainingConfig) -> None:
        self._config = config
        self._line = RunningLine()
        self._scores: dict[str, float] = {}

    def measured(self, measurement: Measurement) -> None:
        """Note how strong the net is now, for the lines to come."""
        self._scores[measurement.opponent] = measurement.score

    def __call__(self, done: Iteration) -> None:
        """Write the line, if it is time for it."""
        is_last = done.number == self._config.num_iterations
        self._line.update(lambda: line_of(done, self._config, self._scores), is_last=is_last)


def line_of(done: Iteration, config: TrainingConfig, scores: Mapping[str, float] = _NONE) -> str:
    """How far a run has come, what it has learnt, and its latest scores against opponents."""
    speed = config.positions_per_iteration / done.seconds
    parts = [
        f"iteration {done.number} of {config.num_iterations}",
        f"{done.num_positions:,} positions",
        f"{speed:.0f} a second",
        f"loss: value {done.value_loss:.3f}, policy {done.policy_loss:.3f}",
        *(f"{opponent} {score:.2f}" for opponent, score in scores.items()),
    ]
    return "  ".join(parts)


def _in_words(measurement: Measurement) -> str:
    """A measurement as a sentence: `Against uct:100: 17 won, 1 drawn, 2 lost.`"""
    return (
        f"Against {measurement.opponent}: {measurement.wins} won, {measurement.draws} drawn, "
        f"{measurement.losses} lost."
    )
