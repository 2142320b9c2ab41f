"""What does MCTS-Solver bring to self-play? Learning curves of nets, with and without proofs.

    python -m tests.benchmarks.training_curves runs/curves --json curves.jsonl
    python -m tests.benchmarks.training_curves runs/tricks --json tricks.jsonl \
        --tricks --boards gomoku6 --seconds 120 --seeds 1 2 3

Each run begins with random weights and trains in one thread. The runs of one seed take turns, an
iteration each, and what counts is processor time; so it makes little difference what else the
machine is doing. After 6, 15, 30, 60 and 120 seconds of it the net is kept and plays UCT: always by
plain PUCT, without proofs and without noise, so that only what the nets have learned differs. The
matches begin with two random plies, and both colours are played. With `--tricks` other ways of
self-play are compared: more simulations or fewer, with Gumbel's root and without it.

The folder holds the runs, and the file has a line for each net that was judged. The same command
continues wherever it was stopped; other games, seeds and seconds are added to the same file.
"""

import argparse
import json
import math
import statistics
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch

from mctslab.net.checkpoint import load_checkpoint, save_checkpoint
from mctslab.net.evaluation import net_mover, opponent_mover, play_match
from mctslab.net.run_folder import open_run, save_run
from mctslab.net.training import Run, alphazero
from mctslab.net.training_config import TrainingConfig
from mctslab.score import Score
from mctslab.typed import from_json_lines, write_whole
from tests.benchmarks.shared import parser_of

SHARED: Mapping[str, Any] = {
    "num_iterations": 100_000,  # the time ends it
    "num_games": 96,
    "steps_per_iteration": 24,
    # It stays where it is: nobody knows beforehand how many iterations there will be.
    "learning_rate": 2e-3,
    "final_learning_rate": 2e-3,
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
TRICKS: Mapping[str, Mapping[str, Any]] = {
    "64 simulations": {"num_simulations": 64, "gumbel": None},
    "16 simulations": {"num_simulations": 16, "gumbel": None},
    "Gumbel, 16": {"num_simulations": 16, "gumbel": {"num_considered": 8}},
    "Gumbel, 32": {"num_simulations": 32},
    "Gumbel, 32, values weigh less": {
        "num_simulations": 32, "gumbel": {"num_considered": 16, "c_scale": 0.1}
    },
}  # fmt: skip
"""Without proofs and in full precision."""


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
    def score(self) -> Score:
        """As either player."""
        return Score(*self.as_first) + Score(*self.as_second)

    @property
    def rate(self) -> float:
        """The share of all points."""
        return self.score.rate.value


def config_of(game: str, variant: str, seed: int) -> TrainingConfig:
    """The settings of a run."""
    changes = VARIANTS.get(variant) or {"solver": False, **TRICKS[variant]}
    playing = {**PLAYING, **GAMES_PLAYING[game], **changes}
    settings = {**SHARED, "half_precision": variant not in TRICKS, **GAMES[game]}
    return TrainingConfig.from_entries({**settings, "self_play": playing, "seed": seed})


class Curve:
    """A run in a folder, and the nets that it keeps at some marks, in seconds.

    A net is kept as soon as another iteration might end after the mark, as the longest one would.
    """

    def __init__(self, config: TrainingConfig, folder: Path, marks: Sequence[float]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.marks = folder, sorted(marks)
        self._run = open_run(folder, config)
        self._iterations = alphazero(self._run)
        self._log = folder / "iterations.json"
        self._done: list[list[float]] = []
        if self._log.exists():  # its newest line can be of an iteration without a checkpoint
            self._done = json.loads(self._log.read_text("utf-8"))[: self._run.num_iterations]

    @property
    def seconds(self) -> float:
        """The processor time so far."""
        return self._done[-1][0] if self._done else 0.0

    @property
    def is_done(self) -> bool:
        """Whether all nets are kept."""
        return kept(self.folder, self.marks[-1]).exists()

    def iterate(self) -> None:
        """One iteration, whose processor time counts, and what it takes to go on later."""
        began, earlier = time.process_time(), self.seconds
        iteration = next(self._iterations)
        seconds = earlier + time.process_time() - began
        num_games = iteration.num_games + (self._done[-1][1] if self._done else 0)
        self._done.append([seconds, num_games])
        write_whole(self._log, json.dumps(self._done))
        save_run(self._run, self.folder)
        ends = [0.0, *(end for end, _ in self._done)]
        longest = max(after - before for before, after in pairwise(ends))
        for mark in self.marks:
            if seconds + longest > mark and not kept(self.folder, mark).exists():
                about = {
                    "num_iterations": iteration.number,
                    "num_positions": iteration.num_positions,
                    "num_games": num_games,
                }
                save_checkpoint(kept(self.folder, mark), self._run.net, about=about)


def kept(folder: Path, mark: float) -> Path:
    """Where the net of a mark is."""
    return folder / f"{mark:g}.safetensors"


def warm_up(config: TrainingConfig) -> None:
    """Compile what a run will need, which would count otherwise."""
    playing = replace(config.self_play, num_simulations=4)
    short = replace(config, self_play=playing, num_iterations=1, num_games=2, steps_per_iteration=1)
    list(alphazero(Run(short)))


def judge(
    config: TrainingConfig, folder: Path, mark: float, arguments: argparse.Namespace
) -> dict[str, Any]:
    """The match of the net at a mark, and what it was trained with."""
    found = load_checkpoint(kept(folder, mark))
    as_first, as_second = play_match(
        config.first_state(),
        net_mover(found.net, arguments.simulations),
        opponent_mover(arguments.opponent, np.random.default_rng([arguments.seed, 1])),
        num_games=arguments.games,
        opening_plies=2,
        rng=np.random.default_rng([arguments.seed, 0]),  # the same openings for all
    )
    return {**found.about, "as_first": tuple(as_first), "as_second": tuple(as_second)}


def curves(arguments: argparse.Namespace, known: Iterable[Judged]) -> Iterator[Judged]:
    """The nets that are missing in `known`, game by game and seed by seed."""
    done = {(*each.run, each.seconds) for each in known}
    for seed in arguments.seeds:
        for game in arguments.boards:
            names = [(game, variant, seed) for variant in arguments.variants]
            missing = [
                (run, mark)
                for mark in arguments.seconds
                for run in names
                if (*run, mark) not in done
            ]
            runs = {
                run: Curve(
                    config_of(*run), arguments.folder / "-".join(map(str, run)), arguments.seconds
                )
                for run in dict.fromkeys(run for run, _ in missing)
            }
            unfinished = [run for run in runs if not runs[run].is_done]
            for run in unfinished:
                warm_up(config_of(*run))
            while unfinished:
                runs[min(unfinished, key=lambda run: runs[run].seconds)].iterate()
                unfinished = [run for run in unfinished if not runs[run].is_done]
            for run, mark in missing:
                yield Judged(
                    *run, mark, **judge(config_of(*run), runs[run].folder, mark, arguments)
                )


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
    """Which runs there are, and what a match of their nets is."""
    parser, known = parser_of(__doc__), [*VARIANTS, *TRICKS]
    parser.add_argument("folder", type=Path, help="where the runs are")
    parser.add_argument("--json", type=Path, required=True, help="the file of the judged nets")
    parser.add_argument("--boards", nargs="+", default=list(GAMES), choices=list(GAMES))
    parser.add_argument("--seconds", type=float, nargs="+", default=[6, 15, 30, 60, 120])
    parser.add_argument("--variants", nargs="+", default=["without", "with"], choices=known)
    parser.add_argument("--tricks", dest="variants", action="store_const", const=list(TRICKS))
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    parser.add_argument("--games", type=int, default=200, help="of each net (default: 200)")
    parser.add_argument("--simulations", type=int, default=64, help="of each net (default: 64)")
    parser.add_argument("--opponent", default="uct:1000", help="(default: uct:1000)")
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
    for variant in arguments.variants[1:]:
        print("\n".join(table(judged, (arguments.variants[0], variant))), flush=True)


if __name__ == "__main__":
    main()
