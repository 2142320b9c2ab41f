"""The command `compile`: compile the search in advance."""

import argparse
import sys
import time

from mctslab import games
from mctslab.fast.compile.cache import cache_folder
from mctslab.fast.compile.numba_import import numba_fault
from mctslab.fast.compile.recipes import engine, puct_engine
from mctslab.fast.compile.translate import NotCompilableError
from mctslab.games.state import State
from mctslab.solvers.alphabeta import prepare_alphabeta
from mctslab.solvers.connect_four import ConnectFourSolver


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The games to compile."""
    parser.add_argument(
        "game", nargs="*", help=f"short names ({', '.join(games.by_name())}); default: all of them"
    )


def run(arguments: argparse.Namespace) -> int:
    """Compile and print a line for each game; 1 if a game could not be compiled, otherwise 0."""
    status = 0
    states = {name: games.make(name) for name in arguments.game or games.by_name()}
    if fault := numba_fault():
        print(f"compile: {fault}.", file=sys.stderr)
        return 1
    for name, state in states.items():
        started = time.perf_counter()
        try:
            _compile(state)
            print(f"{state.title} is ready ({time.perf_counter() - started:.1f} s)", flush=True)
        except NotCompilableError as error:
            print(f"{name} stays in plain Python: {error}", flush=True)
            status = 1
    print(f"The compiled files are in {cache_folder()}")
    return status


def _compile(state: State) -> None:
    """Compile everything that can search the game of `state`."""
    game = state.compilable()
    if game is None:
        raise NotCompilableError("it has no rules that can be compiled")
    engine(game)
    engine(game, solver=True)
    puct_engine(game)
    puct_engine(game, solver=True)
    prepare_alphabeta(state)
    if isinstance(state, games.ConnectFour):
        ConnectFourSolver()
