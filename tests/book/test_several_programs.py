"""Several programs at once, and programs that are killed: nothing is lost or counted twice."""

import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from mctslab import games
from mctslab.book import Book
from tests.book.adding import TOTAL_VALUES_OF_FIRST_MOVES

PROJECT = Path(__file__).resolve().parents[2]
ADDED_AT_ONCE = 45
"""Visits of one search of `adding.main`: 1 to 9 for the nine moves."""


def started(*words) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-m", *map(str, words)], cwd=PROJECT, stdout=subprocess.PIPE, text=True
    )


def said_before_it_was_killed(program: subprocess.Popen) -> list[str]:
    """End the program as nothing could prevent; the lines that it had written whole by then."""
    program.send_signal(signal.SIGKILL)
    rest, _ = program.communicate()
    return [line for line in rest.split("\n")[:-1] if line]


def names_in(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM searches")}


def check_sums(path: Path, num_searches: int) -> None:
    """Everything adds up to so many searches, to the last visit and value."""
    with Book(path) as book:
        book.check()
        known = book.lookup(games.TicTacToe())
        summary = book.summary()
    assert summary.num_simulations == ADDED_AT_ONCE * num_searches
    assert summary.seconds == 0.5 * num_searches
    corners, edges, centre = (0, 2, 6, 8), (1, 3, 5, 7), (4,)
    children = {child.action: child for child in known.children}
    for alike in (corners, edges, centre):
        visits = sum(children[action].visit_count for action in alike)
        values = sum(children[action].visit_count * children[action].mean_value for action in alike)
        assert visits == num_searches * sum(action + 1 for action in alike)
        once = sum(TOTAL_VALUES_OF_FIRST_MOVES[action] for action in alike)
        assert values == pytest.approx(num_searches * once)


def test_four_programs_write_at_once_until_they_are_killed(tmp_path):
    path = tmp_path / "book.sqlite"
    Book.create(path, "tictactoe").close()
    programs = [started("tests.book.adding", path, who) for who in "abcd"]
    said = [[program.stdout.readline().strip() for _ in range(25)] for program in programs]
    # All are in the middle of it now; a fifth one joins them, while they are killed one by one.
    programs.append(started("tests.book.adding", path, "e"))
    said.append([programs[-1].stdout.readline().strip()])
    for lines, program in zip(said, programs, strict=True):
        lines += said_before_it_was_killed(program)
    told = {line for lines in said for line in lines}
    stored = names_in(path)
    assert len(told) == sum(map(len, said)) >= 101
    assert told <= stored
    # Each may have been killed after it had stored a search, and before it could say so.
    assert len(stored - told) <= len(programs)
    check_sums(path, len(stored))


def test_programs_that_make_the_same_book_at_once_make_one(tmp_path):
    path = tmp_path / "book.sqlite"
    code = (
        "import sys; from mctslab.book import Book; from tests.book.adding import searched;"
        "book = Book.create(sys.argv[1], 'tictactoe'); print(book.add((), searched()))"
    )
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(path)], cwd=PROJECT, stdout=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    assert [program.communicate()[0] for program in programs] == ["True\n"] * 4
    with Book(path) as book:
        book.check()
        assert book.summary().num_simulations == 400
    assert [each.name for each in tmp_path.iterdir()] == ["book.sqlite"]


BUILD = (
    "mctslab", "book", "build", "FILE", "tictactoe",
    "--simulations", "3000", "--plies", "4", "--seed", "1",
)  # fmt: skip


def rows_of(path: Path) -> list[list[tuple]]:
    tables = {
        "positions": "key, line, ply, visit_count",
        "moves": "position, action, visit_count, total_value",
        "searches": "name, position, num_simulations",
    }
    with closing(sqlite3.connect(path)) as connection:
        return [
            sorted(connection.execute(f"SELECT {columns} FROM {table}"))
            for table, columns in tables.items()
        ]


def build(path: Path, *words: str) -> subprocess.Popen:
    return started(*(str(path) if word == "FILE" else word for word in BUILD), *words)


def num_searches_in(path: Path) -> int:
    return len(names_in(path)) if path.exists() else 0


def test_a_build_that_is_killed_again_and_again_comes_to_the_same_book(tmp_path):
    whole, killed = tmp_path / "whole.sqlite", tmp_path / "killed.sqlite"
    assert build(whole).wait() == 0
    stored: set[str] = set()
    for _ in range(2):
        program = build(killed)
        while num_searches_in(killed) <= len(stored) and program.poll() is None:
            time.sleep(0.01)  # or asking would slow it down
        said_before_it_was_killed(program)
        assert stored < names_in(killed)  # more than before, and nothing was lost
        stored = names_in(killed)
        with Book(killed) as book:
            book.check()
            assert book.summary().num_simulations == 3_000 * len(stored)
    assert len(stored) < num_searches_in(whole)  # or nothing would be tested
    assert build(killed).wait() == 0
    assert {3_000} == {visits for *_, visits in rows_of(killed)[0]}
    assert rows_of(killed) == rows_of(whole)


def test_two_builds_of_one_book_share_the_work(tmp_path):
    path = tmp_path / "book.sqlite"
    shallow = ("--plies", "3")
    programs = [build(path, *shallow), build(path, *shallow, "--seed", "2")]
    assert [program.wait() for program in programs] == [0, 0]
    with Book(path) as book:
        book.check()
        summary = book.summary()
    assert summary.num_positions == 1 + 3 + 12 + 38  # by plies, up to symmetry
    num_searches = num_searches_in(path)
    assert summary.num_simulations == 3_000 * num_searches
    assert num_searches < 2 * summary.num_positions
