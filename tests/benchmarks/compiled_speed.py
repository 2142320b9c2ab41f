"""How fast is the compiled search? Side by side with OpenSpiel's MCTS in C++ and our readable one.

    python -m tests.benchmarks.compiled_speed

All search the first position with one random rollout a leaf and c = sqrt 2, on one thread. What
counts is the ratio.
"""

from functools import partial

import numpy as np
import pyspiel

from mctslab import fast, games, search
from mctslab.games import State
from tests.benchmarks.side_by_side import print_table, speed

NUM_SIMULATIONS = 10_000
READABLE_SIMULATIONS = 500

GAMES: dict[str, State] = {
    # OpenSpiel's name: our first state.
    "tic_tac_toe": games.TicTacToe(),
    "connect_four": games.ConnectFour(),
    "othello": games.Reversi(),
    "gomoku": games.Gomoku(),
}


def compiled(state: State, seed: int) -> float:
    rng, number = np.random.default_rng(seed), NUM_SIMULATIONS
    return speed(number, lambda: fast.mcts(state, num_simulations=number, rng=rng))


def readable(state: State, seed: int) -> float:
    rng, number = np.random.default_rng(seed), READABLE_SIMULATIONS
    return speed(number, lambda: search.mcts(state, num_simulations=number, rng=rng))


def open_spiel(name: str, seed: int) -> float:
    game = pyspiel.load_game(name)
    # Its formula is Q + uct_c * sqrt(ln N / n) with Q in [-1, 1], so 2 sqrt 2 is our sqrt 2.
    # Without `solve` it is the same algorithm as ours.
    bot = pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(1, seed),
        2 * np.sqrt(2),
        NUM_SIMULATIONS,
        1_000,  # megabytes
        False,  # solve
        seed,
        False,  # verbose
    )
    state = game.new_initial_state()
    return speed(NUM_SIMULATIONS, lambda: bot.mcts_search(state))


def main() -> None:
    rows = {
        name: {
            "compiled": partial(compiled, state),
            "C++": partial(open_spiel, name),
            "readable": partial(readable, state),
        }
        for name, state in GAMES.items()
    }
    ratios = [("compiled", "C++"), ("compiled", "readable")]
    print_table(__doc__.splitlines()[0], rows, ratios)


if __name__ == "__main__":
    main()
