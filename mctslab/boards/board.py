"""A board as data: which stones are where, and how such a board is usually drawn.

Every picture of a position (an SVG in a cell, a thumbnail in a tree, the board that you click
on) is drawn from this one description. A game fills it in; no drawing code needs to know the game's
rules.
"""

from collections import deque
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

EMPTY: Final = -1
"""The content of a square without a stone; players are 0 and 1."""


class BoardStyle(StrEnum):
    """The looks of our boards; a new game picks the one that suits it."""

    MARKS = "marks"  # X and O in the cells of an open grid: Tic-Tac-Toe
    DROP = "drop"  # round holes in an upright frame: Connect Four
    DISCS = "discs"  # black and white discs in the cells of a green board: Reversi
    POINTS = "points"  # stones on the intersections of the lines: Gomoku
    PIECES = "pieces"  # red and blue pieces in the cells of a light board: a game of one's own
    TEXT = "text"  # the position as text, and a button for each move: a game without squares
    HEXES = "hexes"  # stones in hexagons, each row half a hexagon further to the right: Hex


class Bitboards(NamedTuple):
    """The stones of a board as ints with one bit a square, for programs that read many boards."""

    first: int
    """Player 0's stones."""
    second: int
    """Player 1's stones."""
    last: int
    """The square of the last move; no bit before the first move and after a pass."""


@dataclass(frozen=True, slots=True)
class Board:
    """Everything that is visible of one position.

    A square is numbered `row * cols + col`, row 0 at the top and column 0 at the left.
    """

    rows: int
    cols: int
    style: BoardStyle
    stones: tuple[int, ...]
    """`rows * cols` entries: EMPTY, or the player (0 or 1) whose stone is there."""
    column_labels: tuple[str, ...]
    row_labels: tuple[str, ...]
    last_square: int | None = None
    """Where the last move was played; None before the first move and after a pass."""
    winning_squares: tuple[int, ...] = ()
    """The squares of the line that won; empty while nobody has won by a line. On a board of
    hexagons they can be left out; otherwise they are in their order along the chain."""
    text: str = ""
    """TEXT: the position."""
    moves: tuple[str, ...] = ()
    """TEXT: the names of the legal moves, one on each of the first squares."""

    def bitboards(self) -> Bitboards:
        """The stones and the last move as bits, `1 << square` for each."""
        first = second = 0
        for square, stone in enumerate(self.stones):
            if stone == 0:
                first |= 1 << square
            elif stone == 1:
                second |= 1 << square
        return Bitboards(first, second, 0 if self.last_square is None else 1 << self.last_square)


_MOVES_PER_ROW = 5
_LETTERS_PER_SQUARE = 5


def text_columns(text: str) -> int:
    """The number of squares that are as wide as `text`."""
    return max(1, -(-max(map(len, text.splitlines()), default=0) // _LETTERS_PER_SQUARE))


def text_board(text: str, moves: tuple[str, ...]) -> Board:
    """The board of a game without squares: its text, and a square for each legal move."""
    cols = max(_MOVES_PER_ROW, text_columns(text))
    rows = max(1, -(-len(moves) // cols))
    stones = (EMPTY,) * (rows * cols)
    labels = ("",) * cols, ("",) * rows
    return Board(rows, cols, BoardStyle.TEXT, stones, *labels, text=text, moves=moves)


def square_bits(bitboard: int) -> tuple[int, ...]:
    """The positions of the bits that are set, lowest first.

    >>> square_bits(0b1001_0010)
    (1, 4, 7)
    """
    squares = []
    while bitboard:
        highest = bitboard.bit_length() - 1
        squares.append(highest)
        bitboard ^= 1 << highest
    squares.reverse()
    return tuple(squares)


def winning_squares(board: Board) -> tuple[int, ...]:
    """The squares that won; empty while nobody has won by a line or a chain.

    They are those that the game names or, on a board of hexagons, a chain of stones from one side
    of its player to the other.
    """
    if board.winning_squares or board.style is not BoardStyle.HEXES:
        return board.winning_squares
    return winning_chain(board, 0) or winning_chain(board, 1)


_HEXAGON_STEPS = (0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1)


def winning_chain(board: Board, player: int) -> tuple[int, ...]:
    """A shortest chain of the player's stones from side to side of a board of hexagons.

    Player 0 joins the top and the bottom, player 1 the left and the right. Empty if there is none.
    """
    own = {square for square, stone in enumerate(board.stones) if stone == player}
    last = (board.rows, board.cols)[player] - 1
    chains: dict[int, tuple[int, ...]] = {
        square: (square,) for square in sorted(own) if divmod(square, board.cols)[player] == 0
    }
    waiting = deque(chains)
    while waiting:
        square = waiting.popleft()
        row, col = divmod(square, board.cols)
        if (row, col)[player] == last:
            return chains[square]
        for row_step, col_step in _HEXAGON_STEPS:
            neighbour = square + row_step * board.cols + col_step
            is_inside = 0 <= col + col_step < board.cols
            if is_inside and neighbour in own and neighbour not in chains:
                chains[neighbour] = (*chains[square], neighbour)
                waiting.append(neighbour)
    return ()
