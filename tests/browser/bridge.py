"""A page with widgets but without JupyterLab: the kernel is this process.

The page asks it for news. What only JupyterLab can show (interrupts, reloads, restarts, themes) is
tested there.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ipywidgets
from playwright.sync_api import Locator, Page, expect

PAGE = '<body data-jp-theme-light="true"><div class="jp-Notebook">{cells}</div></body>'
CELL = "<div class=jp-Cell><div class=output></div></div>"
SHOW = """async ([id, at]) => {
    const view = document.createElement('div');
    document.querySelectorAll('.output')[at].replaceChildren(view);
    await show(id, view);
}"""
THEMES = Path(sys.prefix, "share/jupyter/lab/themes/@jupyterlab")
SCRIPT = Path(__file__).with_name("bridge.js").read_text(encoding="utf-8")


def own(widget: Any) -> dict[str, Any]:
    """The traits that the page gets of a widget."""
    return {
        name: value
        for name, value in widget.get_state().items()
        if not name.startswith("_") and name not in ("layout", "tabbable", "tooltip")
    }


class Bridge:
    """One page, and the widgets of this process on it, for one test after another."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.script_errors: list[str] = []
        self._widgets: dict[str, Any] = {}
        self._changed: dict[str, dict[str, Any]] = {}
        self._messages: dict[str, list[Any]] = {}
        page.on("pageerror", lambda error: self.script_errors.append(str(error)))
        page.expose_function("toPython", lambda *message: self._take(*message))
        page.expose_function("describe", self._describe)
        page.expose_function("news", self._news)
        # A page of this machine is trusted, so it may use the clipboard.
        page.route(
            "http://localhost/",
            lambda route: route.fulfill(body=self._body, content_type="text/html"),
        )

    def open(self, num_cells: int) -> None:
        """Open a page with empty cells."""
        self._body = PAGE.format(cells=CELL * num_cells)
        self.page.goto("http://localhost/")
        self.page.add_script_tag(content=SCRIPT)
        self.use_theme("light")

    def put(self, widget: ipywidgets.Widget, cell: int = 0) -> Locator:
        """Show a widget in a cell; returns what is on the page."""
        self.page.evaluate(SHOW, [widget.model_id, cell])
        shown = self.output(cell).locator("[class^=mctslab]").first
        expect(shown).to_be_visible()
        return shown

    def show(self, *widgets: ipywidgets.Widget) -> Locator:
        """Open a page with a cell for each of these widgets; returns the last one."""
        self.open(len(widgets))
        return [self.put(widget, cell) for cell, widget in enumerate(widgets)][-1]

    def output(self, cell: int) -> Locator:
        """What stands below a cell."""
        return self.page.locator(".output").nth(cell)

    def wait_until(self, condition: Callable[[], bool], seconds: float = 30) -> None:
        """Wait until a condition is met, while the page goes on."""
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline
            self.page.wait_for_timeout(20)

    def resize(self, width: int, height: int) -> None:
        """Change the size of the window."""
        self.page.set_viewport_size({"width": width, "height": height})

    def use_theme(self, name: str) -> None:
        """Give the page the colours of JupyterLab's theme `light` or `dark`."""
        colors = (THEMES / f"theme-{name}-extension" / "index.css").read_text(encoding="utf-8")
        script = """([colors, isLight]) => {
            const look = document.querySelector("style.theme")
                ?? document.head.appendChild(document.createElement("style"));
            look.className = "theme";
            look.textContent = `${colors} body { background: var(--jp-layout-color0); }`;
            document.body.dataset.jpThemeLight = isLight;
        }"""
        self.page.evaluate(script, [colors, name == "light"])

    def close(self) -> None:
        """Close all widgets, and leave the page as it was before the first of them."""
        self.page.evaluate("localStorage.clear()")
        self.page.goto("about:blank")
        ipywidgets.Widget.close_all()
        for known in (self._widgets, self._changed, self._messages):
            known.clear()
        self.page.mouse.move(0, 0)
        self.page.set_viewport_size({"width": 1280, "height": 1000})
        self.page.emulate_media(media="screen", reduced_motion="reduce", forced_colors="none")

    # The page

    def _take(self, model_id: str, kind: str, content: Any) -> None:
        widget = self._widgets[model_id]
        if kind == "set":
            widget.set_state(content)
        else:
            widget._handle_custom_msg(content, [])

    def _describe(self, model_id: str) -> dict[str, Any]:
        widget: Any = ipywidgets.widgets.widget._instances[model_id]

        def note(message: dict[str, Any], buffers: object = None) -> None:
            """Keep what the widget sends until the page asks for it."""
            if message["method"] == "custom":
                self._messages[model_id].append(message["content"])
            elif message["method"] == "update":
                self._changed[model_id].update(message["state"])

        self._widgets[model_id], widget._send = widget, note
        self._changed[model_id], self._messages[model_id] = {}, []
        return {"code": str(widget._esm), "css": str(widget._css), "state": own(widget)}

    def _news(self) -> list[Any]:
        found = []
        for model_id in self._widgets:
            changed, self._changed[model_id] = self._changed[model_id], {}
            messages, self._messages[model_id] = self._messages[model_id], []
            if changed or messages:
                found.append([model_id, changed, messages])
        return found
