"""How soon does the compiled search answer, how well does it keep its time, what does it cost?

    python -m tests.benchmarks.response

Three tables: the first search of a fresh process, imports and all, from what was compiled before
and with nothing compiled; the time that a player with a budget in seconds takes for a move; the
processor time of a simulation at budgets from a thousand to a million.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

from mctslab import fast, games, players

NAMES = ("tictactoe", "connect_four", "reversi", "gomoku")
_FIRST = """
import numpy as np
from mctslab import fast, games
fast.mcts(games.make({!r}), num_simulations=1_000, rng=np.random.default_rng(1))
"""


def first_search(name: str, folder: str | None = None) -> float:
    """Seconds from the start of a process to the end of its first search."""
    environment = dict(os.environ, **({} if folder is None else {fast.CACHE_VARIABLE: folder}))
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", _FIRST.format(name)], check=True, env=environment)
    return time.perf_counter() - started


def time_taken(name: str, seconds: float) -> float:
    """Seconds that a player with `seconds` takes for a move."""
    state = games.make(name)
    player = players.UCTPlayer(seconds=seconds, rng=np.random.default_rng(1))
    player.prepare(state)
    started = time.perf_counter()
    player.choose(state)
    return time.perf_counter() - started


def price(name: str, num_simulations: int) -> float:
    """Nanoseconds of processor time for a simulation, one of `num_simulations`."""
    state, rng = games.make(name), np.random.default_rng(1)
    fast.mcts(state, num_simulations=100, rng=rng)
    started = time.process_time()
    fast.mcts(state, num_simulations=num_simulations, rng=rng)
    return (time.process_time() - started) / num_simulations * 1e9


def row(name: str, values: list[float], form: str) -> str:
    return f"{name:13}" + "".join(f"{value:>12{form}}" for value in values)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5, help="runs, of which the median counts")
    parser.add_argument("--games", nargs="+", default=NAMES, help=f"some of {', '.join(NAMES)}")
    parser.add_argument("--seconds", nargs="+", type=float, default=[0.2, 1.0, 2.0])
    parser.add_argument("--simulations", nargs="+", type=int, default=[10**k for k in (3, 4, 5, 6)])
    arguments = parser.parse_args()
    runs = range(arguments.runs)

    print(f"{'first search, s':13}{'compiled':>10}{'not yet':>12}")
    for name in arguments.games:
        first_search(name)
        known = statistics.median(first_search(name) for _ in runs)
        with tempfile.TemporaryDirectory() as folder:
            print(row(name, [known, first_search(name, folder)], ".2f"), flush=True)

    print("\ntime for a move, of the budget (largest)")
    print(row("budget, s", arguments.seconds, "g"))
    for name in arguments.games:
        shares = [max(time_taken(name, s) / s for _ in runs) for s in arguments.seconds]
        print(row(name, shares, ".4f"), flush=True)

    print("\nprocessor time of a simulation, ns (median)")
    print(row("simulations", arguments.simulations, ",d"))
    for name in arguments.games:
        prices = [statistics.median(price(name, n) for _ in runs) for n in arguments.simulations]
        print(row(name, prices, ".0f"), flush=True)


if __name__ == "__main__":
    main()
