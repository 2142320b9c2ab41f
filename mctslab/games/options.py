"""The options of a game on the command line: `--game-option size=9`."""

import argparse
import json
from typing import Any


def add_game_option(parser: argparse.ArgumentParser) -> None:
    """Let a command take options of the game, for `game_options` to read."""
    parser.add_argument(
        "--game-option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the game, such as size=9; may be given several times",
    )


def game_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options as `games.make` takes them.

    Raises:
        ValueError: an option does not have the form NAME=VALUE.
    """
    return dict(map(_option, arguments.game_option))


def _option(text: str) -> tuple[str, Any]:
    """`size=9` as a name and a value: a number, true or false, or otherwise a text."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise ValueError(f"--game-option {text!r} does not have the form size=9.")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
