"""A board so small that only its stones count."""

from typing import Final

from mctslab.boards.board import Board, BoardStyle
from mctslab.boards.elements import document, round_dots
from mctslab.boards.geometry import Grid
from mctslab.boards.ground import draw_crossings, draw_frame, draw_lines, draw_plate
from mctslab.boards.stones import draw_last_cell, draw_win_line, mark_path
from mctslab.boards.style import LOOKS, Look

_SMALL_BAND: Final = 2.0


def board_thumbnail(board: Board, *, size: float = 56.0) -> str:
    """A small picture of `board` without coordinates, `size` pixels at its longer side.

    It uses a handful of paths whatever the number of stones, so that a tree can hold hundreds.
    """
    grid = Grid(board.rows, board.cols, _SMALL_BAND)
    look = LOOKS[board.style]
    content = draw_frame(grid, look, grid.height) + _small_field(board, grid, look)
    content += draw_last_cell(board, grid, look)
    content += _small_stones(board, grid, look) + _small_marks(board, grid, look)
    content += draw_win_line(board, grid, look, width=max(4.0, 0.75 * max(board.rows, board.cols)))
    return document(
        grid.width,
        grid.height,
        scale=size / max(grid.width, grid.height),
        title="Position",
        description="",
        content=content,
    )


def _small_field(board: Board, grid: Grid, look: Look) -> str:
    match board.style:
        case BoardStyle.DROP:
            return round_dots([grid.center(s) for s in grid.squares], 0.8, look.surface)
        case BoardStyle.MARKS:
            return draw_lines(grid, look, inner_only=True)
        case BoardStyle.DISCS:
            return draw_plate(grid, look) + draw_lines(grid, look)
        case BoardStyle.POINTS:
            return draw_crossings(grid, look)


def _small_stones(board: Board, grid: Grid, look: Look) -> str:
    parts = []
    for player in (0, 1):
        squares = [square for square, stone in enumerate(board.stones) if stone == player]
        if not squares:
            continue
        centers = [grid.center(square) for square in squares]
        if board.style is BoardStyle.MARKS:
            path = "".join(mark_path(x, y, look, player) for x, y in centers)
            parts.append(
                f'<path d="{path}" fill="none" stroke="{look.stones[player]}" stroke-width="7"/>'
            )
            continue
        parts.append(round_dots(centers, 0.92, look.edges[player]))
        parts.append(round_dots(centers, 0.8, look.stones[player]))
        ring = look.rings[player]
        if ring is not None:
            parts.append(round_dots(centers, 0.58, ring))
            parts.append(round_dots(centers, 0.42, look.stones[player]))
    return "".join(parts)


def _small_marks(board: Board, grid: Grid, look: Look) -> str:
    if board.last_square is None or board.style is BoardStyle.MARKS:
        return ""
    return round_dots([grid.center(board.last_square)], 0.34, look.last_move)
