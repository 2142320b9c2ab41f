"""How fast is the compiled search beside UCT in C, written for speed alone (`uct.c`)?

    python -m tests.benchmarks.c_speed
    python -m tests.benchmarks.c_speed --simulations 10_000 --runs 21

Both search the first position with one random rollout a leaf and c = sqrt 2, on one thread. What
counts is the ratio. It needs gcc, and a processor with AVX2 and BMI2.
"""

import argparse
import ctypes
import platform
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from mctslab import fast, games
from mctslab.games import State

SOURCE = Path(__file__).with_name("uct.c")
C = 2 * np.sqrt(2)
"""Its values are in [-1, 1], ours in [0, 1]: this is our sqrt 2."""
GAMES: dict[str, State] = {
    "tictactoe": games.TicTacToe(),
    "connect_four": games.ConnectFour(),
    "reversi": games.Reversi(),
}


def processor() -> str:
    """The name of this machine's processor."""
    file = Path("/proc/cpuinfo")
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def library() -> ctypes.CDLL | str:
    """The compiled `uct.c`, or why there is none."""
    if shutil.which("gcc") is None:
        return "There is no gcc here, so there is nothing to compare with."
    with tempfile.TemporaryDirectory() as folder:
        target = f"{folder}/uct.so"
        options = ["-O3", "-march=native", "-shared", "-fPIC", "-o", target, str(SOURCE), "-lm"]
        done = subprocess.run(["gcc", *options], check=False, capture_output=True, text=True)
        if done.returncode:
            return f"gcc cannot compile uct.c for this processor:\n{done.stderr}"
        return ctypes.CDLL(target)


def seconds(think: Callable[[], object]) -> float:
    """The processor time of one call."""
    started = time.process_time()
    think()
    return time.process_time() - started


def compared(state: State, in_c: Callable[[int, float, int], int], number: int, runs: int) -> str:
    """Simulations a second of both, and the ratio; they take turns, so that what slows the machine
    slows both."""
    in_c.argtypes = ctypes.c_int, ctypes.c_double, ctypes.c_uint64
    ours, theirs = [], []
    for seed in range(runs + 1):
        rng = np.random.default_rng(seed)
        ours.append(seconds(partial(fast.mcts, state, num_simulations=number, rng=rng)))
        theirs.append(seconds(partial(in_c, number, C, seed)))
    del ours[0], theirs[0]  # the first run warms both up
    speeds = "".join(f"{number / statistics.median(each):13,.0f}" for each in (ours, theirs))
    ratios = [other / own for own, other in zip(ours, theirs, strict=True)]
    return f"{speeds}  {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    sizes = {"type": int, "nargs": "+", "default": [10_000, 100_000, 1_000_000]}
    parser.add_argument("--simulations", **sizes, help="default: 10,000, 100,000 and 1,000,000")
    parser.add_argument("--runs", type=int, default=5, help="runs of each (default: 5)")
    parser.add_argument("--games", nargs="+", choices=list(GAMES), default=list(GAMES))
    words = parser.parse_args()
    c = library()
    if isinstance(c, str):
        print(c)
        return
    print(f"{processor()}, one thread; simulations a second of CPU time, medians of {words.runs}")
    print("alternating runs, lowest and highest ratio in brackets\n")
    print(f"{'game':14}{'simulations':>12}{'compiled':>13}{'C':>13}  ratio")
    for name in words.games:
        for number in words.simulations:
            line = compared(GAMES[name], getattr(c, f"uct_{name}"), number, words.runs)
            print(f"{name:14}{number:12,}{line}", flush=True)


if __name__ == "__main__":
    main()
