"""The command `arena`: a match between two players, or a tournament of several.

With `--ladder`, the first player meets each of the others in a match of its own:

    python -m mctslab arena gomoku net:gomoku9_4:400 uct:1000 uct:10000 --ladder --games 200
        --opening-plies 2 --game-option size=9 --json runs/gomoku9_4

The output is then a table in Markdown, and every match has a file in the folder `--json`, so that
the same command continues there, and with another opponent plays only what is missing.
"""

import argparse
import re
import sys
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from mctslab import arena
from mctslab.cluster import ClusterError, add_cluster, open_cluster
from mctslab.games.options import add_game_option, game_options
from mctslab.score import Estimate


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
        "--ladder",
        action="store_true",
        help="let the first player play each of the others, and nobody else; --json is a folder "
        "with a file for each of these matches",
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
    try:
        with open_cluster(arguments.cluster) as executor:
            is_complete = (
                _ladder(arguments, executor) if arguments.ladder else _play(arguments, executor)
            )
    except BrokenPipeError:
        raise
    except (OSError, ValueError, ClusterError) as error:
        print(f"arena: {error}", file=sys.stderr)
        return 1
    if is_complete:
        return 0
    if arguments.json:
        raise KeyboardInterrupt
    return 130


def _play(arguments: argparse.Namespace, executor: Executor | None) -> bool:
    """Play the match or the tournament, and print the result; whether it is complete."""
    players, terms = arguments.players, _terms(arguments, executor)
    if len(players) == 2:
        match = arena.match(arguments.game, *players, file=arguments.json, **terms)
        print(match)
        return match.is_complete
    tournament = arena.round_robin(arguments.game, players, file=arguments.json, **terms)
    print(tournament)
    return tournament.is_complete


def _terms(arguments: argparse.Namespace, executor: Executor | None) -> dict[str, Any]:
    """The arguments of every match, and of a tournament."""
    return {
        "num_games": arguments.games,
        "seed": arguments.seed,
        "game_options": game_options(arguments),
        "opening_plies": arguments.opening_plies,
        "processes": arguments.processes,
        "executor": executor,
        "progress": arena.TextProgress(),
    }


# The ladder


def _ladder(arguments: argparse.Namespace, executor: Executor | None) -> bool:
    """Play the first player's matches, and print a line of a table for each."""
    first, *rivals = arguments.players
    if not rivals:
        raise ValueError("--ladder needs a player and one or more opponents.")
    folder: Path | None = arguments.json
    print("| player | against | games | score | as first player | as second player |")
    print("|---" * 6 + "|", flush=True)
    for rival in rivals:
        file = folder and folder / f"{_in_a_name(first)}--{_in_a_name(rival)}.jsonl"
        result = arena.match(arguments.game, first, rival, file=file, **_terms(arguments, executor))
        print(_row(result), flush=True)
        for line in result.warnings():
            print(line, file=sys.stderr)
        if not result.is_complete:
            return False
    return True


def _in_a_name(player: str) -> str:
    """The name of a player, without what cannot be in the name of a file."""
    return re.sub(r"[^\w.+-]+", "_", player)


def _row(result: arena.MatchResult) -> str:
    """A line of the table: a score over all games, and for each colour."""
    scores = [result.score, result.score_as(0), result.score_as(1)]
    players = [f"`{name}`" for name in result.names]
    cells = [*players, str(len(result.games)), *(_written(score.rate) for score in scores)]
    return f"| {' | '.join(cells)} |"


def _written(score: Estimate) -> str:
    """A score with its interval: `.955 (.917 to .976)`."""
    value, low, high = (f"{end:.3f}".removeprefix("0") for end in score)
    return f"{value} ({low} to {high})"
