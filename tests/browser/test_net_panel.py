"""The panel that questions nets on a page: stones, trees, a match, by mouse and keys."""

from playwright.sync_api import Locator, expect

from tests.browser.bridge import Bridge


class NetPanelOnPage:
    """The panel in the output of the only cell."""

    def __init__(self, bridge: Bridge) -> None:
        self.root = bridge.show("NetPanel")
        self.record = self.root.locator(".record")
        self.nets = self.root.locator(".net")
        self.trees = self.root.locator(".net-tree")

    def button(self, label: str) -> Locator:
        return self.root.get_by_role("button", name=label, exact=True)

    def square(self, net: int, name: str) -> Locator:
        return self.nets.nth(net).get_by_role("gridcell", name=f"{name},")


def test_a_stone_on_one_board_lies_on_all_and_every_net_answers(bridge: Bridge) -> None:
    panel = NetPanelOnPage(bridge)
    expect(panel.root.locator(".headline")).to_have_text("Black to move")
    panel.square(1, "E5").click()
    for net in range(2):
        expect(panel.nets.nth(net).locator(".stone")).to_have_count(1)
        expect(panel.nets.nth(net).locator(".worth")).to_contain_text("for White, to move")
        expect(panel.nets.nth(net).locator(".moves li")).to_have_count(3)
    panel.square(0, "E6").click()
    for label, record in (("Undo", "Moves: E5"), ("Redo", "Moves: E5 E6"), ("New", "")):
        panel.button(label).click()
        expect(panel.record).to_have_text(record)
    expect(panel.button("Undo")).to_be_disabled()
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
    panel.square(0, "G5").click()
    expect(panel.root.get_by_role("alert")).to_have_text(
        "G5 can't be chosen: it is not a legal move."
    )


def test_it_is_worked_by_keys_alone_and_its_trees_follow_the_position(bridge: Bridge) -> None:
    panel = NetPanelOnPage(bridge)
    keyboard, shown = bridge.page.keyboard, panel.root.locator(".trees")
    panel.square(0, "A9").focus()
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        keyboard.press(key)
    expect(panel.record).to_have_text("Moves: B8")
    for key, record in (("u", ""), ("r", "Moves: B8")):
        keyboard.press(key)
        expect(panel.record).to_have_text(record)
    keyboard.press("t")
    expect(panel.button("Trees")).to_have_attribute("aria-expanded", "true")
    expect(panel.trees.locator("b")).to_have_text(["rollouts", "threats", "UCT with rollouts"])
    for mover, key in (("White", "u"), ("Black", "t")):
        for place in range(3):
            root = panel.trees.nth(place).locator("g.node").first
            expect(root).to_contain_text(f"{mover} to move", timeout=60_000)
        keyboard.press(key)
    expect(shown).to_be_hidden()
    panel.button("Let the nets play from here").focus()
    keyboard.press("Enter")
    expect(panel.button("Stop")).to_be_focused()
    keyboard.press("p")
    expect(panel.button("Let the nets play from here")).to_be_focused()
    keyboard.press("n")
    expect(panel.record).to_have_text("")
