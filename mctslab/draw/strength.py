"""Charts of playing strength: ratings, scores, scores during a match, and cross tables.

They are drawn from plain numbers. An estimate is (value, low, high): the measured value and the two
ends of its 95% interval, which can be infinite.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from mctslab.boards.style import value_color
from mctslab.draw.colors import DASHES, INK, OKABE_ITO, TEXT, UNKNOWN
from mctslab.draw.curves import Chart, draw_band, subplots

Estimate: TypeAlias = tuple[float, float, float]

_POINTS: Final = 400
"""More than a chart of this size can show; they keep the picture small."""

_ROW_HEIGHT: Final = 0.34
_ROOM: Final = 0.88
"""To the right of this, a number no longer fits next to a score."""

_CELL: Final = 0.55


def elo_ratings(names: Sequence[str], elo: Sequence[Estimate]) -> Chart:
    """The ratings of several players, the highest on top, with whiskers for the 95% intervals.

    The whisker of an interval without an end is an arrow.

    Args:
        names: the players.
        elo: the rating of each; infinite ones are drawn at the edge.

    Raises:
        ValueError: not one rating for each name, or none.
    """
    _check_same_length(names, elo)
    rated = sorted(zip(names, elo, strict=True), key=lambda pair: pair[1][0], reverse=True)
    figure, axes = _draw_rows(dict(rated), _limits(elo), "+.0f")
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set(xlabel="Elo, with 95% intervals")
    words = "; ".join(f"{name} {_in_words(rating, '+.0f')}" for name, rating in rated)
    return Chart(figure, f"Elo ratings: {words}")


def match_scores(scores: Mapping[str, Estimate], *, order: Sequence[str] = ()) -> Chart:
    """The scores of several matches below each other, with whiskers for the 95% intervals.

    The line in the middle is an even match: a score to its right is a win for its player; if the
    whiskers cross it, the match has decided nothing.

    Args:
        scores: for each match its name and the estimate, from 0 to 1, in the order from the top.
        order: names; each has the colour of its place here, as in `simple_charts.lines`. By default
            all have the same.

    Raises:
        ValueError: there is no match.
    """
    if not scores:
        raise ValueError("Give at least one match.")
    figure, axes = _draw_rows(scores, (0.0, 1.0), ".3f", order)
    axes.axvline(0.5, color=INK, linewidth=0.8)
    axes.set(xlabel="score (a draw is half a win), with 95% intervals")
    words = "; ".join(f"{name} {_in_words(score, '.3f')}" for name, score in scores.items())
    return Chart(figure, f"Scores: {words}")


def _draw_rows(
    estimates: Mapping[str, Estimate],
    limits: tuple[float, float],
    how: str,
    order: Sequence[str] = (),
) -> tuple[Figure, Any]:
    """A row for each estimate, the first on top: a dot, a whisker, and the number beside it."""
    figure, axes = subplots(height=1.0 + _ROW_HEIGHT * len(estimates))
    left, right = limits
    room = (1 - _ROOM) * (right - left)
    rows = range(len(estimates))[::-1]
    for row, (name, estimate) in zip(rows, estimates.items(), strict=True):
        place = order.index(name) if order else 0
        look: dict[str, Any] = {"color": OKABE_ITO[place % len(OKABE_ITO)], "clip_on": False}
        value, low, high = (min(max(number, left), right) for number in estimate)
        axes.plot([low, high], [row, row], linewidth=1.8, **look)
        for end, true, arrow in ((low, estimate[1], "<"), (high, estimate[2], ">")):
            axes.plot(end, row, marker=arrow if math.isinf(true) else "|", **look)
        axes.plot(value, row, marker="o", markersize=6, **look)
        # Next to the whisker, away from the middle as long as there is room.
        is_left = high > right - room if value > (left + right) / 2 else low > left + room
        axes.annotate(
            f"{estimate[0]:{how}}".replace("inf", "∞").replace("-", "−"),
            (low if is_left else high, row),
            xytext=(-8 if is_left else 8, 0),
            textcoords="offset points",
            ha="right" if is_left else "left",
            va="center",
        )
    axes.set_yticks(rows, list(estimates))
    axes.set(xlim=limits, ylim=(-0.6, len(estimates) - 0.4))
    axes.grid(axis="x")
    return figure, axes


def repeated_match(scores: Sequence[Estimate], score: float) -> Chart:
    """The same match played again and again, one whisker beside the other.

    Where a whisker crosses the thin line at one half, that match alone has decided nothing; its
    marker is hollow. The dashed line is the score of all games together.

    Args:
        scores: of each match, from 0 to 1.
        score: of all games.

    Raises:
        ValueError: there is no match.
    """
    if not scores:
        raise ValueError("Give at least one match.")
    figure, axes = subplots(height=3.2)
    undecided = 0
    for place, (value, low, high) in enumerate(scores, start=1):
        decides = not low <= 0.5 <= high
        undecided += not decides
        color = OKABE_ITO[0] if decides else OKABE_ITO[1]
        axes.plot([place, place], [low, high], color=color, linewidth=1.8, marker="_")
        inside = color if decides else "white"
        axes.plot(place, value, "o", color=color, markerfacecolor=inside, markersize=6)
    axes.axhline(0.5, color=INK, linewidth=0.8)
    axes.axhline(score, color="black", linewidth=1.2, linestyle="--")
    axes.set(xlabel="match", ylabel="score (a draw is half a win)", ylim=(0, 1))
    axes.set_xticks(range(1, len(scores) + 1))
    words = f"{undecided} of {len(scores)} intervals contain one half; all games {score:.3f}"
    return Chart(figure, f"The same match {len(scores)} times: {words}")


def running_score(scores: Mapping[str, Sequence[Estimate]]) -> Chart:
    """The score of a match after each game, with the 95% interval as a band.

    Each interval holds if you look once, after a number of games chosen beforehand.

    Args:
        scores: for each match its name and the estimates after 1, 2, 3, ... games, from 0 to 1; at
            most six matches.

    Raises:
        ValueError: there is no match, a match without a game, or more than six.
    """
    if not 1 <= len(scores) <= len(DASHES) or not all(scores.values()):
        raise ValueError(f"Give 1 to {len(DASHES)} matches with at least one game each.")
    figure, axes = subplots()
    ends = []
    for (name, estimates), color, dashes in zip(scores.items(), OKABE_ITO, DASHES, strict=False):
        at = np.unique(np.linspace(0, len(estimates) - 1, _POINTS).round().astype(np.intp))
        value, low, high = np.array(estimates)[at].T
        axes.plot(at + 1, value, color=color, linestyle=dashes, label=name)
        draw_band(axes, at + 1, low, high, color)
        ends.append(f"{name} {_in_words(estimates[-1], '.3f')} after {len(estimates)} games")
    axes.axhline(0.5, color=INK, linewidth=0.8)
    axes.set(xlabel="games", ylabel="score (a draw is half a win)", ylim=(-0.02, 1.02))
    axes.margins(x=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))  # there is no half a game
    axes.grid(axis="y")
    axes.legend(frameon=False)
    return Chart(figure, f"Score as the games go on: {'; '.join(ends)}")


def cross_table(names: Sequence[str], scores: Sequence[Sequence[float | None]]) -> Chart:
    """A cross table: the scores of rows against columns, blue for more than half, otherwise orange.

    Args:
        names: the players, in the order of the rows.
        scores: [players, players]; the score of each row's player against each column's, from 0 to
            1; None if the two did not play.

    Raises:
        ValueError: the table has not one row and column for each name, or is empty.
    """
    _check_same_length(names, scores)
    number = len(names)
    side = _CELL * number
    figure, axes = subplots(width=side + 2.6, height=side + 0.5)
    words = []
    for row, line in enumerate(scores):
        _check_same_length(names, line)
        for column, score in enumerate(line):
            _cell(axes, row, column, score)
            if score is not None:
                words.append(f"{names[row]} against {names[column]} {score:.2f}")
    axes.set(xlim=(0, number), ylim=(number, 0), aspect="equal")
    axes.set_xticks(np.arange(number) + 0.5, [f"({rank + 1})" for rank in range(number)])
    axes.set_yticks(
        np.arange(number) + 0.5, [f"{name}  ({rank})" for rank, name in enumerate(names, start=1)]
    )
    axes.tick_params(length=0, top=False, labeltop=True, bottom=False, labelbottom=False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return Chart(figure, f"Scores: {'; '.join(words)}")


def _cell(axes: Any, row: int, column: int, score: float | None) -> None:
    color = UNKNOWN if score is None else value_color(2 * score - 1)
    axes.add_patch(Rectangle((column + 0.03, row + 0.03), 0.94, 0.94, color=color, linewidth=0))
    if score is not None:
        axes.text(column + 0.5, row + 0.52, f"{score:.2f}", color=TEXT, ha="center", va="center")


def _limits(elo: Sequence[Estimate]) -> tuple[float, float]:
    """The ends of an axis that shows every finite number, and 0."""
    finite = [0.0, *(number for estimate in elo for number in estimate if math.isfinite(number))]
    space = 0.06 * (max(finite) - min(finite)) or 50.0
    return min(finite) - space, max(finite) + space


def _in_words(estimate: Estimate, how: str) -> str:
    value, low, high = (f"{number:{how}}" for number in estimate)
    return f"{value} ({low} to {high})"


def _check_same_length(names: Sequence[str], others: Sequence[object]) -> None:
    if not names or len(names) != len(others):
        raise ValueError(
            f"There are {len(names)} names and {len(others)} entries: give one entry for each "
            "name, and at least one."
        )
