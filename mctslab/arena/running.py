"""Play a tournament: go on where a file ends, write each game, stop when it is decided."""

import os
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, nullcontext, suppress
from typing import Any, TypeVar

from mctslab.arena.match_result import MatchResult
from mctslab.arena.played import PlayedGame
from mctslab.arena.progress import Progress, Standing
from mctslab.arena.results_file import ResultsFile, finished
from mctslab.arena.settings import Settings
from mctslab.arena.sprt import SequentialTest
from mctslab.arena.tournament import Tournament
from mctslab.arena.workers import Stop, play_here, play_in_processes
from mctslab.typed import Count, convert

R = TypeVar("R", bound=MatchResult | Tournament)


def run(
    settings: Settings,
    make_result: Callable[[Sequence[PlayedGame]], R],
    *,
    processes: int | None,
    file: str | os.PathLike[str] | None,
    progress: Progress | None,
    stop: Stop | None,
) -> R:
    """Play the games of a tournament that are missing; returns the result of all its games.

    If all games are in the file already, it is only read, and there is no progress to report.
    Ctrl-C (KeyboardInterrupt) ends it as `stop` does: finished games are kept and returned.
    """
    kind: Any = Count | None
    convert(processes, kind, "processes")
    if file is not None and (kept := finished(file, settings)) is not None:
        return make_result(kept)
    games: list[PlayedGame] = []
    started = time.perf_counter()
    num_resumed = 0

    def report(*, is_last: bool = False) -> None:
        if progress is not None:
            seconds = time.perf_counter() - started
            progress(
                Standing(
                    lambda: make_result(games),
                    len(games),
                    settings.total_games,
                    seconds,
                    num_resumed,
                    is_last,
                )
            )

    with (
        suppress(KeyboardInterrupt),  # also while the file is being opened
        nullcontext() if file is None else ResultsFile(file, settings) as results,
    ):
        games += _stored(results, settings)
        num_resumed = len(games)
        try:
            with closing(_played(settings, tuple(games), processes, stop)) as played:
                report()
                for game in played:
                    if results is not None:
                        results.append(game)
                    games.append(game)
                    report()
        except KeyboardInterrupt:
            # Perhaps a game was written already and not counted yet.
            games[:] = _stored(results, settings) or games
        report(is_last=True)
    return make_result(games)


def _stored(results: ResultsFile | None, settings: Settings) -> list[PlayedGame]:
    """The games of the tournament in the file, which can hold more."""
    stored = () if results is None else results.games()
    return [game for game in stored if game.number < settings.num_games]


def _played(
    settings: Settings, games: Sequence[PlayedGame], processes: int | None, stop: Stop | None
) -> Generator[PlayedGame]:
    """Play the games that are missing in `games`, until the sequential test has decided."""
    done = {(game.pairing, game.number) for game in games}
    fixtures = (each for each in settings.fixtures() if (each.pairing, each.number) not in done)
    test = SequentialTest(settings.sprt, settings.names[0], games)

    def is_over() -> bool:
        return test.decision is not None or (stop is not None and stop())

    if is_over():
        return
    if processes is None:
        played = play_here(settings, fixtures, is_over)
    else:
        played = play_in_processes(settings, fixtures, is_over, processes)
    with closing(played):
        for game in played:
            test.add(game)
            yield game
