"""Does a search that proves wins and losses choose better moves?

    python -m tests.benchmarks.solver_strength

On random positions of Connect Four in which at most two moves keep the best outcome, which the
exact solver knows, it counts how often UCT and PUCT choose one of them, with and without
`solver=True`.
"""

import argparse
from functools import partial

import numpy as np

from mctslab import fast, search
from tests.benchmarks.exact_outcomes import mixed_positions, share

EVALUATOR = search.uniform_evaluator()
BUDGETS = (400, 1_600, 6_400, 25_600)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = np.random.default_rng(arguments.seed)
    positions = mixed_positions(arguments.positions, rng, plies=(10, 25), most_best=2)
    print("| search | simulations | right |\n|---|---|---|")
    for name in ("uct", "uct+solver", "puct", "puct+solver"):
        for budget in BUDGETS:
            right = 0
            for number, (state, best) in enumerate(positions):
                is_puct = name.startswith("puct")
                find = partial(fast.puct_search, evaluator=EVALUATOR) if is_puct else fast.mcts
                rng = np.random.default_rng([number, budget])
                result = find(state, num_simulations=budget, solver="solver" in name, rng=rng)
                right += result.best_action in best
            print(f"| {name} | {budget:,} | {share(right, len(positions))} |")


if __name__ == "__main__":
    main()
