"""Widgets that do what the page says, and say there what went wrong.

Nobody sees an exception that is raised while a message of the page is answered, or in a thread: the
widget has to show it.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class CommandedWidget:
    """Mix it in before a widget's class, and hand `_handle_message` to the widget's `on_msg`.

    The lock `_lock` has to be reentrant; what the widget shows is changed only by who holds it.
    """

    _lock: "threading.RLock"
    _views: int
    """How often the page shows the widget."""
    _page: str
    """Of which page these views are."""
    send: Callable[..., None]
    """Of every widget: a message to the page."""

    # What a widget says for itself

    def _obey(self, content: Any) -> None:
        """Do what a message of the page says; what is no command is left alone."""
        raise NotImplementedError

    def _note_event(self, event: str, page: str) -> None:
        """Note what the page shows from now on: `view_opened` or `view_closed`, of which page."""
        raise NotImplementedError

    def _say(self, message: str) -> None:
        """Show a sentence; an error comes with its kind, as `ValueError: no such move`."""
        raise NotImplementedError

    def _say_error(self, error: Exception) -> None:
        """Show what went wrong."""
        self._say(f"{type(error).__name__}: {error}")

    # What all share

    def _handle_message(self, _widget: object, content: Any, _buffers: object) -> None:
        """A command from the page; whatever goes wrong is said there."""
        with self._callback():
            match content:
                case {"event": str(event), "page": str(page)}:
                    self._note_event(event, page)
                case {"command": "is_anybody_there"}:
                    self.send({"answer": "yes"})
                case _:
                    self._obey(content)

    def _views_after(self, event: str, page: str) -> int:
        """How many views there are after an event of a page, whose name is noted.

        A page that is loaded again says nothing when it goes, and messages can overtake each other:
        so each page has a name, and the views of another one are forgotten.
        """
        views = self._views if page == self._page else 0
        self._page = page
        if event == "view_opened":
            return views + 1
        return max(0, views - 1) if event == "view_closed" else views

    @contextmanager
    def _callback(self) -> Iterator[None]:
        """Hold the lock, and show an exception."""
        with self._lock, self._errors_said():
            yield

    @contextmanager
    def _errors_said(self) -> Iterator[None]:
        """Show an exception, without the lock: for what takes long, such as drawing."""
        try:
            yield
        except Exception as error:
            self._say_error(error)
