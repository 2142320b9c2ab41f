"""A board as SVG: the one place where positions become pictures.

The result is a complete SVG document in itself. It has no ids (so that any number of pictures
can share a page), no script and no style sheet, and it brings its own frame, so that it reads on
light and on dark pages, as an image file and in print.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from mctslab.boards.board import EMPTY, Board, BoardStyle
from mctslab.boards.geometry import Grid, lone_winners, square_name, star_points, win_strokes
from mctslab.boards.style import (
    FONT,
    LOOKS,
    PLAIN_BAND,
    SQUARE,
    Look,
    heat_color,
    text_color,
)

_LEGEND_HEIGHT: Final = 56.0
_LEGEND_STEPS: Final = 24
_SMALL_BAND: Final = 2.0


def board_svg(
    board: Board,
    *,
    legal: Iterable[int] = (),
    heat: Mapping[int, float] | None = None,
    heat_title: str = "Visits",
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
        heat_title: What the numbers are; stands over the legend.
        legend: Whether the heat gets its legend, which makes the picture higher.
        coordinates: Whether to label columns and rows.
        square_size: The side of a square on the screen, in CSS pixels.
        title: Short name of the picture for screen readers.
        description: The position in words for screen readers; made from the board if None.

    Raises:
        ValueError: a square is not on the board, or a heat value is negative or not finite.
    """
    look = LOOKS[board.style]
    grid = Grid(board.rows, board.cols, look.label_band if coordinates else PLAIN_BAND)
    heat = dict(heat or {})
    legal = tuple(legal)
    has_legend = legend and bool(heat)
    _check_squares(board, (*legal, *heat))
    _check_heat(heat)
    parts = [
        _frame(grid, look, legend=has_legend),
        _field(board, grid, look),
        _labels(board, grid, look) if coordinates else "",
        _heat(board, grid, heat),
        _legal_marks(grid, look, (square for square in legal if square not in heat)),
        _last_cell(board, grid, look),
        _stones(board, grid, look),
        _last_dot(board, grid, look),
        _win_line(board, grid, look),
        _legend(grid, look, heat, heat_title) if has_legend else "",
    ]
    return _document(
        grid.width,
        _height(grid, legend=has_legend),
        scale=square_size / SQUARE,
        title=title or f"Board with {board.rows} rows and {board.cols} columns",
        description=describe(board) if description is None else description,
        content="".join(parts),
    )


def board_thumbnail(board: Board, *, size: float = 56.0) -> str:
    """A small picture of `board` without coordinates, `size` pixels at its longer side.

    It uses a handful of paths whatever the number of stones, so that a tree can hold hundreds.
    """
    grid = Grid(board.rows, board.cols, _SMALL_BAND)
    look = LOOKS[board.style]
    content = _frame(grid, look, legend=False) + _small_field(board, grid, look)
    content += _last_cell(board, grid, look)
    content += _small_stones(board, grid, look) + _small_marks(board, grid, look)
    content += _win_line(board, grid, look, width=max(4.0, 0.75 * max(board.rows, board.cols)))
    return _document(
        grid.width,
        grid.height,
        scale=size / max(grid.width, grid.height),
        title="Position",
        description="",
        content=content,
    )


def stone_svg(style: BoardStyle, player: int, *, size: float = 40.0) -> str:
    """One stone of `player` alone: for a list of players, or under the mouse before a move.

    The picture is one square of the board without its ground, `size` CSS pixels wide.
    """
    board = Board(1, 1, style, (player,), ("",), ("",))
    return _document(
        SQUARE,
        SQUARE,
        scale=size / SQUARE,
        title="Stone",
        description="",
        content=_stones(board, Grid(1, 1, 0.0), LOOKS[style]),
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


def _check_heat(heat: Mapping[int, float]) -> None:
    for square, value in heat.items():
        if not (math.isfinite(value) and value >= 0):
            raise ValueError(f"the heat of square {square} is {value!r}; it must be 0 or more")


def _document(
    width: float, height: float, *, scale: float, title: str, description: str, content: str
) -> str:
    described = f"<desc>{escape(description)}</desc>" if description else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(width * scale)}"'
        f' height="{_n(height * scale)}" viewBox="0 0 {_n(width)} {_n(height)}"'
        f' role="img" aria-label={quoteattr(title)}>{described}{content}</svg>'
    )


def _height(grid: Grid, *, legend: bool) -> float:
    """Of the whole picture; the legend takes the place of the frame's lower band."""
    return grid.height - grid.band + _LEGEND_HEIGHT if legend else grid.height


def _frame(grid: Grid, look: Look, *, legend: bool) -> str:
    height = _height(grid, legend=legend)
    return (
        f'<rect x="0.5" y="0.5" width="{_n(grid.width - 1)}" height="{_n(height - 1)}" rx="6"'
        f' fill="{look.frame}" stroke="{look.frame_edge}"/>'
    )


def _field(board: Board, grid: Grid, look: Look) -> str:
    match board.style:
        case BoardStyle.DROP:
            return _holes(grid, look)
        case BoardStyle.MARKS:
            return _lines(grid, look, inner_only=True)
        case BoardStyle.DISCS:
            return _plate(grid, look) + _lines(grid, look) + _disc_dots(grid, look)
        case BoardStyle.POINTS:
            return _crossings(grid, look) + _dots(
                (grid.center(s) for s in star_points(grid.rows, grid.cols)), 0.1, look.line
            )


def _plate(grid: Grid, look: Look) -> str:
    return (
        f'<rect x="{_n(grid.band)}" y="{_n(grid.band)}" width="{_n(grid.cols * SQUARE)}"'
        f' height="{_n(grid.rows * SQUARE)}" fill="{look.surface}"/>'
    )


def _lines(grid: Grid, look: Look, *, inner_only: bool = False) -> str:
    """The lines between the squares, with or without the outline."""
    skip = 1 if inner_only else 0
    left, top = grid.band, grid.band
    right, bottom = left + grid.cols * SQUARE, top + grid.rows * SQUARE
    rows = range(skip, grid.rows + 1 - skip)
    cols = range(skip, grid.cols + 1 - skip)
    return _strokes(
        [((left, top + row * SQUARE), (right, top + row * SQUARE)) for row in rows]
        + [((left + col * SQUARE, top), (left + col * SQUARE, bottom)) for col in cols],
        look.line_width * SQUARE,
        look.line,
    )


def _crossings(grid: Grid, look: Look) -> str:
    """The lines through the middles of the squares."""
    last_row, last_col = (grid.rows - 1) * grid.cols, grid.cols - 1
    rows = [
        (grid.center(row * grid.cols), grid.center(row * grid.cols + last_col))
        for row in range(grid.rows)
    ]
    cols = [(grid.center(col), grid.center(last_row + col)) for col in range(grid.cols)]
    return _strokes(rows + cols, look.line_width * SQUARE, look.line)


def _holes(grid: Grid, look: Look) -> str:
    centers = [grid.center(square) for square in grid.squares]
    return _dots(centers, look.stone_radius, look.surface)


def _disc_dots(grid: Grid, look: Look) -> str:
    """The four dots of a Reversi board, two lines in from its corners."""
    if grid.rows < 6 or grid.cols < 6:
        return ""
    corners = [
        grid.corner(row * grid.cols + col)
        for row in (2, grid.rows - 2)
        for col in (2, grid.cols - 2)
    ]
    return _dots(corners, 0.08, look.line)


def _labels(board: Board, grid: Grid, look: Look) -> str:
    middle = grid.band / 2 + 1
    texts = []
    for col, label in enumerate(board.column_labels):
        x, _ = grid.center(col)
        texts.append(_text(x, middle, label))
    for row, label in enumerate(board.row_labels):
        _, y = grid.center(row * board.cols)
        texts.append(_text(middle, y, label))
    return _text_group(texts, 13, look.label)


def _heat(board: Board, grid: Grid, heat: Mapping[int, float]) -> str:
    """A coloured patch with its number for every square of `heat`."""
    top = max(heat.values(), default=0.0)
    shares = _are_shares(heat)
    round_patch = board.style in (BoardStyle.DROP, BoardStyle.POINTS)
    side = SQUARE * (0.82 if round_patch else 0.9)
    parts = []
    for square, value in sorted(heat.items()):
        x, y = grid.center(square)
        color = heat_color(value / top if top else 0.0)
        parts.append(
            f'<rect data-heat="{square}" x="{_n(x - side / 2)}" y="{_n(y - side / 2)}"'
            f' width="{_n(side)}" height="{_n(side)}" rx="{_n(side / 2 if round_patch else 4)}"'
            f' fill="{color}" stroke="#ffffff"/>'
        )
        if board.stones[square] == EMPTY:
            number = _heat_number(value, shares)
            parts.append(_text(x, y, number, fill=text_color(color)))
    return _text_group(parts, 12, "#17191b") if parts else ""


def _are_shares(heat: Mapping[int, float]) -> bool:
    return max(heat.values(), default=0.0) <= 1 and any(value % 1 for value in heat.values())


def _heat_number(value: float, shares: bool) -> str:
    """Four characters at most, so that it fits into a square.

    >>> [_heat_number(value, False) for value in (7, 1234, 45678, 1_000_000)]
    ['7', '1234', '46k', '1.0M']
    >>> [_heat_number(value, True) for value in (0.256, 0.034, 0, 1)]
    ['26%', '3.4%', '0%', '100%']
    """
    if shares:
        return f"{value:.1%}" if 0 < value < 0.0995 else f"{value:.0%}"
    if value < 10_000:
        return f"{value:.0f}" if value >= 10 or value % 1 == 0 else f"{value:.1f}"
    return f"{value / 1e3:.0f}k" if value < 999_500 else f"{value / 1e6:.1f}M"


def _legal_marks(grid: Grid, look: Look, legal: Iterable[int]) -> str:
    return "".join(
        f'<circle data-legal="{square}" cx="{_n(x)}" cy="{_n(y)}" r="{_n(0.11 * SQUARE)}"'
        f' fill="{look.legal}" fill-opacity="0.75"/>'
        for square in legal
        for x, y in [grid.center(square)]
    )


def _stones(board: Board, grid: Grid, look: Look) -> str:
    """One element for each stone, tinted cell of the last mark included."""
    draw = _mark if board.style is BoardStyle.MARKS else _disc
    return "".join(
        draw(grid, look, square, player)
        for square, player in enumerate(board.stones)
        if player != EMPTY
    )


def _disc(grid: Grid, look: Look, square: int, player: int) -> str:
    x, y = grid.center(square)
    disc = (
        f'<circle data-square="{square}" data-player="{player}" cx="{_n(x)}" cy="{_n(y)}"'
        f' r="{_n(look.stone_radius * SQUARE)}" fill="{look.stones[player]}"'
        f' stroke="{look.edges[player]}" stroke-width="1.2"/>'
    )
    ring = look.rings[player]
    if ring is None:
        return disc
    return disc + (
        f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(look.ring_radius * SQUARE)}" fill="none"'
        f' stroke="{ring}" stroke-width="2.4"/>'
    )


def _mark(grid: Grid, look: Look, square: int, player: int) -> str:
    x, y = grid.center(square)
    return (
        f'<path data-square="{square}" data-player="{player}" d="{_mark_path(x, y, look, player)}"'
        f' fill="none" stroke="{look.stones[player]}" stroke-width="5" stroke-linecap="round"/>'
    )


def _mark_path(x: float, y: float, look: Look, player: int) -> str:
    r = look.stone_radius * SQUARE
    if player == 0:
        left, right, top, bottom = _n(x - r), _n(x + r), _n(y - r), _n(y + r)
        return f"M{left} {top}L{right} {bottom}M{left} {bottom}L{right} {top}"
    half_circle = f"a{_n(r)} {_n(r)} 0 1 0"
    return f"M{_n(x - r)} {_n(y)}{half_circle} {_n(2 * r)} 0{half_circle} {_n(-2 * r)} 0"


def _last_cell(board: Board, grid: Grid, look: Look) -> str:
    """The tint behind the last mark, which has no room for a dot."""
    square = board.last_square
    if square is None or board.style is not BoardStyle.MARKS:
        return ""
    x, y = grid.center(square)
    side = SQUARE * 0.86
    return (
        f'<rect data-last="{square}" x="{_n(x - side / 2)}" y="{_n(y - side / 2)}"'
        f' width="{_n(side)}" height="{_n(side)}" rx="4" fill="{look.last_move}"/>'
    )


def _last_dot(board: Board, grid: Grid, look: Look) -> str:
    """The dot in the middle of the last stone."""
    square = board.last_square
    if square is None or board.style is BoardStyle.MARKS:
        return ""
    x, y = grid.center(square)
    return (
        f'<circle data-last="{square}" cx="{_n(x)}" cy="{_n(y)}" r="{_n(0.12 * SQUARE)}"'
        f' fill="{look.last_move}"/>'
    )


def _win_line(board: Board, grid: Grid, look: Look, width: float = 4.0) -> str:
    strokes = [(grid.center(first), grid.center(last)) for first, last in win_strokes(board)]
    rings = [grid.center(square) for square in lone_winners(board)]
    parts = []
    for color, thickness in ((look.win_casing, 1.75 * width), (look.win, width)):
        if strokes:
            parts.append(_strokes(strokes, thickness, color))
        parts.extend(
            f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(0.3 * SQUARE)}" fill="none"'
            f' stroke="{color}" stroke-width="{_n(thickness)}"/>'
            for x, y in rings
        )
    return f'<g data-win="{len(strokes)}">{"".join(parts)}</g>' if parts else ""


def _legend(grid: Grid, look: Look, heat: Mapping[int, float], heat_title: str) -> str:
    """A bar of the scale's colours under the board, with numbers at its ends and middle."""
    top, shares = max(heat.values()), _are_shares(heat)
    left, width = grid.band, grid.cols * SQUARE
    y = grid.height - grid.band + 14
    step = width / _LEGEND_STEPS
    bar = "".join(
        f'<rect x="{_n(left + i * step)}" y="{_n(y + 10)}" width="{_n(step + 0.4)}" height="10"'
        f' fill="{heat_color((i + 0.5) / _LEGEND_STEPS)}"/>'
        for i in range(_LEGEND_STEPS)
    )
    ticks = [
        _text(left + share * width, y + 29, _heat_number(share * top, shares), text_anchor=anchor)
        for share, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end"))
    ]
    heading = _text(left, y + 1, heat_title, text_anchor="start")
    texts = _text_group([heading, *ticks], 12, look.label)
    return f'<g shape-rendering="crispEdges">{bar}</g>{texts}'


def _small_field(board: Board, grid: Grid, look: Look) -> str:
    match board.style:
        case BoardStyle.DROP:
            return _round_dots([grid.center(s) for s in grid.squares], 0.8, look.surface)
        case BoardStyle.MARKS:
            return _lines(grid, look, inner_only=True)
        case BoardStyle.DISCS:
            return _plate(grid, look) + _lines(grid, look)
        case BoardStyle.POINTS:
            return _crossings(grid, look)


def _small_stones(board: Board, grid: Grid, look: Look) -> str:
    parts = []
    for player in (0, 1):
        squares = [square for square, stone in enumerate(board.stones) if stone == player]
        if not squares:
            continue
        centers = [grid.center(square) for square in squares]
        if board.style is BoardStyle.MARKS:
            path = "".join(_mark_path(x, y, look, player) for x, y in centers)
            parts.append(
                f'<path d="{path}" fill="none" stroke="{look.stones[player]}" stroke-width="7"/>'
            )
            continue
        parts.append(_round_dots(centers, 0.92, look.edges[player]))
        parts.append(_round_dots(centers, 0.8, look.stones[player]))
        ring = look.rings[player]
        if ring is not None:
            parts.append(_round_dots(centers, 0.58, ring))
            parts.append(_round_dots(centers, 0.42, look.stones[player]))
    return "".join(parts)


def _small_marks(board: Board, grid: Grid, look: Look) -> str:
    if board.last_square is None or board.style is BoardStyle.MARKS:
        return ""
    return _round_dots([grid.center(board.last_square)], 0.34, look.last_move)


def _dots(centers: Iterable[tuple[float, float]], radius: float, color: str) -> str:
    circles = "".join(
        f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius * SQUARE)}"/>' for x, y in centers
    )
    return f'<g fill="{color}">{circles}</g>'


def _round_dots(centers: Iterable[tuple[float, float]], diameter: float, color: str) -> str:
    """Many dots as one path: strokes of no length with round ends."""
    path = "".join(f"M{_n(x)} {_n(y)}h0" for x, y in centers)
    return (
        f'<path d="{path}" stroke="{color}" stroke-width="{_n(diameter * SQUARE)}"'
        ' stroke-linecap="round"/>'
    )


def _strokes(
    lines: Iterable[tuple[tuple[float, float], tuple[float, float]]], width: float, color: str
) -> str:
    path = "".join(f"M{_n(x1)} {_n(y1)}L{_n(x2)} {_n(y2)}" for (x1, y1), (x2, y2) in lines)
    return (
        f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{_n(width)}"'
        ' stroke-linecap="round"/>'
    )


def _text_group(texts: Iterable[str], size: float, color: str) -> str:
    return (
        f'<g font-family="{escape(FONT)}" font-size="{_n(size)}" fill="{color}"'
        f' text-anchor="middle">{"".join(texts)}</g>'
    )


def _text(x: float, y: float, text: str, **attributes: str) -> str:
    """Text whose capitals and figures stand centred on `y`, in any renderer."""
    more = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<text x="{_n(x)}" y="{_n(y)}" dy="0.36em"{more}>{escape(text)}</text>'


def _n(number: float) -> str:
    """A number as short as it can be written with two decimals.

    >>> _n(3.0), _n(2.50), _n(-0.001)
    ('3', '2.5', '0')
    """
    return f"{round(number, 2) + 0.0:g}"
