"""The board while a search thinks: frames a second on a slow page, and what showing them costs.

    python -m tests.benchmarks.panel_speed --turns 5

A panel is opened in JupyterLab, whose page gets a quarter of the processor (CPU throttled 4x in
Chromium). A frame is a change of the numbers below the headline, or of those on the board, as the
page has drawn it. The same player searches the same position with the panel open and without it, in
turns; speeds are simulations in a second of the kernel's processor time. On a busy computer those
differ by more than what is looked for, so the processor time of the frames is measured as well: in
the thread that searches, and in the kernel's other threads, which send them.
"""

import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from tests.benchmarks.shared import parser_of
from tests.browser.lab import Lab, lab_server, started_browser
from tests.browser.panel import PanelOnPage

SECONDS = 4.0
THROTTLING = 4.0

CELL = """
import threading, time
import numpy as np
import psutil
from mctslab import players
from mctslab.widgets import GamePanel

def alone():
    player = players.make("uct:{seconds}s", rng=np.random.default_rng(1))
    player.prepare(panel.state)
    began = time.process_time()
    *_, last = player.think(panel.state)
    found.append(last.num_simulations / (time.process_time() - began))

def speed_alone():
    thread = threading.Thread(target=alone)
    thread.start()
    thread.join()
    return found[-1]

def seconds_of_others():
    own = threading.get_native_id()
    threads = [each for each in psutil.Process().threads() if each.id != own]
    return sum(each.user_time + each.system_time for each in threads)

def show(state, proposal):
    if not frames:
        start[:] = [time.process_time(), seconds_of_others()]
    began = time.thread_time()
    shown(state, proposal)
    frames.append(time.thread_time() - began)
    if proposal.progress > 0.9 and len(end) == 0:
        end[:] = [time.process_time(), seconds_of_others(), proposal.num_simulations, sum(frames)]

def costs():
    spent, sending = end[0] - start[0], end[1] - start[1]
    number, speed = len(frames), end[2] / spent
    result = [number, speed, end[3] / spent, sending / spent, 1000 * np.median(frames)]
    frames.clear(), end.clear()
    return result

found, frames, start, end = [], [], [], []
panel = GamePanel({game!r}, black="human", white="uct:{seconds}s")
shown, panel._show_proposal = panel._show_proposal, show
panel"""

COUNT = """() => {
  const count = (element) => {
    const frames = { number: 0 };
    const options = { subtree: true, childList: true, attributes: true, characterData: true };
    new MutationObserver(() => { frames.number += 1; }).observe(element, options);
    return frames;
  };
  const seen = (selector) => count(document.querySelector(selector));
  window.framesSeen = { text: seen(".found"), heat: seen(".mctslab-board .picture") };
}"""
SEEN = "[framesSeen.text.number, framesSeen.heat.number]"


def main() -> None:
    """Print the frames and the speeds of two games."""
    parser = parser_of(__doc__)
    parser.add_argument("--turns", type=int, default=5)
    turns = parser.parse_args().turns
    with sync_playwright() as playwright:
        browser = started_browser(playwright)
        assert browser is not None
        for game in ("reversi", "gomoku"):
            with (
                tempfile.TemporaryDirectory() as folder,
                lab_server(Path(folder)) as server,
                browser.new_context(reduced_motion="reduce") as context,
            ):
                measure(Lab(server, context.new_page()), game, turns)
        browser.close()


def measure(lab: Lab, game: str, turns: int) -> None:
    """Print the medians for a game."""
    lab.open_cells(CELL.format(game=game, seconds=SECONDS))
    lab.run_all()
    panel = PanelOnPage(lab)
    throttle = lab.page.context.new_cdp_session(lab.page)
    throttle.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLING})
    lab.page.evaluate(COUNT)
    lab.evaluate("speed_alone()")  # compiles
    rows = []
    for _ in range(turns):
        alone = lab.evaluate("speed_alone()")
        before = lab.page.evaluate(SEEN)
        panel.root.locator("rect.open").first.click()
        panel.expect_reply()
        text, heat = np.subtract(lab.page.evaluate(SEEN), before)
        sent, speed, showing, sending, ms = lab.evaluate("costs()")
        rows.append([sent, text, heat, speed / alone, showing, sending, ms])
        panel.press("New")
    throttle.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    sent, text, heat, ratio, showing, sending, ms = np.median(rows, axis=0)
    print(
        f"{game}: {sent / SECONDS:.1f} frames a second were sent, {text / SECONDS:.1f} drawn as "
        f"text, {heat / SECONDS:.1f} on the board; speed {ratio:.1%} of that without the panel; "
        f"{showing:.1%} of the processor time for showing ({ms:.1f} ms each) and {sending:.1%} "
        "for sending",
        flush=True,
    )


if __name__ == "__main__":
    main()
