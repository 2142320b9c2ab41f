"""What holds of every tree and of layers: their words are inside, nothing is cut off or covered."""

import re
from functools import partial
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from mctslab import draw, search
from mctslab.draw.cards import STONE_ROOM
from mctslab.games import Reversi
from tests.draw.drawn import (
    SVG,
    Counting,
    drawn_nodes,
    ends_in_a_wide_font,
    ends_of,
    grow,
    texts_of,
    visited_root,
)  # fmt: skip
from tests.draw.test_trees import BEFORE_THE_END, boards_of, card_of, small_tree


class Layer(NamedTuple):
    name: str
    what: str
    inputs: tuple[str, ...]
    shape: tuple[int, ...]
    num_parameters: int


LAYERS = (
    Layer("planes", "what goes in", (), (4, 6, 7), 0),
    Layer("stem", "3 × 3 convolution", ("planes",), (8, 6, 7), 1216),
    Layer("tower.0.add", "sum", ("planes", "stem"), (8, 6, 7), 0),
    Layer("value", "", ("tower.0.add",), (), 0),
)
WIDE = Layer("stem", "3 × 3 convolution, batch norm, ReLU", ("planes",), (128, 15, 15), 1216)


def uneven() -> search.Node:
    """A tree in which cards of a ply have three or four lines."""
    root = small_tree()
    grow(root.children[1], 0, visit_count=1, total_value=1.0)
    return root


TREES = {
    "search": lambda: draw.tree(visited_root(Counting(width=77, length=2), 1_000), top=3),
    "boards": lambda: draw.tree(uneven(), boards=True),
    "values": lambda: draw.game_tree(BEFORE_THE_END, values=lambda state: (-1.0, 1.0)),
    "game": lambda: draw.game_tree(Reversi(size=4), depth=1),
}


def box_of(element: ElementTree.Element) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a card."""
    points = element.get("d") or element.get("points") or ""
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", points)]
    return min(numbers[::2]), min(numbers[1::2]), max(numbers[::2]), max(numbers[1::2])


@pytest.mark.parametrize("name", TREES)
def test_a_card_holds_its_words_and_board_and_those_of_a_ply_are_equally_high(name):
    """Also in a font that is wider than Graphviz takes it for; no edge passes behind a card."""
    nodes = drawn_nodes(TREES[name]().svg)
    rows: dict[int, set[int]] = {}
    for node in nodes:
        left, top, right, bottom = box_of(card_of(node))
        rows.setdefault(round(top), set()).add(round(bottom))
        for text in node.findall(f"{SVG}text"):
            begin, end = ends_in_a_wide_font(text)
            is_heading = text.get("font-weight") == "bold"
            assert begin - left >= (STONE_ROOM if is_heading else 3), text.text
            assert right - end >= 3, text.text
        for board in boards_of(node):
            x, y, width, height = (float(board.get(k, "")) for k in ("x", "y", "width", "height"))
            assert left < x < x + width < right
            assert top < y < y + height < bottom
            words = [float(text.get("y", "")) for text in node.findall(f"{SVG}text")]
            assert all(y + height < place < bottom for place in words), "they stand under it"
    assert sum(map(len, map(texts_of, nodes))) > 1
    assert all(len(bottoms) == 1 for bottoms in rows.values())


def test_words_of_layers_keep_off_borders_and_arrows_and_nothing_is_cut_off():
    root = ElementTree.fromstring(draw.net_layers((LAYERS[0], WIDE, *LAYERS[2:])).svg)
    (group,) = (each for each in root.iter(f"{SVG}g") if each.get("class") == "graph")
    shift = float(re.findall(r"translate\(([-\d.]+)", group.get("transform", ""))[0])
    left, _, width, _ = map(float, root.get("viewBox", "").split())
    for each in group.iter(f"{SVG}g"):
        outlines = [part for part in each if part.tag in (f"{SVG}path", f"{SVG}polygon")]
        for text in each.findall(f"{SVG}text"):
            begin, end = ends_in_a_wide_font(text)
            assert left <= begin + shift < end + shift <= left + width, text.text
            if text.text == "+":  # in a circle
                continue
            first, last = ends_of(outlines[0])
            if each.get("class") == "node":
                assert first + 3 <= begin < end <= last - 3, text.text
            elif each.get("class") == "edge" and last - first < 1:  # straight down
                assert begin >= last + 1, text.text


BEST = partial(draw.tree, visited_root(Counting(), 1))


@pytest.mark.parametrize(
    ("drawing", "message"),
    [
        (partial(draw.net_layers, (*LAYERS, LAYERS[1])), "two layers called 'stem'"),
        (partial(draw.net_layers, LAYERS[1:]), "'planes', which is an input of 'stem', is not a"),
        (partial(draw.minimax_tree, []), "has no move"),
        (partial(draw.minimax_tree, [[1, 2], []]), "has no move"),
        (partial(draw.bitboard, 1 << 4, size=2), "is not a bitboard of 2 x 2 squares"),
        (partial(draw.bitboard, -1, size=2), "is not a bitboard of 2 x 2 squares"),
        (partial(BEST, top=0), "top is 0; it must be at least 1"),
        (partial(BEST, depth=-1), "depth is -1; it must be at least 0"),
        (partial(BEST, min_visits=-1), "min_visits is -1; it must be at least 0"),
        (partial(BEST, max_nodes=0), "max_nodes is 0; it must be at least 1"),
    ],
)
def test_what_cannot_be_drawn_is_refused(drawing, message):
    with pytest.raises(ValueError, match=message):
        drawing()
