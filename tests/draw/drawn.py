"""Trees made by hand and reading drawn pictures back, shared by the tests here."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextToPath

from mctslab.boards import EMPTY, Board, BoardStyle
from mctslab.games import State
from mctslab.search import Node

SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Counting(State):
    r"""Players say "go" in turn, or one of `width` other words; the game ends after `length` plies.

    It is small enough to know every picture of it by heart, and as wide or deep as a test needs.
    Its names hold all that XML and DOT treat in a way of their own: & < > " \N and a control
    character, which no picture can show.
    """

    game = "counting"
    title = "Counting"
    player_names = ("Ann & Bob\x01", "<Eve>")

    width: int = 2
    length: int = 10_000
    said: int = 0
    last_action: int | None = None

    current_player = property(lambda self: self.said % 2)
    num_actions = property(lambda self: self.width)
    is_terminal = property(lambda self: self.said == self.length)

    def legal_actions(self) -> tuple[int, ...]:
        return () if self.is_terminal else tuple(range(self.width))

    def child(self, action: int) -> "Counting":
        return Counting(self.width, self.length, self.said + 1, action)

    def returns(self) -> tuple[float, float]:
        return (0.0, 0.0) if self.last_action == 1 else (1.0, -1.0)

    def action_to_string(self, action: int) -> str:
        return "pass" if action == self.width - 1 else f'<{action}>\\N & "x"'

    def board(self) -> Board:
        return Board(1, 2, BoardStyle.DISCS, (EMPTY, self.said % 2), ("a", "b"), ("1",))


def grow(parent: Node, action: int, visit_count: int = 1, total_value: float = 0.0) -> Node:
    """A new child of `parent` with these statistics, as a search would leave it."""
    node = Node(parent=parent, action=action)
    node.visit_count, node.total_value = visit_count, total_value
    parent.untried_actions.remove(action)
    parent.children.append(node)
    return node


def visited_root(state: State, visit_count: int, total_value: float = 0.0) -> Node:
    """A root with these statistics."""
    root = Node(state)
    root.visit_count, root.total_value = visit_count, total_value
    return root


def small_tree() -> Node:
    """Ann may say <0>, <1> or pass; Eve answers. <0> is the most visited, its reply too."""
    root = visited_root(Counting(width=3, length=2), visit_count=10, total_value=4.0)
    best = grow(root, 0, visit_count=6, total_value=4.5)
    grow(root, 1, visit_count=3, total_value=-1.5)
    grow(root, 2, visit_count=1, total_value=1.0)
    grow(best, 0, visit_count=1, total_value=-1.0)
    grow(best, 1, visit_count=4, total_value=0.0)
    return root


def drawn_nodes(picture: str) -> list[Element]:
    """The groups of the picture that are cards."""
    root = ElementTree.fromstring(picture)
    return [g for g in root.iter(f"{SVG}g") if re.match(r"node( n|$)", g.get("class", ""))]


def all_texts(picture: str) -> Sequence[str]:
    """Every text of the picture."""
    return [text.text or "" for text in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def ends_in_a_wide_font(text: Element) -> tuple[float, float]:
    """Where a text that is centred at its x begins and ends in DejaVu Sans."""
    size, weight = float(text.get("font-size", "10")), text.get("font-weight", "normal")
    font = FontProperties(family="DejaVu Sans", size=size, weight=weight)
    words = (text.text or "").strip()
    width = TextToPath().get_text_width_height_descent(words, font, ismath=False)[0]
    middle = float(text.get("x", ""))
    return middle - width / 2, middle + width / 2


def ends_of(card: Element) -> tuple[float, float]:
    """Where a rectangle begins and ends."""
    left, width = (float(card.get(name, "")) for name in ("x", "width"))
    return left, left + width
