"""A check in a real kernel: on its main thread, and beside it in a subshell."""

import contextlib
import queue
import time

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


@pytest.fixture
def client(started):
    return started[1]


def send(client, code, subshell=None):
    """Ask for `code` to be run; the number of the request."""
    content = {"code": code, "silent": False, "store_history": False, "allow_stdin": False}
    message = client.session.msg("execute_request", content)
    message["header"]["subshell_id"] = subshell
    client.shell_channel.send(message)
    return message["header"]["msg_id"]


def shown(client, *requests):
    """All that each request has printed or shown, when all of them are done."""
    texts, waiting = dict.fromkeys(requests, ""), set(requests)
    deadline = time.monotonic() + LIMIT
    while waiting and time.monotonic() < deadline:
        with contextlib.suppress(queue.Empty):
            message = client.get_iopub_msg(timeout=1)
            request, content = message["parent_header"].get("msg_id"), message["content"]
            if request in texts:
                if content.get("execution_state") == "idle":
                    waiting.discard(request)
                texts[request] += content.get("text", "") + content.get("evalue", "")
                texts[request] += content.get("data", {}).get("text/plain", "")
    assert not waiting, "the kernel did not answer"
    return texts


def execute(client, code):
    request = send(client, code)
    return shown(client, request)[request]


def test_an_endless_loop_on_the_main_thread_is_ended(client):
    said = execute(client, "quick.check(endless)")

    assert "still running after 0.3 seconds" in said
    assert "could not be stopped" not in said
    assert said.count("again") < 50
    assert execute(client, "1 + 1") == "2"


def test_a_check_in_a_subshell_works_while_a_cell_runs(client):
    client.control_channel.send(client.session.msg("create_subshell_request", {}))
    subshell = client.get_control_msg(timeout=LIMIT)["content"]["subshell_id"]

    busy = send(client, "import time\nfor n in range(8): time.sleep(0.1); print(n, end=' ')")
    beside = send(client, "quick.check(endless)", subshell)
    right = send(client, "exercises.ucb1.check(exercises.ucb1.model_answer)", subshell)
    said = shown(client, busy, beside, right)

    assert said[busy] == "0 1 2 3 4 5 6 7 ", "and its output goes where it did"
    assert "still running after 0.3 seconds" in said[beside]
    assert "ucb1: right" in said[right]


def test_an_interrupt_ends_the_check_and_its_function(started):
    kernel, client = started
    check = "print('begun', flush=True)\nreplace(quick, seconds=600).check(endless)"
    number = send(client, check)
    begun = ""
    while "begun" not in begun:
        begun = client.get_iopub_msg(timeout=LIMIT)["content"].get("text", "")

    kernel.interrupt_kernel()

    assert "again" not in shown(client, number)[number]
    frames = "import sys\n[f.f_code.co_name for f in sys._current_frames().values()]"
    assert "endless" not in execute(client, frames)
