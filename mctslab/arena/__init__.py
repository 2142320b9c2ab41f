"""Matches and tournaments: reproducible, with confidence intervals, and resumable from a file.

    from mctslab import arena

    result = arena.match("reversi", "uct:400:roxanne", "uct:400", num_games=400, seed=1)
    print(result)

`match` is between two players, `round_robin` between several. Both accept a file, into which every
finished game is written and from which they are resumed. `load` reads such a file.
"""

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

from mctslab import games
from mctslab.arena.ratings import bradley_terry
from mctslab.arena.results import MatchResult, Tournament, result_of
from mctslab.arena.results_file import read
from mctslab.arena.running import Progress, TextProgress, run
from mctslab.arena.settings import Contestant, Entry
from mctslab.games.state import State
from mctslab.score import Estimate, Score, wilson
from mctslab.typed import WrongEntryError

__all__ = [
    "Contestant",
    "Estimate",
    "MatchResult",
    "Score",
    "TextProgress",
    "bradley_terry",
    "load",
    "match",
    "round_robin",
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
    processes: int | None = None,
    executor: Executor | None = None,
    file: str | os.PathLike[str] | None = None,
    progress: Progress = lambda result, is_last: None,
) -> MatchResult:
    """Let two players play each other, with alternating colours.

    The same arguments give the same games, whatever the number of processes, as long as the players
    take their random numbers from the `rng` that they get and don't use a clock. Every game has new
    players. Ctrl-C ends the match; finished games are kept, and returned.

    Args:
        game: a name for `games.make`, or the position where every game begins.
        first: a short name such as `"uct:400"`; a player, of which each game has a copy with random
            numbers of its own; a function from a state to an action; a function that takes
            `rng=...` and makes a player, such as `functools.partial(UCTPlayer, 400)`; or a
            `Contestant`, which is such a function with a name.
        second: the other player.
        num_games: an even number, so that both have each colour equally often.
        seed: the source of all random numbers, 0 or more.
        game_options: for `games.make`, such as `{"size": 6}`.
        opening_plies: the number of random plies before the players take over. Two games at a time
            share an opening, with colours swapped.
        seconds_per_move: a player who takes longer for one move (wall time) loses the game. To get
            ready before the first move, each has two minutes more.
        processes: how many games are played at once, each in a process of its own. None: one after
            the other in this process, where a player that never answers cannot be stopped.
        executor: plays instead of processes, on the workers of a cluster, for example
            (`mctslab.cluster.open_cluster`); a player that ends its process is not found out there.
        file: the file for finished games; games that are already in it are not played again.
            More games can be added to a match. If none is missing, the file is only read.
        progress: called after every game, such as `TextProgress()`, which shows the score.

    Raises:
        ValueError: there is no such game or player, a number is out of range, a player cannot be
            sent to another process, or the file holds something else.
        FileInUseError: another program is playing into the file.
        Exception: what the executor raises when its workers are gone; finished games are kept.
        TypeError: a contestant is none of these, or a player cannot be copied.
        OSError: the file cannot be read or written.
    """
    result = run(
        game,
        (first, second),
        game_options,
        num_games=num_games,
        seed=seed,
        opening_plies=opening_plies,
        seconds_per_move=seconds_per_move,
        processes=processes,
        executor=executor,
        file=file,
        progress=progress,
    )
    assert isinstance(result, MatchResult)
    return result


def round_robin(
    game: str | State, players: Sequence[Entry], *, num_games: int = 20, seed: int, **others: Any
) -> Tournament:
    """Let every player play every other, `num_games` games each, with alternating colours.

    Args:
        game: as in `match`.
        players: three or more, each as in `match`.
        num_games: between any two.
        seed: as in `match`, as are `others`: `game_options`, `opening_plies`, `seconds_per_move`,
            `processes`, `executor`, `file` and `progress`.

    What is raised is the same as there. All pairings share the openings.
    """
    if len(players) < 3:
        raise ValueError(f"A round robin needs three or more players, got {len(players)}.")
    result = run(game, players, num_games=num_games, seed=seed, **others)
    assert isinstance(result, Tournament)
    return result


def load(
    file: str | os.PathLike[str], first_state: State | None = None
) -> MatchResult | Tournament:
    """The match in a file, or the tournament if there are more than two players.

    The moves are not played again: the result of a game is the one that is written there.

    Args:
        file: written by `match` or `round_robin`, even if games are still missing.
        first_state: where the games began; needed if they were not given by the name of a game.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is something else, or `first_state` is not where its games began.
    """
    stored = read(file)
    settings = stored.settings
    if first_state is None and ":" not in settings.game:  # a file must not name a module to import
        first_state = games.make(settings.game, **settings.game_options)
    if first_state is None or str(first_state) != settings.first_state:
        raise WrongEntryError(
            f"The games in {file} began from another position; give it as first_state:\n"
            f"{settings.first_state}"
        )
    return result_of(settings, stored.games, first_state)
