"""The live board alone: its picture, its motion, its keys, its words."""

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from mctslab.boards import EMPTY, Board, BoardStyle, board_svg
from mctslab.boards.geometry import Grid
from mctslab.boards.layers import HeatScale
from mctslab.boards.style import LOOKS
from mctslab.games import Reversi
from mctslab.widgets.board_view import BoardView, legal_squares
from tests.browser.bridge import Bridge
from tests.browser.panel import box_of

SETUP = """\
from mctslab import games
from mctslab.widgets.board import BoardWidget
from mctslab.widgets.board_view import BoardView, legal_squares
from dataclasses import replace
chosen, refused = [], []
def show(state):
    board.show(BoardView(state.board(), legal_squares(state), state.current_player))
state = games.{game}
board = BoardWidget(
    BoardView(state.board()), player_names=state.player_names, on_choose=chosen.append,
    on_refuse=refused.append
)
show(state)
board"""


def open_board(bridge: Bridge, game: str) -> Locator:
    return bridge.show(SETUP.format(game=game))


def run_in_kernel(bridge: Bridge, code: str) -> None:
    bridge.evaluate(f"exec({code!r})")


def cell_named(board: Locator, name: str) -> Locator:
    return board.get_by_role("gridcell", name=re.compile(f"^{name},"))


def label_of_focus(page: Page) -> str:
    label: str = page.evaluate("document.activeElement.getAttribute('aria-label')")
    return label


def test_it_is_a_grid_whose_squares_are_walked_by_arrow_keys_and_chosen(bridge: Bridge) -> None:
    board = open_board(bridge, "Reversi()")
    expect(board.get_by_role("grid")).to_have_attribute("aria-rowcount", "8")
    for role, name, number in (
        *(("row", "", 8), ("gridcell", "", 64), ("gridcell", "legal move", 4)),
        ("gridcell", "Black", 2),
    ):
        expect(board.get_by_role(role, name=name)).to_have_count(number)  # type: ignore[arg-type]
    stops = board.locator("[tabindex='0']")
    expect(stops).to_have_count(1)
    stops.focus()
    assert label_of_focus(bridge.page).startswith("d3, empty, legal move")
    walk = ["ArrowRight", "ArrowDown", "Home", "ArrowLeft", "End", "PageDown", "PageUp"]
    seen = []
    for key in (*walk, "ArrowUp", "ArrowLeft"):
        bridge.page.keyboard.press(key)
        seen.append(label_of_focus(bridge.page).split(",")[0])
    assert seen == ["e3", "e4", "a4", "a4", "h4", "h8", "h1", "h1", "g1"]
    expect(stops).to_have_count(1)
    expect(stops).to_be_focused()
    cell_named(board, "d3").focus()
    expect(cell_named(board, "d3")).to_have_attribute("tabindex", "0")
    run_in_kernel(bridge, "show(state.child(19))")
    expect(cell_named(board, "d3")).to_have_attribute("aria-label", "d3, Black, last move")
    assert label_of_focus(bridge.page) == "d3, Black, last move", "the focus stays"
    for name in ("a1", "c3"):
        cell_named(board, name).click()
    bridge.wait_until(lambda: bridge.evaluate("(chosen, refused)") == ([18], [0]))


MOVES = """board => {
    window.seen = [];
    board.addEventListener('animationstart', event => window.seen.push(event.animationName));
}"""


def begun(bridge: Bridge) -> list[str]:
    """The animations that have begun."""
    return sorted(bridge.page.evaluate("window.seen"))


def is_at_rest(board: Locator) -> bool:
    return bool(board.evaluate("e => e.getAnimations({subtree: true}).length === 0"))


def test_a_disc_appears_once_also_when_heat_comes_meanwhile_and_turns_back(bridge: Bridge) -> None:
    bridge.page.emulate_media(reduced_motion="no-preference")
    board = open_board(bridge, "Reversi()")
    board.evaluate(MOVES)
    run_in_kernel(bridge, "show(state.child(19)); board.show(replace(board.view, heat={18: 2.0}))")
    expect(board.locator("[data-heat]")).to_have_count(1)
    bridge.wait_until(lambda: begun(bridge) == 2 * ["mctslab-appear"] and is_at_rest(board))
    run_in_kernel(bridge, "board.show(replace(board.view, heat={18: 3.0}))")
    expect(board.locator("[data-heat] + text")).to_have_text("3")
    assert is_at_rest(board)
    run_in_kernel(bridge, "show(state)")
    expect(cell_named(board, "d3")).to_have_attribute("aria-label", "d3, empty, legal move")
    bridge.wait_until(lambda: begun(bridge) == 3 * ["mctslab-appear"] and is_at_rest(board))
    # Nothing moves for somebody who wants no motion.
    bridge.page.emulate_media(reduced_motion="reduce")
    run_in_kernel(bridge, "show(state.child(19)); board.show(replace(board.view, hint_square=18))")
    expect(board.locator("[data-hint]")).to_be_visible()
    assert (len(begun(bridge)), is_at_rest(board)) == (3, True)


def test_on_hexagons_the_cell_under_the_pointer_is_chosen(bridge: Bridge) -> None:
    """Rows lie half a cell further to the right, one above the other: every cell has its middle."""
    board = open_board(bridge, "Gomoku(size=5)")
    hexagons = "from mctslab.boards import BoardStyle\n"
    hexagons += "hexes = replace(state.board(), style=BoardStyle.HEXES)\n"
    run_in_kernel(bridge, hexagons + "board.show(BoardView(hexes, tuple(range(25)), 0))")
    bare = Board(5, 5, BoardStyle.HEXES, (EMPTY,) * 25, tuple("abcde"), tuple("12345"))
    grid = Grid.of(bare, LOOKS[BoardStyle.HEXES].label_band)
    picture = board.locator(".picture > svg")
    expect(picture).to_have_attribute("viewBox", re.compile(f"^0 0 {grid.width:g}"))
    expect(board.locator(".picture circle[data-legal]")).to_have_count(25)
    box = box_of(picture)
    scale = box["width"] / grid.width
    for square in (0, 7, 13, 21, 24):
        x, y = grid.center(square)
        for above in (14, -14):
            bridge.page.mouse.click(box["x"] + scale * x, box["y"] + scale * (y - above))
    bridge.wait_until(lambda: bridge.evaluate("chosen[::2]") == [0, 7, 13, 21, 24])
    assert bridge.evaluate("chosen[::2] == chosen[1::2]")


HEATS = (
    ({19: 1234.0, 26: 0.0, 37: 345_678.0, 44: 1_000_000.0}, HeatScale.AMOUNT),
    ({19: 7.0, 26: 9_999.6, 37: 2.5}, HeatScale.AMOUNT),
    ({19: 0.256, 26: 0.034, 37: 0.0}, HeatScale.AMOUNT),
    ({19: 1.0, 26: 0.5, 44: 0.0996}, HeatScale.WIN_RATE),
    ({19: 0.4, 26: 0.1, 44: 0.0}, HeatScale.SHARE),
)
SHOWN = """board => {
    const names = ['data-heat', 'data-legal', 'x', 'y', 'width', 'rx', 'cx', 'cy', 'r'];
    const number = (each, name) => each.hasAttribute(name) ? Number(each.getAttribute(name)) : null;
    return [...board.querySelectorAll('[data-heat], [data-heat] + text, [data-legal]')]
        .map(each => [each.textContent, ...names.map(name => number(each, name))]);
}"""


def test_numbers_and_dots_are_those_of_every_other_board(bridge: Bridge) -> None:
    board, state = open_board(bridge, "Reversi()"), Reversi()
    bridge.page.evaluate("document.body.append(document.createElement('main'))")
    for heat, scale in HEATS:
        view = BoardView(state.board(), legal_squares(state), 0, heat=heat, heat_scale=scale)
        bridge.names["board"].show(view)
        options: Any = {"legal": view.legal_squares, "heat": heat, "heat_scale": scale}
        still = bridge.page.locator("main")
        still.evaluate(
            "(e, svg) => { e.innerHTML = svg; }", board_svg(view.board, **options, legend=False)
        )
        expected = sorted(map(str, still.evaluate(SHOWN)))
        bridge.wait_until(lambda: sorted(map(str, board.evaluate(SHOWN))) == expected)  # noqa: B023
