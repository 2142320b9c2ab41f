"""What of a game must be the same whenever it is played."""

from dataclasses import replace

from mctslab.arena import PlayedGame


def without_times(game: PlayedGame) -> PlayedGame:
    """A game but for its times."""
    first, second = (replace(cost, seconds=0.0) for cost in game.costs)
    return replace(game, costs=(first, second))


def all_without_times(games) -> list[PlayedGame]:
    """Games in order, but for their times."""
    return [without_times(game) for game in sorted(games, key=lambda g: (g.pairing, g.number))]
