"""The book itself: what searches have found out, by position, in a file."""

import json
import os
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from mctslab import games
from mctslab.book import schema
from mctslab.book.canonical import canonical
from mctslab.book.errors import BookError, explained
from mctslab.games.state import State
from mctslab.search.node import Node
from mctslab.search.result import SearchResult

MAX_POSITIONS: Final = 1_000_000
"""How many positions a book may have unless you say otherwise: some 400 MB for Reversi."""


@dataclass(frozen=True, slots=True)
class Summary:
    """How much is in a book."""

    num_positions: int
    num_simulations: int
    """The visits of all positions together."""
    seconds: float
    """How long the searches took that are in it."""
    depth: int
    """The ply of the deepest position; the first position of a game has ply 0."""


class Book:
    """Searched positions of one game, in a file; use it in a `with` statement.

    Several programs may have a book open at once, and write to it: what they add is summed up, and
    each sees what the others have added. What is added is in the file when `add` returns, and a
    program that is killed in the middle of it has added nothing. One `Book` is for one thread at a
    time.

    A book has at most `max_positions`. To make room, those with the fewest visits are dropped, of
    equally many the one furthest from the first position, and of those the one added last.

    Args:
        path: the file, which is there; `Book.create` makes one.
        read_only: open it for lookups alone; also where nothing can be written.

    Raises:
        BookError: there is no such file, it is no book, or it cannot be opened.
    """

    first_state: State
    """The first position of the game."""
    rollouts: str
    """The short name of the policy by which the leaves were judged."""
    max_positions: int

    def __init__(self, path: str | os.PathLike[str], *, read_only: bool = False) -> None:
        self._path = Path(path)
        if not self._path.is_file():
            raise BookError(
                f"There is no book {str(path)!r}. Make one with: "
                f"python -m mctslab book build {path} reversi"
            )
        opened = schema.open_for_reading if read_only else schema.open_for_writing
        with explained(path):
            self._connection = opened(self._path)
        try:
            with explained(path):
                schema.check(self._connection, path)
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
        """Make an empty book, or open the one that is there, if it is of the same kind.

        Args:
            path: the file; its folder is made if need be.
            game: a name that `games.make` knows.
            game_options: for `games.make`, such as `{"size": 6}`.
            rollouts: what is to be noted as the policy of its searches; values of searches with
                different policies would mean different things, and are not to be added up.
            max_positions: its bound, 1 or more. One that is there keeps its own.

        Raises:
            BookError: the file is something else, or a book of another kind.
            ValueError: no such game, or no such bound.
            OSError: the folder cannot be made.
        """
        if not isinstance(max_positions, int) or max_positions < 1:
            raise ValueError(
                f"max_positions={max_positions!r} is not possible: a whole number, 1 or more."
            )
        about = {
            "game": game,
            "game_options": json.dumps(dict(game_options or {}), sort_keys=True),
            "first_state": str(games.make(game, **(game_options or {}))),
            "rollouts": rollouts,
            "max_positions": str(max_positions),
        }
        place = Path(path)
        if not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            with explained(path):
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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; the book cannot be used any more."""
        self._connection.close()

    def lookup(self, state: State) -> SearchResult | None:
        """What the book knows of a position: a search result with the moves of `state`.

        Moves that the position's own symmetry leads into each other have equal shares of the visits
        that they have together. Nothing is known below the moves.

        Returns:
            None where the position is not in the book, and at the end of a game.

        Raises:
            ValueError: this is another game.
            BookError: the file cannot be read.
        """
        self._check_game(state)
        if state.is_terminal:
            return None
        place = canonical(state)
        with explained(self._path):
            rows = self._connection.execute(
                """SELECT action, moves.visit_count, total_value
                FROM moves JOIN positions ON positions.id = position WHERE key = ?""",
                (place.key,),
            ).fetchall()
        if not rows:
            return None
        classes = place.classes(state.legal_actions())
        root = Node(state)
        for action, visit_count, total_value in rows:
            if action not in classes:
                raise BookError(
                    f"{self._path} is damaged: it knows a move {action} where none is legal."
                )
            _share_out(root, classes[action], visit_count, total_value)
        return SearchResult(root, root.visit_count, 0.0, note="From the book.")

    def visit_count(self, state: State) -> int:
        """How many simulations of a position are in the book; 0 where it is not."""
        self._check_game(state)
        return self._visit_count(canonical(state).key)

    def add(
        self, line: Sequence[int], result: SearchResult, *, name: str = "", seconds: float = 0.0
    ) -> bool:
        """Add what a search has found out about the moves of its root.

        Args:
            line: actions that lead from the first position to the root.
            result: the search; only the statistics of its root are kept.
            name: of this very search. One that was added under the same name is not added again.
                Without a name, it is.
            seconds: how long the search took, for the summary; without it, what `result` says.

        Returns:
            Whether it was added: False if it was there already.

        Raises:
            ValueError: `line` does not lead to the root, or nothing was searched.
            BookError: the file cannot be written; nothing was added.
        """
        state = self._played(line)
        if state != result.state:
            raise ValueError(f"The line leads to\n{state}\nbut searched was\n{result.state}")
        place = canonical(state)
        sums = {
            action: _sums(result, equals)
            for action, equals in place.classes(state.legal_actions()).items()
        }
        visits = sum(visit_count for visit_count, _ in sums.values())
        if not visits:
            raise ValueError(f"Nothing was searched, so there is nothing to add: {result!r}")
        words = " ".join(self._words(line))
        search = (name or uuid.uuid4().hex, visits, seconds or result.seconds)
        with explained(self._path), schema.transaction(self._connection):
            if self._has_search(search[0]):
                return False
            position = self._add_position(place.key, words, len(line), visits)
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
        """How much is in the book now."""
        with explained(self._path):
            num_positions, visit_count, seconds = self._connection.execute(
                "SELECT num_positions, visit_count, seconds FROM totals"
            ).fetchone()
            (ply,) = self._connection.execute("SELECT max(ply) FROM positions").fetchone()
        return Summary(num_positions, visit_count, seconds, ply or 0)

    def least_visit_count(self) -> int:
        """The visits of the position that would be the first to be dropped; 0 without any."""
        with explained(self._path):
            (least,) = self._connection.execute("SELECT min(visit_count) FROM positions").fetchone()
        return least or 0

    def positions_by_ply(self) -> dict[int, int]:
        """How many positions it has at each number of plies from the first one."""
        with explained(self._path):
            return dict(
                self._connection.execute(
                    "SELECT ply, count(*) FROM positions GROUP BY ply ORDER BY ply"
                )
            )

    def check(self) -> None:
        """Read the whole file, and hold its sums against each other.

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
                        f"{self._path} is damaged: at {wrong} positions the visits are not those "
                        f"of its {table}."
                    )
            totals = self._connection.execute("SELECT num_positions, visit_count FROM totals")
            sums = self._connection.execute("SELECT count(*), total(visit_count) FROM positions")
            if totals.fetchone() != sums.fetchone():
                raise BookError(f"{self._path} is damaged: its totals are not its sums.")

    def __repr__(self) -> str:
        return f"<Book: {self._path}, {self.first_state.title}>"

    # The file

    def _read_about(self) -> None:
        self._about = dict(self._connection.execute("SELECT name, value FROM about"))
        try:
            options = json.loads(self._about["game_options"])
            self.first_state = games.make(self._about["game"], **options)
            self.rollouts = self._about["rollouts"]
            self.max_positions = int(self._about["max_positions"])
        except (KeyError, TypeError, ValueError) as error:
            raise BookError(f"{self._path} is a book that cannot be read: {error}") from error
        if str(self.first_state) != self._about["first_state"]:
            raise BookError(
                f"{self._path} is of another {self.first_state.title}: its first position is\n"
                f"{self._about['first_state']}"
            )

    def _check_kind(self, wanted: Mapping[str, str]) -> None:
        for key in ("game", "game_options", "first_state", "rollouts"):
            if self._about[key] != wanted[key]:
                raise BookError(
                    f"{self._path} is another book: its {key} is {self._about[key]!r}, not "
                    f"{wanted[key]!r}. Name another file, or delete this one."
                )

    def _check_game(self, state: State) -> None:
        """Make sure that `state` belongs to the book's game, at its size."""
        if not _same_game(state, self.first_state):
            raise ValueError(
                f"{self._path} is a book of {self.first_state.title} "
                f"({self._about['game_options']}), and this is not:\n{state}"
            )

    def _played(self, line: Sequence[int]) -> State:
        state = self.first_state
        for action in line:
            state = state.child(action)
        return state

    def _words(self, line: Sequence[int]) -> list[str]:
        return [self.first_state.action_to_string(action) for action in line]

    def _visit_count(self, key: bytes) -> int:
        with explained(self._path):
            row = self._connection.execute(
                "SELECT visit_count FROM positions WHERE key = ?", (key,)
            ).fetchone()
        return row[0] if row else 0

    def _has_search(self, name: str) -> bool:
        found = self._connection.execute("SELECT 1 FROM searches WHERE name = ?", (name,))
        return found.fetchone() is not None

    def _add_position(self, key: bytes, line: str, ply: int, visits: int) -> int:
        """Add visits to a position, in a transaction; returns its number in the file."""
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
    """Whether two positions belong to the same game, as far as the games say it."""
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


def _share_out(root: Node, actions: Sequence[int], visit_count: int, total_value: float) -> None:
    """Give each of several moves that are alike an equal share, the first ones one visit more."""
    share, rest = divmod(visit_count, len(actions))
    for place, action in enumerate(actions):
        child = Node(parent=root, action=action, prior=1 / len(root.state.legal_actions()))
        child.visit_count = share + (place < rest)
        child.total_value = total_value * child.visit_count / visit_count if visit_count else 0.0
        root.children.append(child)
        root.untried_actions.remove(action)
        root.visit_count += child.visit_count
        root.total_value += child.total_value
