"""How long does it take to solve a position of Connect Four?

    python -m tests.benchmarks.solver_speed

Positions of random games where the game goes on; for each the verdict, the distance and the
verdicts on all moves, every time with an empty table. Seconds of CPU time, without the compiling.
"""

import argparse
import statistics
import time

import numpy as np

from mctslab.fast.positions import random_position
from mctslab.fast.solver import Solver
from mctslab.games import ConnectFour

PLIES = (8, 10, 12, 14, 16)
QUESTIONS = ("solve", "distance", "solve_moves")


def seconds_of(question: str, state: ConnectFour) -> float:
    """How long a method of a new solver, which remembers nothing, takes to answer."""
    solver = Solver()
    started = time.process_time()
    getattr(solver, question)(state)
    return time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--num", type=int, default=100, help="positions a ply (default: 100)")
    parser.add_argument("--plies", type=int, nargs="+", default=PLIES, help="after so many moves")
    arguments = parser.parse_args()
    Solver().solve(random_position(30, np.random.default_rng(0)))  # compiled before the clock runs
    print(f"seconds of CPU time over {arguments.num} positions a ply: median, mean, longest\n")
    print(f"{'ply':>4}" + "".join(f"{question:>26}" for question in QUESTIONS))
    for ply in arguments.plies:
        rng = np.random.default_rng(ply)
        states = [random_position(ply, rng) for _ in range(arguments.num)]
        line = f"{ply:4}"
        for question in QUESTIONS:
            times = [seconds_of(question, state) for state in states]
            line += (
                f"{statistics.median(times):10.4f}{statistics.mean(times):8.3f}{max(times):8.2f}"
            )
        print(line, flush=True)


if __name__ == "__main__":
    main()
