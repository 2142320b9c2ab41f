"""A training run in a notebook: a net that learns while you watch, and that you can stop any time.

A thread trains (`mctslab.net.train`), the folder stores every iteration,
`training_report.py` computes what is shown of them, and `mctslab.draw.training` draws it in another
thread. The synced traits are the whole state of the page, the browser sends commands, and only the
thread that holds the lock changes what is shown. PyTorch is loaded by `mctslab.net`, and only when
a panel is made.
"""

import os
import threading
import time
from collections import deque
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final

import anywidget
import traitlets

from mctslab.games.state import State
from mctslab.widgets import training_report as report
from mctslab.widgets.board_view import board_look, position_of
from mctslab.widgets.front_end import CommandedWidget, StillPicture, bundled, joined
from mctslab.widgets.learning_board import LearningBoard
from mctslab.widgets.net_panel import ask

if TYPE_CHECKING:
    from mctslab.net import Benchmark, TrainingConfig
    from mctslab.net.own_net import MakeNet

LONGEST_WAIT: Final = 15.0
"""Seconds that a cell waits for a run if it says no other number."""
PATIENCE: Final = 60.0
"""Seconds to wait for a folder while a panel that was just left is finishing its iteration
there."""
_BETWEEN_LOOKS: Final = 0.1

SHORTEST_WAIT: Final = 0.2
"""The least number of seconds between two times that progress is shown."""
DRAWING_SHARE: Final = 0.1
"""The share of the time that drawing curves can take while a net is trained."""
LONGEST_REST: Final = 10.0
"""Seconds after which new curves are drawn in any case."""

_GAPS: Final = 6
"""The number of newest iterations from which the remaining time is estimated."""
_WAITING: Final = "Waiting for the folder, which another run is still using …"


class TrainingPanel(StillPicture, CommandedWidget):
    """Train a net, or go on training it, and watch.

    Start, Stop and Resume are buttons. Stop takes effect when the current iteration is in the
    folder, and Resume continues as if nothing had happened: the resulting net is the same to the
    last bit. The same is true for a new panel on the same folder, even after the kernel was
    restarted. A panel that leaves the page stops, and goes on when it is shown again. You can step
    through the newest game with the buttons or the arrow keys.

    Args:
        config: the settings of the run.
        out: the folder of the run; created if it does not exist.
        make_net: makes a net of your own, as for `net.train`.
        benchmark: the opponents against which the net is measured during training, if any.
        reference: runs to compare with, as for `net.read_reference`, such as `reversi6`. Behind
            each curve a band shows the range of these runs.
        bands: whether these bands are shown at first; a button shows and hides them.
        position: a position in which the net is seen learning, after each iteration; see
            `LearningBoard`. What was seen is kept in the folder.

    Raises:
        ModuleNotFoundError: PyTorch is not installed.
        ValueError: `reference` contains no runs, or `position` is of another board.
        OSError: `reference` can't be read.
    """

    _esm = bundled("training_panel.js")
    _css = joined("common.css", "training_panel.css")

    seen = anywidget.WidgetTrait().tag(sync=True)
    title = traitlets.Unicode().tag(sync=True)
    about = traitlets.Unicode(help="what runs, and from which seed").tag(sync=True)
    headline = traitlets.Unicode().tag(sync=True)
    note = traitlets.Unicode(help="what was found at first").tag(sync=True)
    message = traitlets.Unicode(help="what went wrong").tag(sync=True)
    warning = traitlets.Unicode(help="why the bands may not fit").tag(sync=True)
    progress = traitlets.Dict(help="{share, left, is_running}").tag(sync=True)
    commands = traitlets.List(traitlets.Unicode(), help="the buttons that can be used now").tag(
        sync=True
    )
    figures = traitlets.List(traitlets.List(), help="[label, value, remark]").tag(sync=True)
    charts = traitlets.List(traitlets.Unicode(), help="SVG").tag(sync=True)
    bands = traitlets.Dict(help="{num_runs, is_shown}, of the runs to compare with").tag(sync=True)
    look = traitlets.Dict(help="the pieces and names of the board").tag(sync=True)
    replay = traitlets.Dict(
        help="the game on the board: key, title, ply, num_plies, move, end, position"
    ).tag(sync=True)
    newest = traitlets.Unicode(help="which game is newer than the one on the board").tag(sync=True)

    def __init__(
        self,
        config: "TrainingConfig",
        out: str | os.PathLike[str],
        *,
        make_net: "MakeNet | None" = None,
        benchmark: "Benchmark | None" = None,
        reference: str | os.PathLike[str] | None = None,
        bands: bool = True,
        position: State | None = None,
    ) -> None:
        from mctslab.net.reference import read_reference

        self.config = config
        self.folder = Path(out).absolute()  # a run outlives a change of the working folder
        self._make_net = make_net
        self._benchmark = benchmark
        self._reference = None if reference is None else read_reference(reference)
        self._log: list[dict[str, Any]] = []
        self._strength: list[Any] = []
        self._replayed: report.Replay | None = None

        self._lock = threading.RLock()
        self._thread: threading.Thread | None = None
        self._is_wanted = False
        self._is_waiting = False
        self._starts_when_seen = False
        self._ends: deque[float] = deque(maxlen=_GAPS)
        self._has_news, self._next_showing = False, 0.0
        self._is_drawing = self._wants_drawing = False
        self._at_once = threading.Event()

        first_state = config.first_state()
        num_runs = len(self._reference.runs) if self._reference else 0
        super().__init__(
            look=board_look(first_state.board(), first_state.player_names),
            seen=None if position is None else self._board_of(position),
            title=f"A net learns {first_state.title}",
            about=_about(config, Path(out)),
            bands={"num_runs": num_runs, "is_shown": bands and num_runs > 0},
        )
        with self._errors_said():
            self._read_folder()
            done = len(self._log)
            is_done = self._is_done(done)
            self.note = report.found(str(out), done, config.num_iterations, is_done)
        self._show()
        self._draw_soon()

    # What other cells can read and do

    @property
    def log(self) -> list[dict[str, Any]]:
        """The iterations so far, with the names of `mctslab.net.training.Iteration`."""
        with self._lock:
            return list(self._log)

    @property
    def net_file(self) -> Path:
        """The file with the newest net; there is one after the first iteration."""
        from mctslab.net.run_folder import CHECKPOINT

        return self.folder / CHECKPOINT

    def start(self) -> None:
        """Make the remaining iterations in the background."""
        with self._lock:
            if self._is_done(len(self._log)):
                return
            self.message = ""
            self._is_wanted = True
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._keep_training, name="mctslab training", daemon=True
                )
                self._thread.start()
            self._show()

    def stop(self) -> None:
        """Stop after the current iteration; `start` continues from there."""
        with self._lock:
            self._starts_when_seen = self._is_wanted = False
            self._show()

    def wait(self, seconds: float | None = LONGEST_WAIT) -> bool:
        """Wait until the run has ended, at most this many seconds; whether it has.

        The run goes on even if it has not. Without `seconds`, a cell waits for a moment only, so
        that *Run All* is not held up; with None it waits for as long as the run takes.
        """
        thread = self._thread
        if thread is not None:
            thread.join(seconds)
        return self._thread is None

    # Training, in a thread that continues while a cell runs and that no interrupt stops

    def _keep_training(self) -> None:
        try:
            while True:
                is_done = self._train()
                with self._lock:
                    # It may have been started again before it had stopped.
                    if is_done or not self._is_wanted:
                        self._end()
                        return
        except Exception as error:  # otherwise it would be lost in the thread
            with self._lock:
                self._say_error(error)
                self._end()

    def _end(self) -> None:
        self._is_wanted = self._is_waiting = False
        self._thread = None
        self._show()
        self._draw_soon()

    def _train(self) -> bool:
        """Make what remains, as soon as the folder is free; whether all of the run is done."""
        from mctslab.net.run_folder import FolderInUseError, train
        from mctslab.net.run_log import read_strength

        options: dict[str, Any] = {"progress": self._note_iteration, "stop": self._must_stop}
        if self._benchmark is not None:
            options |= {"benchmark": self._benchmark, "measured": self._note_measurement}
        deadline = time.monotonic() + PATIENCE
        while True:
            self._ends.clear()
            self._ends.append(time.monotonic())
            try:
                run = train(self.config, self.folder, make_net=self._make_net, **options)
                strength = read_strength(self.folder)  # also what another panel has measured
                with self._lock:
                    self._strength = strength
                    return self._is_done(run.num_iterations)
            except FolderInUseError:  # a panel that was just left is still finishing its iteration
                if self._must_stop():
                    return False
                if time.monotonic() > deadline:
                    raise
            with self._lock:
                self._is_waiting = True
                self._show()
            time.sleep(_BETWEEN_LOOKS)

    def _must_stop(self) -> bool:
        # This is called several times a second, so progress that came too fast is shown now.
        self._show_news()
        return not self._is_wanted

    def _note_iteration(self, iteration: Any) -> None:
        line = asdict(iteration)
        with self._lock:
            self._is_waiting = False
            self.note = ""
            self._ends.append(time.monotonic())
            # Lines of the log after the checkpoint were removed and will be written again.
            self._log = [each for each in self._log if each["number"] < line["number"]] + [line]
            self._has_news = True
        self._see(line["number"])
        self._show_news()

    def _note_measurement(self, measured: Any) -> None:
        with self._lock:
            key = (measured.iteration, measured.opponent)
            self._strength = [e for e in self._strength if (e.iteration, e.opponent) != key]
            self._strength.append(measured)
            self._has_news = True
        self._show_news()

    def _is_done(self, num_iterations: int) -> bool:
        """Whether the run is done with this number of iterations: the last net is measured, too."""
        total = self.config.num_iterations
        is_measured = not (self._benchmark and self._benchmark.missing(total, self._strength))
        return num_iterations >= total and is_measured

    def _read_folder(self) -> None:
        """What is in the folder already."""
        from mctslab.net.run_folder import check_settings
        from mctslab.net.run_log import read_log, read_strength

        self._log = read_log(self.folder)
        self._strength = list(read_strength(self.folder))
        check_settings(self.folder, self.config, self._make_net)
        if self.seen is not None:
            self.seen.show(self._kept_frames())

    # The position in which the net is seen learning

    def _board_of(self, position: State) -> LearningBoard:
        first_state = self.config.first_state()
        if position.game != first_state.game or not self.config.net_config().fits(position):
            raise ValueError(
                f"This net learns {first_state.title} on this board:\n{first_state}\n"
                f"but position= is another one:\n{position}"
            )
        if self.config.inputs.history > 1 and position.last_action is not None:
            raise ValueError(
                f"This net sees the last {self.config.inputs.history} positions, and position= is "
                "only one of them: expected the first position of the game."
            )
        return LearningBoard(position, title="The newest net in one position")

    def _kept_frames(self) -> list[dict[str, Any]]:
        """What an earlier panel has seen in this position, up to the newest iteration."""
        from mctslab.net.run_log import read_seen

        kept = read_seen(self.folder, str(self.seen.state))
        return [frame for frame in kept if frame["iteration"] <= len(self._log)]

    def _see(self, iteration: int) -> None:
        """Show what the net of this iteration, the newest, answers in the position."""
        if self.seen is None:
            return
        from mctslab.net import NetEvaluator
        from mctslab.net.checkpoint import load_checkpoint
        from mctslab.net.run_log import write_seen

        newest = load_checkpoint(self.net_file, self._make_net).net
        answer = ask(NetEvaluator(newest), self.seen.state)
        self.seen.show([each for each in self.seen.frames if each["iteration"] < iteration])
        self.seen.add(list(answer.policy.values()), answer.value, iteration)
        write_seen(self.folder, str(self.seen.state), self.seen.frames)

    # What is shown

    def _show_news(self) -> None:
        """Show what is new, unless something was shown a moment ago."""
        if not self._has_news or time.monotonic() < self._next_showing:
            return
        with self._lock:
            self._has_news = False
            self._show()
        self._draw_soon()
        self._next_showing = time.monotonic() + SHORTEST_WAIT

    def _show(self) -> None:
        """Update everything but the curves."""
        done, total = len(self._log), self.config.num_iterations
        reached = report.reached(done, total)
        is_running = self._thread is not None
        is_wanted = is_running and self._is_wanted
        if is_wanted:
            headline, commands = _WAITING if self._is_waiting else reached, ["stop"]
        elif is_running:
            headline, commands = "Stopping at the end of this iteration …", []
        elif self._is_done(done):
            headline, commands = f"All {total} iterations are done", []
        elif done >= total:
            headline = f"All {total} iterations are done, but not the last measurement"
            commands = ["resume"]
        elif done:
            headline, commands = f"Stopped after {reached}", ["resume"]
        else:
            headline, commands = f"Ready for {total} iterations", ["start"]
        with self.hold_sync():
            self.progress = {
                "share": done / total,
                "left": self._seconds_left() if is_wanted else None,
                "is_running": is_running,
            }
            self.headline, self.commands = headline, commands
            self.figures = report.figures(self._log, self._strength)
            self._offer_newest_game()

    def _seconds_left(self) -> float | None:
        """An estimate from the newest iterations of this session; None before there are any.

        Their median, since at first a match takes longer than all of them.
        """
        gaps = [after - before for before, after in pairwise([*self._ends])]
        left = self.config.num_iterations - len(self._log)
        return median(gaps) * left if gaps else None

    def _say_error(self, error: Exception) -> None:
        self.message = report.problem(error)

    def still_pictures(self) -> list[tuple[str, str]]:
        """The curves."""
        return [(chart, "Curves of the training") for chart in self.charts]

    def still_note(self) -> str:
        """How far it has come, and how to go on."""
        return f"{self.title}: {self.headline}. Run this cell again to go on or to see more."

    # Curves: Matplotlib takes a while, and the page should not have to wait for it

    def _shown_reference(self) -> Any:
        return self._reference if self.bands["is_shown"] else None

    def _draw_soon(self) -> None:
        with self._lock:
            shown = self._shown_reference()
            self.warning = report.other_settings(shown.differences(self.config) if shown else ())
            if not (self._log or shown):
                self.charts = []  # all axes would be empty
                return
            self._wants_drawing = True
            if self._thread is None:
                self._at_once.set()
            if not self._is_drawing:
                self._is_drawing = True
                name = "mctslab drawing"
                threading.Thread(target=self._keep_drawing, name=name, daemon=True).start()

    def _keep_drawing(self) -> None:
        while True:
            with self._lock:
                if not self._wants_drawing:
                    self._is_drawing = False
                    return
                self._wants_drawing = False
                self._at_once.clear()
                log, strength = list(self._log), list(self._strength)
                reference = self._shown_reference()
            began = time.monotonic()
            with self._errors_said():
                curves = report.curves(log, strength, self.config.num_iterations, reference)
                charts = [chart.svg for chart in curves]
                with self._lock:
                    self.charts = charts
                if self._thread is None:
                    self.renew_still()
            if self._thread is not None:
                self._at_once.wait(min(LONGEST_REST, (time.monotonic() - began) / DRAWING_SHARE))

    # The newest game

    def _newest_game(self) -> dict[str, Any] | None:
        return next((line for line in reversed(self._log) if line.get("sample_game")), None)

    def _offer_newest_game(self) -> None:
        """Show the newest game, or only mention it while an older one is stepped through."""
        line = self._newest_game()
        if line is None or self.replay.get("key") == str(line["number"]):
            return
        if not self.replay or self.replay["ply"] == self.replay["num_plies"]:
            self._show_newest_game()
        else:
            self.newest = f"There is a newer game, of iteration {line['number']}."

    def _show_newest_game(self) -> None:
        line = self._newest_game()
        if line is not None:
            self.newest = ""
            self._replayed = report.sample_game(
                self.config.first_state(), line["sample_game"], line["number"]
            )
            self._show_ply(len(self._replayed.states) - 1)

    def _show_ply(self, ply: int) -> None:
        game = self._replayed
        if game is None:
            return
        last = len(game.states) - 1
        ply = min(max(ply, 0), last)
        self.replay = {
            "key": game.key,
            "title": game.title,
            "ply": ply,
            "num_plies": last,
            "move": game.moves[ply],
            "end": game.end if ply == last else "",
            "position": position_of(game.states[ply].board()),
        }

    # The page

    def _handle_command(self, content: Any) -> None:
        match content:
            case {"command": "start" | "resume"}:
                self.start()
            case {"command": "stop"}:
                self.stop()
            case {"command": "show_ply", "ply": int(ply)}:
                self._show_ply(ply)
            case {"command": "newest_game"}:
                self._show_newest_game()
            case {"command": "bands", "value": bool(value)} if self._reference:
                self.bands = {**self.bands, "is_shown": value}
                self._at_once.set()
                self._draw_soon()

    def _note_event(self, event: str) -> None:
        """Stop a run that no page shows.

        A page that is reloaded sends no message when it closes, so the run continues meanwhile.
        """
        if event == "view_opened" and self._starts_when_seen:
            self._starts_when_seen = False
            self.start()
        elif event == "view_closed" and not self._views and self._is_wanted:
            self.stop()
            self._starts_when_seen = True


def _about(config: "TrainingConfig", folder: Path) -> str:
    blocks = "block" if config.num_blocks == 1 else "blocks"
    return ", ".join(
        (
            *(f"{name.replace('_', ' ')} {value}" for name, value in config.game_options.items()),
            f"{config.num_filters} filters in {config.num_blocks} {blocks}",
            f"{config.self_play.num_simulations} simulations a move",
            f"{config.num_iterations} iterations",
            f"seed {config.seed}",
            f"kept in {folder}",
        )
    )
