"""The command `arena`: a match between two players, or a tournament of several."""

import argparse
import sys
from pathlib import Path
from typing import Any

from mctslab import arena
from mctslab.arena.results_file import shorten
from mctslab.cluster import ClusterError
from mctslab.cluster_tasks import add_cluster, open_cluster
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
        "--short",
        action="store_true",
        help="when all games are played, rewrite that file with only the totals of the clocks",
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
    parser.add_argument(
        "--seconds-per-move",
        type=float,
        metavar="S",
        help="a player who takes longer for a move loses the game",
    )
    parser.add_argument(
        "--sprt",
        type=float,
        nargs=2,
        metavar=("ELO0", "ELO1"),
        help="stop when a test has decided whether the first player is ELO0 or ELO1 stronger",
    )
    add_game_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play; returns the exit status, 130 when it was stopped by Ctrl-C."""
    try:
        result = _play(arguments)
        if arguments.short and arguments.json and result.is_complete:
            shorten(arguments.json)
    except BrokenPipeError:
        raise
    except (OSError, ValueError, ClusterError) as error:
        print(f"arena: {error}", file=sys.stderr)
        return 1
    print(result)
    if result.is_complete:
        return 0
    if arguments.json:
        raise KeyboardInterrupt
    return 130


def _play(arguments: argparse.Namespace) -> arena.MatchResult | arena.Tournament:
    common: dict[str, Any] = {
        "num_games": arguments.games,
        "seed": arguments.seed,
        "game_options": game_options(arguments),
        "opening_plies": arguments.opening_plies,
        "seconds_per_move": arguments.seconds_per_move,
        "processes": arguments.processes,
        "file": arguments.json,
        "progress": arena.TextProgress(),
    }
    if arguments.short and not arguments.json:
        raise ValueError("--short needs --json FILE.")
    sprt = arguments.sprt and arena.SPRT(*arguments.sprt)
    if sprt and len(arguments.players) > 2:
        raise ValueError("--sprt needs exactly two players.")
    with open_cluster(arguments, arena.connect) as common["cluster"]:
        if len(arguments.players) == 2:
            return arena.match(arguments.game, *arguments.players, sprt=sprt, **common)
        return arena.round_robin(arguments.game, arguments.players, **common)
