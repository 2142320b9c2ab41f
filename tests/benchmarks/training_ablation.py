"""What does Gumbel's root bring? Nets trained in the same time, with and without.

    python -m tests.benchmarks.training_ablation --json notebooks/more/results/14_ablation.json

Four in a row on 6 x 6, from random weights. All runs share the net, the learning rate and the steps
of the optimiser for each new sample; they differ in how self-play searches. Each ends with the last
iteration that fits into `--seconds` of processor time, in one thread, so that it makes no
difference what else the machine is doing. Then each net plays UCT, always by plain PUCT and without
noise, with as many simulations as all others: two random plies, both colours.

What was found so far is in the file `--json` after every run; the same command goes on from there.
"""

import argparse
import json
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mctslab.net.training_config import TrainingConfig
from mctslab.score import Score
from mctslab.typed import write_whole
from tests.benchmarks.exact_outcomes import share
from tests.benchmarks.training_curves import Curve, Judged, judge, parser_of

COMMAND = "python -m tests.benchmarks.training_ablation"
SHARED: Mapping[str, Any] = {
    "heads": "pooled",
    "num_iterations": 100_000,  # the time ends it
    "num_games": 96,
    "steps_per_iteration": 24,
    # It stays where it is: nobody knows beforehand how many iterations there will be.
    "learning_rate": 2e-3,
    "final_learning_rate": 2e-3,
}
OPENING: Mapping[str, Any] = {"opening_plies": 4, "temperature_plies": 10, "solver": False}
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "64 simulations": {"num_simulations": 64},
    "16 simulations": {"num_simulations": 16},
    "Gumbel, 16": {"num_simulations": 16, "gumbel": {"num_considered": 8}},
    "Gumbel, 32": {"num_simulations": 32, "gumbel": {"num_considered": 16}},
    "Gumbel, 32, values weigh less": {
        "num_simulations": 32, "gumbel": {"num_considered": 16, "c_scale": 0.1}
    },
}  # fmt: skip


def config_of(variant: str, seed: int) -> TrainingConfig:
    """The settings of a run."""
    playing = {**OPENING, **VARIANTS[variant]}
    settings = {**SHARED, "self_play": playing, "seed": seed}
    return TrainingConfig.from_entries(settings)


def run(variant: str, seed: int, arguments: argparse.Namespace) -> Judged:
    """Train a net until another iteration might take too long, and let it play."""
    config = config_of(variant, seed)
    with tempfile.TemporaryDirectory() as folder:
        curve = Curve(config, Path(folder), [arguments.seconds])
        while not curve.is_done:
            curve.iterate()
        found = judge(config, curve.folder, arguments.seconds, arguments)
    return Judged("gomoku6", variant, seed, round(curve.seconds, 2), **found)


def about(arguments: argparse.Namespace) -> dict[str, Any]:
    """What it takes to find the same again."""
    return {
        "command": f"{COMMAND} --seconds {arguments.seconds:g} --games {arguments.games} "
        f"--seeds {' '.join(map(str, arguments.seeds))}",
        "seconds": arguments.seconds,
        "simulations": arguments.simulations,
        "opponent": arguments.opponent,
        "settings": {name: dict(VARIANTS[name]) for name in arguments.variants},
    }


def stored(arguments: argparse.Namespace) -> dict[tuple[str, int], Judged]:
    """The runs that the same command has stored, by variant and seed."""
    if not (arguments.json and arguments.json.exists()):
        return {}
    found = json.loads(arguments.json.read_text("utf-8"))
    runs = [Judged(**{"game": "gomoku6", **each}) for each in found.pop("runs")]
    return {each.run[1:]: each for each in runs} if found == about(arguments) else {}


def line(variant: str, runs: Sequence[Judged]) -> str:
    """A line of the table: all seeds of a variant together.

    The interval is that of the games; nets of other seeds differ more than it says.
    """
    score = sum((run.score for run in runs), Score())
    each = ", ".join(f"{run.rate:.2f}" for run in runs)
    games = statistics.median(run.num_games for run in runs)
    return f"{variant:32} {share(score.points, score.num_games)}  {games:6,.0f}  {each}"


def words() -> argparse.Namespace:
    parser = parser_of(__doc__, VARIANTS, list(VARIANTS), seeds=[1, 2, 3])
    parser.add_argument("--seconds", type=float, default=120, help="of training (default: 120)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where to store what is found")
    return parser.parse_args()


def main() -> None:
    arguments = words()
    known = stored(arguments)
    runs: list[Judged] = []
    for seed in arguments.seeds:
        for variant in arguments.variants:
            runs.append(known.get((variant, seed)) or run(variant, seed, arguments))
            print(f"seed {seed}: {line(variant, runs[-1:])}", flush=True)
            if arguments.json:
                found = {**about(arguments), "runs": [asdict(each) for each in runs]}
                write_whole(arguments.json, json.dumps(found, indent=1) + "\n")
    print(f"\n{'self-play':32} score (95%)             games  each seed")
    for variant in arguments.variants:
        print(line(variant, [each for each in runs if each.variant == variant]))


if __name__ == "__main__":
    main()
