"""The tree explorer in JupyterLab: unfolded and folded, by mouse and by keyboard, and exported."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab
from tests.browser.modules import Module, module_of
from tests.browser.panel import box_of, drag, is_within

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


def test_a_node_is_unfolded_and_folded_by_click(lab: Lab) -> None:
    explorer = open_explorer(lab, "games.ConnectFour()")
    nodes, first = explorer.locator("[data-place]"), node(explorer, 1)
    expect(nodes).to_have_count(6)
    expect(first).to_have_attribute("aria-expanded", "false")
    before = box_of(first)["x"]
    first.locator("text").first.click()
    expect(first).to_have_attribute("aria-expanded", "true")
    assert nodes.count() > 6
    assert box_of(first)["x"] == pytest.approx(before, abs=3), "what was clicked stays there"
    first.locator("text").first.click()
    expect(nodes).to_have_count(6)
    more = explorer.locator('[data-more="0"]')
    expect(more).to_contain_text("+2 more")
    expect(explorer.locator("[role=tree] [role=button]")).to_have_count(0)  # not allowed by ARIA
    more.click()
    expect(nodes).to_have_count(8)
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
    for fact in lab.evaluate("explorer.nodes[2]['facts']"):
        expect(info).to_contain_text(fact)
    expect(info.locator(".stone")).to_have_count(5)
    explorer.locator(".caption").hover()
    expect(info).to_be_hidden()


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
    root, pane = node(explorer, 0), explorer.locator(".tree")
    box = box_of(root)
    x, y = box["x"] + box["width"] / 2, box["y"] + 20
    drag(lab.page, (x, y), (x + 60, y + 40), steps=5)
    assert box_of(root)["x"] - box["x"] == pytest.approx(60, abs=2)
    expect(root).to_have_attribute("aria-expanded", "true")  # a drag is no click
    explorer.get_by_role("button", name="Zoom in").click()
    assert box_of(root)["width"] > 1.2 * box["width"]
    explorer.get_by_role("button", name="Whole drawing").click()
    assert all(is_within(node(explorer, place), pane) for place in range(5))


# Geometry


view = module_of("explorer_view.js")


SIZE = {"width": 800, "height": 400}


TREE = ((None, 0), (0, 1), (0, 1), (1, 2))
"""The parent and the depth of each node."""


@pytest.mark.parametrize("width", [100, 900, 5000])
def test_a_drawing_is_first_shown_large_enough_to_read(view: Module, width: int) -> None:
    box = {"x": -4.0, "y": -300.0, "width": width, "height": 304}
    root = {"x": width / 2, "y": -280}
    shown = view.run("([box, size, root]) => fitDrawing(box, size, root)", [box, SIZE, root])
    assert 0.8 <= shown["scale"] <= 4 / 3
    at = view.run("([view, point]) => onScreen(view, point)", [shown, root])
    assert 0 < at["x"] < 800
    assert 0 < at["y"] < 100


def test_keys_lead_along_the_drawn_tree(view: Module) -> None:
    nodes = [{"parent": parent, "depth": depth} for parent, depth in TREE]
    for at, key, to in (
        (0, "ArrowDown", 1), (1, "ArrowRight", 2), (2, "ArrowRight", 2), (2, "ArrowLeft", 1),
        (1, "ArrowDown", 3), (3, "ArrowUp", 1), (3, "Home", 0), (0, "End", 3), (0, "ArrowUp", 0),
        (0, "x", None),
    ):  # fmt: skip
        script = "([nodes, at, key]) => nodeAfterKey(nodes, at, key)"
        assert view.run(script, [nodes, at, key]) == to


RUN_AGAIN = """
import weakref
import numpy as np
from mctslab import fast, games
from mctslab.widgets import TreeExplorer, tree_explorer

tree_explorer.UNSEEN_SECONDS = 0.5
trees = [] if "trees" not in globals() else trees

def grown():
    result = fast.mcts(games.Reversi(), num_simulations=400, rng=np.random.default_rng(1))
    trees.append(weakref.ref(result.root.tree))
    return TreeExplorer(result)

grown()
"""


def test_a_cell_that_runs_again_lets_the_tree_of_its_first_explorer_go(lab: Lab) -> None:
    lab.open_cells(RUN_AGAIN, "print([tree() is not None for tree in trees])")
    shown = lab.output(0).locator(".mctslab-explorer [data-place]").first
    for _ in range(2):
        lab.run_cell(0)
        expect(shown).to_be_visible()

    def is_first_gone() -> bool:
        lab.run_cell(1)
        return "[False, True]" in lab.output(1).inner_text()

    lab.wait_until(is_first_gone)
