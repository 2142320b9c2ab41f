"""Fixtures: one JupyterLab and one browser a session, one page and one kernel a test."""

import subprocess
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.lab import BROWSER_FLAGS, Lab, LabServer, find_browser, start_lab_server

expect.set_options(timeout=20_000)  # on a machine that is busy with other things


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = find_browser()
    if path is None:
        pytest.skip("no Chromium, Chrome or Edge was found on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(BROWSER_FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def lab_server(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabServer]:
    # It asks for the browser first, so that no server is started where the tests are skipped.
    server, process = start_lab_server(tmp_path_factory.mktemp("lab"))
    yield server
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()


@pytest.fixture
def lab(lab_server: LabServer, chromium: Browser) -> Iterator[Lab]:
    """A fresh page; no script of the page may have failed at the end of the test."""
    context = chromium.new_context(
        viewport={"width": 1280, "height": 1000}, reduced_motion="reduce"
    )
    lab = Lab(lab_server, context)
    yield lab
    script_errors = list(lab.script_errors)
    lab.close()
    assert script_errors == []
