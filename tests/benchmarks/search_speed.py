"""How fast is the readable search? Side by side with OpenSpiel's MCTS in Python.

    python -m tests.benchmarks.search_speed

Both search the first position with one random rollout a leaf and c = sqrt 2. What counts is the
ratio.
"""

from functools import partial

import numpy as np
import pyspiel
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

from mctslab import games, search
from mctslab.games import State
from tests.benchmarks.side_by_side import print_table, speed

GAMES = {
    # OpenSpiel's name: our first state, and simulations a run.
    "tic_tac_toe": (games.TicTacToe(), 4_000),
    "connect_four": (games.ConnectFour(), 1_500),
    "othello": (games.Reversi(), 300),
}


def ours(state: State, num_simulations: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    return speed(
        num_simulations, lambda: search.mcts(state, num_simulations=num_simulations, rng=rng)
    )


def open_spiels(name: str, num_simulations: int, seed: int) -> float:
    chance = np.random.RandomState(seed)
    game = pyspiel.load_game(name)
    # Its formula is Q + uct_c * sqrt(ln N / n) with Q in [-1, 1], so 2 sqrt 2 is our sqrt 2.
    # Without `solve` it is the same algorithm as ours.
    bot = MCTSBot(
        game,
        uct_c=2 * np.sqrt(2),
        max_simulations=num_simulations,
        evaluator=RandomRolloutEvaluator(1, chance),
        solve=False,
        random_state=chance,
    )
    state = game.new_initial_state()
    return speed(num_simulations, lambda: bot.mcts_search(state))


def main() -> None:
    rows = {
        name: {
            "mctslab": partial(ours, state, num_simulations),
            "OpenSpiel": partial(open_spiels, name, num_simulations),
        }
        for name, (state, num_simulations) in GAMES.items()
    }
    print_table(__doc__.splitlines()[0], rows, [("mctslab", "OpenSpiel")])


if __name__ == "__main__":
    main()
