"""The curves of a training run: what the net still gets wrong, how its games go, how strong it is.

They take plain numbers: the lines of a run's log as mappings, and scores with their intervals. Runs
that were made before can be laid behind the curves, so that one sees whether a run is as others
were.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from mctslab.draw.colors import DASHES, INK, OKABE_ITO
from mctslab.draw.curves import Chart, subplots

Line: TypeAlias = Mapping[str, Any]
"""What the log says of an iteration; a number that there is not is None or missing."""
Floats: TypeAlias = npt.NDArray[np.float64]

_WIDTH: Final = 10.2
_HEIGHT: Final = 5.2
_BAND: Final = 0.28
_INTERVAL: Final = 0.9
_ASIDE: Final = 0.008
"""So much of the axis opponents are drawn beside each other, lest one hide the other's interval."""
_LOOSE: Final = 0.06
"""So much of an axis is left free above and below."""


class Scored(NamedTuple):
    """A match of the net after an iteration: its score, and the ends of its 95 % interval."""

    iteration: int
    score: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Curves:
    """What there is to draw of a run."""

    log: Sequence[Line]
    """One line an iteration, with the names of `mctslab.net.trainer.Iteration`."""
    scores: Mapping[str, Sequence[Scored]] = field(default_factory=dict)
    """By opponent."""


class _Curve(NamedTuple):
    label: str
    value: Callable[[Line], float]
    look: int


class _Part(NamedTuple):
    """One of the axes."""

    title: str
    unit: str
    curves: tuple[_Curve, ...]
    low: float | None
    high: float | None


def _of(name: str) -> Callable[[Line], float]:
    return lambda line: _number(line.get(name))


def _gap(line: Line) -> float:
    """How far the net's policy is from what the searches found, in nats."""
    return _number(line.get("policy_loss")) - _number(line.get("policy_entropy"))


_PARTS: Final = (
    _Part("Loss of the value", "squared error", (_Curve("value", _of("value_loss"), 0),), 0, None),
    _Part(
        "Loss of the policy",
        "nats",
        (
            _Curve("policy", _of("policy_loss"), 0),
            _Curve("entropy of its target", _of("policy_entropy"), 3),
        ),
        0,
        None,
    ),
    _Part("Policy: what is left to learn", "nats", (_Curve("difference", _gap, 0),), 0, None),
    _Part("Length of the games", "plies", (_Curve("length", _of("game_length"), 0),), None, None),
    _Part(
        "Score of the first player",
        "a win 1, a draw ½",
        (_Curve("first player", _of("first_player_score"), 0),),
        0,
        1,
    ),
)


def training_curves(run: Curves, *, num_iterations: int, reference: Sequence[Curves] = ()) -> Chart:
    """Losses, games and strength of a run, iteration by iteration, each in axes of its own.

    Args:
        run: what there is so far; it may be nothing.
        num_iterations: how many iterations the whole run has: as far as the axes go.
        reference: other runs; from the lowest to the highest of them a band lies behind the curve.

    Raises:
        ValueError: `num_iterations` is below 1.
    """
    if num_iterations < 1:
        raise ValueError(f"num_iterations={num_iterations!r} is no run: 1 or more.")
    figure, grid = subplots(2, 3, width=_WIDTH, height=_HEIGHT)
    *places, last = grid.flat
    for axes, part in zip(places, _PARTS, strict=True):
        _draw_part(axes, part, run, reference)
    _draw_scores(last, run, reference, num_iterations)
    for axes in grid.flat:
        axes.set_xlim(0, num_iterations)
        axes.grid(axis="y")
        axes.tick_params(labelsize=8.5)
    for axes in grid[-1]:
        axes.set_xlabel("iteration", fontsize=9)
    return Chart(figure, _in_words(run, num_iterations, len(reference)))


def _draw_part(axes: Axes, part: _Part, run: Curves, reference: Sequence[Curves]) -> None:
    _entitle(axes, part.title, part.unit)
    for curve in part.curves:
        color = OKABE_ITO[curve.look]
        logs = [[(line["number"], curve.value(line)) for line in each.log] for each in reference]
        _draw_band(axes, logs, color)
        own = [(line["number"], curve.value(line)) for line in run.log]
        points = np.array([pair for pair in own if math.isfinite(pair[1])]).reshape(-1, 2)
        marker = "o" if len(points) == 1 else ""
        look: dict[str, Any] = {"color": color, "linestyle": DASHES[curve.look], "marker": marker}
        axes.plot(points[:, 0], points[:, 1], label=curve.label, **look)
    if len(part.curves) > 1:
        _put_legend(axes)
    _set_height(axes, part.low, part.high)


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
        at = at + _ASIDE * num_iterations * (place - (len(opponents) - 1) / 2)
        axes.vlines(at, low, high, color=color, linewidth=1.2, alpha=_INTERVAL)
        axes.plot(at, score, color=color, linestyle=DASHES[look], marker="osD^v*"[look],
                  markersize=4, label=name)  # fmt: skip
    axes.axhline(0.5, color=INK, linewidth=0.8)
    if opponents:
        _put_legend(axes)
    _set_height(axes, 0, 1)


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
    axes.fill_between(at, lows, highs, color=color, alpha=_BAND, linewidth=0)


def _entitle(axes: Axes, title: str, unit: str) -> None:
    axes.set_title(title, fontsize=10, loc="left")
    axes.set_ylabel(unit, fontsize=9)


def _put_legend(axes: Axes) -> None:
    axes.legend(frameon=False, fontsize=8, loc="best", handlelength=2.6, borderaxespad=0.2)


def _set_height(axes: Axes, low: float | None, high: float | None) -> None:
    """Leave some room, and begin or end where a number can go no further."""
    axes.margins(y=_LOOSE)
    if low is not None and high is not None:
        axes.set_ylim(low - _LOOSE / 2, high + _LOOSE / 2)
    elif low is not None:
        axes.set_ylim(bottom=low)


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _in_words(run: Curves, num_iterations: int, num_reference: int) -> str:
    """The newest numbers, for those who don't see the curves."""
    parts = [f"Training, {len(run.log)} of {num_iterations} iterations"]
    if run.log:
        newest = run.log[-1]
        for part in _PARTS:
            curve = part.curves[0]
            if math.isfinite(value := curve.value(newest)):
                parts.append(f"{part.title.lower()} {value:.2f}")
    for name, scored in run.scores.items():
        if scored:
            _, score, low, high = scored[-1]
            parts.append(f"score against {name} {score:.2f} ({low:.2f} to {high:.2f})")
    if num_reference:
        parts.append(f"bands: from the lowest to the highest of {num_reference} other runs")
    return "; ".join(parts)
