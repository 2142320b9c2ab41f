"""Fixtures: one JupyterLab, one browser and one page a session, and a kernel that is emptied."""

import subprocess
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

from tests.browser.bridge import Bridge
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
    server.end_kernels()
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()


@pytest.fixture(scope="session")
def pages(chromium: Browser) -> Iterator[list[Page]]:
    """The page that the next test goes on with, if there is one: to load JupyterLab takes seconds.

    A page with which anything went wrong is not kept.
    """
    kept: list[Page] = []
    yield kept
    for page in kept:
        page.context.close()


@pytest.fixture
def lab(lab_server: LabServer, chromium: Browser, pages: list[Page]) -> Iterator[Lab]:
    """A page without any notebook yet; no script of it may have failed at the end of the test."""
    page = pages.pop() if pages else chromium.new_context(reduced_motion="reduce").new_page()
    page.emulate_media(media="screen", reduced_motion="reduce", forced_colors="none")
    page.set_viewport_size({"width": 1280, "height": 1000})
    page.mouse.move(0, 0)  # away from where the last test has left it
    lab = Lab(lab_server, page)
    yield lab
    script_errors = list(lab.script_errors)
    try:
        lab.close()
    except Error:
        page.context.close()
    else:
        pages.append(page)
    assert script_errors == []


@pytest.fixture
def bridge(chromium: Browser) -> Iterator[Bridge]:
    """A bare page whose kernel is this process; no script of it may have failed in the end."""
    with chromium.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        page.set_viewport_size({"width": 1280, "height": 1000})
        bridge = Bridge(page)
        yield bridge
        bridge.close()
    assert bridge.script_errors == []
