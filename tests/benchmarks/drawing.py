"""How fast is a search in a browser's tab?

    python -m tests.benchmarks.drawing --seconds 1

For each game, simulations a second in the page to play on, beside those of the same search on this
computer, in turns. A second is one of processor time, so that other programs make no difference.
The time of the first reply is the clock's: a fresh page is opened, and a move of Reversi is played
against the usual level.
"""

import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np
import psutil
from playwright.sync_api import Page, sync_playwright

from docs.site.play import build
from mctslab import fast, games
from tests.benchmarks.shared import in_turns, parser_of
from tests.browser.lab import started_browser
from tests.browser.site import served

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
    parser.add_argument("--seconds", type=float, default=2.0, help="of a search")
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        build.build(Path(folder))
        browser = started_browser(playwright)
        assert browser is not None
        with served(Path(folder)) as server:
            address = f"{server}/play/index.html"
            print(f"first reply: {first_reply(browser.new_page(), address):.2f} s", flush=True)
            opened = browser.new_page()
            opened.goto(address)
            for game in build.GAMES:
                compare(opened, game, words.seconds)
        browser.close()


if __name__ == "__main__":
    main()
