"""What axe finds on a page against WCAG 2.2 AA."""

import json
from importlib.resources import files

from playwright.sync_api import Page

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
WCAG = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")


def faults(page: Page, part: str = "document", *, only_colors: bool = False) -> list[str]:
    """The rules that are broken, each with the element that breaks it.

    Args:
        page: what is shown.
        part: what axe looks at, as a JavaScript expression.
        only_colors: whether it looks only at what another theme changes.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    kind, values = ("rule", ["color-contrast"]) if only_colors else ("tag", WCAG)
    options = {"runOnly": {"type": kind, "values": values}, "resultTypes": ["violations"]}
    found = page.evaluate(f"options => axe.run({part}, options)", options)
    return [
        f"{each['id']}: {node['html'][:160]} {json.dumps(node['any'][:1])[:300]}"
        for each in found["violations"]
        for node in each["nodes"][:3]
    ]
