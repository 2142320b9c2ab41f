"""Small matches for the tests of this folder, and what of them must be the same again."""

import json
from dataclasses import replace

from mctslab import arena
from mctslab.arena.game import PlayedGame
from mctslab.arena.running import Progress


def small_match(file=None, **options):
    settings = {"num_games": 12, "seed": 3, "opening_plies": 2, "file": file} | options
    return arena.match("tictactoe", "uct:15", "random", **settings)


def lines_of(file):
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def without_times(game: PlayedGame) -> PlayedGame:
    """A game but for its times."""
    return replace(game, seconds=(0.0, 0.0))


def all_without_times(result) -> list[PlayedGame]:
    """The games of a result, but for their times."""
    return [without_times(game) for game in result.games]


def ctrl_c_after(num_games: int) -> Progress:
    """Follows the progress like a person who presses Ctrl-C after so many finished games."""

    def progress(result, is_last) -> None:
        if len(result.games) >= num_games and not is_last:
            raise KeyboardInterrupt

    return progress
