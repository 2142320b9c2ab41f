"""Players that do what a test tells them, and a way to wait for threads."""

import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from mctslab.games import State
from mctslab.players import Player, Proposal

WAIT_SECONDS = 100.0
"""A limit for a busy machine; what is waited for takes far less on others."""

PATIENCE_SECONDS = 30.0
"""How long a drawing goes on if it keeps out whoever would end it."""


class PuppetPlayer(Player):
    """Has the thoughts that a test gives it, when it gives them; an exception is raised."""

    def __init__(self, name: str = "puppet") -> None:
        self.name = name
        self.thoughts: queue.Queue[Proposal | Exception | None] = queue.Queue()
        self.asked_about: list[State] = []
        self.num_given_up = 0
        self.is_ready = threading.Event()
        self.is_ready.set()

    def prepare(self, state: State) -> None:
        assert self.is_ready.wait(WAIT_SECONDS)

    def give(self, *thoughts: Proposal | Exception) -> None:
        """Let it have these thoughts."""
        for thought in thoughts:
            self.thoughts.put(thought)

    def decide(self, *thoughts: Proposal) -> None:
        """Let it have these thoughts and end with the last one."""
        self.give(*thoughts)
        self.thoughts.put(None)

    def think(self, state: State) -> Iterator[Proposal]:
        self.asked_about.append(state)
        try:
            while (thought := self.thoughts.get(timeout=WAIT_SECONDS)) is not None:
                if isinstance(thought, Exception):
                    raise thought
                yield thought
        except GeneratorExit:
            self.num_given_up += 1
            raise


class SlowDrawing:
    """Draws like `draw`, but only when it is told to, or when a click has waited in vain."""

    def __init__(self, draw: Callable[..., Any]) -> None:
        self._draw = draw
        self.begun, self.told, self.done = (threading.Event() for _ in range(3))

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        self.begun.set()
        self.told.wait(PATIENCE_SECONDS)
        self.done.set()
        return self._draw(*arguments, **options)


def wait_for(condition: Callable[[], object]) -> None:
    """Wait until `condition` holds; a test fails if it never does."""
    deadline = time.monotonic() + WAIT_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.002)
