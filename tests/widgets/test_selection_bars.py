"""The selection bars with real widgets and without a browser: what each command does."""

import threading

import pytest

from mctslab import search
from mctslab.games import ConnectFour, Reversi
from mctslab.widgets import SelectionBars, selection_bars
from tests.widgets.browser_messages import command, event, record_messages, see, send
from tests.widgets.fake_players import wait_for


@pytest.fixture
def make_bars():
    """Make bars that are on a page; all are paused at the end."""
    made = []

    def make(state=None, function=search.puct_search, **options):
        options = {"evaluator": search.rollout_evaluator(), **options}
        bars = SelectionBars(state or ConnectFour(), function, **options)
        made.append(bars)
        see(bars)
        return bars

    yield make
    for bars in made:
        bars.pause()
        assert bars.wait(20)


@pytest.fixture
def endless(make_bars):
    """Bars whose search runs, and goes on for as long as the test likes."""
    bars = make_bars(num_simulations=1_000_000, speed=500)
    command(bars, "run")
    assert bars.is_running
    wait_for(lambda: bars.progress["done"] > 0)
    return bars


def test_a_step_is_one_simulation(make_bars, monkeypatch):
    bars = make_bars()
    assert (bars.result, bars.is_running) == (None, False)
    assert bars.progress == {"done": 0, "of": 1_000}
    assert "No move has been tried yet." in bars.bars
    command(bars, "step")
    assert bars.progress["done"] == 1
    before = bars.bars
    messages = record_messages(bars, monkeypatch)
    command(bars, "step")
    assert [sorted(m["state"]) for m in messages] == [["bars", "board", "progress"]]
    assert bars.result.num_simulations == 2
    assert bars.bars != before
    assert "data-heat" in bars.board
    bars.step(10)
    assert bars.result.root.visit_count == 12
    with pytest.raises(ValueError, match="num_simulations=0 is not possible"):
        bars.step(0)


def test_it_runs_until_it_is_paused_or_steps_and_goes_on(endless):
    for ends_with in ("pause", "step"):
        command(endless, ends_with)
        assert not endless.is_running
        done = endless.progress["done"]
        assert endless.wait(20)
        assert endless.progress["done"] == done
        command(endless, "run")
        wait_for(lambda done=done: endless.progress["done"] > done)


def test_it_runs_to_the_end_and_can_begin_again(make_bars):
    bars = make_bars(num_simulations=300, speed=1)
    command(bars, "finish")
    wait_for(lambda: not bars.is_running)
    assert bars.progress == {"done": 300, "of": 300}
    whole = bars.bars
    command(bars, "run")
    assert not bars.is_running
    command(bars, "reset")
    assert (bars.progress["done"], bars.result) == (0, None)
    bars.step(300)
    assert bars.bars == whole


def test_to_the_end_hurries_a_search_that_runs(make_bars):
    bars = make_bars(num_simulations=2_000, speed=1)
    command(bars, "run")
    command(bars, "finish")
    wait_for(lambda: bars.progress["done"] == 2_000)
    command(bars, "reset")
    command(bars, "run")  # at its own speed again
    wait_for(lambda: bars.progress["done"] > 0)
    assert bars.progress["done"] < 2_000


def test_a_pause_on_the_way_to_the_end_ends_the_hurry(make_bars):
    bars = make_bars(num_simulations=1_000_000, speed=1)
    command(bars, "finish")
    wait_for(lambda: bars.progress["done"] > 10)
    command(bars, "pause")
    done = bars.progress["done"]
    command(bars, "run")
    wait_for(lambda: bars.progress["done"] > done)
    assert bars.progress["done"] <= done + 5, "one a second, not as many as it can"


def test_the_speed_is_chosen(make_bars):
    bars = make_bars(num_simulations=1_000_000, speed=1)
    command(bars, "run")
    command(bars, "speed", value=2_000)
    assert bars.speed == 2_000
    wait_for(lambda: bars.progress["done"] > 200)
    command(bars, "speed", value=7)
    assert bars.speed == 2_000
    assert bars.message.startswith("ValueError: speed=7 can't be chosen")


def test_what_the_evaluator_raises_is_said_and_can_be_tried_again(make_bars):
    is_broken = threading.Event()

    def evaluator(states, rng):
        if is_broken.is_set():
            raise RuntimeError("no electricity")
        return search.rollout_evaluator()(states, rng)

    bars = make_bars(evaluator=evaluator, num_simulations=1_000_000, speed=500)
    command(bars, "run")
    wait_for(lambda: bars.progress["done"] > 0)
    is_broken.set()
    wait_for(lambda: not bars.is_running)
    assert "no electricity" in bars.message
    command(bars, "step")
    assert "no electricity" in bars.message
    is_broken.clear()
    command(bars, "run")
    assert bars.message == ""
    done = bars.progress["done"]
    wait_for(lambda: bars.progress["done"] > done)


def test_what_nobody_sees_does_not_run_on(endless):
    event(endless, "view_opened")
    event(endless, "view_closed")
    assert endless.is_running
    event(endless, "view_closed")
    assert not endless.is_running
    event(endless, "view_opened")
    command(endless, "run")
    event(endless, "page_opened", "another page")
    assert not endless.is_running


def test_it_shows_uct_too(make_bars):
    bars = make_bars(Reversi(), search.mcts, selection=search.ucb1(), num_simulations=50)
    bars.step(50)
    assert "win rate" in bars.bars
    assert bars.result.root.visit_count == 50


def test_other_messages_do_no_harm(make_bars):
    bars = make_bars()
    commands = [("step", {"n": 1}), ("dance", {}), ("speed", {"value": "5"})]
    for content in (*({"command": name, **more} for name, more in commands), 7, None):
        send(bars, content)
        assert bars.message == ""


def test_the_still_picture_shows_a_search(make_bars, monkeypatch):
    monkeypatch.setattr(selection_bars, "STILL_SECONDS", 60.0)
    bars = make_bars(num_simulations=60)
    assert "N = 60 at the root" in bars.still_svg()
    assert bars.result is None
    bars.step(5)
    assert "N = 5 at the root" in bars.still_svg()
    assert "Run this cell again" in bars.still_note()


def test_wrong_arguments_are_named():
    for name, value, words in (
        ("most", 0, "most=0"),
        ("speed", 3, "speed=3 can't be chosen"),
        ("num_simulations", 0, "num_simulations=0 is too few"),
    ):
        with pytest.raises(ValueError, match=words):
            SelectionBars(ConnectFour(), evaluator=search.rollout_evaluator(), **{name: value})
