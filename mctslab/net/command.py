"""The command `train`: a net that learns from its own games, in a folder, stopped and resumed."""

import argparse
import sys
from pathlib import Path

import torch

from mctslab.net.trainer import Iteration
from mctslab.net.training import CHECKPOINT, FolderInUseError, train
from mctslab.net.training_config import TrainingConfig
from mctslab.running_line import RunningLine


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The settings, and the folder."""
    parser.add_argument("config", metavar="CONFIG.toml", help="the settings of the run")
    parser.add_argument(
        "--out",
        required=True,
        metavar="DIR",
        help="the folder for the checkpoint and the log; the same command goes on with a run there",
    )


def run(arguments: argparse.Namespace) -> int:
    """Train until the end or Ctrl-C; 2 where the settings or the folder are not right, else 0."""
    torch.set_num_threads(1)  # on several, sums are added up in another order each time
    try:
        config = TrainingConfig.from_toml(arguments.config)
        trainer = train(config, arguments.out, progress=TextProgress(config))
    except KeyboardInterrupt:
        print("\nStopped. The same command goes on from here.")
        return 0
    except (ValueError, OSError, FolderInUseError) as error:
        print(f"train: {error}", file=sys.stderr)
        return 2
    file = Path(arguments.out) / CHECKPOINT
    print(f"All {trainer.num_iterations} iterations are done; the net is in {file}")
    return 0


class TextProgress:
    """Keeps a line of text up to date: how far a run has come, and what it has learnt."""

    def __init__(self, config: TrainingConfig) -> None:
        self._config = config
        self._line = RunningLine()

    def __call__(self, done: Iteration) -> None:
        """Write the line, if it is time for it."""
        is_last = done.number == self._config.num_iterations
        self._line.update(lambda: line_of(done, self._config), is_last=is_last)


def line_of(done: Iteration, config: TrainingConfig) -> str:
    """How far a run has come, and what it has learnt."""
    speed = config.positions_per_iteration / done.seconds
    return (
        f"iteration {done.number} of {config.num_iterations}  {done.num_positions:,} positions  "
        f"{speed:.0f} a second  loss: value {done.value_loss:.3f}, policy {done.policy_loss:.3f}"
    )
