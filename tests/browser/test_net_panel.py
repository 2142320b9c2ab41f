"""The panel that questions nets on a page: stones, trees, a match, by mouse and keys."""

import re

import pytest
from playwright.sync_api import expect

from mctslab.widgets import NetPanel, net_panel
from tests.browser.examples import EXAMPLES, FOUR
from tests.browser.panel import shows
from tests.widgets.test_net_panel import Loves


def button(panel, label):
    return panel.get_by_role("button", name=label, exact=True)


def square(panel, name):
    """A square of the first net's board."""
    return panel.locator(".net").first.get_by_role("gridcell", name=f"{name},")


def test_a_stone_on_one_board_lies_on_all_every_net_answers_and_two_play(bridge, monkeypatch):
    monkeypatch.setattr(net_panel, "PAUSE_BETWEEN_MOVES", 0.0)
    nets = ("corner", Loves(0, 0.6)), ("middle", Loves(14, -0.2))
    asked = NetPanel(*nets, state=FOUR, num_simulations=8)
    panel = bridge.show(asked)
    shows(panel, {".headline": "Black to move"})
    worths, first = panel.locator(".net .worth"), panel.locator(".net .moves li:first-child")
    expect(worths).to_have_text([f"value {w} for Black, to move" for w in ("+0.60", "−0.20")])
    expect(first).to_have_text(["A6 90%", "C4 90%"])
    for net, loved in (("corner", 0), ("middle", 14)):
        board = panel.locator(f"[data-net={net}]")
        shows(board, {"[data-heat]": 1, f"[data-heat='{loved}'] + text": "90%"})  # others are pale
    see_through = "rgba(0, 0, 0, 0)"  # the page has no other widget's style sheet
    expect(square(panel, "C3")).to_have_css("fill", see_through)
    square(panel, "C3").click()
    shows(panel, {".net .stone[data-square]": 2})
    # The bar stays where it is, and the value changes its sign.
    expect(worths).to_have_text([f"value {w} for White, to move" for w in ("−0.60", "+0.20")])
    bar = panel.get_by_role("img", name="Black is expected to win 80%")
    expect(bar.locator("span").first).to_have_attribute(
        "style", "background: rgb(23, 25, 27); width: 80%;"
    )
    expect(panel.locator("[data-net=corner] .balance")).to_have_text("Black 80%20% White")
    assert asked.answers["corner"].value == pytest.approx(-0.6)
    square(panel, "C3").click()
    shows(panel, {"role=alert": "C3 can't be chosen: it is not a legal move."})
    positions = panel.get_by_label("Position to set up")
    for _ in range(2):  # the same one can be chosen again
        button(panel, "New").click()
        shows(panel, {".record": ""})
        positions.select_option("a four to block")
        shows(panel, {".record": "Moves: B3 A3 C3 F6 D3"})
        expect(positions).to_have_value("")
    button(panel, "New").click()
    for player, net in (("Black", "middle"), ("White", "corner")):
        panel.get_by_label(f"Which net plays {player}").select_option(net)
    bridge.wait_until(lambda: asked.sides == [1, 0])
    button(panel, "Let the nets play from here").click()
    expect(panel.locator(".headline")).to_have_text(re.compile("wins|Draw"), timeout=60_000)
    shows(panel, {".record": re.compile("^Moves: C4 A6")})  # the favourite of each
    expect(button(panel, "Stop")).to_be_hidden()


def test_it_is_worked_by_keys_alone_and_its_trees_follow_the_position(bridge):
    panel, press = bridge.show(EXAMPLES["NetPanel"]()), bridge.page.keyboard.press
    square(panel, "A6").focus()
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        press(key)
    for key, record in (("", "Moves: B5"), ("u", ""), ("r", "Moves: B5")):
        if key:
            press(key)
        shows(panel, {".record": record})
    for label, key, other in (("Undo", "Enter", "redo"), ("Redo", "Enter", "undo")):
        button(panel, label).press(key)
        expect(button(panel, label)).to_be_disabled()
        shows(panel, {f"[data-command={other}]:focus": 1})
    press("t")
    shows(panel, {"[data-command=trees][aria-expanded=true]": 1})
    trees = panel.locator(".net-tree")
    expect(trees.locator("b")).to_have_text(["rollouts", "threats", "UCT with rollouts"])
    drawn = trees.filter(has=panel.page.locator("g.node", has_text="White to move"))
    expect(drawn).to_have_count(3, timeout=60_000)
    press("t")
    expect(panel.locator(".trees")).to_be_hidden()
    for label, key, other in (
        ("Let the nets play from here", "Enter", "stop"),
        ("Stop", "p", "let_play"),
    ):
        button(panel, label).press(key)
        shows(panel, {f"[data-command={other}]:focus": 1})
    square(panel, "A1").press("Enter")
    shows(panel, {".record": "A1"})
    press("n")
    shows(panel, {".record": ""})
