"""The ladder of a student's own players: Elo over notebooks."""

import itertools
import textwrap
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

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


def ladder(
    names: Sequence[str],
    games: Sequence[str],
    elo: Sequence[Estimate | None],
    are_lent: Sequence[bool],
) -> Chart:
    """Every player as a rung over its notebook, in the colour of its game, with its interval.

    A rung is filled if it is the student's own, hollow if some of its functions are the package's,
    and a question mark if it is still ahead; the next one's is larger.

    Args:
        names: of the players, each after the number of its notebook: `04 a tree`.
        games: the game of each.
        elo: its rating above random play of the same game; None if it is not climbed yet.
        are_lent: whether some of its functions are the package's.
    """
    figure, axes = subplots(width=max(7.0, 0.85 * len(names)), height=4.4)
    colors = dict(zip(dict.fromkeys(games), itertools.cycle(OKABE_ITO), strict=False))
    climbed = [each for each in elo if each]
    top = max([400.0, *(high for _, _, high in climbed)])
    for place, (game, estimate, is_lent) in enumerate(zip(games, elo, are_lent, strict=True)):
        color = colors[game]
        if estimate is None:
            size = 30 if place == elo.index(None) else 13
            look: dict[str, Any] = {"color": color, "ha": "center", "va": "center"}
            axes.text(place, top / 2, "?", fontsize=size, **look)
        else:
            _draw(axes, place, estimate, is_lent, color, _THICKNESS * top)
    numbered = (name.split(" ", 1) for name in names)
    wrapped = partial(textwrap.fill, width=_LETTERS, break_long_words=False)
    labels = [f"{number}\n{wrapped(name)}" for number, name in numbered]
    axes.set_xticks(range(len(names)), labels, fontsize=8.5)
    axes.set(ylabel="Elo above random play of the same game", xlim=(-0.6, len(names) - 0.4))
    axes.set_ylim(1.05 * min([0.0, *(low for _, low, _ in climbed)]), 1.05 * top)
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.grid(axis="y")
    axes.tick_params(axis="x", length=0)
    key: list[Any] = [Patch(color=color, label=game) for game, color in colors.items()]
    if any(are_lent):
        key.append(Patch(facecolor="none", edgecolor=INK, label="partly the package's"))
    if None in elo:
        key.append(Line2D([], [], color=INK, linestyle="", marker="$?$", label="still ahead"))
    axes.legend(handles=key, frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=3)
    words = "; ".join(map(_in_words, names, elo, are_lent))
    return Chart(figure, f"The ladder: {words}", min_width=620)


def _draw(
    axes: Any, place: int, elo: Estimate, is_lent: bool, color: str, thickness: float
) -> None:
    value, low, high = elo
    left, right = place - _HALF_WIDTH, place + _HALF_WIDTH
    axes.plot([place, place], [low, high], color=color, linewidth=1.4)
    inside = "white" if is_lent else color
    look = {"facecolor": inside, "edgecolor": color, "linewidth": 1.8, "zorder": 3}
    axes.barh(value, right - left, left=left, height=thickness, **look)


def _in_words(name: str, elo: Estimate | None, is_lent: bool) -> str:
    if elo is None:
        return f"{name}, still ahead"
    value, low, high = elo
    lent = ", partly the package's" if is_lent else ""
    return f"{name}, {value:.0f} ({low:.0f} to {high:.0f}){lent}"
