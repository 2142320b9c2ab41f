"""A check in a real kernel, on its main thread."""

import threading

import pytest
from jupyter_client.manager import start_new_kernel

from mctslab.course.keeping import progress
from tests.notebooks.reading import PROJECT

LIMIT = 120

ENDLESS = """
def never():
    words = "again"
    def endless(*given):
        while True:
            try:
                print(words)
            except:
                pass
    return endless
endless = never()
"""
"""What uses names of a function around it is not changed to find its mistake, which takes long."""


@pytest.fixture(scope="module")
def started(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(PROJECT))
        patch.setenv(progress.HOME_VARIABLE, str(tmp_path_factory.mktemp("home")))
        manager, client = start_new_kernel(kernel_name="python3", startup_timeout=LIMIT)
    execute(client, "from dataclasses import replace\nfrom mctslab.course import exercises")
    execute(client, "quick = replace(exercises.ucb1, seconds=0.3)" + ENDLESS)
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def execute(client, code):
    """All that some code has printed or shown."""
    said = []

    def note(message):
        content = message["content"]
        said.append(content.get("text", "") + content.get("evalue", ""))
        said.append(content.get("data", {}).get("text/plain", ""))

    client.execute_interactive(code, timeout=LIMIT, output_hook=note)
    return "".join(said)


def test_an_endless_loop_on_the_main_thread_is_ended(started):
    _, client = started
    said = execute(client, "quick.check(endless)")

    assert "still running after 0.3 seconds" in said
    assert "could not be stopped" not in said
    assert said.count("again") < 50
    assert execute(client, "1 + 1") == "2"


def test_an_interrupt_ends_the_check_and_its_function(started):
    kernel, client = started
    timer = threading.Timer(1.0, kernel.interrupt_kernel)
    timer.start()
    said = execute(client, "replace(quick, seconds=600).check(endless)")

    assert "again" not in said
    assert timer.finished.is_set()
    frames = "import sys\n[f.f_code.co_name for f in sys._current_frames().values()]"
    assert "endless" not in execute(client, frames)
