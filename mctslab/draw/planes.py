"""Planes as images: a net's input for a position, or the output of one of its layers.

Ones and zeros are dark and pale. Other numbers have the colours of a heat map, or, if some are
negative, those of values: orange below 0, blue above.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from mctslab.boards.board import Board
from mctslab.boards.style import HEAT_SCALE, text_color, value_color
from mctslab.draw.colors import LINE, TEXT

if TYPE_CHECKING:  # Matplotlib is large, so it is loaded only when something is drawn
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage

    from mctslab.draw.curves import Chart

WIDTH: Final = 700.0
"""The widest row of planes, in CSS pixels."""
ZERO, ONE = "#f7f7f5", "#0a4f7d"
_LETTER: Final = 6.4
"""Room for a letter of a heading: a little more than the average."""
_LEAST_FOR_NUMBERS: Final = 20.0
_PIXELS_PER_INCH: Final = 96.0
_SMALL: Final = 7.5
"""The size of coordinates and numbers, in points."""


def planes(
    stack: npt.ArrayLike,
    names: Sequence[str] = (),
    *,
    board: Board | None = None,
    square_size: float = 14.0,
    numbers: bool = False,
) -> "Chart":
    """Draw planes side by side, in several rows if there is no room for all of them in one.

    Args:
        stack: [C, rows, cols], or [rows, cols] for a single plane. Colours mean the same in all.
        names: the headings of the C planes; none, or one for each.
        board: the board whose coordinates label the rows and columns of each plane.
        square_size: the side of a square on the screen, in CSS pixels.
        numbers: whether each number is written into its square, which needs squares of 20 pixels.

    Raises:
        ValueError: another shape, not one name for each plane, a number that is not finite, a board
            of another size, or squares too small for the numbers.
    """
    from mctslab.draw.curves import Chart, subplots

    shown = np.asarray(stack, dtype=float)
    shown = shown[None] if shown.ndim == 2 else shown
    _check(shown, names, board, square_size if numbers else np.inf)
    count, rows, cols = shown.shape
    labels = 20.0 * (board is not None)
    across = max([cols * square_size + labels, *(_LETTER * len(name) for name in names)]) + 14
    columns = min(count, max(1, int(WIDTH // across)))
    if 1 < columns < count:
        columns -= columns % 2  # own and opponent's stay together
    num_rows = -(-count // columns)
    is_binary = bool(np.isin(shown, (0, 1)).all())
    height = num_rows * (rows * square_size + labels + 26 * bool(names)) + 64 * (not is_binary)
    figure, grid = subplots(
        num_rows,
        columns,
        width=columns * across / _PIXELS_PER_INCH,
        height=height / _PIXELS_PER_INCH,
        squeeze=False,
        subplot_kw={"anchor": "W"},
    )
    for axes in grid.flat[count:]:
        axes.set_axis_off()
    for number, (axes, plane) in enumerate(zip(grid.flat, shown, strict=False)):
        image = _draw(axes, plane, shown, board)
        if names:
            axes.set_title(names[number], fontsize=9, loc="left", y=1.0, pad=16 if board else 5)
        if numbers:
            _write_numbers(axes, plane, image)
    if not is_binary:
        ends = [image.norm.vmin, image.norm.vmax]
        look: dict[str, Any] = {"location": "bottom", "fraction": 0.06, "aspect": 18}
        bar = figure.colorbar(image, ax=grid, ticks=ends, format=lambda n, _: _written(n), **look)
        bar.outline.set_visible(False)
    words = f"{count} planes of {rows} x {cols} squares"
    return Chart(figure, f"{words}: {'; '.join(names)}" if names else words)


def _check(
    shown: npt.NDArray[Any], names: Sequence[str], board: Board | None, size_for_numbers: float
) -> None:
    if shown.ndim != 3 or not shown.size:
        raise ValueError(f"Planes are [C, rows, cols]; this is {list(shown.shape)}.")
    if names and len(names) != len(shown):
        raise ValueError(f"{len(names)} names for {len(shown)} planes: {', '.join(names)}.")
    if not np.isfinite(shown).all():
        raise ValueError("A plane contains something that is not a finite number.")
    if board and shown.shape[1:] != (board.rows, board.cols):
        raise ValueError(
            f"The board has {board.rows} x {board.cols} squares, the planes have "
            f"{shown.shape[1]} x {shown.shape[2]}."
        )
    if size_for_numbers < _LEAST_FOR_NUMBERS:
        raise ValueError(
            f"square_size={size_for_numbers!r} has no room for numbers, which need at least "
            f"{_LEAST_FOR_NUMBERS:g}."
        )


def _draw(
    axes: "Axes", plane: npt.NDArray[Any], shown: npt.NDArray[Any], board: Board | None
) -> "AxesImage":
    """One plane, in colours that mean the same in all of `shown`."""
    from matplotlib.colors import LinearSegmentedColormap

    low, high = -abs(shown).max() * (shown.min() < 0), abs(shown).max() or 1.0
    if np.isin(shown, (0, 1)).all():
        colors = [ZERO, ONE]
    else:
        values = [value_color(value) for value in np.linspace(-1, 1, 41)]
        colors = values if low < 0 else list(HEAT_SCALE)
    scale = LinearSegmentedColormap.from_list("planes", colors)
    image = axes.imshow(plane, scale, vmin=low, vmax=high, interpolation="none")
    rows, cols = plane.shape
    lines: dict[str, Any] = {"color": LINE, "linewidth": 0.6}
    axes.vlines(np.arange(cols + 1) - 0.5, -0.5, rows - 0.5, **lines)
    axes.hlines(np.arange(rows + 1) - 0.5, -0.5, cols - 0.5, **lines)
    axes.set(xlim=(-0.5, cols - 0.5), ylim=(rows - 0.5, -0.5))
    axes.tick_params(length=0, labelsize=_SMALL, pad=2)
    axes.tick_params(labeltop=True, labelbottom=False)
    axes.set_xticks(range(cols) if board else [], board.column_labels if board else [])
    axes.set_yticks(range(rows) if board else [], board.row_labels if board else [])
    axes.spines[:].set_visible(False)
    return image


def _write_numbers(axes: "Axes", plane: npt.NDArray[Any], image: "AxesImage") -> None:
    from matplotlib.colors import to_hex

    for (row, col), number in np.ndenumerate(plane):
        is_dark = text_color(to_hex(tuple(image.cmap(image.norm(number))))) == "#ffffff"
        # Pure black and white would follow the theme of the page.
        color = "#fdfdfd" if is_dark else TEXT
        middle: dict[str, Any] = {"ha": "center", "va": "center_baseline"}
        axes.text(col, row, _written(float(number)), color=color, fontsize=_SMALL + 1, **middle)


def _written(number: float) -> str:
    """A number in a few characters.

    >>> _written(-3.0), _written(0.25), _written(0.001)
    ('−3', '0.25', '0')
    """
    return f"{round(number, 2) + 0.0:g}".replace("-", "−")
