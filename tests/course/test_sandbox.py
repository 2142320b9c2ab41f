"""A function is called, and the caller comes back, whatever the function does."""

import sys
import threading
import time

import pytest

from mctslab.course import exercises
from mctslab.course.checking import sandbox
from mctslab.course.checking.inputs import Costs
from mctslab.course.checking.sandbox import call, call_to_its_end

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


def test_an_import_is_not_broken_off_and_its_time_does_not_count(tmp_path, monkeypatch):
    slow = "import time\nuntil = time.monotonic() + 1\nwhile time.monotonic() < until: pass\nx = 7"
    (tmp_path / "slow_to_import.py").write_text(slow)
    monkeypatch.syspath_prepend(str(tmp_path))

    def importing(then):
        import slow_to_import

        then()
        return slow_to_import.x

    assert call(importing, (int,), SOON).value == 7
    assert call(importing, (forever,), SOON).too_slow
    assert sys.modules.pop("slow_to_import").x == 7


def rounds(most):
    number = 0
    while number < most:
        number += 1
    return number


def test_what_takes_long_is_given_up_only_when_its_lines_are_too_many(monkeypatch):
    """However little of the time this process gets; here the first call gets none."""
    monkeypatch.setattr(sandbox, "_SOON", 0.0)
    monkeypatch.setattr(sandbox, "_LINES_A_SECOND", 10_000)
    assert call_to_its_end(rounds, (3_000,), 1.0).value == 3_000
    called = call_to_its_end(rounds, (10**9,), 1.0)
    assert (called.value, called.error, called.too_slow) == (None, None, True)


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


def test_a_function_that_ends_just_in_time_is_never_hurt(capfd):
    """The end of the time and the end of the function, many times within the same instant."""
    outcomes = set()
    for n in range(100):
        called = call(lambda: [len("a") for _ in range(300)], (), (n % 30) * 1e-5)
        outcomes.add(called.too_slow)
        assert not called.stuck
        assert called.error is None
    assert call(len, ("abc",), 1).value == 3
    assert capfd.readouterr() == ("", "")


def test_an_exception_that_was_taken_back_does_not_stop_the_count_of_calls():
    """Python 3.11 would look for it for ever in code that is profiled."""
    costs = Costs(exercises.select, exercises.select.cases())
    sandbox._set_exception(threading.get_ident(), None)
    assert 0 < costs.work_of(1) < costs.work_of(1_000)
