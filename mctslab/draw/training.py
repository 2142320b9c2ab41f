"""The curves of a training run: losses, games and strength, a small chart for each.

They are drawn from plain numbers: the lines of a run's log as mappings, and scores with their
intervals. Earlier runs can be drawn behind the curves, to show whether a run resembles them.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from mctslab.draw.colors import DASHES, INK, OKABE_ITO
from mctslab.draw.curves import Chart, draw_band, moved_aside, subplots

Line: TypeAlias = Mapping[str, Any]
"""An iteration in the log; an entry without a number is None or missing."""

_EARLY: Final = 20
"""Most of what a net gains it gains in these first iterations, so they take half of the axis."""
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

    def of(self, entry: str) -> dict[int, float]:
        """The finite numbers of an entry of the log, or of a difference of two, by iteration."""
        found = {}
        for line in self.log:
            numbers = [line.get(name) for name in entry.split(" - ")]
            value, *subtracted = np.array(numbers, np.float64)  # None is NaN
            found[line["number"]] = value - sum(subtracted)
        return {number: value for number, value in found.items() if math.isfinite(value)}


class _Part(NamedTuple):
    """A chart."""

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
_SCORES: Final = _Part("Score against", "a win 1, a draw ½", {}, low=0, high=1)
_LOOKS: Final = (0, 3)
"""Of the first and the second curve in one chart."""


def training_curves(
    run: Curves, *, num_iterations: int, reference: Sequence[Curves] = ()
) -> list[Chart]:
    """Losses, games and strength of a run, iteration by iteration, each in a chart of its own.

    Most is learned in the first 20 iterations, so they take half of the axis of a longer run.

    Args:
        run: the numbers so far, perhaps none.
        num_iterations: how many iterations the whole run has; the axes end there.
        reference: other runs, drawn as a band from the lowest to the highest of them.
    """
    charts = []
    for part in (*_PARTS, _SCORES):
        figure, axes = subplots(width=3.4, height=2.6)
        axes.set_title(part.title, fontsize=10, loc="left")
        axes.set_ylabel(part.unit, fontsize=9)
        axes.set_xlabel("iteration", fontsize=9)
        axes.tick_params(labelsize=8.5)
        axes.grid(axis="y")
        draw = _draw_scores if part is _SCORES else _draw_part
        newest = draw(axes, part, run, reference)
        _set_scales(axes, part, num_iterations)
        words = [f"{part.title}, {len(run.log)} of {num_iterations} iterations", *newest]
        if reference:
            what = "another run" if len(reference) == 1 else f"{len(reference)} other runs"
            words.append(f"bands: from the lowest to the highest of {what}")
        charts.append(Chart(figure, "; ".join(words)))
    return charts


def _draw_part(axes: Axes, part: _Part, run: Curves, reference: Sequence[Curves]) -> list[str]:
    """Draw the curves of a part; returns its newest numbers in words."""
    newest = []
    for look, (label, entry) in zip(_LOOKS, part.entries.items(), strict=False):
        points = run.of(entry)
        _draw_band(axes, [other.of(entry) for other in reference], OKABE_ITO[look])
        is_short = len(points) == 1 or 0 < len(points) <= len(run.log) <= _FEW
        style: dict[str, Any] = {"color": OKABE_ITO[look], "linestyle": DASHES[look]}
        style["clip_on"] = not is_short  # a point is whole at the end of the axis, too
        x, y = list(points), list(points.values())
        axes.plot(x, y, label=label, marker="o" if is_short else "", markersize=4, **style)
        newest += [f"{label} {y[-1]:.2f}".strip()] if y else []
    if not newest and not axes.collections:
        axes.set_yticks([])
        _say_nothing_yet(axes)
    return newest


def _draw_scores(axes: Axes, _part: _Part, run: Curves, reference: Sequence[Curves]) -> list[str]:
    """Draw the score against each opponent, with whiskers for the intervals."""
    newest = []
    opponents = dict.fromkeys(name for each in (run, *reference) for name in each.scores)
    for place, name in enumerate(opponents):
        look = place % len(OKABE_ITO)
        others = [{s.iteration: s.score for s in each.scores.get(name, ())} for each in reference]
        _draw_band(axes, others, OKABE_ITO[look])
        scored = np.array(run.scores.get(name, ()), np.float64).reshape(-1, 4)
        at, score, low, high = scored.T
        # A net that was measured before it had learned is at 0, and partly outside the axes. But
        # the layout of the figure fails for an unclipped drawing without any points.
        whole: dict[str, Any] = {"color": OKABE_ITO[look], "clip_on": not scored.size}
        whole["transform"] = moved_aside(axes, place, len(opponents))
        axes.vlines(at, low, high, linewidth=1.2, alpha=0.9, **whole)
        axes.plot(at, score, linestyle=DASHES[look], marker="osD^v*"[look],
                  markersize=4, label=name, **whole)  # fmt: skip
        if scored.size:
            newest.append(f"{name} {score[-1]:.2f} ({low[-1]:.2f} to {high[-1]:.2f})")
    axes.axhline(0.5, color=INK, linewidth=0.8)
    if not opponents:
        _say_nothing_yet(axes)
    return newest


def _say_nothing_yet(axes: Axes) -> None:
    """Say in axes that they are empty on purpose."""
    axes.text(0.25, 0.7, "nothing yet", transform=axes.transAxes, ha="center", color=INK)


def _draw_band(axes: Axes, runs: Sequence[Mapping[int, float]], color: str) -> None:
    """From the lowest to the highest of some runs at each iteration."""
    found: dict[int, list[float]] = {}
    for run in runs:
        for number, value in run.items():
            found.setdefault(number, []).append(value)
    if found:
        at = sorted(found)
        draw_band(axes, at, [min(found[n]) for n in at], [max(found[n]) for n in at], color)


def _set_scales(axes: Axes, part: _Part, num_iterations: int) -> None:
    """Give the first iterations half of a long axis, name the lines, and leave some room."""
    if num_iterations > 2 * _EARLY:
        # The scale is logarithmic from there on, and Matplotlib makes the other part larger by 1/9.
        ratio = num_iterations / _EARLY
        axes.set_xscale("symlog", linthresh=_EARLY, linscale=0.9 * math.log10(ratio))
        late = {round(_EARLY * ratio**share, -1) for share in (1 / 3, 2 / 3)}
        axes.set_xticks([0, 10, _EARLY, *late, num_iterations])
        axes.xaxis.set_major_formatter("{x:g}")
        axes.minorticks_off()
        axes.axvline(_EARLY, color=INK, linewidth=0.8, linestyle=":")
        axes.set_xlabel(f"iteration (logarithmic after {_EARLY})", fontsize=9)
    else:
        whole = MaxNLocator(5, steps=[1, 2, 5, 10], integer=True)  # there is no half an iteration
        axes.xaxis.set_major_locator(whole)
    axes.set_xlim(0, num_iterations)
    if axes.get_legend_handles_labels()[1][part is not _SCORES :]:  # one curve needs no name
        axes.legend(frameon=False, fontsize=8, handlelength=2.6, borderaxespad=0.2)
    axes.margins(y=_LOOSE)
    if part.low is not None and part.high is not None:
        axes.set_ylim(part.low - _LOOSE / 2, part.high + _LOOSE / 2)
    elif part.low is not None and part.low < (top := axes.dataLim.ymax) < math.inf:
        axes.set_ylim(part.low, top + _LOOSE * (top - part.low))
