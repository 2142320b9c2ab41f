"""Trees, layers and rows of boards, which are drawn without Matplotlib: each is as it was looked
at, its words are inside, and nothing is cut off or covered."""

import re
from functools import cache, partial
from hashlib import sha256
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import draw, search
from mctslab.draw.cards import STONE_ROOM
from mctslab.games import ConnectFour, Reversi, TicTacToe
from mctslab.search import Node
from tests.draw.drawn import (
    SVG,
    Counting,
    all_texts,
    boards_of,
    box_of,
    card_of,
    drawn_nodes,
    ends_in_a_wide_font,
    grow,
    small_tree,
    visited_root,
)  # fmt: skip
from tests.draw.test_trees import LATE


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


@cache
def trees() -> dict[str, tuple[str, Any]]:
    """Trees and their digests, among them: left out by each of the limits, without a visit, and
    twice the same move."""
    small, unvisited = small_tree(), visited_root(Counting(width=3), visit_count=1)
    for action in range(3):
        grow(unvisited, action, visit_count=0)
    twice = visited_root(Counting(width=2), visit_count=9)
    for action, visits in ((0, 6), (1, 3)):
        grow(grow(twice, action, visits), 1, visits - 1)
    uneven = small_tree()  # cards of a ply have three or four lines
    grow(uneven.children[1], 0, visit_count=1, total_value=1.0)
    wide = draw.tree(visited_root(Counting(width=77, length=2), 1_000), top=3)
    game = draw.game_tree(Counting(width=2, length=2), values=lambda state: (0.25, -0.25))
    looked_at = {(0, 0), (0, 1), (1, 0), (2, 0), (2, 1)}
    rates = draw.minimax_tree([[0.8, 0.3], [0.55, 0.45]], win_rates=True)
    return {
        "search": ("b3796a3eac1caee9", draw.tree(small, top=2, boards=True)),
        "one child": ("61f3fe4af3ba826a", draw.tree(small, top=1)),
        "one ply": ("3857e3ef714c9a8e", draw.tree(small, depth=1)),
        "hidden": ("195a1448345963bb", draw.tree(unvisited)),
        "no simulation": ("3db79d9ad7ff6619", draw.tree(Node(TicTacToe()))),
        "over": ("2319c67cdad234a2", draw.tree(Node(Counting(length=0)))),
        "the same move twice": ("22983fcd05241ee8", draw.tree(twice)),
        "wide": ("f7dc653ded1099ab", wide),
        "uneven": ("0e65e2140c5d24ca", draw.tree(uneven, boards=True)),
        "game": ("12b3bf30ffbd6c61", game),
        "values": ("c890e2dd0ebc63d2", draw.game_tree(LATE, values=lambda state: (-1.0, 1.0))),
        "ply of Reversi": ("f7838c3786b939c9", draw.game_tree(Reversi(size=4), depth=1)),
        "minimax": ("a97b86c6226cc80e", draw.minimax_tree([[3, 5], [2, 9, 8], [7, 1]], looked_at)),
        "win rates": ("f43c8a8d634106a4", rates),
    }


def parts_of(picture: str) -> str:
    """What is drawn, but not where, which is left to Graphviz."""
    kept = ("class", "fill", "style", "font-weight", "stroke", "stroke-width", "rx")
    elements = ElementTree.fromstring(picture).iter()
    return repr([(e.tag, e.text, *(e.get(name) for name in kept)) for e in elements])


def boards() -> str:
    numbers = np.linspace(-1, 1, 18).reshape(2, 3, 3)
    result = search.mcts(ConnectFour(), num_simulations=70, rng=np.random.default_rng(1))
    pictures = {
        "legal": draw.board(Reversi(), legal=True, marks={"X": [9, 14], "F": [27]}),
        "visits": draw.board(result.state, heat=result),
        "bits": draw.bitboard(Reversi(size=6).child(8).stones_of(0), size=6),
        "<sample>": draw.sample(abs(numbers) > 0.9, [0.5, 0, 0.02, 0.25, 0.03, 0, 0.2, 0, 0]),
    }
    return repr(draw.side_by_side(pictures)._repr_mimebundle_())


def test_golden_pictures() -> None:
    """Digests of pictures that were looked at in both themes: a change has to be meant."""
    made = {"boards": boards(), "layers": parts_of(draw.net_layers(LAYERS).svg)}
    golden = {"boards": "d70e012e3f6475f8", "layers": "5219696d60f333f4"}
    for name, (digest, tree) in trees().items():
        made[name], golden[name] = tree.source + parts_of(tree.svg), digest
    digests = {name: sha256(drawn.encode()).hexdigest()[:16] for name, drawn in made.items()}
    assert digests == golden


ENDS = (("x1", "y1"), ("x2", "y2"))


def test_a_card_holds_its_words_and_board_and_edges_lead_from_card_to_card() -> None:
    """Also in a font that is wider than Graphviz takes it for; no edge passes behind a card,
    because those of a ply are equally high."""
    for name, (_, tree) in trees().items():
        rows: dict[int, list[float]] = {}
        bottoms, tops = set(), set()
        for node in drawn_nodes(tree.svg):
            left, top, right, bottom = box_of(card_of(node))
            rows.setdefault(round(top), []).append(bottom)
            bottoms.add((round((left + right) / 2), round(bottom)))
            tops.add((round((left + right) / 2), round(top)))
            has_stone = any("data-player" in each.attrib for each in node.iter())
            for text in node.findall(f"{SVG}text"):
                begin, end = ends_in_a_wide_font(text)
                is_beside_stone = has_stone and text.get("font-weight") == "bold"
                assert begin - left >= (STONE_ROOM - 1 if is_beside_stone else 3), (name, text.text)
                assert right - end >= 3, (name, text.text)
            for board in boards_of(node):
                first, upper, last, lower = box_of(board)
                assert left < first < last < right, name
                assert top < upper < lower < bottom, name
                words = [float(text.get("y", "")) for text in node.findall(f"{SVG}text")]
                assert all(lower < place < bottom for place in words), "they stand under it"
        assert all(max(row) - min(row) < 1 for row in rows.values()), name
        edges = [
            [(round(float(edge.get(x, ""))), round(float(edge.get(y, "")))) for x, y in ENDS]
            for edge in ElementTree.fromstring(tree.svg).iter(f"{SVG}line")
        ]
        assert {start for start, _ in edges} <= bottoms, name
        assert {end for _, end in edges} >= tops - {min(tops, key=lambda place: place[1])}, name


def test_words_of_layers_keep_off_borders_and_arrows_which_point_to_the_boxes() -> None:
    root = ElementTree.fromstring(picture := draw.net_layers((LAYERS[0], WIDE, *LAYERS[2:])).svg)
    _, _, width, _ = map(float, root.get("viewBox", "").split())
    lines = [[float(x) for x in re.findall(r"(-?[\d.]+),", path.get("d", ""))]
             for path in root.iter(f"{SVG}path")]  # fmt: skip
    straight = [min(xs) for xs in lines if max(xs) - min(xs) < 1]
    for text in root.iter(f"{SVG}text"):
        begin, end = ends_in_a_wide_font(text)
        assert 0 <= begin < end <= width - 8, text.text
        if text.get("font-size") == "9":
            assert all(not begin - 1 < x < end + 1 for x in straight), text.text
    tops = []
    for node in drawn_nodes(picture):
        first, top, last, _ = box_of(card_of(node))
        tops.append(top)
        for text in node.findall(f"{SVG}text"):
            begin, end = ends_in_a_wide_font(text)
            assert text.text == "+" or first + 3 <= begin < end <= last - 3, text.text
    tips = list(root.iter(f"{SVG}polygon"))
    assert len(tips) == 4
    for tip in tips:
        (_, y), *base = [map(float, pair.split(",")) for pair in tip.get("points", "").split()]
        assert y > sum(other for _, other in base) / 2, "down"
        assert min(abs(y - top) for top in tops) < 12


@given(st.integers(0, 2**64 - 1))
def test_a_bitboard_has_a_digit_on_every_square(bits: int) -> None:
    digits = [text for text in all_texts(draw.bitboard(bits).svg) if text in ("0", "1")]
    assert "".join(digits[-64:]) == f"{bits:064b}"[::-1]
    assert "Bits that are 1: b1 b2." in draw.bitboard(0b1010, size=2).svg


BEST = partial(draw.tree, visited_root(Counting(), 1))


@pytest.mark.parametrize(
    ("drawing", "message"),
    [
        (partial(draw.minimax_tree, []), "has no move"),
        (partial(draw.minimax_tree, [[1, 2], []]), "has no move"),
        (partial(draw.bitboard, 1 << 4, size=2), "is not a bitboard of 2 x 2 squares"),
        (partial(draw.bitboard, -1, size=2), "is not a bitboard of 2 x 2 squares"),
        (partial(BEST, top=0), "top is 0; it must be at least 1"),
        (partial(BEST, depth=-1), "depth is -1; it must be at least 0"),
        (partial(BEST, max_nodes=0), "max_nodes is 0; it must be at least 1"),
    ],
)
def test_what_cannot_be_drawn_is_refused(drawing: partial[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        drawing()
