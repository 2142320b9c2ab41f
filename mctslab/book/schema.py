"""The file of a book: the layout of the SQLite database, and how it is opened and read.

    about       the subject of the book: game, options, first position, rollouts, bound
    positions   an entry for each position: its canonical key, one line of moves that leads there
                (for people who look into the file), and the visits of all its moves together
    moves       N and W of each action of a position, in its canonical orientation
    searches    every search that was added, by a name of its own, so that none is added twice
    totals      one entry: sums over the other tables, which triggers keep up to date, because
                summing thousands of entries after each search would take longer than the search

Everything that a search adds is written in one transaction, so the file contains all of it or
nothing, whatever happens to the program. The journal is a write-ahead log: readers never wait for a
writer, and writers wait for each other. While a book is open, the log is next to it.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from mctslab.typed import WrongEntryError, convert

APPLICATION_ID: Final = int.from_bytes(b"mcts")
VERSION: Final = 2

BUSY_SECONDS: Final = 60.0
"""The time that a writer waits for others before it gives up."""

TABLES: Final = (
    "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE positions (
        id INTEGER PRIMARY KEY,
        key BLOB NOT NULL UNIQUE,
        line TEXT NOT NULL,
        ply INTEGER NOT NULL,
        visit_count INTEGER NOT NULL)""",
    "CREATE INDEX positions_by_worth ON positions (visit_count, ply DESC, id DESC)",
    """CREATE TABLE moves (
        position INTEGER NOT NULL REFERENCES positions ON DELETE CASCADE,
        action INTEGER NOT NULL,
        visit_count INTEGER NOT NULL,
        total_value REAL NOT NULL,
        PRIMARY KEY (position, action)) WITHOUT ROWID""",
    """CREATE TABLE searches (
        name TEXT PRIMARY KEY,
        position INTEGER NOT NULL REFERENCES positions ON DELETE CASCADE,
        num_simulations INTEGER NOT NULL,
        seconds REAL NOT NULL) WITHOUT ROWID""",
    "CREATE INDEX searches_by_position ON searches (position)",
    "CREATE INDEX positions_by_ply ON positions (ply)",
    """CREATE TABLE totals (
        num_positions INTEGER NOT NULL, visit_count INTEGER NOT NULL, seconds REAL NOT NULL)""",
    "INSERT INTO totals VALUES (0, 0, 0.0)",
    """CREATE TRIGGER position_added AFTER INSERT ON positions BEGIN UPDATE totals SET
        num_positions = num_positions + 1, visit_count = visit_count + NEW.visit_count; END""",
    """CREATE TRIGGER position_changed AFTER UPDATE ON positions BEGIN UPDATE totals SET
        visit_count = visit_count + NEW.visit_count - OLD.visit_count; END""",
    """CREATE TRIGGER position_dropped AFTER DELETE ON positions BEGIN UPDATE totals SET
        num_positions = num_positions - 1, visit_count = visit_count - OLD.visit_count; END""",
    """CREATE TRIGGER search_added AFTER INSERT ON searches BEGIN UPDATE totals SET
        seconds = seconds + NEW.seconds; END""",
    """CREATE TRIGGER search_dropped AFTER DELETE ON searches BEGIN UPDATE totals SET
        seconds = seconds - OLD.seconds; END""",
)


T = TypeVar("T")


class BookError(ValueError):
    """A file that is not a book, or not the expected one, or damaged; the message says which."""


@dataclass(frozen=True, slots=True)
class About:
    """The subject of a book, as stored in the file."""

    game: str
    game_options: str
    """In JSON."""
    first_state: str
    """The first position, as text; if the game changes, the book no longer fits."""
    rollouts: str
    max_positions: str


def rows(
    connection: sqlite3.Connection, path: Path, kind: type[T], statement: str, *values: Any
) -> T:
    """The rows of a query, as the type `kind`.

    Raises:
        BookError: the file cannot be read, or its content is wrong.
    """
    with explained(path):
        found = connection.execute(statement, values).fetchall()
    try:
        return convert(found, kind, "row")
    except WrongEntryError as error:
        raise BookError(f"{path} is damaged: {error}") from error


def read_about(connection: sqlite3.Connection, path: Path) -> About:
    """The subject of the book.

    Raises:
        BookError: an entry is missing or wrong, or the file cannot be read.
    """
    entries = rows(connection, path, list[tuple[str, str]], "SELECT name, value FROM about")
    try:
        return convert(dict(entries), About)
    except WrongEntryError as error:
        raise BookError(f"{path} is damaged: {error}") from error


def open_for_reading(path: Path) -> sqlite3.Connection:
    """Open an existing file without adding to it; its log is removed at the end.

    If its folder is read-only, only the file itself is read. This is impossible if a killed program
    has left a log, because only a writer can move the log into the file.
    """
    connection = _connect(path, "mode=rw")
    try:
        connection.execute("PRAGMA query_only = on")
        _number(connection, "application_id")
        return connection
    except sqlite3.OperationalError:
        connection.close()
        log = path.with_name(f"{path.name}-wal")
        if log.exists() and log.stat().st_size:
            raise
        return _connect(path, "mode=ro&immutable=1")
    except BaseException:
        connection.close()
        raise


def open_for_writing(path: Path) -> sqlite3.Connection:
    """Open an existing file."""
    connection = _connect(path, "mode=rw")
    connection.execute("PRAGMA foreign_keys = on")
    return connection


def create(path: Path, about: About) -> None:
    """Create the file of an empty book: first under another name, then renamed, if there is none
    yet.

    Raises:
        OSError, sqlite3.Error: it cannot be written.
    """
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    beside.unlink(missing_ok=True)
    try:
        with closing(_connect(beside, "mode=rwc")) as connection:
            connection.execute("PRAGMA journal_mode = wal")
            with transaction(connection):
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {VERSION}")
                for table in TABLES:
                    connection.execute(table)
                connection.executemany("INSERT INTO about VALUES (?, ?)", asdict(about).items())
        _put_into_place(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def _put_into_place(beside: Path, path: Path) -> None:
    """Give a file its name, unless another program has made one meanwhile."""
    try:
        os.link(beside, path)
    except FileExistsError:
        return
    except OSError:  # a disk without hard links
        if not path.exists():
            beside.rename(path)


def _connect(path: Path, how: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,  # a player can think in a thread of its own
    )


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Either everything inside is written or nothing; other writers wait meanwhile."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.rollback()
        raise
    connection.commit()


def check(connection: sqlite3.Connection, path: Path) -> None:
    """Check that the file is a book of this version.

    Raises:
        BookError: it is not.
    """
    if _number(connection, "application_id") != APPLICATION_ID:
        raise BookError(f"{path} is not a book but another program's database, or an empty file.")
    version = _number(connection, "user_version")
    if version != VERSION:
        raise BookError(
            f"{path} was written in version {version} of the format; "
            f"this program reads version {VERSION}."
        )


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    (number,) = connection.execute(f"PRAGMA {pragma}").fetchone()
    return int(number)


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn an error of SQLite into a sentence about the book at `path`."""
    try:
        yield
    except sqlite3.Error as error:
        raise BookError(f"{path} {_meaning(error)}") from error


def _meaning(error: sqlite3.Error) -> str:
    """SQLite's result codes (https://sqlite.org/rescode.html) in words."""
    code = getattr(error, "sqlite_errorname", "")
    if code.startswith("SQLITE_NOTADB"):
        return "is not a book: it is not an SQLite file."
    if code.startswith("SQLITE_CORRUPT"):
        return f"is damaged ({error}). Build it again, or use a copy."
    if code.startswith("SQLITE_FULL"):
        return f"cannot grow ({error}): make room on the disk. Everything stored before is kept."
    if code.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return f"cannot be opened or written ({error}): check the permissions of file and folder."
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return f"was locked by another program for too long ({error})."
    return f"cannot be used ({code or type(error).__name__}: {error})."
