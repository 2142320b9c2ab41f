"""The book in a browser: built once, served on this machine, and watched."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page, Request

PROJECT = Path(__file__).parents[2]
AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
WCAG = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
THEMES = ("light", "dark")
COLOURS = ("color-contrast", "link-in-text-block")
ORIENTATION = "css-orientation-lock"
"""It reads all styles again on each page; a test searches them for the word instead."""

STYLES_OF_TEXT = """() => {
    // A site has many thousands of pieces of text and some hundred styles; axe takes time for each.
    const grounds = new Map([[null, '']]);
    const groundOf = element => {
        if (!grounds.has(element)) {
            const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
            const own = [backgroundColor, backgroundImage, opacity].join(' ');
            const below = groundOf(element.parentElement);
            const isPlain = own === 'rgba(0, 0, 0, 0) none 1';
            grounds.set(element, isPlain ? below : `${below}/${own}`);
        }
        return grounds.get(element);
    };
    const found = new Map();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const element = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim() || !element.checkVisibility()) continue;
        const { color, fill, fontSize, fontWeight } = getComputedStyle(element);
        const { localName, parentElement } = element;
        const around = localName === 'a' ? getComputedStyle(parentElement).color : '';
        const name = [localName, element.getAttribute('class'), around];
        const key = [...name, color, fill, fontSize, fontWeight, groundOf(element)].join();
        if (!found.has(key)) found.set(key, element);
    }
    return found;
}"""
"""An element with text of each style: name, class, colours, size and grounds; of a link, also the
colour of the text around it."""

NEW_STYLES = f"""judged => {{
    window.newStyles = ({STYLES_OF_TEXT})();
    for (const style of judged) window.newStyles.delete(style);
    return [...window.newStyles.keys()];
}}"""

WITHOUT_COLOURED_WORDS = """() => {
    for (const listing of document.querySelectorAll('.highlight pre:not(:has(a))'))
        listing.textContent = listing.textContent;
}"""
"""Half of all elements are words of listings, of which only the colours matter."""

ALL_ARE_LIVE = """() => {
    const place = document.querySelector('[data-widget]:not(.is-live)');
    place?.scrollIntoView({ block: 'center' });
    return !place;
}"""


def built(folder: Path, notebooks: Sequence[str]) -> Path:
    """The book with some notebooks, which are run on small budgets.

    The environment variable MCTSLAB_SITE names a folder in which it was built already.
    """
    if given := os.environ.get("MCTSLAB_SITE"):
        return Path(given)
    out = folder / "site"
    build = [sys.executable, PROJECT / "docs/site/build.py", "--quick", "--out", out]
    command = [*build, "--only", *notebooks]
    done = subprocess.run(command, capture_output=True, text=True, cwd=PROJECT)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def axe(page: Page, options: dict[str, Any], context: str = "document") -> list[str]:
    """What axe finds in the part of the page that the expression `context` returns."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found = page.evaluate(
        f"options => axe.run({context}, options)", {**options, "resultTypes": ["violations"]}
    )
    return [
        f"{each['id']}: {node['html'][:160]} {json.dumps(node['any'][:1])[:300]}"
        for each in found["violations"]
        for node in each["nodes"][:3]
    ]


class Judge:
    """Asks axe about pages, and about the colours of one text of each style.

    A style that was judged on one page is not judged again on the next.
    """

    def __init__(self) -> None:
        self._judged: dict[str, list[str]] = {theme: [] for theme in THEMES}

    def violations(self, page: Page, part: str = "document") -> list[str]:
        """What axe finds against WCAG 2.2 AA, in the light and in the dark theme.

        Args:
            page: what is shown.
            part: an expression for the part of it that is looked at for all but colours.
        """
        found = []
        for theme, judged in self._judged.items():
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            page.wait_for_function(IS_MARKED, arg=theme)
            if new := page.evaluate(NEW_STYLES, judged):
                texts = "{ include: [...window.newStyles.values()] }"
                only = {"runOnly": {"type": "rule", "values": COLOURS}}
                found += [f"{theme}: {each}" for each in axe(page, only, texts)]
                judged += new
        page.evaluate(WITHOUT_COLOURED_WORDS)
        rules = {name: {"enabled": False} for name in (*COLOURS, ORIENTATION)}
        options = {"runOnly": {"type": "tag", "values": WCAG}, "rules": rules, "preload": False}
        return found + axe(page, options, part)


IS_MARKED = "theme => document.body.dataset.jpThemeLight === String(theme === 'light')"
"""Whether the page's scripts have noticed the theme, after which its widgets have their colours."""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing of each request."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address at which the files of `folder` are served."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()


class Book:
    """A page of the book, and everything that went wrong on it since it was opened."""

    def __init__(self, chromium: Browser, address: str, folder: Path) -> None:
        self.folder = folder
        self.address = address
        self._judge = Judge()
        self.page: Page = chromium.new_context(reduced_motion="reduce").new_page()
        self.complaints: list[str] = []
        self.loaded: dict[str, int] = {}
        """The bytes of the files of which the page consists, also of what was kept before."""
        self.page.on("console", self._note_console)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._note_request)
        self.page.on("requestfailed", self._note_failure)

    def _note_console(self, message: ConsoleMessage) -> None:
        # What a content security policy forbids is an error here.
        if message.type == "error":
            self.complaints.append(message.text)

    def _note_failure(self, request: Request) -> None:
        is_left = request.failure == "net::ERR_ABORTED"  # the page, before its icon had come
        if not (is_left and request.url.endswith("/icon.svg")):
            self.complaints.append(f"failed: {request.url}")

    def _note_request(self, request: Request) -> None:
        if not request.url.startswith((self.address, "data:", "blob:")):
            self.complaints.append(f"a request to {request.url}")
        name = request.url.removeprefix(f"{self.address}/").partition("?")[0]
        if (file := self.folder / name).is_file():
            self.loaded[name] = file.stat().st_size

    def pages(self) -> list[str]:
        """Every page of the book, except the one to play on, which has tests of its own."""
        found = (file.relative_to(self.folder) for file in self.folder.rglob("*.html"))
        return sorted(file.as_posix() for file in found if file.parts[0] != "play")

    def open(self, page: str) -> None:
        """Open a page, and bring all of its widgets to life."""
        self.complaints.clear()
        self.loaded.clear()
        self.page.emulate_media(color_scheme="light")
        self.page.goto(f"{self.address}/{page}", wait_until="load")
        self.page.wait_for_function(ALL_ARE_LIVE)

    def violations(self) -> list[str]:
        """What axe finds on the page against WCAG 2.2 AA, in the light and in the dark theme."""
        return self._judge.violations(self.page)
