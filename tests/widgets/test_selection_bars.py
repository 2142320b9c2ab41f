"""The selection bars with real widgets and without a browser: what each command does."""

import pytest

from mctslab import search
from mctslab.games import ConnectFour
from mctslab.widgets import SelectionBars, selection_bars
from tests.widgets.browser_messages import command, event, record_messages, see
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


def test_it_runs_until_it_is_paused_or_steps_or_nobody_sees_it(make_bars):
    bars = make_bars(num_simulations=1_000_000, speed=500)
    for end, name in ((command, "pause"), (command, "step"), (event, "view_closed")):
        done = bars.progress["done"]
        command(bars, "run")
        wait_for(lambda done=done: bars.progress["done"] > done)
        assert bars.is_running
        end(bars, name)
        assert not bars.is_running
        done = bars.progress["done"]
        assert bars.wait(20)
        assert bars.progress["done"] == done


def test_it_runs_to_the_end_and_can_begin_again(make_bars):
    bars = make_bars(num_simulations=300, speed=1)
    command(bars, "run")
    command(bars, "finish")  # it hurries now
    wait_for(lambda: not bars.is_running)
    assert bars.progress == {"done": 300, "of": 300}
    whole = bars.bars
    command(bars, "run")
    assert not bars.is_running
    command(bars, "reset")
    assert (bars.progress["done"], bars.result) == (0, None)
    bars.step(300)
    assert bars.bars == whole


def test_the_speed_is_chosen(make_bars):
    bars = make_bars(num_simulations=1_000_000, speed=1)
    command(bars, "finish")
    wait_for(lambda: bars.progress["done"] > 10)
    command(bars, "pause")
    done = bars.progress["done"]
    command(bars, "run")
    wait_for(lambda: bars.progress["done"] > done)
    assert bars.progress["done"] <= done + 5, "one a second, not as many as it can"
    command(bars, "speed", value=2_000)
    assert bars.speed == 2_000
    wait_for(lambda: bars.progress["done"] > 200 + done)
    command(bars, "speed", value=7)
    assert bars.speed == 2_000
    assert bars.message.startswith("ValueError: speed=7 can't be chosen")
    for name, value in (("most", 0), ("speed", 3), ("num_simulations", 0)):
        with pytest.raises(ValueError, match=f"{name}={value}"):
            make_bars(**{name: value})


def test_what_the_evaluator_raises_is_said_and_can_be_tried_again(make_bars):
    faults = [RuntimeError("no electricity"), RuntimeError("nor gas")]

    def evaluator(states, rng):
        if faults:
            raise faults.pop()
        return search.rollout_evaluator()(states, rng)

    bars = make_bars(evaluator=evaluator)
    for name, fault in (("run", "nor gas"), ("step", "no electricity")):
        command(bars, name)
        wait_for(lambda: not bars.is_running)
        assert fault in bars.message
    command(bars, "run")
    assert bars.message == ""
    wait_for(lambda: bars.progress["done"] > 0)


def test_the_still_picture_shows_a_search(make_bars, monkeypatch):
    monkeypatch.setattr(selection_bars, "STILL_SECONDS", 60.0)
    bars = make_bars(num_simulations=60)
    assert "N = 60 at the root" in bars.still_svg()
    assert bars.result is None
    bars.step(5)
    assert "N = 5 at the root" in bars.still_svg()
    assert "Run this cell again" in bars.still_note()
