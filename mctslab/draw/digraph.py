"""A tree of cards: from the content of each node to DOT, and from DOT to the picture."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final
from xml.etree import ElementTree

import graphviz

from mctslab.draw.cards import (
    BOARD,
    BOLD_LETTER,
    FONT_SIZE,
    LETTER,
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
from mctslab.draw.render import svg_element

_FONT: Final = "Helvetica,Arial,sans-serif"
_LEAST_SCALE: Final = 0.65
"""On a narrow page, text of 13 pixels shrinks to about 9 and no further."""
_STUB: Final = MappingProxyType(
    {"shape": "plaintext", "style": "solid", "fontcolor": INK, "labelloc": "t"}
)
"""How the children left out are shown: as words without a card."""
_SNAP: Final = "<style>@keyframes mctslab-snap{from,99%{scroll-snap-align:center}}</style>"
"""Without a script, a page can only snap to a place. It does so for a moment, then is free."""
_SCROLLED_TO: Final = "position:absolute;width:1px;height:1px;animation:mctslab-snap .3s!important"
"""Also where motion is reduced, because nothing moves."""


@dataclass(frozen=True)
class Tree:
    """A drawn tree; in a notebook it shows itself, without the `dot` program.

    Args:
        name: The name of the graph in the DOT text.
        cards: The content of the nodes, each after its parent; the first is the root.
        caption: A line under the drawing: the part of the tree that is shown.
        legend: The meaning of the colours; empty if nothing is coloured.
        has_principal: Whether a principal variation is marked, for the legend.
        scale: The scale of the cards' colours, for the legend.
    """

    name: str
    cards: Sequence[Card]
    caption: str
    legend: str = ""
    has_principal: bool = False
    scale: Scale = VALUES

    @property
    def source(self) -> str:
        """The tree in the DOT language, without boards and stones."""
        graph = graphviz.Digraph(
            name=self.name,
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
            edge_attr={"arrowhead": "none", "color": LINE, "tailport": "s", "headport": "n"},
        )
        self._write_nodes(graph)
        self._write_edges(graph)
        return str(graph.source)

    @property
    def svg(self) -> str:
        """The picture, one `<svg>` element.

        Raises:
            RenderError: the renderer is not installed; the message says how to install it.
        """
        return self.drawn(has_legend=True)

    def drawn(self, *, has_legend: bool) -> str:
        """The picture, whose legend can be left out where several trees share one."""
        root = svg_element(self.source)
        fill_in(root, self.cards, self.caption)
        meaning = printable(self.legend) if has_legend else ""
        marks_line = self.has_principal and has_legend
        add_legend(root, meaning, self.caption, has_principal=marks_line, scale=self.scale)
        use_theme_ink(root)
        root.set("role", "img")
        root.set("aria-label", f"{self.name.replace('_', ' ').capitalize()}: {self.caption}")
        return ElementTree.tostring(root, encoding="unicode")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """As HTML the drawing follows the page's theme and has tooltips.

        It shrinks to the width of the page as long as its text is readable. If that is not enough,
        it scrolls, also by keyboard, and begins where its root is in the middle.
        """
        picture = self.svg
        width = float(re.findall(r'width="([\d.]+)"', picture)[0])
        least = f"min-width:{width * _LEAST_SCALE:.0f}px"
        wide = picture.replace('style="', f'style="{least};', 1)
        wide += f'<span style="{_SCROLLED_TO};top:0;left:{_root_in_percent(picture):.1f}%"></span>'
        reached = 'tabindex="0" role="group" aria-label="A tree, to be scrolled sideways"'
        return {
            "image/svg+xml": picture,
            "text/html": f'<div {reached} style="overflow-x:auto;scroll-snap-type:x mandatory">'
            f'{_SNAP}<div style="position:relative;{least}">{wide}</div></div>',
            "text/plain": f"<{self.name.replace('_', ' ')}: {self.caption}>",
        }

    def _write_nodes(self, graph: graphviz.Digraph) -> None:
        plies = self._plies()
        heights = [0.0] * (max(plies) + 2)
        for ply, card in zip(plies, self.cards, strict=True):
            heights[ply] = max(heights[ply], _height(card))
        for place, (ply, card) in enumerate(zip(plies, self.cards, strict=True)):
            name = f"n{place}"
            label = graphviz.escape("\n".join(card.texts))
            looks = _size(card, heights[ply]) | _outline(card) | {"class": name}
            graph.node(name, label=label, fillcolor=card.color, **looks)
            if card.more:
                looks = _STUB | _inches(_room(card.more), heights[ply + 1])
                label = graphviz.escape("\n".join(card.more))
                graph.node(f"{name}more", label=label, **looks, **{"class": f"more{place}"})

    def _write_edges(self, graph: graphviz.Digraph) -> None:
        for place, card in enumerate(self.cards):
            if card.parent is not None:
                looks = {"class": f"n{place}", "penwidth": _thickness(card.share)}
                if card.is_pale:
                    looks["style"] = "dashed"
                elif card.principal:
                    looks["color"] = PRINCIPAL
                graph.edge(f"n{card.parent}", f"n{place}", **looks)
        for place, card in enumerate(self.cards):
            if card.more:
                graph.edge(f"n{place}", f"n{place}more", penwidth=_thickness(card.more_share))

    def _plies(self) -> list[int]:
        """How deep each card is below the root.

        All nodes of a ply have the same height, so that no edge passes behind a taller neighbour.
        """
        plies: list[int] = []
        for card in self.cards:
            plies.append(0 if card.parent is None else plies[card.parent] + 1)
        return plies


def _root_in_percent(picture: str) -> float:
    """How far right the middle of the root is, in percent of the picture's width."""
    left, width = re.findall(r'viewBox="(\S+) \S+ (\S+)', picture)[0]
    (moved,) = re.findall(r"translate\((\S+)", picture)[:1]
    (heading,) = re.findall(r'class="node n0".*?<text[^>]* x="(\S+)"', picture, re.DOTALL)
    return 100 * (float(heading) + float(moved) - float(left)) / float(width)


def _thickness(share: float) -> str:
    """Of an edge through which this share of the root's visits passed, in points."""
    return f"{0.8 + 7.2 * share:.2f}"


def _height(card: Card) -> float:
    """What a card needs from top to bottom, in points."""
    board = BOARD + PADDING if card.board else 0.0
    return board + len(card.texts) * LINE_HEIGHT + PADDING


def _size(card: Card, height: float) -> dict[str, str]:
    """The least width and height of a node."""
    heading, *lines = card.texts
    width = max(len(heading) * FONT_SIZE * BOLD_LETTER + 2 * STONE_ROOM, _room(lines))
    return _inches(max(width, BOARD + 2 * PADDING if card.board else 40.0), height)


def _inches(width: float, height: float) -> dict[str, str]:
    """A size in points, for Graphviz."""
    return {"width": f"{width / 72:.2f}", "height": f"{height / 72:.2f}"}


def _room(lines: Sequence[str]) -> float:
    """What lines of text need from border to border, in points."""
    return max(map(len, lines), default=0) * FONT_SIZE * LETTER + 2 * PADDING


def _outline(card: Card) -> dict[str, str]:
    """How the principal variation and the end of a game are marked, besides by colour."""
    if card.is_pale:
        return {"style": "filled,dashed,rounded", "fontcolor": PALE_TEXT}
    outline = {"style": "filled", "color": END_LINE, "penwidth": "1.5"} if card.outcome else {}
    return outline | ({"color": PRINCIPAL, "penwidth": "2.5"} if card.principal else {})
