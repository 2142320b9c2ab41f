"""Trees, layers and rows of boards, which are drawn without Matplotlib: each is as it was looked
at, and its words are inside of what is around them."""

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
    drawn_nodes,
    ends_in_a_wide_font,
    ends_of,
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
    """Trees and layers with their digests, among them: left out by each of the limits, without a
    visit, twice the same move, and a line that is drawn before heavier nodes."""
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
        "search": ("286cb129daf210ba", draw.tree(small_tree(), top=2, boards=True)),
        "whole": ("cb1251d5e08a7afe", draw.tree(small_tree())),
        "reused": ("8118d6a10bbf2b10", draw.tree(reused)),
        "compiled": ("f61a2005720c4335", draw.tree(compiled, max_nodes=12)),
        "one child": ("226cb16a416fd288", draw.tree(small_tree(), top=1)),
        "one ply": ("a72534fe9c712c01", draw.tree(small_tree(), depth=1)),
        "hidden": ("61866dd0c5ec36b6", draw.tree(unvisited)),
        "no simulation": ("97509fc278ccf4b5", draw.tree(Node(TicTacToe()))),
        "over": ("4553bfce4fd60827", draw.tree(Node(Counting(length=0)))),
        "the same move twice": ("c104da325b5b6954", draw.tree(twice)),
        "wide": ("b708f14750e75e85", wide),
        "uneven": ("b56804e814030bd5", draw.tree(uneven, boards=True)),
        "line": ("51ebc2bfc97d0bdc", draw.tree(line, max_nodes=5)),
        "line, one ply": ("6e68325986805d3c", draw.tree(line, depth=1)),
        "perhaps a draw": ("05f5f5a5255aa3af", draw.tree(proven(None, -1.0, 0.0))),
        "a draw": ("9c9b09f3de2c3c30", draw.tree(proven(-1.0, -1.0, 0.0))),
        "a win without a visit": ("a934d4f9b58f7d30", draw.tree(won)),
        "losses with reasons": ("705b17bcfcd68deb", draw.tree(lost, top=2)),
        "game": ("5c2edbb97f66c1d9", game),
        "20 of 23": ("a5e532ee3b2270ee", draw.game_tree(Counting(width=23), depth=1, boards=False)),
        "values": ("49343bdd5604c26e", draw.game_tree(LATE, values=lambda state: (-1.0, 1.0))),
        "exact": ("a6c260321f24adca", draw.game_tree(LATE, values=search.minimax, for_mover=True)),
        "as exact": ("303e4a30bd52c62b", draw.tree(exact, depth=1)),
        "results": ("aa4c3a6bd702fbe2", draw.game_tree(LATE, for_mover=True)),
        "ply of Reversi": ("6ad1acb3af9095e5", draw.game_tree(Reversi(size=4), depth=1)),
        "minimax": ("57f112348df4b312", draw.minimax_tree([[3, 5], [2, 9, 8], [7, 1]], looked_at)),
        "layers": ("e0863c7a268b61dc", draw.net_layers(LAYERS)),
        "wide layers": ("a9416a2b05bd12d6", draw.net_layers((LAYERS[0], WIDE, *LAYERS[2:]))),
        "win rates": ("d48d20919d5bfa86", rates),
    }


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


def test_the_bits_of_a_small_board_can_be_read():
    svg = draw.bitboard(1, square_size=20)._repr_svg_()
    size = max(int(each) for each in re.findall(r'font-size="(\d+)"', svg))
    assert size * 20 / 40 >= 11, "pixels"


def test_a_layer_is_called_as_in_the_class_that_is_typed_out():
    layer = LAYERS[0]._replace(name="policy_head.convolution")
    assert ">policy_convolution<" in draw.net_layers([layer]).svg


def test_golden_pictures():
    """Digests of pictures that were looked at in both themes: a change has to be meant."""
    made = {"boards": boards()}
    golden = {"boards": "801ac5ed39b53e22"}
    for name, (digest, tree) in trees().items():
        made[name], golden[name] = tree.svg, digest
    digests = {name: sha256(drawn.encode()).hexdigest()[:16] for name, drawn in made.items()}
    assert digests == golden


def test_words_are_inside_their_cards_also_in_a_font_that_is_wider_than_graphviz_takes_it_for():
    for name, (_, tree) in trees().items():
        for node in drawn_nodes(tree.svg):
            left, right = ends_of(next(node.iter(f"{SVG}rect")))
            has_stone = any("data-player" in each.attrib for each in node.iter())
            for text in node.findall(f"{SVG}text"):
                begin, end = ends_in_a_wide_font(text)
                is_beside_stone = has_stone and text.get("font-weight") == "bold"
                assert begin - left >= (STONE_ROOM - 1 if is_beside_stone else 3), (name, text.text)
                assert right - end >= 3, (name, text.text)


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
