"""The curves of a training run: losses, games and strength.

They are drawn from plain numbers: the lines of a run's log as mappings, and scores with their
intervals. Earlier runs can be drawn behind the curves, to show whether a run resembles them.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from mctslab.draw.colors import DASHES, INK, OKABE_ITO
from mctslab.draw.curves import Chart, draw_band, subplots

FloatArray: TypeAlias = npt.NDArray[np.float64]
Line: TypeAlias = Mapping[str, Any]
"""An iteration in the log; an entry without a number is None or missing."""

_WIDTH: Final = 10.2
_HEIGHT: Final = 5.2
_MIN_WIDTH: Final = 760
_INTERVAL: Final = 0.9
_EARLY: Final = 20
"""Most of what a net gains it gains in these first iterations, so they take half of the axis."""
_ASIDE: Final = 0.008
"""The distance between opponents, as a share of the axis: their intervals must not overlap."""
_FEW: Final = 3
"""So few iterations are points as well, because a line would be too short to be seen."""
_LOOSE: Final = 0.06
"""The share of an axis that is left free above and below."""


class Scored(NamedTuple):
    """A match of the net after an iteration: its score, and the ends of its 95% interval."""

    iteration: int
    score: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Curves:
    """The numbers of a run."""

    log: Sequence[Line]
    """One line an iteration, with the names of `mctslab.net.training.Iteration`."""
    scores: Mapping[str, Sequence[Scored]] = field(default_factory=dict)
    """By opponent."""


class _Part(NamedTuple):
    """One of the axes."""

    title: str
    unit: str
    entries: Mapping[str, str]
    """The entry of the log that each curve shows, by the curve's label."""
    low: float | None = None
    high: float | None = None


_GAP: Final = "policy_loss - policy_entropy"
"""The distance of the net's policy from the searches' results."""

_PARTS: Final = (
    _Part("Loss of the value", "squared error", {"value": "value_loss"}, low=0),
    _Part(
        "Loss of the policy",
        "nats",
        {"policy": "policy_loss", "entropy of its target": "policy_entropy"},
        low=0,
    ),
    _Part("Policy: what remains to be learned", "nats", {"difference": _GAP}, low=0),
    _Part("Length of the games", "plies", {"length": "game_length"}),
    _Part(
        "Score of the first player", "a win 1, a draw ½", {"": "first_player_score"}, low=0, high=1
    ),
)
_LOOKS: Final = (0, 3)
"""Of the first and the second curve in one part."""


def _value(line: Line, entry: str) -> float:
    """The number in a line of the log; NaN if there is none."""
    first, *subtracted = (line.get(name) for name in entry.split(" - "))
    values = [math.nan if value is None else float(value) for value in (first, *subtracted)]
    return values[0] - sum(values[1:])


def training_curves(run: Curves, *, num_iterations: int, reference: Sequence[Curves] = ()) -> Chart:
    """Losses, games and strength of a run, iteration by iteration, each in axes of its own.

    Most is learned in the first 20 iterations, so they take half of the axis of a longer run.

    Args:
        run: the numbers so far, perhaps none.
        num_iterations: how many iterations the whole run has; the axes end there.
        reference: other runs, drawn as a band from the lowest to the highest of them.

    Raises:
        ValueError: `num_iterations` is below 1.
    """
    if num_iterations < 1:
        raise ValueError(f"num_iterations={num_iterations!r} is not possible: at least 1.")
    figure, grid = subplots(2, 3, width=_WIDTH, height=_HEIGHT)
    *places, last = grid.flat
    for axes, part in zip(places, _PARTS, strict=True):
        _draw_part(axes, part, run, reference)
    _draw_scores(last, run, reference, num_iterations)
    for axes in grid.flat:
        _stretch_early(axes, num_iterations)
        axes.grid(axis="y")
        axes.tick_params(labelsize=8.5)
    for axes in grid[-1]:
        axes.set_xlabel(_axis_title(num_iterations), fontsize=9)
    return Chart(figure, _in_words(run, num_iterations, len(reference)), _MIN_WIDTH)


def _is_stretched(num_iterations: int) -> bool:
    return num_iterations > 2 * _EARLY


def _axis_title(num_iterations: int) -> str:
    stretched = f"iteration (the first {_EARLY} take half of the axis)"
    return stretched if _is_stretched(num_iterations) else "iteration"


def _scale(num_iterations: int) -> tuple[list[float], list[float]]:
    """Iterations, and their places on the axis from 0 to 1; in between both are even.

    They go beyond the ends of the axis, because Matplotlib and the offsets of opponents do.
    """
    if not _is_stretched(num_iterations):
        return [-num_iterations, 2 * num_iterations], [-1, 2]
    return [-_EARLY, _EARLY, 2 * num_iterations - _EARLY], [-0.5, 0.5, 1.5]


def _places(iterations: FloatArray, num_iterations: int) -> FloatArray:
    """Where on the axis iterations are, from 0 to 1."""
    known, places = _scale(num_iterations)
    return np.interp(iterations, known, places)


def _iterations(places: FloatArray, num_iterations: int) -> FloatArray:
    """The iterations at these places."""
    known, its_places = _scale(num_iterations)
    return np.interp(places, its_places, known)


def _stretch_early(axes: Axes, num_iterations: int) -> None:
    """Give the first iterations half of the axis, and mark where the scale changes."""
    if _is_stretched(num_iterations):
        there = partial(_places, num_iterations=num_iterations)
        back = partial(_iterations, num_iterations=num_iterations)
        axes.set_xscale("function", functions=(there, back))
        axes.set_xticks(_ticks(num_iterations))
        axes.axvline(_EARLY, color=INK, linewidth=0.8, linestyle=":")
    else:
        whole = MaxNLocator(5, steps=[1, 2, 5, 10], integer=True)  # there is no half an iteration
        axes.xaxis.set_major_locator(whole)
    axes.set_xlim(0, num_iterations)


def _ticks(num_iterations: int) -> list[int]:
    """Iterations to name on a stretched axis, at about equal distances."""
    late = MaxNLocator(nbins=3, steps=[1, 2, 5, 10]).tick_values(_EARLY, num_iterations)
    quarter = (num_iterations - _EARLY) / 4
    shown = [int(tick) for tick in late if _EARLY + quarter < tick < num_iterations - quarter / 2]
    return [*range(0, _EARLY + 1, _EARLY // 4), *shown, num_iterations]


def _draw_part(axes: Axes, part: _Part, run: Curves, reference: Sequence[Curves]) -> None:
    _entitle(axes, part.title, part.unit)
    num_points = 0
    for look, (label, entry) in zip(_LOOKS, part.entries.items(), strict=False):
        logs = [
            [(line["number"], _value(line, entry)) for line in each.log]
            for each in (*reference, run)
        ]
        _draw_band(axes, logs[:-1], OKABE_ITO[look])
        points = np.array([pair for pair in logs[-1] if math.isfinite(pair[1])]).reshape(-1, 2)
        num_points += sum(map(len, logs[:-1])) + len(points)
        is_short = len(points) == 1 or 0 < len(points) <= len(run.log) <= _FEW
        marker = "o" if is_short else ""
        style: dict[str, Any] = {"color": OKABE_ITO[look], "linestyle": DASHES[look]}
        style["clip_on"] = not marker  # a point is whole at the end of the axis, too
        axes.plot(points[:, 0], points[:, 1], label=label, marker=marker, markersize=4, **style)
    if len(part.entries) > 1:
        _put_legend(axes)
    _set_height(axes, part.low, part.high)
    if not num_points:
        axes.set_yticks([])
        _say_nothing_yet(axes)


def _draw_scores(axes: Axes, run: Curves, reference: Sequence[Curves], num_iterations: int) -> None:
    """The score against each opponent, with whiskers for the intervals."""
    _entitle(axes, "Score against", "a win 1, a draw ½")
    opponents = dict.fromkeys(name for each in (run, *reference) for name in each.scores)
    for place, name in enumerate(opponents):
        look = place % len(OKABE_ITO)
        color = OKABE_ITO[look]
        _draw_band(
            axes,
            [[(s.iteration, s.score) for s in each.scores.get(name, ())] for each in reference],
            color,
        )
        scored = np.array(run.scores.get(name, ()), np.float64).reshape(-1, 4)
        at, score, low, high = scored.T
        aside = _ASIDE * (place - (len(opponents) - 1) / 2)
        at = _iterations(_places(at, num_iterations) + aside, num_iterations)
        # A net that was measured before it had learned is at 0, and partly outside the axes. But
        # the layout of the figure fails for an unclipped drawing without any points.
        whole: dict[str, Any] = {"color": color, "clip_on": not scored.size}
        axes.vlines(at, low, high, linewidth=1.2, alpha=_INTERVAL, **whole)
        axes.plot(at, score, linestyle=DASHES[look], marker="osD^v*"[look],
                  markersize=4, label=name, **whole)  # fmt: skip
    axes.axhline(0.5, color=INK, linewidth=0.8)
    if opponents:
        _put_legend(axes)
    else:
        _say_nothing_yet(axes)
    _set_height(axes, 0, 1)


def _say_nothing_yet(axes: Axes) -> None:
    """Say in axes that they are empty on purpose."""
    axes.text(0.25, 0.7, "nothing yet", transform=axes.transAxes, ha="center", color=INK)


def _draw_band(axes: Axes, runs: Sequence[Sequence[tuple[int, float]]], color: str) -> None:
    """From the lowest to the highest of some runs at each iteration."""
    found: dict[int, list[float]] = {}
    for run in runs:
        for number, value in run:
            if math.isfinite(value):
                found.setdefault(number, []).append(value)
    if not found:
        return
    at = sorted(found)
    lows, highs = [min(found[each]) for each in at], [max(found[each]) for each in at]
    draw_band(axes, at, lows, highs, color)


def _entitle(axes: Axes, title: str, unit: str) -> None:
    axes.set_title(title, fontsize=10, loc="left")
    axes.set_ylabel(unit, fontsize=9)


def _put_legend(axes: Axes) -> None:
    axes.legend(frameon=False, fontsize=8, loc="best", handlelength=2.6, borderaxespad=0.2)


def _set_height(axes: Axes, low: float | None, high: float | None) -> None:
    """Leave some room, and begin or end at the limits of the numbers."""
    axes.margins(y=_LOOSE)
    if low is not None and high is not None:
        axes.set_ylim(low - _LOOSE / 2, high + _LOOSE / 2)
    elif low is not None:
        top = axes.dataLim.ymax
        axes.set_ylim(low, top + _LOOSE * (top - low) if low < top < math.inf else None)


def _in_words(run: Curves, num_iterations: int, num_reference: int) -> str:
    """The newest numbers, for a screen reader."""
    parts = [f"Training, {len(run.log)} of {num_iterations} iterations"]
    if run.log:
        newest = run.log[-1]
        for part in _PARTS:
            if math.isfinite(value := _value(newest, next(iter(part.entries.values())))):
                parts.append(f"{part.title.lower()} {value:.2f}")
    for name, scored in run.scores.items():
        if scored:
            _, score, low, high = scored[-1]
            parts.append(f"score against {name} {score:.2f} ({low:.2f} to {high:.2f})")
    if num_reference:
        parts.append(f"bands: from the lowest to the highest of {num_reference} other runs")
    return "; ".join(parts)
