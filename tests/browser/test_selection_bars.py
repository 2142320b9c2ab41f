"""The selection bars in real JupyterLab: run, paused, stepped, by mouse and by keys."""

import re

from playwright.sync_api import expect

from tests.browser.lab import Lab
from tests.browser.panel import COMPUTING, OnPage

BARS = """\
from mctslab import games, search
from mctslab.widgets import SelectionBars
bars = SelectionBars(games.ConnectFour(), search.puct_search, evaluator=search.rollout_evaluator(),
                     num_simulations={num_simulations}, speed={speed})
bars"""


class BarsOnPage(OnPage):
    """The bars in the output of the first cell."""

    def __init__(self, lab: Lab, *, num_simulations: int = 100_000, speed: int = 100) -> None:
        lab.open_cells(BARS.format(num_simulations=num_simulations, speed=speed), COMPUTING)
        lab.run_cell(0)
        super().__init__(lab, "bars")
        self.count = self.root.locator(".count")
        self.picture = self.root.locator(".bars svg")

    def done(self) -> int:
        """How many simulations the page says are made."""
        return int(self.count.inner_text().split(" of ")[0].replace(",", ""))


def test_it_runs_pauses_steps_and_begins_again_while_another_cell_computes(lab: Lab) -> None:
    bars = BarsOnPage(lab)
    prompt = lab.start_cell(1)
    expect(bars.count).to_have_text("0 of 100,000 simulations")
    expect(bars.button("Reset")).to_be_disabled()
    bars.button("Step").click()
    expect(bars.count).to_have_text("1 of 100,000 simulations")
    expect(bars.picture.locator("[data-move]")).to_have_count(14)
    expect(bars.picture.locator("[data-next]")).to_have_count(1)
    bars.button("Run").click()
    expect(bars.button("Run")).to_be_hidden()
    lab.wait_until(lambda: bars.done() > 20)
    bars.root.get_by_label("Speed").select_option(label="2,000/s")
    lab.wait_until(lambda: bars.done() > 500)
    bars.button("Pause").click()
    expect(bars.button("Run")).to_be_visible()
    done = bars.done()
    bars.button("Step").click()
    expect(bars.count).to_have_text(f"{done + 1:,} of 100,000 simulations")
    expect(bars.picture).to_have_attribute("aria-label", re.compile(r"^Red is to move\. Most"))
    bars.button("Reset").click()
    expect(bars.count).to_have_text("0 of 100,000 simulations")
    expect(bars.picture.locator("[data-move]")).to_have_count(0)
    expect(prompt).to_have_text("[*]:")
    lab.interrupt_kernel()


def test_it_is_worked_by_keys_alone(lab: Lab) -> None:
    bars = BarsOnPage(lab, num_simulations=2_000, speed=20)
    keyboard = lab.page.keyboard
    bars.root.focus()
    for number in range(1, 4):
        keyboard.press("ArrowRight")
        expect(bars.count).to_have_text(f"{number} of 2,000 simulations")
    keyboard.press(" ")
    expect(bars.button("Pause")).to_be_visible()
    lab.wait_until(lambda: bars.done() > 5)
    keyboard.press(" ")
    expect(bars.button("Run")).to_be_visible()
    keyboard.press("End")
    expect(bars.count).to_have_text("2,000 of 2,000 simulations")
    expect(bars.button("Step")).to_be_disabled()
    keyboard.press("Home")
    expect(bars.count).to_have_text("0 of 2,000 simulations")
    expect(bars.root).to_be_focused()
    # On a button the space bar presses it, once; and the button that takes its place is next.
    bars.button("Run").focus()
    keyboard.press(" ")
    expect(bars.button("Pause")).to_be_focused()
    keyboard.press(" ")
    expect(bars.button("Run")).to_be_focused()
    # Plain keys are commands on cells in JupyterLab ("dd" deletes one); here they are none.
    for key in ("d", "d", "x", "b"):
        keyboard.press(key)
    expect(lab.page.locator(".jp-Notebook .jp-Cell")).to_have_count(2)
