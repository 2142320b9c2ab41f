"""The browser, one for all tests of a process: a second one could not be started beside it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.lab import started_browser


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        if (browser := started_browser(playwright)) is None:
            pytest.skip("no Chromium, Chrome or Edge was found on this machine")
        yield browser
        browser.close()
