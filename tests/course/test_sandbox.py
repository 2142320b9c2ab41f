"""A function is called, and the caller comes back, whatever the function does."""

import signal
import sys
import threading
import time

import pytest

from mctslab.course import sandbox
from mctslab.course.sandbox import InputRequestedError, NestedCallError, call

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


def behind_two_of_them():
    while True:
        try:
            behind_a_bare_except()
        except BaseException as error:
            str(error)


def in_a_finally():
    try:
        forever()
    finally:
        forever()


def in_a_handler():
    try:
        raise ValueError
    except ValueError:
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
        pytest.param(behind_two_of_them, marks=needs_no_habit_of_3_12),
        in_a_finally,
        in_a_handler,
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


def test_a_value_that_comes_too_late_does_not_count():
    def late():
        try:
            forever()
        finally:
            return 7  # noqa: B012

    called = call(late, (), SOON)

    assert (called.too_slow, called.value) == (True, None)


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
    for n in range(300):
        called = call(lambda: [len("a") for _ in range(300)], (), (n % 30) * 1e-5)
        outcomes.add(called.too_slow)
        assert not called.stuck
        assert called.error is None
    assert call(len, ("abc",), 1).value == 3
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("error", [ValueError, SystemExit, KeyboardInterrupt, GeneratorExit])
def test_an_error_comes_back_and_is_not_raised(error):
    def fails():
        raise error("why")

    called = call(fails, (), 1)

    assert type(called.error) is error
    assert not called.too_slow


@pytest.mark.parametrize(
    ("function", "error"),
    [
        (lambda: input("how many? "), InputRequestedError),
        (lambda: call(len, ("abc",), 1), NestedCallError),
        (lambda: (deeper := lambda: deeper())(), RecursionError),
    ],
)
def test_what_a_function_cannot_do_is_an_error_like_others(function, error):
    assert isinstance(call(function, (), 5).error, error)


def test_output_is_kept_as_far_as_it_is_short(capsys):
    def talks():
        print("one", "two")
        sys.stderr.writelines(["three\n", "four\n"])
        print("x" * 10_000)

    called = call(talks, (), 1)

    assert called.printed.startswith("one two\nthree\nfour\nxxx")
    assert len(called.printed) <= sandbox.MOST_PRINTED + 10
    assert called.printed.endswith(" ...")
    assert capsys.readouterr() == ("", "")


def test_output_of_other_threads_goes_where_it_did(capsys):
    go, gone = threading.Event(), threading.Event()

    def other():
        go.wait(10)
        print("from elsewhere")
        gone.set()

    thread = threading.Thread(target=other)
    thread.start()

    called = call(lambda: (go.set(), gone.wait(10)), (), 20)
    thread.join()

    assert called.printed == ""
    assert capsys.readouterr().out == "from elsewhere\n"


def test_it_works_in_any_thread_and_one_after_the_other():
    found = []

    def from_a_thread(n):
        found.append((call(forever, (), SOON).too_slow, call(abs, (-n,), 5).value))

    threads = [threading.Thread(target=from_a_thread, args=(n,)) for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)

    assert sorted(found) == [(True, 0), (True, 1), (True, 2)]


def test_an_interrupt_of_the_caller_ends_the_function_too(monkeypatch):
    """The kernel's interrupt is raised in the main thread, which is waiting."""
    threads = sys._current_frames().keys()

    def interrupted(self, seconds, **_):
        monkeypatch.undo()
        time.sleep(SOON)
        raise KeyboardInterrupt

    monkeypatch.setattr(sandbox._Worker, "ends_within", interrupted)
    with pytest.raises(KeyboardInterrupt):
        call(forever, (), 60)

    assert no_others_are_left(threads)


def test_an_interrupt_while_the_thread_starts_ends_it(monkeypatch):
    start = sandbox._thread.start_new_thread
    has_ended = threading.Event()

    def interrupted(run, arguments):
        def observed():
            try:
                run(*arguments)
            finally:
                has_ended.set()

        ident = start(observed, ())
        signal.raise_signal(signal.SIGINT)  # is delivered when this function has returned
        return ident

    monkeypatch.setattr(sandbox._thread, "start_new_thread", interrupted)
    with pytest.raises(KeyboardInterrupt):
        call(forever, (), 60.0)

    assert has_ended.wait(10)
