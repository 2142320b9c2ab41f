"""The command `book`: build an opening book, and look up positions in it."""

import argparse
import sys
from pathlib import Path
from typing import Final

from mctslab import book, games
from mctslab.games.options import add_game_option, game_options
from mctslab.running_line import RunningLine

_BUILD: Final = "search the most important positions and store them; repeat the command to continue"
_SHOW: Final = "show the entry of a position"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the two commands `build` and `show`."""
    commands = parser.add_subparsers(dest="book_command", metavar="COMMAND", required=True)
    for name, purpose in (("build", _BUILD), ("show", _SHOW)):
        command = commands.add_parser(name, help=purpose, description=f"{purpose.capitalize()}.")
        command.add_argument("file", type=Path, help="such as opening.sqlite")
        command.add_argument(
            "game", help="such as reversi, or my_game.py:MyGame for a game of your own"
        )
        add_game_option(command)
        if name == "build":
            _add_build(command)
        else:
            command.add_argument(
                "moves", nargs="*", help="moves from the first position, such as d3 c5"
            )


def _add_build(parser: argparse.ArgumentParser) -> None:
    for name, kind, default, purpose in (
        ("--seconds", float, None, "time of the searches of all runs together"),
        ("--simulations", int, 100_000, "simulations of each search"),
        ("--max-positions", int, None, "the largest number of positions"),
        ("--policy", str, "uniform", "policy of the rollouts, for Reversi also roxanne, roxanne5"),
        ("--seed", int, 0, "seed of the random numbers"),
    ):
        shown = "no limit" if default is None else default
        parser.add_argument(name, type=kind, default=default, help=f"{purpose} ({shown})")


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
    line = RunningLine()
    book.build(
        arguments.file,
        arguments.game,
        game_options=game_options(arguments),
        num_simulations=arguments.simulations,
        seconds=arguments.seconds,
        max_positions=arguments.max_positions,
        rollouts=arguments.policy,
        seed=arguments.seed,
        progress=lambda summary: line.update(lambda: str(summary), is_last=bool(summary.ended)),
    )
    return 0


def _show(arguments: argparse.Namespace) -> int:
    state = games.make(arguments.game, **game_options(arguments))
    for move in arguments.moves:
        state = state.child(state.string_to_action(move))
    with book.Book(arguments.file) as opened:
        result, summary, plies = opened.lookup(state), opened.summary(), opened.positions_by_ply()
    print(f"{arguments.file}: {opened.game}, {opened.rollouts} rollouts\n{summary}")
    print("positions by ply: " + ", ".join(f"{ply}: {number:,}" for ply, number in plies.items()))
    print(f"\n{state}\n")
    print(result.table() if result else "This position is not in the book.")
    return 0
