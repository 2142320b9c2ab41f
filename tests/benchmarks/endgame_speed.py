"""How long does it take to solve an endgame of Reversi?

    python -m tests.benchmarks.endgame_speed

Positions of random games with a given number of empty squares, before the end of the game. For
each position: by how many discs it is won, and by how many after every move, each time with an
empty table. The table shows CPU time in milliseconds, without compiling, and how many positions the
search has looked at. With `--policy roxanne` the Roxanne policy plays the games that lead there.
"""

import argparse
import time

import numpy as np

from mctslab.fast import EndgameSolver
from mctslab.games import Reversi
from mctslab.search.evaluators import uniform
from mctslab.search.knowledge.roxanne import roxanne
from tests.fast.positions import random_endgame

NUM_EMPTY = (8, 9, 10, 11, 12, 13, 14)
QUESTIONS = ("solve", "solve_moves")
POLICIES = {"uniform": uniform, "roxanne": roxanne()}


def cost_of(question: str, state: Reversi) -> tuple[float, int]:
    """Milliseconds and positions that a new solver, which remembers nothing, takes to answer."""
    solver = EndgameSolver()
    started = time.process_time()
    getattr(solver, question)(state)
    return (time.process_time() - started) * 1000, solver.num_positions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--num", type=int, default=100, help="positions a row (default: 100)")
    parser.add_argument(
        "--empty", type=int, nargs="+", default=NUM_EMPTY, help="with so many empty squares"
    )
    parser.add_argument(
        "--policy", choices=POLICIES, default="uniform", help="plays until there are so few"
    )
    arguments = parser.parse_args()
    EndgameSolver().solve(random_endgame(8, np.random.default_rng(0)))  # compiled before the clock
    print(f"{arguments.num} positions each, milliseconds of CPU time\n")
    print("empty  question      median  90th %   longest   positions looked at, median")
    for num_empty in arguments.empty:
        rng = np.random.default_rng(num_empty)
        policy = POLICIES[arguments.policy]
        states = [random_endgame(num_empty, rng, policy=policy) for _ in range(arguments.num)]
        for question in QUESTIONS:
            times, positions = zip(*(cost_of(question, each) for each in states), strict=True)
            print(
                f"{num_empty:5}  {question:12}{np.median(times):8.2f}"
                f"{np.quantile(times, 0.9):8.2f}{max(times):10.2f}{np.median(positions):13,.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
