"""What is drawn while a search thinks, and how fast a search is in a browser's tab.

    python -m tests.benchmarks.drawing panel --turns 5
    python -m tests.benchmarks.drawing page --seconds 1

`panel`: a game panel in JupyterLab, whose page gets a quarter of the processor (CPU throttled 4x in
Chromium). A frame is a change of the numbers below the headline, or of those on the board, as the
page has drawn it. The processor time that the frames take is measured in the thread that searches,
and in the kernel's other threads, which send them.

`page`: for each game, simulations a second in the page to play on, beside those of the same search
on this computer, in turns. A second is one of processor time, so that other programs make no
difference. The time of the first reply is the clock's: a fresh page is opened, and a move of
Reversi is played against the usual level.
"""

import argparse
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np
import psutil
from playwright.sync_api import Browser, Page, sync_playwright

from docs.site.play import build
from mctslab import fast, games
from tests.benchmarks.shared import in_turns, parser_of
from tests.browser.lab import Lab, lab_server, started_browser
from tests.browser.panel import PanelOnPage
from tests.browser.site import served

# The panel

SECONDS = 4.0
THROTTLING = 4.0

CELL = """
import threading, time
import numpy as np
import psutil
from mctslab.widgets import GamePanel

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
    if proposal.progress > 0.9 and not end:
        end[:] = [time.process_time(), seconds_of_others(), sum(frames)]

def costs():
    spent, sending = end[0] - start[0], end[1] - start[1]
    result = [len(frames), end[2] / spent, sending / spent, 1000 * np.median(frames)]
    frames.clear(), end.clear()
    return result

frames, start, end = [], [], []
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


def panel(browser: Browser, words: argparse.Namespace) -> None:
    for game in ("reversi", "gomoku"):
        with (
            tempfile.TemporaryDirectory() as folder,
            lab_server(Path(folder)) as server,
            browser.new_context(reduced_motion="reduce") as context,
        ):
            measure_panel(Lab(server, context.new_page()), game, words.turns)


def measure_panel(lab: Lab, game: str, turns: int) -> None:
    """Print the medians for a game."""
    lab.open_cells(CELL.format(game=game, seconds=SECONDS))
    lab.run_all()
    on_page = PanelOnPage(lab)
    throttle = lab.page.context.new_cdp_session(lab.page)
    throttle.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLING})
    lab.page.evaluate(COUNT)
    rows = []
    for _ in range(turns):
        before = lab.page.evaluate(SEEN)
        on_page.root.locator("rect.open").first.click()
        on_page.expect_reply()
        text, heat = np.subtract(lab.page.evaluate(SEEN), before)
        sent, showing, sending, ms = lab.evaluate("costs()")
        rows.append([sent, text, heat, showing, sending, ms])
        on_page.press("New")
    sent, text, heat, showing, sending, ms = np.median(rows, axis=0)
    print(
        f"{game}: {sent / SECONDS:.1f} frames a second were sent, {text / SECONDS:.1f} drawn as "
        f"text, {heat / SECONDS:.1f} on the board; {showing:.1%} of the processor time for showing "
        f"({ms:.1f} ms each) and {sending:.1%} for sending",
        flush=True,
    )


# The page to play on

TURNS = 3

RUN = """async ([game, seconds]) => {
  const { load, randomState } = await import(new URL("engine.js", location.href));
  const engines = (globalThis.engines ??= {}); // kept, as on the page, with their tables
  if (!engines[game]) {
    const about = (await (await fetch("games.json")).json())[game];
    engines[game] = await load(about, await (await fetch(`${game}.wasm`)).arrayBuffer());
  }
  const engine = engines[game];
  engine.setUp([]);
  engine.begin(randomState(), false);
  let done = 0;
  const began = performance.now();
  while (performance.now() - began < 1000 * seconds) done += engine.run(1000);
  return done;
}"""


def page(browser: Browser, words: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        build.build(Path(folder))
        with served(Path(folder)) as server:
            address = f"{server}/play/index.html"
            print(f"first reply: {first_reply(browser.new_page(), address):.2f} s", flush=True)
            opened = browser.new_page()
            opened.goto(address)
            for game in build.GAMES:
                compare(opened, game, words.seconds)


def compare(page: Page, game: str, seconds: float) -> None:
    """Print the simulations a second of both, the medians of some turns."""

    def in_tab(_: int) -> float:
        began = browser_seconds()
        done: int = page.evaluate(RUN, [game, seconds])
        return done / (browser_seconds() - began)

    def here(turn: int) -> float:
        began = time.process_time()
        result = fast.mcts(games.make(game), seconds=seconds, rng=np.random.default_rng(turn))
        return result.num_simulations / (time.process_time() - began)

    tab, native = map(median, in_turns({"tab": in_tab, "here": here}, TURNS).values())
    print(f"{game:14}{tab:12,.0f} in the tab{native:12,.0f} here{tab / native:8.0%}", flush=True)


def browser_seconds() -> float:
    """The processor time of the browser so far, all its processes together."""
    times = [each.cpu_times() for each in psutil.Process().children(recursive=True)]
    return sum(each.user + each.system for each in times)


def first_reply(page: Page, address: str) -> float:
    """Seconds from opening the page to the answer to the first move."""
    began = time.perf_counter()
    page.goto(f"{address}#reversi")
    page.locator(".cells rect.open").first.click()
    page.locator(".moves .notation").nth(1).wait_for()
    return time.perf_counter() - began


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("what", choices=("panel", "page"))
    parser.add_argument("--turns", type=int, default=5, help="of the panel (default: 5)")
    parser.add_argument("--seconds", type=float, default=2.0, help="of a search on the page")
    words = parser.parse_args()
    with sync_playwright() as playwright:
        browser = started_browser(playwright)
        assert browser is not None
        {"panel": panel, "page": page}[words.what](browser, words)
        browser.close()


if __name__ == "__main__":
    main()
