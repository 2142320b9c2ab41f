"""The nodes of a drawn tree as cards. Lengths are in points, the unit of Graphviz."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

from mctslab.boards.board import Board, BoardStyle
from mctslab.boards.elements import element, signed, text_at
from mctslab.boards.svg import board_thumbnail, stone_svg
from mctslab.draw.colors import END_LINE, LINE, PALE_TEXT, PRINCIPAL

FONT_SIZE: Final = 10.0
LETTER: Final = 0.6
BOLD_LETTER: Final = 0.65
"""The width of a letter in font sizes, in a wide font such as DejaVu Sans."""
LINE_HEIGHT: Final = 12.0
PADDING: Final = 6.0
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
        return [text for text in (self.heading, *self.lines, self.outcome) if text]

    @property
    def width(self) -> float:
        """What it needs from left to right."""
        heading, *lines = self.texts
        beside_stones = len(heading) * FONT_SIZE * BOLD_LETTER + 2 * STONE_ROOM
        return max(beside_stones, room(lines), BOARD + 2 * PADDING if self.board else 40.0)

    @property
    def height(self) -> float:
        """What it needs from top to bottom."""
        board = BOARD + PADDING if self.board else 0.0
        return board + len(self.texts) * LINE_HEIGHT + PADDING

    def drawn(self, x: float, y: float, height: float) -> str:
        """The card with its middle at (x, y), as SVG elements."""
        left, top = x - self.width / 2, y - height / 2
        first = y - (len(self.texts) - 1) / 2 * LINE_HEIGHT
        frame = element(
            "rect", x=left, y=top, width=self.width, height=height, fill=self.color, **self._looks()
        )
        parts = [f"<title>{escape(printable(self.tooltip))}</title>", frame]
        if self.board is not None:
            picture = board_thumbnail(self.board, size=BOARD)
            parts.append(put(picture, x, top + PADDING + BOARD / 2))
            first = top + PADDING + BOARD + 0.7 * LINE_HEIGHT
        for number, text in enumerate(self.texts):
            weight = {"font_weight": "bold"} if number == 0 else {}
            slant = {"font_style": "italic"} if number > 0 and text is self.outcome else {}
            color = {"fill": PALE_TEXT} if self.is_pale else {}
            place = first + number * LINE_HEIGHT
            parts.append(text_at(x, place, printable(text), **weight, **slant, **color))
        # On a white background, any colour of a stone shows.
        middle = left + 4 + _STONE / 2
        parts.append(element("circle", cx=middle, cy=first, r=_STONE / 2 + 1, fill="#ffffff"))
        stone = stone_svg(self.style, self.player, size=_STONE)
        stone = stone.replace("<svg ", '<svg aria-hidden="true" ', 1)
        parts.append(put(stone.replace('stroke-width="1.2"', 'stroke-width="4"'), middle, first))
        return "".join(parts)

    def _looks(self) -> dict[str, str | float]:
        """How the principal variation and the end of a game are marked, besides by colour."""
        if self.is_pale:
            return {"rx": 5, "stroke": LINE, "stroke_dasharray": "5 2"}
        looks: dict[str, str | float] = {"rx": 5, "stroke": LINE}
        if self.outcome:
            looks = {"stroke": END_LINE, "stroke_width": 1.5}
        return looks | ({"stroke": PRINCIPAL, "stroke_width": 2.5} if self.principal else {})


def room(lines: Sequence[str]) -> float:
    """What lines of text need from border to border."""
    return max(map(len, lines), default=0) * FONT_SIZE * LETTER + 2 * PADDING


def put(picture: str, x: float, y: float) -> str:
    """A picture as a part of another one, with its middle at (x, y)."""
    width, height = (
        float(picture.split(f'{name}="')[1].split('"')[0]) for name in ("width", "height")
    )
    place = f'<svg x="{x - width / 2:.2f}" y="{y - height / 2:.2f}" '
    return picture.replace("<svg ", place, 1)


def printable(text: str) -> str:
    """Without the control characters that are not allowed in SVG."""
    return "".join(character for character in text if character.isprintable())


def number(value: float, how: str = ".2f") -> str:
    """A value with its sign, as `boards.elements.signed` writes it, but with real signs.

    >>> number(0.314), number(-1), number(float("-inf"))
    ('+0.31', '−1.00', '−∞')
    """
    return signed(value, how).replace("-", "−").replace("inf", "∞")
