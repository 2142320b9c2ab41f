"""A tree of cards: from what each node says to DOT, and from DOT to the picture."""

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

import graphviz

from mctslab.draw.cards import (
    BOARD,
    FONT_SIZE,
    LINE_HEIGHT,
    PADDING,
    STONE_ROOM,
    Card,
    fill_in,
    printable,
    use_theme_ink,
)
from mctslab.draw.colors import END_LINE, INK, LINE, PALE_TEXT, PRINCIPAL, TEXT
from mctslab.draw.legend import VALUES, Scale, add_legend
from mctslab.draw.picture import write_svg
from mctslab.draw.render import svg_element

_FONT: Final = "Helvetica,Arial,sans-serif"
_LEAST_SCALE: Final = 0.65
"""On a narrow page, text of 13 pixels shrinks to about 9 and no further."""


class Tree(graphviz.Digraph):  # type: ignore[misc]  # graphviz publishes no types
    """A drawn tree; in a notebook it shows itself, without the `dot` program.

    It is a `graphviz.Digraph`: `source` is the DOT text, to which nodes and edges can be added.
    Boards and stones are put into the picture after the layout.
    """

    cards: Sequence[Card] = ()
    caption: str = ""
    legend: str = ""
    has_principal: bool = False
    scale: Scale = VALUES

    @classmethod
    def of_cards(
        cls,
        name: str,
        cards: Sequence[Card],
        *,
        caption: str,
        legend: str,
        has_principal: bool,
        scale: Scale = VALUES,
    ) -> "Tree":
        """The tree of `cards`, each after its parent.

        Args:
            name: The name of the graph in the DOT text.
            cards: What the nodes show; the first is the root.
            caption: A line under the drawing: which part of the tree it is.
            legend: What the colours stand for; empty where nothing is coloured.
            has_principal: Whether a principal variation is marked, for the legend.
            scale: The scale of the cards' colours, for the legend.
        """
        drawn = cls(
            name=name,
            graph_attr={
                "bgcolor": "transparent",
                "ordering": "out",
                "splines": "line",
                "outputorder": "edgesfirst",
                "nodesep": "0.1",
                "ranksep": "0.5",
            },
            node_attr={
                "shape": "box",
                "style": "filled,rounded",
                "fontname": _FONT,
                "fontsize": f"{FONT_SIZE:g}",
                "fontcolor": TEXT,
                "color": LINE,
                "margin": "0.09,0.05",
                "width": "0.3",
                "height": "0.3",
            },
            edge_attr={
                "arrowhead": "none",
                "color": LINE,
                "tailport": "s",
                "headport": "n",
            },
        )
        drawn.cards, drawn.caption, drawn.legend = cards, caption, printable(legend)
        drawn.has_principal, drawn.scale = has_principal, scale
        drawn._write_nodes()
        drawn._write_edges()
        return drawn

    @property
    def svg(self) -> str:
        """The picture, one `<svg>` element.

        Raises:
            RenderError: no renderer is installed; the message says which to install.
        """
        root = svg_element(self.source)
        fill_in(root, self.cards, self.caption)
        add_legend(
            root, self.legend, self.caption, has_principal=self.has_principal, scale=self.scale
        )
        use_theme_ink(root)
        root.set("role", "img")
        root.set("aria-label", f"{self.name.replace('_', ' ').capitalize()}: {self.caption}")
        return ElementTree.tostring(root, encoding="unicode")

    def save_svg(self, path: str | os.PathLike[str]) -> Path:
        """Write the picture to the file `path`, and return it."""
        return write_svg(path, self.svg)

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_mimebundle_(
        self, include: Iterable[str] | None = None, exclude: Iterable[str] | None = None, **_: Any
    ) -> dict[str, str]:
        """As HTML the drawing knows the page's theme and has tooltips.

        There it shrinks to the width of the page as long as its text can be read, and is scrolled
        if that is not enough.
        """
        picture = self.svg
        least = float(re.findall(r'width="([\d.]+)"', picture)[0]) * _LEAST_SCALE
        scrolled = picture.replace('style="', f'style="min-width:{least:.0f}px;', 1)
        bundle = {
            "image/svg+xml": picture,
            "text/html": f'<div style="overflow-x:auto">{scrolled}</div>',
            "text/plain": f"<{self.name.replace('_', ' ')}: {self.caption}>",
        }
        wanted = set(bundle if include is None else include) - set(exclude or ())
        return {kind: data for kind, data in bundle.items() if kind in wanted}

    def _write_nodes(self) -> None:
        num_lines = max(len(card.texts) for card in self.cards)
        for place, card in enumerate(self.cards):
            self.node(
                _name(place),
                label=graphviz.escape("\n".join(card.texts)),
                **{"class": _name(place)},
                fillcolor=card.color,
                **_size(card, num_lines),
                **_outline(card),
            )
            if card.more:
                self.node(
                    f"{_name(place)}more",
                    label="\n".join(card.more),
                    **{"class": f"more{place}"},
                    style="dashed,rounded",
                    fontcolor=INK,
                    color=INK,
                )

    def _write_edges(self) -> None:
        for place, card in enumerate(self.cards):
            if card.parent is not None:
                self.edge(
                    _name(card.parent),
                    _name(place),
                    **{"class": _name(place)},
                    penwidth=f"{0.8 + 7.2 * card.share:.2f}",
                    **_edge(card),
                )
        for place, card in enumerate(self.cards):
            if card.more:
                self.edge(_name(place), f"{_name(place)}more", style="dashed", color=INK)


def _name(place: int) -> str:
    return f"n{place}"


def _size(card: Card, num_lines: int) -> dict[str, str]:
    """The least width and height of a node in inches.

    Cards with boards all have room for `num_lines` lines, so that the boards of a ply stand side by
    side.
    """
    width = len(card.texts[0]) * FONT_SIZE * 0.62 + 2 * STONE_ROOM
    if card.board is None:
        return {"width": f"{max(width, 40.0) / 72:.2f}"}
    height = 2 * PADDING + BOARD + num_lines * LINE_HEIGHT
    return {
        "width": f"{max(width, BOARD + 2 * PADDING) / 72:.2f}",
        "height": f"{height / 72:.2f}",
    }


def _edge(card: Card) -> dict[str, str]:
    """How the edge that leads to a card is marked."""
    if card.is_pale:
        return {"style": "dashed"}
    return {"color": PRINCIPAL} if card.principal else {}


def _outline(card: Card) -> dict[str, str]:
    """How the principal variation and the end of a game are marked, besides by colour."""
    if card.is_pale:
        return {"style": "dashed,rounded", "fontcolor": PALE_TEXT}
    outline = {"style": "filled", "color": END_LINE, "penwidth": "1.5"} if card.outcome else {}
    return outline | ({"color": PRINCIPAL, "penwidth": "2.5"} if card.principal else {})
