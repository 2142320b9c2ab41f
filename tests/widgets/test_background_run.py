"""A run in the background: begun, stopped, begun again before it has stopped, and failing."""

import queue
import threading
from dataclasses import dataclass

import pytest

from mctslab.arena import Standing
from mctslab.widgets import background_run
from mctslab.widgets.background_run import BackgroundRun, RunListener
from tests.widgets.fake_players import WAIT_SECONDS, wait_for


@dataclass(frozen=True)
class Result:
    num_played: int
    is_complete: bool


class Arena:
    """Plays a game whenever a test lets it; ends after three, or when it is told to stop."""

    def __init__(self) -> None:
        self.num_played = 0
        self.num_calls = 0
        self.turns: queue.Queue[Exception | None] = queue.Queue()
        self.told: list[str] = []
        self.lock = threading.RLock()
        listener = RunListener(
            lambda standing: self.told.append(f"{standing.num_played}"),
            lambda result: self.told.append(f"ended {result.num_played}"),
            lambda error: self.told.append(f"failed {error}"),
        )
        self.run = BackgroundRun(self.play, self.lock, listener)

    def play(self, progress, stop):
        self.num_calls += 1
        while self.num_played < 3 and not stop():
            try:
                turn = self.turns.get(timeout=0.01)
            except queue.Empty:
                continue
            if turn is not None:
                raise turn
            self.num_played += 1
            is_last = self.num_played == 3
            progress(Standing(lambda: None, self.num_played, 3, 1.0, 0, is_last))
        return Result(self.num_played, self.num_played == 3)

    def play_to_the_end(self) -> None:
        for _ in range(3 - self.num_played):
            self.turns.put(None)
        assert self.run.wait(WAIT_SECONDS)
        assert self.told[-1] == "ended 3"


@pytest.fixture
def arena(monkeypatch):
    monkeypatch.setattr(background_run, "SHORTEST_WAIT", 0.0)
    arena = Arena()
    yield arena
    arena.run.stop()
    assert arena.run.wait(WAIT_SECONDS)


def test_it_tells_of_games_and_of_the_end(arena):
    arena.run.start()
    arena.run.start()  # twice is once
    (thread,) = [t for t in threading.enumerate() if t.name == "mctslab run"]
    assert thread.daemon, "it does not keep a program from ending"
    assert not arena.run.wait(0)
    arena.turns.put(OSError("the disk is full"))
    assert arena.run.wait(WAIT_SECONDS)
    arena.run.start()
    arena.play_to_the_end()
    assert (arena.told[:2], arena.told[-1]) == (["failed the disk is full", "1"], "ended 3")
    assert arena.num_calls == 2


def test_begun_again_before_it_has_stopped_it_goes_on(arena):
    arena.run.start()
    wait_for(lambda: arena.num_calls == 1)
    with arena.lock:  # it cannot tell of its end meanwhile
        arena.run.stop()
        wait_for(lambda: not arena.run._is_wanted)
        threading.Event().wait(0.05)  # so that it has seen the stop; all holds without it too
        arena.run.start()
    arena.play_to_the_end()
    assert arena.told.count("ended 3") == 1
    assert "ended 0" not in arena.told


def test_the_listener_hears_with_the_lock_held(arena):
    arena.run.start()
    with arena.lock:
        arena.turns.put(None)
        wait_for(lambda: arena.num_played == 1)
        assert arena.told == []
    wait_for(lambda: arena.told == ["1"])


def test_what_came_too_fast_is_told_a_moment_later_or_not_at_all(arena, monkeypatch):
    monkeypatch.setattr(background_run, "SHORTEST_WAIT", 0.05)
    arena.run.start()
    arena.turns.put(None)
    arena.turns.put(None)
    wait_for(lambda: arena.told[-1:] == ["2"])
    monkeypatch.setattr(background_run, "SHORTEST_WAIT", 1e6)
    arena.play_to_the_end()
    assert "3" not in arena.told
