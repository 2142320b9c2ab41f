"""Boards, trees and charts as the last line of a cell, in real JupyterLab and in both themes."""

from playwright.sync_api import expect

from tests.browser.lab import Lab
from tests.browser.panel import box_of

SETUP = """\
import numpy as np
from mctslab import draw, games, search
from mctslab.draw import curves
result = search.mcts(games.TicTacToe(), num_simulations=300, rng=np.random.default_rng(1))"""
INK = {"light": "rgba(0, 0, 0, 0.87)", "dark": "rgba(255, 255, 255, 0.87)"}


def test_pictures_show_themselves_and_follow_the_theme(lab: Lab) -> None:
    lab.open_cells(
        SETUP,
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
    expect(lab.output(1).locator("svg[aria-label=Position]")).not_to_have_count(0)
    for cell in (2, 3):
        image = lab.output(cell).locator("img")
        expect(image).to_be_visible()
        assert image.evaluate("async image => { await image.decode(); return image.naturalWidth; }")
    chart = lab.output(4).locator("svg[role=img] text").first
    for theme, ink in INK.items():
        lab.use_theme(theme)
        for text in (lab.output(1).locator("g.legend text").first, chart):
            expect(text).to_have_css("fill", ink)
    ids = lab.page.evaluate(
        "[...document.querySelectorAll('.jp-OutputArea svg [id]')].map(element => element.id)"
    )
    assert len(ids) == len(set(ids))
