"""The book in a browser: built once, served on this machine, and watched."""

import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Request

from tests.browser.axe import faults

PROJECT = Path(__file__).parents[2]
THEMES = ("light", "dark")

IS_MARKED = "theme => document.body.dataset.jpThemeLight === String(theme === 'light')"
"""Whether the page's scripts have noticed the theme, after which its widgets have their colours."""

BEYOND = "document.documentElement.scrollWidth - innerWidth"
"""How many pixels of the page are beyond the right edge of the window."""

ALL_ARE_LIVE = """() => {
    const place = document.querySelector('[data-widget]:not(.is-live)');
    place?.scrollIntoView({ block: 'center' });
    return !place;
}"""


def built(folder: Path, notebooks: Sequence[str]) -> Path:
    """The book with some notebooks, which are run on small budgets."""
    out = folder / "site"
    build = [sys.executable, str(PROJECT / "docs/site/build.py"), "--quick", "--out", str(out)]
    command = [*build, "--only", *notebooks]
    done = subprocess.run(command, capture_output=True, text=True, cwd=PROJECT)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def violations(page: Page) -> list[str]:
    """What axe finds against WCAG 2.2 AA in the light theme, and of its colours in the dark one."""
    found = []
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        page.wait_for_function(IS_MARKED, arg=theme)
        broken = faults(page, only_colors=theme == "dark")
        found += [f"{theme}: {fault}" for fault in broken]
    return found


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
        context = chromium.new_context(reduced_motion="reduce", base_url=address)
        self.page: Page = context.new_page()
        self.complaints: list[str] = []
        self.loaded: dict[str, int] = {}
        """The bytes of the files of which the page consists, also of what was kept before."""
        complain = self.complaints.append
        # What a content security policy forbids is an error here.
        self.page.on("console", lambda said: said.type == "error" and complain(said.text))
        self.page.on("pageerror", lambda error: complain(str(error)))
        self.page.on("request", self._note_request)
        # An aborted one is of a page that was left before it had come.
        left = "net::ERR_ABORTED"
        self.page.on("requestfailed", lambda lost: lost.failure == left or complain(lost.url))

    def _note_request(self, request: Request) -> None:
        if not request.url.startswith((self.address, "data:", "blob:")):
            self.complaints.append(f"a request to {request.url}")
        name = request.url.removeprefix(f"{self.address}/").partition("?")[0]
        if (file := self.folder / name).is_file():
            self.loaded[name] = file.stat().st_size

    def open(self, page: str) -> None:
        """Open a page, and bring all of its widgets to life."""
        self.complaints.clear()
        self.loaded.clear()
        self.page.emulate_media(color_scheme="light")
        self.page.goto(f"/{page}", wait_until="load")
        self.page.wait_for_function(ALL_ARE_LIVE)


@contextmanager
def opened(chromium: Browser, folder: Path) -> Iterator[Book]:
    """A page on which the book in `folder` is shown."""
    with served(folder) as address:
        book = Book(chromium, address, folder)
        yield book
        book.page.context.close()
