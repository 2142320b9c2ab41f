"""A board as SVG: the one place where positions become pictures.

The result is a complete SVG document in itself. It has no ids (so that any number of pictures
can share a page), no script and no style sheet, and it brings its own frame, so that it reads on
light and on dark pages, as an image file and in print.
"""

from collections.abc import Iterable, Mapping
from itertools import chain

from mctslab.boards.board import Board, BoardStyle
from mctslab.boards.elements import document
from mctslab.boards.geometry import Grid, square_name
from mctslab.boards.ground import draw_field, draw_frame, draw_labels
from mctslab.boards.heat import (
    HeatScale,
    check_heat,
    draw_heat,
    draw_legend,
    height_with_legend,
)
from mctslab.boards.marks import check_marks, describe_marks, draw_marks
from mctslab.boards.stones import (
    draw_last_cell,
    draw_last_dot,
    draw_legal_marks,
    draw_stones,
    draw_win_line,
)
from mctslab.boards.style import LOOKS, PLAIN_BAND, SQUARE


def board_svg(
    board: Board,
    *,
    legal: Iterable[int] = (),
    heat: Mapping[int, float] | None = None,
    heat_scale: HeatScale | str = HeatScale.AMOUNT,
    heat_title: str = "Visits",
    marks: Mapping[str, Iterable[int]] | None = None,
    legend: bool = True,
    coordinates: bool = True,
    square_size: float = 40.0,
    title: str | None = None,
    description: str | None = None,
) -> str:
    """Draw `board` as an SVG document.

    Args:
        board: What there is to see.
        legal: Squares to mark as playable.
        heat: A number >= 0 for some squares, such as visits or probabilities. The colour scale
            runs from 0 to the largest of them; the numbers are printed into the squares, whole
            numbers as they are and shares (no value above 1) in percent.
        heat_scale: With "win rate" the numbers are from 0 to 1, and their colours those of values
            everywhere: orange below one half, blue above.
        heat_title: What the numbers are; stands over the legend.
        marks: Short texts, each with the squares that carry it, on top of whatever lies there.
        legend: Whether the heat gets its legend, which makes the picture higher.
        coordinates: Whether to label columns and rows.
        square_size: The side of a square on the screen, in CSS pixels.
        title: Short name of the picture for screen readers.
        description: The position in words for screen readers; made from the board if None.

    Raises:
        ValueError: a square is not on the board, or carries two marks; a heat value is negative,
            not finite or no win rate, or there is no such scale; a mark is empty or longer than
            three characters.
    """
    look = LOOKS[board.style]
    grid = Grid(board.rows, board.cols, look.label_band if coordinates else PLAIN_BAND)
    heat, scale = dict(heat or {}), HeatScale(heat_scale)
    marks = {text: tuple(squares) for text, squares in (marks or {}).items()}
    legal = tuple(square for square in legal if all(square not in m for m in marks.values()))
    has_legend = legend and bool(heat)
    height = height_with_legend(grid) if has_legend else grid.height
    _check_squares(board, (*legal, *heat, *chain.from_iterable(marks.values())))
    check_heat(heat, scale)
    check_marks(board, marks)
    parts = [
        draw_frame(grid, look, height),
        draw_field(board, grid, look),
        draw_labels(board, grid, look) if coordinates else "",
        draw_heat(board, grid, heat, scale),
        draw_legal_marks(grid, look, (square for square in legal if square not in heat)),
        draw_last_cell(board, grid, look),
        draw_stones(board, grid, look),
        draw_last_dot(board, grid, look),
        draw_win_line(board, grid, look),
        draw_marks(board, grid, marks),
        draw_legend(grid, look, heat, scale, heat_title) if has_legend else "",
    ]
    return document(
        grid.width,
        height,
        scale=square_size / SQUARE,
        title=title or f"Board with {board.rows} rows and {board.cols} columns",
        description=(
            f"{describe(board)} {describe_marks(board, marks)}".strip()
            if description is None
            else description
        ),
        content="".join(parts),
    )


def stone_svg(style: BoardStyle, player: int, *, size: float = 40.0) -> str:
    """One stone of `player` alone: for a list of players, or under the mouse before a move.

    The picture is one square of the board without its ground, `size` CSS pixels wide.
    """
    board = Board(1, 1, style, (player,), ("",), ("",))
    return document(
        SQUARE,
        SQUARE,
        scale=size / SQUARE,
        title="Stone",
        description="",
        content=draw_stones(board, Grid(1, 1, 0.0), LOOKS[style]),
    )


def describe(board: Board) -> str:
    """The position in words: which squares each player holds, and the last move.

    >>> from mctslab.boards import Board, BoardStyle
    >>> describe(Board(1, 2, BoardStyle.MARKS, (0, -1), ("a", "b"), ("1",), last_square=0))
    'First player: a1. Second player: none. Last move: a1.'
    """
    sentences = []
    for player, name in enumerate(("First player", "Second player")):
        squares = [square_name(board, s) for s, stone in enumerate(board.stones) if stone == player]
        sentences.append(f"{name}: {' '.join(squares) or 'none'}.")
    if board.last_square is not None:
        sentences.append(f"Last move: {square_name(board, board.last_square)}.")
    if board.winning_squares:
        winners = " ".join(square_name(board, square) for square in board.winning_squares)
        sentences.append(f"Winning line: {winners}.")
    return " ".join(sentences)


def _check_squares(board: Board, squares: Iterable[int]) -> None:
    for square in squares:
        if not 0 <= square < board.rows * board.cols:
            last = board.rows * board.cols - 1
            raise ValueError(f"square {square!r} is not on the board: squares run from 0 to {last}")
