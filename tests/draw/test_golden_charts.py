"""Golden charts: pictures as they are drawn without Matplotlib."""

from hashlib import sha256
from xml.etree import ElementTree

import numpy as np

from mctslab import draw, search
from mctslab.draw.selection_bars import bars_svg
from tests.draw.test_clocks import Cost
from tests.draw.test_selection_bars import ROOT
from tests.draw.test_trees import small_tree


def charts():
    """Charts by name. Of a tree, which Graphviz lays out, what is drawn, but not where."""
    moves = [Cost(ply % 2, "d3", 0.02 * ply**3, 700 * ply, 60_000 * ply) for ply in range(9)]
    brief = [Cost(0, "d3", 0.0000213), Cost(1, "c4", 0.0413)]
    numbers = np.linspace(-1, 1, 18).reshape(2, 3, 3)
    tree = draw.tree(small_tree(), top=2, boards=True)
    drawn = ElementTree.fromstring(tree.svg).iter()
    return {
        "dot": tree.source,
        "tree": repr([(e.tag, e.get("class"), e.get("fill"), e.text) for e in drawn]),
        "clocks": repr([draw.clocks(each)._repr_mimebundle_() for each in (moves, brief)]),
        "puct": bars_svg(ROOT, search.puct(2.0), 5),
        "ucb1": bars_svg(ROOT, search.ucb1()),
        "planes": draw.planes(numbers, ["a", "b"], square_size=30, numbers=True).svg,
        "amounts": draw.planes(numbers + 1).svg + draw.planes(numbers > 0).svg,
    }


GOLDEN = {
    "dot": "fd3c0f58d601c4d5",
    "tree": "6b27d6136bc8de94",
    "clocks": "f764f3379fe189f0",
    "puct": "1e91c4e9d407fba5",
    "ucb1": "6f9b6c5bde796f21",
    "planes": "c06d77f8c857d294",
    "amounts": "f9dca2b8d58c7f02",
}


def test_golden_charts():
    """Digests of charts that were looked at in both themes: a change has to be meant."""
    made = {name: sha256(chart.encode()).hexdigest()[:16] for name, chart in charts().items()}
    assert made == GOLDEN
