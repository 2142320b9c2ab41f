"""Fixtures: one JupyterLab for the tests of a file, and a page for each."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

pytest.register_assert_rewrite("tests.browser.panel")

from tests.browser.bridge import Bridge  # noqa: E402
from tests.browser.lab import Lab, LabServer, lab_server  # noqa: E402

expect.set_options(timeout=20_000)  # on a machine that is busy with other things


@pytest.fixture(scope="module")
def _server(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabServer]:
    # It asks for the browser first, so that no server is started where the tests are skipped.
    with lab_server(tmp_path_factory.mktemp("lab")) as server:
        yield server


@pytest.fixture
def lab(_server: LabServer, chromium: Browser) -> Iterator[Lab]:
    """A page without any notebook yet; no script of it may have failed at the end of the test."""
    with chromium.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        page.set_viewport_size({"width": 1280, "height": 1000})
        lab = Lab(_server, page)
        yield lab
    assert lab.script_errors == []


@pytest.fixture(scope="session")
def _one_bridge(chromium: Browser) -> Iterator[Bridge]:
    with chromium.new_context() as context:
        bridge = Bridge(context.new_page())
        bridge.open(0)
        bridge.close()
        yield bridge


@pytest.fixture
def bridge(_one_bridge: Bridge) -> Iterator[Bridge]:
    """A bare page whose kernel is this process; no script of it may have failed in the end."""
    _one_bridge.script_errors.clear()
    yield _one_bridge
    _one_bridge.close()
    assert _one_bridge.script_errors == []
