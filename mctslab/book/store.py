"""The book itself: the results of searches, by position, in a file."""

import json
import os
import sys
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from mctslab import games
from mctslab.book import schema
from mctslab.book.canonical import canonical
from mctslab.book.schema import About, BookError, explained
from mctslab.games.state import State
from mctslab.search.node import Node
from mctslab.search.result import SearchResult
from mctslab.typed import Count, Finite, Number, convert, from_json

T = TypeVar("T")

MAX_POSITIONS: Final = 1_000_000
"""The default for the largest number of positions: about 400 MB for Reversi."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The size of a book."""

    num_positions: int
    num_simulations: int
    """The visits of all positions together."""
    seconds: float
    """The time of all searches together."""
    depth: int
    """The ply of the deepest position; the first position of a game has ply 0."""


class Book:
    """Searched positions of one game, in a file; use it in a `with` statement.

    Several programs can have a book open at once, and write to it: their results are added up, and
    each sees those of the others. A result is in the file when `add` returns; a program that is
    killed before that has added nothing. Use one `Book` in one thread at a time.

    A book has at most `max_positions`. To make room, the positions with the fewest visits are
    dropped; among equals the one furthest from the first position, then the one added last.

    Args:
        path: an existing file; `Book.create` makes one.
        read_only: open it for lookups only, which also works in a read-only folder.

    Raises:
        BookError: there is no such file, it is not a book, or it cannot be opened.
    """

    first_state: State
    """The first position of the game."""
    rollouts: str
    """The short name of the policy of its rollouts."""
    max_positions: int

    def __init__(self, path: str | os.PathLike[str], *, read_only: bool = False) -> None:
        self._path = Path(path)
        if not self._path.is_file():
            raise BookError(
                f"There is no book {str(path)!r}. Make one with: "
                f"python -m mctslab book build {path} reversi"
            )
        opened = schema.open_for_reading if read_only else schema.open_for_writing
        with explained(self._path):
            self._connection = opened(self._path)
        try:
            with explained(self._path):
                schema.check(self._connection, self._path)
            self._read_about()
        except BaseException:
            self.close()
            raise

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        game: str,
        game_options: Mapping[str, Any] | None = None,
        *,
        rollouts: str = "uniform",
        max_positions: int = MAX_POSITIONS,
    ) -> Self:
        """Create an empty book, or open an existing one of the same kind.

        Args:
            path: the file; its folder is created if it does not exist.
            game: a name for `games.make`.
            game_options: for `games.make`, such as `{"size": 6}`.
            rollouts: the name of the policy of its searches. Searches with another policy have
                values with a different meaning, which must not be added up.
            max_positions: the largest number of positions, 1 or more. An existing book keeps its
                own limit.

        Raises:
            BookError: the file is something else, or a book of another kind.
            ValueError: there is no such game, or the limit is not possible.
            OSError: the folder cannot be created.
        """
        convert(max_positions, Count, "max_positions")
        options = dict(game_options or {})
        about = About(
            game=game,
            game_options=json.dumps(options, sort_keys=True),
            first_state=str(games.make(game, **options)),
            rollouts=rollouts,
            max_positions=str(max_positions),
        )
        place = Path(path)
        if not place.exists():
            try:
                place.parent.mkdir(parents=True, exist_ok=True)
            except (FileExistsError, NotADirectoryError) as error:
                raise BookError(
                    f"{place} cannot be made: {place.parent} is not a folder."
                ) from error
            with explained(place):
                schema.create(place, about)
        book = cls(place)
        try:
            book._check_kind(about)
        except BaseException:
            book.close()
            raise
        return book

    def __enter__(self) -> Self:
        return self

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
            BookError: the file cannot be read.
        """
        self._check_game(state)
        place = canonical(state)
        moves = self._rows(
            list[tuple[Number, Number, Finite]],
            """SELECT action, moves.visit_count, total_value
            FROM moves JOIN positions ON positions.id = position WHERE key = ?""",
            place.key,
        )
        if not moves:
            return None
        classes = place.classes(state.legal_actions())
        root = Node(state)
        for action, visit_count, total_value in moves:
            if action not in classes:
                raise BookError(
                    f"{self._path} is damaged: it has a move {action}, which is not legal."
                )
            _divide(root, classes[action], visit_count, total_value)
        return SearchResult(root, root.visit_count, 0.0, note="From the book.")

    def visit_count(self, state: State) -> int:
        """The number of simulations of a position in the book; 0 if it is not there."""
        self._check_game(state)
        key = canonical(state).key
        statement = "SELECT visit_count FROM positions WHERE key = ?"
        return sum(count for (count,) in self._rows(list[tuple[Number]], statement, key))

    def add(
        self, line: Sequence[int], result: SearchResult, *, name: str = "", seconds: float = 0.0
    ) -> bool:
        """Add the statistics of a search's root.

        Args:
            line: actions that lead from the first position to the root.
            result: the search; only the moves of its root are kept.
            name: the name of this search. If one with the same name is in the book, it is not added
                again.
            seconds: how long the search took, for the summary; if 0, the time in `result`.

        Returns:
            Whether it was added: False if it was there already.

        Raises:
            ValueError: `line` does not lead to the root, or nothing was searched.
            BookError: the file cannot be written; nothing was added.
        """
        state = self.first_state
        for action in line:
            state = state.child(action)
        if state != result.state:
            raise ValueError(f"The line leads to\n{state}\nbut the search is of\n{result.state}")
        place = canonical(state)
        sums = {
            action: _sums(result, equals)
            for action, equals in place.classes(state.legal_actions()).items()
        }
        visits = sum(visit_count for visit_count, _ in sums.values())
        if not visits:
            raise ValueError(f"Nothing was searched, so there is nothing to add: {result!r}")
        moves = " ".join(map(self.first_state.action_to_string, line))
        search = (name or uuid.uuid4().hex, visits, seconds or result.seconds)
        with explained(self._path), schema.transaction(self._connection):
            found = self._connection.execute("SELECT 1 FROM searches WHERE name = ?", search[:1])
            if found.fetchone():
                return False
            position = self._add_position(place.key, moves, len(line), visits)
            self._connection.executemany(
                """INSERT INTO moves VALUES (?, ?, ?, ?)
                ON CONFLICT (position, action) DO UPDATE SET
                    visit_count = visit_count + excluded.visit_count,
                    total_value = total_value + excluded.total_value""",
                [(position, action, *numbers) for action, numbers in sums.items()],
            )
            self._connection.execute(
                "INSERT INTO searches VALUES (?, ?, ?, ?)", (search[0], position, *search[1:])
            )
            self._make_room()
        return True

    def summary(self) -> Summary:
        """The current size of the book."""
        statement = "SELECT num_positions, visit_count, seconds FROM totals"
        [totals] = self._rows(list[tuple[Number, Number, Finite]], statement)
        statement = "SELECT max(ply) FROM positions"
        [(depth,)] = self._rows(list[tuple[Number | None]], statement)
        return Summary(*totals, depth=depth or 0)

    def least_visit_count(self) -> int:
        """The visits of the position that would be dropped first; 0 in an empty book."""
        statement = "SELECT min(visit_count) FROM positions"
        [(least,)] = self._rows(list[tuple[Number | None]], statement)
        return least or 0

    def positions_by_ply(self) -> dict[int, int]:
        """The number of positions at each number of plies from the first one."""
        statement = "SELECT ply, count(*) FROM positions GROUP BY ply ORDER BY ply"
        return dict(self._rows(list[tuple[Number, Number]], statement))

    def check(self) -> None:
        """Read the whole file, and compare its sums.

        Raises:
            BookError: it is damaged.
        """
        with explained(self._path):
            for (answer,) in self._connection.execute("PRAGMA quick_check(1)").fetchall():
                if answer != "ok":
                    raise BookError(f"{self._path} is damaged: {answer}.")
            for table, number in (("moves", "visit_count"), ("searches", "num_simulations")):
                (wrong,) = self._connection.execute(
                    f"""SELECT count(*) FROM positions WHERE visit_count != (
                    SELECT coalesce(sum({number}), 0) FROM {table} WHERE position = positions.id)"""
                ).fetchone()
                if wrong:
                    raise BookError(
                        f"{self._path} is damaged: at {wrong} positions the visits are not the "
                        f"sums of its {table}."
                    )
            totals = self._connection.execute("SELECT num_positions, visit_count FROM totals")
            sums = self._connection.execute("SELECT count(*), total(visit_count) FROM positions")
            if totals.fetchone() != sums.fetchone():
                raise BookError(f"{self._path} is damaged: its totals are not its sums.")

    def __repr__(self) -> str:
        return f"<Book: {self._path}, {self.first_state.title}>"

    # The file

    def _rows(self, kind: type[T], statement: str, *values: Any) -> T:
        return schema.rows(self._connection, self._path, kind, statement, *values)

    def _read_about(self) -> None:
        self._about = about = schema.read_about(self._connection, self._path)
        module = about.game.partition(":")[0]
        if module != about.game and module not in sys.modules:
            raise BookError(
                f"{self._path} is a book of {about.game!r}, a game of your own. A file cannot "
                "decide which module is imported, so import it yourself, or give --game "
                f"{about.game} on the command line."
            )
        try:
            options = from_json(about.game_options, dict[str, Any], "game_options")
            self.first_state = games.make(about.game, **options)
            self.max_positions = from_json(about.max_positions, Count, "max_positions")
        except (OverflowError, TypeError, ValueError) as error:
            raise BookError(f"{self._path} is a book that cannot be read: {error}") from error
        self.rollouts = about.rollouts
        if str(self.first_state) != about.first_state:
            raise BookError(
                f"{self._path} is for another {self.first_state.title}: its first position is\n"
                f"{about.first_state}"
            )

    def _check_kind(self, wanted: About) -> None:
        for key in ("game", "game_options", "first_state", "rollouts"):
            if getattr(self._about, key) != getattr(wanted, key):
                raise BookError(
                    f"{self._path} is another book: its {key} is {getattr(self._about, key)!r}, "
                    f"not {getattr(wanted, key)!r}. Name another file, or delete this one."
                )

    def _check_game(self, state: State) -> None:
        """Check that `state` belongs to the book's game, on its board."""
        if not _same_game(state, self.first_state):
            raise ValueError(
                f"{self._path} is a book of {self.first_state.title} "
                f"({self._about.game_options}), and this is another game:\n{state}"
            )

    def _add_position(self, key: bytes, line: str, ply: int, visits: int) -> int:
        """Add visits to a position, in a transaction; returns its id."""
        self._connection.execute(
            """INSERT INTO positions (key, line, ply, visit_count) VALUES (?, ?, ?, ?)
            ON CONFLICT (key) DO UPDATE SET visit_count = visit_count + excluded.visit_count""",
            (key, line, ply, visits),
        )
        row = self._connection.execute("SELECT id FROM positions WHERE key = ?", (key,)).fetchone()
        return int(row[0])

    def _make_room(self) -> None:
        """Drop the least visited positions above the bound, in a transaction."""
        (number,) = self._connection.execute("SELECT count(*) FROM positions").fetchone()
        if number > self.max_positions:
            self._connection.execute(
                """DELETE FROM positions WHERE id IN (SELECT id FROM positions
                ORDER BY visit_count, ply DESC, id DESC LIMIT ?)""",
                (number - self.max_positions,),
            )


def _same_game(one: State, other: State) -> bool:
    """Whether two positions have the same class, number of actions and rules."""
    rules, others = one.compilable(), other.compilable()
    return (
        type(one) is type(other)
        and one.num_actions == other.num_actions
        and (rules and rules.geometry) == (others and others.geometry)
    )


def _sums(result: SearchResult, actions: Sequence[int]) -> tuple[int, float]:
    """N and W of several root moves together."""
    chosen = [child for child in result.root.children if child.action in actions]
    return sum(child.visit_count for child in chosen), sum(child.total_value for child in chosen)


def _divide(root: Node, actions: Sequence[int], visit_count: int, total_value: float) -> None:
    """Divide visits equally among equivalent moves; the first moves get one more each until the
    remainder is used up."""
    share, rest = divmod(visit_count, len(actions))
    for place, action in enumerate(actions):
        child = Node(parent=root, action=action, prior=1 / len(root.state.legal_actions()))
        child.visit_count = share + (place < rest)
        child.total_value = total_value * child.visit_count / visit_count if visit_count else 0.0
        root.children.append(child)
        root.untried_actions.remove(action)
        root.visit_count += child.visit_count
        root.total_value += child.total_value
