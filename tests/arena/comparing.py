"""What of a game must be the same whenever it is played."""

from dataclasses import replace

from mctslab.arena.game import PlayedGame


def without_times(game: PlayedGame) -> PlayedGame:
    """A game but for its times."""
    return replace(game, seconds=(0.0, 0.0))


def all_without_times(games) -> list[PlayedGame]:
    """Games in order, but for their times."""
    return [without_times(game) for game in sorted(games, key=lambda g: (g.pairing, g.number))]
