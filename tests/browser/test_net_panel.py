"""The panel that questions nets on a page: stones, trees, a match, by mouse and keys."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.bridge import Bridge


class NetPanelOnPage:
    """The panel in the output of the only cell."""

    def __init__(self, bridge: Bridge) -> None:
        self.root = bridge.show("NetPanel")
        self.record = self.root.locator(".record")
        self.nets = self.root.locator(".net")

    def button(self, label: str) -> Locator:
        return self.root.get_by_role("button", name=label, exact=True)

    def square(self, net: int, name: str) -> Locator:
        return self.nets.nth(net).get_by_role("gridcell", name=f"{name},")


@pytest.fixture
def panel(bridge: Bridge) -> NetPanelOnPage:
    return NetPanelOnPage(bridge)


def test_a_stone_on_one_board_lies_on_all_and_every_net_answers(
    bridge: Bridge, panel: NetPanelOnPage
) -> None:
    expect(panel.root.locator(".headline")).to_have_text("Black to move")
    panel.square(1, "E5").click()
    for net in range(2):
        expect(panel.nets.nth(net).locator(".stone")).to_have_count(1)
        expect(panel.nets.nth(net).locator(".worth")).to_contain_text("for White, to move")
        expect(panel.nets.nth(net).locator(".moves li")).to_have_count(3)
    for _ in range(2):  # the same one can be chosen again
        panel.button("New").click()
        expect(panel.record).to_have_text("")
        panel.root.get_by_label("Position to set up").select_option("a five to block")
        expect(panel.nets.nth(1).locator(".moves li").first).to_have_text("G5 100%")
        expect(panel.root.get_by_label("Position to set up")).to_have_value("")
    expect(panel.nets.nth(1).locator("[data-heat]").first).to_be_attached()
    bar = panel.nets.nth(1).get_by_role("img", name="Black is expected to win 50%")
    expect(bar.locator("span").first).to_have_attribute(
        "style", "background: rgb(23, 25, 27); width: 50%;"
    )
    panel.root.get_by_label("Which net plays White").select_option("rollouts")
    bridge.wait_until(lambda: bridge.evaluate("_.sides") == [0, 0])
    panel.square(0, "G5").click()
    expect(panel.record).to_contain_text("G5")
    panel.square(0, "G5").click()
    expect(panel.root.get_by_role("alert")).to_have_text(
        "G5 can't be chosen: it is not a legal move."
    )


def test_it_is_worked_by_keys_alone_and_its_trees_follow_the_position(
    bridge: Bridge, panel: NetPanelOnPage
) -> None:
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
