"""The command `arena`: a match between two players, or a tournament of several."""

import argparse
from concurrent.futures import Executor
from pathlib import Path

from mctslab import arena
from mctslab.arena.results import MatchResult, Tournament
from mctslab.cluster import add_cluster, open_cluster
from mctslab.games.options import add_game_option, game_options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The game, the players, and how they play."""
    parser.add_argument("game", help="such as reversi, or my_game.py:MyGame for a game of your own")
    parser.add_argument(
        "players",
        nargs="+",
        metavar="player",
        help="a short name such as uct:400:roxanne; two for a match, more for a tournament",
    )
    parser.add_argument(
        "--games",
        type=int,
        default=100,
        metavar="N",
        help="number of games between any two players (100)",
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of all random numbers (0)"
    )
    parser.add_argument(
        "--json",
        type=Path,
        metavar="FILE",
        help="write every game into this file; if it exists, continue where it ends",
    )
    parser.add_argument(
        "--processes", type=int, default=1, metavar="N", help="games played at once (1)"
    )
    add_cluster(parser)
    parser.add_argument(
        "--opening-plies",
        type=int,
        default=0,
        metavar="N",
        help="random plies at the start; each opening is played with both colours (0)",
    )
    add_game_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play; returns the exit status, 130 when it was stopped by Ctrl-C."""
    with open_cluster(arguments.cluster) as executor:
        result = _play(arguments, executor)
    print(result)
    if result.is_complete:
        return 0
    if arguments.json:
        raise KeyboardInterrupt
    return 130


def _play(arguments: argparse.Namespace, executor: Executor | None) -> MatchResult | Tournament:
    terms = {
        "num_games": arguments.games,
        "seed": arguments.seed,
        "game_options": game_options(arguments),
        "opening_plies": arguments.opening_plies,
        "processes": arguments.processes,
        "executor": executor,
        "file": arguments.json,
        "progress": arena.TextProgress(),
    }
    if len(arguments.players) == 2:
        return arena.match(arguments.game, *arguments.players, **terms)
    return arena.round_robin(arguments.game, arguments.players, **terms)
