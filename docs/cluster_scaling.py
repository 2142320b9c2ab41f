"""What self-play on a cluster costs, and how many workers are of use: the figures of cluster.md.

    python docs/cluster_scaling.py --measure
    python docs/cluster_scaling.py

The first measures on one core what a position costs to play and to learn from, and writes that to
cluster_scaling.json (some minutes). The second reads it, prints the table, simulates clusters of 1
to 1,000 workers with those times, and draws cluster_scaling.svg.
"""

import argparse
import heapq
import json
import pickle
import time
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
import torch
from matplotlib import pyplot as plt

from mctslab.cluster import processor
from mctslab.net import PolicyValueNet, Samples, SelfPlayConfig, TrainingConfig
from mctslab.net.learning import make_optimizer, training_step
from mctslab.net.playing import Groups, Request, weights_of

FOLDER = Path(__file__).parent
STORED = FOLDER / "cluster_scaling.json"
ROUNDS, MEASURED_VISITS, MEASURED_GAMES = 8, 8, 16

SAMPLES_PER_POSITION = 8
"""How often training draws each position by default: 32 steps of 256 for 1,024 positions."""
GROUPS_PER_WORKER, POSITIONS_PER_GROUP = 4, 64
BYTES_PER_SECOND = 125e6
"""1 Gbit/s, at the driver."""
SCHEDULER_SECONDS = 0.004
"""Of a task: `python -m tests.benchmarks.cluster_speed` measured 4.3 ms."""
DOLLARS_PER_CORE_HOUR = 0.04
"""An assumption: about what a rented core costs."""


class Size(NamedTuple):
    """A board with a net and a search to match."""

    name: str
    board: int
    filters: int
    blocks: int
    visits: int

    def config(self, visits: int, games: int) -> TrainingConfig:
        """The settings of a run of one group."""
        return TrainingConfig(
            game_options={"size": self.board},
            num_filters=self.filters,
            num_blocks=self.blocks,
            num_games=games,
            positions_per_iteration=games,
            self_play=SelfPlayConfig(num_simulations=visits),
        )


SIZES = (
    Size("8 × 8", 8, 32, 3, 64),
    Size("15 × 15", 15, 64, 6, 200),
    Size("19 × 19", 19, 128, 10, 400),
)


def main() -> None:
    """Measure, or print and draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--measure", action="store_true", help="measure anew on this machine")
    if parser.parse_args().measure:
        torch.set_num_threads(1)
        figures = {size.name: measured(size) for size in SIZES}
        text = json.dumps({"processor": processor(), "sizes": figures}, indent=1)
        STORED.write_text(text + "\n", encoding="utf-8")
    stored = json.loads(STORED.read_text("utf-8"))
    print(table(stored["sizes"]))
    draw(stored["sizes"])


def measured(size: Size) -> dict[str, Any]:
    """Seconds and bytes of one position."""
    config = size.config(MEASURED_VISITS, MEASURED_GAMES)
    torch.manual_seed(1)
    net = PolicyValueNet(config.net_config())
    groups, weights, state = Groups(config), weights_of(net), None
    playing = []
    for _ in range(ROUNDS + 1):
        began = time.perf_counter()
        reply = groups.play(Request(0, state, weights))
        seconds = time.perf_counter() - began
        state = reply.state
        visits = reply.round.num_positions * MEASURED_VISITS
        playing.append(seconds / visits * size.visits)
    samples, optimizer = batch(net, 64), make_optimizer(net, 1e-3)
    learning = []
    for _ in range(4):
        began = time.perf_counter()
        training_step(net, optimizer, samples)
        learning.append((time.perf_counter() - began) / 64 * SAMPLES_PER_POSITION)
    return {
        "playing_seconds": [round(each, 6) for each in playing[1:]],  # the first one compiles
        "learning_seconds": round(float(np.median(learning[1:])), 6),
        "weights_bytes": len(pickle.dumps(weights)),
        "position_bytes": round(len(pickle.dumps(samples)) / 64),
    }


def batch(net: PolicyValueNet, number: int) -> Samples:
    """Samples of the right shapes, whose content takes as long as any other."""
    shape, rng = net.config, np.random.default_rng(1)
    planes = rng.integers(0, 2, (number, shape.inputs.count, shape.rows, shape.cols))
    policies = rng.dirichlet(np.ones(shape.num_actions), number)
    values = rng.choice([-1.0, 1.0], number)
    return Samples(*(each.astype(np.float32) for each in (planes, policies, values)))


def table(figures: dict[str, Any]) -> str:
    """The costs of a million positions, in Markdown."""
    head = (
        *("board", "net", "visits", "core-hours of playing", "at 4 cents each"),
        *("core-hours of learning", "gigabytes on the wire", "workers for one learner"),
    )
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for size in SIZES:
        found = figures[size.name]
        playing = float(np.median(found["playing_seconds"])) * 1e6 / 3600
        learning = found["learning_seconds"] * 1e6 / 3600
        cells = (
            size.name,
            f"{size.filters} filters, {size.blocks} blocks",
            f"{size.visits}",
            f"{playing:,.0f}",
            f"${playing * DOLLARS_PER_CORE_HOUR:,.2f}",
            f"{learning:,.1f}",
            f"{found['position_bytes'] / 1e3:.1f}",
            f"{playing / learning:.0f}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


# The simulation


def positions_a_second(found: dict[str, Any], num_workers: int, *, learns: bool) -> float:
    """Of an iteration in which groups are handed to workers as these become free."""
    rng = np.random.default_rng(num_workers)
    num_groups = GROUPS_PER_WORKER * num_workers
    positions = num_groups * POSITIONS_PER_GROUP
    free = [0.0] * num_workers
    for seconds in rng.choice(found["playing_seconds"], num_groups):
        heapq.heapreplace(free, free[0] + seconds * POSITIONS_PER_GROUP)
    wire = num_workers * found["weights_bytes"] + positions * found["position_bytes"]
    limits = [max(free), wire / BYTES_PER_SECOND, num_groups * SCHEDULER_SECONDS]
    if learns:  # beside the playing, as `Trainer` does it
        limits.append(positions * found["learning_seconds"])
    return positions / float(max(limits))


def draw(figures: dict[str, Any]) -> None:
    """Positions a second over the number of workers."""
    mpl.rcParams.update({"svg.hashsalt": "cluster", "svg.fonttype": "path", "font.size": 11})
    chart, axes = plt.subplots(figsize=(7.5, 4.6), layout="constrained")
    workers = np.unique(np.geomspace(1, 1_000, 40).astype(int))
    for size, colour in zip(SIZES, ("#1b6ca8", "#b3541e", "#4a7c3a"), strict=True):
        found = figures[size.name]
        for learns, line in ((False, "--"), (True, "-")):
            speeds = [positions_a_second(found, each, learns=learns) for each in workers]
            axes.plot(workers, speeds, line, color=colour, linewidth=2 if learns else 1.2)
        axes.annotate(
            size.name, (workers[0], speeds[0]), (4, 20), textcoords="offset points", color=colour
        )
    axes.plot([], [], "-", color="0.3", linewidth=2, label="one core learns")
    axes.plot([], [], "--", color="0.3", label="a learner that keeps up")
    axes.set(xscale="log", yscale="log", xlabel="workers", ylabel="positions a second")
    axes.grid(which="major", color="0.9")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="upper left")
    chart.savefig(FOLDER / "cluster_scaling.svg", metadata={"Date": None})
    plt.close(chart)


if __name__ == "__main__":
    main()
