"""The book itself: what searches have found, by position, in an SQLite file."""

import inspect
import json
import math
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from mctslab.book.canonical import canonical
from mctslab.games.state import State
from mctslab.search.node import Node
from mctslab.search.result import SearchResult
from mctslab.typed import Number, from_json, write_whole

_LAYOUT: Final = """
    CREATE TABLE about (game TEXT, rollouts TEXT);
    CREATE TABLE positions (
        key BLOB PRIMARY KEY, ply INTEGER, num_simulations INTEGER, seconds REAL, moves TEXT
    ) WITHOUT ROWID;
"""
"""`about` has one row. The moves of a position are a list in JSON of actions, N and W. Keys and
actions are those of the canonical orientation."""

_BUSY_SECONDS: Final = 60.0
"""How long a reader waits while another program writes, and the writer for readers."""


class BookError(ValueError):
    """A file that is not a book, or not the expected one, or that cannot be read or written."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The size of a book."""

    num_positions: int
    depth: int
    """The ply of the deepest position; the first position of a game has ply 0."""
    num_simulations: int
    """The visits of all positions together."""
    seconds: float
    """The time of all searches together."""
    ended: str = ""
    """Why building it has ended, half a sentence."""

    def __str__(self) -> str:
        return (
            f"{self.num_positions:,} positions to ply {self.depth}  "
            f"{self.num_simulations:,} simulations in {self.seconds:,.0f} s  {self.ended}"
        ).rstrip()


class Book(AbstractContextManager["Book"]):
    """Searched positions of one game, in a file; use it in a `with` statement.

    Any number of programs can read a book while one program adds to it. Use one `Book` in one
    thread at a time.

    Raises:
        BookError: there is no such file, or it is not a book.
    """

    game: str
    """The game and its board, as `description` writes them."""
    rollouts: str
    """The short name of the policy of its rollouts."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        if not self._path.is_file():
            raise BookError(
                f"There is no book {str(path)!r}. Make one with: "
                f"python -m mctslab book build {path} reversi"
            )
        self._connection = sqlite3.connect(
            self._path,
            timeout=_BUSY_SECONDS,
            isolation_level=None,  # every statement is in the file as a whole or not at all
            check_same_thread=False,  # a player can think in a thread of its own
        )
        with self._damage_is_named():
            # A view can compute for ever, and so can a trigger.
            objects = self._execute("SELECT type, name FROM sqlite_master ORDER BY name")
            if objects != [("table", "about"), ("table", "positions")]:
                raise BookError(f"{path} is not a book: its tables are not those of a book.")
            [(self.game, self.rollouts)] = self._execute("SELECT game, rollouts FROM about")

    @classmethod
    def create(
        cls, path: str | os.PathLike[str], first_state: State, *, rollouts: str = "uniform"
    ) -> Self:
        """Open a book to add to it; if there is no such file, create an empty book.

        Only one program should do so at a time, because others would search the same positions.

        Args:
            path: the file; its folder is created if it does not exist.
            first_state: the first position of its game.
            rollouts: the name of the policy of its searches. Searches with another policy have
                values with a different meaning, which must not be added up.

        Raises:
            BookError: the file is something else, or a book of another kind.
            OSError: the folder or the file cannot be created.
        """
        place, wanted = Path(path), (description(first_state), rollouts)
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists():
            with closing(sqlite3.connect(":memory:")) as connection:
                connection.executescript(_LAYOUT)
                connection.execute("INSERT INTO about VALUES (?, ?)", wanted)
                connection.commit()
                write_whole(place, connection.serialize())
        book = cls(place)
        if (book.game, book.rollouts) != wanted:
            raise BookError(
                f"{path} is a book of {book.game} with {book.rollouts} rollouts, not of "
                f"{wanted[0]} with {rollouts} rollouts. Name another file, or delete this one."
            )
        return book

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; the book cannot be used any more."""
        self._connection.close()

    def lookup(self, state: State) -> SearchResult | None:
        """The book's entry for a position: a search result with the moves of `state`.

        Moves that are equivalent by a symmetry of the position share their visits equally. Below
        the moves there is no tree.

        Returns:
            None if the position is not in the book, and at the end of a game.

        Raises:
            ValueError: this is another game.
            BookError: the file cannot be read, or it is damaged.
        """
        self._check_game(state)
        place = canonical(state)
        stored = self._execute("SELECT moves FROM positions WHERE key = ?", place.key)
        if not stored:
            return None
        classes = place.classes(state.legal_actions())
        root = Node(state)
        with self._damage_is_named():
            for action, visit_count, total_value in self._moves(stored[0][0]):
                _divide(root, classes[action], visit_count, total_value)
        return SearchResult(root, root.visit_count, 0.0, note="From the book.")

    def add(self, result: SearchResult, *, ply: int) -> None:
        """Add the statistics of a search's root to what the book has of its position.

        All of it is in the file when this returns. If the program is killed before, nothing is.

        Args:
            result: the search; only the moves of its root are kept.
            ply: the number of plies from the first position to the root.

        Raises:
            ValueError: this is another game.
            BookError: the file cannot be written.
        """
        self._check_game(result.state)
        place = canonical(result.state)
        stored = self._execute("SELECT * FROM positions WHERE key = ?", place.key)
        [(_, ply, before, seconds, moves)] = stored or [(b"", ply, 0, 0.0, "[]")]
        with self._damage_is_named():
            sums = {action: (visits, value) for action, visits, value in self._moves(moves)}
            for child in result.root.children:
                action = place.actions[child.action or 0]
                visits, value = sums.get(action, (0, 0.0))
                sums[action] = visits + child.visit_count, value + child.total_value
            moves = json.dumps([(action, *both) for action, both in sorted(sums.items())])
            visits = before + sum(child.visit_count for child in result.root.children)
            row = place.key, ply, visits, seconds + result.seconds, moves
        self._execute("REPLACE INTO positions VALUES (?, ?, ?, ?, ?)", *row)

    def summary(self) -> Summary:
        """The current size of the book."""
        sums = "count(*), ifnull(max(ply), 0), total(num_simulations), total(seconds)"
        [(number, depth, num_simulations, seconds)] = self._execute(f"SELECT {sums} FROM positions")
        with self._damage_is_named():
            return Summary(number, int(depth), int(num_simulations), seconds)

    def positions_by_ply(self) -> dict[int, int]:
        """The number of positions at each number of plies from the first one."""
        return dict(self._execute("SELECT ply, count(*) FROM positions GROUP BY ply"))

    def _execute(self, statement: str, *values: object) -> list[Any]:
        try:
            return self._connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise BookError(
                f"{self._path} is not a book, or it cannot be read or written: {error}."
            ) from error

    def _moves(self, text: str) -> Iterator[tuple[int, int, float]]:
        """The action, N and W of each stored move."""
        for move in from_json(text, list[tuple[Number, Number, float]], "moves"):
            if not math.isfinite(move[2]):
                raise ValueError(f"the total value of a move is {move[2]}")
            yield move

    @contextmanager
    def _damage_is_named(self) -> Iterator[None]:
        """Raise BookError where something in the file is not what this class has written."""
        try:
            yield
        except BookError:
            raise
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise BookError(
                f"{self._path} is damaged ({type(error).__name__}: {error}). Delete it, or name "
                "another file."
            ) from error

    def _check_game(self, state: State) -> None:
        if (game := description(state)) != self.game:
            raise ValueError(f"{self._path} is a book of {self.game}, not of {game}.")


def description(state: State) -> str:
    """The game of a position and its options; the same text for every position of the game.

    >>> from mctslab.games import Reversi
    >>> description(Reversi().child(19))
    'Reversi (size=8)'
    """
    names = inspect.signature(type(state)).parameters
    options = ", ".join(f"{name}={getattr(state, name)}" for name in names if hasattr(state, name))
    return f"{state.title} ({options})" if options else state.title


def _divide(root: Node, actions: Sequence[int], visit_count: int, total_value: float) -> None:
    """Divide visits equally among equivalent moves; the first moves get one more each until the
    remainder is used up."""
    share, rest = divmod(visit_count, len(actions))
    for place, action in enumerate(actions):
        child = Node(parent=root, action=action, prior=1 / len(root.state.legal_actions()))
        child.visit_count = share + (place < rest)
        child.total_value = total_value * child.visit_count / max(visit_count, 1)
        root.untried_actions.remove(action)  # first: they are derived from the children
        root.children.append(child)
        root.visit_count += child.visit_count
        root.total_value += child.total_value
