"""Threats in Gomoku: which squares would make a five, a four or a three.

The terms are those of Allis, van den Herik and Huntjens, "Go-Moku solved by new search techniques"
(AAAI Fall Symposium 1993; Computational Intelligence 12, 1996). A row is so many squares next to
each other along a line.

- **Five**: a row of five own stones; it wins.
- **Four**: a row of five squares, four with own stones and one empty: a five is one stone off.
- **Open four** (straight four in the paper): a row of six squares, own stones on the middle four,
  both ends empty. Either end completes a five, so it cannot be stopped by taking one of them.
- **Open three**: a row of six squares, both ends empty, own stones on three of the middle four: an
  open four is one stone off. If the fourth lies between the stones, it is a **broken three**.

With another `in_a_row` the names stay, and the numbers move along: in four in a row, a four is
three stones that lack one. Where only exactly five win, a row that would come out longer does not
count.

A set of squares is a bitboard, an int with one bit a square. Shifted right by i steps along a line,
it has a bit wherever the i-th square from there is in the set; so a few shifts and ANDs look at
all rows of the board together. Squares too close to an edge to begin a row are masked away, which
also keeps rows from going on at the other side of the board.
"""

from functools import cache
from typing import Final, NamedTuple

from mctslab.games.gomoku import Gomoku
from mctslab.games.state import State

DIRECTIONS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
"""One step, in rows and columns, along each of the four lines through a square."""


class Threats(NamedTuple):
    """What one player could make with one more stone, and where.

    Each is a bitboard of empty squares: bit a is set if action a does it. A square is in every set
    that it belongs to: one that makes an open four makes a four, too.
    """

    five: int
    """Completes a row, and wins at once."""
    open_four: int
    """Makes an open four."""
    double_four: int
    """Makes two or more squares that complete a row: an open four, or several fours at once."""
    four: int
    """Makes a four, open or not."""
    four_three: int
    """Makes a four, and along another line an open three."""
    double_three: int
    """Makes open threes along two or more lines."""
    open_three: int
    """Makes an open three, broken or not."""


def find_threats(state: State, player: int | None = None) -> Threats:
    """What `player` could make with one more stone; without `player`, whoever is to move.

    Raises:
        ValueError: this is not Gomoku, or there is no such player.

    >>> from mctslab.boards.board import square_bits
    >>> state = Gomoku(size=7)
    >>> for action in (16, 0, 17, 6, 18, 42):  # Black takes C5, D5 and E5, White three corners
    ...     state = state.child(action)
    >>> [state.action_to_string(each) for each in square_bits(find_threats(state).open_four)]
    ['B5', 'F5']
    """
    if not isinstance(state, Gomoku):
        raise ValueError(f"Threats are looked for in Gomoku only; this is {state.title}.")
    if player not in (None, 0, 1):
        raise ValueError(f"player={player!r} is nobody: it is 0, 1, or None for the one to move.")
    if player is None:
        player = state.current_player
    own = state.stones_of(player)
    empty = (1 << state.size**2) - 1 & ~(own | state.stones_of(1 - player))
    return put_together(
        [
            look_along(direction, own, empty, state.size, state.in_a_row, state.exactly_five)
            for direction in range(len(DIRECTIONS))
        ]
    )


def put_together(lines: "list[Line]") -> Threats:
    """The threats of all lines, with those that need two lines."""
    five = open_four = double_four = four = four_three = double_three = open_three = 0
    for line in lines:
        five |= fives(line)
        open_four |= open_fours(line)
        fours_here, several_here = fours(line)
        threes_here = open_threes(line)
        # What earlier lines have found at the same square makes a double threat with this line's.
        double_four |= several_here | four & fours_here
        four_three |= four & threes_here | open_three & fours_here
        double_three |= open_three & threes_here
        four |= fours_here
        open_three |= threes_here
    return Threats(five, open_four, double_four, four, four_three, double_three, open_three)


# The board, seen along one direction


class Line(NamedTuple):
    """The stones of a player and the empty squares, as seen along one direction."""

    step: int
    """From the bit of a square to that of the next one."""
    own: tuple[int, ...]
    """own[i]: the squares from which the i-th square along the line is one of the player's."""
    empty: tuple[int, ...]
    """empty[i]: the squares from which the i-th square along the line is empty."""
    rows: int
    """Where a row of in_a_row squares begins that would win if it were full."""
    open_rows: int
    """Where a row of one more begins, both ends empty, that would win without either end."""


def look_along(
    direction: int, own: int, empty: int, size: int, in_a_row: int, exactly: bool
) -> Line:
    """The board along one of the DIRECTIONS, given by its number."""
    rows, cols = DIRECTIONS[direction]
    step = rows * size + cols
    starts = row_starts(size, in_a_row)[direction]
    open_starts = row_starts(size, in_a_row + 1)[direction]
    if exactly:
        starts &= ~longer(direction, own, size, in_a_row)
        open_starts &= ~longer(direction, own, size, in_a_row + 1)
    return Line(
        step,
        tuple([own >> step * i for i in range(in_a_row)]),
        tuple([empty >> step * i for i in range(in_a_row)]),
        starts,
        open_starts & empty & empty >> step * in_a_row,
    )


def longer(direction: int, own: int, size: int, length: int) -> int:
    """Where a row of `length` squares begins that has an own stone right before or after it."""
    rows, cols = DIRECTIONS[direction]
    step = rows * size + cols
    before = (own & row_starts(size, 2)[direction]) << step
    after = own >> step * length & row_starts(size, length + 1)[direction]
    return before | after


@cache
def row_starts(size: int, length: int) -> tuple[int, ...]:
    """For each direction the squares at which a row of `length` squares begins and fits the board.

    >>> [f"{starts:09b}" for starts in row_starts(size=3, length=2)]
    ['011011011', '000111111', '000011011', '000110110']
    """
    found = []
    for rows, cols in DIRECTIONS:
        last_row, last_col = rows * (length - 1), cols * (length - 1)
        starts = 0
        for row in range(size - last_row):
            for col in range(size):
                starts |= (0 <= col + last_col < size) << row * size + col
        found.append(starts)
    return tuple(found)


def neighbours(squares: int, size: int) -> int:
    """The squares next to any of `squares`, in all eight directions."""
    found = 0
    for (rows, cols), starts in zip(DIRECTIONS, row_starts(size, 2), strict=True):
        step = rows * size + cols
        found |= (squares & starts) << step | squares >> step & starts
    return found


# The patterns, each along one line


def fives(line: Line) -> int:
    """The squares that complete a row."""
    squares = 0
    for place, starts in rows_that_lack_one(line, 0, len(line.own), line.rows):
        squares |= starts << line.step * place
    return squares


def open_fours(line: Line) -> int:
    """The squares that make an open four."""
    squares = 0
    for place, starts in rows_that_lack_one(line, 1, len(line.own), line.open_rows):
        squares |= starts << line.step * place
    return squares


def fours(line: Line) -> tuple[int, int]:
    """The squares that make a four, and those that make several, to be completed apart.

    A row that lacks two is made a four at one of them, and then completed at the other.
    """
    made_for: dict[int, int] = {}  # by how far it is from the stone to what completes the row
    for one, other, starts in rows_that_lack_two(line, 0, len(line.own), line.rows):
        further, back = other - one, one - other
        made_for[further] = made_for.get(further, 0) | starts << line.step * one
        made_for[back] = made_for.get(back, 0) | starts << line.step * other
    any_four = several = 0
    for squares in made_for.values():
        several |= any_four & squares
        any_four |= squares
    return any_four, several


def open_threes(line: Line) -> int:
    """The squares that make an open three."""
    squares = 0
    for one, other, starts in rows_that_lack_two(line, 1, len(line.own), line.open_rows):
        squares |= starts << line.step * one | starts << line.step * other
    return squares


def rows_that_lack_one(line: Line, first: int, end: int, starts: int) -> list[tuple[int, int]]:
    """Where the places from `first` up to `end` hold own stones but for one, which is empty.

    A list of (the empty place, the squares among `starts` at which such rows begin).
    """
    own, empty = line.own, line.empty
    found = []
    own_before = starts
    for place in range(first, end):
        if lacking := own_before & empty[place]:
            for after in own[place + 1 : end]:
                lacking &= after
            if lacking:
                found.append((place, lacking))
        own_before &= own[place]
        if not own_before:
            break
    return found


def rows_that_lack_two(line: Line, first: int, end: int, starts: int) -> list[tuple[int, int, int]]:
    """Where the places from `first` up to `end` hold own stones but for two, which are empty.

    A list of (one empty place, the other one, the squares among `starts` at which they begin).
    """
    found = []
    own_before = starts
    for one in range(first, end):
        if lacking := own_before & line.empty[one]:
            for other, lacking_two in rows_that_lack_one(line, one + 1, end, lacking):
                found.append((one, other, lacking_two))
        own_before &= line.own[one]
        if not own_before:
            break
    return found
