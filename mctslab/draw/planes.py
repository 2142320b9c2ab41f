"""Planes as images: a net's input for a position, or the output of one of its layers.

Ones and zeros are dark and pale. Other numbers have the colours of a heat map, or, if some are
negative, those of values: orange below 0, blue above.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mctslab.boards.elements import element, short, text_at
from mctslab.boards.style import heat_color, text_color, value_color
from mctslab.draw.colors import LINE
from mctslab.draw.picture import PagePicture, page_svg

WIDTH: Final = 700.0
"""The widest row of planes, in CSS pixels."""
ZERO, ONE = "#f7f7f5", "#0a4f7d"
_HEADING: Final = 20.0
_GAP: Final = 14.0
_LETTER: Final = 6.4
"""Room for a letter of a heading: a little more than the average."""
_LEGEND: Final = 30.0
_LEGEND_WIDTH: Final = 220.0
_BAR: Final = 120.0
_BAR_STEPS: Final = 30
_LEAST_FOR_NUMBERS: Final = 20.0
_HALF: Final = 0.5


def planes(
    stack: npt.ArrayLike,
    names: Sequence[str] = (),
    *,
    square_size: float = 14.0,
    numbers: bool = False,
) -> PagePicture:
    """Draw planes side by side, in several rows if there is no room for all of them in one.

    Args:
        stack: [C, rows, cols], or [rows, cols] for a single plane. Colours mean the same in all.
        names: the headings of the C planes; none, or one for each.
        square_size: the side of a square on the screen, in CSS pixels.
        numbers: whether each number is written into its square, which needs squares of 20 pixels.

    Raises:
        ValueError: another shape, not one name for each plane, a number that is not finite,
            or squares too small for the numbers.
    """
    shown = np.asarray(stack, dtype=float)
    shown = shown[None] if shown.ndim == 2 else shown
    _check(shown, names, square_size if numbers else np.inf)
    scale = _Scale.of(shown)
    layout = _Layout.of(shown.shape, names, square_size)
    parts = []
    for number, plane in enumerate(shown):
        x, y = layout.place(number)
        heading = names[number] if names else ""
        parts += [text_at(x, y - 9, heading)] if heading else []
        parts += _squares(plane, x, y, square_size, scale)
        parts += _numbers(plane, x, y, square_size, scale) if numbers else []
    parts += _legend(scale, layout.bottom) if scale.has_legend else []
    height = layout.bottom + (_LEGEND if scale.has_legend else 0)
    width = max(layout.width, _LEGEND_WIDTH if scale.has_legend else 0)
    title = f"{len(shown)} planes of {shown.shape[1]} x {shown.shape[2]} squares"
    style = "max-width:100%;height:auto"
    words = "; ".join(names)
    return PagePicture(page_svg(width, height, parts, title=title, description=words, style=style))


def _check(shown: npt.NDArray[Any], names: Sequence[str], size_for_numbers: float) -> None:
    if shown.ndim != 3 or not shown.size:
        raise ValueError(f"Planes are [C, rows, cols]; this is {list(shown.shape)}.")
    if names and len(names) != len(shown):
        raise ValueError(f"{len(names)} names for {len(shown)} planes: {', '.join(names)}.")
    if not np.isfinite(shown).all():
        raise ValueError("A plane contains something that is not a finite number.")
    if size_for_numbers < _LEAST_FOR_NUMBERS:
        raise ValueError(
            f"square_size={size_for_numbers!r} has no room for numbers, which need at least "
            f"{_LEAST_FOR_NUMBERS:g}."
        )


@dataclass(frozen=True, slots=True)
class _Scale:
    """The colours of all planes of a picture."""

    low: float
    high: float
    color: Callable[[float], str]
    """Of a number from `low` to `high`."""
    has_legend: bool

    @classmethod
    def of(cls, shown: npt.NDArray[Any]) -> "_Scale":
        """The scale that suits these numbers."""
        if np.isin(shown, (0, 1)).all():
            return cls(0.0, 1.0, lambda number: ONE if number > _HALF else ZERO, has_legend=False)
        most = float(abs(shown).max())
        if shown.min() < 0:
            return cls(-most, most, lambda number: value_color(number / most), has_legend=True)
        return cls(0.0, most, lambda number: heat_color(number / most), has_legend=True)


@dataclass(frozen=True, slots=True)
class _Layout:
    """The place of each plane: its upper left corner, below its heading."""

    columns: int
    step: float
    """From one plane to the next in a row."""
    row: float
    """From one row to the next."""
    width: float
    bottom: float

    @classmethod
    def of(cls, shape: tuple[int, ...], names: Sequence[str], square_size: float) -> "_Layout":
        """The layout of planes with this shape and these names; a row holds as many as fit."""
        count, rows, cols = shape
        across = max([cols * square_size, *(_LETTER * len(name) for name in names)])
        columns = min(count, max(1, int((WIDTH + _GAP) // (across + _GAP))))
        if 1 < columns < count:
            columns -= columns % 2  # own and opponent's stay together
        row = rows * square_size + _HEADING + _GAP / 2
        num_rows = -(-count // columns)
        width = columns * (across + _GAP) - _GAP + 2
        return cls(columns, across + _GAP, row, width, num_rows * row - _GAP / 2 + 2)

    def place(self, number: int) -> tuple[float, float]:
        """The corner of plane `number`."""
        row, col = divmod(number, self.columns)
        return 1 + col * self.step, _HEADING + row * self.row


def _squares(
    plane: npt.NDArray[Any], x: float, y: float, size: float, scale: _Scale
) -> Iterator[str]:
    """The squares of a plane, those of one colour as one path, and a frame around them."""
    rows, cols = plane.shape
    paths: dict[str, list[str]] = {}
    for (row, col), number in np.ndenumerate(plane):
        corner = f"M{short(x + col * size)} {short(y + row * size)}"
        path = f"{corner}h{short(size)}v{short(size)}h{short(-size)}z"
        paths.setdefault(scale.color(float(number)), []).append(path)
    for color, squares in paths.items():
        yield element("path", d="".join(squares), style=f"fill:{color}", stroke=LINE)
    frame = {"fill": "none", "style": "fill:none", "stroke": LINE}
    yield element("rect", x=x, y=y, width=cols * size, height=rows * size, **frame)


def _numbers(
    plane: npt.NDArray[Any], x: float, y: float, size: float, scale: _Scale
) -> Iterator[str]:
    for (row, col), number in np.ndenumerate(plane):
        color = text_color(scale.color(float(number)))
        middle = x + (col + 0.5) * size, y + (row + 0.5) * size
        yield text_at(*middle, _written(float(number)), text_anchor="middle", style=f"fill:{color}")


def _written(number: float) -> str:
    """A number in a few characters.

    >>> _written(-3.0), _written(0.25), _written(0.001)
    ('−3', '0.25', '0')
    """
    return f"{round(number, 2) + 0.0:g}".replace("-", "−")


def _legend(scale: _Scale, y: float) -> Iterator[str]:
    """The colours from the lowest number to the highest."""
    low, high = _written(scale.low), _written(scale.high)
    left, step = _LETTER * len(low) + 8, _BAR / _BAR_STEPS
    yield text_at(0, y + 16, low)
    for place in range(_BAR_STEPS):
        number = scale.low + (place + _HALF) / _BAR_STEPS * (scale.high - scale.low)
        size = {"width": step + 0.3, "height": 10}
        fill = f"fill:{scale.color(number)}"
        yield element("rect", x=left + place * step, y=y + 11, **size, style=fill)
    yield text_at(left + _BAR + 8, y + 16, high)
