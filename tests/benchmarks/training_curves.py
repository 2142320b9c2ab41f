"""What does MCTS-Solver bring to self-play? Learning curves of nets, with and without proofs.

    python -m tests.benchmarks.training_curves runs/curves --json curves.jsonl

Each run begins with random weights and trains in one thread. When it has used 6, 15, 30, 60 and 120
seconds of processor time (so it makes no difference what else the machine is doing), its net is
kept, and plays UCT: always by plain PUCT, without proofs and without noise, so that only what the
nets have learned differs. The matches begin with two random plies, and both colours are played.

The folder holds the runs, and the file has a line for each net that was judged. The same command
continues wherever it was stopped; other games, seeds and seconds are added to the same file.
"""

import argparse
import json
import math
import statistics
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch

from mctslab.net import load_checkpoint, save_checkpoint
from mctslab.net.evaluation import net_mover, play_match, uct_mover
from mctslab.net.training import CHECKPOINT, read_log, train
from mctslab.net.training_config import TrainingConfig
from mctslab.score import Score
from mctslab.typed import from_json_lines

SHARED: Mapping[str, Any] = {
    "num_iterations": 100_000,  # the time ends it
    "positions_per_iteration": 1_024,
    "steps_per_iteration": 24,
    # It stays where it is: nobody knows beforehand how many iterations there will be.
    "learning_rate": 2e-3,
    "final_learning_rate": 2e-3,
    "half_precision": True,
}
GAMES: Mapping[str, Mapping[str, Any]] = {
    "gomoku6": {"game": "gomoku", "heads": "pooled"},
    "connect_four": {"game": "connect_four"},
    "reversi6": {"game": "reversi", "game_options": {"size": 6}},
}
PLAYING: Mapping[str, Any] = {"num_simulations": 32, "temperature_plies": 10}
GAMES_PLAYING: Mapping[str, Mapping[str, Any]] = {
    "gomoku6": {"opening_plies": 4, "gumbel": {"num_considered": 16}},
    "connect_four": {"opening_plies": 8, "gumbel": {"num_considered": 7}},
    "reversi6": {"opening_plies": 8, "gumbel": {"num_considered": 8}},
}
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "without": {"solver": False},
    "with": {"solver": True},
    "visits": {"solver": False, "gumbel": None},
    "visits, with": {"solver": True, "gumbel": None},
}


@dataclass(frozen=True)
class Judged:
    """A net on a learning curve."""

    game: str
    variant: str
    seed: int
    seconds: float
    """Of processor time, at which the net was kept; it was as old as it could be by then."""
    num_iterations: int
    num_positions: int
    """Moves chosen in self-play."""
    num_games: int
    as_first: tuple[int, int, int]
    as_second: tuple[int, int, int]
    """Wins, draws and losses of its match."""

    @property
    def run(self) -> tuple[str, str, int]:
        """Which run it is from."""
        return self.game, self.variant, self.seed

    @property
    def rate(self) -> float:
        """The share of all points."""
        return (Score(*self.as_first) + Score(*self.as_second)).rate.value


def config_of(game: str, variant: str, seed: int) -> TrainingConfig:
    """The settings of a run."""
    playing = {**PLAYING, **GAMES_PLAYING[game], **VARIANTS[variant]}
    return TrainingConfig.from_entries(
        {**SHARED, **GAMES[game], "self_play": playing, "seed": seed}
    )


def train_curve(config: TrainingConfig, folder: Path, marks: Sequence[float]) -> None:
    """Train, or go on with the run in `folder`, and keep a net at each mark, in seconds.

    It is kept as soon as another iteration might end after the mark, as the longest one would.
    """
    folder.mkdir(parents=True, exist_ok=True)
    clock = folder / "seconds.json"
    ends: list[float] = json.loads(clock.read_text("utf-8")) if clock.exists() else [0.0]
    del ends[len(read_log(folder)) + 1 :]  # an iteration whose checkpoint was not written
    began = time.process_time() - ends[-1]

    def note(_: object) -> None:
        ends.append(time.process_time() - began)
        clock.write_text(json.dumps(ends), "utf-8")
        longest = max(after - before for before, after in pairwise(ends))
        for mark in marks:
            if ends[-1] + longest > mark and not kept(folder, mark).exists():
                net = load_checkpoint(folder / CHECKPOINT).net
                save_checkpoint(kept(folder, mark), net, about={"iteration": len(ends) - 1})

    train(config, folder, progress=note, stop=lambda: kept(folder, max(marks)).exists())


def kept(folder: Path, mark: float) -> Path:
    """Where the net of a mark is."""
    return folder / f"{mark:g}.safetensors"


def warm_up(config: TrainingConfig) -> None:
    """Compile what the run will need, which would count otherwise."""
    playing = replace(config.self_play, num_simulations=4)
    short = replace(
        config, self_play=playing, num_iterations=1, positions_per_iteration=8, num_games=8
    )
    with tempfile.TemporaryDirectory() as folder:
        train(short, folder)


def judge(
    config: TrainingConfig, folder: Path, mark: float, arguments: argparse.Namespace
) -> dict[str, Any]:
    """The match of the net at a mark, and what it was trained with."""
    found = load_checkpoint(kept(folder, mark))
    scores = play_match(
        config.first_state(),
        net_mover(found.net, arguments.simulations),
        uct_mover(arguments.rollouts, np.random.default_rng([arguments.seed, 1])),
        num_games=arguments.games,
        opening_plies=2,
        rng=np.random.default_rng([arguments.seed, 0]),  # the same openings for all
    )
    assert scores is not None
    log = read_log(folder)[: found.about["iteration"]]
    return {
        "num_iterations": len(log),
        "num_positions": log[-1]["num_positions"],
        "num_games": sum(each["num_games"] for each in log),
        "as_first": tuple(scores[0]),
        "as_second": tuple(scores[1]),
    }


def curves(arguments: argparse.Namespace, known: Iterable[Judged]) -> Iterator[Judged]:
    """The nets that are missing in `known`, run by run."""
    done = {(*each.run, each.seconds) for each in known}
    for seed in arguments.seeds:
        for game in arguments.boards:
            for variant in arguments.variants:
                run = game, variant, seed
                missing = [mark for mark in arguments.seconds if (*run, mark) not in done]
                folder, config = arguments.folder / "-".join(map(str, run)), config_of(*run)
                if not missing:
                    continue
                if not kept(folder, max(missing)).exists():
                    warm_up(config)
                    train_curve(config, folder, arguments.seconds)
                for mark in missing:
                    yield Judged(*run, mark, **judge(config, folder, mark, arguments))


def table(judged: Sequence[Judged], variants: tuple[str, str]) -> Iterator[str]:
    """A line for each game and mark: medians over the seeds, and the mean difference of two runs
    with the same seed. Its interval is Student's, for the seeds that both have.
    """
    yield f"{'game':14}{'seconds':>8}  {variants[0]:>14}  {variants[1]:>14}  difference"
    found = {(*each.run, each.seconds): each for each in judged}
    for game, mark in sorted({(each.game, each.seconds) for each in judged}):
        seeds = sorted({each.seed for each in judged})
        pairs = [[found.get((game, name, seed, mark)) for name in variants] for seed in seeds]
        rates = [(a.rate, b.rate) for a, b in pairs if a is not None and b is not None]
        if rates:
            medians = [statistics.median(side) for side in zip(*rates, strict=True)]
            yield (
                f"{game:14}{mark:8g}  {medians[0]:14.3f}  {medians[1]:14.3f}  "
                f"{difference([b - a for a, b in rates])}"
            )


def difference(differences: Sequence[float]) -> str:
    """The mean of some differences and half its 95% interval."""
    number, mean = len(differences), statistics.fmean(differences)
    if number < 2:
        return f"{mean:+.3f}"
    quantile = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57}.get(number, 2.4)
    margin = quantile * statistics.stdev(differences) / math.sqrt(number)
    return f"{mean:+.3f} ± {margin:.3f} ({number} seeds)"


def words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the runs are")
    parser.add_argument("--json", type=Path, required=True, help="the file of the judged nets")
    parser.add_argument("--boards", nargs="+", default=list(GAMES), choices=list(GAMES))
    parser.add_argument("--variants", nargs="+", default=["without", "with"], choices=VARIANTS)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    parser.add_argument("--seconds", type=float, nargs="+", default=[6, 15, 30, 60, 120])
    parser.add_argument("--games", type=int, default=200, help="of each net (default: 200)")
    parser.add_argument("--simulations", type=int, default=64, help="of each net (default: 64)")
    parser.add_argument("--rollouts", type=int, default=1_000, help="of UCT (default: 1000)")
    parser.add_argument("--seed", type=int, default=1, help="of the matches")
    return parser.parse_args()


def main() -> None:
    arguments = words()
    torch.set_num_threads(1)
    judged: list[Judged] = []
    if arguments.json.exists():
        text = arguments.json.read_text("utf-8")
        judged += from_json_lines(text, Judged, str(arguments.json))
    for each in curves(arguments, tuple(judged)):
        judged.append(each)
        with open(arguments.json, "a", encoding="utf-8") as lines:
            lines.write(json.dumps(asdict(each)) + "\n")
        run = f"{each.game}, {each.variant}, seed {each.seed}"
        print(f"{run}, {each.seconds:g} s: {each.rate:.3f}", flush=True)
    print("\n".join(table(judged, tuple(arguments.variants[:2]))), flush=True)


if __name__ == "__main__":
    main()
