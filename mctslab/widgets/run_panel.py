"""What the panels of long runs share: buttons to start and stop, a page that follows, errors said.

The synced traits are the whole state of the page, the browser sends commands, and one lock is held
by every callback. The run itself is a `BackgroundRun`.
"""

import threading
from typing import Any

import anywidget
import traitlets

from mctslab.widgets.background_run import BackgroundRun, RunListener, Work
from mctslab.widgets.front_end import CommandedWidget, StillPicture


class RunPanel(StillPicture, CommandedWidget):
    """A long run on the page, for a class that says what runs and what is shown of it.

    When the panel leaves the page its run stops; it goes on when the panel is shown again.

    Args:
        work: what runs, see `background_run.Work`.
        start: whether to begin as soon as the panel is on the page.
        shown: what the traits are in the beginning.
    """

    board = anywidget.WidgetTrait().tag(sync=True)
    title = traitlets.Unicode().tag(sync=True)
    about = traitlets.Unicode(help="what runs, and from which seed").tag(sync=True)
    headline = traitlets.Unicode().tag(sync=True)
    message = traitlets.Unicode().tag(sync=True)
    progress = traitlets.Dict(help="{share, left, is_running}").tag(sync=True)
    commands = traitlets.List(traitlets.Unicode(), help="the buttons that make sense now").tag(
        sync=True
    )
    charts = traitlets.List(traitlets.Unicode(), help="SVG").tag(sync=True)
    replay = traitlets.Dict(help="the game on the board: key, ply, num_plies, words").tag(sync=True)

    def __init__(self, work: Work[Any, Any], *, start: bool, **shown: Any) -> None:
        self._lock = threading.RLock()
        self._run = BackgroundRun(
            work, self._lock, RunListener(self._show_news, self._end, self._fail)
        )
        self._starts_when_seen = start
        super().__init__(**shown)

    # What other cells may do

    def start(self) -> None:
        """Do what is left, in the background."""
        with self._lock:
            if not self._is_complete():
                self.message = ""
                self._run.start()
                self._publish()

    def stop(self) -> None:
        """Stop soon; what is finished is kept, and `start` goes on from there."""
        with self._lock:
            self._starts_when_seen = False
            self._run.stop()
            self._publish()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until nothing runs any more, at most so long; whether that is so."""
        return self._run.wait(seconds)

    # What each panel adds

    def _is_complete(self) -> bool:
        """Whether there is nothing left to do."""
        raise NotImplementedError

    def _show_news(self, news: Any) -> None:
        """There is progress."""
        raise NotImplementedError

    def _end(self, outcome: Any) -> None:
        """Nothing runs any more."""
        raise NotImplementedError

    def _publish(self) -> None:
        """Bring what follows from whether anything runs up to date."""
        raise NotImplementedError

    def _fail(self, error: Exception) -> None:
        self._say_error(error)
        self._publish()

    def _say_error(self, error: Exception) -> None:
        # Our own errors are sentences; of others the kind says more than the text.
        is_sentence = isinstance(error, ValueError | OSError) and str(error)
        self.message = str(error) if is_sentence else f"{type(error).__name__}: {error}"

    # The page

    def _handle_command(self, content: Any) -> None:
        match content:
            case {"command": "start" | "resume"}:
                self.start()
            case {"command": "stop"}:
                self.stop()

    def _note_event(self, event: str) -> None:
        """Stop a run that no page shows.

        A page that is reloaded sends nothing when it goes, so nothing stops meanwhile.
        """
        if event == "view_opened" and self._starts_when_seen:
            self._starts_when_seen = False
            self.start()
        elif event == "view_closed" and not self._views and self._run.is_wanted:
            self.stop()
            self._starts_when_seen = True
