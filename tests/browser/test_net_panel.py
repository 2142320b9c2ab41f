"""The panel that questions nets on a page: stones, trees, a match, by mouse and keys."""

import re

import pytest
from playwright.sync_api import Locator, expect

from mctslab.widgets import net_panel
from tests.browser.bridge import Bridge

LOVERS = """
from mctslab import games, widgets
from tests.widgets.test_net_panel import Loves
nets = [("corner", Loves(0, 0.6)), ("middle", Loves(14, -0.2))]
panel = widgets.NetPanel(*nets, state=games.Gomoku(size=6, in_a_row=4), num_simulations=8)
panel"""


class NetPanelOnPage:
    """The panel in the output of the only cell."""

    def __init__(self, bridge: Bridge, source: str = "NetPanel") -> None:
        self.root = bridge.show(source)
        self.record = self.root.locator(".record")
        self.nets = self.root.locator(".net")

    def button(self, label: str) -> Locator:
        return self.root.get_by_role("button", name=label, exact=True)

    def square(self, net: int, name: str) -> Locator:
        return self.nets.nth(net).get_by_role("gridcell", name=f"{name},")


def test_a_stone_on_one_board_lies_on_all_every_net_answers_and_two_play(
    bridge: Bridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(net_panel, "PAUSE_BETWEEN_MOVES", 0.0)
    panel = NetPanelOnPage(bridge, LOVERS)
    headline, alert = panel.root.locator(".headline"), panel.root.get_by_role("alert")
    expect(headline).to_have_text("Black to move")
    worths, first = panel.nets.locator(".worth"), panel.nets.locator(".moves li:first-child")
    for net, worth in enumerate(("+0.60", "−0.20")):
        expect(worths.nth(net)).to_have_text(f"value {worth} for Black, to move")
    expect(first).to_have_text(["A6 90%", "C4 90%"])
    for place, square in enumerate((0, 14)):
        expect(panel.nets.nth(place).locator("[data-heat]")).to_have_count(1)  # others are pale
        heat = panel.nets.nth(place).locator(f"[data-heat='{square}'] + text")
        expect(heat).to_have_text("90%")
    panel.square(1, "C3").click()
    expect(panel.nets.locator(".stone[data-square]")).to_have_count(2)
    # The bar stays where it is, and the value changes its sign.
    for net, worth in enumerate(("−0.60", "+0.20")):
        expect(worths.nth(net)).to_have_text(f"value {worth} for White, to move")
    bar = panel.nets.first.get_by_role("img", name="Black is expected to win 80%")
    expect(bar.locator("span").first).to_have_attribute(
        "style", "background: rgb(23, 25, 27); width: 80%;"
    )
    assert bridge.evaluate("panel.answers['corner'].value") == pytest.approx(-0.6)
    panel.square(0, "C3").click()
    expect(alert).to_have_text("C3 can't be chosen: it is not a legal move.")
    for _ in range(2):  # the same one can be chosen again
        panel.button("New").click()
        expect(panel.record).to_have_text("")
        panel.root.get_by_label("Position to set up").select_option("a four to block")
        expect(panel.record).to_have_text("Moves: B3 A3 C3 F6 D3")
        expect(panel.root.get_by_label("Position to set up")).to_have_value("")
    panel.button("New").click()
    for player, net in (("Black", "middle"), ("White", "corner")):
        panel.root.get_by_label(f"Which net plays {player}").select_option(net)
    bridge.wait_until(lambda: bridge.evaluate("panel.sides") == [1, 0])
    panel.button("Let the nets play from here").click()
    expect(headline).to_have_text(re.compile("wins|Draw"), timeout=60_000)
    expect(panel.record).to_have_text(re.compile("^Moves: C4 A6"))  # the favourite of each
    expect(panel.button("Stop")).to_be_hidden()


def test_it_is_worked_by_keys_alone_and_its_trees_follow_the_position(bridge: Bridge) -> None:
    panel = NetPanelOnPage(bridge)
    press, trees = bridge.page.keyboard.press, panel.root.locator(".net-tree")
    panel.square(0, "A9").focus()
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        press(key)
    expect(panel.record).to_have_text("Moves: B8")
    for key, record in (("u", ""), ("r", "Moves: B8")):
        press(key)
        expect(panel.record).to_have_text(record)
    for label, other in (("Undo", "Redo"), ("Redo", "Undo")):
        panel.button(label).press("Enter")
        expect(panel.button(label)).to_be_disabled()
        expect(panel.button(other)).to_be_focused()
    press("t")
    expect(panel.button("Trees")).to_have_attribute("aria-expanded", "true")
    expect(trees.locator("b")).to_have_text(["rollouts", "threats", "UCT with rollouts"])
    for mover, key in (("White", "u"), ("Black", "t")):
        for place in range(3):
            root = trees.nth(place).locator("g.node").first
            expect(root).to_contain_text(f"{mover} to move", timeout=60_000)
        press(key)
    expect(panel.root.locator(".trees")).to_be_hidden()
    for label, key, other in (
        ("Let the nets play from here", "Enter", "Stop"),
        ("Stop", "p", "Let the nets play from here"),
    ):
        panel.button(label).press(key)
        expect(panel.button(other)).to_be_focused()
    panel.square(0, "A1").press("Enter")
    expect(panel.record).to_contain_text("A1")
    press("n")
    expect(panel.record).to_have_text("")
