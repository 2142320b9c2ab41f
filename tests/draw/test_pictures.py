"""Trees, layers and rows of boards, which are drawn without Matplotlib: each is as it was looked
at, its words are inside, and nothing is cut off or covered."""

import re
from collections import namedtuple
from functools import cache, partial
from hashlib import sha256
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import draw, fast, search
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
from tests.search.toys import play

Layer = namedtuple("Layer", "name what inputs shape num_parameters")
LAYERS = (
    Layer("planes", "what goes in", (), (4, 6, 7), 0),
    Layer("stem", "3 × 3 convolution", ("planes",), (8, 6, 7), 1216),
    Layer("tower.0.add", "sum", ("planes", "stem"), (8, 6, 7), 0),
    Layer("value", "", ("tower.0.add",), (), 0),
)
WIDE = Layer("stem", "3 × 3 convolution, batch norm, ReLU", ("planes",), (128, 15, 15), 1216)


# X a1 a2 c2 b3, O b1 b2 c3; c1 and a3 are free
LATE = play(TicTacToe(), [0, 1, 3, 4, 5, 8, 7])


def proven(*values):
    """The small tree; these are proven of the first moves."""
    root = small_tree()
    for child, value in zip(root.children, values, strict=True):
        child.proven = value
    return root


def solved(*actions, num_simulations):
    """What PUCT proves of a position of Tic-Tac-Toe: a winning move needs no visit."""
    options = {"solver": True, "evaluator": search.uniform_evaluator()}
    options |= {"num_simulations": num_simulations, "rng": np.random.default_rng(1)}
    return search.puct_search(play(TicTacToe(), actions), **options)


@cache
def trees():
    """Trees and their digests, among them: left out by each of the limits, without a visit, twice
    the same move, and a line that is drawn before heavier nodes."""
    unvisited, reused = visited_root(Counting(width=3), visit_count=1), small_tree().children[0]
    for action in range(3):
        grow(unvisited, action, visit_count=0)
    reused.parent = None
    twice = visited_root(Counting(width=2), visit_count=9)
    for action, visits in ((0, 6), (1, 3)):
        grow(grow(twice, action, visits), 1, visits - 1)
    uneven = small_tree()  # cards of a ply have three or four lines
    grow(uneven.children[1], 0, visit_count=1, total_value=1.0)
    line = visited_root(Counting(width=9), visit_count=1_000)
    best, other = grow(line, 0, 400), grow(line, 1, 390)
    for action in range(9):
        grow(best, action, 44)
    for _ in range(5):
        other = grow(other, 0, 380)
    wide = draw.tree(visited_root(Counting(width=77, length=2), 1_000), top=3)
    game = draw.game_tree(Counting(width=2, length=2), values=lambda state: (0.25, -0.25))
    looked_at = {(0, 0), (0, 1), (1, 0), (2, 0), (2, 1)}
    rates = draw.minimax_tree([[0.8, 0.3], [0.55, 0.45]], win_rates=True)
    won, lost = solved(0, 1, 4, 2, num_simulations=40), solved(0, 1, 4, 2, 3, num_simulations=4)
    exact = search.mcts(LATE, num_simulations=50, solver=True, rng=np.random.default_rng(1))
    compiled = fast.mcts(ConnectFour(), num_simulations=300, rng=np.random.default_rng(1))
    return {
        "search": ("b3796a3eac1caee9", draw.tree(small_tree(), top=2, boards=True)),
        "whole": ("a9d2b61b67264393", draw.tree(small_tree())),
        "reused": ("618a24ea22187952", draw.tree(reused)),
        "compiled": ("4d08b8442a10e68f", draw.tree(compiled, max_nodes=12)),
        "one child": ("61f3fe4af3ba826a", draw.tree(small_tree(), top=1)),
        "one ply": ("3857e3ef714c9a8e", draw.tree(small_tree(), depth=1)),
        "hidden": ("195a1448345963bb", draw.tree(unvisited)),
        "no simulation": ("3db79d9ad7ff6619", draw.tree(Node(TicTacToe()))),
        "over": ("2319c67cdad234a2", draw.tree(Node(Counting(length=0)))),
        "the same move twice": ("22983fcd05241ee8", draw.tree(twice)),
        "wide": ("f7dc653ded1099ab", wide),
        "uneven": ("0e65e2140c5d24ca", draw.tree(uneven, boards=True)),
        "line": ("9138ecbb70991c57", draw.tree(line, max_nodes=5)),
        "line, one ply": ("1506c3d8272d57b6", draw.tree(line, depth=1)),
        "perhaps a draw": ("616820e0af04dfdd", draw.tree(proven(None, -1.0, 0.0))),
        "a draw": ("30044f033f0af55a", draw.tree(proven(-1.0, -1.0, 0.0))),
        "a win without a visit": ("7ed451bb8562ea5c", draw.tree(won)),
        "losses with reasons": ("5d8b7315363d4a97", draw.tree(lost, top=2)),
        "game": ("12b3bf30ffbd6c61", game),
        "20 of 23": ("c6b2c61afa4e99e0", draw.game_tree(Counting(width=23), depth=1, boards=False)),
        "values": ("c890e2dd0ebc63d2", draw.game_tree(LATE, values=lambda state: (-1.0, 1.0))),
        "exact": ("61490e5cd363c599", draw.game_tree(LATE, values=search.minimax, for_mover=True)),
        "as exact": ("9a44ac22249770f4", draw.tree(exact, depth=1)),
        "results": ("5d1bab0fe10adc22", draw.game_tree(LATE, for_mover=True)),
        "ply of Reversi": ("f7838c3786b939c9", draw.game_tree(Reversi(size=4), depth=1)),
        "minimax": ("a97b86c6226cc80e", draw.minimax_tree([[3, 5], [2, 9, 8], [7, 1]], looked_at)),
        "win rates": ("f43c8a8d634106a4", rates),
    }


def parts_of(picture):
    """What is drawn, but not where, which is left to Graphviz."""
    kept = ("class", "fill", "style", "font-weight", "stroke", "stroke-width", "rx")
    elements = ElementTree.fromstring(picture).iter()
    return repr([(e.tag, e.text, *(e.get(name) for name in kept)) for e in elements])


def boards():
    numbers = np.linspace(-1, 1, 18).reshape(2, 3, 3)
    result = search.mcts(ConnectFour(), num_simulations=70, rng=np.random.default_rng(1))
    pictures = {
        "legal": draw.board(Reversi(), legal=True, marks={"X": [9, 14], "F": [27]}),
        "visits": draw.board(result.state, heat=result),
        "bits": draw.bitboard(Reversi(size=6).child(8).stones_of(0), size=6),
        "<sample>": draw.sample(abs(numbers) > 0.9, [0.5, 0, 0.02, 0.25, 0.03, 0, 0.2, 0, 0]),
    }
    return repr(draw.side_by_side(pictures)._repr_mimebundle_())


def test_golden_pictures():
    """Digests of pictures that were looked at in both themes: a change has to be meant."""
    made = {"boards": boards(), "layers": parts_of(draw.net_layers(LAYERS).svg)}
    golden = {"boards": "d70e012e3f6475f8", "layers": "5219696d60f333f4"}
    for name, (digest, tree) in trees().items():
        made[name], golden[name] = tree.source + parts_of(tree.svg), digest
    digests = {name: sha256(drawn.encode()).hexdigest()[:16] for name, drawn in made.items()}
    assert digests == golden


ENDS = (("x1", "y1"), ("x2", "y2"))


def test_a_card_holds_its_words_and_board_and_edges_lead_from_card_to_card():
    """Also in a font that is wider than Graphviz takes it for; no edge passes behind a card,
    because those of a ply are equally high."""
    for name, (_, tree) in trees().items():
        rows = {}
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


def test_words_of_layers_keep_off_borders_and_arrows_which_point_to_the_boxes():
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


def test_a_tree_shows_itself_and_several_share_one_legend():
    drawn = draw.tree(visited_root(TicTacToe(), visit_count=1))
    bundle = drawn._repr_mimebundle_()
    assert bundle["image/svg+xml"] == drawn.svg
    assert bundle["text/plain"] == "<search tree: all 1 node of the tree>"
    (place,) = ElementTree.fromstring(bundle["text/html"]).iter("span")
    assert "left:50.0%" in place.get("style", ""), "the page scrolls to the middle of the root"
    legend, other = ">Q, the mean value for the player", ">Result for X"
    row = {"small": draw.tree(small_tree()), "one": drawn}
    assert drawn.svg.count(legend) == 1
    assert draw.side_by_side(row)._repr_mimebundle_()["text/html"].count(legend) == 1
    page = draw.side_by_side(row | {"game": draw.game_tree(LATE)})._repr_mimebundle_()["text/html"]
    assert (page.count(legend), page.count(other)) == (2, 1), "their colours differ in meaning"


def test_never_more_than_300_nodes_and_it_says_so():
    game = draw.game_tree(Counting(width=20, length=9), depth=3, boards=False)
    assert 250 < len(drawn_nodes(game.svg)) <= 300
    root = visited_root(Counting(width=400), visit_count=500)
    for action in range(400):
        grow(root, action)
    drawn = draw.tree(root, top=10_000, max_nodes=10_000)
    assert len(drawn_nodes(drawn.svg)) <= 300
    assert drawn.caption.endswith("max_nodes is 10,000, but no drawing has more than 300")


@given(st.integers(0, 2**64 - 1))
def test_a_bitboard_has_a_digit_on_every_square(bits):
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
def test_what_cannot_be_drawn_is_refused(drawing, message):
    with pytest.raises(ValueError, match=message):
        drawing()
