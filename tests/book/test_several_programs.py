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
        [sys.executable, *map(str, words)], cwd=PROJECT, stdout=subprocess.PIPE, text=True
    )


def said_before_it_was_killed(program: subprocess.Popen) -> list[str]:
    """End the program as nothing could prevent; the lines that it had written whole by then."""
    program.send_signal(signal.SIGKILL)
    rest, _ = program.communicate()
    return [line for line in rest.split("\n")[:-1] if line]


def names_in(path: Path) -> set[str]:
    if not path.exists():
        return set()
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
    for alike in ((0, 2, 6, 8), (1, 3, 5, 7), (4,)):  # corners, edges, and the centre
        children = [child for child in known.children if child.action in alike]
        visits = sum(child.visit_count for child in children)
        values = sum(child.visit_count * child.mean_value for child in children)
        assert visits == num_searches * sum(action + 1 for action in alike)
        once = sum(TOTAL_VALUES_OF_FIRST_MOVES[action] for action in alike)
        assert values == pytest.approx(num_searches * once)


def test_four_programs_write_at_once_until_they_are_killed(tmp_path):
    path = tmp_path / "book.sqlite"
    Book.create(path, "tictactoe").close()
    programs = [started("-m", "tests.book.adding", path, who) for who in "abcd"]
    said = [[program.stdout.readline().strip() for _ in range(25)] for program in programs]
    # All are in the middle of it now; a fifth one joins them, while they are killed one by one.
    programs.append(started("-m", "tests.book.adding", path, "e"))
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
    programs = [started("-c", code, path) for _ in range(4)]
    assert [program.communicate()[0] for program in programs] == ["True\n"] * 4
    with Book(path) as book:
        book.check()
        assert book.summary().num_simulations == 400
    assert [each.name for each in tmp_path.iterdir()] == ["book.sqlite"]


def rows_of(path: Path) -> list[list[tuple]]:
    statements = (
        "SELECT key, line, ply, visit_count FROM positions",
        "SELECT * FROM moves",
        "SELECT name, position, num_simulations FROM searches",
    )
    with closing(sqlite3.connect(path)) as connection:
        return [sorted(connection.execute(statement)) for statement in statements]


def build(path: Path) -> subprocess.Popen:
    words = ("--simulations", 3000, "--plies", 4, "--seed", 1)
    return started("-m", "mctslab", "book", "build", path, "tictactoe", *words)


def test_a_build_that_is_killed_again_and_again_comes_to_the_same_book(tmp_path):
    whole, killed = tmp_path / "whole.sqlite", tmp_path / "killed.sqlite"
    assert build(whole).wait() == 0
    stored: set[str] = set()
    for _ in range(2):
        program = build(killed)
        while len(names_in(killed)) <= len(stored) and program.poll() is None:
            time.sleep(0.01)  # or asking would slow it down
        said_before_it_was_killed(program)
        assert stored < names_in(killed)  # more than before, and nothing was lost
        stored = names_in(killed)
        with Book(killed) as book:
            book.check()
            assert book.summary().num_simulations == 3_000 * len(stored)
    assert len(stored) < len(names_in(whole))  # or nothing would be tested
    assert build(killed).wait() == 0
    assert rows_of(killed) == rows_of(whole)
