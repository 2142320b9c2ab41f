"""The live board alone: its picture, its motion, its keys, its words."""

import re

import anywidget
import pytest
import traitlets
from playwright.sync_api import expect

from mctslab.boards import board_svg
from mctslab.boards.layers import HeatScale
from mctslab.games import Reversi
from mctslab.widgets.board_view import board_look, legal_squares, position_of
from mctslab.widgets.front_end import bundled, joined
from tests.browser.panel import shows

HEATS = (
    ({0: 1234, 1: 0, 4: 345_678, 8: 1_000_000}, HeatScale.AMOUNT),
    ({0: 7, 4: 9_999.6, 8: 2.5}, HeatScale.AMOUNT),
    ({0: 0.256, 4: 0.034, 8: 0}, HeatScale.AMOUNT),
    ({0: 0, 1: 0}, HeatScale.AMOUNT),
    ({0: 1, 1: 0}, HeatScale.AMOUNT),
    ({0: 0.4, 4: 0.1, 8: 0}, HeatScale.SHARE),
    ({0: 1, 4: 0}, HeatScale.SHARE),
    ({0: 0.0, 1: 1, 2: 0.62, 8: 0.0996}, HeatScale.WIN_RATE),
)

ALONE = """
const { useTraits, widget } = modules["ui.js"];
export default widget(({ model }) => {
  const [look, position, heat] = useTraits(model, "look", "position", "heat");
  const choose = (square) => model.send(square);
  return html`<${LiveBoard} ...${{ look, position, heat, choose }} title="Board" />`;
});
"""


class LiveBoard(anywidget.AnyWidget):
    """The board of the panels, without a panel."""

    _esm = bundled("live_board.js") + ALONE
    _css = joined("board.css")
    look, position, heat = (traitlets.Dict().tag(sync=True) for _ in range(3))

    def __init__(self, state):
        look = board_look(state.board(), state.player_names)
        super().__init__(look=look, heat={"scale": "amount", "squares": []})
        self.chosen = []
        self.show(state)
        self.on_msg(lambda _, square, __: isinstance(square, int) and self.chosen.append(square))

    def show(self, state):
        legal = {"legal": list(legal_squares(state)), "mark_legal": True}
        self.position = {**position_of(state.board()), **legal, "mover": state.current_player}


@pytest.fixture
def widget():
    return LiveBoard(Reversi())


@pytest.fixture
def board(bridge, widget):
    return bridge.show(widget)


def cell_named(board, name):
    return board.get_by_role("gridcell", name=re.compile(f"^{name},"))


def test_it_is_a_grid_whose_squares_are_walked_by_arrow_keys_and_chosen(bridge, board, widget):
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
    widget.show(Reversi().child(19))
    expect(focused).to_have_attribute("aria-label", "d3, Black, last move")
    for name, key in (("c3", "Enter"), ("e3", " "), ("h8", "")):
        cell_named(board, name).press(key) if key else cell_named(board, name).click()
    bridge.wait_until(lambda: widget.chosen == [18, 20, 63])


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
        widget.heat = {"scale": scale, "squares": [*heat.items()]}
        options = {"legal": legal_squares(Reversi()), "heat": heat, "heat_scale": scale}
        svg = board_svg(Reversi().board(), **options, legend=False)
        still.evaluate("(e, svg) => { e.innerHTML = svg; }", svg)
        expected = still.evaluate(SHOWN)
        bridge.wait_until(lambda: board.evaluate(SHOWN) == expected)  # noqa: B023
