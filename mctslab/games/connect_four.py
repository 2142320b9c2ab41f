"""Connect Four: pieces fall to the lowest free square of a column; four in a row win.

One bitboard a player. The bits of a column follow each other from the bottom upwards, with one
bit above the top that stays empty, so that no line runs from one column into the next:

      6 13 20 27 34 41 48      <- always empty
      5 12 19 26 33 40 47
      4 11 18 25 32 39 46
      3 10 17 24 31 38 45
      2  9 16 23 30 37 44
      1  8 15 22 29 36 43
      0  7 14 21 28 35 42

The layout is John Tromp's (Fhourstones). An action is the number of a column, from 0 at the left.
"""

from collections.abc import Hashable
from typing import Final, NamedTuple

from mctslab.boards.board import Bitboards, Board, BoardStyle, square_bits
from mctslab.games.bitboards import BitboardState, checked_size
from mctslab.games.rules import DRAWN, LOST, OPEN, Compilable, Position, Rules
from mctslab.games.symmetry import Symmetry, mirror

MINIMUM_SIZE: Final = 4
IN_A_ROW: Final = 4


# The rules, on bitboards


class Geometry(NamedTuple):
    """The size of a board, and the bitboards that follow from it."""

    rows: int
    cols: int
    column_bits: int
    """The distance between two neighbouring columns: rows + 1."""
    bottom: int
    """The lowest square of every column."""
    board: int
    """Every square."""
    columns: tuple[int, ...]
    """The squares of each column."""
    steps: tuple[int, ...]
    """The distance in bits from a square to the next: upwards, down to the right, right, up to the
    right."""


def geometry(rows: int, cols: int) -> Geometry:
    """The bitboards of a board of `rows` x `cols`."""
    column_bits = rows + 1
    columns = tuple(((1 << rows) - 1) << col * column_bits for col in range(cols))
    return Geometry(
        rows=rows,
        cols=cols,
        column_bits=column_bits,
        bottom=sum(1 << col * column_bits for col in range(cols)),
        board=sum(columns),
        columns=columns,
        steps=(1, rows, rows + 1, rows + 2),
    )


def legal_moves(position: Position, geometry: Geometry) -> int:
    """The lowest free square of every column that isn't full.

    Adding one at the bottom of a column carries over its pieces to the first free bit.
    """
    own, opponent, _ = position
    return ((own | opponent) + geometry.bottom) & geometry.board


def play(position: Position, move: int, geometry: Geometry) -> Position:
    """Put a piece on the square with the bit number `move`."""
    own, opponent, player = position
    return opponent, own | 1 << move, 1 - player


def outcome(position: Position, moves: int, geometry: Geometry) -> int:
    """Lost if the player who has just moved has four in a row; drawn when the board is full."""
    if has_four(position[1], geometry):
        return LOST
    return OPEN if moves else DRAWN


def has_four(stones: int, geometry: Geometry) -> bool:
    """Whether four of `stones` are in a row: vertical, horizontal or diagonal."""
    for step in geometry.steps:
        pairs = stones & (stones >> step)
        if pairs & (pairs >> (step + step)):
            return True
    return False


def action_of(move: int, geometry: Geometry) -> int:
    """The column of the square with the bit number `move`."""
    return move // geometry.column_bits


def square_of(move: int, geometry: Geometry) -> int:
    """The number, from the top left, of the square with the bit number `move`."""
    col, height = move // geometry.column_bits, move % geometry.column_bits
    return (geometry.rows - 1 - height) * geometry.cols + col


# The state


class ConnectFour(BitboardState):
    """A position of Connect Four; `ConnectFour()` is the empty board of 6 rows and 7 columns.

    Args:
        rows: height of the board, 4 to 26.
        cols: width of the board, 4 to 26.

    Raises:
        ValueError: a size out of range.

    >>> print(ConnectFour(rows=4, cols=5).child(2).child(2))
      1 2 3 4 5
    4 . . . . .
    3 . . . . .
    2 . . Y . .
    1 . . R . .
    Red to move
    """

    __slots__ = ()

    game = "connect_four"
    title = "Connect Four"
    player_names = ("Red", "Yellow")

    rules = Rules(legal_moves, play, outcome, action_of, square_of)
    _geometry: Geometry

    def __init__(self, rows: int = 6, cols: int = 7) -> None:
        size = geometry(
            checked_size("rows", rows, MINIMUM_SIZE), checked_size("cols", cols, MINIMUM_SIZE)
        )
        self._begin(own=0, opponent=0, geometry=size)

    def _parameters(self) -> Hashable:
        return self._geometry.rows, self._geometry.cols

    @property
    def rows(self) -> int:
        """The height of the board."""
        return int(self._geometry.rows)

    @property
    def cols(self) -> int:
        """The number of columns."""
        return int(self._geometry.cols)

    @property
    def num_actions(self) -> int:
        return self._geometry.cols

    def legal_actions(self) -> tuple[int, ...]:
        moves = self._moves
        return tuple([col for col, column in enumerate(self._geometry.columns) if moves & column])

    def _move_of(self, action: int) -> int | None:
        if not 0 <= action < self._geometry.cols:
            return None
        landing = self._moves & self._geometry.columns[action]
        return landing.bit_length() - 1 if landing else None

    def compilable(self) -> Compilable:
        return super().compilable()._replace(keeps_positions=True)

    def action_to_string(self, action: int) -> str:
        return str(action + 1)

    def action_square(self, action: int) -> int | None:
        free = legal_moves(self._position, self._geometry)
        return self._highest(free, action)

    def square_action(self, square: int) -> int | None:
        rows, cols = self._geometry[:2]
        return square % cols if 0 <= square < rows * cols else None

    def bitboards(self) -> Bitboards:
        return self.board().bitboards()  # our own bits are in another order than the squares

    def symmetries(self) -> tuple[Symmetry, ...]:
        return mirror(self._geometry.rows, self._geometry.cols)

    def board(self) -> Board:
        rows, cols, column_bits = self._geometry[:3]
        (own, opponent, _), last = self._position, self._last_action
        return Board(
            rows=rows,
            cols=cols,
            style=BoardStyle.DROP,
            stones=self._stones_on(
                col * column_bits + rows - 1 - row for row in range(rows) for col in range(cols)
            ),
            column_labels=tuple(str(col + 1) for col in range(cols)),
            row_labels=tuple(str(rows - row) for row in range(rows)),
            last_square=None if last is None else self._highest(own | opponent, last),
            winning_squares=self._winning_squares(),
        )

    def _highest(self, bits: int, col: int) -> int | None:
        """The square of the highest one of `bits` in column `col`; None if there is none."""
        bits &= self._geometry.columns[col]
        return square_of(bits.bit_length() - 1, self._geometry) if bits else None

    def _winning_squares(self) -> tuple[int, ...]:
        stones = self._position[1]
        winning = 0
        for step in self._geometry.steps:
            pairs = stones & (stones >> step)
            starts = pairs & (pairs >> 2 * step)
            for distance in range(IN_A_ROW):
                winning |= starts << distance * step
        return tuple(sorted(square_of(bit, self._geometry) for bit in square_bits(winning)))
