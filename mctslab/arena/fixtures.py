"""Which games are to be played, and from which seeds.

The seeds of a game follow from the seed of the tournament, from who plays whom, and from the number
of the game between them: not from when or where it is played. So any one game can be played again
on its own, a tournament can be stopped and resumed, and more games can be added at its end.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np


class Fixture(NamedTuple):
    """A game to be played."""

    pairing: tuple[int, int]
    """The places of the two contestants, the lower one first."""
    number: int
    """Of this game between these two, from 0; an even one and the next make a pair."""
    players: tuple[int, int]
    """The places of player 0 and player 1."""
    seeds: tuple[int, int]
    """What player 0's and player 1's generators start from."""
    opening_seed: int
    """What the random opening is drawn from."""


def fixture(pairing: tuple[int, int], number: int, *, seed: int) -> Fixture:
    """The game with a number between two contestants; they change colours from game to game.

    The two games of a pair have the same opening, and so do pairs of the same number in all
    pairings, which are then compared on equal ground.
    """
    first, second = pairing
    for_players = np.random.SeedSequence(seed, spawn_key=(1, first, second, number))
    for_opening = np.random.SeedSequence(seed, spawn_key=(0, number // 2))
    seeds = for_players.generate_state(2, np.uint64)
    return Fixture(
        pairing,
        number,
        players=(first, second) if number % 2 == 0 else (second, first),
        seeds=(int(seeds[0]), int(seeds[1])),
        opening_seed=int(for_opening.generate_state(1, np.uint64)[0]),
    )


def schedule(num_contestants: int, num_games: int, *, seed: int) -> Iterator[Fixture]:
    """Every contestant against every other, `num_games` games each, pair of games by pair.

    All pairings have about as many games behind them at any time.
    """
    for number in range(0, num_games, 2):
        for second in range(1, num_contestants):
            for first in range(second):
                for game in range(number, min(number + 2, num_games)):
                    yield fixture((first, second), game, seed=seed)
