"""The widgets' scripts without a widget: their pure functions, called one by one in a browser."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from mctslab.widgets.front_end import joined


def _script(text: str) -> str:
    """The text of a module as a script, whose names stay visible to scripts that come later."""
    return re.sub(
        "^export default", "0,", re.sub("^export (?!default)", "", text, flags=re.M), flags=re.M
    )


class Module:
    """Some files of `mctslab/widgets/static`, loaded as one module into an empty page."""

    def __init__(self, page: Page, *names: str) -> None:
        self.page = page
        self.page.add_script_tag(content=_script(joined(*names)))

    def run(self, script: str, argument: object = None) -> Any:
        """What the function `script` returns for `argument`."""
        return self.page.evaluate(script, argument)


def module_of(*names: str) -> Any:
    """A fixture with the module of these files."""

    @pytest.fixture(scope="module")
    def module(chromium: Browser) -> Iterator[Module]:
        with chromium.new_page() as page:
            yield Module(page, *names)

    return module
