"""The panel that questions nets in real JupyterLab: stones, trees, a match, by mouse and keys."""

from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab
from tests.browser.panel import OnPage

PANEL = """\
from mctslab import games, search
from mctslab.widgets import NetPanel
nets = [("rollouts", search.with_priors(search.rollout_evaluator(), search.gomoku_prior)),
        ("threats", search.threat_evaluator())]
panel = NetPanel(*nets, state=games.Gomoku(size=9), num_simulations=100)
panel"""


class NetPanelOnPage(OnPage):
    """The panel in the output of the first cell."""

    def __init__(self, lab: Lab) -> None:
        lab.open_cells(PANEL, "")
        lab.run_cell(0)
        super().__init__(lab, "nets")
        self.record = self.root.locator(".record")
        self.nets = self.root.locator(".net")
        self.trees = self.root.locator(".net-tree")
        expect(self.root.get_by_role("gridcell").first).to_be_visible()

    def square(self, net: int, name: str) -> Locator:
        return self.nets.nth(net).get_by_role("gridcell", name=f"{name},")


def test_a_stone_on_one_board_lies_on_all_and_every_net_answers(lab: Lab) -> None:
    panel = NetPanelOnPage(lab)
    expect(panel.headline).to_have_text("Black to move")
    panel.square(1, "E5").click()
    for net in range(2):
        expect(panel.nets.nth(net).locator("[data-player]")).to_have_count(1)
        expect(panel.nets.nth(net).locator(".worth")).to_contain_text("for White, to move")
        expect(panel.nets.nth(net).locator(".moves li")).to_have_count(3)
    panel.square(0, "E6").click()
    for label, record in (("Undo", "Moves: E5"), ("Redo", "Moves: E5 E6"), ("New", "")):
        panel.button(label).click()
        expect(panel.record).to_have_text(record)
    expect(panel.button("Undo")).to_be_disabled()
    panel.root.get_by_label("Position to set up").select_option("a five to block")
    expect(panel.nets.nth(1).locator(".moves li").first).to_have_text("G5 100%")
    expect(panel.nets.nth(1).locator("[data-heat]").first).to_be_attached()
    panel.root.get_by_label("Which net plays White").select_option("rollouts")
    lab.wait_until(lambda: lab.evaluate("panel.sides") == [0, 0])


def test_the_trees_stand_beside_each_other_and_follow_the_position(lab: Lab) -> None:
    panel = NetPanelOnPage(lab)
    panel.button("Trees").click()
    expect(panel.trees).to_have_count(3)
    for place, title in enumerate(("rollouts", "threats", "UCT with rollouts")):
        expect(panel.trees.nth(place).locator("b")).to_have_text(title)
        expect(panel.trees.nth(place).locator("g.node").first).to_be_visible(timeout=60_000)
    root = panel.trees.nth(2).locator("g.node").first
    expect(root).to_contain_text("Black to move")
    panel.square(0, "E5").click()
    expect(panel.trees.nth(2).locator("g.node").first).to_contain_text("White to move")
    panel.button("Trees").click()
    expect(panel.root.locator(".trees")).to_be_hidden()


def test_it_is_worked_by_keys_alone(lab: Lab) -> None:
    panel = NetPanelOnPage(lab)
    keyboard = lab.page.keyboard
    panel.square(0, "A9").focus()
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        keyboard.press(key)
    expect(panel.record).to_have_text("Moves: B8")
    keyboard.press("u")
    expect(panel.record).to_have_text("")
    keyboard.press("r")
    expect(panel.record).to_have_text("Moves: B8")
    keyboard.press("t")
    expect(panel.root.locator(".trees")).to_be_visible()
    keyboard.press("t")
    expect(panel.root.locator(".trees")).to_be_hidden()
    keyboard.press("p")
    expect(panel.button("Stop")).to_be_visible()
    keyboard.press("p")
    expect(panel.button("Let the nets play from here")).to_be_visible()
    keyboard.press("n")
    expect(panel.record).to_have_text("")
    # Plain keys are commands on cells in JupyterLab ("dd" deletes one); here they are none.
    for key in ("d", "d", "x", "b"):
        keyboard.press(key)
    expect(lab.page.locator(".jp-Notebook .jp-Cell")).to_have_count(2)
