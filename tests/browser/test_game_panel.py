"""The game panel on a page: played by mouse and by keys; in JupyterLab, see test_in_jupyterlab."""

import re
from itertools import product
from typing import Final

import pytest
from playwright.sync_api import expect

from mctslab.widgets import game_panel
from tests.browser.bridge import Bridge
from tests.browser.panel import LATE, PanelOnPage, box_of, fits, middle_of, tab_to

IMPORT = "from mctslab import games\nfrom mctslab.widgets import GamePanel\n"


def open_panel(bridge: Bridge, source: str) -> PanelOnPage:
    bridge.show(f"{IMPORT}panel = {source}\npanel")
    return PanelOnPage(bridge)


@pytest.mark.parametrize("game", ["ConnectFour(4, 5)", "TicTacToe()", "Reversi()"])
def test_a_game_is_played_to_its_end_by_the_rules(
    bridge: Bridge, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.setattr(game_panel, "PAUSE_BEFORE_THINKING", 0.0)
    panel = open_panel(bridge, f"GamePanel(games.{game}, white='human')")
    state = bridge.evaluate("panel.state")
    if game != "ConnectFour(4, 5)":  # where two people play
        name = state.player_names[1]
        panel.root.get_by_label(f"Who plays {name}").select_option(index=1)
    if game == "Reversi()":
        panel.press("Record")
        panel.set_up(LATE)
        expect(panel.headline).to_have_text("Black has to pass")
        expect(panel.message).to_have_text("Black has no legal move: press Pass.")
    panel.play_to_the_end(state)


def test_a_stone_falls_where_the_keys_or_the_mouse_have_said(bridge: Bridge) -> None:
    panel = open_panel(bridge, "GamePanel('connect_four', white='human')")
    keyboard, focused = bridge.page.keyboard, panel.board.locator(":focus")
    panel.root.get_by_label("Who plays Red").focus()
    keyboard.press("Shift+Tab")
    for place, (column, key) in enumerate(((3, " "), (1, "Enter"), (7, " "))):
        keyboard.press("Home")
        for passed in range(1, column):
            expect(focused).to_have_attribute("aria-label", re.compile(f"^column {passed}, "))
            keyboard.press("ArrowRight")
        expect(focused).to_have_attribute("aria-label", re.compile(f"^column {column}, "))
        keyboard.press(key)
        expect(panel.moves.nth(place)).to_have_text(str(column))
    panel.square("column 3, row 6").hover()
    ghost, falls_to = panel.root.locator(".ghost"), panel.square("column 3, row 2")
    expect(ghost).to_have_count(1)
    assert middle_of(ghost) == pytest.approx(middle_of(falls_to), abs=1)
    panel.square("column 3, row 6").click()
    expect(falls_to).to_have_attribute("aria-label", re.compile("Yellow"))


def test_a_button_that_can_do_no_more_hands_the_focus_on(bridge: Bridge) -> None:
    panel = open_panel(bridge, "GamePanel(games.Reversi().child(19), white='human')")
    panel.play("c3")
    panel.button("Undo").focus()
    bridge.page.keyboard.press("Enter")
    panel.expect_moves()
    expect(panel.button("New")).to_be_focused()
    # White has begun, so what Black answers stands in the row below, and to the left.
    panel.root.get_by_label("Who plays Black").select_option(index=1)
    panel.play("c3")
    expect(panel.moves).to_have_count(2)
    cells = panel.root.locator(".moves tbody td:not(.number)")
    expect(cells).to_have_text(["", re.compile("^c3"), re.compile(r"^\w\d"), ""])


# Thinking


def test_gomoku_is_stopped_in_mid_thought(bridge: Bridge) -> None:
    panel = open_panel(bridge, "GamePanel('gomoku', white='uct:50s')")
    panel.square("H8").click()
    panel.expect_thinking()
    patches = panel.root.locator("[data-heat]")
    numbers = panel.root.locator("[data-heat] + text")
    shows = panel.root.get_by_label("What the board shows")
    expect(patches).to_have_count(30)
    for choice, pattern in (("visits", r"\d+k?"), ("values", r"\d+%")):
        shows.select_option(label=choice)
        expect(numbers).to_have_text([re.compile(f"^{pattern}$")] * 30)
    shows.select_option(label="nothing")
    expect(patches).to_have_count(0)
    shows.select_option(label="visits")
    bar = panel.root.get_by_role("progressbar")
    bridge.wait_until(lambda: int(bar.get_attribute("aria-valuenow") or 0) >= 1)
    found = panel.root.locator(".found")
    expect(found).to_have_text(re.compile(r"^[A-P]\d+ so far, [\d,]+ simulations, [\d,.]+( M)?/s$"))
    panel.press("Stop")
    panel.expect_reply()
    expect(found).to_have_text(re.compile(r"^[\d,]+ simulations, [\d,.]+( M)?/s$"))
    expect(patches).to_have_count(0)


def test_the_rules_of_gomoku_are_chosen_on_the_panel(bridge: Bridge) -> None:
    panel = open_panel(bridge, "GamePanel('gomoku', white='human')")
    panel.play("H8")
    for menu, label in (
        ("Size of the board", "9 × 9"),
        ("Whether a longer row wins", "exactly"),
        ("How many in a row win", "3 in a row"),
    ):
        panel.root.get_by_label(menu).select_option(label=label)
        panel.expect_moves()
    expect(panel.board.get_by_role("gridcell")).to_have_count(81)
    for square in ("A1", "A9", "B1", "B9", "C1"):
        panel.play(square)
    expect(panel.headline).to_have_text("Black wins")
    expect(panel.root.locator("[data-win]")).to_have_count(1)
    expect(panel.root.get_by_label("How many in a row win")).to_have_value("3 in a row")


def test_reversi_and_its_tree_are_worked_by_keys_and_fit_every_page(bridge: Bridge) -> None:
    panel = open_panel(bridge, "GamePanel('reversi', white='uct:300')")
    keyboard, root = bridge.page.keyboard, panel.root
    root.get_by_label("Who plays White").focus()
    tab_to(panel.square("d3"))
    keyboard.press("Enter")
    panel.expect_reply()
    panel.press("Statistics")
    visits = root.locator(".statistics tbody td:nth-child(2)")
    expect(visits.first).to_be_visible()
    assert sum(map(int, visits.all_inner_texts())) == 300
    of_black = bridge.evaluate("int(100 * panel.view['estimate'] + 0.5)")
    shares = [f"Black {of_black}%", f"{100 - of_black}% White"]
    expect(root.locator(".estimate > span")).to_have_text(shares)
    tab_to(panel.button("Tree"))
    keyboard.press("Enter")
    expect(root.locator(".statistics")).to_be_hidden()
    scroller = root.locator(".tree .scroller")
    expect(scroller.locator("g.node").first).to_be_visible(timeout=30_000)
    for width in (1_250, 800):
        bridge.resize(width, 1_600)
        bridge.wait_until(lambda: fits(scroller))
        for pane in (scroller, panel.root.locator("xpath=..")):
            assert not pane.evaluate("e => e.scrollHeight > e.clientHeight"), width
    bridge.resize(400, 1_600)
    bridge.wait_until(lambda: not fits(scroller))
    assert fits(panel.root)
    tab_to(scroller)
    keyboard.press("ArrowRight")
    bridge.wait_until(lambda: scroller.evaluate("e => e.scrollLeft") > 0)


def test_the_limit_for_a_move_is_switched_off_and_on_and_hurries(bridge: Bridge) -> None:
    panel = open_panel(bridge, "GamePanel('reversi', white='human', seconds_per_move=500)")
    limit = panel.root.get_by_role("switch", name="500 s a move")
    expect(limit).to_be_checked()
    panel.play("d3")
    panel.play("c3")
    left = panel.root.locator(".is-to-move .time-left")
    assert float(left.evaluate("e => parseFloat(e.style.width)")) > 90
    limit.focus()
    bridge.page.keyboard.press(" ")
    expect(panel.message).to_have_text("There is no limit for a move now.")
    expect(left).to_have_css("width", "0px")
    bridge.page.keyboard.press(" ")
    expect(limit).to_be_checked()
    view = bridge.names["panel"].view
    for seconds, words in ((440, re.compile(r"^44\d\.\d s$")), (493, re.compile("^[567] s left$"))):
        turn = {"player": 0, "is_running": True, "seconds": seconds, "limit": 500}
        bridge.names["panel"].view = view | {"turn": turn}
        expect(panel.root.locator(".is-to-move .move-time")).to_have_text(words)
        expect(panel.root.locator(".is-in-hurry")).to_have_count(int(seconds == 493))


def test_a_record_is_shown_set_up_and_its_bad_move_named(bridge: Bridge) -> None:
    panel = open_panel(bridge, "GamePanel('reversi', white='human')")
    panel.play("d3")
    panel.play("c3")
    panel.press("Record")
    text = panel.root.get_by_label("Game record")
    expect(text).to_have_value("d3 c3")
    panel.set_up("1. d3 c3 2. c4 d9")
    expect(panel.root.get_by_role("alert")).to_contain_text("Move 4: 'd9' is not a move of Reversi")
    expect(text).to_have_value("1. d3 c3 2. c4 d9")
    panel.set_up("1. d3 c3 2. c4 e3")
    panel.expect_moves("d3", "c3", "c4", "e3")
    expect(panel.root.get_by_role("alert")).to_have_text("")
    text.fill("d3")  # it stays while it is being written, whatever is played
    bridge.evaluate("panel.play(panel.state.legal_actions()[0])")
    expect(panel.moves).to_have_count(5)
    expect(text).to_have_value("d3")
    panel.press("Record")
    expect(text).to_have_count(0)


# Its size

TOUCHING = """side => {
    // What stands in a side over another part of it, its times as long as they get.
    side.querySelector('.move-time').textContent = '12 s left';
    side.querySelector('.total-time').textContent = '59:59';
    const shown = [...side.querySelectorAll('.stone, .name, .discs, .move-time, .total-time')]
        .filter(part => !part.hidden).map(part => {
            const range = document.createRange();
            range.selectNodeContents(part);
            return [part.className, range.getBoundingClientRect()];
        });
    const meet = (a, b) =>
        a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    return shown.flatMap(([name, box], place) => shown.slice(place + 1)
        .filter(([, other]) => meet(box, other)).map(([other]) => `${name} and ${other}`));
}"""
NUM_LINES = """(element, text) => {
    element.textContent = text;
    const { height } = element.getBoundingClientRect();
    return height / parseFloat(getComputedStyle(element).lineHeight);
}"""


ARROW: Final = 24
"""Room for the arrow of a menu, in pixels."""
LONGEST_OPTION = """select => {
    const { fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(select);
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = `${fontSize} ${fontFamily}`;
    const widths = [...select.options].map(({ text }) => pen.measureText(text).width);
    return Math.max(...widths) + parseFloat(paddingLeft) + parseFloat(paddingRight);
}"""


def test_every_game_fits_its_page(bridge: Bridge) -> None:
    names = ("reversi", "connect_four", "tictactoe", "gomoku")
    bridge.open_cells(*(f"{IMPORT}GamePanel({name!r}, white='human')" for name in names))
    bridge.run_all()
    news = {".message": "Yellow played 4.", ".found": "12,345,678 simulations, 1.2 M/s"}
    for width, (cell, name) in product((560, 600, 640, 760, 1200), enumerate(names)):
        bridge.resize(width, 900)
        root = PanelOnPage(bridge, cell).root
        for side in root.locator(".side").all():
            assert side.evaluate(TOUCHING) == [], (name, width)
            menu = side.locator("select")
            assert menu.evaluate(LONGEST_OPTION) + ARROW <= box_of(menu)["width"], (name, width)
        for part, text in news.items():
            assert root.locator(part).first.evaluate(NUM_LINES, text) <= 2, (name, width, part)
        assert fits(root), (name, width)
        assert fits(root.locator(".news")), (name, width)
