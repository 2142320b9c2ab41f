"""The training panel on a page: started, watched, stopped, resumed, and its game replayed."""

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from mctslab.widgets import training_panel
from tests.browser.bridge import Bridge
from tests.browser.panel import box_of, fits
from tests.widgets.test_training_panel import held_back

PANEL = """\
from mctslab.widgets import TrainingPanel
from tests.widgets.test_training_panel import YARDSTICK, config
state = config().first_state()
panel = TrainingPanel(config(), {folder!r}, benchmark=YARDSTICK, position=state.child(14))
panel"""

TRAINING_SECONDS = 240
"""How long loading PyTorch or Matplotlib, or an iteration, may take on a busy machine."""


@pytest.fixture
def may_train(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Semaphore]:
    monkeypatch.setattr(training_panel, "SHORTEST_WAIT", 0.0)
    monkeypatch.setattr(training_panel, "LONGEST_SHARE", 1e9)
    with held_back(monkeypatch) as gate:
        yield gate


def test_a_net_is_trained_watched_stopped_and_resumed(
    bridge: Bridge, may_train: threading.Semaphore, tmp_path: Path
) -> None:
    root, keyboard = bridge.show(PANEL.format(folder=str(tmp_path))), bridge.page.keyboard
    charts = root.get_by_role("group", name="Curves", exact=True).locator("svg")
    game, left, bands = (root.locator(f".{name}") for name in ("game", "left", "bands"))

    def button(label: str) -> Locator:
        return root.get_by_role("button", name=label, exact=True)

    def says(headline: str) -> None:
        told = root.locator(".headline").first
        expect(told).to_have_text(headline, timeout=1000 * TRAINING_SECONDS)

    def draws(reached: str) -> None:
        label = re.compile(rf"\b{reached}\b")
        expect(charts.first).to_have_attribute("aria-label", label, timeout=1000 * TRAINING_SECONDS)

    says("Ready for 4 iterations")
    may_train.release()
    button("Start").click()
    says("1 of 4 iterations")
    draws("1 of 4 iterations")
    expect(root.locator(".seen .headline")).to_have_text("Iteration 1")
    expect(root.locator(".seen rect[data-heat]").first).to_be_visible()
    expect(left).to_have_text(re.compile(r"^about \d+:\d\d left$"))
    game.get_by_role("button", name="Back").click()
    button("Stop").focus()
    keyboard.press("Enter")
    says("Stopping at the end of this iteration …")
    may_train.release()
    says("Stopped after 2 of 4 iterations")
    expect(game).to_contain_text("There is a newer game, of iteration 2.")
    expect(game).to_contain_text("newest game of iteration 1")  # what the reader looks at stays
    game.get_by_role("button", name="Show it").click()
    expect(game).to_contain_text("The newest game of iteration 2: the net plays both sides")
    expect(game.get_by_role("button", name="Show it")).to_be_hidden()
    may_train.release(2)
    button("Resume").click()
    says("All 4 iterations are done")
    expect(root.locator(".actions button:visible")).to_have_count(0)
    expect(root.locator(".card").last).to_contain_text("Score against random")
    expect(root.get_by_role("progressbar")).to_have_attribute("aria-valuenow", "100")
    draws("4 of 4 iterations")
    for width in (560, 1300):
        bridge.resize(width, 900)
        for name in ("mctslab-training", "timeline", "tiles", "game", "game .stack"):
            assert fits(bridge.page.locator(f".{name}").first), (width, name)
        for chart in charts.all():
            assert fits(chart.locator("..")), width
            assert box_of(chart)["width"] >= 240, "its text would be too small"

    # The newest game, by buttons and keys.
    stones, slider = game.locator(".board .stone"), game.get_by_label("Ply")
    num_plies = bridge.evaluate("panel.replay['num_plies']")
    expect(stones).to_have_count(num_plies)
    game.get_by_role("button", name="Back").click()
    expect(stones).to_have_count(num_plies - 1)
    game.get_by_role("gridcell").last.click()
    keyboard.press("Home")
    expect(stones).to_have_count(0)
    expect(game.get_by_role("gridcell").last).to_be_focused()  # the board has not got the key
    game.get_by_role("button", name="Play").click()
    for ply in "01":
        expect(slider).not_to_have_value(ply)
    slider.press("End")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(f"^{num_plies}\\. "))
    expect(game.locator(".end")).to_have_text(re.compile("wins|Draw"))

    # Times are read like a clock, and bands are a button.
    expect(bands).to_be_hidden()
    for seconds, text in ((0.6, "0:01"), (65, "1:05"), (3599, "59:59"), (7301, "2:01:41")):
        progress = {"share": 0.5, "is_running": True, "left": seconds}
        bridge.evaluate(f"panel.set_trait('progress', {progress})")
        expect(left).to_have_text(f"about {text} left")
    for is_shown, pressed in ((False, "false"), (True, "true")):
        bridge.evaluate(f"panel.set_trait('bands', {{'num_runs': 3, 'is_shown': {is_shown}}})")
        expect(bands).to_have_text("Bands of 3 earlier runs")
        expect(bands).to_have_attribute("aria-pressed", pressed)
