"""How fast is the search by PUCT? Side by side with OpenSpiel's MCTS in Python.

    python -m tests.benchmarks.puct_speed

Both search the first position with an evaluator that costs next to nothing: every position is even
and every move as good as the others. Ours gathers batches of 8, and runs twice: with the evaluator
that is compiled with the search, and with one in Python, which is handed every position as a state.
OpenSpiel's has PUCT for its rule and evaluates one leaf at a time.
"""

import argparse
import statistics
from collections.abc import Sequence

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts as open_spiels

from mctslab import fast, games, search
from mctslab.games import State
from mctslab.search.evaluators import Evaluation, Evaluator
from tests.benchmarks.compiled_speed import processor, speed

NUM_SIMULATIONS = 1_000
BATCH_SIZE = 8
C_PUCT = 1.25

GAMES: dict[str, State] = {
    # OpenSpiel's name: our first state.
    "gomoku(size=15)": games.Gomoku(),
    "othello": games.Reversi(),
    "connect_four": games.ConnectFour(),
}


class Even(open_spiels.Evaluator):
    """Every position is even, and every move as good as the others."""

    def evaluate(self, state):
        return (0.0, 0.0)

    def prior(self, state):
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


def even(states: Sequence[State], rng: np.random.Generator) -> Evaluation:
    """The same as `search.uniform_evaluator`, but not known to the compiled search."""
    return Evaluation([(0.0, 0.0)] * len(states))


def ours(state: State, evaluator: Evaluator, seed: int) -> float:
    def think() -> None:
        fast.puct_search(
            state,
            evaluator=evaluator,
            num_simulations=NUM_SIMULATIONS,
            selection=search.puct(C_PUCT),
            batch_size=BATCH_SIZE,
            rng=np.random.default_rng(seed),
        )

    return speed(NUM_SIMULATIONS, think)


def theirs(name: str, seed: int) -> float:
    game = pyspiel.load_game(name)
    bot = open_spiels.MCTSBot(
        game,
        C_PUCT,
        NUM_SIMULATIONS,
        Even(),
        solve=False,
        random_state=np.random.RandomState(seed),
        child_selection_fn=open_spiels.SearchNode.puct_value,
    )
    state = game.new_initial_state()
    return speed(NUM_SIMULATIONS, lambda: bot.mcts_search(state))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5, help="runs of each (default: 5)")
    arguments = parser.parse_args()
    print(f"{processor()}, one thread; simulations a second of CPU time, {NUM_SIMULATIONS:,} from")
    print(f"the first position, batches of {BATCH_SIZE}, medians of {arguments.runs} alternating ")
    print("runs, lowest and highest ratio to OpenSpiel in brackets\n")
    print(
        f"{'game':17}{'compiled':>10}{'in Python':>11}{'OpenSpiel':>11}  {'compiled':24}in Python"
    )
    for name, state in GAMES.items():
        rows = [
            (
                ours(state, search.uniform_evaluator(), seed),
                ours(state, even, seed),
                theirs(name, seed),
            )
            for seed in range(arguments.runs + 1)
        ][1:]  # the first run warms all of them up
        medians = [statistics.median(column) for column in zip(*rows, strict=True)]
        ratios = []
        for column in (0, 1):
            each = [row[column] / row[2] for row in rows]
            middle = statistics.median(each)
            ratios.append(f"{middle:.3g} ({min(each):.3g} to {max(each):.3g})")
        speeds = "".join(f"{median:11,.0f}" for median in medians)[1:]
        print(f"{name:17}{speeds}  {ratios[0]:24}{ratios[1]}", flush=True)


if __name__ == "__main__":
    main()
