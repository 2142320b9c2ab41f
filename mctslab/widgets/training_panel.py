"""A training run in a notebook: a net that learns while you watch, and that you can stop any time.

A thread trains (`mctslab.net.train`), the folder stores every iteration,
`training_report.py` computes what is shown of them, and `mctslab.draw.training` draws it. PyTorch
is loaded by `mctslab.net`, and only when a panel is made.
"""

import os
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import traitlets

from mctslab.widgets import training_report as report
from mctslab.widgets.front_end import joined
from mctslab.widgets.run_panel import RunPanel, RunStatus, when_free

if TYPE_CHECKING:
    from mctslab.net import Benchmark, TrainingConfig

PATIENCE: Final = 60.0
"""Seconds to wait for a folder while a panel that was just left is finishing its iteration
there."""

DRAWING_SHARE: Final = 0.1
"""The share of the time that drawing curves can take while a net is trained."""
LONGEST_REST: Final = 10.0
"""Seconds after which new curves are drawn in any case."""

_GAPS: Final = 6
"""The number of newest iterations from which the remaining time is estimated."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """An iteration, or a measurement of its net, is in the folder."""

    is_last: bool


@dataclass(frozen=True, slots=True)
class _Ended:
    """The training has ended."""

    is_complete: bool


class TrainingPanel(RunPanel):
    """Train a net, or go on training it, and watch.

    Start, Stop and Resume are buttons. Stop takes effect when the current iteration is in the
    folder, and Resume continues as if nothing had happened: the resulting net is the same to the
    last bit. The same is true for a new panel on the same folder, even after the kernel was
    restarted. You can step through the newest game with the buttons or the arrow keys.

    Args:
        config: the settings of the run.
        out: the folder of the run; created if it does not exist.
        benchmark: the opponents against which the net is measured during training, if any.
        reference: runs to compare with, as for `net.read_reference`, such as `reversi6`. Behind
            each curve a band shows the range of these runs.
        start: whether to begin as soon as the panel is on the page.
        cluster: the address of a scheduler of Dask whose workers play, such as
            `tcp://192.168.1.5:8786`, or `local:4` for four processes of this machine.

    Raises:
        ModuleNotFoundError: PyTorch is not installed.
        ValueError: `reference` contains no runs.
        OSError: `reference` can't be read.
    """

    _esm = joined("common.js", "words.js", "run_panel.js", "training_panel.js")
    _css = joined("common.css", "run_panel.css", "training_panel.css")

    note = traitlets.Unicode(help="what was found at first").tag(sync=True)
    warning = traitlets.Unicode(help="why the bands may not fit").tag(sync=True)
    figures = traitlets.List(traitlets.List(), help="[label, value, remark]").tag(sync=True)
    newest = traitlets.Unicode(help="which game is newer than the one on the board").tag(sync=True)

    def __init__(
        self,
        config: "TrainingConfig",
        out: str | os.PathLike[str],
        *,
        benchmark: "Benchmark | None" = None,
        reference: str | os.PathLike[str] | None = None,
        start: bool = False,
        cluster: str | None = None,
    ) -> None:
        from mctslab.net.reference import read_reference

        self.config = config
        self.folder = Path(out)
        self._benchmark = benchmark
        self._address = cluster
        self._reference = None if reference is None else read_reference(reference)
        self._log: list[dict[str, Any]] = []
        self._strength: list[Any] = []
        self._ends: deque[float] = deque(maxlen=_GAPS)
        self._is_waiting = False
        self._is_drawing = self._wants_drawing = False
        self._at_once = threading.Event()
        first_state = config.first_state()
        super().__init__(
            self._train,
            first_state,
            start=start,
            title=f"A net learns {first_state.title}",
            about=_about(config, self.folder),
            warning=report.other_settings(
                self._reference.differences(config) if self._reference else ()
            ),
        )
        with self._errors_said():
            self._read_folder()
            self.note = report.found(str(self.folder), len(self._log), config.num_iterations)
        self._show()
        self._draw_soon()

    # What other cells can read

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

    # Training

    def _train(self, tell: Callable[[_Kept], object], must_stop: Callable[[], bool]) -> _Ended:
        from mctslab.net.run_folder import FolderInUseError, train

        def note(iteration: Any) -> None:
            self._note_iteration(asdict(iteration))
            tell(_Kept(iteration.number >= self.config.num_iterations))

        def note_measurement(measured: Any) -> None:
            self._note_measurement(measured)
            tell(_Kept(False))

        options: dict[str, Any] = {"progress": note, "stop": must_stop}
        if self._benchmark is not None:
            options |= {"benchmark": self._benchmark, "measured": note_measurement}

        def go_on() -> bool:
            self._ends.clear()
            self._ends.append(time.monotonic())
            with self._connected(self._address) as executor:
                return train(self.config, self.folder, executor=executor, **options).is_done

        is_done = when_free(
            go_on, FolderInUseError, must_stop, patience=PATIENCE, waiting=self._show_waiting
        )
        return _Ended(bool(is_done))

    def _show_waiting(self) -> None:
        with self._lock:
            if not self._is_waiting:
                self._is_waiting = True
                self._publish()

    def _note_iteration(self, line: dict[str, Any]) -> None:
        with self._lock:
            self._is_waiting = False
            self.note = ""
            self._ends.append(time.monotonic())
            # Lines of the log after the checkpoint were removed and will be written again.
            self._log = [each for each in self._log if each["number"] < line["number"]] + [line]

    def _note_measurement(self, measured: Any) -> None:
        with self._lock:
            key = (measured.iteration, measured.opponent)
            self._strength = [e for e in self._strength if (e.iteration, e.opponent) != key]
            self._strength.append(measured)

    def _read_folder(self) -> None:
        """What is in the folder already."""
        from mctslab.net.run_folder import check_settings
        from mctslab.net.run_log import read_log, read_strength

        self._log = read_log(self.folder)
        self._strength = list(read_strength(self.folder))
        check_settings(self.folder, self.config)

    def _is_complete(self) -> bool:
        return len(self._log) >= self.config.num_iterations

    def _show_news(self, news: _Kept) -> None:
        self._show()
        self._draw_soon()

    def _end(self, outcome: _Ended) -> None:
        self._is_waiting = False
        self._show()
        self._draw_soon()

    def _fail(self, error: Exception) -> None:
        self._is_waiting = False
        super()._fail(error)
        self._draw_soon()

    def _say_error(self, error: Exception) -> None:
        self.message = report.problem(error)

    # What is shown

    def _show(self) -> None:
        with self.hold_sync():
            self.figures = report.figures(self._log, self._strength)
            self._offer_newest_game()
            self._publish()

    def _status(self) -> RunStatus:
        done, total = len(self._log), self.config.num_iterations
        reached = report.reached(done, total)
        waiting = "Waiting for the folder, which another run is still using …"
        return RunStatus(
            share=done / total,
            seconds_left=self._seconds_left(),
            ready=f"Ready for {total} iterations",
            running=waiting if self._is_waiting else reached,
            stopping="Stopping at the end of this iteration …",
            stopped=f"Stopped after {reached}",
            complete=f"All {total} iterations are done",
        )

    def _seconds_left(self) -> float | None:
        """An estimate from the newest iterations of this session; None before there are any."""
        num_gaps = len(self._ends) - 1
        if num_gaps < 1:
            return None
        gap = (self._ends[-1] - self._ends[0]) / num_gaps
        return gap * (self.config.num_iterations - len(self._log))

    # Curves: Matplotlib takes a while, and the page should not have to wait for it

    def _draw_soon(self) -> None:
        with self._lock:
            if not (self._log or self._reference):
                return  # all axes would be empty
            self._wants_drawing = True
            if not self._run.is_running:
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
            began = time.monotonic()
            with self._errors_said():
                charts = [
                    report.curves(log, strength, self.config.num_iterations, self._reference).svg
                ]
                with self._lock:
                    self.charts = charts
                if not self._run.is_running:
                    self.renew_still()
            if self._run.is_running:
                self._at_once.wait(min(LONGEST_REST, (time.monotonic() - began) / DRAWING_SHARE))

    def still_note(self) -> str:
        """How far it has come, and how to go on."""
        return f"{self.title}: {self.headline}. Run this cell again to go on or to see more."

    # The newest game

    def _handle_command(self, content: Any) -> None:
        match content:
            case {"command": "newest_game"}:
                self._show_newest_game()
            case _:
                super()._handle_command(content)

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
            first_state = self.config.first_state()
            self.newest = ""
            replay = report.sample_game(first_state, line["sample_game"], line["number"])
            self._replay_game(replay, len(replay.states) - 1)


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
