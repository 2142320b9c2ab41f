"""The command `book`: build an opening book, and look up positions in it."""

import argparse
from typing import Final

from mctslab import book, games
from mctslab.games.options import add_game_option, game_options
from mctslab.running_line import RunningLine

_BUILD: Final = "search the most important positions and store them; repeat the command to continue"
_SHOW: Final = "show the entry of a position"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the two commands `build` and `show`."""
    commands = parser.add_subparsers(dest="book_command", metavar="COMMAND", required=True)
    build = commands.add_parser("build", help=_BUILD, description=f"{_BUILD.capitalize()}.")
    show = commands.add_parser("show", help=_SHOW, description=f"{_SHOW.capitalize()}.")
    for command in (build, show):
        command.add_argument("file", help="such as opening.sqlite")
        command.add_argument(
            "game", help="such as reversi, or my_game.py:MyGame for a game of your own"
        )
        add_game_option(command)
    show.add_argument("moves", nargs="*", help="moves from the first position, such as d3 c5")
    for name, kind, default, purpose in (
        ("--seconds", float, None, "end after this time"),
        ("--simulations", int, 100_000, "simulations of each search"),
        ("--max-positions", int, None, "the largest number of positions"),
        ("--seed", int, 0, "seed of the random numbers"),
    ):
        shown = "no limit" if default is None else default
        build.add_argument(name, type=kind, default=default, help=f"{purpose} ({shown})")


def run(arguments: argparse.Namespace) -> int:
    """Build or show; returns the exit status."""
    (_build if arguments.book_command == "build" else _show)(arguments)
    return 0


def _build(arguments: argparse.Namespace) -> None:
    line = RunningLine()
    book.build(
        arguments.file,
        arguments.game,
        game_options=game_options(arguments),
        num_simulations=arguments.simulations,
        seconds=arguments.seconds,
        max_positions=arguments.max_positions,
        seed=arguments.seed,
        progress=lambda summary: line.update(lambda: str(summary), is_last=bool(summary.ended)),
    )


def _show(arguments: argparse.Namespace) -> None:
    state = games.make(arguments.game, **game_options(arguments))
    for move in arguments.moves:
        state = state.child(state.string_to_action(move))
    with book.Book(arguments.file) as opened:
        result, summary, game = opened.lookup(state), opened.summary(), opened.game
    by_ply = ", ".join(f"{ply}: {number:,}" for ply, number in summary.positions_by_ply.items())
    print(f"{arguments.file}: {game}\n{summary}\npositions by ply: {by_ply}\n\n{state}\n")
    print(result.table() if result else "This position is not in the book.")
