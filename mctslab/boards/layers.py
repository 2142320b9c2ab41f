"""The layers of a drawn board, from the frame at the bottom to the marks on top, as SVG
elements."""

import math
from collections.abc import Iterable, Mapping
from enum import StrEnum
from itertools import pairwise
from typing import Final
from xml.sax.saxutils import escape

from mctslab.boards.board import EMPTY, Board, BoardStyle
from mctslab.boards.elements import Point, dots, element, short, stroke_lines, text_at, text_group
from mctslab.boards.geometry import TEXT_LINE, Grid, square_name, star_points, winning_runs
from mctslab.boards.style import FONT, SQUARE, Look, heat_color, text_color, value_color

# Frame, field, lines and coordinates


def draw_frame(grid: Grid, look: Look, height: float) -> str:
    """The frame behind everything, as wide as `grid` and of its own height."""
    width = grid.width - 1
    colors = {"fill": look.frame, "stroke": look.frame_edge}
    return element("rect", x=0.5, y=0.5, width=width, height=height - 1, rx="6", **colors)


def draw_field(board: Board, grid: Grid, look: Look) -> str:
    """The empty board inside the frame."""
    match board.style:
        case BoardStyle.DROP:
            return dots(map(grid.center, grid.squares), look.stone_radius, look.surface)
        case BoardStyle.MARKS:
            return draw_lines(grid, look, inner_only=True)
        case BoardStyle.DISCS:
            return draw_plate(grid, look) + draw_lines(grid, look) + _disc_dots(grid, look)
        case BoardStyle.PIECES:
            return draw_plate(grid, look) + draw_lines(grid, look)
        case BoardStyle.TEXT:
            return draw_text(board, grid, look)
        case BoardStyle.POINTS:
            stars = map(grid.center, star_points(grid.rows, grid.cols))
            return draw_crossings(grid, look) + dots(stars, 0.1, look.line)
        case BoardStyle.HEXES:
            return draw_hexagons(grid, look)


def draw_text(board: Board, grid: Grid, look: Look) -> str:
    """The lines of the position, and below them the moves, each on its button."""
    still = {"text_anchor": "start", "style": "white-space:pre"}
    lines = [
        text_at(grid.band, grid.band + (number + 0.5) * TEXT_LINE, line, **still)
        for number, line in enumerate(board.text.splitlines())
    ]
    parts = [text_group(lines, 13, look.label).replace(escape(FONT), "monospace")]
    for square, name in enumerate(board.moves if board.rows else ()):
        parts.append(_patch(grid, "move", square, 0.47 * SQUARE, rx="6", fill=look.surface))
        middle = text_at(*grid.center(square), name)
        parts.append(text_group([middle], min(14, 62 / max(len(name), 1)), look.label))
    return "".join(parts)


def draw_plate(grid: Grid, look: Look) -> str:
    """The background of all squares."""
    width, height = grid.cols * SQUARE, grid.rows * SQUARE
    return element("rect", x=grid.band, y=grid.band, width=width, height=height, fill=look.surface)


def draw_lines(grid: Grid, look: Look, *, inner_only: bool = False) -> str:
    """The lines between the squares, with or without the outline."""
    skip = 1 if inner_only else 0
    left, top = grid.band, grid.band
    right, bottom = left + grid.cols * SQUARE, top + grid.rows * SQUARE
    rows = [top + row * SQUARE for row in range(skip, grid.rows + 1 - skip)]
    cols = [left + col * SQUARE for col in range(skip, grid.cols + 1 - skip)]
    lines = [((left, y), (right, y)) for y in rows] + [((x, top), (x, bottom)) for x in cols]
    return stroke_lines(lines, look.line_width * SQUARE, look.line)


def draw_crossings(grid: Grid, look: Look) -> str:
    """The lines through the middles of the squares."""
    last_row, last_col = (grid.rows - 1) * grid.cols, grid.cols - 1
    rows = [(row * grid.cols, row * grid.cols + last_col) for row in range(grid.rows)]
    cols = [(col, last_row + col) for col in range(grid.cols)]
    lines = [(grid.center(first), grid.center(last)) for first, last in rows + cols]
    return stroke_lines(lines, look.line_width * SQUARE, look.line)


def draw_hexagons(grid: Grid, look: Look) -> str:
    """The cells, and the edges in the colours of the players who join them.

    Player 0 joins the top and the bottom, player 1 the left and the right.
    """
    cells = [hexagon(*grid.center(square)) for square in grid.squares]
    ground = "".join(f"M{'L'.join(f'{short(x)} {short(y)}' for x, y in cell)}Z" for cell in cells)
    last_row = (grid.rows - 1) * grid.cols
    edges: tuple[list[tuple[Point, Point]], list[tuple[Point, Point]]] = ([], [])
    for square, (top, upper_right, lower_right, bottom, lower_left, upper_left) in enumerate(cells):
        if square % grid.cols == 0:
            edges[1].extend([(upper_left, lower_left), (lower_left, bottom)])
        if square % grid.cols == grid.cols - 1:
            edges[1].extend([(top, upper_right), (upper_right, lower_right)])
        if square < grid.cols:
            edges[0].extend([(upper_left, top), (top, upper_right)])
        if square >= last_row:
            edges[0].extend([(lower_right, bottom), (bottom, lower_left)])
    width = look.line_width * SQUARE
    colors = {"fill": look.surface, "stroke": look.line}
    parts = [element("path", d=ground, stroke_width=width, **colors)]
    parts += [stroke_lines(edges[player], 3.5, look.stones[player]) for player in (1, 0)]
    return "".join(parts)


def hexagon(x: float, y: float) -> list[Point]:
    """The corners of the cell around (x, y), one square wide, clockwise from the topmost."""
    angles = [math.radians(angle) for angle in range(-90, 270, 60)]
    radius = SQUARE / math.sqrt(3)
    return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]


def _disc_dots(grid: Grid, look: Look) -> str:
    """The four dots of a Reversi board, two lines in from its corners."""
    if grid.rows < 6 or grid.cols < 6:
        return ""
    rows, cols = (2, grid.rows - 2), (2, grid.cols - 2)
    corners = [grid.corner(row * grid.cols + col) for row in rows for col in cols]
    return dots(corners, 0.08, look.line)


def draw_labels(board: Board, grid: Grid, look: Look, size: float = 13.0) -> str:
    """The coordinates on the frame, above the columns and left of the rows."""
    middle = grid.band / 2 + 1
    columns, rows = enumerate(board.column_labels), enumerate(board.row_labels)
    texts = [text_at(grid.center(col)[0], middle, label) for col, label in columns]
    for row, label in rows:
        square = row * board.cols
        left = grid.corner(square)[0] - grid.band
        texts.append(text_at(left + middle, grid.center(square)[1], label))
    return text_group(texts, size, look.label)


# Stones, and what is drawn at them


def draw_stones(board: Board, grid: Grid, look: Look) -> str:
    """One element for each stone, and a second one for its ring."""
    draw = _mark if board.style is BoardStyle.MARKS else _disc
    return "".join(
        draw(grid, look, square, player)
        for square, player in enumerate(board.stones)
        if player != EMPTY
    )


def _disc(grid: Grid, look: Look, square: int, player: int) -> str:
    x, y = grid.center(square)
    known: dict[str, float] = {"data_square": square, "data_player": player, "cx": x, "cy": y}
    colors = {"fill": look.stones[player], "stroke": look.edges[player], "stroke_width": "1.2"}
    disc = element("circle", **known, r=look.stone_radius * SQUARE, **colors)
    if (color := look.rings[player]) is None:
        return disc
    ring = {"fill": "none", "stroke": color, "stroke_width": "2.4"}
    return disc + element("circle", cx=x, cy=y, r=look.ring_radius * SQUARE, **ring)


def _mark(grid: Grid, look: Look, square: int, player: int) -> str:
    path = mark_path(*grid.center(square), look, player)
    known: dict[str, float] = {"data_square": square, "data_player": player}
    stroke = {"stroke": look.stones[player], "stroke_width": "5", "stroke_linecap": "round"}
    return element("path", **known, d=path, fill="none", **stroke)


def mark_path(x: float, y: float, look: Look, player: int) -> str:
    """The strokes of an X (player 0) or an O (player 1) around (x, y)."""
    r = look.stone_radius * SQUARE
    if player == 0:
        left, right, top, bottom = short(x - r), short(x + r), short(y - r), short(y + r)
        return f"M{left} {top}L{right} {bottom}M{left} {bottom}L{right} {top}"
    half_circle = f"a{short(r)} {short(r)} 0 1 0"
    return (
        f"M{short(x - r)} {short(y)}{half_circle} {short(2 * r)} 0{half_circle} {short(-2 * r)} 0"
    )


def draw_last_cell(board: Board, grid: Grid, look: Look) -> str:
    """The tint behind the last mark, which has no room for a dot."""
    square = board.last_square
    if square is None or board.style is not BoardStyle.MARKS:
        return ""
    return _patch(grid, "last", square, 0.43 * SQUARE, rx="4", fill=look.last_move)


def draw_last_dot(board: Board, grid: Grid, look: Look) -> str:
    """The dot in the middle of the last stone."""
    square = board.last_square
    if square is None or board.style is BoardStyle.MARKS:
        return ""
    x, y = grid.center(square)
    return element("circle", data_last=square, cx=x, cy=y, r=0.12 * SQUARE, fill=look.last_move)


def draw_win_line(board: Board, grid: Grid, look: Look, width: float = 4.0) -> str:
    """A stroke through every line and chain that won, and rings where winning squares form none."""
    runs = winning_runs(board)
    crossed = {square for run in runs for square in run}
    is_chain = board.style is BoardStyle.HEXES
    ends = [pair for run in runs for pair in (pairwise(run) if is_chain else [(run[0], run[-1])])]
    strokes = [(grid.center(first), grid.center(last)) for first, last in ends]
    rings = [grid.center(square) for square in board.winning_squares if square not in crossed]
    parts = []
    for color, thickness in ((look.win_casing, 1.75 * width), (look.win, width)):
        parts += [stroke_lines(strokes, thickness, color)] if strokes else []
        look_of_ring = {"fill": "none", "stroke": color, "stroke_width": short(thickness)}
        parts += [element("circle", cx=x, cy=y, r=0.3 * SQUARE, **look_of_ring) for x, y in rings]
    return f'<g data-win="{len(runs)}">{"".join(parts)}</g>' if parts else ""


def draw_stroke(grid: Grid, look: Look, ends: tuple[int, int], width: float = 4.0) -> str:
    """A stroke between two squares, which looks like that of a win."""
    stroke = [(grid.center(ends[0]), grid.center(ends[1]))]
    casing = stroke_lines(stroke, 1.75 * width, look.win_casing)
    return casing + stroke_lines(stroke, width, look.win)


def draw_legal_marks(grid: Grid, look: Look, legal: Iterable[int]) -> str:
    """A small dot on every square that can be played."""
    dot = {"r": short(0.11 * SQUARE), "fill": look.legal, "fill_opacity": "0.75"}
    places = ((square, *grid.center(square)) for square in legal)
    return "".join(element("circle", data_legal=s, cx=x, cy=y, **dot) for s, x, y in places)


def _patch(grid: Grid, kind: str, square: int, half: float, **look: str) -> str:
    """A rectangle in the middle of `square`, twice `half` wide, known by `data-kind`."""
    x, y = grid.center(square)
    place = {f"data_{kind}": square, "x": x - half, "y": y - half}
    return element("rect", **place, width=2 * half, height=2 * half, **look)


# Heat: numbers on squares as colours, and the legend of their scale

_LEGEND_HEIGHT: Final = 56.0
_LEGEND_STEPS: Final = 24
_COLUMNS_OF_SMALL_TEXT: Final = 15


class HeatScale(StrEnum):
    """The meaning of the numbers on the squares, which determines their colours."""

    AMOUNT = "amount"  # from 0 upwards: the more, the darker; the largest is darkest
    SHARE = "share"  # from 0 to 1: the more, the darker, so that pictures can be compared
    WIN_RATE = "win rate"  # from 0 (orange) over one half (white) to 1 (blue)


def check_heat(heat: Mapping[int, float], scale: HeatScale) -> None:
    """Raise ValueError if a value is not on the scale."""
    for square, value in heat.items():
        if not (math.isfinite(value) and value >= 0):
            raise ValueError(f"the heat of square {square} is {value!r}; it must be 0 or more")
        if scale is not HeatScale.AMOUNT and value > 1:
            raise ValueError(
                f"the heat of square {square} is {value!r}, but no {scale.value} is above 1"
            )


def draw_heat(board: Board, grid: Grid, heat: Mapping[int, float], scale: HeatScale) -> str:
    """A coloured patch with its number for every square of `heat`."""
    top, shares = _top(heat, scale), _are_shares(heat, scale)
    # It is round in a round hole, and square elsewhere, so that it does not look like a stone.
    is_round = board.style is BoardStyle.DROP
    half = SQUARE * {BoardStyle.DROP: 0.41, BoardStyle.HEXES: 0.36}.get(board.style, 0.45)
    radius = short(half) if is_round else "4"
    parts, longest = [], 0
    for square, value in sorted(heat.items()):
        color = _color(value / top if top else 0.0, scale)
        parts.append(_patch(grid, "heat", square, half, rx=radius, fill=color, stroke="#ffffff"))
        if board.stones[square] == EMPTY:
            number = _heat_number(value, shares)
            longest = max(longest, len(number))
            parts.append(text_at(*grid.center(square), number, fill=text_color(color)))
    size = 12 if grid.cols <= _COLUMNS_OF_SMALL_TEXT else 14  # larger boards are shown smaller
    size -= 2 * (board.style is BoardStyle.HEXES)  # whose patches are smaller
    size *= 2 if longest == 1 else 1  # the bits of a number, on small boards
    return text_group(parts, size, "#17191b") if parts else ""


def draw_legend(
    grid: Grid, look: Look, heat: Mapping[int, float], scale: HeatScale, heat_title: str
) -> str:
    """A bar of the scale's colours under the board, with numbers at its ends and middle."""
    top, shares = _top(heat, scale), _are_shares(heat, scale)
    left, width = grid.band, grid.cols * SQUARE
    y = grid.height - grid.band + 14
    step = width / _LEGEND_STEPS
    colors = [_color((i + 0.5) / _LEGEND_STEPS, scale) for i in range(_LEGEND_STEPS)]
    bar = "".join(
        element("rect", x=left + i * step, y=y + 10, width=step + 0.4, height=10, fill=color)
        for i, color in enumerate(colors)
    )
    ticks = [
        text_at(left + share * width, y + 29, _heat_number(share * top, shares), text_anchor=anchor)
        for share, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end"))
    ]
    heading = text_at(left, y + 1, heat_title, text_anchor="start")
    texts = text_group([heading, *ticks], 12, look.label)
    return f'<g shape-rendering="crispEdges">{bar}</g>{texts}'


def height_with_legend(grid: Grid) -> float:
    """Of the whole picture; the legend replaces the frame's lower band."""
    return grid.height - grid.band + _LEGEND_HEIGHT


def _top(heat: Mapping[int, float], scale: HeatScale) -> float:
    """The value at the upper end of the scale."""
    return max(heat.values(), default=0.0) if scale is HeatScale.AMOUNT else 1.0


def _color(share: float, scale: HeatScale) -> str:
    """The colour of `share` (0..1) of the way from the lower to the upper end."""
    return value_color(2 * share - 1) if scale is HeatScale.WIN_RATE else heat_color(share)


def _are_shares(heat: Mapping[int, float], scale: HeatScale) -> bool:
    if scale is not HeatScale.AMOUNT:
        return True
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
    if value < 9_999.5:
        return f"{value:.0f}" if value >= 10 or value % 1 == 0 else f"{value:.1f}"
    return f"{value / 1e3:.0f}k" if value < 999_500 else f"{value / 1e6:.1f}M"


# Marks: short texts on squares and stones, to which the words beside a picture refer

LONGEST_MARK: Final = 3
INK: Final = "#17191b"
_MARK_COLORS: Final = ("#56b4e9", "#e69f00", "#f3b6d9", "#b7e3a1", "#d9d9d9")
"""Of words in their order, all light; each has its letters, so that not only the colour differs.
The blue, the orange and the yellow of `ONE` are those of Okabe and Ito (2008)."""
ONE: Final = "#f0e442"
"""Of numbers, which are steps of one sequence."""


def check_marks(board: Board, marks: Mapping[str, Iterable[int]]) -> None:
    """Raise ValueError if a text has no room, or if a square would have two."""
    texts: dict[int, str] = {}
    for text, squares in marks.items():
        if not 1 <= len(text) <= LONGEST_MARK:
            raise ValueError(f"the mark {text!r} must have 1 to {LONGEST_MARK} characters")
        for square in squares:
            if texts.setdefault(square, text) != text:
                name = square_name(board, square)
                raise ValueError(f"{name} has two marks, {texts[square]!r} and {text!r}")


def draw_marks(board: Board, grid: Grid, marks: Mapping[str, Iterable[int]]) -> str:
    """A light patch with its text on each square of `marks`: round on a stone, otherwise square."""
    parts = []
    for text, color in mark_colors(marks).items():
        for square in sorted(set(marks[text])):
            is_stone = board.stones[square] != EMPTY
            half = SQUARE * (0.29 if is_stone else 0.33)
            corner = short(half) if is_stone else "4"
            look = {"rx": corner, "fill": color, "stroke": INK, "stroke_width": "0.8"}
            parts.append(_patch(grid, "mark", square, half, **look))
            parts.append(text_at(*grid.center(square), text, font_weight="600"))
    return text_group(parts, 14, INK) if parts else ""


def mark_colors(marks: Iterable[str]) -> dict[str, str]:
    """The colour of each text: all numbers have the same, words one after the other their own.

    A win and a loss, which are written +1 and −1, have the colours that they have everywhere.

    >>> mark_colors(["X", "1", "C", "2"])
    {'X': '#56b4e9', '1': '#f0e442', 'C': '#e69f00', '2': '#f0e442'}
    >>> mark_colors(["−1", "+1"]) == {"−1": value_color(-1), "+1": value_color(1)}
    True
    """
    values = {"+1": value_color(1), "−1": value_color(-1)}
    words = [text for text in marks if not text.isdecimal() and text not in values]
    own = {word: _MARK_COLORS[place % len(_MARK_COLORS)] for place, word in enumerate(words)}
    own |= values
    return {text: own.get(text, ONE) for text in marks}
