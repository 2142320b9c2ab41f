"""The time and work of the moves of a game: charts of time, nodes and simulations for both sides.

    draw.clocks(panel.moves, panel.state.player_names)

The bars of the first side are above the axis, those of the second side below it, on one scale. They
have the colours of the stones if these are known; otherwise the first side's are full, the second
side's hollow. Each chart is a small picture of its own; they are side by side as far as there is
room on the page.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mctslab.boards.elements import in_seconds
from mctslab.draw.colors import INK
from mctslab.draw.tables import Table

_BAR_IN_PLIES: Final = 1.5
"""The plies of the other side are in between, so a bar has room for more than one."""
_LONGEST_NAME: Final = 20

_QUANTITIES: Final[tuple[tuple[str, str, Callable[[float], str], Callable[[Any], Any]], ...]] = (
    ("Time", "s", in_seconds, lambda move: move.seconds),
    ("Nodes", "", "{:,.0f}".format, lambda move: move.num_nodes or None),
    ("Simulations", "", "{:,.0f}".format, lambda move: move.num_simulations or None),
)
"""What is measured of a move: its title, its unit, how it is written, and how it is read."""


def clocks(
    moves: Sequence[Any], player_names: tuple[str, str], colors: tuple[str, str] = (INK, "none")
) -> "Clocks":
    """Draw the time, the nodes of the search and the simulations of each move of a game.

    There are charts only for the quantities that were measured: alpha-beta counts nodes, and the
    searches that make simulations (each with a rollout, "playout" in older papers) count these.

    Args:
        moves: those of a game, such as `panel.moves` of a `GamePanel`. Each has the attributes
            `player` (0 or 1), `notation`, `seconds` (None if no clock ran), `num_simulations` and
            `num_nodes` (0 for a player that doesn't count them).
        player_names: the names of player 0 and player 1.
        colors: of their bars, such as those of their stones.
    """
    rows = [[str(ply), player_names[m.player], m.notation] for ply, m in enumerate(moves, start=1)]
    ends = [["", name, "in total"] for name in player_names]
    head, charts, words = ["Ply", "Side", "Move"], [], []
    for title, unit, written, read in _QUANTITIES:
        values: tuple[dict[int, float], dict[int, float]] = ({}, {})
        for ply, move in enumerate(moves, start=1):
            if (cost := read(move)) is not None:
                values[move.player][ply] = cost
        if not any(values):
            continue
        totals = [written(sum(each.values())) if each else "none" for each in values]
        told = [f"{name} {total}" for name, total in zip(player_names, totals, strict=True)]
        words.append(f"{title} of each move. In total: {', '.join(told)}.")
        sides = [*zip(player_names, values, totals, colors, strict=True)]
        charts.append(_chart(f"{title} of a move", unit, sides, len(moves), words[-1]))
        head.append(title)
        costs = values[0] | values[1]
        for ply, row in enumerate(rows, start=1):
            row.append(written(costs[ply]) if ply in costs else "")
        for row, total in zip(ends, totals, strict=True):
            row.append(total)
    table = Table(tuple(head), tuple(map(tuple, [*rows, *ends])))
    description = " ".join(words) or "No time was measured and nothing was counted."
    return Clocks(tuple(charts), table, description)


@dataclass(frozen=True, slots=True)
class Clocks:
    """The charts of one game, with a table of the same numbers; shows itself in a notebook."""

    charts: tuple[str, ...]
    """An `<svg>` for each quantity that was measured."""
    table: Table
    """A row for each move, and a last one for each side."""
    description: str
    """The totals in a sentence."""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        charts = "".join(
            f'<div style="flex:1 1 270px;max-width:380px">{chart}</div>' for chart in self.charts
        )
        body = (
            f'<div style="display:flex;flex-wrap:wrap;gap:8px 20px">{charts}</div>'
            f"<details><summary>Every move in numbers</summary>{self.table._repr_html_()}</details>"
        )
        return {"text/html": body, "text/plain": self.description}


def _chart(
    label: str,
    unit: str,
    sides: Sequence[tuple[str, Mapping[int, float], str, str]],
    length: int,
    description: str,
) -> str:
    """The bars of both sides; each has its name, its values by plies, their sum, its colour."""
    from matplotlib.ticker import EngFormatter, MaxNLocator

    from mctslab.draw.curves import Chart, subplots  # Matplotlib is large

    figure, axes = subplots(width=3.6, height=2.5)
    for (name, values, total, fill), sign in zip(sides, (1, -1), strict=True):
        if values:
            name = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
            heights = [sign * value for value in values.values()]
            look = {"width": _BAR_IN_PLIES, "facecolor": fill, "edgecolor": INK, "linewidth": 0.8}
            axes.bar(list(values), heights, label=f"{name}: {total} in total", **look)
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.set(xlabel="ply", xlim=(0, max(8, length + 1)), ylabel=label)
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(6))
    with_unit = EngFormatter(unit)
    axes.yaxis.set_major_formatter(lambda value, _: with_unit(abs(value)))
    axes.grid(axis="y")
    above = {"loc": "lower left", "bbox_to_anchor": (0, 1), "borderaxespad": 0.2}
    axes.legend(frameon=False, handlelength=1.0, **above)
    return Chart(figure, description).svg
