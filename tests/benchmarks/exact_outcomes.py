"""How often does a player of Connect Four keep the exact outcome of a position?

    python -m tests.benchmarks.exact_outcomes net:connect_four_4:400 uct:10000
    python -m tests.benchmarks.exact_outcomes --positions 400 --plies 10 25 --most-best 2 \\
        uct:1600 uct+solver:1600 uct:25600 uct+solver:25600

Random positions after 8 to 24 plies in which some moves keep the outcome under perfect play and
some do not, as the exact solver knows. It counts how often each player chooses a move that keeps
it. `net:NAME:0` is the bare net: its favourite move, without a search. Random games lead to
positions that self-play hardly ever meets, so a net has not trained on them.
"""

from collections.abc import Callable, Sequence, Set

import numpy as np

from mctslab import games, net, players, solvers
from mctslab.games import State
from tests.benchmarks.shared import parser_of, share

Positions = list[tuple[State, Set[int]]]


def mixed_positions(
    number: int, rng: np.random.Generator, plies: Sequence[int], most_best: int
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


def main() -> None:
    """Print a table."""
    parser = parser_of(__doc__)
    parser.add_argument("players", nargs="+", metavar="PLAYER", help="such as uct:10000")
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plies", type=int, nargs=2, default=[8, 24], metavar=("FROM", "TO"))
    parser.add_argument("--most-best", type=int, default=6, help="moves that keep the outcome")
    words = parser.parse_args()
    rng = np.random.default_rng(words.seed)
    positions = mixed_positions(words.positions, rng, words.plies, words.most_best)
    by_chance = np.mean([len(best) / len(state.legal_actions()) for state, best in positions])
    print(f"a random move keeps the outcome in {by_chance:.3f} of {len(positions)} positions")
    print("| player | keeps the outcome |\n|---|---|")
    for name in words.players:
        choose = chooser(name, words.seed)
        kept = sum(choose(state) in best for state, best in positions)
        print(f"| {name} | {share(kept, len(positions))} |", flush=True)


if __name__ == "__main__":
    main()
