"""Charts of playing strength: ratings, scores, and cross tables.

They are drawn from plain numbers. An estimate is (value, low, high): the measured value and the two
ends of its 95% interval, which can be infinite.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np

from mctslab.boards.style import value_color
from mctslab.draw.cards import number
from mctslab.draw.colors import INK, OKABE_ITO, TEXT, UNKNOWN
from mctslab.draw.curves import Chart, color_map, subplots

Estimate: TypeAlias = tuple[float, float, float]

_ROW_HEIGHT: Final = 0.34
_CELL: Final = 0.55


def elo_ratings(names: Sequence[str], elo: Sequence[Estimate]) -> Chart:
    """The ratings of several players, the highest on top, with whiskers for the 95% intervals.

    The whisker of an interval without an end is an arrow.

    Args:
        names: the players.
        elo: the rating of each; infinite ones are drawn at the edge.
    """
    rated = sorted(zip(names, elo, strict=True), key=lambda pair: pair[1][0], reverse=True)
    finite = [0.0, *(number for rating in elo for number in rating if math.isfinite(number))]
    space = 0.06 * (max(finite) - min(finite)) or 50.0
    limits = (min(finite) - space, max(finite) + space)
    return _rows("Elo", dict(rated), limits, level=0, written=partial(number, how=".0f"))


def match_scores(scores: Mapping[str, Estimate], *, order: Sequence[str] = ()) -> Chart:
    """The scores of several matches below each other, with whiskers for the 95% intervals.

    The line in the middle is an even match: a score to its right is a win for its player; if the
    whiskers cross it, the match has decided nothing.

    Args:
        scores: for each match its name and the estimate, from 0 to 1, in the order from the top.
        order: names; each has the colour of its place here, as in `simple_charts.lines`. By default
            all have the same.
    """
    label = "score (a draw is half a win)"
    return _rows(label, scores, (0.0, 1.0), level=0.5, written="{:.3f}".format, order=order)


def _rows(
    label: str,
    estimates: Mapping[str, Estimate],
    limits: tuple[float, float],
    *,
    level: float,
    written: Callable[[float], str],
    order: Sequence[str] = (),
) -> Chart:
    """A row for each estimate, the first on top: a dot, a whisker, and the number at the right."""
    figure, axes = subplots(height=1.0 + _ROW_HEIGHT * len(estimates))
    rows = range(len(estimates))[::-1]
    for row, (name, estimate) in zip(rows, estimates.items(), strict=True):
        color = OKABE_ITO[order.index(name) % len(OKABE_ITO) if order else 0]
        look: dict[str, Any] = {"color": color, "clip_on": False}
        value, low, high = np.clip(estimate, *limits)
        axes.plot([low, high], [row, row], linewidth=1.8, **look)
        for end, true, arrow in ((low, estimate[1], "<"), (high, estimate[2], ">")):
            axes.plot(end, row, marker=arrow if math.isinf(true) else "|", **look)
        axes.plot(value, row, marker="o", **look)
    axes.axvline(level, color=INK, linewidth=0.8)
    axes.set(xlabel=f"{label}, with 95% intervals", xlim=limits, ylim=(-0.6, len(estimates) - 0.4))
    axes.set_yticks(rows, list(estimates))
    axes.grid(axis="x")
    numbers = axes.secondary_yaxis("right")
    numbers.set_yticks(rows, [written(value) for value, *_ in estimates.values()])
    numbers.tick_params(length=0, pad=8)
    numbers.spines[:].set_visible(False)
    words = (
        f"{name} {written(value)} ({written(low)} to {written(high)})"
        for name, (value, low, high) in estimates.items()
    )
    return Chart(figure, f"{label}: {'; '.join(words)}")


def cross_table(names: Sequence[str], scores: Sequence[Sequence[float | None]]) -> Chart:
    """A cross table: the scores of rows against columns, blue for more than half, otherwise orange.

    Args:
        names: the players, in the order of the rows.
        scores: [players, players]; the score of each row's player against each column's, from 0 to
            1; None if the two did not play.
    """
    side = _CELL * len(names)
    figure, axes = subplots(width=side + 2.6, height=side + 0.5)
    colors = color_map(value_color, -1, 1).with_extremes(bad=UNKNOWN)
    shares = np.array(scores, float)  # None is NaN
    axes.pcolormesh(np.ma.masked_invalid(shares), cmap=colors, vmin=0, vmax=1,
                    edgecolors="white", linewidth=2)  # fmt: skip
    words = []
    for (row, column), score in np.ndenumerate(shares):
        if not math.isnan(score):
            place: dict[str, Any] = {"color": TEXT, "ha": "center", "va": "center"}
            axes.text(column + 0.5, row + 0.52, f"{score:.2f}", **place)
            words.append(f"{names[row]} against {names[column]} {score:.2f}")
    ranks = range(1, len(names) + 1)
    axes.set_xticks(np.arange(len(names)) + 0.5, [f"({rank})" for rank in ranks])
    named = [f"{name}  ({rank})" for name, rank in zip(names, ranks, strict=True)]
    axes.set_yticks(np.arange(len(names)) + 0.5, named)
    axes.set(ylim=(len(names), 0), aspect="equal")
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    axes.spines[:].set_visible(False)
    return Chart(figure, f"Scores: {'; '.join(words)}")
