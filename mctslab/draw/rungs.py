"""The ladder of a student's own players: Elo over notebooks."""

import textwrap
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from mctslab.draw.colors import INK, OKABE_ITO
from mctslab.draw.curves import Chart, subplots
from mctslab.draw.strength import Estimate

_HALF_WIDTH: Final = 0.36
_THICKNESS: Final = 0.035
"""Of a rung, as a part of the chart's height."""
_LETTERS: Final = 9
"""In a line of the name below a rung."""


class Rung(NamedTuple):
    """A player on the ladder."""

    notebook: str
    name: str
    game: str
    elo: Estimate
    """Above random play of the same game."""
    kind: str
    """`own`, `lent` if some of its functions are the package's, or `ahead` if it is not climbed
    yet."""


def ladder(rungs: Sequence[Rung]) -> Chart:
    """Every player as a rung over its notebook, in the colour of its game, with its interval.

    A rung is filled if it is the student's own, hollow if some of its functions are the package's,
    and a pale outline if it is still ahead.
    """
    games = list(dict.fromkeys(rung.game for rung in rungs))
    figure, axes = subplots(width=max(7.0, 0.85 * len(rungs)), height=4.4)
    thickness = _THICKNESS * max([1.0, *(rung.elo[2] for rung in rungs)])
    for place, rung in enumerate(rungs):
        color = OKABE_ITO[games.index(rung.game) % len(OKABE_ITO)]
        _draw(axes, place, rung, color, thickness)
    names = (textwrap.fill(rung.name, _LETTERS, break_long_words=False) for rung in rungs)
    labels = [f"{rung.notebook}\n{name}" for rung, name in zip(rungs, names, strict=True)]
    axes.set_xticks(range(len(rungs)), labels, fontsize=8.5)
    axes.set(ylabel="Elo above random play of the same game", xlim=(-0.6, len(rungs) - 0.4))
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.grid(axis="y")
    axes.tick_params(axis="x", length=0)
    colors = dict(zip(games, OKABE_ITO, strict=False))
    key: list[Any] = [Patch(color=color, label=game) for game, color in colors.items()]
    if any(rung.kind == "lent" for rung in rungs):
        key.append(Patch(facecolor="none", edgecolor=INK, label="partly the package's"))
    if any(rung.kind == "ahead" for rung in rungs):
        key.append(Line2D([], [], color=INK, linestyle=":", label="still ahead: the package's"))
    axes.legend(handles=key, frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=3)
    words = "; ".join(map(_in_words, rungs))
    return Chart(figure, f"The ladder: {words}", min_width=620)


def _draw(axes: Any, place: int, rung: Rung, color: str, thickness: float) -> None:
    value, low, high = rung.elo
    left, right = place - _HALF_WIDTH, place + _HALF_WIDTH
    if rung.kind == "ahead":
        axes.plot([left, right], [value, value], color=color, linestyle=":", alpha=0.8)
        return
    axes.plot([place, place], [low, high], color=color, linewidth=1.4)
    inside = color if rung.kind == "own" else "white"
    look = {"facecolor": inside, "edgecolor": color, "linewidth": 1.8, "zorder": 3}
    axes.barh(value, right - left, left=left, height=thickness, **look)


def _in_words(rung: Rung) -> str:
    value, low, high = rung.elo
    kinds = {"own": "", "lent": ", partly the package's", "ahead": ", still ahead"}
    return f"{rung.notebook} {rung.name}, {value:.0f} ({low:.0f} to {high:.0f}){kinds[rung.kind]}"
