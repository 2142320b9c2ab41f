"""The widgets' scripts without a widget: their pure functions, called one by one in a browser."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from mctslab.widgets.front_end import bundled

EXPORTED = """async code => {
    const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    Object.assign(globalThis, await import(address));
}"""


def exports_of(*names: str) -> Any:
    """A fixture: an empty page with all that these modules of `mctslab/widgets/static` export."""

    @pytest.fixture(scope="module")
    def module(chromium: Browser) -> Iterator[Page]:
        with chromium.new_page() as page:
            for name in names:
                page.evaluate(EXPORTED, bundled(name))
            yield page

    return module
