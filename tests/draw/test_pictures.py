"""The pictures of README.md: made by the script in docs, from a real position and its search."""

import runpy
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.draw.drawn import SVG, all_texts

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
    assert made == {path.name for path in DOCS.glob("*.svg")}
    assert "board_and_tree.svg" in capsys.readouterr().out
