"""What self-play on a cluster costs, and how many workers are of use: the figures of cluster.md.

    python -m tests.benchmarks.cluster_scaling --measure
    python -m tests.benchmarks.cluster_scaling

The first measures on one core what it takes to play a position and to learn from it, and writes
that to docs/cluster_scaling.json (about ten minutes). The second reads it, prints the table,
simulates clusters of 1 to 1,000 workers with those times, and draws docs/cluster_scaling.svg.
"""

import argparse
import heapq
import itertools
import json
import pickle
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean, median

import matplotlib as mpl
import numpy as np
import torch
from matplotlib import pyplot as plt
from mctslab.net.playing import Groups, Request, weights_of

from mctslab.cluster import processor
from mctslab.net import PolicyValueNet, Samples, SelfPlayConfig, TrainingConfig
from mctslab.net.learning import make_optimizer, training_step

DOCS = Path(__file__).parents[2] / "docs"
STORED = DOCS / "cluster_scaling.json"

SAMPLES_PER_POSITION = 8
"""How often training draws each position by default: 32 steps of 256 for 1,024 positions."""
GROUPS_PER_WORKER = 4
MOVES = 8
"""Of each game in a round, as by default: 1,024 positions for 128 games."""
BYTES_PER_SECOND = 125e6
"""1 Gbit/s, a line that all bytes pass one after the other."""
SCHEDULER_SECONDS = 0.004
"""Of a task: `python -m tests.benchmarks.cluster_speed` measured 2.8 to 4.3 ms."""
DOLLARS_PER_CORE_HOUR = 0.04
"""An assumption: about what a rented core costs."""


@dataclass(frozen=True, slots=True)
class Size:
    """A board with a net and a search to match."""

    name: str
    board: int
    filters: int
    blocks: int
    visits: int
    games: int
    """Of a group."""
    measured: int
    """How many moves in all of a group's games are measured."""

    @property
    def positions(self) -> int:
        """Of a group's round."""
        return self.games * MOVES

    def config(self, moves: int) -> TrainingConfig:
        """The settings of a run of one group whose rounds are so long."""
        return TrainingConfig(
            game_options={"size": self.board},
            num_filters=self.filters,
            num_blocks=self.blocks,
            num_games=self.games,
            positions_per_iteration=self.games * moves,
            self_play=SelfPlayConfig(num_simulations=self.visits),
        )


SIZES = (
    Size("8 × 8", 8, 32, 3, 64, 64, 20),
    Size("15 × 15", 15, 64, 6, 200, 64, 8),
    Size("19 × 19", 19, 128, 10, 400, 16, 4),
)


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured of a size."""

    seconds: list[float]
    """Of one move in all games of a group."""
    learning_seconds: float
    """Of a position, all the times that it is drawn."""
    weights_bytes: int
    state_bytes: float
    """Of a group, which travels to its worker and back."""
    round_bytes: float
    """Of the positions of a round."""

    def playing_seconds(self, size: Size) -> float:
        """Of a position."""
        return median(self.seconds) / size.games

    def bytes_of(self, num_groups: int, num_workers: int) -> float:
        """What an iteration sends over wires."""
        weights = num_workers * self.weights_bytes
        return weights + num_groups * (2 * self.state_bytes + self.round_bytes)


def main() -> None:
    """Measure, or print and draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--measure", action="store_true", help="measure anew on this machine")
    if parser.parse_args().measure:
        measurements = {size.name: asdict(measured(size)) for size in SIZES}
        text = json.dumps({"processor": processor(), "sizes": measurements}, indent=1)
        STORED.write_text(text + "\n", encoding="utf-8")
    stored = json.loads(STORED.read_text("utf-8"))["sizes"]
    figures = {size: Figures(**stored[size.name]) for size in SIZES}
    print(table(figures))
    draw(figures)


# Measured


def measured(size: Size) -> Figures:
    """Seconds and bytes of one size, on one core."""
    torch.manual_seed(1)
    net = PolicyValueNet(size.config(1).net_config())
    groups, weights, state = Groups(size.config(1)), weights_of(net), None
    playing = []
    for _ in range(size.measured + 1):
        began = time.perf_counter()
        state = groups.play(Request(0, state, weights)).state
        playing.append(time.perf_counter() - began)
    state_bytes, round_bytes = bytes_of_rounds(size)
    return Figures(
        seconds=[round(each, 4) for each in playing[1:]],  # the first one compiles
        learning_seconds=round(learning_seconds(net), 6),
        weights_bytes=len(pickle.dumps(weights)),
        state_bytes=state_bytes,
        round_bytes=round_bytes,
    )


def bytes_of_rounds(size: Size) -> tuple[float, float]:
    """Of a state and of the positions of a round, in games that are well under way.

    They depend on the board and on the length of the games, so that a small net that searches
    little shows them.
    """
    small = Size("", size.board, filters=4, blocks=1, visits=4, games=size.games, measured=0)
    net = PolicyValueNet(small.config(MOVES).net_config()).eval()
    groups, weights, state = Groups(small.config(MOVES)), weights_of(net), None
    states, rounds = [], []
    for _ in range(90):
        reply = groups.play(Request(0, state, weights))
        state = reply.state
        states.append(len(pickle.dumps(state)))
        rounds.append(len(pickle.dumps(reply.round)))
    return round(mean(states[45:])), round(mean(rounds[45:]))  # the first games have to end


def learning_seconds(net: PolicyValueNet) -> float:
    """Of a position: as often as it is drawn, in batches whose content does not matter."""
    shape, rng, number = net.config, np.random.default_rng(1), 64
    planes = rng.integers(0, 2, (number, shape.inputs.count, shape.rows, shape.cols))
    policies = rng.dirichlet(np.ones(shape.num_actions), number)
    values = rng.choice([-1.0, 1.0], number)
    batch = Samples(*(each.astype(np.float32) for each in (planes, policies, values)))
    optimizer = make_optimizer(net, 1e-3)
    seconds = []
    for _ in range(6):
        began = time.perf_counter()
        training_step(net, optimizer, batch)
        seconds.append(time.perf_counter() - began)
    return median(seconds[1:]) / number * SAMPLES_PER_POSITION


# Told


def table(figures: dict[Size, Figures]) -> str:
    """The costs of a million positions, in Markdown."""
    head = (
        *("board", "net", "visits", "core-hours of playing", "at 4 cents each"),
        *("core-hours of learning", "gigabytes sent", "workers for one learner"),
    )
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for size, found in figures.items():
        playing = found.playing_seconds(size) * 1e6 / 3600
        learning = found.learning_seconds * 1e6 / 3600
        sent = found.bytes_of(GROUPS_PER_WORKER, 1) / (GROUPS_PER_WORKER * size.positions) * 1e6
        cells = (
            size.name,
            f"{size.filters} filters, {size.blocks} blocks",
            f"{size.visits}",
            f"{playing:,.1f}",
            f"${playing * DOLLARS_PER_CORE_HOUR:,.2f}",
            f"{learning:,.1f}",
            f"{sent / 1e9:,.0f}",
            f"{playing / learning:.0f}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def limits(size: Size, found: Figures, num_workers: int) -> dict[str, float]:
    """How long an iteration takes at least, by what has to be done in it."""
    rng = np.random.default_rng(num_workers)
    num_groups = GROUPS_PER_WORKER * num_workers
    free = [0.0] * num_workers
    for seconds in rng.choice(found.seconds, (num_groups, MOVES)).sum(axis=1):
        heapq.heapreplace(free, free[0] + seconds)  # to the worker that is free first
    return {
        "playing": max(free),
        "learner": num_groups * size.positions * found.learning_seconds,  # beside the playing
        "wire": found.bytes_of(num_groups, num_workers) / BYTES_PER_SECOND,
        "scheduler": num_groups * SCHEDULER_SECONDS,
    }


def draw(figures: dict[Size, Figures]) -> None:
    """Positions a second over the number of workers."""
    mpl.rcParams.update({"svg.hashsalt": "cluster", "svg.fonttype": "none", "font.size": 11})
    chart, axes = plt.subplots(figsize=(7.5, 5), layout="constrained")
    workers = np.unique(np.geomspace(1, 1_000, 60).astype(int))
    for (size, found), colour in zip(
        figures.items(), ("#1b6ca8", "#b3541e", "#4a7c3a"), strict=False
    ):
        times = [limits(size, found, number) for number in workers]
        positions = GROUPS_PER_WORKER * size.positions * workers
        axes.plot(workers, workers / found.playing_seconds(size), ":", color=colour, linewidth=1)
        for learns, line in ((False, "--"), (True, "-")):
            longest = [
                max((name for name in each if learns or name != "learner"), key=lambda n: each[n])
                for each in times
            ]
            slowest = [each[name] for each, name in zip(times, longest, strict=True)]
            speeds = positions / np.array(slowest)
            axes.plot(workers, speeds, line, color=colour, linewidth=2 if learns else 1.3)
            for after, (before, limit) in enumerate(itertools.pairwise(longest), start=1):
                if before != limit:
                    place = (workers[after], speeds[after])
                    axes.plot(*place, "o", color=colour, markersize=5)
                    axes.annotate(limit, place, (5, -13), textcoords="offset points", color=colour)
        axes.annotate(
            size.name, (workers[0], speeds[0]), (6, 18), textcoords="offset points", color=colour
        )
    for line, label in (
        (":", "as fast as all workers can play"),
        ("--", "a learner that keeps up"),
        ("-", "one core learns"),
    ):
        axes.plot([], [], line, color="0.3", label=label)
    axes.set(xscale="log", yscale="log", xlabel="workers", ylabel="positions a second")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter("{x:,g}")
    axes.grid(which="major", color="0.9")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="upper left")
    chart.savefig(DOCS / "cluster_scaling.svg", metadata={"Date": None}, facecolor="white")
    plt.close(chart)


if __name__ == "__main__":
    main()
