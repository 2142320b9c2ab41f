"""The training panel on a page: started, watched, stopped, resumed, and its game replayed."""

import re
from functools import partial

import pytest
from playwright.sync_api import expect

from mctslab.widgets import TrainingPanel
from tests.browser.panel import box_of, fits, shows
from tests.widgets.test_training_panel import YARDSTICK, config, held_back

TRAINING_SECONDS = 240
"""How long loading PyTorch or Matplotlib, or an iteration, may take on a busy machine."""


@pytest.fixture
def may_train(monkeypatch):
    with held_back(monkeypatch) as gate:
        yield gate


def test_a_net_is_trained_watched_stopped_and_resumed(bridge, may_train, tmp_path):
    position = config().first_state().child(14)
    panel = TrainingPanel(config(), tmp_path, benchmark=YARDSTICK, position=position)
    root, keyboard = bridge.show(panel), bridge.page.keyboard
    comes_to = partial(shows, root, seconds=TRAINING_SECONDS)
    charts, game = root.locator(".charts svg"), root.locator(".game")

    def button(label):
        return root.get_by_role("button", name=label, exact=True)

    what = "size 6, in a row 4, 4 filters in 1 block, 6 simulations a move, 4 iterations, seed 1"
    comes_to({".headline": "Ready for 4 iterations"})
    shows(root, {".title": "A net learns Gomoku", ".title + p": f"{what}, kept in "})
    shows(root, {".note": "appear after the first iteration.", ".actions button:visible": 1})
    may_train.release()
    button("Start").click()
    comes_to({".headline": "1 of 4 iterations"})
    comes_to({".charts svg[aria-label*='1 of 4 iterations']": 6})
    shows(root, {".seen .headline": "Iteration 1", ".seen rect[data-heat] + text": "%"})
    shows(root, {".left": re.compile(r"^about \d+:\d\d left$")})
    game.get_by_role("button", name="Back").click()
    button("Stop").focus()
    keyboard.press("Enter")
    comes_to({".headline": "Stopping at the end of this iteration …"})
    may_train.release()
    comes_to({".headline": "Stopped after 2 of 4 iterations"})
    # What the reader looks at stays.
    there_is = "newest game of iteration 1.*There is a newer game, of iteration 2."
    shows(root, {".game": re.compile(there_is)})
    game.get_by_role("button", name="Show it").click()
    shows(root, {".game": "The newest game of iteration 2: the net plays both sides"})
    expect(game.get_by_role("button", name="Show it")).to_be_hidden()
    may_train.release(2)
    button("Resume").click()
    comes_to({".headline": "All 4 iterations are done"})
    shows(root, {".actions button:visible": 0, "[role=progressbar][aria-valuenow='100']": 1})
    shows(root, {".card >> nth=-1": "Score against random"})
    comes_to({".charts svg[aria-label*='4 of 4 iterations']": 6})
    for width in (560, 1300):
        bridge.resize(width, 900)
        for name in ("mctslab-training", "timeline", "tiles", "game", "game .stack"):
            assert fits(bridge.page.locator(f".{name}").first), (width, name)
        for chart in charts.all():
            assert fits(chart.locator("..")), width
            assert box_of(chart)["width"] >= 240, "its text would be too small"

    # The newest game, by buttons and keys.
    slider, num_plies = game.get_by_label("Ply"), panel.replay["num_plies"]
    shows(game, {".board .stone": num_plies})
    game.get_by_role("button", name="Back").click()
    shows(game, {".board .stone": num_plies - 1})
    keyboard.press("Home")
    shows(game, {".board .stone": 0})
    game.get_by_role("button", name="Play").click()
    for ply in "01":
        expect(slider).not_to_have_value(ply)
    slider.press("End")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(f"^{num_plies}\\. "))
    expect(game.locator(".end")).to_have_text(re.compile("wins|Draw"))

    for is_shown, pressed in ((False, "false"), (True, "true")):
        panel.bands = {"num_runs": 3, "is_shown": is_shown}
        shows(root, {f".bands[aria-pressed={pressed}]": "Bands of 3 earlier runs"})
