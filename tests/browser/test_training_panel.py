"""The training panel in JupyterLab: started, watched, stopped, resumed, also after a restart."""

import re
import shutil

from playwright.sync_api import expect

from tests.browser.lab import Lab
from tests.browser.panel import contrast_of, fits

PANEL = """\
import threading
from mctslab.net.training_config import SelfPlayConfig
from mctslab.net.trainer import Trainer
from mctslab.net.training_config import TrainingConfig
from mctslab.net.evaluation import Benchmark
from mctslab.widgets import TrainingPanel, background_run
background_run.SHORTEST_WAIT, background_run.LONGEST_SHARE = 0.0, 1e9
may_train, iterate = threading.Semaphore(0), Trainer.iterate
Trainer.iterate = lambda trainer: may_train.acquire() and iterate(trainer)
config = TrainingConfig(num_filters=8, num_blocks=1, num_games=16, num_iterations=6,
                        positions_per_iteration=200, steps_per_iteration=8, batch_size=32,
                        self_play=SelfPlayConfig(num_simulations=8, opening_plies=2))
benchmark = Benchmark(("random",), every=2, num_games=4, num_simulations=8)
panel = TrainingPanel(config, "run", benchmark=benchmark)
panel"""
"""An iteration begins when the test lets it, and each is told: else all may be over before the page
has shown the first."""

RESTLESS = """\
while not panel.headline.startswith("Stopping"):
    pass
may_train.release()
while True:
    pass"""
"""Never rests, and lets the iteration begin at whose end the training stops."""

TRAINING_SECONDS = 240
"""How long loading PyTorch or Matplotlib, or an iteration, may take on a busy machine."""


class TrainingOnPage:
    """The panel in the output of one cell."""

    def __init__(self, lab: Lab, cell: int = 0) -> None:
        self.lab = lab
        self.root = lab.output(cell).locator(".mctslab-training")
        self.headline = self.root.locator(".headline")
        self.bar = self.root.get_by_role("progressbar")
        self.charts = self.root.get_by_role("group", name="Curves")
        self.move = self.root.locator(".replay-move")
        self.stones = self.root.locator(".board [data-player]")
        expect(self.headline).not_to_be_empty(timeout=1000 * TRAINING_SECONDS)

    def press(self, label: str) -> None:
        self.root.get_by_role("button", name=label, exact=True).click()

    def train(self, num_iterations: int) -> None:
        """Let so many iterations begin, as soon as the training comes to them."""
        self.lab.evaluate(f"may_train.release({num_iterations})")

    def says(self, headline: str) -> None:
        expect(self.headline).to_have_text(headline, timeout=1000 * TRAINING_SECONDS)

    def draws(self, reached: str) -> None:
        """Wait for curves that go as far."""
        expect(self.charts.locator("svg")).to_have_attribute(
            "aria-label", re.compile(rf"\b{reached}\b"), timeout=1000 * TRAINING_SECONDS
        )


def test_a_net_is_trained_watched_stopped_and_resumed_also_after_a_restart(lab: Lab) -> None:
    shutil.rmtree(lab.server.root / "run", ignore_errors=True)
    lab.open_cells(PANEL, RESTLESS, own_kernel=True)
    lab.run_cell(0, seconds=TRAINING_SECONDS)
    panel = TrainingOnPage(lab)
    expect(panel.headline).to_have_text("Ready for 6 iterations")
    panel.train(1)
    panel.press("Start")
    panel.says("1 of 6 iterations")
    panel.draws("1 of 6 iterations")
    expect(panel.charts.locator("svg")).to_be_visible()
    expect(panel.root.locator(".figure").first).to_contain_text("Loss of the value")
    panel.root.get_by_role("button", name="Stop").focus()
    lab.page.keyboard.press("Enter")
    panel.says("Stopping at the end of this iteration …")
    panel.train(1)
    panel.says("Stopped after 2 of 6 iterations")
    resume = panel.root.get_by_role("button", name="Resume")
    expect(resume).to_be_visible()
    assert lab.evaluate("[line['number'] for line in panel.log]") == [1, 2]

    panel.train(1)
    lab.start_cell(1)  # it goes on beside a cell that never rests
    resume.click()
    panel.says("3 of 6 iterations")
    panel.press("Stop")
    panel.says("Stopped after 4 of 6 iterations")
    lab.interrupt_kernel()

    lab.restart_kernel()
    expect(panel.root.get_by_role("alert").first).to_contain_text("run this cell again")
    lab.wait_for_kernel()
    lab.run_cell(0, seconds=TRAINING_SECONDS)
    panel = TrainingOnPage(lab)
    panel.says("Stopped after 4 of 6 iterations")
    expect(panel.root.locator(".note")).to_contain_text("holds a run of 4 of 6")
    panel.train(2)
    panel.press("Resume")
    panel.says("All 6 iterations are done")
    expect(panel.root.locator(".actions button:visible")).to_have_count(0)
    expect(panel.root.locator(".figure").last).to_contain_text("Score against random")
    expect(panel.bar).to_have_attribute("aria-valuenow", "100")
    panel.draws("6 of 6 iterations")
    assert lab.cell_errors() == [error for error in lab.cell_errors() if "Interrupt" in error]
    step_through_the_newest_game(lab, panel)
    fit_the_page_and_be_read(lab, panel)


def step_through_the_newest_game(lab: Lab, trained: TrainingOnPage) -> None:
    num_plies = lab.evaluate("panel.replay['num_plies']")
    expect(trained.stones).to_have_count(num_plies)
    expect(trained.root.locator(".replay-end")).to_have_text(re.compile("wins|Draw"))
    keyboard = lab.page.keyboard
    trained.press("Back")
    expect(trained.stones).to_have_count(num_plies - 1)
    keyboard.press("ArrowLeft")
    expect(trained.stones).to_have_count(num_plies - 2)
    keyboard.press("Home")
    expect(trained.stones).to_have_count(0)
    expect(trained.move).to_have_text("The position at which the game began")
    keyboard.press("ArrowRight")
    expect(trained.move).to_have_text(re.compile(r"^1\. Black played [A-F][1-6]$"))
    keyboard.press("End")
    expect(trained.stones).to_have_count(num_plies)
    assert lab.page.locator(".jp-Cell").count() == 2, "no key went to the notebook"


def fit_the_page_and_be_read(lab: Lab, trained: TrainingOnPage) -> None:
    for width in (700, 1000, 1300):
        lab.resize(width, 900)
        assert fits(trained.root), width
        for part in (".head", ".figures", ".shares", ".steps", ".stage"):
            assert fits(trained.root.locator(part)), (width, part)
        chart = trained.charts.locator("svg").bounding_box()
        assert chart is not None
        assert chart["width"] >= 760, "its text would be too small"
    text = trained.charts.locator("svg text").first
    ink = {}
    for theme in ("light", "dark"):
        lab.use_theme(theme)
        ink[theme] = text.evaluate("e => getComputedStyle(e).fill")
        for part in (".about", ".headline", ".label", ".sub", ".value", "figcaption"):
            assert contrast_of(trained.root, part) >= 4.5, (theme, part)
    assert ink == {"light": "rgba(0, 0, 0, 0.87)", "dark": "rgba(255, 255, 255, 0.87)"}
