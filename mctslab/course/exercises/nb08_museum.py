"""Notebook 08, the bug museum: two faults in the rules of Reversi."""

from typing import TypeAlias

from mctslab.course.exhibit import exhibit
from mctslab.course.question import Case, case, misconception

# museum_flips

Line: TypeAlias = tuple[str, ...]
"""The squares of one line, from the new disc outwards to the edge."""


def _flips_start(line: tuple[str, ...]) -> int:
    """How many discs turn on one line, from the new disc to the edge: "own", "theirs", "empty"."""
    flips = 0
    for square in line:
        if square == "theirs":
            flips += 1
        else:
            break
    return flips


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


@misconception(
    "a run that ends at the edge",
    "A run is flipped only between two discs of ours. Where the board ends, there is none.",
)
def _edge_closes(line: Line) -> int:
    flips = 0
    for square in line:
        if square == "empty":
            return 0
        if square == "own":
            break
        flips += 1
    return flips


@misconception(
    "a run that ends at an empty square",
    "A run is flipped only between two discs of ours, and an empty square is none.",
)
def _empty_closes(line: Line) -> int:
    for flips, square in enumerate(line):
        if square != "theirs":
            return flips
    return 0


@misconception(
    "empty squares that are passed over",
    "The first square that is not theirs ends the run. If it is empty, nothing turns.",
)
def _over_empty(line: Line) -> int:
    flips = 0
    for square in line:
        if square == "own":
            return flips
        flips += square == "theirs"
    return 0


@misconception(
    "all of their discs up to the last one of ours",
    "The run ends at the first disc of ours. What lies beyond it is of no concern to the new disc.",
)
def _to_the_last(line: Line) -> int:
    if "own" not in line:
        return 0
    last = len(line) - 1 - line[::-1].index("own")
    before = line[:last]
    return 0 if "empty" in before else before.count("theirs")


@misconception(
    "one disc of a run only",
    "All discs of the run turn, not just the one beside the new disc.",
)
def _just_one(line: Line) -> int:
    flips = _right(line)
    return min(flips, 1)


@misconception(
    "our own disc counted among those that turn",
    "It ends the run and does not turn: return what was counted before it.",
)
def _one_too_many(line: Line) -> int:
    flips = _right(line)
    return flips + 1 if flips else 0


@misconception(
    "any disc of ours on the line closes the run",
    "It has to be the very next square after the run: with an empty square between them, nothing "
    "turns.",
)
def _own_anywhere(line: Line) -> int:
    return _flips_start(line) if "own" in line else 0


def _right(line: Line) -> int:
    for flips, square in enumerate(line):
        if square == "own":
            return flips
        if square == "empty":
            return 0
    return 0


@exhibit(
    title="Discs that turn for nothing",
    start=_flips_start,
    faulty="return flips",
    cases=_flips_cases,
    misconceptions=(
        _edge_closes,
        _empty_closes,
        _over_empty,
        _to_the_last,
        _just_one,
        _one_too_many,
        _own_anywhere,
    ),
    hints=(
        "When may a run of their discs be turned? What has to lie at both of its ends?",
        "The loop ends at one of our discs, at an empty square, or at the edge. The function "
        "treats all three alike.",
        'Only where `square` is "own" are the flips to be returned; in all other cases it is 0.',
    ),
    when_right="With the fault, nearly every square beside a disc of theirs becomes a legal move.",
)
def museum_flips(line: tuple[str, ...]) -> int:
    """How many discs turn on one line, from the new disc to the edge: "own", "theirs", "empty"."""
    for flips, square in enumerate(line):
        if square == "own":
            return flips
        if square == "empty":
            return 0
    return 0


# museum_next_player

Moves: TypeAlias = tuple[int, int]


def _next_player_start(player: int, num_moves: tuple[int, int]) -> int | None:
    """Who is to move after `player` has moved; None where the game is over.

    `num_moves` says how many squares player 0, and player 1, could now play on.
    """
    opponent = 1 - player
    if num_moves[opponent] == 0:
        return None
    return opponent


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


@misconception(
    "players who always take turns",
    "Where the opponent cannot move and `player` can, `player` moves again.",
)
def _in_turn(player: int, num_moves: Moves) -> int | None:
    return None if num_moves == (0, 0) else 1 - player


@misconception(
    "a game that never ends",
    "Where neither can move, the game is over: None. The board need not be full.",
)
def _never_ends(player: int, num_moves: Moves) -> int | None:
    return 1 - player if num_moves[1 - player] else player


@misconception(
    "the game over as soon as one of the two cannot move",
    "One who cannot move passes. The game is over where neither can.",
)
def _one_is_enough(player: int, num_moves: Moves) -> int | None:
    return None if 0 in num_moves else 1 - player


@misconception(
    "the player who has just moved goes on as long as possible",
    "First the opponent is asked. Only one who cannot move has to pass.",
)
def _goes_on(player: int, num_moves: Moves) -> int | None:
    if num_moves[player]:
        return player
    return 1 - player if num_moves[1 - player] else None


@misconception(
    "the game over when the one who has just moved could not move again",
    "What counts is whether the opponent can move, and only if not, whether `player` can.",
)
def _wrong_one_asked(player: int, num_moves: Moves) -> int | None:
    return 1 - player if num_moves[player] else None


@misconception(
    "player 0 after every pass",
    "After a pass it is `player` who moves again, 0 or 1.",
)
def _zero_after_a_pass(player: int, num_moves: Moves) -> int | None:
    if num_moves[1 - player]:
        return 1 - player
    return 0 if num_moves[player] else None


@misconception(
    "player 0 taken for nobody",
    "In Python 0 counts as false, so a line such as `return next or None` loses player 0.",
)
def _zero_is_nobody(player: int, num_moves: Moves) -> int | None:
    if num_moves[1 - player]:
        return (1 - player) or None
    return (player or None) if num_moves[player] else None


@exhibit(
    title="A game that is over too soon",
    start=_next_player_start,
    faulty="return None",
    cases=_next_player_cases,
    misconceptions=(
        _in_turn,
        _never_ends,
        _one_is_enough,
        _goes_on,
        _wrong_one_asked,
        _zero_after_a_pass,
        _zero_is_nobody,
    ),
    hints=(
        "What happens in the real game when the opponent has no move, and `player` has one?",
        "The game is over only where `num_moves` is 0 for both. Else the opponent passes.",
        "Where the opponent cannot move: `return player if num_moves[player] else None`.",
    ),
    when_right="With the fault, about a third of all random games end too soon, and many of them "
    "with the wrong winner.",
)
def museum_next_player(player: int, num_moves: tuple[int, int]) -> int | None:
    """Who is to move after `player` has moved; None where the game is over.

    `num_moves` says how many squares player 0, and player 1, could now play on.
    """
    opponent = 1 - player
    if num_moves[opponent] == 0:
        return player if num_moves[player] else None
    return opponent
