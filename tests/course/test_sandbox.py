"""A function is called, and the caller comes back, whatever the function does."""

import importlib
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from mctslab.course.checking.sandbox import call

SOON = 0.05


def forever():
    while True:
        pass


def behind_a_bare_except():
    while True:
        try:
            forever()
        except:  # noqa: E722
            continue


def in_a_finally():
    try:
        forever()
    finally:
        forever()


def printing():
    while True:
        print("again")


def no_others_are_left(threads):
    """Whether only `threads` run; one that has let go of its lock may need a moment to end."""
    until = time.monotonic() + 10
    while others := sys._current_frames().keys() - threads:
        if time.monotonic() > until:
            break
        time.sleep(0.001)
    return not others


needs_no_habit_of_3_12 = pytest.mark.xfail(
    sys.version_info[:2] == (3, 12),
    reason="Python 3.12 puts the exception back into the handled block",
    strict=False,
)


@pytest.mark.parametrize(
    "endless",
    [
        forever,
        pytest.param(behind_a_bare_except, marks=needs_no_habit_of_3_12),
        in_a_finally,
        printing,
        lambda: sum(1 for _ in iter(int, 1)),
    ],
)
def test_an_endless_loop_is_ended_and_gone(endless):
    threads = sys._current_frames().keys()
    before = sys.stdout, sys.stderr, input

    called = call(endless, (), SOON)

    assert (called.too_slow, called.stuck, called.value) == (True, False, None)
    assert no_others_are_left(threads)
    assert (sys.stdout, sys.stderr, input) == before


SLOW = "import time\nuntil = time.monotonic() + 1\nwhile time.monotonic() < until: pass\nx = 7"
"""A module that takes a second."""


def test_an_import_is_not_broken_off_and_its_time_does_not_count(tmp_path, monkeypatch):
    (tmp_path / "slow_to_import.py").write_text(SLOW)
    monkeypatch.syspath_prepend(str(tmp_path))

    def importing(then):
        import slow_to_import

        then()
        return slow_to_import.x

    assert call(importing, (int,), SOON).value == 7
    assert call(importing, (forever,), SOON).too_slow
    assert sys.modules.pop("slow_to_import").x == 7


@pytest.fixture
def ctrl_c():
    """Somebody presses Ctrl-C after 0.3 seconds."""
    if not hasattr(signal, "setitimer"):
        pytest.skip("this system has no such timer")
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    yield
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_does_not_break_off_an_import_either(tmp_path, monkeypatch):
    """Half an import of PyTorch would crash the next one."""
    (tmp_path / "slowly_imported.py").write_text(SLOW)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(KeyboardInterrupt):
        call(importlib.import_module, ("slowly_imported",), 5.0)
    assert sys.modules.pop("slowly_imported").x == 7


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_ends_the_call_and_its_function():
    threads = sys._current_frames().keys()
    with pytest.raises(KeyboardInterrupt):
        call(behind_a_bare_except, (), 600.0)
    assert no_others_are_left(threads)


def test_what_sleeps_too_long_is_left_behind():
    gate = threading.Event()

    called = call(gate.wait, (60,), SOON)

    assert called.too_slow
    assert called.stuck
    gate.set()


def test_a_busy_computer_does_not_use_up_the_time():
    """A function whose turn does not come computes nothing; it is the same for one that sleeps."""

    def waiting():
        time.sleep(0.6)
        return 7

    assert call(waiting, (), 0.5).value == 7


def test_it_waits_at_most_twice_as_long_on_a_busy_computer(monkeypatch):
    """However little processor time is left for it; here it seems to get none."""
    monkeypatch.setattr(time, "process_time", lambda: 0.0)
    began = time.monotonic()
    assert call(forever, (), 1.0).too_slow
    assert time.monotonic() - began < 3.5


WATCHED = """
import cProfile, sys, threading
from mctslab.course.checking.sandbox import call
from tests.course.test_sandbox import behind_a_bare_except, forever, in_a_finally

def raising():
    raise ValueError

def watch(*_):
    return watch

def check():
    for endless in (forever, behind_a_bare_except, in_a_finally):
        called = call(endless, (), 0.05)
        assert called.too_slow and (not called.stuck or sys.version_info[:2] == (3, 12)), endless
        assert type(call(raising, (), 5.0).error) is ValueError
    gate = threading.Event()
    assert call(gate.wait, (60,), 0.05).stuck
    gate.set()
    assert call(len, ("abc",), 5.0).value == 3

eval(sys.argv[1])
check()
"""


@pytest.mark.parametrize(
    "watch",
    [
        "cProfile.Profile().enable()",
        "threading.settrace(watch) or sys.settrace(watch)",
        "threading.setprofile(watch) or sys.setprofile(watch)",
    ],
)
def test_everything_ends_under_a_profiler_or_debugger_too(watch):
    """In Python 3.11, what is watched hangs while an exception is on its way to any thread."""
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, watch], cwd=Path(__file__).parents[2],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_a_debugger_stops_in_the_function_that_is_checked(monkeypatch):
    lines = []

    def trace(frame, *_):
        if frame.f_code is rounds.__code__:
            lines.append(frame.f_lineno)
        return trace

    def rounds():
        return 7

    monkeypatch.setattr(threading, "gettrace", lambda: trace)
    assert call(rounds, (), 5.0).value == 7
    assert lines
