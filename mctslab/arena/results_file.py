"""A tournament in a file: a line of JSON on what is played, then a line for each finished game.

A game's line is written in one go as soon as it is over, so whatever happens to the program, only a
game that was still going on is lost. Lines stand in the order in which games ended, which is chance
where several processes play. A last line that was cut off is dropped, and its game played again.
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

from mctslab.arena.played import PlayedGame, from_json
from mctslab.arena.settings import Settings

FORMAT: Final = "mctslab.arena"
VERSION: Final = 1

_NEEDED: Final = frozenset(
    {"game", "game_options", "first_state", "contestants", "num_games", "sprt"}
)
_MAY_DIFFER: Final = frozenset({"command", "num_games"})
"""More games can be added to a tournament; all else makes it another one."""


class ResultsFileError(ValueError):
    """A file that is no file of results, or of another tournament; the sentence says which."""


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
            game = from_json(json.loads(line))
        except (KeyError, TypeError, ValueError) as error:
            raise ResultsFileError(f"{path}, line {number}, is no game: {error!r}.") from error
        played.setdefault((game.pairing, game.number), game)
    return Stored(header, tuple(played.values()), is_cut_off=bool(rest))


def _header(path: str | os.PathLike[str], line: bytes) -> Mapping[str, Any]:
    try:
        header = json.loads(line)
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ResultsFileError(f"{path} is no file of the arena's.")
    if header.get("version") != VERSION:
        raise ResultsFileError(
            f"{path} was written in version {header.get('version')!r} of the format; "
            f"this program reads version {VERSION}."
        )
    if missing := _NEEDED - header.keys():
        raise ResultsFileError(f"{path}, line 1, says nothing of {', '.join(sorted(missing))}.")
    return header


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
        self._header = {"format": FORMAT, "version": VERSION, **settings.as_json()}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = FileLock(f"{self._path}.lock")  # let go of by itself if we are killed
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise ResultsFileError(f"Another program is playing into {self._path}.") from None
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
        self._file.write(_line(game.as_json()))

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
        # As JSON has it: a tuple among the options has become a list there.
        ours = json.loads(_line(self._header))
        for key in ours.keys() - _MAY_DIFFER:
            if ours[key] != stored.get(key):
                raise ResultsFileError(
                    f"{self._path} holds another tournament: its {key} is {stored.get(key)!r}, not "
                    f"{ours[key]!r}. Name another file, or delete this one."
                )

    def _rewrite(self, games: Sequence[PlayedGame]) -> None:
        """Write the file anew, beside the old one and then in its place."""
        beside = self._path.with_name(f"{self._path.name}.part")
        lines = [self._header, *(game.as_json() for game in games)]
        beside.write_bytes(b"".join(map(_line, lines)))
        os.replace(beside, self._path)


def _line(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode() + b"\n"
