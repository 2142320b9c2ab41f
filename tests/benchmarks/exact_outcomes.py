"""How often does a player of Connect Four keep the exact outcome of a position?

    python -m tests.benchmarks.exact_outcomes net:connect_four_4:400 uct:10000

Random positions after 8 to 24 plies in which some moves keep the outcome under perfect play and
some do not, as the exact solver knows. It counts how often each player chooses a move that keeps
it. `net:NAME:0` is the bare net: its favourite move, without a search. Random games lead to
positions that self-play hardly ever meets, so a net has not trained on them.
"""

import argparse
from collections.abc import Callable, Set

import numpy as np

from mctslab import games, net, players, solvers
from mctslab.games import State
from mctslab.score import wilson

Positions = list[tuple[State, Set[int]]]


def mixed_positions(
    number: int, rng: np.random.Generator, *, plies: tuple[int, int] = (8, 24), most_best: int = 6
) -> Positions:
    """Random positions in which the choice matters, each with the moves that keep its outcome."""
    solver, found = solvers.ConnectFourSolver(), Positions()
    while len(found) < number:
        state = games.ConnectFour()
        for _ in range(int(rng.integers(plies[0], plies[1] + 1))):
            if not state.is_terminal:
                state = state.child(int(rng.choice(state.legal_actions())))
        if state.is_terminal:
            continue
        outcomes = solver.solve_moves(state)
        best = {action for action in outcomes if outcomes[action] == max(outcomes.values())}
        if len(best) < len(outcomes) and len(best) <= most_best:
            found.append((state, best))
    return found


def chooser(name: str, seed: int) -> Callable[[State], int]:
    """The choice of the player called `name`, or of a bare net."""
    if name.startswith("net:") and name.endswith(":0"):
        evaluator = net.load(name[len("net:") : -len(":0")])
        rng = np.random.default_rng(seed)

        def favourite(state: State) -> int:
            priors = evaluator([state], rng).priors
            assert priors is not None, "a net has priors"
            return state.legal_actions()[int(np.argmax(priors[0]))]

        return favourite
    return players.make(name, rng=np.random.default_rng(seed)).choose


def share(points: float, number: int) -> str:
    """The points of so many positions or games as a share of all, with a 95% interval."""
    low, high = wilson(points, number)
    return f"{points / number:.3f} ({low:.3f} to {high:.3f})"


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("players", nargs="+", metavar="PLAYER", help="such as uct:10000")
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    words = parser.parse_args()
    positions = mixed_positions(words.positions, np.random.default_rng(words.seed))
    by_chance = np.mean([len(best) / len(state.legal_actions()) for state, best in positions])
    print(f"a random move keeps the outcome in {by_chance:.3f} of {len(positions)} positions")
    print("| player | keeps the outcome |\n|---|---|")
    for name in words.players:
        choose = chooser(name, words.seed)
        kept = sum(choose(state) in best for state, best in positions)
        print(f"| {name} | {share(kept, len(positions))} |", flush=True)


if __name__ == "__main__":
    main()
