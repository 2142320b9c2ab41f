"""What lies under the stones: frame, field, lines and coordinates."""

from mctslab.boards.board import Board, BoardStyle
from mctslab.boards.elements import dots, short, stroke_lines, text_at, text_group
from mctslab.boards.geometry import Grid, star_points
from mctslab.boards.style import SQUARE, Look


def draw_frame(grid: Grid, look: Look, height: float) -> str:
    """The frame behind everything, as wide as `grid` and of its own height."""
    return (
        f'<rect x="0.5" y="0.5" width="{short(grid.width - 1)}" height="{short(height - 1)}" rx="6"'
        f' fill="{look.frame}" stroke="{look.frame_edge}"/>'
    )


def draw_field(board: Board, grid: Grid, look: Look) -> str:
    """The empty board inside the frame."""
    match board.style:
        case BoardStyle.DROP:
            return _holes(grid, look)
        case BoardStyle.MARKS:
            return draw_lines(grid, look, inner_only=True)
        case BoardStyle.DISCS:
            return draw_plate(grid, look) + draw_lines(grid, look) + _disc_dots(grid, look)
        case BoardStyle.POINTS:
            return draw_crossings(grid, look) + dots(
                (grid.center(s) for s in star_points(grid.rows, grid.cols)), 0.1, look.line
            )


def draw_plate(grid: Grid, look: Look) -> str:
    """The ground of all squares."""
    return (
        f'<rect x="{short(grid.band)}" y="{short(grid.band)}" width="{short(grid.cols * SQUARE)}"'
        f' height="{short(grid.rows * SQUARE)}" fill="{look.surface}"/>'
    )


def draw_lines(grid: Grid, look: Look, *, inner_only: bool = False) -> str:
    """The lines between the squares, with or without the outline."""
    skip = 1 if inner_only else 0
    left, top = grid.band, grid.band
    right, bottom = left + grid.cols * SQUARE, top + grid.rows * SQUARE
    rows = range(skip, grid.rows + 1 - skip)
    cols = range(skip, grid.cols + 1 - skip)
    return stroke_lines(
        [((left, top + row * SQUARE), (right, top + row * SQUARE)) for row in rows]
        + [((left + col * SQUARE, top), (left + col * SQUARE, bottom)) for col in cols],
        look.line_width * SQUARE,
        look.line,
    )


def draw_crossings(grid: Grid, look: Look) -> str:
    """The lines through the middles of the squares."""
    last_row, last_col = (grid.rows - 1) * grid.cols, grid.cols - 1
    rows = [
        (grid.center(row * grid.cols), grid.center(row * grid.cols + last_col))
        for row in range(grid.rows)
    ]
    cols = [(grid.center(col), grid.center(last_row + col)) for col in range(grid.cols)]
    return stroke_lines(rows + cols, look.line_width * SQUARE, look.line)


def _holes(grid: Grid, look: Look) -> str:
    centers = [grid.center(square) for square in grid.squares]
    return dots(centers, look.stone_radius, look.surface)


def _disc_dots(grid: Grid, look: Look) -> str:
    """The four dots of a Reversi board, two lines in from its corners."""
    if grid.rows < 6 or grid.cols < 6:
        return ""
    corners = [
        grid.corner(row * grid.cols + col)
        for row in (2, grid.rows - 2)
        for col in (2, grid.cols - 2)
    ]
    return dots(corners, 0.08, look.line)


def draw_labels(board: Board, grid: Grid, look: Look) -> str:
    """The coordinates on the frame, above the columns and left of the rows."""
    middle = grid.band / 2 + 1
    texts = []
    for col, label in enumerate(board.column_labels):
        x, _ = grid.center(col)
        texts.append(text_at(x, middle, label))
    for row, label in enumerate(board.row_labels):
        _, y = grid.center(row * board.cols)
        texts.append(text_at(middle, y, label))
    return text_group(texts, 13, look.label)
