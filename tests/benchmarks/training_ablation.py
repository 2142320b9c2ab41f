"""What do Gumbel's root and playout caps bring? Nets trained in the same time, with and without.

    python -m tests.benchmarks.training_ablation --json notebooks/more/results/14_ablation.json

Four in a row on 6 x 6, from random weights. All runs share the net, the learning rate and the steps
of the optimiser for each new sample; they differ in how self-play searches. Each ends with the last
iteration that fits into `--seconds` of processor time, in one thread, so that it makes no
difference what else the machine is doing. Then each net plays UCT, always by plain PUCT and without
noise, with as many simulations as all others: two random plies, both colours.

Runs lie in the folder `--results`; the same command goes on where it was stopped. What was found so
far is in the file `--json` after every run.
"""

import argparse
import json
import os
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mctslab import arena
from mctslab.net import load_checkpoint
from mctslab.net.evaluation import net_mover, play_match, uct_mover
from mctslab.net.trainer import Iteration
from mctslab.net.training import CHECKPOINT, read_log, train
from mctslab.net.training_config import TrainingConfig

COMMAND = "python -m tests.benchmarks.training_ablation"
SAMPLES = 1_024
"""About so many in each iteration, however many moves that takes."""
SHARED: Mapping[str, Any] = {
    "heads": "pooled",
    "num_iterations": 100_000,  # the time ends it
    "positions_per_iteration": SAMPLES,
    "steps_per_iteration": 24,
    # It stays where it is: nobody knows beforehand how many iterations there will be.
    "learning_rate": 2e-3,
    "final_learning_rate": 2e-3,
}
OPENING: Mapping[str, Any] = {"opening_plies": 4, "temperature_plies": 10}
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "64 simulations": {"num_simulations": 64},
    "16 simulations": {"num_simulations": 16},
    "Gumbel, 16": {"num_simulations": 16, "gumbel": {"num_considered": 8}},
    "Gumbel, 32": {"num_simulations": 32, "gumbel": {"num_considered": 16}},
    "Gumbel, 32, values weigh less": {
        "num_simulations": 32, "gumbel": {"num_considered": 16, "c_scale": 0.1}
    },
    "playout cap, 96 or 16": {
        "num_simulations": 96, "playout_cap": {"num_simulations": 16, "full_share": 0.25}
    },
}  # fmt: skip


def config_of(variant: str, seed: int) -> TrainingConfig:
    """The settings of a run."""
    playing = {**OPENING, **VARIANTS[variant]}
    share = playing.get("playout_cap", {"full_share": 1})["full_share"]
    positions = round(SAMPLES / share)
    settings = {**SHARED, "positions_per_iteration": positions, "self_play": playing, "seed": seed}
    return TrainingConfig.from_entries(settings)


@dataclass(frozen=True)
class Trained:
    """What a run has found out."""

    variant: str
    seed: int
    seconds: float
    """Of processor time."""
    num_iterations: int
    num_positions: int
    """Moves chosen in self-play."""
    num_games: int
    as_first: arena.Score
    as_second: arena.Score
    """Of the match: games won, drawn, lost."""


class ProcessorClock:
    """The processor time that a run has taken, over all of its parts; kept in its folder."""

    def __init__(self, folder: Path, limit: float) -> None:
        self._file = folder / "processor_seconds"
        self._limit = limit
        before = float(self._file.read_text()) if self._file.exists() else 0.0
        self._began = time.process_time() - before
        self._last, self._longest = before, 0.0

    @property
    def seconds(self) -> float:
        return time.process_time() - self._began

    def note(self, iteration: Iteration) -> None:
        """Keep the time after an iteration."""
        self._longest = max(self._longest, self.seconds - self._last)
        self._last = self.seconds
        self._file.write_text(f"{self._last:.2f}")

    def is_up(self) -> bool:
        """Whether another iteration might not fit; the first one may take as long as it does."""
        return self._file.exists() and self.seconds + self._longest > self._limit


def train_for(folder: Path, config: TrainingConfig, limit: float) -> None:
    """Train as far as the time allows, from where an earlier part of the run has come to."""
    folder.mkdir(parents=True, exist_ok=True)
    clock = ProcessorClock(folder, limit)
    if not (folder / "done").exists():
        train(config, folder, progress=clock.note, stop=clock.is_up)
        (folder / "done").touch()


def match_of(
    folder: Path, config: TrainingConfig, arguments: argparse.Namespace
) -> tuple[arena.Score, arena.Score]:
    """The games of a trained net."""
    net = load_checkpoint(folder / CHECKPOINT).net
    scores = play_match(
        config.first_state(),
        net_mover(net, arguments.simulations),
        uct_mover(arguments.rollouts, np.random.default_rng([arguments.seed, 1])),
        num_games=arguments.games,
        opening_plies=2,
        rng=np.random.default_rng([arguments.seed, 0]),  # the same openings for all
    )
    assert scores is not None
    return scores


def run(variant: str, seed: int, arguments: argparse.Namespace) -> Trained:
    """Train and play; or read what came of it."""
    name = "".join(letter if letter.isalnum() else "_" for letter in f"{variant} seed {seed}")
    folder: Path = arguments.results / name
    config = config_of(variant, seed)
    train_for(folder, config, arguments.seconds)
    log = read_log(folder)
    numbers = arguments.simulations, arguments.rollouts, arguments.games, arguments.seed
    file = folder / f"match_{'_'.join(map(str, numbers))}.json"
    if not file.exists():
        write(file, match_of(folder, config, arguments))
    first, second = json.loads(file.read_text())
    return Trained(
        variant, seed, float((folder / "processor_seconds").read_text()), len(log),
        log[-1]["num_positions"], sum(each["num_games"] for each in log),
        arena.Score(*first), arena.Score(*second),
    )  # fmt: skip


def write(file: Path, content: Any) -> None:
    """JSON, written beside an older file and then put in its place."""
    beside = file.with_name(f".{file.name}.part")
    beside.write_text(json.dumps(content, indent=1) + "\n")
    os.replace(beside, file)


def store(runs: Sequence[Trained], arguments: argparse.Namespace) -> None:
    """All that was found, with what it takes to find it again."""
    found = {
        "command": f"{COMMAND} --seconds {arguments.seconds:g} --games {arguments.games} "
        f"--seeds {' '.join(map(str, arguments.seeds))}",
        "seconds": arguments.seconds,
        "simulations": arguments.simulations,
        "opponent": f"uct:{arguments.rollouts}",
        "settings": {name: dict(VARIANTS[name]) for name in arguments.variants},
        "runs": [asdict(each) for each in runs],
    }
    write(arguments.json, found)


def line(variant: str, runs: Sequence[Trained]) -> str:
    """A line of the table: all seeds of a variant together.

    The interval is that of the games; nets of other seeds differ more than it says.
    """
    scores = [run.as_first + run.as_second for run in runs]
    rate = sum(scores, arena.Score()).rate
    each = ", ".join(f"{score.rate.value:.2f}" for score in scores)
    games = statistics.median(run.num_games for run in runs)
    return (
        f"{variant:32} {rate.value:.3f} ({rate.low:.3f} to {rate.high:.3f})  {games:6,.0f}  {each}"
    )


def words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=120, help="of training (default: 120)")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--variants", nargs="+", default=list(VARIANTS), choices=list(VARIANTS))
    parser.add_argument("--games", type=int, default=200, help="of each net (default: 200)")
    parser.add_argument("--simulations", type=int, default=64, help="of each net (default: 64)")
    parser.add_argument("--rollouts", type=int, default=1_000, help="of UCT (default: 1000)")
    parser.add_argument("--seed", type=int, default=1, help="of the matches")
    parser.add_argument("--results", type=Path, default=Path("runs/ablation"), metavar="DIR")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where to store what is found")
    return parser.parse_args()


def main() -> None:
    arguments = words()
    runs: list[Trained] = []
    for seed in arguments.seeds:
        for variant in arguments.variants:
            runs.append(run(variant, seed, arguments))
            print(f"seed {seed}: {line(variant, runs[-1:])}", flush=True)
            if arguments.json:
                store(runs, arguments)
    print(f"\n{'self-play':32} score (95%)             games  each seed")
    for variant in arguments.variants:
        print(line(variant, [each for each in runs if each.variant == variant]))


if __name__ == "__main__":
    main()
