"""How fast is the compiled search beside UCT in C, written for speed alone (`uct.c`)?

    python -m tests.benchmarks.c_speed
    python -m tests.benchmarks.c_speed --simulations 10_000 --runs 21

Both search the first position with one random rollout a leaf and c = sqrt 2, on one thread. What
counts is the ratio. It needs gcc, and a processor with AVX2 and BMI2.
"""

import ctypes
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from mctslab import fast, games
from mctslab.games import State
from tests.benchmarks.shared import in_turns, parser_of, processor, processor_seconds, ratio

SOURCE = Path(__file__).with_name("uct.c")
C = 2 * np.sqrt(2)
"""Its values are in [-1, 1], ours in [0, 1]: this is our sqrt 2."""
GAMES: dict[str, State] = {
    "tictactoe": games.TicTacToe(),
    "connect_four": games.ConnectFour(),
    "reversi": games.Reversi(),
}


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


def compared(state: State, in_c: Callable[[int, float, int], int], number: int, runs: int) -> str:
    """Simulations a second of both, and the ratio."""
    in_c.argtypes = ctypes.c_int, ctypes.c_double, ctypes.c_uint64

    def compiled(seed: int) -> float:
        rng = np.random.default_rng(seed)
        search = partial(fast.mcts, state, num_simulations=number, rng=rng)
        return number / processor_seconds(search)

    def written_in_c(seed: int) -> float:
        return number / processor_seconds(partial(in_c, number, C, seed))

    ours, theirs = in_turns({"ours": compiled, "theirs": written_in_c}, runs).values()
    speeds = "".join(f"{statistics.median(each):13,.0f}" for each in (ours, theirs))
    return f"{speeds}  {ratio(ours, theirs)}"


def main() -> None:
    """Print a table."""
    parser = parser_of(__doc__, runs=5)
    sizes = {"type": int, "nargs": "+", "default": [10_000, 100_000, 1_000_000]}
    parser.add_argument("--simulations", **sizes, help="default: 10,000, 100,000 and 1,000,000")
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
