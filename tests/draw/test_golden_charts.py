"""Golden pictures: trees, layers and rows of boards as they are drawn without Matplotlib."""

from hashlib import sha256
from xml.etree import ElementTree

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mctslab import draw, search
from mctslab.games import ConnectFour, Reversi, TicTacToe
from mctslab.search import Node
from tests.draw.drawn import Counting, all_texts, grow, visited_root
from tests.draw.test_every_picture import LAYERS
from tests.draw.test_lookahead import SOME, THREE
from tests.draw.test_trees import small_tree


def parts_of(picture: str) -> str:
    """What is drawn, but not where, which is left to Graphviz."""
    kept = ("class", "fill", "style", "font-weight", "stroke-width")
    elements = ElementTree.fromstring(picture).iter()
    return repr([(e.tag, e.text, *(e.get(name) for name in kept)) for e in elements])


def trees():
    """Among them: left out by each of the limits, without a visit, and twice the same move."""
    small, unvisited = small_tree(), visited_root(Counting(width=3), visit_count=1)
    for action in range(3):
        grow(unvisited, action, visit_count=0)
    twice = visited_root(Counting(width=2), visit_count=9)
    for action, visits in ((0, 6), (1, 3)):
        grow(grow(twice, action, visits), 1, visits - 1)
    return {
        "search": draw.tree(small, top=2, boards=True),
        "one child": draw.tree(small, top=1),
        "one ply": draw.tree(small, depth=1),
        "three visits": draw.tree(small, min_visits=3),
        "hidden": draw.tree(unvisited),
        "unvisited": draw.tree(unvisited, min_visits=0),
        "no simulation": draw.tree(Node(TicTacToe())),
        "over": draw.tree(Node(Counting(length=0))),
        "the same move twice": draw.tree(twice),
        "game": draw.game_tree(Counting(width=2, length=2), values=lambda state: (0.25, -0.25)),
        "minimax": draw.minimax_tree(THREE, SOME),
        "win rates": draw.minimax_tree([[0.8, 0.3], [0.55, 0.45]], win_rates=True),
    }


def pictures():
    numbers = np.linspace(-1, 1, 18).reshape(2, 3, 3)
    result = search.mcts(ConnectFour(), num_simulations=70, rng=np.random.default_rng(1))
    boards = {
        "legal": draw.board(Reversi(), legal=True, marks={"X": [9, 14], "F": [27]}),
        "visits": draw.board(result.state, heat=result),
        "bits": draw.bitboard(Reversi(size=6).child(8).stones_of(0), size=6),
        "<sample>": draw.sample(abs(numbers) > 0.9, [0.5, 0, 0.02, 0.25, 0.03, 0, 0.2, 0, 0]),
    }
    return {
        "boards": repr(draw.side_by_side(boards)._repr_mimebundle_()),
        "layers": parts_of(draw.net_layers(LAYERS).svg),
        **{name: tree.source + parts_of(tree.svg) for name, tree in trees().items()},
    }


GOLDEN = {
    "boards": "d70e012e3f6475f8",
    "layers": "4095889c03b5b265",
    "search": "e5519730f34ea9b2",
    "one child": "39253fee07d2aae6",
    "one ply": "fa81a9a393e85bc4",
    "three visits": "fa648877fcbd0c36",
    "hidden": "6fc263ebeb8e6c25",
    "unvisited": "4ad5574c53a5ad11",
    "no simulation": "a73bc711ed2e46d0",
    "over": "825ecc3d43cd8aff",
    "the same move twice": "a06178edf175b745",
    "game": "a42d1dedb9a3c72e",
    "minimax": "f0522ee78786e219",
    "win rates": "0a040480ee816dda",
}


def test_golden_pictures():
    """Digests of pictures that were looked at in both themes: a change has to be meant."""
    made = {name: sha256(chart.encode()).hexdigest()[:16] for name, chart in pictures().items()}
    assert made == GOLDEN


@given(st.integers(0, 2**64 - 1))
def test_a_bitboard_has_a_digit_on_every_square(bits):
    digits = [text for text in all_texts(draw.bitboard(bits).svg) if text in ("0", "1")]
    assert "".join(digits[-64:]) == f"{bits:064b}"[::-1]
    assert "Bits that are 1: b1 b2." in draw.bitboard(0b1010, size=2).svg
