"""A tree of cards: Graphviz says where the cards are, and we draw them there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import graphviz

from mctslab.boards.elements import Point, document, element, text_at, text_group
from mctslab.draw.cards import FONT_SIZE, LINE_HEIGHT, Card, printable, room
from mctslab.draw.colors import INK, LINE, PIXELS_PER_POINT, PRINCIPAL, TEXT, THEME_INK
from mctslab.draw.legend import Legend
from mctslab.draw.render import lay_out

_MARGIN: Final = 4.0
_LEAST_SCALE: Final = 0.8
"""On a narrow page, text of 13 pixels shrinks to 10, a legend's to nearly that, and no further."""


@dataclass(frozen=True)
class Tree:
    """A drawn tree; in a notebook it shows itself, without the `dot` program.

    Args:
        name: The name of the kind of tree, for screen readers.
        cards: The content of the nodes, each after its parent; the first is the root.
        caption: A line under the drawing: the part of the tree that is shown.
        legend: The meaning of the colours; empty if nothing is coloured.
        has_principal: Whether a principal variation is marked, for the legend.
        ends: The ends of the scale of colours, for the legend.
    """

    name: str
    cards: Sequence[Card]
    caption: str
    legend: str = ""
    has_principal: bool = False
    ends: tuple[str, str] = ("−1", "+1")

    @property
    def source(self) -> str:
        """The sizes of the cards, and who is whose child, in the DOT language."""
        graph = graphviz.Digraph(
            graph_attr={"ordering": "out", "splines": "line", "nodesep": "0.1", "ranksep": "0.5"},
            node_attr={"shape": "box", "fixedsize": "true", "label": ""},
        )
        heights, stubs = self._heights, []
        for place, (card, ply) in enumerate(zip(self.cards, self._plies, strict=True)):
            graph.node(f"n{place}", **size_of(card.width, heights[ply]))
            if card.more:
                graph.node(f"more{place}", **size_of(room(card.more), heights[ply + 1]))
                stubs.append((f"n{place}", f"more{place}"))
        below = enumerate(self.cards[1:], start=1)
        graph.edges([*((f"n{card.parent}", f"n{place}") for place, card in below), *stubs])
        return str(graph.source)

    @property
    def svg(self) -> str:
        """The picture, one `<svg>` element.

        Raises:
            RenderError: the renderer is not installed; the message says how to install it.
        """
        return self._drawn()[0]

    def _drawn(self) -> tuple[str, float]:
        """The picture, and its width in pixels."""
        layout = lay_out(self.source)
        legend = Legend(printable(self.legend), self.ends, self.has_principal, self.caption)
        width = max(layout.width + 2 * _MARGIN, legend.width)
        top = layout.height + 2 * _MARGIN
        left = (width - layout.width) / 2
        places = {name: (left + x, _MARGIN + y) for name, (x, y) in layout.nodes.items()}
        picture = document(
            width,
            top + legend.height,
            scale=PIXELS_PER_POINT,
            title=f"{self.name.replace('_', ' ').capitalize()}: {self.caption}",
            description="",
            content=self._edges(places) + self._nodes(places) + legend.drawn(width / 2, top),
            shrinks=True,
        )
        return picture, width * PIXELS_PER_POINT

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """As HTML the drawing follows the page's theme and has tooltips.

        It shrinks to the width of the page as long as its text is readable. If that is not enough,
        it scrolls, also by keyboard, and begins at the left, where the first or best move is.
        """
        picture, width = self._drawn()
        least = f"min-width:{width * _LEAST_SCALE:.0f}px"
        wide = picture.replace('style="', f'style="{least};', 1)
        reached = 'tabindex="0" role="group" aria-label="A tree, to be scrolled sideways"'
        return {
            "image/svg+xml": picture,
            "text/html": f'<div {reached} style="overflow-x:auto">{wide}</div>',
            "text/plain": f"<{self.name.replace('_', ' ')}: {self.caption}>",
        }

    @property
    def _plies(self) -> list[int]:
        """How deep each card is below the root."""
        plies: list[int] = []
        for card in self.cards:
            plies.append(0 if card.parent is None else plies[card.parent] + 1)
        return plies

    @property
    def _heights(self) -> list[float]:
        """Of each ply, and one more: its cards are equally high, so that no edge passes behind a
        taller neighbour."""
        heights = [0.0] * (max(self._plies) + 2)
        for ply, card in zip(self._plies, self.cards, strict=True):
            heights[ply] = max(heights[ply], card.height)
        return heights

    def _edges(self, places: dict[str, Point]) -> str:
        """The edges, from the bottom of a card to the top of another one.

        The larger the share of the root's visits that passed through an edge, the thicker it is.
        """
        heights, drawn = self._heights, []

        def draw(above: str, below: str, ply: int, share: float, **look: str) -> None:
            (x1, y1), (x2, y2) = places[above], places[below]
            y1, y2 = y1 + heights[ply] / 2, y2 - heights[ply + 1] / 2
            width = 0.8 + 7.2 * share
            drawn.append(element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke_width=width, **look))

        for place, (card, ply) in enumerate(zip(self.cards, self._plies, strict=True)):
            look = {"stroke": PRINCIPAL if card.principal and not card.is_pale else LINE}
            look |= {"stroke_dasharray": "5 2"} if card.is_pale else {}
            if card.parent is not None:
                draw(f"n{card.parent}", f"n{place}", ply - 1, card.share, **look)
            if card.more:
                draw(f"n{place}", f"more{place}", ply, card.more_share, stroke=LINE)
        return f'<g aria-hidden="true">{"".join(drawn)}</g>'

    def _nodes(self, places: dict[str, Point]) -> str:
        """The cards, and the stubs that stand for children left out."""
        heights, drawn = self._heights, []
        ink = {"fill": INK, "style": f"fill:{THEME_INK}"}
        for place, (card, ply) in enumerate(zip(self.cards, self._plies, strict=True)):
            content = card.drawn(*places[f"n{place}"], heights[ply])
            drawn.append(f'<g class="node n{place}">{content}</g>')
            if card.more:
                x, y = places[f"more{place}"]
                first = y - heights[ply + 1] / 2 + LINE_HEIGHT
                lines = "".join(
                    text_at(x, first + row * LINE_HEIGHT, text, **ink)
                    for row, text in enumerate(card.more)
                )
                drawn.append(f'<g class="node more{place}">{lines}</g>')
        return text_group(drawn, FONT_SIZE, TEXT)


def size_of(width: float, height: float) -> dict[str, str]:
    """The attributes of a node in DOT that give it this size, in points."""
    return {"width": f"{width / 72:.3f}", "height": f"{height / 72:.3f}"}
