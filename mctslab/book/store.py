"""The book itself: one table in an SQLite file, with a row for each position."""

import inspect
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Annotated, Final, NamedTuple

from mctslab.book.canonical import canonical
from mctslab.games.state import State
from mctslab.search.node import Node
from mctslab.search.result import SearchResult
from mctslab.typed import Meta, Number, from_json

_TABLE: Final = (
    "CREATE TABLE positions (key BLOB PRIMARY KEY, ply INTEGER, moves TEXT) WITHOUT ROWID"
)
"""`key` and the actions in `moves` are those of the canonical orientation. In one more row the key
is empty, and `moves` is the book's `game`."""

_Moves = list[tuple[Number, Number, Annotated[float, Meta(ge=-1, le=1)]]]
"""The action, N and Q of each move that was tried; in the file as JSON."""


class BookError(ValueError):
    """A file that is not a book, or not the expected one, or that cannot be read or written."""


class Summary(NamedTuple):
    """The size of a book."""

    positions_by_ply: dict[int, int]
    """The number of positions at each number of plies from the first position of the game."""
    ended: str = ""
    """Why building it has ended, half a sentence."""

    @property
    def num_positions(self) -> int:
        """The number of positions in the book."""
        return sum(self.positions_by_ply.values())

    def __str__(self) -> str:
        deepest = max(self.positions_by_ply, default=0)
        return f"{self.num_positions:,} positions to ply {deepest}  {self.ended}".rstrip()


class Book(AbstractContextManager["Book"]):
    """Searched positions of one game, in a file; use it in a `with` statement.

    `Book(path)` reads an existing book, also while another program adds to it.

    Args:
        path: the file.
        first_state: of a book to add to, the first position of its game; if there is no such file,
            it is created.

    Raises:
        BookError: there is no such file, or it is not a book, or of another game. All methods raise
            it where they come upon damage.
        OSError: the folder of a new file cannot be created.
    """

    game: str
    """Its game with the options, such as `Reversi (size=8)`."""

    def __init__(self, path: str | os.PathLike[str], first_state: State | None = None) -> None:
        self._path = os.fspath(path)
        is_new = not os.path.isfile(path) or not os.path.getsize(path)
        if is_new and first_state is None:
            raise BookError(
                f"There is no book {self._path!r}. Make one with: "
                f"python -m mctslab book build {path} reversi"
            )
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        with self._damage_is_named():
            self._connection = sqlite3.connect(
                path,
                timeout=60,  # seconds that a reader waits for the writer, and it for readers
                isolation_level=None,  # every statement is in the file as a whole or not at all
                check_same_thread=False,  # a player can think in a thread of its own
            )
            if is_new:
                self._connection.execute(_TABLE)
            # Nothing else must be there: reading a view, for example, could go on for ever.
            if self._connection.execute("SELECT sql FROM sqlite_master").fetchall() != [(_TABLE,)]:
                raise ValueError("it does not consist of a book's table")
            if first_state is not None:
                row = b"", 0, _description(first_state)
                self._connection.execute("INSERT OR IGNORE INTO positions VALUES (?, ?, ?)", row)
            [(game,)] = self._connection.execute("SELECT moves FROM positions WHERE key = x''")
        self.game = str(game)
        if first_state is not None:
            self._place(first_state)

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def lookup(self, state: State) -> SearchResult | None:
        """The book's entry for a position: a search result with the moves of `state`, and no tree
        below them; None if the position is not in the book.

        Raises:
            ValueError: this is another game.
        """
        key, stored = self._place(state)
        actions = {there: action for action, there in stored.items()}
        root = Node(state)
        with self._damage_is_named():
            found = self._connection.execute("SELECT moves FROM positions WHERE key = ?", [key])
            if (row := found.fetchone()) is None:
                return None
            for there, visit_count, mean_value in from_json(row[0], _Moves, "moves"):
                child = Node(parent=root, action=actions.pop(there), prior=1 / len(stored))
                child.visit_count, child.total_value = visit_count, visit_count * mean_value
                root.children.append(child)
                root.visit_count += child.visit_count
                root.total_value += child.total_value
        return SearchResult(root, root.visit_count, 0.0, note="From the book.")

    def add(self, result: SearchResult, *, ply: int) -> None:
        """Store the statistics of a search's root; they replace an older entry of its position.

        All of it is in the file when this returns. If the program is killed before, nothing is.

        Args:
            result: the search; only the moves of its root are kept.
            ply: the number of plies from the first position to the root.

        Raises:
            ValueError: this is another game.
        """
        key, stored = self._place(result.state)
        moves = [(stored[c.action], c.visit_count, c.mean_value) for c in result.children]
        with self._damage_is_named():
            row = key, ply, json.dumps(moves)
            self._connection.execute("REPLACE INTO positions VALUES (?, ?, ?)", row)

    def summary(self) -> Summary:
        """The current size of the book."""
        with self._damage_is_named():
            rows = self._connection.execute(
                "SELECT ply, count(*) FROM positions WHERE key != x'' GROUP BY ply"
            )
            return Summary({int(ply): number for ply, number in rows})

    def _place(self, state: State) -> tuple[bytes, dict[int, int]]:
        """The `canonical` position, if it is of this book's game."""
        if (game := _description(state)) != self.game:
            raise BookError(
                f"{self._path} is a book of {self.game}, not of {game}. Name another file, or "
                "delete this one."
            )
        return canonical(state)

    @contextmanager
    def _damage_is_named(self) -> Iterator[None]:
        """Raise BookError where something in the file is not what this class has written."""
        try:
            yield
        except (sqlite3.Error, ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise BookError(
                f"{self._path} is not a book, or it is damaged or cannot be read or written "
                f"({type(error).__name__}: {error}). Delete it, or name another file."
            ) from error


def _description(state: State) -> str:
    """The game of a position and its options, such as `Reversi (size=8)`."""
    names = inspect.signature(type(state)).parameters
    options = ", ".join(f"{name}={getattr(state, name)}" for name in names if hasattr(state, name))
    return f"{state.title} ({options})" if options else state.title
