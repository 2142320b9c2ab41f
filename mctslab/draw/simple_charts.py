"""The two charts that most experiments need: lines and bars, with their 95% intervals.

simple_charts.lines([1, 2, 3], {"UCT": [0.5, 0.6, 0.7]}, x_label="budget", y_label="score")
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from matplotlib.artist import Artist
from matplotlib.transforms import ScaledTranslation

from mctslab.draw.colors import OKABE_ITO
from mctslab.draw.curves import Chart, draw_band, subplots

MARKERS: Final = "os^Dv<>P"
"""Lines also differ in their markers, for readers who cannot tell their colours apart."""

_MOST_BANDS: Final = 2
_LEGEND_WIDTH: Final = 60
"""Room for a legend above a chart, in letters."""
_SAMPLE_WIDTH: Final = 7
"""Of the sample of a line beside its name, in letters."""

Pairs = Sequence[tuple[float, float]]
"""The two ends of the interval of each value."""


def lines(
    x: Sequence[float],
    series: Mapping[str, Sequence[float]],
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
    """Lines over a common x axis, each with a marker at every value.

    The intervals of one or two lines are bands. Those of more lines are whiskers, and the lines lie
    a little beside each other, because the bands would cover each other.

    Args:
        x: The x coordinates of the values; the same for all lines.
        series: The values of each line by its name in the legend.
        x_label: What the x axis shows, with its unit.
        y_label: What the y axis shows, with its unit.
        intervals: For the lines that have intervals, the two ends of the interval of each value.
        level: The height of a thin horizontal line to compare with.
        order: Names of lines; each has the colour and the marker of its place here, so that it
            looks the same in every chart that is drawn with this order. By default the order of
            `series`.
        log_x: Whether equal distances on the x axis mean equal factors; each of `x` gets a tick.
        log_y: Whether equal distances on the y axis mean equal factors.
        y_range: The ends of the y axis; None: the range of the values.
        height: Of the chart, in inches.
        description: For a screen reader; by default it says what the axes show.
    """
    figure, axes = subplots(height=height)
    places = list(order) or list(series)
    intervals = intervals or {}
    are_many = len(intervals.keys() & series.keys()) > _MOST_BANDS
    for row, (name, values) in enumerate(series.items()):
        number = places.index(name)
        color, marker = OKABE_ITO[number % len(OKABE_ITO)], MARKERS[number % len(MARKERS)]
        # A marker at an end of the range is not cut in two.
        is_cut = y_range is not None and not all(y_range[0] <= y <= y_range[1] for y in values)
        drawn: list[Artist] = axes.plot(
            x, values, marker=marker, color=color, label=name, clip_on=is_cut
        )
        if name in intervals:
            lows, highs = zip(*intervals[name], strict=True)
            if are_many:
                drawn.append(axes.vlines(x, lows, highs, linewidth=1.4, color=color))
            else:
                draw_band(axes, x, lows, highs, color)
        if are_many:  # set afterwards, because the range of the axis does not depend on it
            aside = ScaledTranslation(_aside(row, len(series)), 0, figure.dpi_scale_trans)
            for each in drawn:
                each.set_transform(axes.transData + aside)
    if level is not None:
        axes.axhline(level, color="black", linewidth=1, linestyle=":")
    axes.set(xlabel=x_label, ylabel=y_label)
    if all(float(each).is_integer() for each in x):  # there are no half plies
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.xaxis.set_major_formatter("{x:,g}")
    if log_x:
        axes.set_xscale("log")
        axes.set_xticks(x, [f"{each:,.10g}" for each in x])
        axes.minorticks_off()
    if log_y:
        axes.set_yscale("log")
    if y_range is not None:  # None would keep the ticks of the linear scale
        axes.set_ylim(y_range)
    if (
        len(series) > 3 or are_many
    ):  # above, because there is hardly ever room for them between the lines
        axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=_columns(series))
    elif len(series) > 1:
        axes.legend(frameon=False)
    return Chart(figure, description or f"{y_label} against {x_label}: {', '.join(series)}")


def _columns(names: Iterable[str]) -> int:
    """The columns of a legend: one for each name if all fit beside each other, otherwise two."""
    widths = [_SAMPLE_WIDTH + len(name) for name in names]
    return len(widths) if sum(widths) <= _LEGEND_WIDTH else 2


def _aside(row: int, num_rows: int) -> float:
    """How far to the side a line with whiskers is drawn, in inches."""
    return 4 / 72 * (row - (num_rows - 1) / 2)


def bars(
    values: Mapping[str, float],
    *,
    label: str,
    intervals: Mapping[str, tuple[float, float]] | None = None,
    marks: Mapping[str, float] | None = None,
    value_range: tuple[float, float] | None = None,
    log: bool = False,
    description: str = "",
) -> Chart:
    """Horizontal bars, the first on top, each with its interval as a thin line.

    Args:
        values: The length of each bar by its name.
        label: What the axis shows, with its unit.
        intervals: For the bars that have an interval, its two ends.
        marks: Dashed vertical lines to compare with, by their names in the legend.
        value_range: The ends of the axis; None: the range of the values.
        log: Whether equal distances on the axis mean equal factors.
        description: For a screen reader; by default it says what the axis shows.
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
    return Chart(figure, description or f"{label}: {', '.join(values)}")
