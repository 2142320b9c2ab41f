"""How fast is self-play? Side by side with the plain loop: one game, objects, a net call a leaf.

    python -m tests.benchmarks.self_play_speed
    python -m tests.benchmarks.self_play_speed --beside cluster

Four in a row on 6 x 6, the net `tiny`, the same number of simulations in a new tree for every move,
and the same cores: the plain loop asks PyTorch as it stands, in one thread, which for a
single position is quicker than more (`--threads`); ours plays in a process for each core, many
games at once, and asks in bfloat16 where the processor can. The two take turns, and the clock on
the wall counts. What matters is the ratio.

With `--beside cluster` the workers of `local:N` play the same games as our processes, which shows
what a cluster costs; and a call that takes no time itself is timed.
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

import numpy as np
import torch

from mctslab import games
from mctslab.child_processes import Processes
from mctslab.cluster import open_cluster
from mctslab.games import State
from mctslab.net.evaluator import NetEvaluator
from mctslab.net.model import NetConfig, PolicyValueNet
from mctslab.net.training import begin_games
from mctslab.net.training_config import SelfPlayConfig, TrainingConfig
from mctslab.search import DirichletNoise, puct_search
from tests.benchmarks.net_speed import plain
from tests.benchmarks.shared import in_turns, parser_of, ratio

FIRST_STATE = games.Gomoku(size=6, in_a_row=4)
NUM_CALLS = 1_000


def plain_loop(net: PolicyValueNet, visits: int, num_positions: int, seed: int) -> float:
    """Positions a second of games that are played one after the other."""
    evaluator, rng = NetEvaluator(net, inference=plain(net)), np.random.default_rng(seed)
    noise = DirichletNoise(alpha=0.3)
    state: State = FIRST_STATE
    began = time.perf_counter()
    for _ in range(num_positions):
        result = puct_search(
            state, evaluator=evaluator, num_simulations=visits, noise=noise, rng=rng
        )
        counts = np.array([child.visit_count for child in result.children], float)
        chosen = rng.choice(len(counts), p=counts / counts.sum())
        state = state.child(result.children[chosen].action)
        if state.is_terminal:
            state = FIRST_STATE
    return num_positions / (time.perf_counter() - began)


def speed(executor: Executor, config: TrainingConfig, net: PolicyValueNet) -> float:
    """Positions a second of an iteration's games, which processes play from beginning to end."""
    began = time.perf_counter()
    shares = begin_games(config, 0, net, executor)
    games_played = [game for share in shares for game in share]
    num_positions = sum(len(game.samples.values) for game in games_played)
    return num_positions / (time.perf_counter() - began)


@contextmanager
def other(
    words: argparse.Namespace, config: TrainingConfig, net: PolicyValueNet
) -> Iterator[Callable[[int], float]]:
    """What our processes are compared with: its positions a second."""
    if words.beside == "plain":
        yield lambda seed: plain_loop(net, words.visits, words.moves, seed)
        return
    with open_cluster(f"local:{words.workers}") as executor:
        assert executor is not None
        began = time.perf_counter()
        for each in [executor.submit(pow, 2, number) for number in range(NUM_CALLS)]:
            each.result()
        print(f"a call without work: {1e3 * (time.perf_counter() - began) / NUM_CALLS:.1f} ms")
        yield lambda _: speed(executor, config, net)


def main() -> None:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    parser = parser_of(__doc__, runs=7)
    parser.add_argument("--beside", choices=("plain", "cluster"), default="plain")
    parser.add_argument("--visits", type=int, default=64, help="of a move (default: 64)")
    parser.add_argument("--games", type=int, default=256, help="at once (default: 256)")
    parser.add_argument("--moves", type=int, default=32, help="of the plain loop (default: 32)")
    parser.add_argument("--workers", type=int, default=cores, help="processes (default: cores)")
    parser.add_argument("--threads", type=int, default=1, help="of the plain loop (default: 1)")
    parser.add_argument(
        "--half", action=argparse.BooleanOptionalAction, default=True, help="ask in bfloat16"
    )
    words = parser.parse_args()
    torch.set_num_threads(words.threads)
    torch.manual_seed(1)
    net = PolicyValueNet(NetConfig.for_game(FIRST_STATE)).eval()
    config = TrainingConfig(
        num_shares=words.workers,
        num_games=words.games,
        half_precision=words.half,
        self_play=SelfPlayConfig(num_simulations=words.visits),
    )
    with other(words, config, net) as measure, Processes(words.workers) as processes:
        programs = {words.beside: measure, "ours": lambda _: speed(processes, config, net)}
        theirs, ours = in_turns(programs, words.runs).values()
    print(
        f"positions a second, {words.visits} visits a move, {words.workers} cores, medians of "
        f"{words.runs}: {words.beside} {statistics.median(theirs):,.1f}, {words.games} games at "
        f"once {statistics.median(ours):,.1f}, ratio {ratio(ours, theirs, '.1f')}"
    )


if __name__ == "__main__":
    main()
