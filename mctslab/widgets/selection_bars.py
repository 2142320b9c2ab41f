"""Bars of exploitation and exploration that grow while a search runs.

The search runs in small pieces in a thread, so that it can be watched at any speed, stopped, and
run step by step. Python draws the bars, with the function that also draws them as a still picture,
and the page shows them.
"""

import threading
import time
from typing import Any, Final

import traitlets

from mctslab import draw
from mctslab.draw.selection_bars import MOST_ROWS, bars_svg, selection_rows
from mctslab.games.state import State
from mctslab.search.puct_search import DirichletNoise, puct_search
from mctslab.search.result import SearchResult
from mctslab.search.selection import SelectionRule, puct
from mctslab.widgets.front_end import CommandedWidget, StillPicture, joined
from mctslab.widgets.selection_run import SearchFunction, SelectionRun

SPEEDS: Final = (1, 5, 20, 100, 500, 2_000)
"""The speeds that can be chosen, in simulations per second."""

PICTURES_A_SECOND: Final = 10
LONGEST_PIECE: Final = 0.08
"""Seconds that one piece of the search takes; with a slow evaluator the chosen speed is not
reached."""

_BREATH: Final = 0.005
"""Seconds between two pieces, in which others can take the lock."""

STILL_SIMULATIONS: Final = 100
STILL_SECONDS: Final = 0.5


class SelectionBars(StillPicture, CommandedWidget):
    """Watch how a search chooses: Q and U of the moves at its root, simulation by simulation.

    Step, run at any speed, pause, go to the end, and begin again with the same random numbers. On
    the
    keyboard: space runs and pauses, the right arrow makes a step, End goes to the end and Home
    begins again.

    Args:
        state: The position to think about.
        search: The search: `mctslab.search.puct_search`, `mctslab.search.mcts`, or one of your own
            with the same arguments. It is called again and again, with `root` the tree so far.
        selection: The selection rule, `mctslab.search.puct()` or `mctslab.search.ucb1()`.
        num_simulations: The number of simulations in the whole search.
        seed: The seed of the random numbers; the same seed gives the same search.
        noise: Noise that is mixed into the priors of the root once; None for none.
        most: The largest number of moves that are shown.
        speed: Simulations a second, one of those that can be chosen on the page.
        options: Further arguments of the search function, such as `evaluator`.

    Raises:
        ValueError: the game is over, or a number is not allowed; the message says which.
    """

    _esm = joined("common.js", "selection_bars.js")
    _css = joined("common.css", "selection_bars.css")

    title = traitlets.Unicode().tag(sync=True)
    bars = traitlets.Unicode(help="the bars as SVG").tag(sync=True)
    board = traitlets.Unicode(help="the position with the visits of those moves, as SVG").tag(
        sync=True
    )
    progress = traitlets.Dict(help="simulations made so far, and their total").tag(sync=True)
    is_running = traitlets.Bool().tag(sync=True)
    speed = traitlets.Int(help="simulations a second").tag(sync=True)
    speeds = traitlets.List(traitlets.Int(), help="those that can be chosen").tag(sync=True)
    message = traitlets.Unicode(help="why the search can't go on").tag(sync=True)

    def __init__(
        self,
        state: State,
        search: SearchFunction = puct_search,
        *,
        selection: SelectionRule = puct(),
        num_simulations: int = 1_000,
        seed: int = 1,
        noise: DirichletNoise | None = None,
        most: int = MOST_ROWS,
        speed: int = SPEEDS[2],
        **options: Any,
    ) -> None:
        if most < 1:
            raise ValueError(f"most={most!r} leaves nothing to show: at least 1.")
        self._lock = threading.RLock()
        self._run = SelectionRun(
            state,
            search,
            selection=selection,
            num_simulations=num_simulations,
            seed=seed,
            noise=noise,
            **options,
        )
        self._most = most
        self._generation = 0
        self._is_hurried = False
        self._thread: threading.Thread | None = None
        super().__init__(
            title=f"Selection in {state.title}", speeds=list(SPEEDS), speed=_checked_speed(speed)
        )
        self._show()

    @property
    def result(self) -> SearchResult | None:
        """The search so far; None before its first simulation."""
        with self._lock:
            return self._run.result

    # Commands: each is a button, and can be called from a cell

    def step(self, num_simulations: int = 1) -> None:
        """Run one more simulation, or `number` of them; a running search is paused.

        Raises:
            ValueError: `num_simulations` is below 1; and whatever the search raises.
        """
        if num_simulations < 1:
            raise ValueError(f"num_simulations={num_simulations!r} is not possible: at least 1.")
        with self._lock:
            self.pause()
            self.message = ""
            self._run.advance(num_simulations)
            self._show()

    def run(self) -> None:
        """Run at the chosen speed until the end or a pause."""
        with self._lock:
            if self.is_running or self._run.is_complete:
                return
            self._generation += 1
            self.is_running, self.message = True, ""
            self._thread = threading.Thread(
                target=self._keep_running,
                args=(self._generation,),
                name="mctslab bars",
                daemon=True,
            )
            self._thread.start()

    def pause(self) -> None:
        """Stop where the search is now."""
        with self._lock:
            self._generation += 1
            self._is_hurried = False
            self.is_running = False

    def finish(self) -> None:
        """Run all remaining simulations as fast as possible."""
        with self._lock:
            self._is_hurried = True
            self.run()

    def reset(self) -> None:
        """Begin again, without a tree and with the same random numbers."""
        with self._lock:
            self.pause()
            self._run.reset()
            self.message = ""
            self._show()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until no search is running; whether that is so."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)
        return thread is None or not thread.is_alive()

    # Running

    def _keep_running(self, generation: int) -> None:
        next_time = time.monotonic()
        while True:
            with self._lock:
                if generation != self._generation:
                    return
                try:
                    self._make_piece()
                except Exception as error:  # otherwise it would be lost in the thread
                    self._end(f"{type(error).__name__}: {error}")
                    return
                if self._run.is_complete:
                    self._end()
                    return
                next_time = max(next_time + self._seconds_of_a_picture(), time.monotonic())
            time.sleep(max(0.0, next_time - time.monotonic()) + _BREATH)

    def _make_piece(self) -> None:
        number = max(1, round(self.speed / PICTURES_A_SECOND))
        if self._is_hurried:
            number = self._run.num_simulations
        self._run.advance(number, seconds=LONGEST_PIECE)
        self._show()

    def _seconds_of_a_picture(self) -> float:
        return 0.0 if self._is_hurried else max(1 / self.speed, 1 / PICTURES_A_SECOND)

    def _end(self, message: str = "") -> None:
        self._is_hurried = False
        with self.hold_sync():
            self.is_running = False
            self.message = message
        self.renew_still()

    # What is shown

    def _show(self) -> None:
        with self.hold_sync():
            for name, value in self._shown(self._run).items():
                self.set_trait(name, value)

    def _shown(self, run: SelectionRun) -> dict[str, Any]:
        """The traits that show how far a run is."""
        rows = selection_rows(run.root, run.selection, self._most)
        heat = {row.action: row.visit_count for row in rows if row.visit_count}
        return {
            "bars": bars_svg(run.root, run.selection, self._most),
            "board": draw.board(run.state, heat=heat, legend=False).svg,
            "progress": {"done": run.num_done, "of": run.num_simulations},
        }

    def without_python(self) -> dict[str, Any]:
        """The whole search as frames: each simulation at first, later every twentieth part."""
        with self._lock:
            run = self._run.fresh()
        frames = [self._shown(run)]
        while not run.is_complete:
            run.advance(max(1, run.num_done // 20))
            frames.append(self._shown(run))
        return {"frames": frames}

    def still_svg(self) -> str:
        """The current bars, or those after some simulations, for a page without a kernel."""
        with self._lock:
            run = self._run
            if not run.num_done:
                run = run.fresh()
                run.advance(STILL_SIMULATIONS, seconds=STILL_SECONDS)
            return bars_svg(run.root, run.selection, self._most)

    def still_note(self) -> str:
        """The line under that picture."""
        return "The scores of the moves at the root. Run this cell again to watch them change."

    # The browser

    def _handle_command(self, content: Any) -> None:
        match content:
            case {"command": "speed", "value": int(speed)}:
                self.speed = _checked_speed(speed)
            case {"command": "step" | "run" | "pause" | "finish" | "reset" as command}:
                getattr(self, command)()

    def _note_event(self, event: str) -> None:
        """Stop a search that no page shows."""
        if not self._views:
            self.pause()


def _checked_speed(speed: int) -> int:
    if speed not in SPEEDS:
        raise ValueError(
            f"speed={speed!r} can't be chosen; simulations a second are one of "
            f"{', '.join(map(str, SPEEDS))}."
        )
    return speed
