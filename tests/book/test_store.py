"""The book: what is added is found again, added up, in every orientation."""

import sqlite3
import tempfile
from contextlib import closing, suppress
from dataclasses import replace
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
from tests.book.adding import searched, with_numbers
from tests.games.playing import choices, played, turned_reversi


@pytest.fixture
def path(tmp_path):
    return tmp_path / "folder" / "book.sqlite"


@pytest.fixture
def book(path):
    with Book.create(path, games.TicTacToe()) as made:
        yield made


def numbers(result) -> dict[int, tuple[int, float]]:
    """N and W by action."""
    return {c.action: (c.visit_count, c.visit_count * c.mean_value) for c in result.children}


def test_what_is_not_there_is_not_found_and_a_move_without_a_visit_is_never_the_best(book):
    assert book.lookup(games.TicTacToe().child(0)) is None
    assert book.lookup(played(games.TicTacToe(), [0] * 9)[-1]) is None  # the game is over
    few = searched(0, 4, num_simulations=3)
    book.add(few, ply=2)
    stored = book.lookup(few.state)
    assert stored.root.total_value == few.root.total_value
    with pytest.raises(NotEnoughSimulationsError):
        _ = stored.best_action


def test_equivalent_moves_share_their_visits(book):
    book.add(with_numbers({0: 6, 2: 1, 4: 0, 6: 0, 8: 3, 1: 7}), ply=0)
    stored = book.lookup(games.TicTacToe())
    visits = {child.action: child.visit_count for child in stored.children}
    assert visits == {0: 3, 2: 3, 6: 2, 8: 2, 1: 2, 3: 2, 5: 2, 7: 1, 4: 0}
    corners = [child for child in stored.children if child.action in (0, 2, 6, 8)]
    # W: 0.25 + 1.0 + 0.5 + 4.0 of the four corners, over their 10 visits
    assert [child.mean_value for child in corners] == pytest.approx([0.575] * 4)
    # The edges have -0.5 + 0.0 - 1.0 + 0.125; the centre has no visit, so its value does not count.
    assert stored.root.total_value == pytest.approx(5.75 - 1.375)
    assert stored.num_simulations == 17


@settings(max_examples=25, deadline=None)
@given(moves=choices(58), number=st.integers(0, 7))
def test_a_position_is_found_in_every_orientation(moves, number):
    state = played(games.Reversi(), moves)[-1]
    if state.is_terminal:
        return
    symmetry = state.symmetries()[number]
    result = fast.mcts(state, num_simulations=200, rng=np.random.default_rng(3))
    with (
        tempfile.TemporaryDirectory() as folder,
        Book.create(Path(folder) / "book.sqlite", games.Reversi()) as book,
    ):
        for _ in range(2):  # what is added is added up
            book.add(result, ply=len(moves))
        stored, turned = book.lookup(state), book.lookup(turned_reversi(state, symmetry))
        assert tuple(numbers(turned)) == turned.state.legal_actions()
    for actions in canonical(state).classes(state.legal_actions()).values():
        expected = 2 * sum(numbers(result)[action][0] for action in actions)
        assert sum(numbers(stored)[action][0] for action in actions) == expected
        moved = [symmetry.actions[action] for action in actions]
        assert sum(numbers(turned)[action][0] for action in moved) == expected
        values = [numbers(turned)[action][1] for action in moved]
        assert sum(values) == pytest.approx(2 * sum(numbers(result)[a][1] for a in actions))


def test_its_size_and_what_is_there_when_it_is_opened_again(path):
    with Book.create(path, games.TicTacToe(), rollouts="roxanne") as book:
        assert book.summary() == Summary(0, 0, 0, 0.0)
        with Book(path) as reader:  # which sees what is added meanwhile
            book.add(replace(searched(), seconds=1.0), ply=0)
            book.add(replace(searched(4), seconds=2.0), ply=1)
            book.add(replace(searched(0, num_simulations=50), seconds=4.0), ply=1)
            book.add(replace(searched(8, num_simulations=50), seconds=8.0), ply=1)  # as the last
            assert reader.summary() == Summary(3, 1, 300, 15.0)
    with Book(path) as book:
        assert book.rollouts == "roxanne"
        assert book.positions_by_ply() == {0: 1, 1: 2}
        assert str(book.summary()) == "3 positions to ply 1  300 simulations in 15 s"
        assert book.lookup(games.TicTacToe().child(4)).num_simulations == 100


def test_another_game_and_the_same_board_under_another_rule(path):
    first = games.Gomoku(6, in_a_row=4)
    with Book.create(path, first) as book:
        assert book.lookup(first.child(8)) is None
        for state in (games.ConnectFour(), games.Gomoku(6), games.Gomoku(7, in_a_row=4)):
            with pytest.raises(ValueError, match=r"is a book of Gomoku \(size=6, in_a_row=4, "):
                book.lookup(state)
    for state, rollouts in ((first, "roxanne"), (games.Gomoku(6), "uniform")):
        with pytest.raises(BookError, match=r"uniform rollouts, not of Gomoku .* Name another"):
            Book.create(path, state, rollouts=rollouts)


def test_files_that_are_not_books(path):
    with pytest.raises(BookError, match=r"There is no book .*python -m mctslab book build"):
        Book(path)
    path.parent.mkdir()
    database = path.with_name("recipes.sqlite")
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    for content, message in (
        (b"d3 c5 f6\n" * 200, "is not a book, .*: file is not a database"),
        (b"", "is not a book"),
        (database.read_bytes(), "is not a book"),
    ):
        path.write_bytes(content)
        for opened in (Book, lambda path: Book.create(path, games.TicTacToe())):
            with pytest.raises(BookError, match=message):
                opened(path)
        assert path.read_bytes() == content


ENDLESS = """
    DROP TABLE positions;
    CREATE VIEW positions AS WITH RECURSIVE endless(n) AS (SELECT 1 UNION ALL SELECT 1 FROM endless)
    SELECT n AS key, n AS ply, n AS num_simulations, n AS seconds, n AS moves FROM endless
"""


@pytest.mark.timeout(60, method="thread")  # nothing else ends a query
@pytest.mark.parametrize(
    "statement",
    [
        "",  # half of the file
        "DROP TABLE positions",
        ENDLESS,
        "DELETE FROM about",
        "INSERT INTO about VALUES ('Reversi (size=8)', 'uniform')",
        *[
            f"UPDATE positions SET moves = {moves}"
            for moves in ("'not JSON'", "NULL", "7", "'[[77, 1, 0]]'", "'[[0, -1, 0]]'", "X'FF'",
                          "'{}'", "'[[0, 1, NaN]]'",
                          "'[[0, 1, 0], [0, 1, 0]]'", "'[[0, \"1\", 0]]'")
        ],
        "UPDATE positions SET ply = 'here', num_simulations = 9e999",
    ],
)  # fmt: skip
def test_a_damaged_book_is_named_in_a_sentence(path, book, statement):
    for first in range(9):
        book.add(searched(first), ply=1)
    book.close()
    if statement:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.executescript(statement)
    else:
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    said = "book.sqlite is (not a book|damaged)"
    with pytest.raises(BookError, match=said), Book(path) as damaged:
        _ = damaged.summary(), damaged.lookup(games.TicTacToe().child(4))
    with suppress(BookError), Book(path) as damaged:
        damaged.add(searched(4), ply=1)
