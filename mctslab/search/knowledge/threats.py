"""Threats in Gomoku: which squares would make a five, a four or a three.

The terms are those of Allis, van den Herik and Huntjens, "Go-Moku solved by new search techniques"
(AAAI Fall Symposium 1993; Computational Intelligence 12, 1996). A row is a number of squares
next to each other along a line.

- **Five**: a row of five own stones; it wins.
- **Four**: a row of five squares, four with own stones and one empty: one more stone makes a five.
- **Open four** (straight four in the paper): a row of six squares, own stones on the middle four,
  both ends empty. Either end completes a five, so it cannot be stopped by taking one of them.
- **Open three**: a row of six squares, both ends empty, own stones on three of the middle four, so
  one more stone makes an open four. If the empty one lies between the stones, it is a **broken
  three**.

With another `in_a_row` the numbers change: in four in a row, a "four" is three stones with one
missing. If exactly five are needed to win, a row that would become longer does not count.

A set of squares is a bitboard. Shifted right by i steps along a line, it has a bit wherever the
i-th square from there is in the set; so a few shifts and ANDs examine all rows of the board at
once. Squares too close to an edge to begin a row are masked away.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Final, NamedTuple

from mctslab.games.gomoku import Gomoku
from mctslab.games.state import State

DIRECTIONS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
"""One step, in rows and columns, along each of the four lines through a square."""


class Threats(NamedTuple):
    """The threats that one player could make with one more stone.

    Each is a bitboard of empty squares: bit a is set if action a makes the threat. A square can be
    in several sets: one that makes an open four makes a four, too.
    """

    five: int
    """Completes a row and wins at once."""
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
    """The threats that `player` could make with one more stone; by default the player to move.

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
        raise ValueError(f"find_threats works for Gomoku only; this is {state.title}.")
    if player not in (None, 0, 1):
        raise ValueError(f"player must be 0, 1 or None (the player to move), got {player!r}.")
    if player is None:
        player = state.current_player
    return all_threats(state, state.stones_of(player), state.stones_of(1 - player))


def all_threats(game: Gomoku, own: int, others: int) -> Threats:
    """The threats of the owner of the stones `own`, by the rules of `game`."""
    empty = (1 << game.size**2) - 1 & ~(own | others)
    five = open_four = double_four = four = four_three = double_three = open_three = 0
    for direction in range(len(DIRECTIONS)):
        line = _board_along(
            direction, own, empty, game.size, game.in_a_row, exactly=game.exactly_five
        )
        five |= _completing(line, 0, line.rows)
        open_four |= _completing(line, 1, line.open_rows)
        fours_here, several_here = _fours(line)
        threes_here = _open_threes(line)
        # A threat of an earlier line at the same square makes a double threat with this line's.
        double_four |= several_here | four & fours_here
        four_three |= four & threes_here | open_three & fours_here
        double_three |= open_three & threes_here
        four |= fours_here
        open_three |= threes_here
    return Threats(five, open_four, double_four, four, four_three, double_three, open_three)


# The board along one direction


class Line(NamedTuple):
    """The stones of a player and the empty squares, shifted along one direction."""

    step: int
    """The distance from the bit of a square to that of the next one."""
    own: tuple[int, ...]
    """own[i]: the squares from which the i-th square along the line is one of the player's."""
    empty: tuple[int, ...]
    """empty[i]: the squares from which the i-th square along the line is empty."""
    rows: int
    """Where a row of in_a_row squares begins that wins when it is full."""
    open_rows: int
    """Where a row of one square more begins, both ends empty, that wins without either end."""


def _board_along(
    direction: int, own: int, empty: int, size: int, in_a_row: int, *, exactly: bool
) -> Line:
    """The board along `DIRECTIONS[direction]`."""
    rows, cols = DIRECTIONS[direction]
    step = rows * size + cols
    starts = row_starts(size, in_a_row)[direction]
    open_starts = row_starts(size, in_a_row + 1)[direction]
    if exactly:
        starts &= ~_longer(direction, own, size, in_a_row)
        open_starts &= ~_longer(direction, own, size, in_a_row + 1)
    return Line(
        step,
        tuple([own >> step * i for i in range(in_a_row)]),
        tuple([empty >> step * i for i in range(in_a_row)]),
        starts,
        open_starts & empty & empty >> step * in_a_row,
    )


def _longer(direction: int, own: int, size: int, length: int) -> int:
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


def _completing(line: Line, first: int, starts: int) -> int:
    """The squares that complete the places from `first` on of a row that begins at `starts`."""
    squares = 0
    for (hole,), at in _lacking(1, line, first, starts):
        squares |= at << line.step * hole
    return squares


def _fours(line: Line) -> tuple[int, int]:
    """The squares that make a four, and those that make several fours with different last stones.

    A row that lacks two stones becomes a four at one of them and is completed at the other.
    """
    made_for: dict[int, int] = {}  # by the distance to the square that completes the row
    for (one, other), starts in _lacking(2, line, 0, line.rows):
        further, back = other - one, one - other
        made_for[further] = made_for.get(further, 0) | starts << line.step * one
        made_for[back] = made_for.get(back, 0) | starts << line.step * other
    any_four = several = 0
    for squares in made_for.values():
        several |= any_four & squares
        any_four |= squares
    return any_four, several


def _open_threes(line: Line) -> int:
    """The squares that make an open three."""
    squares = 0
    for (one, other), starts in _lacking(2, line, 1, line.open_rows):
        squares |= starts << line.step * one | starts << line.step * other
    return squares


def _lacking(
    number: int, line: Line, first: int, starts: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    """The rows that hold own stones at all places from `first` on, except for `number` empty ones.

    Yields those empty places, and the squares among `starts` at which such rows begin.
    """
    own, empty = line.own, line.empty
    places = range(first, len(own))
    for holes in combinations(places, number):
        found = starts
        for place in places:
            found &= empty[place] if place in holes else own[place]
            if not found:
                break
        else:
            yield holes, found
