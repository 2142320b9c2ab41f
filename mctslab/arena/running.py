"""Play a tournament: go on where a file ends, write what is played, stop when it is decided."""

import os
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, nullcontext, suppress

from mctslab.arena.match_result import MatchResult
from mctslab.arena.played import PlayedGame
from mctslab.arena.progress import Progress, Standing
from mctslab.arena.results_file import ResultsFile, finished
from mctslab.arena.sequential import SequentialTest
from mctslab.arena.settings import Settings
from mctslab.arena.tournament import Tournament
from mctslab.arena.workers import Stop, play_here, play_in_processes

MakeResult = Callable[[Sequence[PlayedGame]], MatchResult | Tournament]


def run(
    settings: Settings,
    make_result: MakeResult,
    *,
    processes: int | None,
    file: str | os.PathLike[str] | None,
    progress: Progress | None,
    stop: Stop | None,
) -> list[PlayedGame]:
    """Play what is left of a tournament; returns all its games, in no order.

    Where all games are in the file already, it is only read, and there is no progress to tell of.
    Ctrl-C (KeyboardInterrupt) ends it as `stop` does: what is finished is kept and returned.
    """
    if processes is not None and processes < 1:
        raise ValueError(f"processes={processes!r} has to be 1 or more; None plays in this one.")
    if file is not None and (kept := finished(file, settings)) is not None:
        return list(kept)
    games: list[PlayedGame] = []
    with (
        suppress(KeyboardInterrupt),  # also while the file is being opened
        nullcontext() if file is None else ResultsFile(file, settings) as results,
    ):
        _play_into(games, results, settings, make_result, processes, progress, stop)
    return games


def _play_into(
    games: list[PlayedGame],
    results: ResultsFile | None,
    settings: Settings,
    make_result: MakeResult,
    processes: int | None,
    progress: Progress | None,
    stop: Stop | None,
) -> None:
    """Put all games into `games`: those in the file, and those that are played, when written."""
    started = time.perf_counter()
    games += _stored(results, settings)
    num_resumed = len(games)

    def tell(*, is_last: bool = False) -> None:
        if progress is not None:
            num_games = settings.num_games * settings.num_pairings
            seconds = time.perf_counter() - started
            standing = Standing(
                lambda: make_result(games), len(games), num_games, seconds, num_resumed, is_last
            )
            progress(standing)

    played = _played(settings, tuple(games), processes, stop)
    try:
        with closing(played):
            tell()
            for game in played:
                if results is not None:
                    results.append(game)
                games.append(game)
                tell()
    except KeyboardInterrupt:
        # It may have come when a game was written already and not counted yet.
        games[:] = _stored(results, settings) or games
    tell(is_last=True)


def _stored(results: ResultsFile | None, settings: Settings) -> list[PlayedGame]:
    """The games in the file, which may hold more than is asked for."""
    stored = () if results is None else results.games()
    return [game for game in stored if game.number < settings.num_games]


def _played(
    settings: Settings,
    games: Sequence[PlayedGame],
    processes: int | None,
    stop: Stop | None,
) -> Generator[PlayedGame]:
    """Play the games that are missing in `games`, as long as there is something to find out."""
    done = {(game.pairing, game.number) for game in games}
    fixtures = (
        fixture for fixture in settings.fixtures() if (fixture.pairing, fixture.number) not in done
    )
    test = SequentialTest(settings.sprt, settings.names[0])
    for game in games:
        test.add(game)

    def is_over() -> bool:
        return test.decision is not None or (stop is not None and stop())

    if is_over():
        return
    if processes is None:
        played = play_here(settings.conditions, fixtures, is_over)
    else:
        played = play_in_processes(settings.conditions, fixtures, is_over, processes)
    with closing(played):
        for game in played:
            test.add(game)
            yield game
