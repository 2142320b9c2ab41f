"""Planes as images: a net's input for a position, or the output of one of its layers.

Ones and zeros are dark and pale. Other numbers have the colours of a heat map, or, if some are
negative, those of values: orange below 0, blue above.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from mctslab.boards.board import Board
from mctslab.boards.elements import short
from mctslab.boards.style import heat_color, mix, value_color
from mctslab.draw.colors import LINE

if TYPE_CHECKING:  # Matplotlib is large, so it is loaded only when something is drawn
    from mctslab.draw.curves import Chart

WIDTH: Final = 700.0
"""The widest row of planes, in CSS pixels."""
ZERO, ONE = "#f7f7f5", "#0a4f7d"
_LETTER: Final = 6.4
"""Room for a letter of a heading: a little more than the average."""
_PIXELS_PER_INCH: Final = 96.0


def planes(
    stack: npt.ArrayLike,
    names: Sequence[str] = (),
    *,
    board: Board | None = None,
    square_size: float = 14.0,
) -> "Chart":
    """Draw planes side by side, in several rows if there is no room for all of them in one.

    Args:
        stack: [C, rows, cols], or [rows, cols] for a single plane. Colours mean the same in all.
        names: the headings of the C planes; none, or one for each.
        board: the board whose coordinates label the rows and columns of each plane.
        square_size: the side of a square on the screen, in CSS pixels.
    """
    from mctslab.draw.curves import Chart, color_map, subplots

    shown = np.asarray(stack, dtype=float)
    shown = shown[None] if shown.ndim == 2 else shown
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
    most, has_negative = abs(shown).max() or 1.0, bool(shown.min() < 0)
    colors = color_map(value_color, -1, 1) if has_negative else color_map(heat_color, 0, 1)
    if is_binary:
        colors = color_map(lambda share: mix(ZERO, ONE, share), 0, 1)
    ends = (-most if has_negative else 0.0, most)
    lines: dict[str, Any] = {"color": LINE, "linewidth": 0.6}
    for axes in grid.flat[count:]:
        axes.set_axis_off()
    for number, (axes, plane) in enumerate(zip(grid.flat, shown, strict=False)):
        image = axes.imshow(plane, colors, vmin=ends[0], vmax=ends[1], interpolation="none")
        axes.vlines(np.arange(cols + 1) - 0.5, -0.5, rows - 0.5, **lines)
        axes.hlines(np.arange(rows + 1) - 0.5, -0.5, cols - 0.5, **lines)
        axes.set(xlim=(-0.5, cols - 0.5), ylim=(rows - 0.5, -0.5))
        axes.tick_params(length=0, labelsize=7.5, pad=2, labeltop=True, labelbottom=False)
        axes.set_xticks(range(cols) if board else [], board.column_labels if board else [])
        axes.set_yticks(range(rows) if board else [], board.row_labels if board else [])
        axes.spines[:].set_visible(False)
        if names:
            axes.set_title(names[number], fontsize=9, loc="left", y=1.0, pad=16 if board else 5)
    if not is_binary:
        look: dict[str, Any] = {"location": "bottom", "fraction": 0.06, "aspect": 18}
        look["format"] = lambda number, _: short(number).replace("-", "−")
        bar = figure.colorbar(image, ax=grid, ticks=ends, **look)
        bar.outline.set_visible(False)
    words = f"{count} {'plane' if count == 1 else 'planes'} of {rows} x {cols} squares"
    return Chart(figure, f"{words}: {'; '.join(names)}" if names else words)
