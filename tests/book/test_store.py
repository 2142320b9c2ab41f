"""The book: what is added is found again in every orientation, and damage is one sentence."""

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mctslab import fast, games
from mctslab.book import Book, BookError
from mctslab.book.canonical import canonical
from mctslab.book.store import Summary
from mctslab.search import NotEnoughSimulationsError
from tests.book.adding import after, with_visits
from tests.games.playing import choices, played, turned_reversi


@pytest.fixture
def path(tmp_path):
    return tmp_path / "folder" / "book.sqlite"


def by_child(result) -> list[tuple[bytes, int, float]]:
    """Which position each move leads to, up to symmetry, with its N and Q."""
    children = [(canonical(result.state.child(c.action))[0], *c[1:3]) for c in result.children]
    return sorted((key, visits, pytest.approx(value)) for key, visits, value in children)


@settings(max_examples=25, deadline=None)
@given(moves=choices(58), number=st.integers(0, 7))
def test_a_position_is_found_in_every_orientation(moves, number):
    state = played(games.Reversi(), moves)[-1]
    if state.is_terminal:
        return
    result = fast.mcts(state, num_simulations=200, rng=np.random.default_rng(3))
    with (
        tempfile.TemporaryDirectory() as folder,
        Book(Path(folder) / "book.sqlite", games.Reversi()) as book,
    ):
        book.add(result, ply=len(moves))
        stored = book.lookup(turned_reversi(state, state.symmetries()[number]))
    assert tuple(child.action for child in stored.children) == stored.state.legal_actions()
    assert by_child(stored) == by_child(result)
    assert stored.num_simulations == result.num_simulations
    assert stored.value == pytest.approx(result.value)


def test_what_was_not_tried_is_not_the_best_and_what_is_not_there_is_not_found(path):
    with Book(path, games.TicTacToe()) as book:
        book.add(with_visits(after(0, 4), {8: 3}), ply=2)
        stored = book.lookup(after(8, 4))
        assert book.lookup(after(0)) is book.lookup(after(0, 3, 1, 4, 2)) is None
    assert stored.best_so_far == 0
    with pytest.raises(NotEnoughSimulationsError):
        _ = stored.best_action


def test_one_program_adds_and_others_read_meanwhile(path):
    with Book(path, games.TicTacToe()) as book, Book(path) as reader:
        assert reader.summary() == Summary({})
        book.add(with_visits(after(), {4: 9}), ply=0)
        book.add(with_visits(after(0), {4: 9}), ply=1)
        book.add(with_visits(after(4), {0: 9}), ply=1)
        book.add(with_visits(after(8), {4: 5}), ply=1)  # replaces that of 0
        assert reader.summary() == Summary({0: 1, 1: 2})
    with Book(path, games.TicTacToe()) as book:
        assert book.game == "Tic-Tac-Toe"
        assert str(book.summary()) == "3 positions to ply 1"
        assert book.lookup(after(0)).num_simulations == 5


def test_another_game_and_the_same_board_under_another_rule(path):
    first = games.Gomoku(6, in_a_row=4)
    with Book(path, first) as book:
        assert book.lookup(first.child(8)) is None
        for state in (games.ConnectFour(), games.Gomoku(6), games.Gomoku(7, in_a_row=4)):
            for ask in (book.lookup, lambda state: Book(path, state)):
                with pytest.raises(BookError, match=r"is a book of Gomoku \(size=6, in_a_row=4, "):
                    ask(state)


def test_files_that_are_not_books_stay_as_they_are(path):
    with pytest.raises(BookError, match=r"There is no book .*python -m mctslab book build"):
        Book(path)
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    for content in (path.read_bytes(), b"d3 c5 f6\n" * 200):
        path.write_bytes(content)
        for first_state in (None, games.TicTacToe()):
            with pytest.raises(BookError, match="is not a book"):
                Book(path, first_state)
        assert path.read_bytes() == content


ENDLESS = """
    DROP TABLE positions;
    CREATE VIEW positions AS WITH RECURSIVE endless(n) AS (SELECT 1 UNION ALL SELECT 1 FROM endless)
    SELECT n AS key, n AS ply, n AS seconds, n AS moves FROM endless
"""
MOVES = ("'not JSON'", "NULL", "'[[77, 1, 0]]'", "'[[0, 1, NaN]]'")


@pytest.mark.timeout(60, method="thread")  # nothing else ends a query
@pytest.mark.parametrize(
    "statement",
    [
        "",  # half of the file
        "DROP TABLE positions",
        ENDLESS,
        "DELETE FROM positions WHERE key = x''",
        *[f"UPDATE positions SET moves = {moves} WHERE ply" for moves in MOVES],
        "UPDATE positions SET ply = 'here'",
    ],
)
def test_a_damaged_book_is_named_in_a_sentence(path, statement):
    with Book(path, games.TicTacToe()) as book:
        for first in (0, 1, 4):
            book.add(with_visits(after(first), {5: 30}), ply=1)
    if statement:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.executescript(statement)
    else:
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    said = "book.sqlite is not a book, or it is damaged"
    with pytest.raises(BookError, match=said), Book(path) as damaged:
        _ = damaged.summary(), damaged.lookup(after(4))
