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
def thinker():
    thinker = Thinker(threading.RLock())
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
    """Of a thinker: the clock of a panel elsewhere in these tests has one as well."""
    timers = (each for each in threading.enumerate() if isinstance(each, threading.Timer))
    return not any(timer.function.__module__ == thinking.__name__ for timer in timers)


def test_a_player_who_has_thoughts_all_the_time_is_not_published_each_time(thinker):
    player, notes = PuppetPlayer(), Notebook()
    player.decide(*[thought(1)] * 5000)
    thinker.start(player, STATE, notes.listener)
    wait_for(lambda: ("decided", 1) in notes.lines)
    assert notes.lines.count(1) < 500


def test_a_player_that_is_ready_at_once_is_not_said_to_get_ready(thinker, monkeypatch):
    """Of one that takes long the panel tells."""
    player, notes = PuppetPlayer(), Notebook()
    player.decide(thought(1))
    monkeypatch.setattr(thinking, "PATIENCE_WITH_PREPARING", 1000.0)
    thinker.start(player, STATE, notes.listener)
    wait_for(lambda: ("decided", 1) in notes.lines)
    assert notes.lines[0] == "started"
    wait_for(no_timer_is_left)


@pytest.mark.parametrize("is_cancelled", [False, True])
def test_deciding_now_takes_the_last_thought_without_waiting_for_the_next(
    thinker, started, is_cancelled
):
    player, notes = started
    player.give(thought(3))
    wait_for(lambda: 3 in notes.lines)
    for _ in range(3):
        thinker.decide_now()
    if is_cancelled:
        thinker.cancel()
    else:
        wait_for(lambda: ("decided", 3) in notes.lines)  # it is in the middle of its next thought
        assert not thinker.wait(0)
    wait_for(no_timer_is_left)
    player.decide(thought(4))
    assert thinker.wait(20)
    assert notes.lines == ["started", 3, *[("decided", 3)] * (not is_cancelled)], "it decides once"


def test_a_decision_that_cannot_be_taken_is_told(thinker):
    player, notes = PuppetPlayer(), Notebook()

    def refuse(_: Proposal) -> None:
        raise ValueError("illegal")

    thinker.start(player, STATE, replace(notes.listener, decided=refuse))
    player.decide(thought(3))
    wait_for(lambda: notes.lines == ["started", 3, ("failed", "illegal")])


@pytest.mark.parametrize("is_given_up", [False, True])
def test_one_search_at_a_time_in_the_whole_process(started, is_given_up):
    first, _ = started
    (thread,) = [t for t in threading.enumerate() if t.name == "mctslab thinking"]
    assert thread.daemon, "it does not keep a program from ending"
    other, second, notes = Thinker(threading.RLock()), PuppetPlayer("second"), Notebook()
    other.start(second, STATE, notes.listener)
    wait_for(lambda: notes.lines == ["waiting"])
    assert second.asked_about == []
    if is_given_up:
        other.cancel()
        assert other.wait(20)
        assert notes.lines == ["waiting"]
    first.decide(thought(1))
    if not is_given_up:
        wait_for(lambda: "started" in notes.lines)
        second.decide(thought(2))
        wait_for(lambda: ("decided", 2) in notes.lines)


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
