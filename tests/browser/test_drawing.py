"""Boards, trees and charts as the last line of a cell, in real JupyterLab and in both themes."""

import numpy as np
from playwright.sync_api import Browser, expect

from mctslab import draw, games, search
from tests.browser.lab import Lab
from tests.browser.panel import box_of, is_within

SETUP = """\
import numpy as np
from mctslab import draw, games, search
from mctslab.draw import curves
result = search.mcts(games.TicTacToe(), num_simulations=300, rng=np.random.default_rng(1))"""


def test_pictures_show_themselves_and_follow_the_theme(lab: Lab) -> None:
    lab.open_cells(
        SETUP,
        "draw.tree(result)",
        "draw.tree(result, boards=True)",
        "draw.board(games.Reversi(), legal=True, heat={19: 3})",
        "games.Gomoku()",
        "figure, axes = curves.subplots()\naxes.set_title('A chart')\ncurves.Chart(figure)",
    )
    lab.set_environment(PATH="")  # no dot, nor any other program
    lab.run_all()
    tree = lab.output(1).locator("svg[role=img]").first
    expect(tree.locator("g.node").first).to_be_visible()
    assert box_of(tree)["width"] <= box_of(lab.output(1))["width"], "it fits into a notebook"
    expect(lab.output(2).locator("svg[aria-label=Position]")).not_to_have_count(0)
    for cell in (3, 4):
        image = lab.output(cell).locator("img")
        expect(image).to_be_visible()
        assert image.evaluate("async image => { await image.decode(); return image.naturalWidth; }")
    words = (
        lab.output(1).locator("g.legend text").first,
        lab.output(5).locator("svg[role=img] text").first,
    )
    for theme, page, ink in (
        ("light", "rgb(255, 255, 255)", "rgba(0, 0, 0, 0.87)"),
        ("dark", "rgb(17, 17, 17)", "rgba(255, 255, 255, 0.87)"),
    ):
        lab.use_theme(theme)
        expect(lab.page.locator(".jp-Notebook").first).to_have_css("background-color", page)
        for text in words:
            expect(text).to_have_css("fill", ink)
    ids = lab.page.evaluate(
        "[...document.querySelectorAll('.jp-OutputArea svg [id]')].map(element => element.id)"
    )
    assert len(ids) == len(set(ids))


def test_of_a_tree_that_is_wider_than_the_page_the_root_is_seen_first(chromium: Browser) -> None:
    rng = np.random.default_rng(1)
    result = search.mcts(games.TicTacToe(), num_simulations=300, rng=rng)
    html = draw.tree(result, top=9, depth=2, max_nodes=40)._repr_mimebundle_()["text/html"]
    page = chromium.new_page(viewport={"width": 700, "height": 1_000}, reduced_motion="reduce")
    page.set_content(f"<main>{html}</main>")
    pane = page.locator("main > div")
    root = pane.locator("g.node").first
    assert pane.evaluate("e => e.scrollWidth > 1.5 * e.clientWidth")
    page.wait_for_function("document.querySelector('main > div').scrollLeft > 0")
    assert is_within(root, pane)
    pane.evaluate("e => Promise.all(e.getAnimations({subtree: true}).map(each => each.finished))")
    pane.evaluate("e => { e.scrollLeft = 0; }")
    assert not is_within(root, pane), "a reader can scroll as far as wanted"
    page.close()
