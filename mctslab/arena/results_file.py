"""A tournament in a file: a line of JSON on what is played, then a line for each finished game.

A game's line is written in one go as soon as it is over, so whatever happens to the program, only a
game that was still going on is lost. Lines stand in the order in which games ended, which is random
where several processes play. A last line that was cut off is dropped, and its game played again.

`shorten` rewrites a file with the totals of the clocks instead of the clocks of single moves.
"""

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from filelock import FileLock, Timeout

from mctslab.arena.played import PlayedGame
from mctslab.arena.rows import COLUMNS, Header, as_row, from_row
from mctslab.arena.sequential import SequentialTest
from mctslab.arena.settings import Settings
from mctslab.typed import WrongEntryError, convert, write_whole

FORMAT: Final = "mctslab.arena"
VERSION: Final = 1

_MAY_DIFFER: Final = frozenset({"command", "num_games"})
"""More games can be added to a tournament; all else makes it another one."""


class ResultsFileError(ValueError):
    """A file that is no file of results, or of another tournament; the sentence says which."""


class FileInUseError(ResultsFileError):
    """A file into which another program, or another part of this one, is playing just now."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What a file holds."""

    header: Mapping[str, Any]
    games: tuple[PlayedGame, ...]
    """In the order of the file; no game twice."""
    is_cut_off: bool
    """Whether the last line was not whole."""


def read(path: str | os.PathLike[str]) -> Stored:
    """The tournament in a file.

    Raises:
        OSError: the file cannot be read.
        ResultsFileError: it is not what `ResultsFile` writes.
    """
    lines = Path(path).read_bytes().split(b"\n")
    *whole, rest = lines  # what follows the last line's end: nothing, if it is whole
    if not whole:
        raise ResultsFileError(f"{path} is no file of the arena's: its first line is not whole.")
    header = _header(path, whole[0])
    played: dict[tuple[tuple[int, int], int], PlayedGame] = {}
    for number, line in enumerate(whole[1:], start=2):
        try:
            game = from_row(json.loads(line), header)
        except (ValueError, RecursionError) as error:
            raise ResultsFileError(f"{path}, line {number}, is no game: {error}") from error
        played.setdefault((game.pairing, game.number), game)
    return Stored(header, tuple(played.values()), is_cut_off=bool(rest))


def _header(path: str | os.PathLike[str], line: bytes) -> Mapping[str, Any]:
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ResultsFileError(f"{path} is no file of the arena's.")
    if header.get("version") != VERSION:
        raise ResultsFileError(
            f"{path} was written in version {header.get('version')!r} of the format; "
            f"this program reads version {VERSION}."
        )
    try:
        convert(header, Header)
    except WrongEntryError as error:
        raise ResultsFileError(f"{path}, line 1: {error}") from error
    return header


def finished(path: str | os.PathLike[str], settings: Settings) -> tuple[PlayedGame, ...] | None:
    """The games of a tournament, if they are all in a file already; None if anything is missing.

    The file is only read, so it may be one that nobody can write, and several programs can use it.

    Raises:
        OSError: the file is there and cannot be read.
    """
    try:
        stored = read(path)
    except (FileNotFoundError, ResultsFileError):
        return None
    if _difference(_header_of(settings), stored.header):
        return None
    games = tuple(game for game in stored.games if game.number < settings.num_games)
    test = SequentialTest(settings.sprt, settings.names[0])
    for game in games:
        test.add(game)
    is_all = len(games) == settings.num_games * settings.num_pairings
    return games if is_all or test.decision is not None else None


def shorten(path: str | os.PathLike[str]) -> None:
    """Rewrite the file of a finished tournament without the clocks of single moves.

    The totals of each game stay, and every move is given their mean when the file is read.

    Raises:
        OSError: the file cannot be read or written.
        ResultsFileError: it is no file of results, or its tournament is not finished.
    """
    stored = read(path)
    header = stored.header
    num_contestants = len(header["contestants"])
    num_games = header["num_games"] * num_contestants * (num_contestants - 1) // 2
    if stored.is_cut_off or (len(stored.games) < num_games and not header["sprt"]):
        raise ResultsFileError(
            f"{path} holds {len(stored.games)} of {num_games} games: play the others first."
        )
    in_order = sorted(stored.games, key=lambda game: (game.pairing, game.number))
    lines = [_line(header), *(_line(as_row(game, short=True)) for game in in_order)]
    write_whole(path, b"".join(lines))


class ResultsFile:
    """The file of a tournament that is being played; use it in a `with` statement.

    Args:
        path: the file. If it is there, the games in it count as played.
        settings: what is played.

    Raises:
        OSError: the file cannot be read or written.
        ResultsFileError: the file is something else, or another program is writing it.
    """

    def __init__(self, path: str | os.PathLike[str], settings: Settings) -> None:
        self._path = Path(path)
        self._header = _header_of(settings)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = FileLock(f"{self._path}.lock")  # let go of by itself if we are killed
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise FileInUseError(f"Another program is playing into {self._path}.") from None
        try:
            self._resume()
            # Without a buffer, so that a line is written in one go.
            self._file = self._path.open("ab", buffering=0)
        except BaseException:
            self._unlock()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()
        self._unlock()

    def games(self) -> tuple[PlayedGame, ...]:
        """The games that are in the file now."""
        return read(self._path).games

    def append(self, game: PlayedGame) -> None:
        """Write a finished game."""
        self._file.write(_line(as_row(game)))

    def _unlock(self) -> None:
        self._lock.release()
        with suppress(OSError):  # another program has taken it already
            os.unlink(self._lock.lock_file)

    def _resume(self) -> None:
        """Begin the file, or make sure that it is ours and put it in order if it has to be."""
        expected = _line(self._header)
        # A program that was killed while it wrote the very first line.
        if not self._path.exists() or expected.startswith(self._path.read_bytes()):
            self._rewrite(())
            return
        stored = read(self._path)
        self._check_same(stored.header)
        more_games = self._header["num_games"] > stored.header["num_games"]
        if not more_games:
            self._header |= {key: stored.header[key] for key in _MAY_DIFFER}
        if stored.is_cut_off or more_games:
            self._rewrite(stored.games)

    def _check_same(self, stored: Mapping[str, Any]) -> None:
        if key := _difference(self._header, stored):
            raise ResultsFileError(
                f"{self._path} holds another tournament: its {key} is {stored.get(key)!r}, not "
                f"{self._header[key]!r}. Name another file, or delete this one."
            )

    def _rewrite(self, games: Sequence[PlayedGame]) -> None:
        lines = [_line(self._header), *(_line(as_row(game)) for game in games)]
        write_whole(self._path, b"".join(lines))


def _header_of(settings: Settings) -> dict[str, Any]:
    """The first line of a tournament's file, as JSON has it: what was a tuple is a list."""
    header = {
        "format": FORMAT,
        "version": VERSION,
        **settings.as_json(),
        "columns": list(COLUMNS),
    }
    content: dict[str, Any] = json.loads(_line(header))
    return content


def _difference(ours: Mapping[str, Any], stored: Mapping[str, Any]) -> str:
    """In what two tournaments differ, the name of an entry; empty where they are the same."""
    return next(
        (key for key in ours if key not in _MAY_DIFFER and ours[key] != stored.get(key)), ""
    )


def _line(content: Mapping[str, Any] | Sequence[Any]) -> bytes:
    """A line of JSON; the first one, for people to read, has spaces."""
    separators = None if isinstance(content, Mapping) else (",", ":")
    return json.dumps(content, ensure_ascii=False, separators=separators).encode() + b"\n"
