"""Positions to question a net about, by name.

For Gomoku, on a board of any size, each is a pattern in the middle of the board. The other side's
stones, which are needed to make the numbers right, are placed where they threaten nothing. For
Connect Four and Reversi they are short games.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias

from mctslab.games.gomoku import Gomoku
from mctslab.games.state import State
from mctslab.search.knowledge.threats import Threats, all_threats, neighbours

Squares: TypeAlias = list[tuple[int, int]]

EMPTY_BOARD: Final = "empty board"
FIRST_POSITION: Final = "first position"
_RECORDS: Final[Mapping[tuple[str, int], Mapping[str, str]]] = MappingProxyType(
    {
        ("connect_four", 7): {
            "an open two": "4 4 5",
            "a four to block": "4 1 4 1 4",
            "a four to complete": "4 1 4 1 4 7",
            "a double threat": "4 4 5 5",
        },
        ("reversi", 37): {"a corner to take": "c2 b2 a2", "a corner to guard": "d5 c5 b2"},
        ("reversi", 65): {"a corner to take": "d3 c3 c4 e3 b2", "a corner to guard": "d3 c3 c4 c5"},
    }
)
"""By game and number of actions."""
_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six")


def named_positions(state: State) -> dict[str, str]:
    """The positions to offer for the board of `state`, as records that set them up.

    The first one is always the empty board, or whatever the game begins with. For free-style
    Gomoku, if the board has room for them, there are an open three to answer, a row to block, a row
    to complete, and a double threat. (The numbers change with `in_a_row`.) Connect Four has similar
    ones, and Reversi has two with a corner.

    >>> list(named_positions(Gomoku(size=9)))
    ['empty board', 'an open three', 'a five to block', 'a five to complete', 'a double threat']
    """
    if (records := _RECORDS.get((state.game, state.num_actions))) is not None:
        return {FIRST_POSITION: "", **records}
    positions = {EMPTY_BOARD: ""}
    if not isinstance(state, Gomoku) or state.exactly_five or state.in_a_row < 4:
        return positions
    size, length = state.size, state.in_a_row
    if size < length + 2:
        return positions
    row = size // 2
    left = (size - length - 1) // 2  # of a row of `length` and one more square, in the middle
    row_of = [(row, left + place) for place in range(length + 1)]
    open_row = row_of[1 : length - 1]
    nearly_full, stopper = row_of[1:length], row_of[0]
    column = [(row - place, left + length - 1) for place in range(1, length - 1)]
    above = [(row - length + 1, left + length - 1)] if row - length + 1 >= 0 else []
    crossing = [*row_of[1 : length - 1], *column]
    patterns = {
        f"an open {_number(length - 2)}": (open_row, [], 1),
        f"a {_number(length)} to block": (nearly_full, [stopper], 1),
        f"a {_number(length)} to complete": (nearly_full, [stopper], 0),
        "a double threat": (crossing, [stopper, *above], 0),
    }
    for name, (black, white, mover) in patterns.items():
        if (record := _record(state, black, white, mover)) is not None:
            positions[name] = record
    return positions


def _number(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def _record(state: Gomoku, black: Squares, white: Squares, mover: int) -> str | None:
    """The moves to a position with these stones and `mover` to move; None if there is no room."""
    if any(not 0 <= each < state.size for square in (*black, *white) for each in square):
        return None
    blacks, whites = ([row * state.size + col for row, col in each] for each in (black, white))
    missing = len(blacks) - mover - len(whites)
    quiet = _quiet_squares(state, blacks, whites, missing)
    return None if quiet is None else _alternating(state, blacks, [*whites, *quiet])


def _quiet_squares(
    state: Gomoku, blacks: Sequence[int], whites: Sequence[int], missing: int
) -> list[int] | None:
    """Squares away from the pattern on which `missing` white stones neither threaten nor stop
    anything.

    Raises:
        ValueError: White has too many stones already.
    """
    if missing < 0:
        raise ValueError(f"{len(whites)} white stones are too many for {len(blacks)} black ones.")
    stones = sum(1 << square for square in (*blacks, *whites))
    near = stones | neighbours(stones, state.size)
    found: list[int] = []
    for square in _from_the_corners(state.size):
        if len(found) == missing:
            break
        if near >> square & 1:
            continue
        white = _threats(state, [*whites, *found, square], blacks)
        # With four in a row a single stone in the open makes an "open three", in these terms.
        if not (white.five | white.four | (white.open_three if state.in_a_row > 4 else 0)):
            found.append(square)
    return found if len(found) == missing else None


def _from_the_corners(size: int) -> list[int]:
    """All squares, those farthest from the middle first."""
    middle = (size - 1) / 2
    return sorted(
        range(size * size),
        key=lambda square: (-abs(square // size - middle) - abs(square % size - middle), square),
    )


def _threats(state: Gomoku, own: Sequence[int], others: Sequence[int]) -> Threats:
    """What the owner of these stones could make with one more, on a board with no others."""
    mine, theirs = (sum(1 << square for square in each) for each in (own, others))
    return all_threats(state, mine, theirs)


def _alternating(state: Gomoku, blacks: Sequence[int], whites: Sequence[int]) -> str:
    """The record of a game in which the stones are put down in turn."""
    moves = []
    for number in range(max(len(blacks), len(whites))):
        moves += [each[number] for each in (blacks, whites) if number < len(each)]
    return " ".join(map(state.action_to_string, moves))
