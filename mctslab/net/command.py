"""The command `train`: a net that learns from its own games, in a folder, stopped and resumed."""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from mctslab.cluster import ClusterError, add_cluster, open_cluster
from mctslab.net.evaluation import Benchmark, Measurement
from mctslab.net.run_folder import CHECKPOINT, FolderInUseError, ProcessDiedError, train
from mctslab.net.run_log import read_strength
from mctslab.net.training import Iteration, Run
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
    try:
        run = _train(arguments)
    except _TOLD as error:
        print(f"train: {error}", file=sys.stderr)
        return 2
    file = Path(arguments.out) / CHECKPOINT
    for each in read_strength(arguments.out):
        if each.iteration == run.num_iterations:
            score = f"{each.score.wins} won, {each.score.draws} drawn, {each.score.losses} lost"
            print(f"Against {each.opponent}: {score}.")
    print(f"All {run.num_iterations} iterations are done; the net is in {file}")
    return 0


_TOLD: Final = (OSError, ValueError, MemoryError, ClusterError, FolderInUseError, ProcessDiedError)
"""Errors whose text is a sentence for the user."""


def _train(arguments: argparse.Namespace) -> Run:
    config = TrainingConfig.from_toml(arguments.config, own_game=arguments.game)
    line, scores = RunningLine(), dict[str, float]()  # by opponent

    def progress(done: Iteration) -> None:
        is_last = done.number == config.num_iterations
        line.update(lambda: _words(done, config.num_iterations, scores), is_last=is_last)

    def measured(measurement: Measurement) -> None:
        scores[measurement.opponent] = measurement.score.rate.value

    benchmark = None
    if arguments.measure_every is not None:
        benchmark = Benchmark(tuple(arguments.opponents), arguments.measure_every)
    with open_cluster(arguments.cluster) as executor:
        return train(
            config,
            arguments.out,
            progress=progress,
            benchmark=benchmark,
            measured=measured,
            num_workers=arguments.workers,
            executor=executor,
        )


def _words(done: Iteration, num_iterations: int, scores: Mapping[str, float]) -> str:
    """How far a run has come, its losses, and the newest score against each opponent."""
    parts = [
        f"iteration {done.number} of {num_iterations}",
        f"{done.num_positions:,} positions",
        f"{done.num_games / done.seconds:.1f} games a second",
    ]
    if done.value_loss is not None and done.policy_loss is not None:
        parts.append(f"loss: value {done.value_loss:.3f}, policy {done.policy_loss:.3f}")
    parts += (f"{opponent} {score:.2f}" for opponent, score in scores.items())
    return "  ".join(parts)
