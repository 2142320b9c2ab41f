"""The time and work of the moves of a game: charts of time, nodes and simulations for both sides.

    draw.clocks(panel.moves, panel.state.player_names)

The bars of the first side are above the axis and full, those of the second side below it and
hollow, on one scale. They have no colour, because each game has stones of other colours. Each chart
is a small picture of its own; they are side by side as far as there is room on the page.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from mctslab.draw.colors import INK
from mctslab.draw.tables import Table

_BAR_IN_PLIES: Final = 1.5
"""The plies of the other side are in between, so a bar has room for more than one."""
_LONGEST_NAME: Final = 20


def _seconds(value: float) -> str:
    if value < 0.1:
        return f"{1e3 * value:.3g} ms" if value >= 1e-3 else f"{1e6 * value:.3g} µs"
    return f"{value:.2f} s" if value < 10 else f"{value:.1f} s"


@dataclass(frozen=True, slots=True)
class _Quantity:
    """A quantity that is measured for each move."""

    title: str
    of: Callable[[Any], float | None]
    written: Callable[[float], str] = "{:,.0f}".format
    unit: str = ""


_QUANTITIES: Final = (
    _Quantity("Time", lambda move: move.seconds, _seconds, "s"),
    _Quantity("Nodes", lambda move: move.num_nodes or None),
    _Quantity("Simulations", lambda move: move.num_simulations or None),
)


def clocks(
    moves: Sequence[Any], player_names: tuple[str, str] = ("player 0", "player 1")
) -> "Clocks":
    """Draw the time, the nodes of the search and the simulations of each move of a game.

    There are charts only for the quantities that were measured: alpha-beta counts nodes, and the
    searches that make simulations (each with a rollout, "playout" in older papers) count these.

    Args:
        moves: those of a game, such as `panel.moves` of a `GamePanel`. Each has the attributes
            `player` (0 or 1), `notation`, `seconds` (None if no clock ran), `num_simulations` and
            `num_nodes` (0 for a player that doesn't count them).
        player_names: the names of player 0 and player 1.
    """
    measured = [
        quantity for quantity in _QUANTITIES if any(quantity.of(move) is not None for move in moves)
    ]
    charts = tuple(_chart(moves, player_names, quantity) for quantity in measured)
    rows = []
    for ply, move in enumerate(moves, start=1):
        costs = [(quantity, quantity.of(move)) for quantity in measured]
        numbers = ("" if cost is None else quantity.written(cost) for quantity, cost in costs)
        rows.append((str(ply), player_names[move.player], move.notation, *numbers))
    for player, name in enumerate(player_names):
        totals = (_total(moves, quantity, player) for quantity in measured)
        rows.append(("", name, "in total", *totals))
    head = ("Ply", "Side", "Move", *(quantity.title for quantity in measured))
    words = (_in_words(moves, player_names, quantity) for quantity in measured)
    return Clocks(charts, Table(head, tuple(rows)), " ".join(words) or _NOTHING)


_NOTHING: Final = "No time was measured and nothing was counted."


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
            if charts
            else f"<p>{escape(self.description)}</p>"
        )
        return {"text/html": body, "text/plain": self.description}


def _values(moves: Sequence[Any], quantity: _Quantity, player: int) -> dict[int, float]:
    """The measured values of a player, by the ply, from 1."""
    numbered = ((ply, move) for ply, move in enumerate(moves, start=1) if move.player == player)
    measured = ((ply, quantity.of(move)) for ply, move in numbered)
    return {ply: value for ply, value in measured if value is not None}


def _total(moves: Sequence[Any], quantity: _Quantity, player: int) -> str:
    values = _values(moves, quantity, player).values()
    return quantity.written(sum(values)) if values else "none"


def _in_words(moves: Sequence[Any], player_names: tuple[str, str], quantity: _Quantity) -> str:
    totals = (f"{name} {_total(moves, quantity, p)}" for p, name in enumerate(player_names))
    return f"{quantity.title} of each move. In total: {', '.join(totals)}."


def _chart(moves: Sequence[Any], player_names: tuple[str, str], quantity: _Quantity) -> str:
    from matplotlib.ticker import EngFormatter, MaxNLocator

    from mctslab.draw.curves import Chart, subplots  # Matplotlib is large

    figure, axes = subplots(width=3.6, height=2.5)
    for player, (name, fill) in enumerate(zip(player_names, (INK, "none"), strict=True)):
        values = _values(moves, quantity, player)
        if values:
            name = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
            heights = [-value if player else value for value in values.values()]
            look = {"width": _BAR_IN_PLIES, "facecolor": fill, "edgecolor": INK, "linewidth": 0.8}
            label = f"{name}: {_total(moves, quantity, player)} in total"
            axes.bar(list(values), heights, label=label, **look)
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.set(xlabel="ply", xlim=(0, max(8, len(moves) + 1)), ylabel=f"{quantity.title} of a move")
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(6))
    with_unit = EngFormatter(quantity.unit)
    axes.yaxis.set_major_formatter(lambda value, _: with_unit(abs(value)))
    axes.grid(axis="y")
    above = {"loc": "lower left", "bbox_to_anchor": (0, 1), "borderaxespad": 0.2}
    axes.legend(frameon=False, handlelength=1.0, **above)
    return Chart(figure, _in_words(moves, player_names, quantity)).svg
