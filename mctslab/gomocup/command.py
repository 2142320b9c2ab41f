"""The command `gomocup`: a player as an engine for Piskvork and other managers."""

import argparse
import os
import sys
from typing import Final

import numpy as np
import psutil

from mctslab import players
from mctslab.gomocup.serving import serve
from mctslab.gomocup.session import Session

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
    if sys.stdin.isatty():
        print(
            "This program expects the Gomocup protocol: START 15, BEGIN, ... END.", file=sys.stderr
        )
    session = Session(
        lambda: players.make(arguments.player, rng=rng.spawn(1)[0]),
        rng=rng,
        memory_in_use=lambda: psutil.Process().memory_info().rss,
    )
    serve(session, sys.stdin.fileno(), _private_output())
    return 0


def main() -> int:
    """The program `pbrain-mctslab`: the same command under a name that Piskvork accepts."""
    parser = argparse.ArgumentParser(
        prog="pbrain-mctslab", description="A Gomoku engine for Piskvork and other managers."
    )
    add_arguments(parser)
    return run(parser.parse_args())


def _private_output() -> int:
    """Standard output as a file descriptor that nothing else in this program uses.

    The output of any other code goes to the error output instead. Piskvork reads errors from the
    same pipe as the answers; then they go to the null device.
    """
    sys.stdout.flush()
    output, errors = sys.stdout.fileno(), sys.stderr.fileno()
    private = os.dup(output)
    if os.path.samestat(os.fstat(output), os.fstat(errors)):
        null_device = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null_device, errors)
        os.close(null_device)
    os.dup2(errors, output)
    return private
