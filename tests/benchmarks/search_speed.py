"""How fast is the readable search? Side by side with OpenSpiel's MCTS in Python.

    python -m tests.benchmarks.search_speed

Both search the first position with one random rollout a leaf and c = sqrt 2, each in turn, so that
whatever else the machine does slows both alike. What counts is the ratio.
"""

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np
import pyspiel
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

from mctslab import games
from mctslab.games import State
from mctslab.search import mcts

GAMES = {
    # OpenSpiel's name: our first state, and simulations a run.
    "tic_tac_toe": (games.TicTacToe(), 4_000),
    "connect_four": (games.ConnectFour(), 1_500),
    "othello": (games.Reversi(), 300),
}


def seconds_of(search: Callable[[], object]) -> float:
    started = time.process_time()
    search()
    return time.process_time() - started


def our_search(state: State, num_simulations: int, seed: int) -> Callable[[], object]:
    return lambda: mcts(state, num_simulations=num_simulations, rng=np.random.default_rng(seed))


def open_spiels_search(name: str, num_simulations: int, seed: int) -> Callable[[], object]:
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
    return lambda: bot.mcts_search(state)


def compare(name: str, runs: int) -> tuple[float, float, list[float]]:
    """Simulations a second of ours and theirs (medians), and the ratio in each run."""
    state, num_simulations = GAMES[name]
    ours, theirs = [], []
    for seed in range(runs + 1):
        ours.append(num_simulations / seconds_of(our_search(state, num_simulations, seed)))
        theirs.append(num_simulations / seconds_of(open_spiels_search(name, num_simulations, seed)))
    del ours[0], theirs[0]  # the first run warms both up
    ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
    return statistics.median(ours), statistics.median(theirs), ratios


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=9, help="runs of each (default: 9)")
    arguments = parser.parse_args()
    print("simulations a second of CPU time, medians of", arguments.runs, "alternating runs\n")
    print(f"{'game':14}{'mctslab':>10}{'OpenSpiel':>11}{'ratio':>8}   {'of all runs':>12}")
    for name in GAMES:
        ours, theirs, ratios = compare(name, arguments.runs)
        spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
        print(
            f"{name:14}{ours:10,.0f}{theirs:11,.0f}{statistics.median(ratios):8.2f}   {spread:>12}",
            flush=True,
        )


if __name__ == "__main__":
    main()
