"""Gomoku: stones on the intersections of a board; five in a row win.

Every square is on four lines: its row, its column and its two diagonals. A player's stones are
stored for each of the four kinds, as one small int per line, so that a move sets four bits and a
win is found from the last move alone, by looking for a run of ones in four ints. There are no swap
rules and no forbidden moves: this is free-style Gomoku, where five or more win, or, with
`exactly_five`, standard Gomoku, where a longer row does not win.
"""

from bisect import bisect_left
from collections.abc import Hashable, MutableSequence
from typing import Final, NamedTuple, Self

from mctslab.boards.board import Board, BoardStyle
from mctslab.games.bitboards import BitboardState, checked_size
from mctslab.games.rules import DRAWN, LOST, OPEN, Compilable, Position, Rules
from mctslab.games.state import IllegalActionError
from mctslab.games.symmetry import Symmetry, turns_and_mirrors

MINIMUM_IN_A_ROW: Final = 3


# The rules, on lines


class Geometry(NamedTuple):
    """The size of the board, the winning length, and the layout of the words."""

    size: int
    in_a_row: int
    exactly: int
    """1 if a longer row does not win, otherwise 0."""
    num_lines: int
    """Lines of the board: rows, columns and diagonals."""
    first_line: int
    """The words before the first player's lines: the free squares, 64 to a word."""


def geometry(size: int, in_a_row: int, exactly_five: bool) -> Geometry:
    """The numbers of a board of `size` x `size`."""
    return Geometry(size, in_a_row, int(exactly_five), 6 * size - 2, -(-size * size // 64))


def first_words(size: int, geometry: Geometry) -> tuple[int, ...]:
    """The words of the empty board: every square free, and both players' lines without a stone."""
    board = (1 << size * size) - 1
    free = [board >> 64 * word & (1 << 64) - 1 for word in range(geometry.first_line)]
    return (*free, *[0] * (2 * geometry.num_lines))


def run_starts(line: int, length: int) -> int:
    """The bits of `line` at which `length` or more ones in a row begin.

    >>> bin(run_starts(0b0111_1011, 3))
    '0b11000'
    """
    known = 1
    while known < length:
        further = known if known + known <= length else length - known
        line &= line >> further
        known += further
    return line


def has_winning_run(line: int, in_a_row: int, exactly: int) -> bool:
    """Whether `line` contains a run of `in_a_row` ones; with `exactly`, one that is no longer."""
    starts = run_starts(line, in_a_row)
    if exactly:
        longer = starts & (line >> in_a_row)
        starts &= ~(longer | longer << 1)
    return starts != 0


def lines_through(row: int, col: int, size: int) -> tuple[tuple[int, int], ...]:
    """The four lines through a square: for each its number and the square's bit on it.

    Lines 0 to size - 1 are the rows, then come size columns, 2 size - 1 diagonals that fall to the
    right, and 2 size - 1 that rise to the right; 6 size - 2 in all.
    """
    falling = 2 * size + (col + size - 1 - row)
    rising = 2 * size + 2 * size - 1 + (row + col)
    return ((row, col), (size + col, row), (falling, col), (rising, col))


def play(
    position: Position, move: int, words: MutableSequence[int], geometry: Geometry
) -> Position:
    """Place a stone on square `move`; the position contains whether it won, and who is next."""
    player = position[1]
    words[move // 64] &= ~(1 << move % 64)
    first_line = geometry.first_line + player * geometry.num_lines
    row, col = move // geometry.size, move % geometry.size
    won = 0
    for line, bit in lines_through(row, col, geometry.size):
        stones = words[first_line + line] | 1 << bit
        words[first_line + line] = stones
        if has_winning_run(stones, geometry.in_a_row, geometry.exactly):
            won = 1
    return won, 1 - player


def outcome(position: Position, moves: int, geometry: Geometry) -> int:
    """Lost if the last stone won; drawn when the board is full."""
    if position[0]:
        return LOST
    return OPEN if moves else DRAWN


def stone_on(
    position: Position, square: int, words: MutableSequence[int], geometry: Geometry
) -> int:
    """The player whose stone is on `square`, from the lines that are rows; 2 if it is empty."""
    row, col = square // geometry.size, square % geometry.size
    for player in (0, 1):
        if words[geometry.first_line + player * geometry.num_lines + row] >> col & 1:
            return player
    return 2


def no_legal_moves(position: Position, geometry: Geometry) -> int:
    """Nothing: the legal moves, which are the free squares, are in the words."""
    return 0


# The state


class Gomoku(BitboardState):
    """A position of Gomoku; `Gomoku()` is the empty board of 15 x 15. Black is player 0.

    Args:
        size: intersections on a side, from in_a_row to 26.
        in_a_row: the number of stones in a row that wins, 3 to size.
        exactly_five: a row longer than `in_a_row` does not win (standard Gomoku).

    Raises:
        ValueError: a number out of range.

    >>> print(Gomoku(size=4, in_a_row=3).child(5))
      A B C D
    4 . . . .
    3 . B . .
    2 . . . .
    1 . . . .
    White to move
    """

    __slots__ = ("_legal", "_words")

    game = "gomoku"
    title = "Gomoku"
    player_names = ("Black", "White")

    rules = Rules(no_legal_moves, play, outcome, stone_on=stone_on)
    _geometry: Geometry
    _words: tuple[int, ...]  # the free squares, then both players' stones, line by line
    _legal: tuple[int, ...]  # the empty squares

    def __init__(self, size: int = 15, in_a_row: int = 5, exactly_five: bool = False) -> None:
        size = checked_size("size", size, MINIMUM_IN_A_ROW)
        in_a_row = checked_size("in_a_row", in_a_row, MINIMUM_IN_A_ROW, size)
        self._geometry = geometry(size, in_a_row, bool(exactly_five))
        self._words = first_words(size, self._geometry)
        self._legal = tuple(range(size * size))
        self._position = (0, 0, 0)
        self._outcome = OPEN
        self._last_action = None

    def _parameters(self) -> Hashable:
        return self._geometry[:3]

    @property
    def size(self) -> int:
        """Intersections on a side."""
        return self._geometry.size

    @property
    def in_a_row(self) -> int:
        """The number of stones in a row that wins."""
        return self._geometry.in_a_row

    @property
    def exactly_five(self) -> bool:
        """Whether a row longer than `in_a_row` does not win."""
        return self._geometry.exactly == 1

    @property
    def num_actions(self) -> int:
        return self._geometry.size**2

    def legal_actions(self) -> tuple[int, ...]:
        return () if self._outcome else self._legal

    def child(self, action: int) -> Self:
        if type(action) is not int:
            action = self._plain_action(action)
        legal = self._legal
        place = bisect_left(legal, action)
        if self._outcome or place == len(legal) or legal[place] != action:
            raise IllegalActionError(self, action)
        own, opponent, player = self._position
        words = list(self._words)
        child = object.__new__(type(self))
        child._geometry = self._geometry
        child._last_action = action
        child._legal = legal[:place] + legal[place + 1 :]
        after = play((0, player), action, words, self._geometry)
        child._words = tuple(words)
        child._position = (opponent, own | 1 << action, after[1])
        child._outcome = outcome(after, len(child._legal), self._geometry)
        return child

    def compilable(self) -> Compilable:
        won = int(self._outcome == LOST)
        return Compilable(
            self.rules,
            self._geometry,
            (won, self.current_player),
            words=self._words,
            num_move_words=self._geometry.first_line,
        )

    def action_to_string(self, action: int) -> str:
        row, col = divmod(action, self._geometry.size)
        return f"{chr(ord('A') + col)}{self._geometry.size - row}"

    def symmetries(self) -> tuple[Symmetry, ...]:
        return turns_and_mirrors(self._geometry.size, self.num_actions)

    def board(self) -> Board:
        size = self._geometry.size
        return Board(
            rows=size,
            cols=size,
            style=BoardStyle.POINTS,
            stones=self._stones_on(range(size * size)),
            column_labels=tuple(chr(ord("A") + col) for col in range(size)),
            row_labels=tuple(str(size - row) for row in range(size)),
            last_square=self._last_action,
            winning_squares=self._winning_squares(),
        )

    def _winning_squares(self) -> tuple[int, ...]:
        if self._outcome != LOST:
            return ()
        winning: set[int] = set()
        for rows, cols in ((0, 1), (1, 0), (1, 1), (1, -1)):
            run = self._run(rows, cols) | self._run(-rows, -cols)
            if len(run) == self.in_a_row or (len(run) > self.in_a_row and not self.exactly_five):
                winning |= run
        return tuple(sorted(winning))

    def _run(self, rows: int, cols: int) -> set[int]:
        """The last stone and those of its colour that follow it, `rows` and `cols` apart."""
        assert self._last_action is not None
        size, stones = self._geometry.size, self._position[1]
        row, col = divmod(self._last_action, size)
        run = set()
        while 0 <= row < size and 0 <= col < size and stones >> (row * size + col) & 1:
            run.add(row * size + col)
            row, col = row + rows, col + cols
        return run
