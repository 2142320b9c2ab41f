"""The charts that most experiments need, with their 95% intervals: lines, bars, and the regret of
bandits.

simple_charts.lines([1, 2, 3], {"UCT": [0.5, 0.6, 0.7]}, x_label="budget", y_label="score")
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from matplotlib.artist import Artist

from mctslab.draw.colors import DASHES, OKABE_ITO
from mctslab.draw.curves import Chart, draw_band, moved_aside, subplots
from mctslab.search.bandits import Played

MARKERS: Final = "os^Dv<>P"
"""Lines also differ in their markers, for readers who cannot tell their colours apart."""

_MOST_MARKERS: Final = 40
"""A line through more points than these has no markers; it differs in its dashes."""
_MOST_POINTS: Final = 400
"""More than a chart of this size can show; they keep the picture small."""
_MOST_BANDS: Final = 2
_LEGEND_WIDTH: Final = 60
"""Room for a legend above a chart, in letters."""
_SAMPLE_WIDTH: Final = 7
"""Of the sample of a line beside its name, in letters."""

Pairs = Sequence[tuple[float, float]] | npt.NDArray[np.float64]
"""The two ends of the interval of each value."""


def lines(
    x: Sequence[float],
    series: Mapping[str, Sequence[float] | npt.NDArray[np.float64]],
    *,
    x_label: str,
    y_label: str,
    intervals: Mapping[str, Pairs] | None = None,
    level: float | None = None,
    order: Sequence[str] = (),
    log_x: bool = False,
    log_y: bool = False,
    y_range: tuple[float, float] | None = None,
    height: float = 3.2,
    description: str = "",
) -> Chart:
    """Lines over a common x axis, each with a marker at every value if these are not too many.

    The intervals of one or two lines are bands, and so are those of lines through many points. The
    intervals of more lines are whiskers, and the lines lie a little beside each other, because the
    bands would cover each other.

    Args:
        x: The x coordinates of the values in ascending order; the same for all lines.
        series: The values of each line by its name in the legend.
        x_label: What the x axis shows, with its unit.
        y_label: What the y axis shows, with its unit.
        intervals: For the lines that have intervals, the two ends of the interval of each value.
        level: The height of a thin horizontal line to compare with.
        order: Names of lines; each has the colour and the marker of its place here, so that it
            looks the same in every chart that is drawn with this order. By default the order of
            `series`.
        log_x: Whether equal distances on the x axis mean equal factors; each of `x` gets a tick,
            unless they are too many.
        log_y: Whether equal distances on the y axis mean equal factors.
        y_range: The ends of the y axis; None: the range of the values.
        height: Of the chart, in inches.
        description: For a screen reader; by default it says what the axes show.
    """
    figure, axes = subplots(height=height)
    places = list(order) or list(series)
    intervals = intervals or {}
    is_dense = len(x) > _MOST_MARKERS
    kept = _spread_over(x, log=log_x) if is_dense else slice(None)
    at = np.asarray(x)[kept]
    have_whiskers = len(intervals.keys() & series.keys()) > _MOST_BANDS and not is_dense
    for row, (name, every_value) in enumerate(series.items()):
        values = np.asarray(every_value)[kept]
        place = places.index(name)
        color = OKABE_ITO[place % len(OKABE_ITO)]
        look: dict[str, Any] = {"marker": MARKERS[place % len(MARKERS)]}
        if is_dense:
            look = {"linestyle": DASHES[place % len(DASHES)]}
        # A marker at an end of the range is not cut in two.
        is_cut = y_range is not None and not all(y_range[0] <= y <= y_range[1] for y in values)
        drawn: list[Artist] = axes.plot(at, values, color=color, label=name, clip_on=is_cut, **look)
        if name in intervals:
            lows, highs = np.asarray(intervals[name])[kept].T
            if have_whiskers:
                drawn.append(axes.vlines(at, lows, highs, linewidth=1.4, color=color))
            else:
                draw_band(axes, at, lows, highs, color)
        if have_whiskers:  # set afterwards, because the range of the axis does not depend on it
            for each in drawn:
                each.set_transform(moved_aside(axes, row, len(series)))
    if level is not None:
        axes.axhline(level, color="black", linewidth=1, linestyle=":")
    axes.set(xlabel=x_label, ylabel=y_label)
    if all(float(each).is_integer() for each in x):  # there are no half plies
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.xaxis.set_major_formatter("{x:,g}")
    if log_x:
        axes.set_xscale("log")
        if not is_dense:
            axes.set_xticks(x, [f"{each:,.10g}" for each in x])
            axes.minorticks_off()
    if log_y:
        axes.set_yscale("log")
    if y_range is not None:  # None would keep the ticks of the linear scale
        axes.set_ylim(y_range)
    if len(series) > 3 or have_whiskers:  # above, because between the lines there is no room
        axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=_columns(series))
    elif len(series) > 1:
        axes.legend(frameon=False)
    return Chart(figure, description or f"{y_label} against {x_label}: {', '.join(series)}")


def _spread_over(x: Sequence[float], *, log: bool) -> npt.NDArray[np.intp]:
    """The places of the points that are drawn, evenly spread over the axis."""
    spread = np.geomspace if log else np.linspace
    return np.unique(np.searchsorted(x, spread(x[0], x[-1], _MOST_POINTS)).clip(max=len(x) - 1))


def _columns(names: Iterable[str]) -> int:
    """The columns of a legend: one for each name if all fit beside each other, otherwise two."""
    widths = [_SAMPLE_WIDTH + len(name) for name in names]
    return len(widths) if sum(widths) <= _LEGEND_WIDTH else 2


def regret(played: Sequence[Played], *, log_pulls: bool = False) -> Chart:
    """The mean regret of strategies up to each pull, with the 95% interval of the mean as a band.

    Args:
        played: The runs of each strategy, all of equally many pulls.
        log_pulls: Whether the axis of the pulls is logarithmic; on it, a straight line is a regret
            that grows with the logarithm of the pulls.
    """
    means = {str(one.strategy): one.mean_regret for one in played}
    margins = {str(one.strategy): one.margin for one in played}
    bands = {
        name: np.c_[means[name] - margins[name], means[name] + margins[name]] for name in means
    }
    ends = [f"{name} {mean[-1]:.1f} ± {margins[name][-1]:.1f}" for name, mean in means.items()]
    return lines(
        range(1, len(played[0].mean_regret) + 1),
        means,
        x_label="pulls (logarithmic)" if log_pulls else "pulls",
        y_label="mean regret (expected wins missed)",
        intervals=bands,
        log_x=log_pulls,
        y_range=(0, 1.05 * max(float(band.max()) for band in bands.values())),
        height=3.5,
        description=f"Mean regret up to each pull; in the end {'; '.join(ends)}",
    )


def bars(
    values: Mapping[str, float],
    *,
    label: str,
    intervals: Mapping[str, tuple[float, float]] | None = None,
    marks: Mapping[str, float] | None = None,
    value_range: tuple[float, float] | None = None,
    log: bool = False,
) -> Chart:
    """Horizontal bars, the first on top, each with its interval as a thin line.

    Args:
        values: The length of each bar by its name.
        label: What the axis shows, with its unit.
        intervals: For the bars that have an interval, its two ends.
        marks: Dashed vertical lines to compare with, by their names in the legend.
        value_range: The ends of the axis; None: the range of the values.
        log: Whether equal distances on the axis mean equal factors.
    """
    marks = marks or {}
    figure, axes = subplots(height=0.9 + 0.4 * len(values) + 0.3 * bool(marks))
    axes.barh(list(values), list(values.values()), color=OKABE_ITO[0], alpha=0.6, height=0.65)
    for name, ends in (intervals or {}).items():
        axes.plot(ends, [name, name], color="black", linewidth=1.5, marker="|", markersize=8)
    for number, (name, place) in enumerate(marks.items(), start=1):
        axes.axvline(place, linestyle="--", color=OKABE_ITO[number], label=name)
    axes.set(xlabel=label)
    if log:
        axes.set_xscale("log")
    if value_range is not None:
        axes.set_xlim(value_range)
    axes.invert_yaxis()
    if marks:  # above the bars, because they can reach everywhere
        axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=len(marks))
    return Chart(figure, f"{label}: {', '.join(values)}")
