"""A bitboard as SVG: a board that holds a 0 or a 1 on each square, in place of stones."""

from mctslab.boards.board import EMPTY, Board, BoardStyle, square_bits
from mctslab.boards.elements import document, short, text_at, text_group
from mctslab.boards.geometry import Grid, square_name
from mctslab.boards.ground import draw_frame, draw_labels, draw_lines, draw_plate
from mctslab.boards.style import LOOKS, PLAIN_BAND, SQUARE

_ONE = "#f0e442"
_INK = "#17191b"


def bits_svg(
    bits: int,
    *,
    rows: int = 8,
    cols: int = 8,
    coordinates: bool = True,
    square_size: float = 40.0,
    title: str = "Bitboard",
) -> str:
    """Draw the set of squares `bits`, in which square `row * cols + col` is the bit of that number.

    Args:
        bits: The squares.
        rows: Of the board.
        cols: Of the board.
        coordinates: Whether to label columns and rows.
        square_size: The side of a square on the screen, in CSS pixels.
        title: Short name of the picture for screen readers.

    Raises:
        ValueError: a bit is set that is no square of the board.
    """
    num_squares = rows * cols
    if not 0 <= bits < 1 << num_squares:
        raise ValueError(f"bits={bits:#x} is no bitboard of {rows} x {cols} squares.")
    board = _empty(rows, cols)
    look = LOOKS[BoardStyle.DISCS]
    grid = Grid(rows, cols, look.label_band if coordinates else PLAIN_BAND)
    ones = square_bits(bits)
    zeros = [square for square in grid.squares if square not in ones]
    content = [
        draw_frame(grid, look, grid.height),
        draw_plate(grid, look),
        *(_patch(grid, square) for square in ones),
        draw_lines(grid, look),
        draw_labels(board, grid, look) if coordinates else "",
        text_group([text_at(*grid.center(s), "0") for s in zeros], 16, look.legal),
        text_group([text_at(*grid.center(s), "1", font_weight="600") for s in ones], 18, _INK),
    ]
    names = " ".join(square_name(board, square) for square in ones)
    return document(
        grid.width,
        grid.height,
        scale=square_size / SQUARE,
        title=title,
        description=f"Bits that are 1: {names or 'none'}.",
        content="".join(content),
    )


def _empty(rows: int, cols: int) -> Board:
    return Board(
        rows,
        cols,
        BoardStyle.DISCS,
        stones=(EMPTY,) * (rows * cols),
        column_labels=tuple(chr(ord("a") + col) for col in range(cols)),
        row_labels=tuple(str(row + 1) for row in range(rows)),
    )


def _patch(grid: Grid, square: int) -> str:
    x, y = grid.corner(square)
    return (
        f'<rect data-bit="{square}" x="{short(x)}" y="{short(y)}" width="{short(SQUARE)}"'
        f' height="{short(SQUARE)}" fill="{_ONE}"/>'
    )
