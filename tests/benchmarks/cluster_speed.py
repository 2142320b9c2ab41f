"""What does a cluster cost? Side by side with processes of our own, on this machine.

    python -m tests.benchmarks.cluster_speed

Self-play of four in a row on 6 x 6 by processes and by the workers of `local:N`, in turn; and the
time of a call that takes no time itself.
"""

import argparse
import os
import statistics
import time

from mctslab.child_processes import Processes
from mctslab.cluster import open_cluster
from mctslab.net.model import PolicyValueNet
from mctslab.net.training_config import SelfPlayConfig, TrainingConfig
from tests.benchmarks.self_play_speed import speed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="(default: cores)")
    parser.add_argument("--runs", type=int, default=7, help="of each (default: 7)")
    parser.add_argument("--visits", type=int, default=64, help="of a move (default: 64)")
    parser.add_argument("--games", type=int, default=128, help="of an iteration (default: 128)")
    parser.add_argument("--calls", type=int, default=1_000, help="without work (default: 1000)")
    words = parser.parse_args()
    config = TrainingConfig(
        num_shares=2 * words.workers,
        num_games=words.games,
        self_play=SelfPlayConfig(num_simulations=words.visits),
    )
    net = PolicyValueNet(config.net_config()).eval()
    pairs = []
    with open_cluster(f"local:{words.workers}") as executor:
        assert executor is not None
        began = time.perf_counter()
        for each in [executor.submit(pow, 2, number) for number in range(words.calls)]:
            each.result()
        seconds = (time.perf_counter() - began) / words.calls
        with Processes(words.workers) as processes:
            for _ in range(words.runs + 1):
                pairs.append((speed(processes, config, net), speed(executor, config, net)))
    del pairs[0]  # the processes get ready
    ratios = [cluster / processes for processes, cluster in pairs]
    print(
        f"positions a second, {words.visits} visits a move, medians of {words.runs}: "
        f"{words.workers} processes {statistics.median(one for one, _ in pairs):,.0f}, "
        f"{words.workers} workers {statistics.median(one for _, one in pairs):,.0f}, "
        f"ratio {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}); "
        f"a call {1e3 * seconds:.1f} ms"
    )


if __name__ == "__main__":
    main()
