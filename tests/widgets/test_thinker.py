"""Thinking in a thread: told in order, given up when nobody wants it any more."""

import threading
from dataclasses import replace

import pytest

from mctslab.games import TicTacToe
from mctslab.players import Proposal
from mctslab.search import NotEnoughSimulationsError
from mctslab.widgets import thinker as thinking
from mctslab.widgets.thinker import Listener, Thinker
from tests.widgets.fake_players import PuppetPlayer, wait_for

STATE = TicTacToe()


class Notebook:
    """Notes what a thinker tells."""

    def __init__(self) -> None:
        self.lines: list[object] = []
        self.listener = Listener(
            waiting=lambda: self.lines.append("waiting"),
            preparing=lambda: self.lines.append("preparing"),
            started=lambda: self.lines.append("started"),
            proposed=lambda proposal: self.lines.append(proposal.action),
            decided=lambda proposal: self.lines.append(("decided", proposal.action)),
            failed=lambda error: self.lines.append(("failed", str(error))),
        )


@pytest.fixture
def lock():
    return threading.RLock()


@pytest.fixture
def thinker(lock):
    thinker = Thinker(lock)
    yield thinker
    thinker.cancel()


@pytest.fixture
def started(thinker):
    """A player whose search has started, and the notes of it."""
    player, notes = PuppetPlayer(), Notebook()
    thinker.start(player, STATE, notes.listener)
    wait_for(lambda: "started" in notes.lines)
    return player, notes


def thought(action: int) -> Proposal:
    return Proposal(action, progress=0.5)


def no_timer_is_left() -> bool:
    return not any(isinstance(t, threading.Timer) for t in threading.enumerate())


def test_thoughts_come_in_order_and_the_last_is_the_decision(started):
    player, notes = started
    (thread,) = [t for t in threading.enumerate() if t.name == "mctslab thinking"]
    assert thread.daemon, "it does not keep a program from ending"
    player.give(thought(1))
    wait_for(lambda: 1 in notes.lines)
    player.decide(thought(2))
    wait_for(lambda: ("decided", 2) in notes.lines)
    assert notes.lines[:2] == ["started", 1]
    assert player.asked_about == [STATE]


def test_a_player_who_has_thoughts_all_the_time_is_not_published_each_time(thinker):
    player, notes = PuppetPlayer(), Notebook()
    player.decide(*[thought(1)] * 5000)
    thinker.start(player, STATE, notes.listener)
    wait_for(lambda: ("decided", 1) in notes.lines)
    assert notes.lines.count(1) < 500


def test_what_was_given_up_is_told_to_stop_and_never_heard_of_again(thinker, started):
    player, notes = started
    thinker.cancel()
    player.give(thought(1))
    wait_for(lambda: player.num_given_up == 1)
    assert thinker.wait(20)
    assert notes.lines == ["started"]


def test_a_message_that_waits_for_the_lock_is_dropped_when_given_up(thinker, lock, started):
    player, notes = started
    with lock:
        player.decide(thought(1))
        wait_for(lambda: player.thoughts.qsize() == 1)  # one is taken, and can't be told
        thinker.cancel()
    assert thinker.wait(20)
    assert notes.lines == ["started"]


def test_a_new_start_supersedes_the_one_before(thinker, started):
    first, old = started
    second, new = PuppetPlayer("second"), Notebook()
    thinker.start(second, STATE, new.listener)
    first.give(thought(1))
    second.decide(thought(2))
    wait_for(lambda: ("decided", 2) in new.lines)
    assert old.lines == ["started"]


def test_a_player_that_takes_long_to_get_ready_is_told_of(thinker):
    player, notes = PuppetPlayer(), Notebook()
    player.is_ready.clear()
    player.decide(thought(1))
    thinker.start(player, STATE, notes.listener)
    assert notes.lines == []
    wait_for(lambda: notes.lines == ["preparing"])
    player.is_ready.set()
    wait_for(lambda: ("decided", 1) in notes.lines)
    assert notes.lines[:2] == ["preparing", "started"]


def test_whoever_is_ready_at_once_is_not_told_of(thinker, monkeypatch):
    monkeypatch.setattr(thinking, "PATIENCE_WITH_PREPARING", 30.0)
    player, notes = PuppetPlayer(), Notebook()
    player.decide(thought(1))
    thinker.start(player, STATE, notes.listener)
    wait_for(lambda: ("decided", 1) in notes.lines)
    assert thinker.wait(20)
    wait_for(no_timer_is_left)
    assert "preparing" not in notes.lines


def test_deciding_now_does_not_wait_for_a_player_that_is_slow(thinker, started):
    player, notes = started
    player.give(thought(3))
    wait_for(lambda: 3 in notes.lines)
    for _ in range(3):
        thinker.decide_now()
    wait_for(lambda: ("decided", 3) in notes.lines)  # it is still in the middle of its next thought
    assert not thinker.wait(0)
    wait_for(no_timer_is_left)
    player.decide(thought(4))
    assert thinker.wait(20)
    assert notes.lines == ["started", 3, ("decided", 3)], "it decides once"


def test_whoever_was_given_up_meanwhile_does_not_decide(thinker, started):
    player, notes = started
    player.give(thought(3))
    wait_for(lambda: 3 in notes.lines)
    thinker.decide_now()
    thinker.cancel()
    wait_for(no_timer_is_left)
    player.decide()
    assert thinker.wait(20)
    assert notes.lines == ["started", 3]


@pytest.mark.parametrize("is_slow", [True, False])
def test_a_decision_that_cannot_be_taken_is_told(thinker, is_slow):
    player, notes = PuppetPlayer(), Notebook()

    def refuse(_: Proposal) -> None:
        raise ValueError("illegal")

    thinker.start(player, STATE, replace(notes.listener, decided=refuse))
    player.give(thought(3))
    wait_for(lambda: 3 in notes.lines)
    if is_slow:
        thinker.decide_now()
        wait_for(lambda: ("failed", "illegal") in notes.lines)
    player.decide()
    assert thinker.wait(20)
    assert notes.lines == ["started", 3, ("failed", "illegal")]


def test_deciding_now_takes_the_next_thought(thinker, started):
    player, notes = started
    player.give(thought(1))
    wait_for(lambda: 1 in notes.lines)
    thinker.decide_now()
    player.give(thought(3))
    wait_for(lambda: ("decided", 3) in notes.lines)
    wait_for(lambda: player.num_given_up == 1)


@pytest.fixture
def other(started):
    """Another thinker, whose search waits for the one that has started."""
    other, player, notes = Thinker(threading.RLock()), PuppetPlayer("second"), Notebook()
    other.start(player, STATE, notes.listener)
    wait_for(lambda: notes.lines == ["waiting"])
    assert player.asked_about == []
    return other, player, notes


def test_one_search_at_a_time_in_the_whole_process(started, other):
    first, (_, second, notes) = started[0], other
    first.decide(thought(1))
    wait_for(lambda: "started" in notes.lines)
    second.decide(thought(2))
    wait_for(lambda: ("decided", 2) in notes.lines)


def test_one_who_waits_for_a_search_can_be_given_up(started, other):
    waiting, _, notes = other
    waiting.cancel()
    assert waiting.wait(20)
    assert notes.lines == ["waiting"]
    started[0].decide(thought(1))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([None], ("failed", "puppet stopped thinking without choosing a move.")),
        ([RuntimeError("out of ideas")], ("failed", "out of ideas")),
        ([thought(5), NotEnoughSimulationsError("3 of 9 moves were tried")], ("decided", 5)),
        ([NotEnoughSimulationsError("0 of 9 moves")], ("failed", "0 of 9 moves")),
    ],
)
def test_how_a_search_without_a_last_proposal_ends(started, given, told):
    player, notes = started
    player.give(*given)
    wait_for(lambda: told in notes.lines)


def test_after_a_failure_others_can_think(thinker):
    player, notes = PuppetPlayer(), Notebook()
    player.give(RuntimeError("out of ideas"))
    thinker.start(player, STATE, notes.listener)
    wait_for(lambda: len(notes.lines) == 2)
    player.decide(thought(4))
    thinker.start(player, STATE, notes.listener)
    wait_for(lambda: ("decided", 4) in notes.lines)
