"""Charts with Matplotlib that follow the theme of the page.

    figure, axes = curves.subplots()
    axes.plot(budgets, win_rates)
    curves.Chart(figure)

Everything black (text, axes, ticks) gets the colour of the page's own text, everything white (the
background of a legend) that of the page. The colours of lines and bars stand out from both; they
are mixed with a little of the text's colour, so that they are darker on a white page and lighter on
a dark one.
"""

import hashlib
import io
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import matplotlib
import numpy as np
import numpy.typing as npt
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, LinearSegmentedColormap, to_rgba
from matplotlib.figure import Figure
from matplotlib.transforms import ScaledTranslation, Transform

from mctslab.boards.elements import document
from mctslab.draw.colors import INK, OKABE_ITO, PIXELS_PER_POINT, THEME_INK

_IN_THE_PAGE: Final = MappingProxyType(
    {
        "stroke: #000000": f"stroke: {THEME_INK}",
        "fill: #ffffff": "fill: var(--jp-layout-color0, #ffffff)",
        "stroke: #ffffff": "stroke: var(--jp-layout-color0, #ffffff)",
        "'DejaVu Sans'": "Helvetica, Arial, 'DejaVu Sans', sans-serif",
    }
)
"""Matplotlib's output, and its replacement in a page."""
_AROUND: Final = re.compile(r"^.*?<svg[^>]*>|<style.*?</style>|</svg>\s*$", re.DOTALL)
"""What is not drawn: the head of the file, and a style sheet, which would hold everywhere."""
_COLORED: Final = re.compile(rf"(fill|stroke): ({'|'.join(OKABE_ITO)})")
_MIXED: Final = rf"\1: \2; \1: color-mix(in srgb, \2 78%, {THEME_INK})"
"""A browser that can't mix colours ignores the second half."""


# Matplotlib's settings belong to the whole process. A widget that draws at the same time as a cell
# would restore the cell's settings instead of the real ones.
_ONE_AT_A_TIME: Final = threading.RLock()


@contextmanager
def style() -> Iterator[None]:
    """The look of our charts, while the `with` block lasts."""
    settings: Any = {  # the type of its keys changes with Matplotlib's version
        "axes.prop_cycle": cycler(color=OKABE_ITO),
        "axes.facecolor": "none",
        "figure.facecolor": "none",
        "savefig.facecolor": "none",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "grid.color": INK,
        "grid.alpha": 0.35,
        "grid.linewidth": 0.6,
        "lines.linewidth": 2.0,
        "font.size": 10.0,
        # Text stays text, so that it can be read aloud and searched for, in the browser's font.
        "svg.fonttype": "none",
        "font.family": "sans-serif",
        "font.sans-serif": ["DejaVu Sans"],
    }
    with _ONE_AT_A_TIME, matplotlib.rc_context(settings):
        yield


def subplots(
    rows: int = 1, cols: int = 1, *, width: float = 7.0, height: float = 3.5, **options: Any
) -> tuple[Figure, Any]:
    """A figure and its axes in our style, as `matplotlib.pyplot.subplots` returns them.

    The figure is not registered in pyplot, so that only `Chart` shows it.

    Args:
        rows: How many axes one above the other.
        cols: How many axes side by side.
        width: Of the whole figure, in inches.
        height: Of the whole figure, in inches.
        options: Passed on to `Figure.subplots`, such as `sharey=True`.
    """
    with style():
        figure = Figure(figsize=(width, height), layout="constrained")
        return figure, figure.subplots(rows, cols, **options)


def draw_band(
    axes: Axes, x: npt.ArrayLike, low: npt.ArrayLike, high: npt.ArrayLike, color: str
) -> None:
    """The area from `low` to `high`, with a thin outline that is visible in both themes."""
    fill, line = to_rgba(color, 0.25), to_rgba(color, 0.6)
    x, low, high = (np.asarray(each, np.float64) for each in (x, low, high))
    axes.fill_between(x, low, high, facecolor=fill, edgecolor=line, linewidth=0.6)


def moved_aside(axes: Axes, place: int, count: int) -> Transform:
    """From data to the page for one of `count` lines whose whiskers would cover each other."""
    aside = 4 / 72 * (place - (count - 1) / 2)
    return axes.transData + ScaledTranslation(aside, 0, axes.figure.dpi_scale_trans)


def color_map(color: Callable[[float], str], low: float, high: float) -> Colormap:
    """The colours of a scale of ours from `low` to `high`, for Matplotlib."""
    colors = [color(value) for value in np.linspace(low, high, 41)]
    return LinearSegmentedColormap.from_list("ours", colors)


@dataclass(frozen=True, slots=True)
class Chart:
    """A figure that shows itself in a notebook, in the colours of the page's theme."""

    figure: Figure
    description: str = "Chart"
    """The text for a screen reader."""
    min_width: int = 0
    """Pixels; where there is less room, the picture scrolls sideways and keeps its text legible."""

    @property
    def svg(self) -> str:
        """The picture, one `<svg>` element."""
        written = io.StringIO()
        unsaid = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        with style(), matplotlib.rc_context({"svg.hashsalt": "mctslab"}):
            self.figure.savefig(written, format="svg", metadata=unsaid)
        content = _AROUND.sub("", written.getvalue()).replace("xlink:href", "href")
        # No two pictures on a page share an id, and those without a reference are gone.
        own = "c" + hashlib.sha256(content.encode()).hexdigest()[:10]
        kept = set(re.findall(r'(?:url\(|href=")#(\w+)', content))
        content = re.sub(r' id="(.*?)"', lambda m: m[0] if m[1] in kept else "", content)
        content = re.sub(r'( id="|url\(#|href="#)', rf"\1{own}", content)
        for written_as, meant in _IN_THE_PAGE.items():
            content = content.replace(written_as, meant)
        # Matplotlib leaves black out, because it is the default colour of SVG.
        look = f'fill="{INK}" style="fill:{THEME_INK};stroke-linejoin:round"'
        width, height = 72 * self.figure.get_size_inches()
        picture = document(
            width,
            height,
            scale=PIXELS_PER_POINT,
            title=self.description,
            description="",
            content=f"<g {look}>{_COLORED.sub(_MIXED, content)}</g>",
            shrinks=True,
        )
        return picture.replace("max-width", f"min-width:{self.min_width}px;max-width", 1)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        picture = self.svg
        return {"image/svg+xml": picture, "text/html": picture, "text/plain": self.description}
