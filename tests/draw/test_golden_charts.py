"""Golden pictures: trees, layers and rows of boards as they are drawn without Matplotlib."""

from hashlib import sha256
from xml.etree import ElementTree

import numpy as np

from mctslab import draw, search
from mctslab.games import ConnectFour, Reversi
from tests.draw.drawn import Counting
from tests.draw.test_every_picture import LAYERS
from tests.draw.test_lookahead import SOME, THREE
from tests.draw.test_trees import small_tree


def parts_of(picture: str) -> str:
    """What is drawn, but not where, which is left to Graphviz."""
    kept = ("class", "fill", "style", "font-weight", "stroke-width")
    elements = ElementTree.fromstring(picture).iter()
    return repr([(e.tag, e.text, *(e.get(name) for name in kept)) for e in elements])


def pictures():
    numbers = np.linspace(-1, 1, 18).reshape(2, 3, 3)
    result = search.mcts(ConnectFour(), num_simulations=70, rng=np.random.default_rng(1))
    boards = {
        "legal": draw.board(Reversi(), legal=True, marks={"X": [9, 14], "F": [27]}),
        "visits": draw.board(result.state, heat=result),
        "bits": draw.bitboard(Reversi(size=6).child(8).stones_of(0), size=6),
        "<sample>": draw.sample(abs(numbers) > 0.9, [0.5, 0, 0.02, 0.25, 0.03, 0, 0.2, 0, 0]),
    }
    trees = {
        "search": draw.tree(small_tree(), top=2, boards=True),
        "game": draw.game_tree(Counting(width=2, length=2), values=lambda state: (0.25, -0.25)),
        "minimax": draw.minimax_tree(THREE, SOME),
        "win rates": draw.minimax_tree([[0.8, 0.3], [0.55, 0.45]], win_rates=True),
    }
    return {
        "boards": repr(draw.side_by_side(boards)._repr_mimebundle_()),
        "layers": parts_of(draw.net_layers(LAYERS).svg),
        **{name: tree.source + parts_of(tree.svg) for name, tree in trees.items()},
    }


GOLDEN = {
    "boards": "d70e012e3f6475f8",
    "layers": "4095889c03b5b265",
    "search": "e5519730f34ea9b2",
    "game": "a42d1dedb9a3c72e",
    "minimax": "f0522ee78786e219",
    "win rates": "0a040480ee816dda",
}


def test_golden_pictures():
    """Digests of pictures that were looked at in both themes: a change has to be meant."""
    made = {name: sha256(chart.encode()).hexdigest()[:16] for name, chart in pictures().items()}
    assert made == GOLDEN
