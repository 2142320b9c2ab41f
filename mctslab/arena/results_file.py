"""A tournament in a file: a line of JSON with its settings, then a line for each finished game.

A game's line is a list and contains what does not follow from the first line: the moves, the
result, and the time and work of each player. A line is written in one piece as soon as its game is
over, so whatever happens to the program, only unfinished games are lost. Lines are in the order in
which games ended, which is random if several processes play. A last line that was cut off is
dropped, and its game is played again.
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, astuple, fields, replace
from pathlib import Path
from typing import Final, NamedTuple

from filelock import FileLock, Timeout

from mctslab.arena.game import PlayedGame
from mctslab.arena.settings import Settings
from mctslab.typed import (
    WrongEntryError,
    convert,
    file_behind,
    from_json,
    remove_unfinished,
    write_whole,
)

_COLUMNS: Final = tuple(each.name for each in fields(PlayedGame))[:-2]
"""The entries of a game's line, in this order; a file may lack the last."""


class FileInUseError(ValueError):
    """Another program, or another part of this one, is writing into the file right now."""


def _from_row(content: object, settings: Settings) -> PlayedGame:
    """The game of a line in a file with this first line.

    Raises:
        ValueError: `content` is something else.
    """
    if not isinstance(content, list) or not 9 <= len(content) <= len(_COLUMNS):
        raise ValueError(f"expected a list of {', '.join(_COLUMNS)}.")
    game = convert(dict(zip(_COLUMNS, content, strict=False)), PlayedGame)
    first, second = game.pairing
    if not first < second < len(settings.contestants):
        raise ValueError(f"pairing = {list(game.pairing)}: there are no two such contestants.")
    if sum(game.returns) != 0:
        raise ValueError(f"returns = {list(game.returns)}: expected two numbers with the sum 0.")
    players = settings.unplayed(game.pairing, game.number).players
    return replace(game, players=players, opening_plies=settings.opening_plies)


# The file


class Stored(NamedTuple):
    """The contents of a file."""

    settings: Settings
    """The first line."""
    games: tuple[PlayedGame, ...] = ()
    """In the order of the file; no game twice."""


def read(path: str | os.PathLike[str]) -> Stored:
    """The tournament in a file.

    Raises:
        OSError: the file cannot be read.
        WrongEntryError: it is not what `writing` writes.
    """
    *whole, _ = Path(path).read_bytes().split(b"\n")  # what follows the last line's end is dropped
    if not whole:
        raise WrongEntryError(f"{path} is not a file of the arena: its first line is incomplete.")
    settings = from_json(whole[0], Settings, f"{path}, line 1")
    played: dict[tuple[tuple[int, int], int], PlayedGame] = {}
    for number, line in enumerate(whole[1:], start=2):
        try:
            game = _from_row(json.loads(line), settings)
        except (ValueError, RecursionError) as error:
            raise WrongEntryError(f"{path}, line {number}, is not a game: {error}") from error
        played.setdefault((game.pairing, game.number), game)
    return Stored(settings, tuple(played.values()))


def kept(path: Path, settings: Settings) -> Stored:
    """What is in the file of a tournament; more games can be wanted now.

    Raises:
        OSError: the file cannot be read.
        WrongEntryError: it is something else, or contains another tournament.
    """
    if not path.exists() or not path.stat().st_size:
        return Stored(settings)
    before, games = read(path)
    if name := settings.difference(before):
        raise WrongEntryError(
            f"{path} contains another tournament: its {name} is "
            f"{getattr(before, name)!r}, not {getattr(settings, name)!r}. "
            "Name another file, or delete this one."
        )
    return Stored(replace(before, num_games=max(before.num_games, settings.num_games)), games)


@contextmanager
def writing(path: Path, settings: Settings) -> Iterator[Callable[[PlayedGame], object]]:
    """The file of a tournament that is being played, begun or continued; yields what writes a game.

    Raises:
        OSError: the file cannot be read or written.
        FileInUseError: another program is writing it.
        WrongEntryError: as for `kept`.
    """
    path = file_behind(path)  # two links to a file have one lock
    path.parent.mkdir(parents=True, exist_ok=True)
    # The lock's own file stays: a lock whose file was deleted can be held by two programs.
    lock = FileLock(path.with_name(f".{path.name}.lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise FileInUseError(f"Another program is writing into {path}.") from None
    try:
        remove_unfinished(path.parent, path.name)
        begun, games = kept(path, settings)
        write_whole(path, b"".join([_line(asdict(begun)), *map(_game_line, games)]))
        with path.open("ab", buffering=0) as file:  # without a buffer: a line in one piece
            yield lambda game: file.write(_game_line(game))
    finally:
        lock.release()


def _game_line(game: PlayedGame) -> bytes:
    return _line(astuple(game)[: len(_COLUMNS)])


def _line(content: object) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
