"""What of a game must be the same whenever it is played."""

from dataclasses import replace

from mctslab.arena import PlayedGame


def without_times(game: PlayedGame) -> PlayedGame:
    """A game but for its clocks; how many moves were timed stays."""
    first, second = game.seconds
    return replace(game, seconds=((0.0,) * len(first), (0.0,) * len(second)))


def all_without_times(games) -> list[PlayedGame]:
    """Games in order, but for their clocks."""
    return [without_times(game) for game in sorted(games, key=lambda g: (g.pairing, g.number))]
