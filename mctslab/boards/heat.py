"""Numbers on squares as colours: visits, probabilities, and the legend of their scale."""

import math
from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from mctslab.boards.board import EMPTY, Board, BoardStyle
from mctslab.boards.elements import short, text_at, text_group
from mctslab.boards.geometry import Grid
from mctslab.boards.style import SQUARE, Look, heat_color, text_color, value_color

_LEGEND_HEIGHT: Final = 56.0
_LEGEND_STEPS: Final = 24
_COLUMNS_OF_SMALL_TEXT: Final = 15


class HeatScale(StrEnum):
    """What the numbers on the squares mean, and so their colours."""

    AMOUNT = "amount"  # from 0 upwards: the more, the darker
    WIN_RATE = "win rate"  # from 0 (orange) over one half (white) to 1 (blue)


def check_heat(heat: Mapping[int, float], scale: HeatScale) -> None:
    """Raise ValueError where a value has no place on the scale."""
    for square, value in heat.items():
        if not (math.isfinite(value) and value >= 0):
            raise ValueError(f"the heat of square {square} is {value!r}; it must be 0 or more")
        if scale is HeatScale.WIN_RATE and value > 1:
            raise ValueError(f"the heat of square {square} is {value!r}: no win rate is above 1")


def draw_heat(board: Board, grid: Grid, heat: Mapping[int, float], scale: HeatScale) -> str:
    """A coloured patch with its number for every square of `heat`."""
    top, shares = _top(heat, scale), _are_shares(heat, scale)
    # In a round hole it is round; elsewhere it is square, so that nobody takes it for a stone.
    is_round = board.style is BoardStyle.DROP
    side = SQUARE * (0.82 if is_round else 0.9)
    radius = side / 2 if is_round else 4.0
    parts = []
    for square, value in sorted(heat.items()):
        x, y = grid.center(square)
        color = _color(value / top if top else 0.0, scale)
        parts.append(
            f'<rect data-heat="{square}" x="{short(x - side / 2)}" y="{short(y - side / 2)}"'
            f' width="{short(side)}" height="{short(side)}" rx="{short(radius)}"'
            f' fill="{color}" stroke="#ffffff"/>'
        )
        if board.stones[square] == EMPTY:
            number = _heat_number(value, shares)
            parts.append(text_at(x, y, number, fill=text_color(color)))
    size = 12 if grid.cols <= _COLUMNS_OF_SMALL_TEXT else 14  # larger boards are shown smaller
    return text_group(parts, size, "#17191b") if parts else ""


def draw_legend(
    grid: Grid, look: Look, heat: Mapping[int, float], scale: HeatScale, heat_title: str
) -> str:
    """A bar of the scale's colours under the board, with numbers at its ends and middle."""
    top, shares = _top(heat, scale), _are_shares(heat, scale)
    left, width = grid.band, grid.cols * SQUARE
    y = grid.height - grid.band + 14
    step = width / _LEGEND_STEPS
    bar = "".join(
        f'<rect x="{short(left + i * step)}" y="{short(y + 10)}" width="{short(step + 0.4)}"'
        f' height="10" fill="{_color((i + 0.5) / _LEGEND_STEPS, scale)}"/>'
        for i in range(_LEGEND_STEPS)
    )
    ticks = [
        text_at(left + share * width, y + 29, _heat_number(share * top, shares), text_anchor=anchor)
        for share, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end"))
    ]
    heading = text_at(left, y + 1, heat_title, text_anchor="start")
    texts = text_group([heading, *ticks], 12, look.label)
    return f'<g shape-rendering="crispEdges">{bar}</g>{texts}'


def height_with_legend(grid: Grid) -> float:
    """Of the whole picture; the legend takes the place of the frame's lower band."""
    return grid.height - grid.band + _LEGEND_HEIGHT


def _top(heat: Mapping[int, float], scale: HeatScale) -> float:
    """The value at the upper end of the scale."""
    return 1.0 if scale is HeatScale.WIN_RATE else max(heat.values(), default=0.0)


def _color(share: float, scale: HeatScale) -> str:
    """The colour of `share` (0..1) of the way from the lower to the upper end."""
    return value_color(2 * share - 1) if scale is HeatScale.WIN_RATE else heat_color(share)


def _are_shares(heat: Mapping[int, float], scale: HeatScale) -> bool:
    if scale is HeatScale.WIN_RATE:
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
