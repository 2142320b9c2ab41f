"""How fast is the compiled alpha-beta of Reversi, and what do its table and its ordering save?

    python -m tests.benchmarks.alphabeta_speed

Positions of random games; each is searched ply by ply, with everything, without the table, without
the ordering, and without both. Mean nodes of an iteration by its depth, and nodes a second of CPU
time over all iterations, without the compiling. The endgame solver is left out.
"""

import argparse
import time

import numpy as np

from mctslab import fast
from mctslab.games import Reversi
from mctslab.search.rollouts import uniform

SWITCHES = {
    "everything": (True, True),
    "no table": (True, False),
    "no ordering": (False, True),
    "neither": (False, False),
}
"""Which of ordering and table are on."""


def random_position(ply: int, rng: np.random.Generator) -> Reversi:
    """A position after so many random moves where the game goes on."""
    while True:
        state = Reversi()
        for _ in range(ply):
            if not state.is_terminal:
                state = state.child(uniform(state, rng))
        if not state.is_terminal:
            return state


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--num", type=int, default=20, help="positions (default: 20)")
    parser.add_argument("--depth", type=int, default=8, help="plies to look ahead (default: 8)")
    parser.add_argument("--ply", type=int, default=20, help="after so many moves (default: 20)")
    arguments = parser.parse_args()
    rng = np.random.default_rng(arguments.ply)
    states = [random_position(arguments.ply, rng) for _ in range(arguments.num)]
    fast.alphabeta(states[0], depth=1)  # compiled before the clock runs
    depths = range(1, arguments.depth + 1)
    print(f"mean nodes of an iteration by its depth, {arguments.num} positions\n")
    print(f"{'':12}" + "".join(f"{depth:>11}" for depth in depths) + f"{'nodes/s':>12}")
    for name, (ordering, table) in SWITCHES.items():
        started = time.process_time()
        results = [
            fast.alphabeta(
                state, depth=arguments.depth, ordering=ordering, table=table, solve_from=0
            )
            for state in states
        ]
        seconds = time.process_time() - started
        line = f"{name:12}"
        for depth in depths:
            nodes = [result.iterations[depth - 1].num_nodes for result in results]
            line += f"{np.mean(nodes):11,.0f}"
        total = sum(result.num_nodes for result in results)
        print(f"{line}{total / seconds:12,.0f}", flush=True)


if __name__ == "__main__":
    main()
