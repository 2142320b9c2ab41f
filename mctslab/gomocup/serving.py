"""A session with the manager at the other end of two pipes, in real time."""

import os
import queue
import threading
import time
from dataclasses import dataclass
from typing import Final

from mctslab.gomocup.session import Replies, Session, is_end
from mctslab.gomocup.thinking import Considered, Finished, Thinker
from mctslab.players.gomocup_text import Lines

_LAST_SECONDS: Final = 0.5
"""So long after END may this program go on; a manager waits for about a second."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A line from the manager."""

    line: str


Event = Heard | Considered | Finished


def serve(session: Session, read_from: int, write_to: int) -> None:
    """Converse until END is heard, or until the manager is gone.

    Args:
        session: what there is to say.
        read_from: the file descriptor of the pipe from the manager.
        write_to: that of the pipe to the manager.
    """
    events: queue.SimpleQueue[Event] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(read_from, events), daemon=True).start()
    thinker = Thinker(events.put)
    while not session.is_over:
        replies = _next_replies(session, events)
        thinker.think_about(session.turn)
        try:
            os.write(write_to, "".join(f"{reply}\r\n" for reply in replies).encode())
        except OSError:
            return  # nobody reads it any more


def _next_replies(session: Session, events: "queue.SimpleQueue[Event]") -> Replies:
    """Wait for what comes next, be it the end of the time; what is to be said then."""
    due = session.due
    try:
        event = events.get(timeout=None if due is None else max(0.0, due - time.monotonic()))
    except queue.Empty:
        return session.look(time.monotonic())
    if isinstance(event, Heard):
        # Not when it was read: a START before it may have taken long, and is not on the clock.
        return session.receive(event.line, time.monotonic())
    if isinstance(event, Considered):
        return session.consider(event.turn, event.thought, time.monotonic())
    return session.finish(event.turn, event.error, time.monotonic())


def _listen(read_from: int, events: "queue.SimpleQueue[Event]") -> None:
    """Hand on what the manager says; see to it that END, or the end of the pipe, is obeyed."""
    lines = Lines()
    while data := _read(read_from):
        for line in lines.feed(data):
            events.put(Heard(line))
            if is_end(line):
                _go()
    events.put(Heard("END"))
    _go()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65_536)
    except OSError:
        return b""  # as good as the end


def _go() -> None:
    """End this process, if it has not ended by itself: it may compile, or think too long."""
    time.sleep(_LAST_SECONDS)
    os._exit(0)
