"""How fast is it? Side by side with other programs; what counts is the ratio.

    python -m tests.benchmarks.speed compiled
    python -m tests.benchmarks.speed readable
    python -m tests.benchmarks.speed puct
    python -m tests.benchmarks.speed c --simulations 10_000 --runs 31
    python -m tests.benchmarks.speed net
    python -m tests.benchmarks.speed self-play
    python -m tests.benchmarks.speed cluster

The first four search the first position, on one thread. All but `puct` do it with one random
rollout a leaf and c = sqrt 2: the compiled search beside OpenSpiel's in C++ and our readable one,
the readable one beside OpenSpiel's in Python, and the compiled one beside UCT in C, written for
speed alone (`uct.c`; it needs gcc, and a processor with AVX2 and BMI2). `puct` is the search by
PUCT beside OpenSpiel's in Python, with an evaluator that costs next to nothing: every position is
even and every move as good as the others. Ours gathers batches of 8, and runs twice: with the
evaluator that is compiled with the search, and with one in Python, which gets every position as a
state.

`net` shows positions a second on one core, of a net as it has been trained, folded as self-play and
the players compute it, and that in bfloat16. `self-play` plays four in a row on 6 x 6 with all
cores, beside the plain loop of one game, Node objects and a net call a leaf; `cluster` beside the
workers of `local:N`, which shows what a cluster costs. The clock on the wall counts there, and
processor time elsewhere.
"""

import argparse
import ctypes
import gc
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from mctslab import fast, games, search
from mctslab.child_processes import Processes
from mctslab.cluster import open_cluster
from mctslab.games import State
from mctslab.net.encode import Floats
from mctslab.net.evaluator import NetEvaluator
from mctslab.net.inference import Answer, Inference, TorchInference
from mctslab.net.model import NetConfig, PolicyValueNet
from mctslab.net.training import begin_games
from mctslab.net.training_config import SelfPlayConfig, TrainingConfig
from mctslab.search.evaluators import Evaluation
from tests.benchmarks.shared import in_turns, parser_of, processor, processor_seconds, ratio

SOURCE = Path(__file__).with_name("uct.c")
C_PUCT = 1.25
UCT_C = 2 * np.sqrt(2)
"""Their formula is Q + UCT_C * sqrt(ln N / n) with Q in [-1, 1]: this is our sqrt 2."""
GAMES: Mapping[str, State] = {
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


# Searches


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
    """OpenSpiel; without `solve` its searches are the same algorithms as ours."""
    import pyspiel

    def measure(name: str, seed: int) -> float:
        game = pyspiel.load_game(OPEN_SPIEL.get(name, name))
        bot, state = make_bot(game, number, seed), game.new_initial_state()
        return speed(number, lambda: bot.mcts_search(state))

    return measure


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


SEARCHES: Mapping[str, tuple[list[int], list[tuple[str, str]]]] = {
    "compiled": ([10_000], [("compiled", "C++"), ("compiled", "readable")]),
    "readable": ([500], [("mctslab", "OpenSpiel")]),
    "puct": ([1_000], [("compiled", "OpenSpiel"), ("in Python", "OpenSpiel")]),
    "c": ([10_000, 100_000, 1_000_000], [("compiled", "C")]),
}
"""The numbers of simulations, and whose speeds are divided by whose."""


def compare_searches(words: argparse.Namespace) -> None:
    numbers, ratios = SEARCHES[words.what]
    print(f"{processor()}, one thread; simulations a second of CPU time, medians of {words.runs}")
    print("alternating runs, lowest and highest ratio in brackets\n")
    for number in words.simulations or numbers:
        compared = programs(words.what, number)
        titles = "".join(f"{f'{one} to {other}':26}" for one, other in ratios)
        heads = "".join(f"{program:>11}" for program in compared)
        print(f"{'game':16}{'simulations':>12}{heads}  {titles}".rstrip())
        for game in IN_C if words.what == "c" else GAMES:
            measured = {name: partial(measure, game) for name, measure in compared.items()}
            found = in_turns(measured, words.runs)
            speeds = "".join(f"{statistics.median(each):11,.0f}" for each in found.values())
            shown = (f"{ratio(found[one], found[other], '.3g'):26}" for one, other in ratios)
            print(f"{game:16}{number:12,}{speeds}  {''.join(shown)}".rstrip(), flush=True)


# Nets

NETS = {
    "tiny": NetConfig.for_game(games.Gomoku(size=6, in_a_row=4), heads="pooled"),
    "connect_four": NetConfig.for_game(games.ConnectFour(), num_filters=48, num_blocks=4),
    "gomoku9": NetConfig.for_game(games.Gomoku(size=9), num_blocks=5, heads="pooled"),
}
POSITIONS_A_RUN = 256


def plain(net: PolicyValueNet) -> Inference:
    """The net evaluated by PyTorch as it stands, batch norms and all."""

    def answer(planes: Floats) -> Answer:
        with torch.inference_mode():
            return Answer(*(numbers.numpy() for numbers in net(torch.from_numpy(planes))))

    return answer


def compare_nets(words: argparse.Namespace) -> None:
    for name, config in NETS.items():
        torch.manual_seed(1)
        net = PolicyValueNet(config).eval()
        ways = {
            "as it is": plain(net),
            "folded": TorchInference(net),
            "in bfloat16": TorchInference(net, dtype=torch.bfloat16),
        }
        for batch in words.batches:
            shape = (batch, config.inputs.count, config.rows, config.cols)
            planes = np.random.default_rng(1).integers(0, 2, shape).astype(np.float32)
            calls = max(1, POSITIONS_A_RUN // batch)

            def measured(evaluate: Inference, planes: Floats, calls: int) -> Callable[[int], float]:
                many = lambda: [evaluate(planes) for _ in range(calls)]  # noqa: E731
                return lambda _: calls * len(planes) / processor_seconds(many)

            turns = {form: measured(way, planes, calls) for form, way in ways.items()}
            found = in_turns(turns, words.runs)
            fields = [f"{form} {statistics.median(each):,.0f}" for form, each in found.items()]
            print(f"{f'{name}, batch {batch}:':28}", ", ".join(fields), flush=True)


# Self-play

FIRST_STATE = games.Gomoku(size=6, in_a_row=4)
NUM_CALLS = 1_000


def plain_loop(net: PolicyValueNet, words: argparse.Namespace, seed: int) -> float:
    """Positions a second of games that are played one after the other."""
    evaluator, rng = NetEvaluator(net, inference=plain(net)), np.random.default_rng(seed)
    options: Any = {"noise": search.DirichletNoise(alpha=0.3), "num_simulations": words.visits}
    state: State = FIRST_STATE
    began = time.perf_counter()
    for _ in range(words.moves):
        result = search.puct_search(state, evaluator=evaluator, rng=rng, **options)
        counts = np.array([child.visit_count for child in result.children], float)
        chosen = rng.choice(len(counts), p=counts / counts.sum())
        state = state.child(result.children[chosen].action)
        state = FIRST_STATE if state.is_terminal else state
    return words.moves / (time.perf_counter() - began)


def games_speed(executor: Executor, config: TrainingConfig, net: PolicyValueNet) -> float:
    """Positions a second of an iteration's games, which processes play from beginning to end."""
    began = time.perf_counter()
    played = [game for share in begin_games(config, 0, net, executor) for game in share]
    return sum(len(game.samples.values) for game in played) / (time.perf_counter() - began)


def compare_self_play(words: argparse.Namespace) -> None:
    torch.manual_seed(1)
    net, workers = PolicyValueNet(NetConfig.for_game(FIRST_STATE)).eval(), os.cpu_count() or 1
    config = TrainingConfig(
        num_shares=workers,
        num_games=words.games,
        self_play=SelfPlayConfig(num_simulations=words.visits),
    )
    with ExitStack() as stack:
        processes = stack.enter_context(Processes(workers))
        if words.what == "cluster":
            cluster = stack.enter_context(open_cluster(f"local:{workers}"))
            assert cluster is not None
            began = time.perf_counter()
            for each in [cluster.submit(pow, 2, number) for number in range(NUM_CALLS)]:
                each.result()
            print(f"a call without work: {1e3 * (time.perf_counter() - began) / NUM_CALLS:.1f} ms")
            other = lambda _: games_speed(cluster, config, net)  # noqa: E731
        else:
            other = lambda seed: plain_loop(net, words, seed)  # noqa: E731
        both = {"other": other, "ours": lambda _: games_speed(processes, config, net)}
        beside, own = in_turns(both, words.runs).values()
    print(
        f"positions a second, {words.visits} visits a move, {workers} cores, medians of "
        f"{words.runs}: {'cluster' if words.what == 'cluster' else 'the plain loop'} "
        f"{statistics.median(beside):,.1f}, {words.games} games at once "
        f"{statistics.median(own):,.1f}, ratio {ratio(own, beside, '.1f')}"
    )


def main() -> None:
    parser = parser_of(__doc__, runs=7)
    ways = dict.fromkeys(SEARCHES, compare_searches) | {
        "net": compare_nets, "self-play": compare_self_play, "cluster": compare_self_play
    }  # fmt: skip
    parser.add_argument("what", choices=list(ways), help="a search of ours, c, or what else")
    parser.add_argument("--simulations", type=int, nargs="+", help="of each search")
    parser.add_argument("--batches", nargs="+", type=int, default=[1, 8, 32, 128])
    parser.add_argument("--visits", type=int, default=64, help="of a move (default: 64)")
    parser.add_argument("--games", type=int, default=256, help="at once (default: 256)")
    parser.add_argument("--moves", type=int, default=32, help="of the plain loop (default: 32)")
    words = parser.parse_args()
    torch.set_num_threads(1)
    try:
        ways[words.what](words)
    except OSError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
