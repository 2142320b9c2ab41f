"""The selection bars in real JupyterLab: run, paused, stepped, by mouse and by keys."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab
from tests.browser.panel import COMPUTING

BARS = """\
from mctslab import games, search
from mctslab.widgets import SelectionBars
bars = SelectionBars(games.ConnectFour(), search.puct_search, evaluator=search.rollout_evaluator(),
                     num_simulations={num_simulations}, speed={speed})
bars"""


class BarsOnPage:
    """The bars in the output of one cell."""

    def __init__(self, lab: Lab, cell: int = 0) -> None:
        self.root = lab.output(cell).locator(".mctslab-bars")
        self.count = self.root.locator(".count")
        self.picture = self.root.locator(".bars svg")
        expect(self.picture).to_be_visible()

    def button(self, label: str) -> Locator:
        return self.root.get_by_role("button", name=label, exact=True)

    def done(self) -> int:
        """How many simulations the page says are made."""
        return int(self.count.inner_text().split(" of ")[0].replace(",", ""))


def open_bars(lab: Lab, *, num_simulations: int = 100_000, speed: int = 100) -> BarsOnPage:
    lab.open_cells(BARS.format(num_simulations=num_simulations, speed=speed), COMPUTING)
    lab.run_cell(0)
    return BarsOnPage(lab)


def test_it_runs_pauses_steps_and_begins_again(lab: Lab) -> None:
    bars = open_bars(lab)
    expect(bars.count).to_have_text("0 of 100,000 simulations")
    expect(bars.button("Reset")).to_be_disabled()
    bars.button("Step").click()
    expect(bars.count).to_have_text("1 of 100,000 simulations")
    expect(bars.picture.locator("[data-move]")).to_have_count(14)
    expect(bars.picture.locator("[data-next]")).to_have_count(1)
    bars.button("Run").click()
    expect(bars.button("Run")).to_be_hidden()
    lab.wait_until(lambda: bars.done() > 20)
    bars.button("Pause").click()
    expect(bars.button("Run")).to_be_visible()
    done = bars.done()
    bars.button("Step").click()
    expect(bars.count).to_have_text(f"{done + 1} of 100,000 simulations")
    assert lab.evaluate("bars.result.root.visit_count") == done + 1
    expect(bars.picture).to_have_attribute("aria-label", re.compile(r"^Red is to move\. Most"))
    bars.button("Reset").click()
    expect(bars.count).to_have_text("0 of 100,000 simulations")
    expect(bars.picture.locator("[data-move]")).to_have_count(0)


def test_it_is_worked_by_keys_alone(lab: Lab) -> None:
    bars = open_bars(lab, num_simulations=2_000, speed=20)
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


def test_the_speed_is_chosen_while_it_runs(lab: Lab) -> None:
    bars = open_bars(lab, speed=1)
    bars.button("Run").click()
    bars.root.get_by_label("Speed").select_option(label="2,000/s")
    lab.wait_until(lambda: bars.done() > 500)
    assert lab.evaluate("bars.speed") == 2_000
    bars.button("To the end").click()
    lab.wait_until(lambda: bars.done() > 2_000)
    bars.button("Pause").click()
    expect(bars.button("Run")).to_be_visible()


def test_it_runs_on_while_another_cell_computes(lab: Lab) -> None:
    bars = open_bars(lab)
    lab.start_cell(1)
    prompt = lab.page.locator(".jp-Cell").nth(1).locator(".jp-InputPrompt")
    expect(prompt).to_have_text("[*]:")
    bars.button("Run").click()
    lab.wait_until(lambda: bars.done() > 20)
    bars.button("Pause").click()
    expect(bars.button("Run")).to_be_visible()
    expect(prompt).to_have_text("[*]:")
    lab.interrupt_kernel()


def test_it_stops_when_its_cell_is_run_again(lab: Lab) -> None:
    bars = open_bars(lab)
    bars.button("Run").click()
    lab.wait_until(lambda: bars.done() > 20)
    lab.run_cell(0)
    expect(BarsOnPage(lab).count).to_have_text("0 of 100,000 simulations")
    lab.wait_until(
        lambda: (
            lab.evaluate(
                "sum(t.name == 'mctslab bars' for t in __import__('threading').enumerate())"
            )
            == 0
        )
    )


def test_a_search_that_fails_at_once_fails_its_cell(lab: Lab) -> None:
    lab.open_cells(
        "from mctslab import games, search\nfrom mctslab.widgets import SelectionBars\n"
        "SelectionBars(games.ConnectFour(), evaluator=lambda states, rng: 1 / 0)",
        "2",
    )
    # The picture that stands in for the widget is drawn in the cell, and the error is seen there.
    lab.run_cell(0)
    assert any("ZeroDivisionError" in error for error in lab.cell_errors())
