"""A tournament in a file: a line of JSON with its settings, then a line for each finished game.

A game's line is a list and contains what does not follow from the first line: the moves, the result
and the clocks. The times, simulations and nodes of a player are a list with a number for each move,
or only their total; then every move gets the mean when the line is read. A line is written in one
piece as soon as its game is over, so whatever happens to the program, only unfinished games are
lost. Lines are in the order in which games ended, which is random if several processes play. A last
line that was cut off is dropped, and its game is played again.
"""

import json
import math
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self, TypeAlias

from filelock import BaseFileLock, FileLock, Timeout

from mctslab.arena.played import PerPlayer, PlayedGame, Reason
from mctslab.arena.settings import Settings, colours
from mctslab.arena.sprt import SequentialTest
from mctslab.typed import (
    Count,
    Finite,
    Meta,
    NonNegative,
    Number,
    Positive,
    Share,
    WrongEntryError,
    convert,
    from_json,
    remove_unfinished,
    write_whole,
)

_MAY_DIFFER: Final = frozenset({"command", "num_games"})
"""More games can be added to a tournament; any other change makes it a different one."""


class FileInUseError(ValueError):
    """Another program, or another part of this one, is writing into the file right now."""


# The line of a game

_Result: TypeAlias = Annotated[float, Meta(ge=-1, le=1)]
_Used: TypeAlias = NonNegative | tuple[NonNegative, ...]
"""The time or work of a player's moves: in total, or for each of them."""


@dataclass(frozen=True, slots=True)
class _Row:
    pairing: tuple[Number, Number]
    number: Number
    actions: tuple[Number, ...]
    returns: tuple[_Result, _Result]
    num_moves: tuple[Number, Number]
    seconds: tuple[_Used, _Used]
    simulations: tuple[_Used, _Used]
    reason: Literal["rules", "time", "illegal", "exception", "crash"]
    message: str
    nodes: tuple[_Used, _Used] = (0, 0)


_COLUMNS: Final = tuple(each.name for each in fields(_Row))
"""The entries of a game's line, in this order. Nodes are left out if no player counts them."""


# The first line


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a file: the settings."""

    format: Literal["mctslab.arena"]
    version: Literal[1]
    command: str
    game: str
    game_options: dict[str, Any]
    first_state: str
    contestants: Annotated[tuple[str, ...], Meta(min_length=2)]
    num_games: Count
    seed: Number
    opening_plies: Number
    seconds_per_move: Positive | None
    sprt: tuple[Finite, Finite, Share, Share] | None
    columns: tuple[str, ...]

    def difference(self, other: "Header") -> str:
        """The name of an entry that makes the other one a different tournament; empty if none
        does."""
        names = (each.name for each in fields(self) if each.name not in _MAY_DIFFER)
        return next((name for name in names if getattr(self, name) != getattr(other, name)), "")


def header_of(settings: Settings) -> Header:
    """The first line of a tournament's file."""
    sprt = settings.sprt
    return Header(
        format="mctslab.arena",
        version=1,
        command=settings.command or settings.call,
        game=settings.game or settings.first_state.game,
        game_options=json.loads(json.dumps(dict(settings.game_options))),  # tuples become lists
        first_state=str(settings.first_state),
        contestants=settings.names,
        num_games=settings.num_games,
        seed=settings.seed,
        opening_plies=settings.opening_plies,
        seconds_per_move=settings.seconds_per_move,
        sprt=None if sprt is None else (sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta),
        columns=_COLUMNS,
    )


def _as_row(game: PlayedGame, *, short: bool = False) -> list[Any]:
    """A game as the list that is written into a file; `short` keeps only totals of the clocks."""
    seconds, simulations, nodes = (
        [_used(numbers, short) for numbers in both]
        for both in (game.seconds, game.simulations, game.nodes)
    )
    row: list[Any] = [
        game.pairing,
        game.number,
        game.actions,
        [_plain(result) for result in game.returns],
        [len(numbers) for numbers in game.seconds],
        seconds,
        simulations,
        game.reason.value,
        game.message,
    ]
    return [*row, nodes] if any(map(any, game.nodes)) else row


def _from_row(content: object, header: Header) -> PlayedGame:
    """The game that `_as_row` has written into a file with this first line.

    Raises:
        ValueError: `content` is something else.
    """
    if not isinstance(content, list) or len(content) not in (len(_COLUMNS) - 1, len(_COLUMNS)):
        raise ValueError(f"expected a list of {', '.join(_COLUMNS)}.")
    row = convert(dict(zip(_COLUMNS, content, strict=False)), _Row)
    first, second = row.pairing
    if not first < second < len(header.contestants):
        raise ValueError(f"pairing = {list(row.pairing)}: there are no two such contestants.")
    if sum(row.returns) != 0:
        raise ValueError(f"returns = {list(row.returns)}: expected two numbers with the sum 0.")
    without_action = sum(row.num_moves) - (len(row.actions) - header.opening_plies)
    if not 0 <= without_action <= (row.reason != "rules"):
        raise ValueError(
            f"num_moves = {list(row.num_moves)} does not fit the {len(row.actions)} actions."
        )
    one, other = (header.contestants[place] for place in colours(row.pairing, row.number))
    return PlayedGame(
        pairing=row.pairing,
        number=row.number,
        players=(one, other),
        opening_plies=header.opening_plies,
        actions=row.actions,
        seconds=_of_moves(row.seconds, row.num_moves),
        simulations=_of_moves(row.simulations, row.num_moves),
        nodes=_of_moves(row.nodes, row.num_moves),
        returns=row.returns,
        reason=Reason(row.reason),
        message=row.message,
    )


def _used(numbers: Sequence[float], short: bool) -> float | list[float]:
    """The numbers of all moves; their total if that is all to be kept, or if it gives them back."""
    total = round(sum(numbers), 5 if short else 6)
    if short or all(number == total / len(numbers) for number in numbers):
        return _plain(total)
    return [_plain(number) for number in numbers]


def _of_moves(used: tuple[_Used, _Used], num_moves: tuple[int, int]) -> PerPlayer:
    """A number for each move of both players; a total is divided evenly."""
    each = [
        numbers if isinstance(numbers, tuple) else (numbers / max(number, 1),) * number
        for numbers, number in zip(used, num_moves, strict=True)
    ]
    first, second = each
    if (len(first), len(second)) != num_moves:
        raise ValueError(f"{len(first)} and {len(second)} numbers do not fit {num_moves} moves.")
    return first, second


def _plain(number: float) -> float:
    """The same number, without a decimal point if it needs none."""
    return int(number) if number == int(number) else number


# The file


@dataclass(frozen=True, slots=True)
class Stored:
    """The contents of a file."""

    header: Header
    games: tuple[PlayedGame, ...]
    """In the order of the file; no game twice."""
    is_cut_off: bool
    """Whether the last line was incomplete."""


def read(path: str | os.PathLike[str]) -> Stored:
    """The tournament in a file.

    Raises:
        OSError: the file cannot be read.
        WrongEntryError: it is not what `ResultsFile` writes.
    """
    *whole, rest = Path(path).read_bytes().split(b"\n")  # rest: what follows the last line's end
    if not whole:
        raise WrongEntryError(f"{path} is not a file of the arena: its first line is incomplete.")
    header = from_json(whole[0], Header, f"{path}, line 1")
    played: dict[tuple[tuple[int, int], int], PlayedGame] = {}
    for number, line in enumerate(whole[1:], start=2):
        try:
            game = _from_row(json.loads(line), header)
        except (ValueError, RecursionError) as error:
            raise WrongEntryError(f"{path}, line {number}, is not a game: {error}") from error
        played.setdefault((game.pairing, game.number), game)
    return Stored(header, tuple(played.values()), is_cut_off=bool(rest))


def finished(path: str | os.PathLike[str], settings: Settings) -> tuple[PlayedGame, ...] | None:
    """The games of a tournament, if they are all in a file already; None if anything is missing.

    The file is only read, so it can be write-protected, and several programs can use it.

    Raises:
        OSError: the file exists but cannot be read.
    """
    try:
        stored = read(path)
    except (FileNotFoundError, WrongEntryError):
        return None
    if header_of(settings).difference(stored.header):
        return None
    games = tuple(game for game in stored.games if game.number < settings.num_games)
    test = SequentialTest(settings.sprt, settings.names[0], games)
    return games if len(games) == settings.total_games or test.decision is not None else None


def shorten(path: str | os.PathLike[str]) -> None:
    """Rewrite the file of a finished tournament without the clocks of single moves.

    The totals of each game stay, and every move has their mean when the file is read.

    Raises:
        OSError: the file cannot be read or written.
        FileInUseError: another program is writing it.
        ValueError: it is not a file of the arena, or its tournament is not finished.
    """
    lock = _locked(Path(path))
    try:
        _shorten(path)
    finally:
        lock.release()


def _shorten(path: str | os.PathLike[str]) -> None:
    stored = read(path)
    num_games = stored.header.num_games * math.comb(len(stored.header.contestants), 2)
    if stored.is_cut_off or (len(stored.games) < num_games and not stored.header.sprt):
        raise ValueError(
            f"{path} contains {len(stored.games)} of {num_games} games: play the others first."
        )
    in_order = sorted(stored.games, key=lambda game: (game.pairing, game.number))
    _write(path, stored.header, in_order, short=True)


class ResultsFile:
    """The file of a tournament that is being played; use it in a `with` statement.

    Args:
        path: the file. If it exists, the games in it count as played.
        settings: the tournament.

    Raises:
        OSError: the file cannot be read or written.
        FileInUseError: another program is writing it.
        WrongEntryError: the file is something else, or contains another tournament.
    """

    def __init__(self, path: str | os.PathLike[str], settings: Settings) -> None:
        self._path = Path(path)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(self._path)
        try:
            remove_unfinished(self._path.parent, self._path.name)
            self._resume(header_of(settings))
            # Without a buffer, so that a line is written in one piece.
            self._file = self._path.open("ab", buffering=0)
        except BaseException:
            self._lock.release()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._lock.release()

    def games(self) -> tuple[PlayedGame, ...]:
        """The games that are in the file now."""
        return read(self._path).games

    def append(self, game: PlayedGame) -> None:
        """Write a finished game."""
        self._file.write(_line(_as_row(game)))

    def _resume(self, header: Header) -> None:
        """Begin the file, or check that it contains this tournament and remove an incomplete
        line."""
        # The file is part of the first line if a program was killed while it wrote that line.
        if not self._path.exists() or _first_line(header).startswith(self._path.read_bytes()):
            _write(self._path, header, ())
            return
        stored = read(self._path)
        if name := header.difference(stored.header):
            raise WrongEntryError(
                f"{self._path} contains another tournament: its {name} is "
                f"{getattr(stored.header, name)!r}, not {getattr(header, name)!r}. "
                "Name another file, or delete this one."
            )
        if header.num_games > stored.header.num_games:
            _write(self._path, header, stored.games)
        elif stored.is_cut_off:
            kept = {name: getattr(stored.header, name) for name in _MAY_DIFFER}
            _write(self._path, replace(header, **kept), stored.games)


def _locked(path: Path) -> BaseFileLock:
    """The lock of a results file, held; the system releases it if this program is killed.

    Its own file stays: a lock whose file was deleted can be held by two programs.

    Raises:
        FileInUseError: another program holds it.
    """
    lock = FileLock(path.with_name(f".{path.name}.lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise FileInUseError(f"Another program is writing into {path}.") from None
    return lock


def _write(
    path: str | os.PathLike[str],
    header: Header,
    games: Sequence[PlayedGame],
    *,
    short: bool = False,
) -> None:
    rows = [_line(_as_row(game, short=short)) for game in games]
    write_whole(path, b"".join([_first_line(header), *rows]))


def _first_line(header: Header) -> bytes:
    return json.dumps(asdict(header), ensure_ascii=False).encode() + b"\n"


def _line(row: Sequence[Any]) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
