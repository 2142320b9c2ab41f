"""The nodes of a drawn tree as cards, and how they are filled once Graphviz has laid them out.

Lengths are in points, the unit of Graphviz.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree

from mctslab.boards.board import Board, BoardStyle
from mctslab.boards.svg import board_thumbnail, stone_svg
from mctslab.draw.colors import INK, THEME_INK

FONT_SIZE: Final = 10.0
LETTER: Final = 0.6
BOLD_LETTER: Final = 0.65
"""The width of a letter in font sizes: Graphviz lays out Helvetica, and the page may have a wider
font, such as DejaVu Sans."""
LINE_HEIGHT: Final = 12.0
PADDING: Final = 6.0
_BELOW_EDGE: Final = 5.0
BOARD: Final = 56.0
"""The longer side of a thumbnail."""
_STONE: Final = 10.0
STONE_ROOM: Final = _STONE + 8.0
"""The width of the stone to the left of the heading; the same width stays free to its right."""


@dataclass(frozen=True, slots=True)
class Card:
    """The content of one node of a drawn tree."""

    parent: int | None
    """Place of the parent among the cards; None for the root."""
    heading: str
    lines: tuple[str, ...]
    color: str
    style: BoardStyle
    player: int
    """The player for whom the value counts, whose stone is next to the heading."""
    tooltip: str
    outcome: str = ""
    """How the game ended here; empty while it goes on."""
    board: Board | None = None
    principal: bool = False
    share: float = 0.0
    """The share of the root's visits, 0..1: the thickness of the edge."""
    more: tuple[str, ...] = ()
    """Lines of the stub that stands for the children left out; empty for none."""
    more_share: float = 0.0
    """Their share of the root's visits: the thickness of the stub's edge."""
    is_pale: bool = False
    """Whether it is drawn grey and dashed, as a node that was not searched."""

    @property
    def texts(self) -> list[str]:
        """All lines of the card, the heading first and the outcome last."""
        texts = (self.heading, *self.lines, self.outcome)
        return [printable(text) for text in texts if text]


def printable(text: str) -> str:
    """Without the control characters that are not allowed in SVG."""
    return "".join(character for character in text if character.isprintable())


def number(value: float) -> str:
    """A value with its sign and two decimals, and a real minus sign.

    >>> number(0.314), number(-1), number(0)
    ('+0.31', '−1.00', '0.00')
    """
    rounded = round(value, 2) + 0.0
    return f"{rounded:+.2f}".replace("-", "−") if rounded else "0.00"


def fill_in(root: ElementTree.Element, cards: Sequence[Card], caption: str) -> None:
    """Put boards, stones and tooltips into the picture `root` of the tree.

    The groups of a card's node and of the edge that leads to it have its place among `cards` in
    their class: `n0`, `n1`, ...
    """
    for group in root.iter("g"):
        title = group.find("title")
        if title is None:
            continue
        kind, _, place = group.get("class", "").partition(" n")
        if kind == "graph":
            title.text = caption
        elif place:
            card = cards[int(place)]
            title.text = printable(card.tooltip)
            if kind == "node":
                _fill_node(group, card)
            else:
                group.set("aria-hidden", "true")  # its node says the same
        else:
            group.remove(title)
            if kind.startswith("node more"):
                for text in group.iter("text"):  # a little away from its edge
                    text.set("y", f"{float(text.get('y', '0')) + _BELOW_EDGE:.2f}")


def _fill_node(group: ElementTree.Element, card: Card) -> None:
    """Make the heading bold, and put the stone and the board into the node's card."""
    left, top, right, _ = _box(group)
    texts = list(group.iter("text"))
    if card.board is not None:
        picture = _picture(board_thumbnail(card.board, size=BOARD))
        width, height = float(picture.get("width", "0")), float(picture.get("height", "0"))
        _place(picture, (left + right - width) / 2, top + PADDING + (BOARD - height) / 2)
        group.append(picture)
        for line, text in enumerate(texts, start=1):
            text.set("y", f"{top + PADDING + BOARD + line * LINE_HEIGHT:.2f}")
    texts[0].set("font-weight", "bold")
    if card.outcome:
        texts[-1].set("font-style", "italic")
    middle = float(texts[0].get("y", "0")) - 0.36 * FONT_SIZE
    group.extend(_mover(card, left + 4 + _STONE / 2, middle))


def _mover(card: Card, x: float, y: float) -> tuple[ElementTree.Element, ElementTree.Element]:
    """The stone of the card's player around (x, y), on a white background on which any colour
    shows."""
    ground = ElementTree.Element("circle", cx=f"{x:.2f}", cy=f"{y:.2f}", r=f"{_STONE / 2 + 1:g}")
    ground.set("fill", "#ffffff")
    stone = _picture(stone_svg(card.style, card.player, size=_STONE))
    stone.set("aria-hidden", "true")
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
    """A picture as an element inside another one."""
    return ElementTree.fromstring(svg.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1))


def _place(picture: ElementTree.Element, x: float, y: float) -> None:
    """Put the top left corner of `picture` at (x, y)."""
    picture.set("x", f"{x:.2f}")
    picture.set("y", f"{y:.2f}")


def use_theme_ink(root: ElementTree.Element) -> None:
    """Let everything that is drawn directly on the page follow the page's theme, if there is
    one."""
    for element in root.iter():
        for attribute in ("fill", "stroke"):
            if element.get(attribute) == INK:
                style = element.get("style", "")
                element.set("style", f"{style};{attribute}:{THEME_INK}".lstrip(";"))
