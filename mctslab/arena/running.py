"""Play a tournament: continue where a file ends, write each game, report the progress."""

import os
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing, nullcontext, suppress
from pathlib import Path
from typing import Any, Final, TypeAlias

from mctslab.arena.game import PlayedGame, Reason
from mctslab.arena.playing import play
from mctslab.arena.processes import play_by_executor, play_in_processes
from mctslab.arena.results import MatchResult, Tournament, elo_text, result_of
from mctslab.arena.results_file import kept, writing
from mctslab.arena.settings import Entry, Setup, make_setup
from mctslab.games.state import State
from mctslab.running_line import RunningLine
from mctslab.typed import Count, convert

_BAR_WIDTH: Final = 10


Progress: TypeAlias = Callable[[MatchResult | Tournament, bool], object]
"""Called with the result so far before the first game and after every game, and whether it is the
last call."""


class TextProgress:
    """Keeps a line with the running score up to date."""

    def __init__(self) -> None:
        self._line = RunningLine()
        self._began: tuple[float, int] | None = None  # when, and after how many games

    def __call__(self, result: MatchResult | Tournament, is_last: bool) -> None:
        """Write the line, if it is due."""
        num_played = len(result.games)
        self._began = self._began or (time.perf_counter(), num_played)
        began, before = self._began
        seconds, played = time.perf_counter() - began, num_played - before
        to_play = result.total_games - num_played
        left = seconds / played * to_play if played and not is_last else None
        self._line.update(lambda: _words(result, left), is_last=is_last)


def _words(result: MatchResult | Tournament, seconds_left: float | None) -> str:
    """A bar, the number of games, the running score, and the remaining time."""
    num_played, num_games = len(result.games), result.total_games
    filled = round(_BAR_WIDTH * num_played / num_games)
    parts = [f"{'█' * filled:░<{_BAR_WIDTH}} {num_played}/{num_games}"]
    if num_played:
        parts.append(_running(result))
        if others := sum(game.reason is not Reason.RULES for game in result.games):
            parts.append(f"{others} not by the rules")
    if seconds_left is not None:
        minutes, seconds = divmod(int(seconds_left), 60)
        parts.append(f"{minutes}:{seconds:02d} left")
    return "  ".join(parts)


def _running(result: MatchResult | Tournament) -> str:
    if isinstance(result, MatchResult):
        rate = result.score.rate
        return f"{result.score}  score {rate.value:.3f} ({rate.low:.3f} to {rate.high:.3f})"
    (name, elo), *_ = result.ratings().ranking()
    return f"{name} leads with Elo {elo_text(elo.value)}"


# Playing


def run(
    game: str | State,
    entries: Sequence[Entry],
    game_options: Mapping[str, Any] | None = None,
    *,
    processes: int | None = None,
    executor: Executor | None = None,
    file: str | os.PathLike[str] | None = None,
    progress: Progress = lambda result, is_last: None,
    **others: Any,
) -> MatchResult | Tournament:
    """Play the missing games of a tournament; returns the result of all its games.

    The arguments are those of `arena.match`.

    If all games are in the file already, it is only read, and there is no progress to report.
    Ctrl-C (KeyboardInterrupt) ends it: finished games are kept and returned.
    """
    kind: Any = Count | None
    convert(processes, kind, "processes")
    setup = make_setup(game, entries, game_options, **others)
    settings = setup.settings
    path = None if file is None else Path(file)
    played = () if path is None else kept(path, settings).games
    games = [game for game in played if game.number < settings.num_games]

    def result() -> MatchResult | Tournament:
        return result_of(settings, games, setup.first_state)

    if result().is_complete:
        return result()
    with (
        suppress(KeyboardInterrupt),  # even while the file is being opened
        nullcontext() if path is None else writing(path, settings) as write,
    ):
        try:
            with closing(_played(setup, games, processes, executor)) as finished:
                progress(result(), False)
                for newest in finished:
                    games.append(newest)
                    if write is not None:
                        write(newest)
                    progress(result(), False)
        finally:
            progress(result(), True)
    return result()


def _played(
    setup: Setup, games: Sequence[PlayedGame], processes: int | None, executor: Executor | None
) -> Generator[PlayedGame]:
    """Play the games that are missing in `games`."""
    done = {(game.pairing, game.number) for game in games}
    missing = (each for each in setup.settings.games() if (each.pairing, each.number) not in done)
    if executor is not None:
        return play_by_executor(setup, missing, executor)
    if processes is None:
        return (play(setup, game) for game in missing)
    return play_in_processes(setup, missing, processes)
