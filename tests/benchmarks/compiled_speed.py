"""How fast is the compiled search? Side by side with OpenSpiel's MCTS in C++ and our readable one.

    python -m tests.benchmarks.compiled_speed

All search the first position with one random rollout a leaf and c = sqrt 2, on one thread, in
turn, so that whatever else the machine does slows all alike. What counts is the ratio.
"""

import argparse
import gc
import platform
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyspiel

from mctslab import fast, games, search
from mctslab.games import State

NUM_SIMULATIONS = 10_000
READABLE_SIMULATIONS = 500

GAMES: dict[str, State] = {
    # OpenSpiel's name: our first state.
    "tic_tac_toe": games.TicTacToe(),
    "connect_four": games.ConnectFour(),
    "othello": games.Reversi(),
    "gomoku": games.Gomoku(),
}


def speed(num_simulations: int, think: Callable[[], object]) -> float:
    """Simulations a second of processor time, of the second of two runs."""
    gc.collect()  # or this one would pay for the trees of the last
    think()
    started = time.process_time()
    think()
    return num_simulations / (time.process_time() - started)


def compiled(state: State, seed: int) -> float:
    rng = np.random.default_rng(seed)
    return speed(
        NUM_SIMULATIONS, lambda: fast.mcts(state, num_simulations=NUM_SIMULATIONS, rng=rng)
    )


def readable(state: State, seed: int) -> float:
    rng = np.random.default_rng(seed)
    return speed(
        READABLE_SIMULATIONS,
        lambda: search.mcts(state, num_simulations=READABLE_SIMULATIONS, rng=rng),
    )


def open_spiel(name: str, seed: int) -> float:
    game = pyspiel.load_game(name)
    # Its formula is Q + uct_c * sqrt(ln N / n) with Q in [-1, 1], so 2 sqrt 2 is our sqrt 2.
    # Without `solve` it is the same algorithm as ours.
    bot = pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(1, seed),
        2 * np.sqrt(2),
        NUM_SIMULATIONS,
        1_000,  # megabytes
        False,  # solve
        seed,
        False,  # verbose
    )
    state = game.new_initial_state()
    return speed(NUM_SIMULATIONS, lambda: bot.mcts_search(state))


def processor() -> str:
    """What the machine calls its processor."""
    file = Path("/proc/cpuinfo")
    if file.exists():
        for line in file.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def compare(name: str, runs: int) -> list[tuple[float, float, float]]:
    """Compiled, OpenSpiel's and readable speed, in each of `runs` runs."""
    state = GAMES[name]
    rows = [
        (compiled(state, seed), open_spiel(name, seed), readable(state, seed))
        for seed in range(runs + 1)
    ]
    return rows[1:]  # the first run warms all of them up


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5, help="runs of each (default: 5)")
    arguments = parser.parse_args()
    print(f"{processor()}, one thread; simulations a second of CPU time, {NUM_SIMULATIONS:,} from")
    print(f"the first position, medians of {arguments.runs} alternating runs, lowest and highest ")
    print("ratio in brackets\n")
    print(f"{'game':13}{'compiled':>10}{'C++':>10}{'readable':>10}  {'to C++':22}to readable")
    for name in GAMES:
        rows = compare(name, arguments.runs)
        medians = [statistics.median(column) for column in zip(*rows, strict=True)]
        ratios = []
        for column in (1, 2):
            each = [row[0] / row[column] for row in rows]
            middle = statistics.median(each)
            ratios.append(f"{middle:.3g} ({min(each):.3g} to {max(each):.3g})")
        speeds = "".join(f"{median:10,.0f}" for median in medians)
        print(f"{name:13}{speeds}  {ratios[0]:22}{ratios[1]}", flush=True)


if __name__ == "__main__":
    main()
