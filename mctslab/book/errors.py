"""What can be wrong with the file of a book, in a sentence."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager


class BookError(ValueError):
    """A file that is no book, or not the one wanted, or cannot be used; the sentence says why."""


@contextmanager
def explained(path: str | os.PathLike[str]) -> Iterator[None]:
    """Say what SQLite's error means for the book at `path`."""
    try:
        yield
    except sqlite3.Error as error:
        raise BookError(f"{path} {_meaning(error)}") from error


def _meaning(error: sqlite3.Error) -> str:
    """SQLite's result codes, the first word of their names (https://sqlite.org/rescode.html)."""
    code = getattr(error, "sqlite_errorname", "")
    if code.startswith("SQLITE_NOTADB"):
        return "is no book: it is not a file of SQLite's."
    if code.startswith("SQLITE_CORRUPT"):
        return f"is damaged ({error}). Build it anew, or take a copy."
    if code.startswith("SQLITE_FULL"):
        return f"cannot grow ({error}): make room on the disk. What was stored before is kept."
    if code.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return f"cannot be opened or written here ({error}): look at the rights of file and folder."
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return f"was kept busy by another program for too long ({error})."
    return f"cannot be used ({code or type(error).__name__}: {error})."
