"""The book itself: one table in an SQLite file, with a row for each position."""

import inspect
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from typing import Annotated, Final, NamedTuple

from filelock import FileLock, Timeout

from mctslab.book.canonical import canonical
from mctslab.games.state import State
from mctslab.search.node import Node
from mctslab.search.result import SearchResult
from mctslab.typed import Meta, Number, file_behind, from_json, write_whole

_TABLE: Final = (
    "CREATE TABLE positions "
    "(key BLOB PRIMARY KEY, ply INTEGER, seconds REAL, moves TEXT) WITHOUT ROWID"
)
"""`key` and the actions in `moves` are those of the canonical orientation. In one more row the key
is empty, and `moves` is the book's `kind`."""

_Moves = list[tuple[Number, Number, Annotated[float, Meta(ge=-1, le=1)]]]
"""The action, N and Q of each move that was tried; in the file as JSON."""


class BookError(ValueError):
    """A file that is not a book, or not the expected one, or that cannot be read or written."""


class Summary(NamedTuple):
    """The size of a book."""

    positions_by_ply: dict[int, int]
    """The number of positions at each number of plies from the first position of the game."""
    seconds: float
    """The time of all searches together."""
    ended: str = ""
    """Why building it has ended, half a sentence."""

    @property
    def num_positions(self) -> int:
        """The number of positions in the book."""
        return sum(self.positions_by_ply.values())

    def __str__(self) -> str:
        return (
            f"{self.num_positions:,} positions to ply {max(self.positions_by_ply, default=0)} "
            f"in {self.seconds:,.0f} s  {self.ended}"
        ).rstrip()


class Book(AbstractContextManager["Book"]):
    """Searched positions of one game, in a file; use it in a `with` statement.

    `Book(path)` reads an existing book, also while another program adds to it.

    Raises:
        BookError: there is no such file, or it is not a book. All methods raise it where they come
            upon damage.
    """

    kind: str
    """Its game and the policy of its rollouts, such as `Reversi (size=8) with uniform rollouts`."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)
        if not os.path.isfile(path):
            raise BookError(
                f"There is no book {self._path!r}. Make one with: "
                f"python -m mctslab book build {path} reversi"
            )
        with self._damage_is_named():
            self._connection = sqlite3.connect(
                path,
                timeout=60,  # seconds that a reader waits for the writer, and it for readers
                isolation_level=None,  # every statement is in the file as a whole or not at all
                check_same_thread=False,  # a player can think in a thread of its own
            )
            # Nothing else must be there: reading a view, for example, could go on for ever.
            if self._connection.execute("SELECT sql FROM sqlite_master").fetchall() != [(_TABLE,)]:
                raise ValueError("it does not consist of a book's table")
            [(kind,)] = self._connection.execute("SELECT moves FROM positions WHERE key = x''")
        self.kind = str(kind)

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
        row = key, ply, result.seconds, json.dumps(moves)
        with self._damage_is_named():
            self._connection.execute("REPLACE INTO positions VALUES (?, ?, ?, ?)", row)

    def summary(self) -> Summary:
        """The current size of the book."""
        with self._damage_is_named():
            rows = self._connection.execute(
                "SELECT ply, count(*), total(seconds) FROM positions WHERE key != x'' GROUP BY ply"
            ).fetchall()
            by_ply = {int(ply): number for ply, number, _ in rows}
            return Summary(by_ply, sum(seconds for _, _, seconds in rows))

    def _place(self, state: State) -> tuple[bytes, dict[int, int]]:
        """The `canonical` position, if it is of this book's game."""
        if (game := _description(state)) != self.kind.rpartition(" with ")[0]:
            raise ValueError(f"{self._path} is a book of {self.kind}, not of {game}.")
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


@contextmanager
def writing(
    path: str | os.PathLike[str], first_state: State, *, rollouts: str = "uniform"
) -> Iterator[Book]:
    """A book to add to, for one program at a time; if there is no such file, it is created.

    Args:
        path: the file; its folder is created as well.
        first_state: the first position of its game.
        rollouts: the name of the policy of all its searches.

    Raises:
        BookError: the file is something else, or a book of another kind, or another program is
            adding to it.
        OSError: the folder or the file cannot be created.
    """
    place = file_behind(path)  # two links to a file have one lock
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        lock = FileLock(place.with_name(f".{place.name}.lock")).acquire(timeout=0)
    except Timeout:
        raise BookError(f"Another program is adding to the book {path}.") from None
    kind = f"{_description(first_state)} with {rollouts} rollouts"
    with lock:
        if not place.exists():
            with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
                connection.execute(_TABLE)
                connection.execute("INSERT INTO positions VALUES (x'', 0, 0, ?)", [kind])
                write_whole(place, connection.serialize())
        with Book(path) as book:
            if book.kind != kind:
                raise BookError(
                    f"{path} is a book of {book.kind}, not of {kind}. Name another file, or delete "
                    "this one."
                )
            yield book


def _description(state: State) -> str:
    """The game of a position and its options, such as `Reversi (size=8)`."""
    names = inspect.signature(type(state)).parameters
    options = ", ".join(f"{name}={getattr(state, name)}" for name in names if hasattr(state, name))
    return f"{state.title} ({options})" if options else state.title
