"""Matches and tournaments that can be believed: reproducible, with intervals, and never lost.

    from mctslab import arena

    result = arena.match("reversi", "uct:400:roxanne", "uct:400", num_games=400, seed=1)
    print(result)

`match` is between two players, `round_robin` between several; both take a file, into which every
finished game is written, and from which they are resumed. `load` reads such a file, and `shorten`
makes it small enough to be kept.
"""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from mctslab.arena.clock import Clock
from mctslab.arena.contestant import Contestant, Entry, Factory
from mctslab.arena.cross_table import CrossTable
from mctslab.arena.match_result import MatchResult
from mctslab.arena.played import PlayedGame, Reason
from mctslab.arena.progress import Progress, Standing, TextProgress
from mctslab.arena.ratings import Ratings, bradley_terry
from mctslab.arena.results_file import ResultsFileError, read, shorten
from mctslab.arena.running import run
from mctslab.arena.sequential import that_count
from mctslab.arena.settings import first_state_of, make_settings
from mctslab.arena.sprt import SPRT, Decision
from mctslab.arena.tournament import Tournament
from mctslab.arena.workers import Stop, WorkerError
from mctslab.games.state import State
from mctslab.score import (
    Estimate,
    Interval,
    Score,
    elo_difference,
    expected_score,
    games_needed,
    wilson,
)

__all__ = [
    "SPRT",
    "Clock",
    "Contestant",
    "CrossTable",
    "Decision",
    "Estimate",
    "Factory",
    "Interval",
    "MatchResult",
    "PlayedGame",
    "Progress",
    "Ratings",
    "Reason",
    "ResultsFileError",
    "Score",
    "Standing",
    "TextProgress",
    "Tournament",
    "WorkerError",
    "bradley_terry",
    "elo_difference",
    "expected_score",
    "games_needed",
    "load",
    "match",
    "round_robin",
    "shorten",
    "wilson",
]


def match(
    game: str | State,
    first: Entry,
    second: Entry,
    *,
    num_games: int = 100,
    seed: int,
    game_options: Mapping[str, Any] | None = None,
    opening_plies: int = 0,
    seconds_per_move: float | None = None,
    sprt: SPRT | None = None,
    processes: int | None = None,
    file: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> MatchResult:
    """Let two players play each other, with alternating colours.

    The same arguments give the same games, whatever the number of processes, as long as the players
    take their chance from the `rng` that they are given and don't look at a clock. Every game has
    new players. Ctrl-C ends the match; what is finished is kept, and returned.

    Args:
        game: a name that `games.make` knows, or the position where every game begins.
        first: a short name such as `"uct:400"`; a function that takes `rng=...` and makes a player,
            such as `functools.partial(UCTPlayer, 400, reuse_tree=True)`; or a `Contestant`, which
            is such a function with a name.
        second: the other player.
        num_games: how many games; an even number, so that both have each colour equally often.
        seed: what all chance of the match follows from, 0 or more.
        game_options: for `games.make`, such as `{"size": 6}`.
        opening_plies: how many plies of each game are drawn by lot before the players take over.
            Two games at a time share an opening, with colours swapped.
        seconds_per_move: who takes longer for one move, by the clock on the wall, loses the game.
        sprt: stop as soon as this test has decided, and after `num_games` at the latest.
        processes: how many games are played at once, each in a process of its own. None: one after
            the other in this process, where a player that never answers cannot be stopped.
        file: where every finished game is written; the games that are in it are not played again.
            A file with another match is refused, but more games can be added to one. Where none is
            missing the file is only read.
        progress: is told of every finished game, for example `TextProgress()`.
        stop: is asked again and again; the match ends when it says True.

    Raises:
        ValueError: no such game or player, a number that makes no sense, a file that holds
            something else (ResultsFileError), or a player that cannot be sent to another process
            (WorkerError).
        TypeError: a contestant is none.
        OSError: the file cannot be read or written.
    """
    settings = make_settings(
        game,
        (first, second),
        game_options,
        num_games=num_games,
        seed=seed,
        opening_plies=opening_plies,
        seconds_per_move=seconds_per_move,
        sprt=sprt,
    )

    def result(played: Sequence[PlayedGame]) -> MatchResult:
        return _match_result(settings.names, played, num_games, settings.first_state, sprt)

    return result(
        run(settings, result, processes=processes, file=file, progress=progress, stop=stop)
    )


def round_robin(
    game: str | State,
    players: Sequence[Entry],
    *,
    num_games: int = 20,
    seed: int,
    game_options: Mapping[str, Any] | None = None,
    opening_plies: int = 0,
    seconds_per_move: float | None = None,
    processes: int | None = None,
    file: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Tournament:
    """Let every player play every other, `num_games` games each, with alternating colours.

    Args:
        players: two or more, each as in `match`.
        num_games: between any two.

    The other arguments, and what is raised, are those of `match`. All pairings share the openings.
    """
    settings = make_settings(
        game,
        players,
        game_options,
        num_games=num_games,
        seed=seed,
        opening_plies=opening_plies,
        seconds_per_move=seconds_per_move,
    )

    def result(played: Sequence[PlayedGame]) -> Tournament:
        return _tournament(settings.names, played, num_games, settings.first_state)

    return result(
        run(settings, result, processes=processes, file=file, progress=progress, stop=stop)
    )


def load(
    file: str | os.PathLike[str], first_state: State | None = None
) -> MatchResult | Tournament:
    """The match, or between more than two players the tournament, in a file.

    Args:
        file: what `match` or `round_robin` has written, finished or not.
        first_state: where its games began; needed if they were not given by the name of a game.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is something else, or `first_state` is not where its games began.
    """
    stored = read(file)
    header = stored.header
    if first_state is None:
        if ":" in header["game"]:  # a file must not decide which module is imported
            raise ResultsFileError(
                f"The games in {file} are of {header['game']}; give its first position as "
                "first_state."
            )
        first_state = first_state_of(header["game"], header["game_options"])
    if str(first_state) != header["first_state"]:
        raise ResultsFileError(
            f"The games in {file} began from another position; give it as first_state:\n"
            f"{header['first_state']}"
        )
    names, num_games = tuple(header["contestants"]), header["num_games"]
    if len(names) > 2:
        return _tournament(names, stored.games, num_games, first_state)
    sprt = header["sprt"] and SPRT(*header["sprt"])
    return _match_result(names, stored.games, num_games, first_state, sprt)


def _match_result(
    names: Sequence[str],
    played: Sequence[PlayedGame],
    num_games: int,
    first_state: State,
    sprt: SPRT | None,
) -> MatchResult:
    first, second = names
    return MatchResult(
        (first, second), that_count(played, sprt, first), num_games, first_state, sprt
    )


def _tournament(
    names: Sequence[str], played: Sequence[PlayedGame], num_games: int, first_state: State
) -> Tournament:
    in_order = sorted(played, key=lambda game: (game.pairing, game.number))
    return Tournament(tuple(names), tuple(in_order), num_games, first_state)
