"""Gomoku: stones on the crossings of a board; five in a row win.

Every square lies on four lines: its row, its column and its two diagonals. A player's stones are
kept once for each of the four, as one small int a line, so that a move sets four bits and a
win is found from the last move alone, by looking for a run of ones in four ints.

Swap rules and forbidden moves are left out: this is free-style Gomoku, where five or more win,
or, with `exactly_five`, standard Gomoku, where a longer row does not.
"""

from bisect import bisect_left
from collections.abc import Hashable
from typing import Final, NamedTuple, Self

from mctslab.boards.board import Board, BoardStyle, square_bits
from mctslab.games.bitboards import BitboardState, checked_size, win_for
from mctslab.games.state import GameNotOverError, IllegalActionError

MINIMUM_IN_A_ROW: Final = 3


# The rules, on lines


class Rules(NamedTuple):
    """The size of the board and what wins."""

    size: int
    in_a_row: int
    exactly_five: bool


def run_starts(line: int, length: int) -> int:
    """The bits of `line` at which `length` or more ones in a row begin.

    >>> bin(run_starts(0b0111_1011, 3))
    '0b11000'
    """
    for _ in range(length - 1):
        line &= line >> 1
        if not line:
            break
    return line


def has_winning_run(line: int, in_a_row: int, exactly: bool) -> bool:
    """Whether `line` holds a run of `in_a_row` ones; with `exactly`, one that is no longer."""
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
    falling = 2 * size + (col - row + size - 1)
    rising = 2 * size + 2 * size - 1 + (row + col)
    return ((row, col), (size + col, row), (falling, col), (rising, col))


def number_of_lines(size: int) -> int:
    """How many lines a board of `size` x `size` has."""
    return 6 * size - 2


# The state


class Gomoku(BitboardState):
    """A position of Gomoku; `Gomoku()` is the empty board of 15 x 15. Black is player 0.

    Args:
        size: crossings on a side, from in_a_row to 26.
        in_a_row: how many stones in a row win, 3 to size.
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

    __slots__ = ("_has_won", "_legal", "_opponent_lines", "_own_lines", "_rules")

    game = "gomoku"
    title = "Gomoku"
    player_names = ("Black", "White")

    _rules: Rules
    _own_lines: tuple[int, ...]  # the stones of the player to move, line by line
    _opponent_lines: tuple[int, ...]
    _legal: tuple[int, ...]  # the empty squares
    _has_won: bool  # the player who moved last has a winning row

    def __init__(self, size: int = 15, in_a_row: int = 5, exactly_five: bool = False) -> None:
        size = checked_size("size", size, MINIMUM_IN_A_ROW)
        in_a_row = checked_size("in_a_row", in_a_row, MINIMUM_IN_A_ROW, size)
        self._rules = Rules(size, in_a_row, bool(exactly_five))
        self._own = self._opponent = self._current_player = 0
        self._own_lines = self._opponent_lines = (0,) * number_of_lines(size)
        self._legal = tuple(range(size * size))
        self._last_action = None
        self._has_won = False

    def _parameters(self) -> Hashable:
        return self._rules

    @property
    def num_actions(self) -> int:
        return self._rules.size**2

    def legal_actions(self) -> tuple[int, ...]:
        return () if self._has_won else self._legal

    def child(self, action: int) -> Self:
        if type(action) is not int:
            action = self._plain_action(action)
        legal = self._legal
        place = bisect_left(legal, action)
        if self._has_won or place == len(legal) or legal[place] != action:
            raise IllegalActionError(self, action)
        size, in_a_row, exactly = self._rules
        lines = list(self._own_lines)
        has_won = False
        for line, bit in lines_through(action // size, action % size, size):
            lines[line] |= 1 << bit
            has_won = has_won or has_winning_run(lines[line], in_a_row, exactly)
        child = object.__new__(type(self))
        child._rules = self._rules
        child._own = self._opponent
        child._opponent = self._own | 1 << action
        child._own_lines = self._opponent_lines
        child._opponent_lines = tuple(lines)
        child._current_player = 1 - self._current_player
        child._legal = legal[:place] + legal[place + 1 :]
        child._last_action = action
        child._has_won = has_won
        return child

    @property
    def is_terminal(self) -> bool:
        return self._has_won or not self._legal

    def returns(self) -> tuple[float, float]:
        if self._has_won:
            return win_for(1 - self._current_player)
        if self.is_terminal:
            return (0.0, 0.0)
        raise GameNotOverError(self)

    def action_to_string(self, action: int) -> str:
        row, col = divmod(self._known_action(action), self._rules.size)
        return f"{chr(ord('A') + col)}{self._rules.size - row}"

    def board(self) -> Board:
        size = self._rules.size
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
        if not self._has_won or self._last_action is None:
            return ()
        size, in_a_row, exactly = self._rules
        winning_runs = {}  # by line
        for line, bit in lines_through(*divmod(self._last_action, size), size):
            run = run_around(bit, self._opponent_lines[line])
            if has_winning_run(run, in_a_row, exactly):
                winning_runs[line] = run
        return tuple(
            square
            for square in square_bits(self._opponent)
            if any(
                winning_runs.get(line, 0) >> bit & 1
                for line, bit in lines_through(*divmod(square, size), size)
            )
        )


def run_around(bit: int, line: int) -> int:
    """The ones of `line` that stand in one row with bit number `bit`, itself a one.

    >>> bin(run_around(3, 0b0111_1011))
    '0b1111000'
    """
    run = 1 << bit
    while True:
        wider = (run | run << 1 | run >> 1) & line
        if wider == run:
            return run
        run = wider
