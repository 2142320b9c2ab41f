"""The time and work of the moves of a game: charts of time, nodes and simulations for both sides.

    draw.clocks(panel.moves, panel.state.player_names)

The bars of the first side are above the axis, those of the second side below it, on one scale, so
that the colours do not have to be distinguished. Each chart is a small picture of its own; they are
side by side as far as there is room on the page.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final, Protocol

from mctslab.boards.elements import element, short, text_at
from mctslab.draw.colors import INK, OKABE_ITO
from mctslab.draw.picture import page_svg
from mctslab.draw.ticks import compact, step_between

COLORS: Final = (OKABE_ITO[0], OKABE_ITO[3])
"""Of the two sides."""

WIDTH: Final = 340.0
HEIGHT: Final = 206.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 46.0, WIDTH - 6.0, 46.0, 164.0
_WIDEST_BAR: Final = 12.0
_BAR_IN_PLIES: Final = 1.5
"""The plies of the other side are in between, so a bar has room for more than one."""
_MOST_STEPS: Final = 6
_LONGEST_NAME: Final = 28
_HEADROOM: Final = 1.03
_NOTHING: Final = 1e-9
"""A shorter time counts as none, because its axis could not be labelled."""


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
    units: tuple[tuple[float, str], ...] = ()
    """Units for the axis, the largest first: the size of each, and its sign."""

    def unit_for(self, highest: float) -> tuple[float, str]:
        """The unit of an axis that reaches up to `highest`."""
        fitting = [unit for unit in self.units if highest * unit[0] < 100]
        return max(fitting or self.units[:1], default=(1.0, ""))


def _seconds(value: float) -> str:
    if value < 0.1:
        return f"{1e3 * value:.3g} ms" if value >= 1e-3 else f"{1e6 * value:.3g} µs"
    return f"{value:.2f} s" if value < 10 else f"{value:.1f} s"


QUANTITIES: Final = (
    Quantity("Time", lambda move: move.seconds, _seconds, ((1.0, "s"), (1e3, "ms"), (1e6, "µs"))),
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
        """An `<svg>` for each quantity that was measured, `WIDTH` times `HEIGHT` pixels."""
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

    # One chart

    def _values(self, quantity: Quantity, player: int) -> Iterator[tuple[int, float]]:
        """The plies of a player, from 0, with the measured values."""
        for ply, move in enumerate(self.moves):
            value = quantity.of(move)
            if move.player == player and value is not None:
                yield ply, value

    def _total(self, quantity: Quantity, player: int, in_total: str = "") -> str:
        values = [value for _, value in self._values(quantity, player)]
        return quantity.written(sum(values)) + in_total if values else "none"

    def _in_words(self, quantity: Quantity) -> str:
        return ", ".join(
            f"{name} {self._total(quantity, player)}"
            for player, name in enumerate(self.player_names)
        )

    def _chart(self, quantity: Quantity) -> str:
        highest = [
            max((value for _, value in self._values(quantity, player)), default=0.0)
            for player in (0, 1)
        ]
        scale = _Scale.over(*highest, num_plies=len(self.moves))
        factor, unit = quantity.unit_for(max(highest))
        heading = f"{quantity.title} of each move" + (f" ({unit})" if unit else "")
        parts = [*_axes(scale, factor), *self._bars(quantity, scale)]
        parts += [text_at(0, 9, heading, font_weight="600"), *self._words(quantity)]
        title = f"{quantity.title} of each move. In total: {self._in_words(quantity)}"
        return page_svg(WIDTH, HEIGHT, parts, title=title)

    def _bars(self, quantity: Quantity, scale: "_Scale") -> Iterator[str]:
        width = min(_WIDEST_BAR, _BAR_IN_PLIES * scale.ply_width)
        for player, color in enumerate(COLORS):
            bars = []
            for ply, value in self._values(quantity, player):
                top, bottom = sorted((scale.y(0), scale.y(value if player == 0 else -value)))
                words = f"{ply + 1}. {self.moves[ply].notation}: {quantity.written(value)}"
                bars.append(
                    f'<rect data-ply="{ply + 1}" x="{short(scale.x(ply) - width / 2)}"'
                    f' y="{short(top)}" width="{short(width)}" height="{short(bottom - top)}">'
                    f"<title>{escape(words)}</title></rect>"
                )
            yield f'<g data-player="{player}" style="fill:{color}">{"".join(bars)}</g>'

    def _words(self, quantity: Quantity) -> Iterator[str]:
        for player, (color, y) in enumerate(zip(COLORS, (30.0, HEIGHT - 9.0), strict=True)):
            name = self.player_names[player]
            name = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
            total = f"{name}: {self._total(quantity, player, ' in total')}"
            yield element("rect", x=_LEFT, y=y - 5, width=10, height=10, style=f"fill:{color}")
            yield text_at(_LEFT + 16, y, total)


@dataclass(frozen=True, slots=True)
class _Scale:
    """The places of plies and values in the picture; values of the second side are negative."""

    num_plies: int
    step: float
    top: float
    bottom: float

    @classmethod
    def over(cls, up: float, down: float, *, num_plies: int) -> "_Scale":
        """The scale that shows 0 to `up` above the axis, and as far as `down` below it."""
        up, down = (value if value > _NOTHING else 0.0 for value in (up, down))
        step = step_between(up + down, _MOST_STEPS)
        return cls(num_plies, step, _HEADROOM * up or (0.0 if down else step), -_HEADROOM * down)

    @property
    def ply_width(self) -> float:
        return (_RIGHT - _LEFT) / self.num_plies

    def x(self, ply: float) -> float:
        return _LEFT + (ply + 0.5) * self.ply_width

    def y(self, value: float) -> float:
        return _BOTTOM - (value - self.bottom) / (self.top - self.bottom) * (_BOTTOM - _TOP)


def _axes(scale: _Scale, factor: float) -> Iterator[str]:
    lowest, highest = math.ceil(scale.bottom / scale.step), math.floor(scale.top / scale.step)
    for tick in range(lowest, highest + 1):
        y = scale.y(tick * scale.step)
        line = f"M{short(_LEFT)} {short(y)}H{short(_RIGHT)}"
        yield element("path", d=line, stroke=INK, stroke_opacity=0.9 if tick == 0 else 0.3)
        yield text_at(_LEFT - 6, y, compact(abs(tick * scale.step * factor)), text_anchor="end")
    every = max(1, round(step_between(scale.num_plies, _MOST_STEPS)))
    for ply in range(every, scale.num_plies + 1, every):
        yield text_at(scale.x(ply - 1), _BOTTOM + 13, str(ply), text_anchor="middle")
    yield text_at(0, _BOTTOM + 13, "ply")
