"""How fast is a search? Side by side with OpenSpiel's MCTS, on one thread.

    python -m tests.benchmarks.open_spiel_speed compiled
    python -m tests.benchmarks.open_spiel_speed readable
    python -m tests.benchmarks.open_spiel_speed puct

All search the first position. The first two do it with one random rollout a leaf and c = sqrt 2:
the compiled search beside OpenSpiel's in C++ and our readable one, and the readable one beside
OpenSpiel's in Python. The third is the search by PUCT beside OpenSpiel's in Python, with an
evaluator that costs next to nothing: every position is even and every move as good as the others.
Ours gathers batches of 8, and runs twice: with the evaluator that is compiled with the search, and
with one in Python, which is handed every position as a state. What counts is the ratio.
"""

import gc
import statistics
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts as open_spiels

from mctslab import fast, games, search
from mctslab.games import State
from mctslab.search.evaluators import Evaluation
from tests.benchmarks.shared import in_turns, parser_of, processor, processor_seconds, ratio

NUM_SIMULATIONS = {"compiled": 10_000, "readable": 500, "puct": 1_000}
C_PUCT = 1.25
UCT_C = 2 * np.sqrt(2)
"""OpenSpiel's formula is Q + UCT_C * sqrt(ln N / n) with Q in [-1, 1]: this is our sqrt 2."""
GAMES: dict[str, State] = {
    # OpenSpiel's name: our first state.
    "tic_tac_toe": games.TicTacToe(),
    "connect_four": games.ConnectFour(),
    "othello": games.Reversi(),
    "gomoku": games.Gomoku(),
}

Speed = Callable[[str, int], float]
"""Measures a program in a game with a seed: simulations a second."""


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


def speed(num_simulations: int, think: Callable[[], object]) -> float:
    """Simulations a second of processor time, of the second of two runs."""
    gc.collect()  # or this one would pay for the trees of the last
    think()
    return num_simulations / processor_seconds(think)


def ours(find: Callable[..., object], number: int) -> Speed:
    def measure(name: str, seed: int) -> float:
        rng = np.random.default_rng(seed)
        return speed(number, lambda: find(GAMES[name], num_simulations=number, rng=rng))

    return measure


def theirs(make_bot: Callable[[Any, int, int], Any], number: int) -> Speed:
    def measure(name: str, seed: int) -> float:
        game = pyspiel.load_game(name)
        bot, state = make_bot(game, number, seed), game.new_initial_state()
        return speed(number, lambda: bot.mcts_search(state))

    return measure


# Without `solve` they are the same algorithms as ours.


def in_cpp(game: Any, number: int, seed: int) -> Any:
    evaluator, megabytes = pyspiel.RandomRolloutEvaluator(1, seed), 1_000
    solve = verbose = False
    return pyspiel.MCTSBot(game, evaluator, UCT_C, number, megabytes, solve, seed, verbose)


def in_python(game: Any, number: int, seed: int) -> Any:
    chance = np.random.RandomState(seed)
    evaluator = open_spiels.RandomRolloutEvaluator(1, chance)
    return open_spiels.MCTSBot(game, UCT_C, number, evaluator, solve=False, random_state=chance)


def by_puct(game: Any, number: int, seed: int) -> Any:
    rule, chance = open_spiels.SearchNode.puct_value, np.random.RandomState(seed)
    options = {"solve": False, "random_state": chance, "child_selection_fn": rule}
    return open_spiels.MCTSBot(game, C_PUCT, number, Even(), **options)


def programs(kind: str) -> dict[str, Speed]:
    """What is compared, by the heading in the table."""
    number, few = NUM_SIMULATIONS[kind], NUM_SIMULATIONS["readable"]
    if kind == "compiled":
        compiled, readable = ours(fast.mcts, number), ours(search.mcts, few)
        return {"compiled": compiled, "C++": theirs(in_cpp, number), "readable": readable}
    if kind == "readable":
        return {"mctslab": ours(search.mcts, number), "OpenSpiel": theirs(in_python, number)}
    puct = partial(fast.puct_search, selection=search.puct(C_PUCT), batch_size=8)
    return {
        "compiled": ours(partial(puct, evaluator=search.uniform_evaluator()), number),
        "in Python": ours(partial(puct, evaluator=even), number),
        "OpenSpiel": theirs(by_puct, number),
    }


RATIOS = {
    "compiled": [("compiled", "C++"), ("compiled", "readable")],
    "readable": [("mctslab", "OpenSpiel")],
    "puct": [("compiled", "OpenSpiel"), ("in Python", "OpenSpiel")],
}


def main() -> None:
    """Print a table."""
    parser = parser_of(__doc__, runs=5)
    parser.add_argument("search", choices=list(RATIOS), help="which of ours")
    words = parser.parse_args()
    compared, ratios = programs(words.search), RATIOS[words.search]
    print(f"{processor()}, one thread; simulations a second of CPU time, medians of {words.runs}")
    print("alternating runs, lowest and highest ratio in brackets\n")
    titles = "".join(f"{f'{one} to {other}':26}" for one, other in ratios)
    print(f"{'game':16}" + "".join(f"{program:>11}" for program in compared), "", titles)
    for game in GAMES:
        programs_here = {name: partial(measure, game) for name, measure in compared.items()}
        found = in_turns(programs_here, words.runs)
        speeds = "".join(f"{statistics.median(each):11,.0f}" for each in found.values())
        shown = (f"{ratio(found[one], found[other], '.3g'):26}" for one, other in ratios)
        print(f"{game:16}{speeds}  {''.join(shown)}", flush=True)


if __name__ == "__main__":
    main()
