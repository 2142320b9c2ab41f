"""What the panels of long runs share: start and stop buttons, a page kept up to date, shown errors.

The synced traits are the whole state of the page, the browser sends commands, and one lock is held
by every callback. The run itself is a `BackgroundRun`.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import anywidget
import traitlets

from mctslab.cluster import open_cluster
from mctslab.games.state import State
from mctslab.widgets.background_run import BackgroundRun, RunListener, Work
from mctslab.widgets.board import BoardWidget
from mctslab.widgets.board_view import BoardView
from mctslab.widgets.front_end import CommandedWidget, StillPicture

Done = TypeVar("Done")

LONGEST_WAIT: Final = 15.0
"""Seconds that a cell waits for a run if it says no other number."""

_BETWEEN_LOOKS: Final = 0.1


@dataclass(frozen=True, slots=True)
class RunStatus:
    """How far a run has come, and the headline for each case."""

    share: float
    """The share that is done, in [0, 1]."""
    seconds_left: float | None
    ready: str
    running: str
    stopping: str
    stopped: str
    complete: str


@dataclass(frozen=True, slots=True)
class Replay:
    """A game to be stepped through on the board."""

    key: str
    title: str
    states: Sequence[State]
    moves: Sequence[str]
    """For each state, the move that led there in words."""
    end: str
    """How it ended; shown with the last state."""


class RunPanel(StillPicture, CommandedWidget):
    """A long run on the page; a subclass defines what runs and what is shown of it.

    When the panel leaves the page its run stops; it goes on when the panel is shown again.

    Args:
        work: what runs, see `background_run.Work`.
        first_state: what the board shows at first.
        start: whether to begin as soon as the panel is on the page.
        shown: the initial values of the traits.
    """

    board = anywidget.WidgetTrait().tag(sync=True)
    title = traitlets.Unicode().tag(sync=True)
    about = traitlets.Unicode(help="what runs, and from which seed").tag(sync=True)
    headline = traitlets.Unicode().tag(sync=True)
    message = traitlets.Unicode().tag(sync=True)
    progress = traitlets.Dict(help="{share, left, is_running}").tag(sync=True)
    commands = traitlets.List(traitlets.Unicode(), help="the buttons that can be used now").tag(
        sync=True
    )
    charts = traitlets.List(traitlets.Unicode(), help="SVG").tag(sync=True)
    cluster = traitlets.Unicode(help="which cluster works").tag(sync=True)
    replay = traitlets.Dict(help="the game on the board: key, ply, num_plies, words").tag(sync=True)

    def __init__(self, work: Work, first_state: State, *, start: bool, **shown: Any) -> None:
        self._lock = threading.RLock()
        self._run = BackgroundRun(
            work, self._lock, RunListener(self._show_news, self._end, self._fail)
        )
        self._starts_when_seen = start
        self._replayed: Replay | None = None
        board = BoardWidget(
            BoardView(first_state.board()),
            player_names=first_state.player_names,
            title=f"{first_state.title} board",
        )
        super().__init__(board=board, **shown)

    # What other cells may do

    def start(self) -> None:
        """Do the rest of the work in the background."""
        with self._lock:
            if not self._is_complete():
                self.message = ""
                self._run.start()
                self._publish()

    def stop(self) -> None:
        """Stop soon; finished work is kept, and `start` continues from there."""
        with self._lock:
            self._starts_when_seen = False
            self._run.stop()
            self._publish()

    def wait(self, seconds: float | None = LONGEST_WAIT) -> bool:
        """Wait until the run has ended, at most this many seconds; whether it has.

        The run goes on even if it has not. Without `seconds`, a cell waits for a moment only, so
        that *Run All* is not held up; with None it waits for as long as the run takes.
        """
        return self._run.wait(seconds)

    # What each panel adds

    def _is_complete(self) -> bool:
        """Whether there is nothing left to do."""
        raise NotImplementedError

    def _show_news(self, news: Any) -> None:
        """There is progress."""
        raise NotImplementedError

    def _end(self, outcome: Any) -> None:
        """The run has ended."""
        raise NotImplementedError

    def _status(self) -> RunStatus:
        """How far it has come."""
        raise NotImplementedError

    # Shared

    @contextmanager
    def _connected(self, address: str | None) -> Iterator[Executor | None]:
        """The executor of the cluster with this address, if there is one; the page names it."""
        try:
            if address:
                with self._lock:
                    self.cluster = f"Working on the cluster {address}"
            with open_cluster(address) as executor:
                yield executor
        finally:
            with self._lock:
                self.cluster = ""

    def _publish(self) -> None:
        """Update everything that depends on whether something is running."""
        status, is_running = self._status(), self._run.is_running
        is_wanted = is_running and self._run.is_wanted
        if is_wanted:
            headline, commands = status.running, ["stop"]
        elif is_running:
            headline, commands = status.stopping, []
        elif self._is_complete():
            headline, commands = status.complete, []
        elif status.share:
            headline, commands = status.stopped, ["resume"]
        else:
            headline, commands = status.ready, ["start"]
        with self.hold_sync():
            self.progress = {
                "share": status.share,
                "left": status.seconds_left if is_wanted else None,
                "is_running": is_running,
            }
            self.headline, self.commands = headline, commands

    def _replay_game(self, game: Replay, ply: int) -> None:
        self._replayed = game
        self._show_ply(ply)

    def _show_ply(self, ply: int) -> None:
        game = self._replayed
        if game is None:
            return
        last = len(game.states) - 1
        ply = min(max(ply, 0), last)
        with self.hold_sync():
            self.board.show(BoardView(game.states[ply].board()))
            self.replay = {
                "key": game.key,
                "title": game.title,
                "ply": ply,
                "num_plies": last,
                "move": game.moves[ply],
                "end": game.end if ply == last else "",
            }

    def still_svg(self) -> str:
        """The first chart, for a page without a kernel."""
        return self.charts[0] if self.charts else ""

    def _fail(self, error: Exception) -> None:
        self._say_error(error)
        self._publish()

    # The page

    def _handle_command(self, content: Any) -> None:
        match content:
            case {"command": "start" | "resume"}:
                self.start()
            case {"command": "stop"}:
                self.stop()
            case {"command": "show_ply", "ply": int(ply)}:
                self._show_ply(ply)

    def _note_event(self, event: str) -> None:
        """Stop a run that no page shows.

        A page that is reloaded sends no message when it closes, so the run continues meanwhile.
        """
        if event == "view_opened" and self._starts_when_seen:
            self._starts_when_seen = False
            self.start()
        elif event == "view_closed" and not self._views and self._run.is_wanted:
            self.stop()
            self._starts_when_seen = True


def when_free(
    work: Callable[[], Done],
    in_use: type[Exception],
    must_stop: Callable[[], bool],
    *,
    patience: float,
    waiting: Callable[[], None] = lambda: None,
) -> Done | None:
    """What `work` returns once its file is free; None if it must stop before that.

    A panel that was just left is still finishing its run and uses the file until then.

    Args:
        work: called until it no longer raises `in_use`.
        in_use: the exception that means that the file is in use.
        must_stop: whether to give up.
        patience: the seconds after which `in_use` is raised.
        waiting: called before each wait.
    """
    deadline = time.monotonic() + patience
    while True:
        try:
            return work()
        except in_use:
            if must_stop():
                return None
            if time.monotonic() > deadline:
                raise
        waiting()
        time.sleep(_BETWEEN_LOOKS)
