"""The widgets' scripts without a widget: their pure functions, called one by one in a browser."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from mctslab.widgets.front_end import joined


class Module:
    """Some files of `mctslab/widgets/static`, loaded as one module into an empty page."""

    def __init__(self, page: Page, *names: str) -> None:
        self.page = page
        # What the files define stays visible to scripts that are evaluated later.
        self.page.add_script_tag(content=joined(*names).replace("export default", "0,"))

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
