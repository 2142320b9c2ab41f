"""The live board alone: its picture, its motion, its keys, its words."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from mctslab.boards import EMPTY, Board, BoardStyle
from mctslab.boards.geometry import Grid
from mctslab.boards.style import LOOKS
from tests.browser.lab import Lab

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


def open_board(lab: Lab, game: str) -> Locator:
    lab.open_cells(SETUP.format(game=game))
    lab.run_all()
    board = lab.output(0).locator(".mctslab-board")
    expect(board.get_by_role("gridcell").first).to_be_visible()
    return board


def run_in_kernel(lab: Lab, code: str) -> None:
    lab.evaluate(f"exec({code!r})")


def cell_named(board: Locator, name: str) -> Locator:
    return board.get_by_role("gridcell", name=re.compile(f"^{name},"))


def label_of_focus(page: Page) -> str:
    label: str = page.evaluate("document.activeElement.getAttribute('aria-label')")
    return label


def test_the_arrow_keys_walk_and_one_square_is_a_stop_of_the_tab_key(lab: Lab) -> None:
    board = open_board(lab, "Reversi()")
    stops = board.locator("[tabindex='0']")
    expect(stops).to_have_count(1)
    stops.focus()
    assert label_of_focus(lab.page).startswith("d3, empty, legal move")
    walk = ["ArrowRight", "ArrowDown", "Home", "ArrowLeft", "End", "PageDown", "PageUp"]
    walk += ["ArrowUp", "ArrowLeft"]
    seen = []
    for key in walk:
        lab.page.keyboard.press(key)
        seen.append(label_of_focus(lab.page).split(",")[0])
    assert seen == ["e3", "e4", "a4", "a4", "h4", "h8", "h1", "h1", "g1"]
    expect(stops).to_have_count(1)
    cell_named(board, "d3").focus()
    assert lab.evaluate("chosen") == []


def test_a_grid_for_screen_readers(lab: Lab) -> None:
    board = open_board(lab, "Reversi(size=4)")
    expect(board.get_by_role("grid")).to_have_attribute("aria-rowcount", "4")
    expect(board.get_by_role("row")).to_have_count(4)
    expect(board.get_by_role("gridcell")).to_have_count(16)
    expect(board.get_by_role("gridcell", name="legal move")).to_have_count(4)
    expect(board.get_by_role("gridcell", name="Black")).to_have_count(2)
    cell_named(board, "a1").click()
    cell_named(board, "b1").click()
    lab.wait_until(lambda: lab.evaluate("chosen") == [1])
    assert lab.evaluate("refused") == [0]


def test_the_focus_stays_where_it_is_when_the_position_changes(lab: Lab) -> None:
    board = open_board(lab, "Reversi()")
    board.locator("[tabindex='0']").focus()
    run_in_kernel(lab, "show(state.child(19))")
    expect(cell_named(board, "d3")).to_have_attribute("aria-label", "d3, Black, last move")
    assert label_of_focus(lab.page) == "d3, Black, last move"


@pytest.fixture
def moving_lab(lab: Lab) -> Lab:
    """A page of somebody who has nothing against motion."""
    lab.page.emulate_media(reduced_motion="no-preference")
    return lab


def running_animations(board: Locator) -> list[str]:
    names: list[str] = board.evaluate(
        "board => board.getAnimations({subtree: true}).map(each => each.animationName)"
    )
    return names


def note_animations(board: Locator) -> None:
    board.evaluate(
        """board => {
            window.seen = [];
            board.addEventListener('animationstart', e => window.seen.push(e.animationName));
        }"""
    )


def seen_animations(lab: Lab) -> list[str]:
    names: list[str] = lab.page.evaluate("window.seen")
    return names


def test_a_disc_falls_behind_the_frame(moving_lab: Lab) -> None:
    board = open_board(moving_lab, "ConnectFour()")
    note_animations(board)
    run_in_kernel(moving_lab, "show(state.child(3))")
    moving_lab.wait_until(lambda: seen_animations(moving_lab) == ["mctslab-fall"])
    moving_lab.wait_until(lambda: running_animations(board) == [])


def test_heat_that_comes_while_a_disc_falls_does_not_let_it_fall_twice(moving_lab: Lab) -> None:
    board = open_board(moving_lab, "ConnectFour()")
    note_animations(board)
    run_in_kernel(
        moving_lab, "show(state.child(3)); board.show(replace(board.view, heat={31: 2.0}))"
    )
    expect(board.locator("[data-heat]")).to_have_count(1)
    moving_lab.wait_until(lambda: running_animations(board) == [])
    run_in_kernel(moving_lab, "board.show(replace(board.view, heat={31: 3.0}))")
    expect(board.locator("[data-heat] + text")).to_have_text("3")
    assert running_animations(board) == []


def test_discs_turn_and_an_undo_is_shown_at_once(moving_lab: Lab) -> None:
    board = open_board(moving_lab, "Reversi()")
    note_animations(board)
    run_in_kernel(moving_lab, "show(state.child(19))")
    moving_lab.wait_until(
        lambda: sorted(seen_animations(moving_lab)) == ["mctslab-appear", "mctslab-turn"]
    )
    run_in_kernel(moving_lab, "show(state)")
    expect(cell_named(board, "d3")).to_have_attribute("aria-label", "d3, empty, legal move")
    assert len(seen_animations(moving_lab)) == 2


def test_nothing_moves_for_who_wants_no_motion(lab: Lab) -> None:
    board = open_board(lab, "ConnectFour()")
    note_animations(board)
    run_in_kernel(lab, "show(state.child(3)); board.show(replace(board.view, hint_square=31))")
    expect(board.locator("[data-hint]")).to_be_visible()
    expect(board.locator("[data-player]")).to_have_count(1)
    assert seen_animations(lab) == []
    assert running_animations(board) == []


def test_another_size_takes_the_place_of_the_board(lab: Lab) -> None:
    board = open_board(lab, "TicTacToe()")
    run_in_kernel(lab, "show(games.Gomoku(size=9))")
    expect(board.get_by_role("gridcell")).to_have_count(81)
    expect(board.locator(".picture > svg")).to_have_count(1)
    first = cell_named(board, "A9").bounding_box()
    last = cell_named(board, "I1").bounding_box()
    assert first is not None
    assert last is not None
    assert first["x"] < last["x"]
    assert first["y"] < last["y"]


def test_on_hexagons_the_cell_under_the_pointer_is_chosen(lab: Lab) -> None:
    """Rows lie half a cell further to the right, one above the other: every cell has its middle."""
    board = open_board(lab, "Gomoku(size=5)")
    hexagons = "from mctslab.boards import BoardStyle\n"
    hexagons += "hexes = replace(state.board(), style=BoardStyle.HEXES)\n"
    run_in_kernel(lab, hexagons + "board.show(BoardView(hexes, tuple(range(25)), 0))")
    expect(board.locator(".picture circle[data-legal]")).to_have_count(25)
    box = board.locator(".picture > svg").bounding_box()
    assert box is not None
    bare = Board(5, 5, BoardStyle.HEXES, (EMPTY,) * 25, tuple("abcde"), tuple("12345"))
    grid = Grid.of(bare, LOOKS[BoardStyle.HEXES].label_band)
    scale = box["width"] / grid.width
    for square in (0, 7, 13, 21, 24):
        x, y = grid.center(square)
        lab.page.mouse.click(box["x"] + scale * x, box["y"] + scale * (y - 14))
        lab.page.mouse.click(box["x"] + scale * x, box["y"] + scale * (y + 14))
    expected = [square for square in (0, 7, 13, 21, 24) for _ in range(2)]
    lab.wait_until(lambda: lab.evaluate("chosen") == expected)
