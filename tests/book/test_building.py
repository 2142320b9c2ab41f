"""Building a book: it ends when it should, continues where it ended, and loses nothing."""

import time

import pytest

from mctslab.book import Book, build
from tests import forks
from tests.book.adding import contents


@pytest.fixture
def path(tmp_path):
    return tmp_path / "book.sqlite"


def test_it_ends_when_nothing_is_left(path):
    found = build(path, "tictactoe", num_simulations=10, seed=1)
    assert found.ended == "nothing is left to search"
    assert found.num_simulations == 10 * found.num_positions
    assert build(path, "tictactoe", num_simulations=10, seed=1) == found
    # More simulations are added to those that are there.
    options = {"num_simulations": 12, "seconds": found.seconds + 1e-9, "seed": 1}
    deeper = build(path, "tictactoe", **options)
    assert (deeper.ended, deeper.num_positions) == ("the time is up", found.num_positions)
    assert deeper.num_simulations == found.num_simulations + 12


LONG = {"game": "tictactoe", "num_simulations": 3_000, "max_positions": 80, "seed": 1}


def building(path):
    """A process that builds a book, until it is killed."""
    process = forks.context().Process(target=build, args=(path,), kwargs=LONG)
    process.start()
    return process


def num_positions(path):
    if not path.exists():
        return 0
    with Book(path) as book:
        return book.summary().num_positions


def test_the_same_seed_makes_the_same_book_also_if_the_build_was_killed(path, tmp_path):
    whole, other = tmp_path / "whole.sqlite", tmp_path / "other.sqlite"
    build(whole, **LONG)
    build(other, **LONG | {"seed": 2})
    stored = 0
    for _ in range(2):
        program = building(path)
        while num_positions(path) <= stored and program.is_alive():
            time.sleep(0.01)  # or this would slow it down
        program.kill()
        program.join()
        assert num_positions(path) > stored  # more than before
        stored = num_positions(path)
        with Book(path) as book:
            assert book.summary().num_simulations == 3_000 * stored
    assert stored < num_positions(whole)  # or nothing would be tested
    build(path, **LONG)
    assert contents(path) == contents(whole) != contents(other)
