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
    """The player, and the seed of its chance."""
    parser.add_argument(
        "--player",
        default=DEFAULT_PLAYER,
        metavar="NAME",
        help=f"the short name of a player ({DEFAULT_PLAYER}); it thinks as long as its name says, "
        "or until the manager's time limit, whichever comes first",
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", help="what all chance follows from (a new one each time)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Speak the protocol until END; 1 where there is no such player, else 0."""
    try:
        rng = np.random.default_rng(arguments.seed)
        players.make(arguments.player, rng=rng)
    except ValueError as error:
        print(f"gomocup: {error}", file=sys.stderr)
        return 1
    if sys.stdin.isatty():
        print("This speaks the protocol of Gomocup: START 15, BEGIN, ... END.", file=sys.stderr)
    session = Session(
        lambda: players.make(arguments.player, rng=rng.spawn(1)[0]),
        rng=rng,
        memory_in_use=lambda: psutil.Process().memory_info().rss,
    )
    serve(session, sys.stdin.fileno(), _output_of_our_own())
    return 0


def main() -> int:
    """The program `pbrain-mctslab`: the same command under a name that Piskvork takes."""
    parser = argparse.ArgumentParser(
        prog="pbrain-mctslab", description="A Gomoku engine for Piskvork and other managers."
    )
    add_arguments(parser)
    return run(parser.parse_args())


def _output_of_our_own() -> int:
    """Standard output as a file descriptor that nobody else knows.

    What anything else prints goes where the errors go. Piskvork reads those as well, from the same
    pipe: then it goes nowhere.
    """
    sys.stdout.flush()
    output, errors = sys.stdout.fileno(), sys.stderr.fileno()
    ours = os.dup(output)
    is_one_pipe = os.path.samestat(os.fstat(output), os.fstat(errors))
    if is_one_pipe:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, errors)
        os.close(nowhere)
    os.dup2(errors, output)
    return ours
