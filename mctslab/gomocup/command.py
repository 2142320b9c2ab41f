"""The command `gomocup`: a player as an engine for Piskvork and other managers."""

import argparse
import contextlib
import io
import os
import sys
from typing import Final

import numpy as np

from mctslab import players
from mctslab.gomocup.engine import Engine

DEFAULT_PLAYER: Final = "puct:10s:static"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options for the player and its seed."""
    parser.add_argument(
        "--player",
        default=DEFAULT_PLAYER,
        metavar="NAME",
        help=f"the short name of a player ({DEFAULT_PLAYER}); it thinks until its own budget or "
        "the manager's time limit is used up, whichever comes first",
    )
    parser.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="seed of the random numbers (default: a new one each time)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve a manager until END; returns the exit status, 1 if there is no such player."""
    try:
        rng = np.random.default_rng(arguments.seed)
        players.make(arguments.player, rng=rng)
    except (OSError, ValueError) as error:
        print(f"gomocup: {error}", file=sys.stderr)
        return 1
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    engine = Engine(lambda: players.make(arguments.player, rng=rng.spawn(1)[0]), rng=rng)
    output = sys.stdout.fileno()
    # Whatever else is printed would be an answer to the manager.
    with contextlib.redirect_stdout(sys.stderr), contextlib.suppress(BrokenPipeError):
        for answer in engine.converse(sys.stdin):
            os.write(output, f"{answer}\r\n".encode())
    return 0


def main() -> int:
    """The program `pbrain-mctslab`: the same command under a name that Piskvork accepts."""
    parser = argparse.ArgumentParser(
        prog="pbrain-mctslab", description="A Gomoku engine for Piskvork and other managers."
    )
    add_arguments(parser)
    return run(parser.parse_args())
