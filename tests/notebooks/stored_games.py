"""Games that a notebook stores, played once more."""

from collections.abc import Sequence
from pathlib import Path

from mctslab import arena
from mctslab.arena.playing import play
from mctslab.arena.settings import Entry, fixture, make_settings


def plays_again(
    file: Path, entries: Sequence[Entry], number: int, *, seed: int, opening_plies: int = 4
) -> bool:
    """Whether a game of a match without a command is the same again, move for move."""
    kept = arena.read(file)
    game = next(game for game in kept.games if game.number == number)
    settings = make_settings(
        kept.header.game,
        entries,
        kept.header.game_options,
        num_games=number + 1,
        seed=seed,
        opening_plies=opening_plies,
    )
    return play(settings, fixture((0, 1), number, seed=seed)).actions == game.actions
