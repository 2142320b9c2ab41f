"""Boards, trees and charts as the last line of a cell, in real JupyterLab and in both themes."""

import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab
from tests.browser.panel import is_in_view

SETUP = """\
import os
os.environ["PATH"] = ""  # no dot, nor any other program
import numpy as np
from mctslab import draw, games, search
from mctslab.draw import curves
result = search.mcts(games.TicTacToe(), num_simulations=300, rng=np.random.default_rng(1))"""


@pytest.fixture
def drawn(lab: Lab) -> Lab:
    lab.open_cells(
        SETUP,
        "draw.tree(result)",
        "draw.tree(result, boards=True)",
        "draw.board(games.Reversi(), legal=True, heat={19: 3})",
        "games.Gomoku()",
        "figure, axes = curves.subplots()\naxes.set_title('A chart')\ncurves.Chart(figure)",
        own_kernel=True,  # it is left without its PATH
    )
    lab.run_all()
    return lab


def test_pictures_show_themselves_and_follow_the_theme(drawn: Lab) -> None:
    tree = drawn.output(1).locator("svg[role=img]").first
    expect(tree).to_be_visible()
    expect(tree.locator("g.node")).not_to_have_count(0)
    width = tree.evaluate("svg => svg.getBoundingClientRect().width")
    room = drawn.output(1).evaluate("area => area.getBoundingClientRect().width")
    assert width <= room, "a tree as it comes fits into a notebook"
    expect(drawn.output(2).locator("svg[aria-label=Position]")).not_to_have_count(0)
    for cell in (3, 4):
        image = drawn.output(cell).locator("img")
        expect(image).to_be_visible()
        assert image.evaluate("async image => { await image.decode(); return image.naturalWidth; }")
    words = {
        "tree": drawn.output(1).locator("g.legend text").first,
        "chart": drawn.output(5).locator("svg[role=img] text").first,
    }
    seen = {}
    for theme in ("light", "dark"):
        drawn.use_theme(theme)
        page = "rgb(255, 255, 255)" if theme == "light" else "rgb(17, 17, 17)"
        body = drawn.page.locator(".jp-Notebook").first
        expect(body).to_have_css("background-color", page)
        seen[theme] = {
            name: text.evaluate("e => getComputedStyle(e).fill") for name, text in words.items()
        }
    assert seen == {
        "light": dict.fromkeys(words, "rgba(0, 0, 0, 0.87)"),
        "dark": dict.fromkeys(words, "rgba(255, 255, 255, 0.87)"),
    }
    ids = drawn.page.evaluate(
        "[...document.querySelectorAll('.jp-OutputArea svg [id]')].map(element => element.id)"
    )
    assert len(ids) == len(set(ids))


WIDE_TREE = """\
import numpy as np
from mctslab import draw, games, search
result = search.mcts(games.TicTacToe(), num_simulations=60, rng=np.random.default_rng(1))
draw.tree(result, top=9, depth=2, max_nodes=40)"""


def test_of_a_tree_that_is_wider_than_the_page_the_root_is_seen_first(lab: Lab) -> None:
    lab.page.set_viewport_size({"width": 900, "height": 1_000})
    lab.open_cells(WIDE_TREE)
    lab.run_all()
    pane = lab.output(0).locator(".jp-RenderedHTMLCommon > div")
    assert pane.evaluate("e => e.scrollWidth > 1.5 * e.clientWidth")
    lab.wait_until(lambda: is_in_view(pane.locator("g.node").first, pane))
    pane.evaluate("e => Promise.all(e.getAnimations({subtree: true}).map(each => each.finished))")
    pane.evaluate("e => { e.scrollLeft = 0; }")
    assert not is_in_view(pane.locator("g.node").first, pane), (
        "a reader can scroll as far as wanted"
    )
