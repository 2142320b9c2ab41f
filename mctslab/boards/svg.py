"""A board as SVG: the only place where positions become pictures.

The result is a complete SVG document. It has no ids (so that any number of pictures can share a
page), no script and no style sheet, and it has its own frame, so that it is readable on light and
on dark pages, as an image file and in print.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain
from types import MappingProxyType
from typing import Final

from mctslab.boards.board import Board, BoardStyle, text_columns, winning_squares
from mctslab.boards.elements import document
from mctslab.boards.geometry import TEXT_LINE, Grid, square_name
from mctslab.boards.layers import (
    HeatScale,
    check_heat,
    check_marks,
    draw_field,
    draw_frame,
    draw_heat,
    draw_labels,
    draw_last_cell,
    draw_last_dot,
    draw_legal_marks,
    draw_legend,
    draw_marks,
    draw_stones,
    draw_stroke,
    draw_win_line,
    height_with_legend,
)
from mctslab.boards.style import LOOKS, PLAIN_BAND, SQUARE

_MOST_LABELLED: Final = 4
"""A thumbnail of a larger board has no room for coordinates."""
_LETTER: Final = 8.0
"""Of a thumbnail's coordinates, for each row or column: a seventh of the picture's height."""


def board_svg(
    board: Board,
    *,
    legal: Iterable[int] = (),
    heat: Mapping[int, float] | None = None,
    heat_scale: HeatScale = HeatScale.AMOUNT,
    heat_title: str = "Visits",
    marks: Mapping[str, Iterable[int]] | None = None,
    line: tuple[int, int] | None = None,
    legend: bool = True,
    coordinates: bool = True,
    square_size: float = 40.0,
    title: str | None = None,
    description: str | None = None,
) -> str:
    """Draw `board` as an SVG document.

    Args:
        board: The position.
        legal: Squares to mark as playable.
        heat: A number >= 0 for some squares, such as visits or probabilities. The colour scale
            runs from 0 to the largest of them; the numbers are written into the squares, whole
            numbers unchanged and shares (no value above 1) in percent.
        heat_scale: With SHARE the colour scale ends at 1, whatever the largest number is. With
            WIN_RATE the numbers are from 0 to 1, too, and their colours are those of all values:
            orange below one half, blue above.
        heat_title: The meaning of the numbers; it is written above the legend.
        marks: Short texts, each with its squares, on top of everything else there.
        line: Two squares, with a stroke from one to the other.
        legend: Whether the heat gets its legend, which makes the picture higher.
        coordinates: Whether to label columns and rows.
        square_size: The side of a square on the screen, in CSS pixels.
        title: Short name of the picture for screen readers.
        description: The position in words for screen readers; derived from the board if None.

    Raises:
        ValueError: a square is not on the board, or has two marks; a heat value is negative, not
            finite, or above 1 on a scale that ends there; a mark is empty or longer than three
            characters.
    """
    look = LOOKS[board.style]
    grid = Grid.of(board, look.label_band if coordinates else PLAIN_BAND)
    heat = dict(heat or {})
    marks = {text: tuple(squares) for text, squares in (marks or {}).items()}
    legal = tuple(square for square in legal if all(square not in m for m in marks.values()))
    has_legend = legend and bool(heat)
    height = height_with_legend(grid) if has_legend else grid.height
    _check_squares(board, (*legal, *heat, *(line or ()), *chain.from_iterable(marks.values())))
    check_heat(heat, heat_scale)
    check_marks(board, marks)
    parts = [
        draw_frame(grid, look, height),
        draw_field(board, grid, look),
        draw_labels(board, grid, look) if coordinates else "",
        draw_heat(board, grid, heat, heat_scale),
        draw_legal_marks(grid, look, (square for square in legal if square not in heat)),
        draw_last_cell(board, grid, look),
        draw_stones(board, grid, look),
        draw_last_dot(board, grid, look),
        draw_win_line(board, grid, look),
        draw_stroke(grid, look, line) if line else "",
        draw_marks(board, grid, marks),
        draw_legend(grid, look, heat, heat_scale, heat_title) if has_legend else "",
    ]
    return document(
        grid.width,
        height,
        scale=square_size / SQUARE,
        title=title or f"Board with {board.rows} rows and {board.cols} columns",
        description=describe(board, marks) if description is None else description,
        content="".join(parts),
    )


def stone_svg(style: BoardStyle, player: int, *, size: float = 40.0) -> str:
    """A single stone of `player`: for a list of players, or under the mouse before a move.

    The picture is one square of the board without its background, `size` CSS pixels wide.
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


def describe(board: Board, marks: Mapping[str, Iterable[int]] = MappingProxyType({})) -> str:
    """The position in words: which squares each player holds, the last move, and the marks.

    >>> from mctslab.boards import Board, BoardStyle
    >>> describe(Board(1, 2, BoardStyle.MARKS, (0, -1), ("a", "b"), ("1",), last_square=0))
    'First player: a1. Second player: none. Last move: a1.'
    """
    sentences = []
    if board.style is BoardStyle.TEXT:
        return f"{board.text} Moves: {' '.join(board.moves) or 'none'}."
    for player, name in enumerate(("First player", "Second player")):
        squares = [square_name(board, s) for s, stone in enumerate(board.stones) if stone == player]
        sentences.append(f"{name}: {' '.join(squares) or 'none'}.")
    if board.last_square is not None:
        sentences.append(f"Last move: {square_name(board, board.last_square)}.")
    if won := winning_squares(board):
        sentences.append(f"Winning line: {' '.join(square_name(board, s) for s in won)}.")
    for text, marked in marks.items():
        if names := [square_name(board, square) for square in sorted(set(marked))]:
            sentences.append(f"Marked {text}: {' '.join(names)}.")
    return " ".join(sentences)


def _check_squares(board: Board, squares: Iterable[int]) -> None:
    last = board.rows * board.cols - 1
    for square in squares:
        if not 0 <= square <= last:
            raise ValueError(
                f"square {square!r} is not on the board: squares are numbered from 0 to {last}"
            )


def board_thumbnail(board: Board, *, size: float = 56.0) -> str:
    """A small picture of `board`, `size` pixels at its longer side.

    It has coordinates if there is room for them: on square boards of up to four rows and columns.
    """
    if board.style is BoardStyle.TEXT:  # without the moves, as wide as its text, but not narrow
        height = TEXT_LINE * len(board.text.splitlines())
        cols = max(text_columns(board.text), math.ceil(height / SQUARE))
        board = replace(board, rows=0, cols=cols, column_labels=("",) * cols, stones=())
    longest = max(board.rows, board.cols)
    has_labels = longest <= _MOST_LABELLED and board.column_labels[0] != ""
    has_labels = has_labels and board.style is not BoardStyle.HEXES
    letter = _LETTER * longest
    grid = Grid.of(board, 1.1 * letter if has_labels else 2.0)
    look = LOOKS[board.style]
    content = [
        draw_frame(grid, look, grid.height),
        draw_field(board, grid, look),
        draw_labels(board, grid, look, letter) if has_labels else "",
        draw_last_cell(board, grid, look),
        draw_stones(board, grid, look),
        draw_last_dot(board, grid, look),
        draw_win_line(board, grid, look, width=max(4.0, 0.75 * longest)),
    ]
    return document(
        grid.width,
        grid.height,
        scale=size / max(grid.width, grid.height),
        title="Position",
        description="",
        content="".join(content),
    )
