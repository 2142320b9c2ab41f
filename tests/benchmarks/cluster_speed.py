"""What does a cluster cost? Side by side with the project's own processes, on this machine.

    python -m tests.benchmarks.cluster_speed

Self-play of six in a row by one and two processes, and by as many workers of Dask; and the
scheduler's time for fixtures that take no time themselves.
"""

import argparse
import statistics
import time
from collections import deque

from mctslab.cluster_tasks import Cluster, Task
from mctslab.net.model import PolicyValueNet
from mctslab.net.playing import Executor, InProcesses, OnCluster, Playing, RoundProbe
from mctslab.net.training_config import SelfPlayConfig, TrainingConfig


def nothing(_fixture: int, _settings: None) -> None:
    """Stands for a game that takes no time."""


def speed(playing: Playing, net: PolicyValueNet) -> float:
    """Positions a second of one round, by the clock on the wall."""
    began = time.perf_counter()
    playing.begin(net)
    return playing.finish().num_positions / (time.perf_counter() - began)


def compare(config: TrainingConfig, number: int, runs: int) -> list[tuple[float, float]]:
    """Positions a second of processes and of workers, in runs that alternate."""
    net = PolicyValueNet(config.net_config()).eval()
    with Cluster(f"local:{number}", probe=RoundProbe(config)) as cluster:
        executors: list[Executor] = [InProcesses(config, number), OnCluster(config, cluster)]
        ours, dasks = (Playing(config, executor) for executor in executors)
        pairs = [(speed(ours, net), speed(dasks, net)) for _ in range(runs + 1)]
        ours.close()
        dasks.close()
    return pairs[1:]  # in the first run the processes get ready


def fixtures_a_second(number: int) -> float:
    """Tasks a second that a scheduler hands to one worker and whose results arrive here."""
    with Cluster("local:1") as cluster:
        shared = cluster.share(None)
        cluster.submit("Warm-up", nothing, 0, shared=shared).result()
        began = time.perf_counter()
        running: deque[Task[None]] = deque()
        for each in range(number):
            running.append(cluster.submit("Fixture", nothing, each, shared=shared))
            if len(running) > 64:
                running.popleft().result()
        for task in running:
            task.result()
        return number / (time.perf_counter() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=7, help="of each (default: 7)")
    parser.add_argument("--visits", type=int, default=64, help="of a move (default: 64)")
    parser.add_argument("--positions", type=int, default=2_000, help="of a round (default: 2000)")
    parser.add_argument("--fixtures", type=int, default=10_000, help="(default: 10000)")
    arguments = parser.parse_args()
    for number in (1, 2):
        config = TrainingConfig(
            num_groups=2 * number,
            positions_per_iteration=arguments.positions,
            self_play=SelfPlayConfig(num_simulations=arguments.visits),
        )
        pairs = compare(config, number, arguments.runs)
        ratios = [dasks / ours for ours, dasks in pairs]
        print(
            f"{number} at once: processes {statistics.median(ours for ours, _ in pairs):,.0f} "
            f"positions a second, workers {statistics.median(each for _, each in pairs):,.0f}, "
            f"ratio {statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})",
            flush=True,
        )
    number = arguments.fixtures
    seconds = number / fixtures_a_second(number)
    print(f"{number:,} fixtures: {seconds:.1f} s, {1e3 * seconds / number:.2f} ms each")


if __name__ == "__main__":
    main()
