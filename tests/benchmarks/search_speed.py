"""How fast is a search? Side by side with other programs, on one thread.

    python -m tests.benchmarks.search_speed compiled
    python -m tests.benchmarks.search_speed readable
    python -m tests.benchmarks.search_speed puct
    python -m tests.benchmarks.search_speed c --simulations 10_000 --runs 31

All search the first position. All but the third do it with one random rollout a leaf and
c = sqrt 2: the compiled search beside OpenSpiel's in C++ and our readable one, the readable one
beside OpenSpiel's in Python, and the compiled one beside UCT in C, written for speed alone
(`uct.c`; it needs gcc, and a processor with AVX2 and BMI2). The third is the search by PUCT beside
OpenSpiel's in Python, with an evaluator that costs next to nothing: every position is even and
every move as good as the others. Ours gathers batches of 8, and runs twice: with the evaluator that
is compiled with the search, and with one in Python, which is handed every position as a state. What
counts is the ratio.
"""

import ctypes
import gc
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from mctslab import fast, games, search
from mctslab.games import State
from mctslab.search.evaluators import Evaluation
from tests.benchmarks.shared import in_turns, parser_of, processor, processor_seconds, ratio

SIMULATIONS = {
    "compiled": [10_000], "readable": [500], "puct": [1_000], "c": [10_000, 100_000, 1_000_000]
}  # fmt: skip
SOURCE = Path(__file__).with_name("uct.c")
C_PUCT = 1.25
UCT_C = 2 * np.sqrt(2)
"""Their formula is Q + UCT_C * sqrt(ln N / n) with Q in [-1, 1]: this is our sqrt 2."""
GAMES: dict[str, State] = {
    "tictactoe": games.TicTacToe(),
    "connect_four": games.ConnectFour(),
    "reversi": games.Reversi(),
    "gomoku": games.Gomoku(),
}
OPEN_SPIEL = {"tictactoe": "tic_tac_toe", "reversi": "othello"}
"""Its names, where they differ."""
IN_C = ("tictactoe", "connect_four", "reversi")

Speed = Callable[[str, int], float]
"""Measures a program in a game with a seed: simulations a second."""


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
    import pyspiel

    def measure(name: str, seed: int) -> float:
        game = pyspiel.load_game(OPEN_SPIEL.get(name, name))
        bot, state = make_bot(game, number, seed), game.new_initial_state()
        return speed(number, lambda: bot.mcts_search(state))

    return measure


# OpenSpiel; without `solve` they are the same algorithms as ours.


def in_cpp(game: Any, number: int, seed: int) -> Any:
    import pyspiel

    evaluator, megabytes = pyspiel.RandomRolloutEvaluator(1, seed), 1_000
    solve = verbose = False
    return pyspiel.MCTSBot(game, evaluator, UCT_C, number, megabytes, solve, seed, verbose)


def in_python(game: Any, number: int, seed: int) -> Any:
    from open_spiel.python.algorithms import mcts

    chance = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, chance)
    return mcts.MCTSBot(game, UCT_C, number, evaluator, solve=False, random_state=chance)


def by_puct(game: Any, number: int, seed: int) -> Any:
    from open_spiel.python.algorithms import mcts

    class Even(mcts.Evaluator):
        """Every position is even, and every move as good as the others."""

        def evaluate(self, state):
            return (0.0, 0.0)

        def prior(self, state):
            legal = state.legal_actions()
            return [(action, 1 / len(legal)) for action in legal]

    rule, chance = mcts.SearchNode.puct_value, np.random.RandomState(seed)
    options = {"solve": False, "random_state": chance, "child_selection_fn": rule}
    return mcts.MCTSBot(game, C_PUCT, number, Even(), **options)


# C


def library() -> ctypes.CDLL:
    """The compiled `uct.c`.

    Raises:
        OSError: there is no gcc, or it cannot compile this.
    """
    if shutil.which("gcc") is None:
        raise OSError("There is no gcc here, so there is nothing to compare with.")
    with tempfile.TemporaryDirectory() as folder:
        target = f"{folder}/uct.so"
        options = ["-O3", "-march=native", "-shared", "-fPIC", "-o", target, str(SOURCE), "-lm"]
        done = subprocess.run(["gcc", *options], check=False, capture_output=True, text=True)
        if done.returncode:
            raise OSError(f"gcc cannot compile uct.c for this processor:\n{done.stderr}")
        return ctypes.CDLL(target)


def in_c(number: int) -> Speed:
    compiled = library()

    def measure(name: str, seed: int) -> float:
        find = getattr(compiled, f"uct_{name}")
        find.argtypes = ctypes.c_int, ctypes.c_double, ctypes.c_uint64
        return speed(number, lambda: find(number, UCT_C, seed))

    return measure


def programs(kind: str, number: int) -> dict[str, Speed]:
    """What is compared, by the heading in the table."""
    if kind == "compiled":
        compiled, readable = ours(fast.mcts, number), ours(search.mcts, number // 20)
        return {"compiled": compiled, "C++": theirs(in_cpp, number), "readable": readable}
    if kind == "readable":
        return {"mctslab": ours(search.mcts, number), "OpenSpiel": theirs(in_python, number)}
    if kind == "c":
        return {"compiled": ours(fast.mcts, number), "C": in_c(number)}
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
    "c": [("compiled", "C")],
}


def main() -> None:
    """Print a table."""
    parser = parser_of(__doc__, runs=5)
    parser.add_argument("search", choices=list(RATIOS), help="which of ours, or c")
    parser.add_argument("--simulations", type=int, nargs="+", help="of each search")
    words = parser.parse_args()
    ratios = RATIOS[words.search]
    print(f"{processor()}, one thread; simulations a second of CPU time, medians of {words.runs}")
    print("alternating runs, lowest and highest ratio in brackets\n")
    for number in words.simulations or SIMULATIONS[words.search]:
        try:
            compared = programs(words.search, number)
        except OSError as error:
            parser.error(str(error))
        titles = "".join(f"{f'{one} to {other}':26}" for one, other in ratios)
        heads = "".join(f"{program:>11}" for program in compared)
        print(f"{'game':16}{'simulations':>12}{heads}  {titles}".rstrip())
        for game in IN_C if words.search == "c" else GAMES:
            measured = {name: partial(measure, game) for name, measure in compared.items()}
            found = in_turns(measured, words.runs)
            speeds = "".join(f"{statistics.median(each):11,.0f}" for each in found.values())
            shown = (f"{ratio(found[one], found[other], '.3g'):26}" for one, other in ratios)
            print(f"{game:16}{number:12,}{speeds}  {''.join(shown)}".rstrip(), flush=True)


if __name__ == "__main__":
    main()
