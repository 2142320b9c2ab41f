"""The game panel on a page: played by mouse and by keys; in JupyterLab, see test_in_jupyterlab."""

import re

import pytest
from playwright.sync_api import expect

from mctslab.games import ConnectFour, Reversi, TicTacToe
from mctslab.widgets import GamePanel, game_panel
from tests.browser.panel import LATE, PanelOnPage, fits, middle_of, shows, tab_to
from tests.games.own_games import TakeAway
from tests.widgets.browser_messages import play


def open_panel(bridge, game, white="human"):
    bridge.show(GamePanel(game, white=white))
    return PanelOnPage(bridge)


@pytest.mark.parametrize(
    ("state", "white", "record"),
    [
        (ConnectFour(4, 4), "human", ""),
        (TicTacToe(), "random", ""),
        (Reversi(), "random", LATE),
        (TakeAway(), "random", ""),
    ],
)
def test_a_game_is_played_to_its_end_by_the_rules(bridge, monkeypatch, state, white, record):
    monkeypatch.setattr(game_panel, "PAUSE_BEFORE_THINKING", 0.0)
    panel = open_panel(bridge, state, white)
    if record:
        panel.press("Record")
        panel.set_up(record)
        expect(panel.headline).to_have_text("Black has to pass")
    panel.play_to_the_end(state)


def test_a_stone_falls_where_the_keys_or_the_mouse_have_said(bridge):
    panel = open_panel(bridge, "connect_four")
    keyboard = bridge.page.keyboard
    panel.root.get_by_label("Who plays Red").focus()
    for column, key in ((0, "Shift+Tab"), (1, "Home"), (2, "ArrowRight"), (3, "ArrowRight")):
        keyboard.press(key)
        if column:
            shows(panel.board, {f"[aria-label^='column {column}, ']:focus": 1})
    keyboard.press("Enter")
    panel.expect_moves("3")
    panel.square("column 3, row 6").hover()
    shows(panel.board, {".ghost": 1})
    ghost, falls_to = panel.board.locator(".ghost"), panel.square("column 3, row 2")
    assert middle_of(ghost) == pytest.approx(middle_of(falls_to), abs=1)
    panel.square("column 3, row 6").click()
    shows(panel.board, {"[aria-label^='column 3, row 2, Yellow']": 1})


# Thinking


def test_gomoku_is_stopped_in_mid_thought_and_played_by_other_rules(bridge):
    panel = open_panel(bridge, "gomoku", "uct:99s")
    panel.square("H8").click()
    shows(panel.root, {".headline": "is thinking"})
    heat = panel.root.get_by_label("What the board shows")
    for choice, pattern in (("nothing", ""), ("values", r"\d+%"), ("visits", r"\d+k?")):
        heat.select_option(label=choice)
        numbers = [re.compile(f"^{pattern}$")] * 30 if pattern else []
        expect(panel.root.locator("[data-heat] + text")).to_have_text(numbers)
    bar = panel.root.get_by_role("progressbar")
    bridge.wait_until(lambda: int(bar.get_attribute("aria-valuenow") or 0) >= 1)
    shows(panel.root, {".found": re.compile(r"^[A-P]\d+ so far, [\d,]+ simulations, ")})
    panel.press("Stop")
    panel.expect_reply()
    panel.root.get_by_label("Who plays White").select_option(label="Human")
    for menu, label in (
        ("Size of the board", "9 × 9"),
        ("Whether a longer row wins", "exactly"),
        ("How many in a row win", "3 in a row"),
    ):
        panel.root.get_by_label(menu).select_option(label=label)
        panel.expect_moves()
        panel.play("A1")
    for square in ("A9", "B1", "B9", "C1"):
        panel.play(square)
    shows(panel.root, {"[role=gridcell]": 81, ".headline": "Black wins", "[data-win]": 1})
    expect(panel.root.get_by_label("How many in a row win")).to_have_value("3 in a row")


def test_reversi_and_its_tree_are_worked_by_keys_and_fit_every_page(bridge):
    bridge.show(game := GamePanel("reversi", white="uct:300"))
    panel, keyboard = PanelOnPage(bridge), bridge.page.keyboard
    root = panel.root
    root.get_by_label("Who plays White").focus()
    tab_to(panel.square("d3"))
    keyboard.press("Enter")
    panel.expect_reply()
    panel.press("Statistics")
    shows(root, {".statistics caption": "after 300 simulations"})
    visits = root.locator(".statistics tbody td:nth-child(2)").all_inner_texts()
    assert sum(map(int, visits)) == 300
    of_black = round(100 * game.game["moves"][1]["share"])
    shows(root, {".estimate": re.compile(f"Black {of_black}%.*{100 - of_black}% White")})
    tab_to(panel.button("Tree"))
    keyboard.press("Enter")
    shows(root, {".statistics:visible": 0})
    scroller = root.locator(".tree .scroller")
    expect(scroller.locator("g.node").first).to_be_visible(timeout=30_000)
    bridge.wait_until(lambda: fits(scroller))
    bridge.resize(400, 1_600)
    bridge.wait_until(lambda: not fits(scroller))
    assert fits(panel.root)
    tab_to(scroller)
    keyboard.press("ArrowRight")
    bridge.wait_until(lambda: scroller.evaluate("e => e.scrollLeft") > 0)


def test_a_record_is_shown_set_up_and_its_bad_move_named(bridge):
    bridge.show(game := GamePanel("reversi", white="human"))
    panel = PanelOnPage(bridge)
    panel.play("d3")
    panel.play("c3")
    panel.press("Record")
    text = panel.root.get_by_label("Game record")
    expect(text).to_have_value("d3 c3")
    panel.set_up("1. d3 c3 2. c4 d9")
    shows(panel.root, {"role=alert": "Move 4: 'd9' is not a move of Reversi"})
    expect(text).to_have_value("1. d3 c3 2. c4 d9")
    panel.set_up("1. d3 c3 2. c4 e3")
    panel.expect_moves("d3", "c3", "c4", "e3")
    assert game.game["set_up"] == 4
    assert [move.seconds for move in game.moves] == [None] * 4
    shows(panel.root, {"role=alert": ""})
    text.fill("d3")  # it stays while it is being written, whatever is played
    play(game, game.state.legal_actions()[0])
    expect(panel.moves).to_have_count(5)
    expect(text).to_have_value("d3")
    panel.press("Record")
    expect(text).to_have_count(0)
