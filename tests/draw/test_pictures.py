"""The pictures of README.md, made by the script in docs, and golden charts."""

import runpy
from hashlib import sha256
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from mctslab import draw, search
from mctslab.draw.selection_bars import bars_svg
from tests.draw.drawn import SVG, all_texts
from tests.draw.test_clocks import Cost
from tests.draw.test_selection_bars import ROOT

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "make_pictures.py"))


def test_board_and_tree_are_of_one_search(script: dict[str, Any]) -> None:
    picture = script["board_and_tree"]()
    root = ElementTree.fromstring(picture)
    inner = [e.get("aria-label", "") for e in root.iter(f"{SVG}svg") if e.get("aria-label")]
    assert inner[0] == "Board with 8 rows and 8 columns"
    assert any(label.startswith("Search tree: ") for label in inner)
    texts = all_texts(picture)
    best = max(int(e) for e in texts if e.isdecimal())
    assert f"N {best}" in texts, "the most visited square of the board is a node of the tree"
    assert picture == script["board_and_tree"](), "the same seeds, the same picture"


def test_pictures_stand_side_by_side(script: dict[str, Any]) -> None:
    square = '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{0}"/>'
    picture = script["side_by_side"](square.format(10), square.format(30))
    root = ElementTree.fromstring(picture)
    assert (root.get("width"), root.get("height")) == (f"{10 + script['GAP'] + 30}", "30")
    assert [g.get("transform") for g in root] == ["translate(0 10)", f"translate({10 + 28} 0)"]


def test_every_picture_there_is_made_by_the_script(
    script: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script["main"].__globals__["FOLDER"] = tmp_path
    script["main"]()
    made = {path.name for path in tmp_path.iterdir()}
    made.add("cluster_scaling.svg")  # by the benchmark of that name
    assert made == {path.name for path in DOCS.glob("*.svg")}
    assert "board_and_tree.svg" in capsys.readouterr().out


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
