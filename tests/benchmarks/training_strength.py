"""How strong is a net after five minutes of training? Four in a row on 6 x 6, from random weights.

    python -m tests.benchmarks.training_strength

The settings are those of the README, with seeds of their own; a run ends when it is done, or with
the last iteration that fits into the time. The time is that on the clock, from the first moment to
the last checkpoint, so leave the cores to it. Then the net plays UCT with 1,000 rollouts, as in
`tests.benchmarks.net_strength`: two plies by lot, both colours, no noise, and with its options
`--parent`, `--reuse` and `--solver`. The table has a line a seed and the medians.

Runs and games lie in the folder `--results`; the same command goes on where it was stopped.
"""

import argparse
import re
import statistics
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch

from mctslab import arena
from mctslab.net.trainer import Iteration
from mctslab.net.training import CHECKPOINT, read_log, train
from mctslab.net.training_config import TrainingConfig
from tests.benchmarks import net_strength

README = Path(__file__).resolve().parents[2] / "README.md"
HEAD = ("seed", "seconds", "positions", "score", "as first player", "as second player")
ELAPSED = "elapsed"


def settings() -> dict[str, Any]:
    """What the README says to train."""
    match = re.search(r"```toml\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert match, "the README has no settings"
    return tomllib.loads(match[1])


class Clock:
    """The time that a run has taken, over all of its parts; kept in its folder."""

    def __init__(self, folder: Path, limit: float) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / ELAPSED
        self._limit = limit
        before = float(self._file.read_text()) if self._file.exists() else 0.0
        self._began = time.monotonic() - before
        self._longest = 0.0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    def note(self, iteration: Iteration) -> None:
        """Keep the time after an iteration."""
        self._longest = max(self._longest, iteration.seconds)
        self._file.write_text(f"{self.seconds:.1f}")

    def is_up(self) -> bool:
        """Whether another iteration might not fit; the first one may take as long as it does."""
        return self._file.exists() and self.seconds + self._longest > self._limit


class Trained(NamedTuple):
    """What a run has taken."""

    seconds: float
    num_positions: int


def trained(config: TrainingConfig, folder: Path, limit: float) -> Trained:
    """Train as far as the time allows."""
    clock = Clock(folder, limit)
    if not (folder / "done").exists():
        train(config, folder, progress=clock.note, stop=clock.is_up)
        (folder / "done").touch()
    return Trained(
        float((folder / ELAPSED).read_text()), int(read_log(folder)[-1]["num_positions"])
    )


def strength(folder: Path, arguments: argparse.Namespace) -> arena.MatchResult:
    """The match of a trained net."""
    kind = net_strength.kind_of(arguments)
    entrant = net_strength.enter(str(folder / CHECKPOINT), arguments.results, kind)
    return net_strength.match(entrant, arguments.rival, arguments)


def rates(result: arena.MatchResult) -> list[arena.Estimate]:
    """The score over both colours, and as each of them."""
    return [result.score.rate, *(result.score_as(player).rate for player in (0, 1))]


def row(seed: int, trained: Trained, result: arena.MatchResult) -> str:
    """A line of the table."""
    numbers = [str(seed), f"{trained.seconds:.0f}", f"{trained.num_positions:,}"]
    return f"| {' | '.join([*numbers, *map(net_strength.written, rates(result))])} |"


def medians(runs: Sequence[Trained], results: Sequence[arena.MatchResult]) -> str:
    """The last line of the table."""
    seconds = statistics.median(run.seconds for run in runs)
    positions = statistics.median(run.num_positions for run in runs)
    scores = [
        f"{statistics.median(rate.value for rate in column):.3f}".removeprefix("0")
        for column in zip(*map(rates, results), strict=True)
    ]
    return f"| {' | '.join(['median', f'{seconds:.0f}', f'{positions:,.0f}', *scores])} |"


def words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=300, help="of training (default: 300)")
    parser.add_argument("--seeds", type=int, nargs="+", default=(1, 2, 3))
    parser.add_argument("--games", type=int, default=200, help="of each net (default: 200)")
    parser.add_argument("--simulations", type=int, default=200, help="of a net (default: 200)")
    parser.add_argument("--rival", default="uct:1000", help="by its short name")
    net_strength.add_kinds(parser)
    parser.add_argument("--processes", type=int, help="games at once (default: one)")
    parser.add_argument("--seed", type=int, default=1, help="of the matches")
    parser.add_argument("--config", type=Path, help="other settings than the README's")
    parser.add_argument("--results", type=Path, default=Path("runs/training"), metavar="DIR")
    return parser.parse_args()


def main() -> None:
    arguments = words()
    torch.set_num_threads(1)
    text = tomllib.loads(arguments.config.read_text()) if arguments.config else settings()
    runs, results = [], []
    for seed in arguments.seeds:
        config = TrainingConfig.from_entries({**text, "seed": seed})
        folder = arguments.results / f"seed_{seed}"
        runs.append(trained(config, folder, arguments.seconds))
        results.append(strength(folder, arguments))
        print(row(seed, runs[-1], results[-1]), flush=True)
    rows = [row(*line) for line in zip(arguments.seeds, runs, results, strict=True)]
    net_strength.print_table(HEAD, [*rows, medians(runs, results)])


if __name__ == "__main__":
    main()
