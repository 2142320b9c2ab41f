"""Notebook 08, the bug museum: two faults in the rules of Reversi."""

import numpy as np

from mctslab.course.exercise import exhibit
from mctslab.course.question import FROM_MODEL, Case, case, edits_in, mistakes_in

# museum_flips


def _flips_cases() -> list[Case]:
    own, theirs, empty = "own", "theirs", "empty"
    return [
        case((), expected=0, shown="museum_flips(()): the new disc lies at the edge"),
        case((theirs, own), expected=1),
        case((own, theirs), expected=0),
        case((theirs, empty), expected=0),
        case((theirs, theirs), expected=0),
        case((theirs, theirs, theirs, own, theirs, own), expected=3),
        case((empty, theirs, own), expected=0),
        case((theirs, theirs, empty, theirs, own), expected=0),
        case((theirs, theirs, theirs, theirs, theirs, theirs, own), expected=6),
        case((theirs, empty, own), expected=0),
        case((own, theirs, theirs, own), expected=0),
    ]


def _flips_variation(rng: np.random.Generator) -> Case:
    line = rng.choice(("own", "theirs", "empty"), rng.integers(1, 8), p=(0.2, 0.65, 0.15))
    return case(tuple(map(str, line)), expected=FROM_MODEL)


@exhibit(
    title="Discs that turn for nothing",
    start=edits_in("""
        - ...
        + flips = 0
        + for square in line:
        +     if square == "theirs":
        +         flips += 1
        +     else:
        +         break
        + return flips
    """),
    faulty="return flips",
    cases=_flips_cases,
    variation=_flips_variation,
    hints=(
        "When does a line of their discs turn? What must lie at both of its ends?",
        "The loop ends at one of your own discs, at an empty square, or at the edge. The function "
        "treats these three cases in the same way.",
        'Return the flips only if `square` is "own". In all other cases the result is 0.',
    ),
    when_right="With the fault, nearly every square beside one of their discs is a legal move.",
    mistakes=mistakes_in("""
        a run that ends at the edge
            A line turns only between two of your discs, and the edge of the board is not a disc.
            -     if square == "empty":
            -         return 0
            - return 0
            +     if square == "empty":
            +         return 0
            + return len(line)
        a run that ends at an empty square
            A line turns only between two of your discs, and an empty square is not a disc.
            square == "own" => square != "theirs"
        empty squares that are passed over
            The first square without one of their discs ends the line. If it is empty, nothing
            turns.
            - ...
            + flips = 0
            + for square in line:
            +     if square == "own":
            +         return flips
            +     flips += square == "theirs"
            + return 0
        all of their discs up to your last one
            The line ends at the first of your discs. The squares beyond it do not matter.
            - ...
            + if "own" not in line:
            +     return 0
            + last = len(line) - 1 - line[::-1].index("own")
            + before = line[:last]
            + return 0 if "empty" in before else before.count("theirs")
        one disc of a line only
            All discs of the line turn, and not only the one beside the new disc.
            return flips => return min(flips, 1)
        our own disc counted among those that turn
            It ends the line and does not turn. Return the number of discs before it.
            return flips => return flips + 1 if flips else 0
        any of your discs on the line closes it
            Your disc must be the very next square after theirs. If an empty square lies between,
            nothing turns.
            - if square == "own":
            -     return flips
            - if square == "empty":
            -     return 0
            + if square != "theirs":
            +     return flips if "own" in line else 0
    """),
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


def _next_player_cases() -> list[Case]:
    return [
        case(0, (5, 7), expected=1),
        case(1, (5, 7), expected=0),
        case(0, (0, 0), expected=None),
        case(1, (0, 0), expected=None),
        case(0, (3, 0), expected=0),
        case(1, (0, 2), expected=1),
        case(0, (0, 4), expected=1),
        case(1, (6, 0), expected=0),
    ]


def _next_player_variation(rng: np.random.Generator) -> Case:
    first, second = map(int, rng.integers(0, 12, 2) * rng.integers(0, 2, 2))
    return case(int(rng.integers(2)), (first, second), expected=FROM_MODEL)


@exhibit(
    title="A game that is over too soon",
    start=edits_in("return player if num_moves[player] else None => return None"),
    faulty="return None",
    cases=_next_player_cases,
    variation=_next_player_variation,
    hints=(
        "What happens in the real game when the opponent has no move, and `player` has one?",
        "The game is over only if `num_moves` is 0 for both. Otherwise the opponent passes.",
        "If the opponent cannot move: `return player if num_moves[player] else None`.",
    ),
    when_right="With the fault, about a third of all random games end too soon, and many of them "
    "with the wrong winner.",
    mistakes=mistakes_in("""
        players who always take turns
            If the opponent cannot move and `player` can, `player` moves again.
            return player if => return opponent if
        a game that never ends
            If neither side can move, the game is over, and the result is None. The board does not
            have to be full.
            return player if num_moves[player] else None => return player
        the game over as soon as one of the two cannot move
            A player who cannot move passes. The game is over only if neither side can move.
            - if num_moves[opponent] == 0:
            -     return player if num_moves[player] else None
            + if 0 in num_moves:
            +     return None
        the player who has just moved goes on as long as possible
            Look at the opponent first. Only a player who cannot move passes.
            - opponent = 1 - player
            + opponent = 1 - player
            + if num_moves[player]:
            +     return player
        the game over when the one who has just moved could not move again
            Check first whether the opponent can move. Only if not, check whether `player` can.
            num_moves[opponent] == 0 => num_moves[player] == 0
            return player if num_moves[player] else None => return None
        player 0 after every pass
            After a pass it is `player` who moves again, 0 or 1.
            return player if => return 0 if
        player 0 taken for nobody
            In Python 0 counts as false, so a line such as `return next or None` loses player 0.
            return player if => return (player or None) if
            return opponent => return opponent or None
    """),
)
def museum_next_player(player: int, num_moves: tuple[int, int]) -> int | None:
    """Who is to move after `player` has moved; None where the game is over.

    `num_moves` is the number of legal moves that player 0 and player 1 would have now.
    """
    opponent = 1 - player
    if num_moves[opponent] == 0:
        return player if num_moves[player] else None
    return opponent
