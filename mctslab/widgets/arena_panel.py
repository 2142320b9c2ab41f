"""The arena in a notebook: a match or a tournament that runs while you go on working.

Other processes play, a thread waits for them (`background_run.py`), and `arena_report.py` computes
what is shown of the games so far. `run_panel.py` contains what all such panels share.
"""

import os
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, Final

import traitlets

from mctslab import arena
from mctslab.arena import SPRT, Entry, FileInUseError, Progress, Standing
from mctslab.games.state import State
from mctslab.widgets import arena_report as report
from mctslab.widgets.arena_report import Result
from mctslab.widgets.front_end import joined
from mctslab.widgets.run_panel import Replay, RunPanel, RunStatus, when_free

PATIENCE: Final = 10.0
"""Seconds to wait for a file while a panel that was just left is still finishing its match
there."""


class ArenaPanel(RunPanel):
    """Play a match between two players, or a tournament of several, and watch it.

    Start, Stop and Resume are buttons; every finished game can be replayed. Later cells find the
    games so far in `result`. When the panel leaves the page, its match stops; it goes on when the
    panel is shown again.

    Args:
        game: A name that `games.make` knows, or the position where every game begins.
        players: Two for a match, more for a tournament; each as in `arena.match`.
        num_games: How many games, between any two.
        seed: The seed of all random numbers, 0 or more.
        game_options: For `games.make`, such as `{"size": 6}`.
        opening_plies: The number of random plies at the start of each game.
        seconds_per_move: A player who takes longer for one move loses the game; None for no limit.
        sprt: Stop a match as soon as this test has decided.
        processes: How many games are played at once, each in a process of its own. None: one after
            the other in the kernel itself, which is slower but the only way for players that are
            defined in the notebook.
        file: Where finished games are stored; a panel with the same arguments and file continues
            from there. Without a file they are lost with the panel.
        start: Whether to begin as soon as the panel is on the page.
        cluster: The address of a scheduler of Dask whose workers play, such as
            `tcp://192.168.1.5:8786`, or `local:4` for four processes of this machine.

    Raises:
        ValueError: no such game or player, a number that makes no sense, or a file that holds
            something else.
        TypeError: an entry of `players` is not a player.
        OSError: the file cannot be read.
    """

    _esm = joined("common.js", "words.js", "run_panel.js", "arena_panel.js")
    _css = joined("common.css", "run_panel.css")

    score = traitlets.Dict(help="of a match, with intervals").tag(sync=True)
    standings = traitlets.Dict(help="head and rows, of a tournament").tag(sync=True)
    players = traitlets.Dict(help="head and rows: times, work, losses").tag(sync=True)
    warnings = traitlets.List(traitlets.Unicode()).tag(sync=True)
    games = traitlets.List(traitlets.List(), help="[key, label] of each game").tag(sync=True)

    def __init__(
        self,
        game: str | State,
        players: Sequence[Entry],
        *,
        num_games: int = 100,
        seed: int,
        game_options: Mapping[str, Any] | None = None,
        opening_plies: int = 0,
        seconds_per_move: float | None = None,
        sprt: SPRT | None = None,
        processes: int | None = 1,
        file: str | os.PathLike[str] | None = None,
        start: bool = False,
        cluster: str | None = None,
    ) -> None:
        if sprt is not None and len(players) != 2:
            raise ValueError("A sequential test is between two players.")
        self._play = _player_of(
            game,
            players,
            num_games=num_games,
            seed=seed,
            game_options=game_options,
            opening_plies=opening_plies,
            seconds_per_move=seconds_per_move,
            processes=processes,
            **({} if sprt is None else {"sprt": sprt}),
        )
        self._address = cluster
        self._file = None if file is None else Path(file)
        self._result = self._games_so_far()
        self._own_folder = None if file is not None else tempfile.TemporaryDirectory()
        if self._own_folder is not None:
            self._file = Path(self._own_folder.name) / "games.jsonl"
        self._num_pairings = len(self._result.names) * (len(self._result.names) - 1) // 2
        self._seconds_left: float | None = None
        super().__init__(
            self._play_on,
            self._result.first_state,
            start=start,
            title=report.title(self._result.names),
            about=_about(self._result, seed, opening_plies, seconds_per_move, file),
        )
        self._show_result()
        self.charts = report.charts(self._result)
        self._publish()

    # What other cells can read and do

    @property
    def result(self) -> Result:
        """The games so far: a `MatchResult` of two players, a `Tournament` of more."""
        with self._lock:
            return self._result

    def _is_complete(self) -> bool:
        return self._result.is_complete

    # Playing

    def _games_so_far(self) -> Result:
        """The games in the file; it also checks the arguments."""
        nothing = self._play(None, lambda: True, None, None)
        if self._file is None or not self._file.exists():
            return nothing
        try:
            return self._play(None, lambda: True, self._file, None)
        except FileInUseError:
            return arena.load(self._file, nothing.first_state)

    def _play_on(self, progress: Progress, stop: Callable[[], bool]) -> Result:
        with self._connected(self._address) as executor:
            played = when_free(
                lambda: self._play(progress, stop, self._file, executor),
                FileInUseError,
                stop,
                patience=PATIENCE,
            )
        return self._result if played is None else played

    def _show_news(self, standing: Standing) -> None:
        self._result, self._seconds_left = standing.make_result(), standing.seconds_left
        self._show_result()
        self._publish()

    def _end(self, result: Result) -> None:
        self._result, self._seconds_left = result, None
        self._show_result()
        self._publish()
        # Matplotlib takes a second to load, and the page should not have to wait for it.
        threading.Thread(target=self._draw, name="mctslab drawing", daemon=True).start()

    def _draw(self) -> None:
        """Draw the charts of the games so far."""
        with self._errors_said():
            charts = report.charts(self._result)
            with self._lock:
                self.charts = charts
            self.renew_still()

    # The page

    def _handle_command(self, content: Any) -> None:
        match content:
            case {"command": "pick", "game": str(key)}:
                self._pick(key)
            case _:
                super()._handle_command(content)

    # What is shown

    def _status(self) -> RunStatus:
        result, played = self._result, len(self._result.games)
        total = result.num_games * self._num_pairings
        of_total = f"{'at most ' if getattr(result, 'sprt', None) else ''}{total} games"
        return RunStatus(
            share=1.0 if result.is_complete else played / total,
            seconds_left=self._seconds_left,
            ready=f"Ready to play {of_total}",
            running=f"{played} of {of_total}",
            stopping="Stopping …",
            stopped=f"Stopped after {played} of {of_total}",
            complete=report.end_in_words(result),
        )

    def _show_result(self) -> None:
        result = self._result
        with self.hold_sync():
            self.score = report.score_data(result)
            self.standings = report.standings_data(result)
            self.players = report.players_data(result)
            self.warnings = list(result.warnings())
            self.games = report.game_list(result)

    def still_note(self) -> str:
        """The result in words, and how to go on."""
        words = "; ".join(str(self._result).splitlines()) if self._result.games else self.title
        return f"{words}. Run this cell again to see more."

    # Replaying a game

    def _pick(self, key: str) -> None:
        first_state = self._result.first_state
        for game in self._result.games:
            if report.key_of(game) == key:
                states = game.states(first_state)
                replay = Replay(
                    report.key_of(game),
                    report.replay_title(game, first_state.player_names),
                    states,
                    list(report.moves_in_words(game, first_state)),
                    report.replay_end(game, states[-1]),
                )
                self._replay_game(replay, 0)


def _player_of(
    game: str | State, players: Sequence[Entry], **settings: Any
) -> Callable[[Progress | None, Callable[[], bool], Path | None, Executor | None], Result]:
    """What plays the match, or the tournament, into a file."""
    entries = list(players)

    def play(
        progress: Progress | None,
        stop: Callable[[], bool],
        file: Path | None,
        executor: Executor | None,
    ) -> Result:
        given = {"progress": progress, "stop": stop, "file": file, "executor": executor}
        options = {**settings, **given}
        if len(entries) == 2:
            return arena.match(game, *entries, **options)
        return arena.round_robin(game, entries, **options)

    return play


def _about(
    result: Result,
    seed: int,
    opening_plies: int,
    seconds_per_move: float | None,
    file: str | os.PathLike[str] | None,
) -> str:
    parts = [result.first_state.title, f"{result.num_games} games", f"seed {seed}"]
    if len(result.names) > 2:
        parts[1] += " between any two"
    if opening_plies:
        parts.append(f"{opening_plies} random plies at the start of each game")
    if seconds_per_move is not None:
        parts.append(f"at most {seconds_per_move:g} s a move")
    if file is not None:
        parts.append(f"kept in {os.fspath(file)}")
    return ", ".join(parts)
