"""How long a click waits on a game panel in JupyterLab while its tree is searched and drawn.

    python -m tests.benchmarks.panel_answers --moves 4

A game of Reversi against Level 3, with the Tree tab open. Meanwhile the page asks the kernel again
and again for nothing, and when it is the human's turn it clicks on squares that are not legal and
waits for the panel's sentence. Printed are the longest and the usual times until the answers, apart
for the searches, the drawings and the time in between.
"""

import argparse
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import expect, sync_playwright

from mctslab.games import Reversi
from mctslab.widgets.menus import levels
from tests.browser.lab import BROWSER_FLAGS, Lab, find_browser, start_lab_server
from tests.browser.panel import PanelOnPage

WATCH = """async () => {
    const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
    const root = document.querySelector('.mctslab-panel');
    const wait = (ms) => new Promise(resolve => setTimeout(resolve, ms));
    const now = () => root.classList.contains('is-thinking') ? 'searching'
        : root.querySelector('.section.tree').innerText.startsWith('Drawing') ? 'drawing' : 'idle';
    const found = window.found = { kernel: [], click: [] };
    const note = (kind, when, began) => found[kind].push([when, performance.now() - began]);
    async function askKernel() {
        const [when, began] = [now(), performance.now()];
        await kernel.requestExecute({code: '', silent: true}).done;
        note('kernel', when, began);
    }
    async function click() {
        if (!root.querySelector('.headline').innerText.startsWith('Your turn')) return;
        const message = root.querySelector('.message');
        const squares = [...root.querySelectorAll('rect[role=gridcell]:not(.open)')]
            .filter(each => !message.innerText.includes(each.ariaLabel.split(',')[0]));
        const [when, began, before] = [now(), performance.now(), message.innerText];
        squares[0].dispatchEvent(new MouseEvent('click', {bubbles: true}));
        while (message.innerText === before) {
            if (performance.now() - began > 30000) break;
            await wait(1);
        }
        note('click', when, began);
    }
    async function keep(act, pause) {
        for (; window.found === found; await wait(pause)) await act();
    }
    void keep(askKernel, 5);
    void keep(click, 40);
}"""


def main() -> None:
    """Play, and print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=4, help="of the human")
    num_moves = parser.parse_args().moves
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_browser(), args=list(BROWSER_FLAGS)
        )
        server, process = start_lab_server(Path(folder))
        try:
            report(played(Lab(server, browser.new_page()), num_moves))
        finally:
            server.end_kernels()
            process.terminate()
            process.wait(20)
            browser.close()


def played(lab: Lab, num_moves: int) -> dict[str, list[tuple[str, float]]]:
    """For requests to the kernel and for clicks: what went on, and the milliseconds they took."""
    level = levels(Reversi())[2]
    print(f"{level.label}, {num_moves} moves", flush=True)
    lab.open_cells(
        f"from mctslab.widgets import GamePanel\nGamePanel('reversi', white={level.player!r})"
    )
    lab.run_all()
    panel = PanelOnPage(lab)
    panel.press("Tree")
    lab.run_script(WATCH)
    for turn in range(num_moves):
        panel.root.locator("rect.open").first.click()
        panel.expect_reply(2 * turn + 2, seconds=120)
        expect(panel.root.locator(".tree svg g.node").first).to_be_visible(timeout=120_000)
        lab.page.wait_for_timeout(1_000)
    found: dict[str, list[tuple[str, float]]] = lab.page.evaluate(
        "() => { const {found} = window; window.found = null; return found; }"
    )
    return found


def report(found: dict[str, list[tuple[str, float]]]) -> None:
    """Print a line for each kind of answer and each activity."""
    for kind, answers in found.items():
        for activity in ("idle", "searching", "drawing"):
            times = [milliseconds for when, milliseconds in answers if when == activity]
            if times:
                print(
                    f"{kind:8}while {activity:10}{len(times):6} answers, "
                    f"median {median(times):6.0f} ms, longest {max(times):6.0f} ms"
                )


if __name__ == "__main__":
    main()
