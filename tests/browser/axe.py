"""What axe finds on a page against WCAG 2.2 AA."""

import json

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

WCAG = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")


def faults(page: Page, part: str | None = None, *, only_colors: bool = False) -> list[str]:
    """The rules that are broken, each with the element that breaks it.

    Args:
        page: what is shown.
        part: a selector of what axe looks at; all of the page if it is None.
        only_colors: whether it looks only at what another theme changes.
    """
    kind, values = ("rule", ["color-contrast"]) if only_colors else ("tag", WCAG)
    options = {"runOnly": {"type": kind, "values": values}, "resultTypes": ["violations"]}
    return [
        f"{each['id']}: {node['html'][:160]} {json.dumps(node['any'][:1])[:300]}"
        for each in Axe().run(page, part, options).response["violations"]
        for node in each["nodes"][:3]
    ]
