"""The training panel in JupyterLab: started, watched, stopped, resumed, also after a restart."""

import re
import shutil

from playwright.sync_api import expect

from tests.browser.lab import Lab
from tests.browser.modules import Module, module_of
from tests.browser.panel import OnPage, box_of, fits, illegible

PANEL = """\
import threading
from mctslab.net.training_config import SelfPlayConfig
from mctslab.net import training
from mctslab.net.training_config import TrainingConfig
from mctslab.net.evaluation import Benchmark
from mctslab.widgets import TrainingPanel, background_run
background_run.SHORTEST_WAIT, background_run.LONGEST_SHARE = 0.0, 1e9
may_train, learn = threading.Semaphore(0), training.learn
training.learn = lambda run: may_train.acquire() and learn(run)
config = TrainingConfig(num_filters=8, num_blocks=1, num_games=16, num_iterations=6,
                        steps_per_iteration=8, batch_size=32,
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


class TrainingOnPage(OnPage):
    """The panel in the output of the first cell."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab, "training")
        self.chart = self.root.get_by_role("group", name="Curves").locator("svg")
        self.stones = self.root.locator(".board [data-player]")

    def train(self, num_iterations: int) -> None:
        """Let so many iterations begin, as soon as the training comes to them."""
        self.lab.evaluate(f"may_train.release({num_iterations})")

    def says(self, headline: str) -> None:
        expect(self.headline).to_have_text(headline, timeout=1000 * TRAINING_SECONDS)

    def draws(self, reached: str) -> None:
        """Wait for curves that go as far."""
        expect(self.chart).to_have_attribute(
            "aria-label", re.compile(rf"\b{reached}\b"), timeout=1000 * TRAINING_SECONDS
        )


logic = module_of("common.js", "words.js", "run_panel.js", "training_panel.js")


def test_a_net_is_trained_watched_stopped_and_resumed_also_after_a_restart(lab: Lab) -> None:
    shutil.rmtree(lab.server.root / "run", ignore_errors=True)
    lab.open_cells(PANEL, RESTLESS, own_kernel=True)
    lab.run_cell(0, seconds=TRAINING_SECONDS)
    panel = TrainingOnPage(lab)
    panel.train(1)
    panel.press("Start")
    panel.says("1 of 6 iterations")
    lab.evaluate("setattr(panel, 'cluster', 'Working on the cluster local:2')")
    expect(panel.root.get_by_role("status", name="Cluster")).to_be_visible()
    panel.draws("1 of 6 iterations")
    expect(panel.root.locator(".figure").first).to_contain_text("Loss of the value")
    panel.button("Stop").focus()
    lab.page.keyboard.press("Enter")
    panel.says("Stopping at the end of this iteration …")
    panel.train(1)
    panel.says("Stopped after 2 of 6 iterations")

    panel.train(1)
    lab.start_cell(1)  # it goes on beside a cell that never rests
    panel.press("Resume")
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
    expect(panel.root.get_by_role("progressbar")).to_have_attribute("aria-valuenow", "100")
    panel.draws("6 of 6 iterations")

    num_plies = lab.evaluate("panel.replay['num_plies']")
    expect(panel.stones).to_have_count(num_plies)
    panel.press("Back")
    expect(panel.stones).to_have_count(num_plies - 1)
    lab.page.keyboard.press("ArrowLeft")
    expect(panel.stones).to_have_count(num_plies - 2)
    panel.root.get_by_role("gridcell").first.click()
    lab.page.keyboard.press("Home")
    expect(panel.stones).to_have_count(0)
    slider = panel.root.get_by_label("Ply")
    slider.focus()
    lab.page.keyboard.press("End")
    expect(panel.root.locator(".replay-end")).to_have_text(re.compile("wins|Draw"))
    assert lab.page.locator(".jp-Cell").count() == 2, "no key went to the notebook"

    for width in (700, 1000, 1300):
        lab.resize(width, 900)
        for part in (".head", ".figures", ".steps", ".stage"):
            assert fits(panel.root.locator(part)), (width, part)
        assert fits(panel.root), width
        assert box_of(panel.chart)["width"] >= 760, "its text would be too small"
    for theme, ink in (("light", "rgba(0, 0, 0, 0.87)"), ("dark", "rgba(255, 255, 255, 0.87)")):
        lab.use_theme(theme)
        expect(panel.chart.locator("text").first).to_have_css("fill", ink)
        assert illegible(panel.root) == [], theme


def test_times_are_read_like_a_clock(logic: Module) -> None:
    times = logic.run("() => [0, 0.6, 59.6, 65, 600, 3599, 3600, 7301].map(clockTime)")
    assert times == ["0:00", "0:01", "1:00", "1:05", "10:00", "59:59", "1:00:00", "2:01:41"]
