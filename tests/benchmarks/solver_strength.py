"""Does a search that proves wins and losses choose better moves?

    python -m tests.benchmarks.solver_strength

On random positions of Connect Four in which at most two moves keep the best outcome, which the
exact solver knows, it counts how often UCT and PUCT choose one of them, with and without
`solver=True`.
"""

import argparse
from functools import partial

import numpy as np

from mctslab import fast, games, search
from mctslab.score import wilson

EVALUATOR = search.uniform_evaluator()
BUDGETS = (400, 1_600, 6_400, 25_600)


def critical_positions(
    number: int, rng: np.random.Generator
) -> list[tuple[games.ConnectFour, set]]:
    """Positions after 10 to 25 random plies, each with the moves that keep the best outcome."""
    solver, found = fast.ConnectFourSolver(), []
    while len(found) < number:
        state = games.ConnectFour()
        for _ in range(int(rng.integers(10, 26))):
            if not state.is_terminal:
                state = state.child(int(rng.choice(state.legal_actions())))
        if state.is_terminal:
            continue
        outcomes = {action: np.sign(score) for action, score in solver.solve_moves(state).items()}
        best = {action for action in outcomes if outcomes[action] == max(outcomes.values())}
        if len(best) <= 2 and len(best) < len(outcomes):
            found.append((state, best))
    return found


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    positions = critical_positions(arguments.positions, np.random.default_rng(arguments.seed))
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
            low, high = wilson(right, len(positions))
            score = f"{right} of {len(positions)} ({low:.3f} to {high:.3f})"
            print(f"| {name} | {budget:,} | {score} |")


if __name__ == "__main__":
    main()
