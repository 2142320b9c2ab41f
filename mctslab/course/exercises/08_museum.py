"""Notebook 08, the bug museum: two faults in the rules of Reversi."""

import numpy as np

from mctslab.course.checking.cases import Case, case
from mctslab.course.exercise import exercise

# museum_flips


def _flips_variation(rng: np.random.Generator) -> Case:
    line = rng.choice(("own", "theirs", "empty"), rng.integers(0, 8), p=(0.2, 0.65, 0.15))
    return case(tuple(map(str, line)))


@exercise(
    start="""
        - ...
        + flips = 0
        + for square in line:
        +     if square == "theirs":
        +         flips += 1
        +     else:
        +         break
        + return flips
    """,
    faulty="return flips",
    variation=_flips_variation,
)
def museum_flips(line: tuple[str, ...]) -> int:
    """How many discs turn on `line`: "own", "theirs" or "empty", from the new disc to the edge."""
    for flips, square in enumerate(line):
        if square == "own":
            return flips
        if square == "empty":
            return 0
    return 0


# museum_next_player


def _next_player_variation(rng: np.random.Generator) -> Case:
    first, second = map(int, rng.integers(0, 12, 2) * rng.integers(0, 2, 2))
    return case(int(rng.integers(2)), (first, second))


@exercise(
    start="return player if num_moves[player] else None => return None",
    faulty="return None",
    variation=_next_player_variation,
    points=2,
)
def museum_next_player(player: int, num_moves: tuple[int, int]) -> int | None:
    """Who is to move after `player` has moved; None where the game is over.

    `num_moves` is the number of legal moves that player 0 and player 1 would have now.
    """
    opponent = 1 - player
    if num_moves[opponent] == 0:
        return player if num_moves[player] else None
    return opponent
