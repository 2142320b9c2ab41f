"""Trees, layers and rows of boards, which are drawn without Matplotlib: what they say, and that the
words are inside of what is around them."""

import re
from collections import namedtuple
from functools import partial
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


def trees():
    """Trees and layers, each with its caption and the words of its first cards."""
    unvisited, line = visited_root(Counting(width=3), 1), visited_root(Counting(width=9), 1_000)
    for action in range(3):
        grow(unvisited, action, visit_count=0)
    best, other = grow(line, 0, 400), grow(line, 1, 390)
    for action in range(9):
        grow(best, action, 44)
    for _ in range(5):
        other = grow(other, 0, 380)
    won, lost = solved(0, 1, 4, 2, num_simulations=40), solved(0, 1, 4, 2, 3, num_simulations=4)
    game = draw.game_tree(Counting(width=2, length=2), values=lambda state: (0.25, -0.25))
    looked_at = {(0, 0), (0, 1), (1, 0), (2, 0), (2, 1)}
    root = "Ann & Bob to move N 10 value +0.40"
    return [
        (draw.tree(small_tree(), top=2, boards=True), "5 of the tree's 6 nodes", []),
        (draw.tree(small_tree()), "all 6 nodes of the tree", [
            *(root, f"{GO[0]} N 6 Q +0.75", f"{GO[1]} N 4 Q 0.00 draw", f"{GO[1]} N 3 Q −0.50"),
            *(f"{GO[0]} N 1 Q −1.00 Ann & Bob wins", "pass N 1 Q +1.00"),
        ]),
        (draw.tree(small_tree(), depth=1), "4 of the tree's 6 nodes", [
            *(root, f"{GO[0]} N 6 Q +0.75 +2 more", f"{GO[1]} N 3 Q −0.50", "pass N 1 Q +1.00"),
        ]),
        (draw.tree(unvisited), "1 of the tree's 4 nodes",
         ["Ann & Bob to move N 1 value 0.00 +3 more"]),
        (draw.tree(Node(TicTacToe())), "No simulation has been made yet.",
         ["X to move N 0 value –"]),
        (draw.tree(line, max_nodes=5), "4 of the tree's 17 nodes", [
            *("Ann & Bob to move N 1,000 value 0.00", f"{GO[0]} N 400 Q 0.00"),
            *(f"{GO[0]} N 44 Q 0.00", f"{GO[1]} N 390 Q 0.00 +1 more"),
        ]),
        (draw.tree(proven(-1.0, -1.0, 0.0)), "all 6 nodes of the tree",
         ["Ann & Bob to move N 10 proven draw", "pass N 1 proven draw"]),
        (draw.tree(won), "2 of the tree's 6 nodes",
         ["X to move N 1 proven win", "c3 N 0 Q +1.00 X wins"]),
        (draw.tree(lost, top=2), "7 of the tree's 14 nodes",
         ["O to move N 4 value −1.00", "c2 N 1 proven loss", "a3 N 1 proven loss"]),
        (game, "7 positions, 2 plies deep", ["a b 1 Ann & Bob to move value +0.25"]),
        (draw.game_tree(LATE, values=search.minimax, for_mover=True), "5 positions, 2 plies deep", [
            *("a b c 1 2 3 O to move value 0.00", "a b c 1 2 3 c1 value −1.00"),
            *("a b c 1 2 3 a3 value 0.00", "a b c 1 2 3 a3 value +1.00 X wins"),
        ]),
        (draw.minimax_tree([[3, 5], [2, 9, 8], [7, 1]], looked_at),
         "5 of 7 leaves were looked at; the dashed ones were not",
         ["Black to move +3", "a +3", "a +3", "b +5", "b ≤ +2"]),
        (draw.minimax_tree([[0.8, 0.3], [0.55, 0.45]], win_rates=True),
         "all 4 leaves were evaluated", ["Black to move 45%", "a 30%", "a 80%", "b 30%"]),
        (draw.net_layers(LAYERS), "", [
            *("planes what goes in", "stem 3 × 3 convolution 1,216 parameters", "+", "value"),
        ]),
        (draw.net_layers((LAYERS[0], WIDE, *LAYERS[2:])), "", []),
    ]  # fmt: skip


GO = ('<0>\\N & "x"', '<1>\\N & "x"')


def test_a_card_says_what_is_known_of_its_node():
    for tree, caption, words in trees():
        cards = [" ".join(text.text or "" for text in card.iter(f"{SVG}text"))
                 for card in drawn_nodes(tree.svg)]  # fmt: skip
        assert cards[: len(words)] == words
        assert getattr(tree, "caption", "") == caption


def test_moves_that_are_left_out_are_counted_beside_those_that_are_drawn():
    assert "+1 more" in all_texts(draw.tree(small_tree(), top=2).svg)
    assert "+2 more" in all_texts(draw.tree(small_tree(), top=1).svg)
    assert "+3 more" in all_texts(draw.game_tree(Counting(width=23), depth=1).svg)


def test_boards_side_by_side_have_their_titles_marks_and_numbers():
    result = search.mcts(ConnectFour(), num_simulations=70, rng=np.random.default_rng(1))
    policy = [0, 0.5, 0.02, 0.25, 0, 0, 0.2, 0.03, 0]
    pictures = {
        "legal": draw.board(Reversi(), legal=True, marks={"X": [9, 14], "F": [27]}),
        "visits": draw.board(result.state, heat=result),
        "<sample>": draw.sample(np.eye(3)[None].repeat(2, 0) > 0.5, policy),
    }
    page = draw.side_by_side(pictures)._repr_mimebundle_()["text/html"]
    assert "&lt;sample&gt;" in page
    shown = [all_texts(picture.svg) for picture in pictures.values()]
    assert (shown[0].count("X"), shown[0].count("F")) == (2, 1)
    assert {str(child.visit_count) for child in result.children} <= {*shown[1]}
    assert {"50%", "25%", "20%", "3.0%"} <= {*shown[2]}


def test_the_bits_of_a_small_board_can_be_read():
    svg = draw.bitboard(1, square_size=20)._repr_svg_()
    size = max(int(each) for each in re.findall(r'font-size="(\d+)"', svg))
    assert size * 20 / 40 >= 11, "pixels"


def test_a_layer_is_called_as_in_the_class_that_is_typed_out():
    layer = LAYERS[0]._replace(name="policy_head.convolution")
    assert ">policy_convolution<" in draw.net_layers([layer]).svg


def test_words_are_inside_their_cards_also_in_a_font_that_is_wider_than_graphviz_takes_it_for():
    for tree, *_ in trees():
        for node in drawn_nodes(tree.svg):
            left, right = ends_of(next(node.iter(f"{SVG}rect")))
            has_stone = any("data-player" in each.attrib for each in node.iter())
            for text in node.findall(f"{SVG}text"):
                begin, end = ends_in_a_wide_font(text)
                is_beside_stone = has_stone and text.get("font-weight") == "bold"
                assert begin - left >= (STONE_ROOM - 1 if is_beside_stone else 3), text.text
                assert right - end >= 3, text.text


def test_a_tree_shows_itself_and_several_share_one_legend():
    drawn = draw.tree(visited_root(TicTacToe(), visit_count=1))
    bundle = drawn._repr_mimebundle_()
    assert bundle["image/svg+xml"] == drawn.svg
    assert bundle["text/plain"] == "<search tree: all 1 node of the tree>"
    page = ElementTree.fromstring(bundle["text/html"])
    assert "overflow-x:auto" in page.get("style", ""), "a wide one scrolls"
    assert "min-width:" in page[0].get("style", ""), "and keeps its text legible"
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
    assert "Bits that are 1: e1 e2." in draw.bitboard(0x1010).svg


BEST = partial(draw.tree, visited_root(Counting(), 1))


@pytest.mark.parametrize(
    ("drawing", "message"),
    [
        (partial(draw.minimax_tree, []), "has no move"),
        (partial(draw.minimax_tree, [[1, 2], []]), "has no move"),
        (partial(draw.bitboard, 1 << 64), "is not a bitboard of 8 x 8 squares"),
        (partial(draw.bitboard, -1), "is not a bitboard of 8 x 8 squares"),
        (partial(BEST, top=0), "top is 0; it must be at least 1"),
        (partial(BEST, depth=-1), "depth is -1; it must be at least 0"),
        (partial(BEST, max_nodes=0), "max_nodes is 0; it must be at least 1"),
        (partial(draw.tree, TicTacToe()), "Tic-Tac-Toe.* is not the result of a search, or"),
    ],
)
def test_what_cannot_be_drawn_is_refused(drawing, message):
    with pytest.raises(ValueError, match=message):
        drawing()
