"""How fast is the search by PUCT? Side by side with OpenSpiel's MCTS in Python.

    python -m tests.benchmarks.puct_speed

Both search the first position with an evaluator that costs next to nothing: every position is even
and every move as good as the others. Ours gathers batches of 8, and runs twice: with the evaluator
that is compiled with the search, and with one in Python, which is handed every position as a state.
OpenSpiel's has PUCT for its rule and evaluates one leaf at a time.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts as open_spiels

from mctslab import fast, games, search
from mctslab.games import State
from mctslab.search.evaluators import Evaluation, Evaluator
from tests.benchmarks.side_by_side import print_table, speed

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
    rows = {
        name: {
            "compiled": partial(ours, state, search.uniform_evaluator()),
            "in Python": partial(ours, state, even),
            "OpenSpiel": partial(theirs, name),
        }
        for name, state in GAMES.items()
    }
    ratios = [("compiled", "OpenSpiel"), ("in Python", "OpenSpiel")]
    print_table(__doc__.splitlines()[0], rows, ratios)


if __name__ == "__main__":
    main()
