"""Tic-Tac-Toe: three in a row on a board of 3 x 3.

The rules work on bitboards: the marks of one player are an int whose bit `row * 3 + col` is set
where the player has a mark. They are plain functions of ints, so that a compiler can take them
as they stand.
"""

from typing import Final, Self

from mctslab.boards.board import Board, BoardStyle, square_bits
from mctslab.games.bitboards import BitboardState, win_for
from mctslab.games.state import GameNotOverError, IllegalActionError

SIZE: Final = 3
NUM_SQUARES: Final = SIZE * SIZE
FULL_BOARD: Final = (1 << NUM_SQUARES) - 1
LINES: Final = (
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
)
"""The eight lines of three squares, as bitboards."""


# The rules, on bitboards


def has_line(marks: int, lines: tuple[int, ...]) -> bool:
    """Whether `marks` fill one of `lines`."""
    for line in lines:  # noqa: SIM110 (a loop compiles as it stands, a generator does not)
        if marks & line == line:
            return True
    return False


# The state


class TicTacToe(BitboardState):
    """A position of Tic-Tac-Toe; `TicTacToe()` is the empty board. X is player 0.

    >>> print(TicTacToe().child(4).child(0))
      a b c
    1 O . .
    2 . X .
    3 . . .
    X to move
    """

    __slots__ = ("_has_won",)

    game = "tictactoe"
    title = "Tic-Tac-Toe"
    player_names = ("X", "O")

    _has_won: bool  # the player who moved last has three in a row

    def __init__(self) -> None:
        self._own = self._opponent = self._current_player = 0
        self._last_action = None
        self._has_won = False

    @property
    def num_actions(self) -> int:
        return NUM_SQUARES

    def legal_actions(self) -> tuple[int, ...]:
        if self._has_won:
            return ()
        return square_bits(FULL_BOARD & ~(self._own | self._opponent))

    def child(self, action: int) -> Self:
        if type(action) is not int:
            action = self._plain_action(action)
        occupied = self._own | self._opponent
        if self._has_won or not 0 <= action < NUM_SQUARES or occupied >> action & 1:
            raise IllegalActionError(self, action)
        child = object.__new__(type(self))
        child._own = self._opponent
        child._opponent = self._own | 1 << action
        child._current_player = 1 - self._current_player
        child._last_action = action
        child._has_won = has_line(child._opponent, LINES)
        return child

    @property
    def is_terminal(self) -> bool:
        return self._has_won or self._own | self._opponent == FULL_BOARD

    def returns(self) -> tuple[float, float]:
        if self._has_won:
            return win_for(1 - self._current_player)
        if self.is_terminal:
            return (0.0, 0.0)
        raise GameNotOverError(self)

    def action_to_string(self, action: int) -> str:
        row, col = divmod(self._known_action(action), SIZE)
        return f"{'abc'[col]}{row + 1}"

    def board(self) -> Board:
        winning = 0
        for line in LINES:
            if self._opponent & line == line:
                winning |= line
        return Board(
            rows=SIZE,
            cols=SIZE,
            style=BoardStyle.MARKS,
            stones=self._stones_on(range(NUM_SQUARES)),
            column_labels=("a", "b", "c"),
            row_labels=("1", "2", "3"),
            last_square=self._last_action,
            winning_squares=square_bits(winning),
        )
