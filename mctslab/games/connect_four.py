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
from typing import Final, NamedTuple, Self

from mctslab.boards.board import Board, BoardStyle
from mctslab.games.bitboards import BitboardState, checked_size, win_for
from mctslab.games.state import GameNotOverError, IllegalActionError

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
    """The distance in bits from a square to the next: upwards, down to the right, level, up to
    the right."""


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


def landing_squares(occupied: int, bottom: int, board: int) -> int:
    """The lowest free square of every column that isn't full.

    Adding one at the bottom of a column carries over its pieces to the first free bit.
    """
    return (occupied + bottom) & board


def has_four(stones: int, steps: tuple[int, ...]) -> bool:
    """Whether four of `stones` stand in a row: upright, level or on a diagonal."""
    for step in steps:
        pairs = stones & (stones >> step)
        if pairs & (pairs >> (step + step)):
            return True
    return False


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

    __slots__ = ("_geometry", "_has_won")

    game = "connect_four"
    title = "Connect Four"
    player_names = ("Red", "Yellow")

    _geometry: Geometry
    _has_won: bool  # the player who moved last has four in a row

    def __init__(self, rows: int = 6, cols: int = 7) -> None:
        self._geometry = geometry(
            checked_size("rows", rows, MINIMUM_SIZE), checked_size("cols", cols, MINIMUM_SIZE)
        )
        self._own = self._opponent = self._current_player = 0
        self._last_action = None
        self._has_won = False

    def _parameters(self) -> Hashable:
        return self._geometry.rows, self._geometry.cols

    @property
    def num_actions(self) -> int:
        return self._geometry.cols

    def legal_actions(self) -> tuple[int, ...]:
        if self._has_won:
            return ()
        _, _, _, bottom, board, columns, _ = self._geometry
        landing = landing_squares(self._own | self._opponent, bottom, board)
        return tuple([col for col, column in enumerate(columns) if landing & column])

    def child(self, action: int) -> Self:
        if type(action) is not int:
            action = self._plain_action(action)
        _, cols, _, bottom, board, columns, steps = self._geometry
        if self._has_won or not 0 <= action < cols:
            raise IllegalActionError(self, action)
        stone = landing_squares(self._own | self._opponent, bottom, board) & columns[action]
        if not stone:
            raise IllegalActionError(self, action)
        child = object.__new__(type(self))
        child._own = self._opponent
        child._opponent = self._own | stone
        child._current_player = 1 - self._current_player
        child._last_action = action
        child._geometry = self._geometry
        child._has_won = has_four(child._opponent, steps)
        return child

    @property
    def is_terminal(self) -> bool:
        return self._has_won or self._own | self._opponent == self._geometry.board

    def returns(self) -> tuple[float, float]:
        if self._has_won:
            return win_for(1 - self._current_player)
        if self.is_terminal:
            return (0.0, 0.0)
        raise GameNotOverError(self)

    def action_to_string(self, action: int) -> str:
        return str(self._known_action(action) + 1)

    def action_square(self, action: int) -> int | None:
        col = self._known_action(action)
        height = self._height(col)
        return self._square(height, col) if height < self._geometry.rows else None

    def square_action(self, square: int) -> int | None:
        rows, cols = self._geometry[:2]
        return square % cols if 0 <= square < rows * cols else None

    def board(self) -> Board:
        rows, cols, column_bits = self._geometry[:3]
        last = self._last_action
        return Board(
            rows=rows,
            cols=cols,
            style=BoardStyle.DROP,
            stones=self._stones_on(
                col * column_bits + rows - 1 - row for row in range(rows) for col in range(cols)
            ),
            column_labels=tuple(str(col + 1) for col in range(cols)),
            row_labels=tuple(str(rows - row) for row in range(rows)),
            last_square=None if last is None else self._square(self._height(last) - 1, last),
            winning_squares=self._winning_squares(),
        )

    def _height(self, col: int) -> int:
        """How many pieces stand in column `col`."""
        return ((self._own | self._opponent) & self._geometry.columns[col]).bit_count()

    def _square(self, height: int, col: int) -> int:
        """The square, numbered from the top left, at `height` (0 at the bottom) in `col`."""
        return (self._geometry.rows - 1 - height) * self._geometry.cols + col

    def _winning_squares(self) -> tuple[int, ...]:
        column_bits = self._geometry.column_bits
        winning = 0
        for step in self._geometry.steps:
            pairs = self._opponent & (self._opponent >> step)
            starts = pairs & (pairs >> 2 * step)
            for distance in range(IN_A_ROW):
                winning |= starts << distance * step
        return tuple(
            sorted(
                self._square(bit % column_bits, bit // column_bits)
                for bit in range(winning.bit_length())
                if winning >> bit & 1
            )
        )
