"""Golden charts: pictures that are drawn without Graphviz and Matplotlib."""

from hashlib import sha256

import numpy as np

from mctslab import draw, search
from mctslab.draw.selection_bars import bars_svg
from tests.draw.test_clocks import Cost
from tests.draw.test_selection_bars import ROOT


def charts() -> dict[str, str]:
    """Charts that are drawn without Graphviz and Matplotlib."""
    moves = [Cost(ply % 2, "d3", 0.02 * ply**3, 700 * ply, 60_000 * ply) for ply in range(9)]
    brief = [Cost(0, "d3", 0.0000213), Cost(1, "c4", 0.0413)]
    numbers = np.linspace(-1, 1, 18).reshape(2, 3, 3)
    return {
        "clocks": repr([draw.clocks(each)._repr_mimebundle_() for each in (moves, brief)]),
        "puct": bars_svg(ROOT, search.puct(2.0), 5),
        "ucb1": bars_svg(ROOT, search.ucb1()),
        "planes": draw.planes(numbers, ["a", "b"], square_size=30, numbers=True).svg,
        "amounts": draw.planes(numbers + 1).svg + draw.planes(numbers > 0).svg,
    }


GOLDEN = {
    "clocks": "f764f3379fe189f0",
    "puct": "1e91c4e9d407fba5",
    "ucb1": "6f9b6c5bde796f21",
    "planes": "c06d77f8c857d294",
    "amounts": "f9dca2b8d58c7f02",
}


def test_golden_charts() -> None:
    """Digests of charts that were looked at in both themes: a change has to be meant."""
    made = {name: sha256(chart.encode()).hexdigest()[:16] for name, chart in charts().items()}
    assert made == GOLDEN
