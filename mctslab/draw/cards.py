"""A tree of cards: from what each node says to DOT, and from DOT to the picture."""

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

import graphviz

from mctslab.boards.board import Board, BoardStyle
from mctslab.boards.svg import board_thumbnail, stone_svg
from mctslab.draw.colors import END_LINE, INK, LINE, PRINCIPAL, TEXT, THEME_INK
from mctslab.draw.legend import add_legend
from mctslab.draw.picture import write_svg
from mctslab.draw.render import svg_element

_FONT: Final = "Helvetica,Arial,sans-serif"
_FONT_SIZE: Final = 10.0
_BOARD: Final = 50.0
"""Side of a thumbnail, in points."""
_STONE: Final = 10.0
_STONE_ROOM: Final = _STONE + 6.0
"""What the stone takes at the left of the heading; as much stays free at its right."""
_LEAST_SCALE: Final = 0.65
"""On a narrow page, text of 13 pixels shrinks to about 9 and no further."""
_LINE_HEIGHT: Final = 12.0
_PADDING: Final = 6.0


@dataclass(frozen=True, slots=True)
class Card:
    """What one node of a drawn tree shows."""

    parent: int | None
    """Place of the parent among the cards; None for the root."""
    heading: str
    lines: tuple[str, ...]
    outcome: str
    """How the game ended here; empty while it goes on."""
    color: str
    style: BoardStyle
    player: int
    """Whose stone stands beside the heading: the one for whom the value counts."""
    board: Board | None
    principal: bool
    share: float
    """Of the root's visits, 0..1: the thickness of the edge."""
    more: tuple[str, ...]
    """Lines of the node that stands for the children left out; empty for none."""
    tooltip: str


class Tree(graphviz.Digraph):  # type: ignore[misc]  # graphviz publishes no types
    """A drawn tree; in a notebook it shows itself, without the `dot` program.

    It is a `graphviz.Digraph`: `source` is the DOT text, to which nodes and edges can be added.
    Boards and stones are put into the picture after the layout.
    """

    cards: Sequence[Card] = ()
    caption: str = ""
    legend: str = ""
    has_principal: bool = False

    @classmethod
    def of_cards(
        cls,
        name: str,
        cards: Sequence[Card],
        *,
        caption: str,
        legend: str,
        has_principal: bool,
    ) -> "Tree":
        """The tree of `cards`, each after its parent.

        Args:
            name: The name of the graph in the DOT text.
            cards: What the nodes show; the first is the root.
            caption: A line under the drawing: which part of the tree it is.
            legend: What the colours stand for.
            has_principal: Whether a principal variation is marked, for the legend.
        """
        drawn = cls(
            name=name,
            graph_attr={
                "bgcolor": "transparent",
                "tooltip": graphviz.escape(caption),
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
                "fontsize": f"{_FONT_SIZE:g}",
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
        drawn.cards, drawn.caption, drawn.legend = cards, caption, legend
        drawn.has_principal = has_principal
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
        nodes = {
            group.get("class", "").split()[-1]: group
            for group in root.iter("g")
            if group.get("class", "").startswith("node ")
        }
        for place, card in enumerate(self.cards):
            _fill_in(nodes[_name(place)], card)
        add_legend(root, self.legend, self.caption, has_principal=self.has_principal)
        _use_theme_ink(root)
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
        num_lines = max(len(_texts(card)) for card in self.cards)
        for place, card in enumerate(self.cards):
            self.node(
                _name(place),
                label=graphviz.escape("\n".join(_texts(card))),
                **{"class": _name(place)},
                tooltip=graphviz.escape(_printable(card.tooltip)),
                fillcolor=card.color,
                **_size(card, num_lines),
                **_outline(card),
            )
            if card.more:
                self.node(
                    f"{_name(place)}more",
                    label="\n".join(card.more),
                    style="dashed,rounded",
                    tooltip=card.more[0],
                    fontcolor=INK,
                    color=INK,
                )

    def _write_edges(self) -> None:
        for place, card in enumerate(self.cards):
            if card.parent is not None:
                self.edge(
                    _name(card.parent),
                    _name(place),
                    penwidth=f"{0.8 + 7.2 * card.share:.2f}",
                    tooltip=graphviz.escape(_printable(card.tooltip)),
                    **({"color": PRINCIPAL} if card.principal else {}),
                )
        for place, card in enumerate(self.cards):
            if card.more:
                self.edge(
                    _name(place),
                    f"{_name(place)}more",
                    style="dashed",
                    color=INK,
                    tooltip=card.more[0],
                )


def number(value: float) -> str:
    """A value with its sign and two decimals, and a real minus sign.

    >>> number(0.314), number(-1), number(0)
    ('+0.31', '−1.00', '0.00')
    """
    rounded = round(value, 2) + 0.0
    return f"{rounded:+.2f}".replace("-", "−") if rounded else "0.00"


def _name(place: int) -> str:
    return f"n{place}"


def _texts(card: Card) -> list[str]:
    texts = (card.heading, *card.lines, card.outcome)
    return [_printable(text) for text in texts if text]


def _printable(text: str) -> str:
    """Without the control characters that no SVG can hold."""
    return "".join(character for character in text if character.isprintable())


def _size(card: Card, num_lines: int) -> dict[str, str]:
    """The least width and height of a node in inches.

    Cards with boards all have room for `num_lines` lines, so that the boards of a ply stand side by
    side.
    """
    width = len(card.heading) * _FONT_SIZE * 0.62 + 2 * _STONE_ROOM
    if card.board is None:
        return {"width": f"{max(width, 40.0) / 72:.2f}"}
    height = 2 * _PADDING + _BOARD + num_lines * _LINE_HEIGHT
    return {
        "width": f"{max(width, _BOARD + 2 * _PADDING) / 72:.2f}",
        "height": f"{height / 72:.2f}",
    }


def _outline(card: Card) -> dict[str, str]:
    """How the principal variation and the end of a game are marked, besides by colour."""
    outline = {"style": "filled", "color": END_LINE, "penwidth": "1.5"} if card.outcome else {}
    return outline | ({"color": PRINCIPAL, "penwidth": "2.5"} if card.principal else {})


def _fill_in(group: ElementTree.Element, card: Card) -> None:
    """Make the heading bold, and put the stone and the board into the node's card."""
    left, top, right, _ = _box(group)
    texts = list(group.iter("text"))
    if card.board is not None:
        picture = _picture(board_thumbnail(card.board, size=_BOARD))
        width, height = float(picture.get("width", "0")), float(picture.get("height", "0"))
        _place(picture, (left + right - width) / 2, top + _PADDING + (_BOARD - height) / 2)
        group.append(picture)
        for line, text in enumerate(texts, start=1):
            text.set("y", f"{top + _PADDING + _BOARD + line * _LINE_HEIGHT:.2f}")
    texts[0].set("font-weight", "bold")
    if card.outcome:
        texts[-1].set("font-style", "italic")
    middle = float(texts[0].get("y", "0")) - 0.36 * _FONT_SIZE
    group.extend(_mover(card, left + 4 + _STONE / 2, middle))


def _mover(card: Card, x: float, y: float) -> tuple[ElementTree.Element, ElementTree.Element]:
    """The stone of the card's player around (x, y), on a white ground where any colour shows."""
    ground = ElementTree.Element("circle", cx=f"{x:.2f}", cy=f"{y:.2f}", r=f"{_STONE / 2 + 1:g}")
    ground.set("fill", "#ffffff")
    stone = _picture(stone_svg(card.style, card.player, size=_STONE))
    for outline in stone.iter("circle"):
        outline.set("stroke-width", "4")
    _place(stone, x - _STONE / 2, y - _STONE / 2)
    return ground, stone


def _box(group: ElementTree.Element) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a node, from the outlines that Graphviz drew."""
    xs, ys = [], []
    for outline in (*group.iter("path"), *group.iter("polygon")):
        numbers = re.findall(r"-?\d+(?:\.\d+)?", outline.get("d") or outline.get("points") or "")
        xs += [float(text) for text in numbers[0::2]]
        ys += [float(text) for text in numbers[1::2]]
    return min(xs), min(ys), max(xs), max(ys)


def _picture(svg: str) -> ElementTree.Element:
    """A picture as an element that can stand inside another one."""
    return ElementTree.fromstring(svg.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1))


def _place(picture: ElementTree.Element, x: float, y: float) -> None:
    """Put the top left corner of `picture` at (x, y)."""
    picture.set("x", f"{x:.2f}")
    picture.set("y", f"{y:.2f}")


def _use_theme_ink(root: ElementTree.Element) -> None:
    """Let what is drawn straight on the page follow the page's theme, where there is one."""
    for element in root.iter():
        for attribute in ("fill", "stroke"):
            if element.get(attribute) == INK:
                style = element.get("style", "")
                element.set("style", f"{style};{attribute}:{THEME_INK}".lstrip(";"))
