"""The geometry of a board: pure functions from numbers to numbers, without any drawing.

Lengths are in the units of the drawings, `SQUARE` to a square's side; x runs to the right, y down.
"""

from dataclasses import dataclass
from itertools import count, takewhile
from typing import Self

from mctslab.boards.board import Board, BoardStyle, winning_squares
from mctslab.boards.style import LOOKS, SQUARE

TEXT_LINE = 18.0
"""The height of a line of a board of text."""

_SHORTEST_LINE = 3
"""A run of winning squares shorter than this gets rings, not a stroke."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A board of `rows` times `cols` squares inside a frame of width `band`.

    `slant` and `row_height` are those of a `Look`, in units; `header` is the height of the text
    above the squares.
    """

    rows: int
    cols: int
    band: float
    slant: float = 0.0
    row_height: float = SQUARE
    overhang: float = 0.0
    header: float = 0.0

    @classmethod
    def of(cls, board: Board, band: float) -> Self:
        """The grid on which `board` is drawn, inside a frame of width `band`."""
        look = LOOKS[board.style]
        lengths = (look.slant * SQUARE, look.row_height * SQUARE, look.overhang * SQUARE)
        header = TEXT_LINE * len(board.text.splitlines())
        return cls(board.rows, board.cols, band, *lengths, header)

    @property
    def width(self) -> float:
        """From the left edge of the frame to the right one."""
        return self.cols * SQUARE + (self.rows - 1) * self.slant + 2 * self.band

    @property
    def height(self) -> float:
        """From the top edge of the frame to the bottom one."""
        rows = (self.rows - 1) * self.row_height + SQUARE
        return self.header + rows + 2 * (self.overhang + self.band)

    @property
    def squares(self) -> range:
        """The numbers of all squares."""
        return range(self.rows * self.cols)

    def corner(self, square: int) -> tuple[float, float]:
        """Top left corner of `square`.

        >>> Grid(rows=2, cols=3, band=10).corner(4)
        (50.0, 50.0)
        """
        row, col = divmod(square, self.cols)
        left = self.band + row * self.slant
        top = self.band + self.header + self.overhang
        return left + col * SQUARE, top + row * self.row_height

    def center(self, square: int) -> tuple[float, float]:
        """Middle of `square`: the centre of its stone.

        >>> Grid(rows=2, cols=3, band=10).center(0)
        (30.0, 30.0)
        """
        x, y = self.corner(square)
        return x + SQUARE / 2, y + SQUARE / 2


def square_name(board: Board, square: int) -> str:
    """The name of `square` according to the labels at the edge: `d3`."""
    if board.style is BoardStyle.TEXT:
        return board.moves[square] if square < len(board.moves) else ""
    row, col = divmod(square, board.cols)
    return board.column_labels[col] + board.row_labels[row]


def star_points(rows: int, cols: int) -> tuple[int, ...]:
    """The intersections that boards of lines mark with a dot, to help the eye count.

    >>> star_points(9, 9)
    (20, 24, 40, 56, 60)
    """
    if rows != cols or rows % 2 == 0 or rows < 7:
        return ()
    inset = 3 if rows >= 13 else 2
    near, middle, far = inset, rows // 2, rows - 1 - inset
    places = [(near, near), (near, far), (middle, middle), (far, near), (far, far)]
    return tuple(row * cols + col for row, col in places)


def winning_runs(board: Board) -> tuple[tuple[int, ...], ...]:
    """Every straight run of three or more winning squares, from one end to the other.

    One move can win by two lines at once; then both are returned. A winning square that is in no
    run is missing. On a board of hexagons there is one run, in which each square is a neighbour of
    the one before.
    """
    if board.style is BoardStyle.HEXES:
        chain = winning_squares(board)
        return (chain,) if chain else ()
    winners, runs = {divmod(square, board.cols) for square in board.winning_squares}, []
    for row, col in sorted(winners):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if (row - down, col - right) in winners:
                continue  # it began earlier
            way = ((row + step * down, col + step * right) for step in count())
            squares = tuple(r * board.cols + c for r, c in takewhile(winners.__contains__, way))
            runs += [squares] if len(squares) >= _SHORTEST_LINE else []
    return tuple(runs)
