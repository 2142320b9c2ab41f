"""A session with a manager at the other end of two pipes, in real time.

Three threads work here. One reads the manager's lines, one lets a player think, and the main thread
waits for both of them and for the time limit, and writes the answers.
"""

import os
import queue
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

from mctslab.gomocup.protocol import Lines
from mctslab.gomocup.session import Session, Turn, is_end

_LAST_SECONDS: Final = 0.5
"""How long this program can continue after END; a manager waits for about a second."""


Event: TypeAlias = Callable[[float], list[str]]
"""Something has happened: called with the time, it tells the session and returns the answers."""
Events = queue.SimpleQueue[Event]


def serve(session: Session, read_from: int, write_to: int) -> None:
    """Answer the manager until it sends END or closes a pipe.

    Args:
        session: makes the answers.
        read_from: the file descriptor of the pipe from the manager.
        write_to: that of the pipe to the manager.
    """
    events = Events()
    threading.Thread(target=_listen, args=(read_from, session, events), daemon=True).start()
    thinker = Thinker(session, events)
    while not session.is_over:
        replies = _next_replies(session, events)
        thinker.think_about(session.turn)
        try:
            os.write(write_to, "".join(f"{reply}\r\n" for reply in replies).encode())
        except OSError:
            return  # the manager has closed the pipe


def _next_replies(session: Session, events: Events) -> list[str]:
    """Wait for the next event, or the end of the time, and return the answers to it."""
    due = session.due
    try:
        event = events.get(timeout=None if due is None else max(0.0, due - time.monotonic()))
    except queue.Empty:
        return session.look(time.monotonic())
    # The clock starts now and not when the line was read, because a START before it can take long.
    return event(time.monotonic())


def _listen(read_from: int, session: Session, events: Events) -> None:
    """Pass the manager's lines on; end this process soon after END or the end of the pipe."""
    lines = Lines()
    while data := _read(read_from):
        for text in lines.feed(data):
            events.put(partial(session.receive, text))
            if is_end(text):
                _exit_soon()
    events.put(partial(session.receive, "END"))
    _exit_soon()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65_536)
    except OSError:
        return b""  # the same as the end


def _exit_soon() -> None:
    """End this process if it is still compiling or thinking after a moment."""
    time.sleep(_LAST_SECONDS)
    os._exit(0)


class Thinker:
    """A thread in which players think about one turn at a time.

    A player cannot be interrupted, only stopped after its next proposal, and one player must not
    think about two turns at once. So a new turn waits until the previous one has stopped.

    Args:
        session: its turns are thought about; it is used only by the events.
        events: gets the proposals, and the end of the thinking.
    """

    def __init__(self, session: Session, events: Events) -> None:
        self._session = session
        self._events = events
        self._turn: Turn | None = None
        self._waiting: queue.SimpleQueue[Turn] = queue.SimpleQueue()
        threading.Thread(target=self._work, name="mctslab thinking", daemon=True).start()

    def think_about(self, turn: Turn | None) -> None:
        """Stop the previous turn, and think about this one; with None about nothing."""
        if turn is self._turn:
            return
        self._turn = turn
        if turn is not None:
            self._waiting.put(turn)

    def _work(self) -> None:
        while True:
            turn = self._waiting.get()
            if turn is not self._turn:
                continue
            try:
                for proposal in turn.player.think(turn.state):
                    if turn is not self._turn:
                        break
                    self._events.put(partial(self._session.consider, turn, proposal))
                else:
                    self._events.put(partial(self._session.finish, turn, None))
            except Exception as error:  # the manager gets the message of any error
                self._events.put(partial(self._session.finish, turn, error))
