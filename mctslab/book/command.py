"""The command `book`: build an opening book, and look up positions in it."""

import argparse
import sys
from pathlib import Path

from mctslab import book, games
from mctslab.book.store import MAX_POSITIONS
from mctslab.games.options import add_game_option, game_options
from mctslab.games.state import State


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the two commands `build` and `show`."""
    commands = parser.add_subparsers(dest="book_command", metavar="COMMAND", required=True)
    _add_build(commands.add_parser("build", help=_BUILD, description=f"{_BUILD.capitalize()}."))
    _add_show(commands.add_parser("show", help=_SHOW, description=f"{_SHOW.capitalize()}."))


_BUILD = "search the most important positions and store them; repeat the command to continue"
_SHOW = "show the entry of a position"


def _add_build(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", type=Path, help="such as opening.sqlite; created if it does not exist"
    )
    parser.add_argument("game", help="such as reversi, or my_game.py:MyGame for a game of your own")
    parser.add_argument(
        "--seconds",
        type=float,
        metavar="S",
        help="processor time after which to end, for the searches of all runs together (no limit)",
    )
    parser.add_argument(
        "--simulations",
        type=int,
        default=100_000,
        metavar="N",
        help="simulations of each search (100000)",
    )
    parser.add_argument("--plies", type=int, metavar="N", help="the deepest ply (no limit)")
    parser.add_argument(
        "--max-positions",
        type=int,
        default=MAX_POSITIONS,
        metavar="N",
        help=f"the largest number of positions of a new book ({MAX_POSITIONS})",
    )
    parser.add_argument(
        "--policy",
        default="uniform",
        help="the policy of the rollouts: uniform, roxanne or roxanne5",
    )
    parser.add_argument(
        "--threads", type=int, default=1, metavar="N", help="positions searched at once (1)"
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=0,
        metavar="N",
        help="seed of the random numbers; programs that build the same book at the same time need"
        " different seeds (0)",
    )
    add_game_option(parser)


def _add_show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="such as opening.sqlite")
    parser.add_argument(
        "moves", nargs="*", help="moves from the first position, such as d3 c5 (default: none)"
    )
    parser.add_argument(
        "--game",
        metavar="module:Class",
        help="import this game, if the book is for a game of your own",
    )


def run(arguments: argparse.Namespace) -> int:
    """Build or show; returns the exit status."""
    try:
        return _build(arguments) if arguments.book_command == "build" else _show(arguments)
    except BrokenPipeError:
        raise
    except (OSError, TypeError, ValueError) as error:
        print(f"book: {error}", file=sys.stderr)
        return 1


def _build(arguments: argparse.Namespace) -> int:
    status = book.build(
        arguments.file,
        arguments.game,
        game_options=game_options(arguments),
        num_simulations=arguments.simulations,
        seconds=arguments.seconds,
        max_plies=arguments.plies,
        max_positions=arguments.max_positions,
        rollouts=arguments.policy,
        num_threads=arguments.threads,
        seed=arguments.seed,
        progress=book.TextProgress(),
    )
    if status.ended == "stopped":
        raise KeyboardInterrupt
    return 0


def _show(arguments: argparse.Namespace) -> int:
    if arguments.game:
        games.make(arguments.game)  # imports its module
    with book.Book(arguments.file, read_only=True) as opened:
        opened.check()
        state = _played(opened.first_state, arguments.moves)
        summary, result = opened.summary(), opened.lookup(state)
        plies = opened.positions_by_ply()
        print(f"{arguments.file}: {state.title}, {opened.rollouts} rollouts")
        print(f"{summary.num_positions:,} positions of at most {opened.max_positions:,}")
        print(f"{summary.num_simulations:,} simulations in {summary.seconds:,.0f} s of search")
        print(f"the deepest at ply {summary.depth}")
    print("positions by ply: " + ", ".join(f"{ply}: {number:,}" for ply, number in plies.items()))
    print(f"\n{state}\n")
    print(result.table() if result else "This position is not in the book.")
    return 0


def _played(state: State, moves: list[str]) -> State:
    for move in moves:
        state = state.child(state.string_to_action(move))
    return state
