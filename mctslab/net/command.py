"""The command `train`: a net that learns from its own games, in a folder, stopped and resumed."""

import argparse
import sys
from pathlib import Path

from mctslab.cluster import ClusterError, add_cluster, open_cluster
from mctslab.net.evaluation import Benchmark, Measurement
from mctslab.net.run_folder import CHECKPOINT, FolderInUseError, ProcessDiedError, train
from mctslab.net.training import Iteration
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
    parser.add_argument(
        "--game",
        default="",
        metavar="FILE.py:CLASS",
        help="a game of your own, in a file that you trust, since it is run",
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
        default=Benchmark().opponents,
        metavar="NAME",
        help=f"random, or such as uct:100 (default: {' '.join(Benchmark().opponents)})",
    )
    parser.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="processes that play while this one learns; 0: this one does both in turn (default: "
        "one for each of the num_shares, but not more than cores; the net is the same)",
    )
    add_cluster(parser)


def run(arguments: argparse.Namespace) -> int:
    """Train until the end; 2 if the settings or the folder are wrong, else 0."""
    benchmark = None
    try:
        config = TrainingConfig.from_toml(arguments.config, own_game=arguments.game)
        progress = TextProgress(config.num_iterations)
        if arguments.measure_every is not None:
            benchmark = Benchmark(tuple(arguments.opponents), arguments.measure_every)
        with open_cluster(arguments.cluster) as executor:
            train(
                config,
                arguments.out,
                progress=progress,
                benchmark=benchmark,
                measured=progress.measured,
                num_workers=arguments.workers,
                executor=executor,
            )
    except (OSError, ValueError, ClusterError, FolderInUseError, ProcessDiedError) as error:
        print(f"train: {error}", file=sys.stderr)
        return 2
    file = Path(arguments.out) / CHECKPOINT
    print(f"All {config.num_iterations} iterations are done; the net is in {file}")
    return 0


class TextProgress:
    """Keeps a line of text up to date: how far a run has come, and its losses and scores.

    Args:
        num_iterations: of the whole run.
    """

    def __init__(self, num_iterations: int) -> None:
        self._num_iterations = num_iterations
        self._line = RunningLine()
        self._scores: dict[str, float] = {}

    def measured(self, measurement: Measurement) -> None:
        """Use this score in the lines to come."""
        self._scores[measurement.opponent] = measurement.score.rate.value

    def __call__(self, done: Iteration) -> None:
        """Write the line, if it is due."""
        is_last = done.number == self._num_iterations
        self._line.update(lambda: self._words(done), is_last=is_last)

    def _words(self, done: Iteration) -> str:
        parts = [
            f"iteration {done.number} of {self._num_iterations}",
            f"{done.num_positions:,} positions",
            f"{done.num_games / done.seconds:.1f} games a second",
        ]
        if done.value_loss is not None and done.policy_loss is not None:
            parts.append(f"loss: value {done.value_loss:.3f}, policy {done.policy_loss:.3f}")
        parts += (f"{opponent} {score:.2f}" for opponent, score in self._scores.items())
        return "  ".join(parts)
