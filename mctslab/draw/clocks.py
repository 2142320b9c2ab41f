"""The time and work of the moves of a game: charts of time, nodes and simulations for both sides.

    draw.clocks(panel.moves, panel.state.player_names)

The bars of the first side are above the axis, those of the second side below it, on one scale, so
that the colours do not have to be distinguished. Each chart is a small picture of its own; they are
side by side as far as there is room on the page.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final, Protocol

from mctslab.draw.colors import INK, OKABE_ITO

_COLORS: Final = (OKABE_ITO[0], OKABE_ITO[3])
"""Of the two sides."""
_BAR_IN_PLIES: Final = 1.5
"""The plies of the other side are in between, so a bar has room for more than one."""
_LONGEST_NAME: Final = 28


class TimedMove(Protocol):
    """A move with its time and work, as in a game panel."""

    @property
    def player(self) -> int:
        """The player who moved, 0 or 1."""

    @property
    def notation(self) -> str:
        """The notation of the move."""

    @property
    def seconds(self) -> float | None:
        """None if no clock ran."""

    @property
    def num_simulations(self) -> int:
        """0 for a player that makes none."""

    @property
    def num_nodes(self) -> int:
        """0 for a player that doesn't count them."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity that is measured for each move."""

    title: str
    of: Callable[[TimedMove], float | None]
    written: Callable[[float], str]
    unit: str = ""


def _seconds(value: float) -> str:
    if value < 0.1:
        return f"{1e3 * value:.3g} ms" if value >= 1e-3 else f"{1e6 * value:.3g} µs"
    return f"{value:.2f} s" if value < 10 else f"{value:.1f} s"


QUANTITIES: Final = (
    Quantity("Time", lambda move: move.seconds, _seconds, "s"),
    Quantity("Nodes", lambda move: move.num_nodes or None, "{:,.0f}".format),
    Quantity("Simulations", lambda move: move.num_simulations or None, "{:,.0f}".format),
)


def clocks(
    moves: Sequence[TimedMove], player_names: tuple[str, str] = ("player 0", "player 1")
) -> "Clocks":
    """Draw the time, the nodes of the search and the simulations of each move of a game.

    There are charts only for the quantities that were measured: alpha-beta counts nodes, and the
    searches that make simulations (each with a rollout, "playout" in older papers) count these.

    Args:
        moves: those of a game, such as `panel.moves` of a `GamePanel`.
        player_names: the names of player 0 and player 1.
    """
    return Clocks(tuple(moves), player_names)


@dataclass(frozen=True, slots=True)
class Clocks:
    """The charts of one game, with a table of the same numbers; shows itself in a notebook."""

    moves: tuple[TimedMove, ...]
    player_names: tuple[str, str]

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """The quantities that were measured at any move."""
        return tuple(
            quantity
            for quantity in QUANTITIES
            if any(quantity.of(move) is not None for move in self.moves)
        )

    @property
    def charts(self) -> tuple[str, ...]:
        """An `<svg>` for each quantity that was measured."""
        return tuple(self._chart(quantity) for quantity in self.quantities)

    @property
    def description(self) -> str:
        """The totals in a sentence."""
        words = "; ".join(f"{q.title.lower()}: {self._in_words(q)}" for q in self.quantities)
        return (
            f"Time and work of the moves. {words}"
            if words
            else "No time was measured and nothing was counted."
        )

    def head(self) -> tuple[str, ...]:
        """The heads of the table's columns."""
        return ("Ply", "Side", "Move", *(quantity.title for quantity in self.quantities))

    def rows(self) -> Iterator[tuple[str, ...]]:
        """A row of the table for each move."""
        for ply, move in enumerate(self.moves, start=1):
            values = ((quantity, quantity.of(move)) for quantity in self.quantities)
            costs = ("" if value is None else quantity.written(value) for quantity, value in values)
            yield str(ply), self.player_names[move.player], move.notation, *costs

    def totals(self) -> Iterator[tuple[str, ...]]:
        """A last row for each side."""
        for player, name in enumerate(self.player_names):
            yield "", name, "in total", *(self._total(each, player) for each in self.quantities)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        charts = "".join(
            f'<div style="flex:1 1 270px;max-width:380px">{chart}</div>' for chart in self.charts
        )
        body = (
            f'<div style="display:flex;flex-wrap:wrap;gap:8px 20px">{charts}</div>'
            f"<details><summary>Every move in numbers</summary>{self._table()}</details>"
            if charts
            else f"<p>{escape(self.description)}</p>"
        )
        return {"text/html": body, "text/plain": self.description}

    def _table(self) -> str:
        def line(cells: Sequence[str], tag: str = "td") -> str:
            return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        return (
            f"<table><thead>{line(self.head(), 'th')}</thead>"
            f"<tbody>{''.join(map(line, self.rows()))}</tbody>"
            f"<tfoot>{''.join(map(line, self.totals()))}</tfoot></table>"
        )

    def _values(self, quantity: Quantity, player: int) -> dict[int, float]:
        """The measured values of a player, by the ply, from 1."""
        measured = ((ply, quantity.of(move)) for ply, move in enumerate(self.moves, start=1)
                    if move.player == player)  # fmt: skip
        return {ply: value for ply, value in measured if value is not None}

    def _total(self, quantity: Quantity, player: int) -> str:
        values = self._values(quantity, player).values()
        return quantity.written(sum(values)) if values else "none"

    def _in_words(self, quantity: Quantity) -> str:
        return ", ".join(
            f"{name} {self._total(quantity, player)}"
            for player, name in enumerate(self.player_names)
        )

    def _chart(self, quantity: Quantity) -> str:
        from matplotlib.ticker import EngFormatter, MaxNLocator

        from mctslab.draw.curves import Chart, subplots  # Matplotlib is large

        figure, axes = subplots(width=3.6, height=2.5)
        for player, sign in enumerate((1, -1)):
            values = self._values(quantity, player)
            if not values:
                continue
            name = self.player_names[player]
            name = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
            heights = [sign * value for value in values.values()]
            look = {"width": _BAR_IN_PLIES, "color": _COLORS[player], "linewidth": 0}
            label = f"{name}: {self._total(quantity, player)} in total"
            axes.bar(list(values), heights, label=label, **look)
        axes.axhline(0, color=INK, linewidth=0.8)
        axes.set(
            xlabel="ply",
            xlim=(0, max(8, len(self.moves) + 1)),
            ylabel=f"{quantity.title} of a move",
        )
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        axes.yaxis.set_major_locator(MaxNLocator(6))
        with_unit = EngFormatter(quantity.unit)
        axes.yaxis.set_major_formatter(lambda value, _: with_unit(abs(value)))
        axes.grid(axis="y")
        above = {"loc": "lower left", "bbox_to_anchor": (0, 1), "borderaxespad": 0.2}
        axes.legend(frameon=False, handlelength=1.0, **above)
        title = f"{quantity.title} of each move. In total: {self._in_words(quantity)}"
        return Chart(figure, title).svg
