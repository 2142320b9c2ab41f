"""Tic-Tac-Toe: three in a row on a board of 3 x 3.

The rules work on bitboards: the marks of one player are an int whose bit `row * 3 + col` is set
where the player has a mark.
"""

from typing import Final

from mctslab.boards.board import Board, BoardStyle, square_bits
from mctslab.games.bitboards import BitboardState
from mctslab.games.rules import DRAWN, LOST, OPEN, Position, Rules
from mctslab.games.symmetry import Symmetry, turns_and_mirrors

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


def legal_moves(position: Position, geometry: None) -> int:
    """The empty squares."""
    own, opponent, _ = position
    return FULL_BOARD & ~(own | opponent)


def play(position: Position, move: int, geometry: None) -> Position:
    """Put a mark on square `move`."""
    own, opponent, player = position
    return opponent, own | 1 << move, 1 - player


def outcome(position: Position, moves: int, geometry: None) -> int:
    """Lost if the player who has just moved has a line; drawn when the board is full."""
    if has_line(position[1]):
        return LOST
    return OPEN if moves else DRAWN


def has_line(marks: int) -> bool:
    """Whether `marks` fill one of the eight lines."""
    for line in LINES:  # noqa: SIM110 (a loop can be compiled, a generator cannot)
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

    __slots__ = ()

    game = "tictactoe"
    title = "Tic-Tac-Toe"
    player_names = ("X", "O")

    rules = Rules(legal_moves, play, outcome)

    def __init__(self) -> None:
        self._begin(own=0, opponent=0)

    @property
    def num_actions(self) -> int:
        return NUM_SQUARES

    def action_to_string(self, action: int) -> str:
        row, col = divmod(action, SIZE)
        return f"{'abc'[col]}{row + 1}"

    def symmetries(self) -> tuple[Symmetry, ...]:
        return turns_and_mirrors(SIZE, NUM_SQUARES)

    def board(self) -> Board:
        winning = 0
        for line in LINES:
            if self._position[1] & line == line:
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
