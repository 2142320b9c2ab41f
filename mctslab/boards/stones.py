"""Stones and marks, and what is drawn at them: last move, win line, legal moves."""

from collections.abc import Iterable

from mctslab.boards.board import EMPTY, Board, BoardStyle
from mctslab.boards.elements import short, stroke_lines
from mctslab.boards.geometry import Grid, lone_winners, win_strokes
from mctslab.boards.style import SQUARE, Look


def draw_stones(board: Board, grid: Grid, look: Look) -> str:
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
        f'<circle data-square="{square}" data-player="{player}" cx="{short(x)}" cy="{short(y)}"'
        f' r="{short(look.stone_radius * SQUARE)}" fill="{look.stones[player]}"'
        f' stroke="{look.edges[player]}" stroke-width="1.2"/>'
    )
    ring = look.rings[player]
    if ring is None:
        return disc
    return disc + (
        f'<circle cx="{short(x)}" cy="{short(y)}" r="{short(look.ring_radius * SQUARE)}"'
        f' fill="none" stroke="{ring}" stroke-width="2.4"/>'
    )


def _mark(grid: Grid, look: Look, square: int, player: int) -> str:
    x, y = grid.center(square)
    return (
        f'<path data-square="{square}" data-player="{player}" d="{mark_path(x, y, look, player)}"'
        f' fill="none" stroke="{look.stones[player]}" stroke-width="5" stroke-linecap="round"/>'
    )


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
    x, y = grid.center(square)
    side = SQUARE * 0.86
    return (
        f'<rect data-last="{square}" x="{short(x - side / 2)}" y="{short(y - side / 2)}"'
        f' width="{short(side)}" height="{short(side)}" rx="4" fill="{look.last_move}"/>'
    )


def draw_last_dot(board: Board, grid: Grid, look: Look) -> str:
    """The dot in the middle of the last stone."""
    square = board.last_square
    if square is None or board.style is BoardStyle.MARKS:
        return ""
    x, y = grid.center(square)
    return (
        f'<circle data-last="{square}" cx="{short(x)}" cy="{short(y)}" r="{short(0.12 * SQUARE)}"'
        f' fill="{look.last_move}"/>'
    )


def draw_win_line(board: Board, grid: Grid, look: Look, width: float = 4.0) -> str:
    """A stroke through every line that won, and rings where the winners form none."""
    strokes = [(grid.center(first), grid.center(last)) for first, last in win_strokes(board)]
    rings = [grid.center(square) for square in lone_winners(board)]
    parts = []
    for color, thickness in ((look.win_casing, 1.75 * width), (look.win, width)):
        if strokes:
            parts.append(stroke_lines(strokes, thickness, color))
        parts.extend(
            f'<circle cx="{short(x)}" cy="{short(y)}" r="{short(0.3 * SQUARE)}" fill="none"'
            f' stroke="{color}" stroke-width="{short(thickness)}"/>'
            for x, y in rings
        )
    return f'<g data-win="{len(strokes)}">{"".join(parts)}</g>' if parts else ""


def draw_legal_marks(grid: Grid, look: Look, legal: Iterable[int]) -> str:
    """A small dot on every square that may be played."""
    return "".join(
        f'<circle data-legal="{square}" cx="{short(x)}" cy="{short(y)}" r="{short(0.11 * SQUARE)}"'
        f' fill="{look.legal}" fill-opacity="0.75"/>'
        for square in legal
        for x, y in [grid.center(square)]
    )
