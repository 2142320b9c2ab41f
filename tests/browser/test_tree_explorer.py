"""The tree explorer in JupyterLab: unfolded and folded, by mouse and by keyboard, and exported."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.lab import Lab
from tests.browser.modules import Module

FIRST_CELL = """
import numpy as np
from mctslab import games, search
from mctslab.widgets import TreeExplorer
result = search.mcts({game}, num_simulations=400, rng=np.random.default_rng(1))
explorer = TreeExplorer(result)
explorer
"""


def open_explorer(lab: Lab, game: str = "games.Reversi()") -> Locator:
    lab.open_cells(FIRST_CELL.format(game=game))
    lab.run_all()
    explorer = lab.output(0).locator(".mctslab-explorer")
    expect(explorer.locator("[data-place]").first).to_be_visible()
    return explorer


def node(explorer: Locator, place: int) -> Locator:
    return explorer.locator(f'[data-place="{place}"]')


def click(locator: Locator) -> None:
    """Click in the middle of a drawn node, where there is text."""
    locator.locator("text").first.click()


def test_a_node_is_unfolded_and_folded_by_click(lab: Lab) -> None:
    explorer = open_explorer(lab)
    nodes = explorer.locator("[data-place]")
    expect(nodes).to_have_count(5)
    expect(node(explorer, 1)).to_have_attribute("aria-expanded", "false")
    before = node(explorer, 1).bounding_box()
    click(node(explorer, 1))
    expect(node(explorer, 1)).to_have_attribute("aria-expanded", "true")
    unfolded = nodes.count()
    assert unfolded > 5
    after = node(explorer, 1).bounding_box()
    assert before is not None
    assert after is not None
    assert abs(before["x"] - after["x"]) < 3, "what was clicked stays where it is"
    click(node(explorer, 1))
    expect(nodes).to_have_count(5)
    assert lab.evaluate("[list(node['path']) for node in explorer.nodes]")[0] == []


def test_more_children_come_by_click(lab: Lab) -> None:
    explorer = open_explorer(lab, "games.ConnectFour()")
    expect(explorer.locator("[data-place]")).to_have_count(6)
    more = explorer.locator('[data-more="0"]')
    expect(more).to_contain_text("+2 more")
    expect(explorer.locator("[role=tree] [role=button]")).to_have_count(0)  # not allowed by ARIA
    more.click()
    expect(explorer.locator("[data-place]")).to_have_count(8)
    expect(more).to_have_count(0)


def test_it_is_worked_by_keys_alone(lab: Lab) -> None:
    explorer = open_explorer(lab)
    explorer.get_by_role("button", name="DOT").focus()
    keys = lab.page.keyboard
    keys.press("Tab")
    expect(node(explorer, 0)).to_be_focused()
    info = explorer.locator(".info")
    expect(info).to_contain_text("The root")
    keys.press("ArrowDown")
    expect(node(explorer, 1)).to_be_focused()
    keys.press("Enter")
    expect(node(explorer, 1)).to_have_attribute("aria-expanded", "true")
    expect(node(explorer, 1)).to_be_focused()
    keys.press("ArrowDown")
    expect(explorer.locator("[data-place]:focus")).to_have_attribute("aria-level", "3")
    keys.press("ArrowUp")
    keys.press("Space")
    expect(node(explorer, 1)).to_have_attribute("aria-expanded", "false")
    keys.press("d")
    keys.press("d")
    expect(lab.page.locator(".jp-Notebook .jp-Cell")).to_have_count(1)


def test_pointing_at_a_node_shows_its_board(lab: Lab) -> None:
    explorer = open_explorer(lab)
    info = explorer.locator(".info")
    expect(info).to_be_hidden()
    node(explorer, 2).locator("text").first.hover()
    expect(info).to_be_visible()
    facts = lab.evaluate("explorer.nodes[2]['facts']")
    for fact in facts:
        expect(info).to_contain_text(fact)
    expect(info.locator(".stone")).to_have_count(5)
    explorer.locator(".caption").hover()
    expect(info).to_be_hidden()


def test_line_filter_and_colours(lab: Lab) -> None:
    explorer = open_explorer(lab)
    explorer.get_by_role("button", name="Principal variation").click()
    line = lab.evaluate("len(result.principal_variation)")
    deepest = explorer.locator(f'[data-place][aria-level="{line + 1}"]')
    expect(deepest.first).to_be_attached()
    explorer.get_by_label("Which nodes").select_option("50")
    expect(explorer.locator(".caption")).to_contain_text("fewer than 50 visits left out")
    before = node(explorer, 0).locator("path").first.get_attribute("fill")
    explorer.get_by_text("visits", exact=True).click()
    expect(explorer.locator(".legend")).to_contain_text("share of the root's visits")
    assert node(explorer, 0).locator("path").first.get_attribute("fill") != before
    explorer.get_by_role("button", name="Fold all").click()
    expect(explorer.locator('[data-place][aria-level="3"]')).to_have_count(0)


def test_the_drawing_is_kept_as_svg_and_as_dot(lab: Lab, tmp_path: Path) -> None:
    explorer = open_explorer(lab)
    for button, name in (("SVG", "tree.svg"), ("DOT", "tree.dot")):
        with lab.page.expect_download() as waiting:
            explorer.get_by_role("button", name=button).click()
        assert waiting.value.suggested_filename == name
        waiting.value.save_as(tmp_path / name)
    assert ElementTree.parse(tmp_path / "tree.svg").getroot().tag.endswith("svg")
    assert (tmp_path / "tree.dot").read_text() == lab.evaluate("explorer.source")


def test_it_is_dragged_and_zoomed(lab: Lab) -> None:
    explorer = open_explorer(lab)
    box = node(explorer, 0).bounding_box()
    pane = explorer.locator(".tree").bounding_box()
    assert box is not None
    assert pane is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + 20
    lab.page.mouse.move(x, y)
    lab.page.mouse.down()
    lab.page.mouse.move(x + 60, y + 40, steps=5)
    lab.page.mouse.up()
    moved = node(explorer, 0).bounding_box()
    assert moved is not None
    assert moved["x"] - box["x"] == pytest.approx(60, abs=2)
    expect(node(explorer, 0)).to_have_attribute("aria-expanded", "true")  # a drag is no click
    explorer.get_by_role("button", name="Zoom in").click()
    larger = node(explorer, 0).bounding_box()
    assert larger is not None
    assert larger["width"] > 1.2 * box["width"]
    explorer.get_by_role("button", name="Whole drawing").click()
    for place in range(5):
        shown = node(explorer, place).bounding_box()
        assert shown is not None
        assert pane["x"] <= shown["x"]
        assert shown["x"] + shown["width"] <= pane["x"] + pane["width"]


# Geometry


@pytest.fixture(scope="module")
def view(chromium: Browser) -> Iterator[Module]:
    module = Module(chromium, "explorer_view.js")
    yield module
    module.close()


SIZE = {"width": 800, "height": 400}


@pytest.mark.parametrize("width", [100, 900, 5000])
def test_a_drawing_is_first_shown_large_enough_to_read(view: Module, width: int) -> None:
    box = {"x": -4.0, "y": -300.0, "width": width, "height": 304}
    root = {"x": width / 2, "y": -280}
    shown = view.run("([box, size, root]) => fitDrawing(box, size, root)", [box, SIZE, root])
    assert 0.8 <= shown["scale"] <= 4 / 3
    at = view.run("([view, point]) => onScreen(view, point)", [shown, root])
    assert 0 < at["x"] < 800
    assert 0 < at["y"] < 100


def test_all_of_a_drawing_is_shown_when_asked(view: Module) -> None:
    box: dict[str, Any] = {"x": -4.0, "y": -900.0, "width": 1500, "height": 904}
    corners = view.run(
        """([box, size]) => {
            const view = showAll(box, size);
            const end = {x: box.x + box.width, y: box.y + box.height};
            return [onScreen(view, box), onScreen(view, end)];
        }""",
        [box, SIZE],
    )
    for corner in corners:
        assert 0 <= corner["x"] <= 800
        assert 0 <= corner["y"] <= 400


def test_outlines_are_read_as_graphviz_writes_them(view: Module) -> None:
    outlines = ["M40.5,-20C45,-20 50,-15 50,-10L10,-4", "60,-44 -2,-44 -2,-8 60,-8"]
    box = view.run("outlines => boxAround(outlines)", outlines)
    assert box == {"x": -2, "y": -44, "width": 62, "height": 40}


def test_keys_lead_along_the_drawn_tree(view: Module) -> None:
    nodes = [
        {"parent": None, "depth": 0},
        {"parent": 0, "depth": 1},
        {"parent": 0, "depth": 1},
        {"parent": 1, "depth": 2},
    ]
    ways = [(0, "ArrowDown", 1), (1, "ArrowRight", 2), (2, "ArrowRight", 2), (2, "ArrowLeft", 1)]
    ways += [
        (1, "ArrowDown", 3),
        (3, "ArrowUp", 1),
        (3, "Home", 0),
        (0, "End", 3),
        (0, "ArrowUp", 0),
    ]
    for at, key, to in ways:
        assert (
            view.run("([nodes, at, key]) => nodeAfterKey(nodes, at, key)", [nodes, at, key]) == to
        )
    assert view.run("nodes => nodeAfterKey(nodes, 0, 'x')", nodes) is None
