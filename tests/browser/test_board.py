"""The live board alone: its picture, its motion, its keys, its words."""

import re
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from mctslab.boards import board_svg
from mctslab.games import Reversi
from mctslab.widgets.board import BoardWidget
from tests.boards.test_svg import HEATS
from tests.browser.panel import shows
from tests.widgets.test_board_widget import view_of


@pytest.fixture
def chosen():
    """The squares that were clicked; those that cannot be chosen are negative."""
    return []


@pytest.fixture
def widget(chosen):
    names, refuse = ("Black", "White"), lambda square: chosen.append(-square)
    view = view_of(Reversi())
    return BoardWidget(view, player_names=names, on_choose=chosen.append, on_refuse=refuse)


@pytest.fixture
def board(bridge, widget):
    return bridge.show(widget)


def cell_named(board, name):
    return board.get_by_role("gridcell", name=re.compile(f"^{name},"))


def test_it_is_a_grid_whose_squares_are_walked_by_arrow_keys_and_chosen(
    bridge, board, widget, chosen
):
    shows(board, {"[role=grid][aria-rowcount='8']": 1, "[role=row]": 8, "[role=gridcell]": 64})
    shows(board, {"[aria-label$='legal move']": 4, "[aria-label*=', Black']": 2})
    stops, focused = board.locator("[tabindex='0']"), board.locator(":focus")
    stops.focus()
    expect(focused).to_have_attribute("aria-label", "d3, empty, legal move")
    walk = ["ArrowRight", "ArrowDown", "Home", "ArrowLeft", "End", "PageDown", "PageUp"]
    places = ["e3", "e4", "a4", "a4", "h4", "h8", "h1", "h1", "g1"]
    for key, place in zip((*walk, "ArrowUp", "ArrowLeft"), places, strict=True):
        bridge.page.keyboard.press(key)
        expect(focused).to_have_attribute("aria-label", re.compile(f"^{place},"))
        expect(stops).to_have_count(1)
    expect(stops).to_be_focused()
    cell_named(board, "d3").focus()
    expect(stops).to_be_focused()
    widget.show(view_of(Reversi().child(19)))
    expect(focused).to_have_attribute("aria-label", "d3, Black, last move")
    for name, key in (("c3", "Enter"), ("e3", " "), ("h8", "")):
        cell_named(board, name).press(key) if key else cell_named(board, name).click()
    bridge.wait_until(lambda: chosen == [18, 20, -63])


SHOWN = """board => {
    const names = ['data-heat', 'data-legal', 'x', 'y', 'width', 'rx', 'cx', 'cy', 'r'];
    const number = (each, name) => each.hasAttribute(name) ? Number(each.getAttribute(name)) : null;
    return [...board.querySelectorAll('[data-heat], [data-heat] + text, [data-legal]')]
        .map(each => String([each.textContent, ...names.map(name => number(each, name))])).sort();
}"""


def test_numbers_and_dots_are_those_of_every_other_board(bridge, board, widget):
    bridge.page.evaluate("document.body.append(document.createElement('main'))")
    still = bridge.page.locator("main")
    for heat, scale in HEATS:
        view = replace(view_of(Reversi()), heat=heat, heat_scale=scale)
        widget.show(view)
        options = {"legal": view.legal_squares, "heat": heat, "heat_scale": scale}
        svg = board_svg(view.board, **options, legend=False)
        still.evaluate("(e, svg) => { e.innerHTML = svg; }", svg)
        expected = still.evaluate(SHOWN)
        bridge.wait_until(lambda: board.evaluate(SHOWN) == expected)  # noqa: B023
