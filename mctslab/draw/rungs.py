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
    elo: Estimate | None
    """Above random play of the same game; None if it is not climbed yet."""
    kind: str
    """`own`, `lent` if some of its functions are the package's, or `ahead`."""


def ladder(rungs: Sequence[Rung]) -> Chart:
    """Every player as a rung over its notebook, in the colour of its game, with its interval.

    A rung is filled if it is the student's own, hollow if some of its functions are the package's,
    and a question mark if it is still ahead; the next one's is larger.
    """
    games = list(dict.fromkeys(rung.game for rung in rungs))
    figure, axes = subplots(width=max(7.0, 0.85 * len(rungs)), height=4.4)
    top = max([400.0, *(rung.elo[2] for rung in rungs if rung.elo)])
    ahead = [rung for rung in rungs if rung.elo is None]
    for place, rung in enumerate(rungs):
        color = OKABE_ITO[games.index(rung.game) % len(OKABE_ITO)]
        if rung.elo is None:
            look: dict[str, Any] = {"color": color, "ha": "center", "va": "center"}
            axes.text(place, top / 2, "?", fontsize=30 if rung is ahead[0] else 13, **look)
        else:
            _draw(axes, place, rung.elo, rung.kind, color, _THICKNESS * top)
    names = (textwrap.fill(rung.name, _LETTERS, break_long_words=False) for rung in rungs)
    labels = [f"{rung.notebook}\n{name}" for rung, name in zip(rungs, names, strict=True)]
    axes.set_xticks(range(len(rungs)), labels, fontsize=8.5)
    axes.set(ylabel="Elo above random play of the same game", xlim=(-0.6, len(rungs) - 0.4))
    lowest = min([0.0, *(rung.elo[1] for rung in rungs if rung.elo)])
    axes.set_ylim(1.05 * lowest, 1.05 * top)
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.grid(axis="y")
    axes.tick_params(axis="x", length=0)
    colors = dict(zip(games, OKABE_ITO, strict=False))
    key: list[Any] = [Patch(color=color, label=game) for game, color in colors.items()]
    if any(rung.kind == "lent" for rung in rungs):
        key.append(Patch(facecolor="none", edgecolor=INK, label="partly the package's"))
    if ahead:
        key.append(Line2D([], [], color=INK, linestyle="", marker="$?$", label="still ahead"))
    axes.legend(handles=key, frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=3)
    words = "; ".join(map(_in_words, rungs))
    return Chart(figure, f"The ladder: {words}", min_width=620)


def _draw(axes: Any, place: int, elo: Estimate, kind: str, color: str, thickness: float) -> None:
    value, low, high = elo
    left, right = place - _HALF_WIDTH, place + _HALF_WIDTH
    axes.plot([place, place], [low, high], color=color, linewidth=1.4)
    inside = color if kind == "own" else "white"
    look = {"facecolor": inside, "edgecolor": color, "linewidth": 1.8, "zorder": 3}
    axes.barh(value, right - left, left=left, height=thickness, **look)


def _in_words(rung: Rung) -> str:
    if rung.elo is None:
        return f"{rung.notebook} {rung.name}, still ahead"
    value, low, high = rung.elo
    lent = ", partly the package's" if rung.kind == "lent" else ""
    return f"{rung.notebook} {rung.name}, {value:.0f} ({low:.0f} to {high:.0f}){lent}"
