"""The panel that questions nets in real JupyterLab: stones, trees, a match, by mouse and keys."""

from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab
from tests.browser.panel import COMPUTING

PANEL = """\
from mctslab import games, search
from mctslab.widgets import NetPanel
nets = [("rollouts", search.with_priors(search.rollout_evaluator(), search.gomoku_prior)),
        ("threats", search.threat_evaluator())]
panel = NetPanel(*nets, state=games.Gomoku(size=9), num_simulations={simulations})
panel"""


class NetPanelOnPage:
    """The panel in the output of one cell."""

    def __init__(self, lab: Lab, cell: int = 0) -> None:
        self.root = lab.output(cell).locator(".mctslab-nets")
        self.headline = self.root.locator(".headline")
        self.record = self.root.locator(".record")
        self.nets = self.root.locator(".net")
        self.trees = self.root.locator(".net-tree")
        expect(self.root.get_by_role("gridcell").first).to_be_visible()

    def square(self, net: int, name: str) -> Locator:
        return self.nets.nth(net).get_by_role("gridcell", name=f"{name},")

    def button(self, label: str) -> Locator:
        return self.root.get_by_role("button", name=label, exact=True)


def open_panel(lab: Lab, *, simulations: int = 100) -> NetPanelOnPage:
    lab.open_cells(PANEL.format(simulations=simulations), COMPUTING)
    lab.run_cell(0)
    return NetPanelOnPage(lab)


def test_a_stone_on_one_board_lies_on_all_and_every_net_answers(lab: Lab) -> None:
    panel = open_panel(lab)
    expect(panel.nets).to_have_count(2)
    expect(panel.headline).to_have_text("Black to move")
    panel.square(1, "E5").click()
    expect(panel.record).to_have_text("Moves: E5")
    for net in range(2):
        expect(panel.nets.nth(net).locator("[data-player]")).to_have_count(1)
        expect(panel.nets.nth(net).locator(".worth")).to_contain_text("for White, to move")
        expect(panel.nets.nth(net).locator(".moves li")).to_have_count(3)
    panel.square(0, "E6").click()
    expect(panel.record).to_have_text("Moves: E5 E6")
    panel.button("Undo").click()
    expect(panel.record).to_have_text("Moves: E5")
    panel.button("Redo").click()
    expect(panel.record).to_have_text("Moves: E5 E6")
    panel.button("New").click()
    expect(panel.record).to_have_text("")
    expect(panel.button("Undo")).to_be_disabled()
    assert lab.evaluate("panel.record") == ""


def test_a_position_is_set_up_by_its_name(lab: Lab) -> None:
    panel = open_panel(lab)
    panel.root.get_by_label("Position to set up").select_option("a five to block")
    expect(panel.headline).to_have_text("White to move")
    favourite = panel.nets.nth(1).locator(".moves li").first
    expect(favourite).to_have_text("G5 100%")
    expect(panel.nets.nth(1).locator("[data-heat]").first).to_be_attached()


def test_the_trees_stand_beside_each_other_and_follow_the_position(lab: Lab) -> None:
    panel = open_panel(lab)
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


def test_two_nets_play_on_and_are_stopped(lab: Lab) -> None:
    panel = open_panel(lab)
    panel.root.get_by_label("Which net plays White").select_option("rollouts")
    panel.button("Let the nets play from here").click()
    expect(panel.button("Stop")).to_be_visible()
    expect(panel.headline).to_contain_text("is thinking")
    lab.wait_until(lambda: len(lab.evaluate("panel.record.split()")) >= 2)
    panel.button("Stop").click()
    expect(panel.button("Let the nets play from here")).to_be_visible()
    expect(panel.headline).to_contain_text("to move")
    assert lab.evaluate("panel.sides") == [0, 0]


def test_it_is_worked_by_keys_alone(lab: Lab) -> None:
    panel = open_panel(lab)
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
