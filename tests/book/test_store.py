"""The book: what goes in comes out, added up, in every orientation; and nothing else gets in."""

import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mctslab import fast, games
from mctslab.__main__ import main
from mctslab.book import Book, BookError
from mctslab.book.canonical import canonical
from mctslab.book.store import Summary
from mctslab.search import NotEnoughSimulationsError
from tests.book.adding import searched, with_numbers
from tests.games.playing import choices, played, turned_reversi


@pytest.fixture
def path(tmp_path):
    return tmp_path / "book.sqlite"


@pytest.fixture
def book(path):
    with Book.create(path, "tictactoe") as made:
        yield made


def numbers(result) -> dict[int, tuple[int, float]]:
    """N and W by action."""
    return {c.action: (c.visit_count, c.visit_count * c.mean_value) for c in result.children}


# What is in it


def test_a_position_without_symmetry_comes_out_as_it_went_in(book):
    result = searched(0, 4, 5)
    book.add((0, 4, 5), result)
    known = book.lookup(result.state)
    assert known.state == result.state
    for action, (visits, value) in numbers(result).items():
        assert numbers(known)[action] == (visits, pytest.approx(value))
    assert known.num_simulations == book.visit_count(result.state) == 100
    assert book.lookup(games.TicTacToe().child(0)) is None
    assert book.visit_count(games.TicTacToe().child(0)) == 0
    assert book.lookup(played(games.TicTacToe(), [0] * 9)[-1]) is None  # the game is over
    # A move without a visit is not called best.
    book.add((0, 4), searched(0, 4, num_simulations=3))
    with pytest.raises(NotEnoughSimulationsError):
        _ = book.lookup(games.TicTacToe().child(0).child(4)).best_action


def test_moves_that_are_alike_share_what_they_have_together(book):
    book.add((), with_numbers({0: 6, 2: 1, 4: 10, 6: 0, 8: 3, 1: 7}))
    known = book.lookup(games.TicTacToe())
    visits = {child.action: child.visit_count for child in known.children}
    assert visits == {0: 3, 2: 3, 6: 2, 8: 2, 1: 2, 3: 2, 5: 2, 7: 1, 4: 10}
    corners = [child for child in known.children if child.action in (0, 2, 6, 8)]
    # W: 0.25 + 1.0 + 0.5 + 4.0 of the four corners, over their 10 visits
    assert [child.mean_value for child in corners] == pytest.approx([0.575] * 4)
    assert known.num_simulations == 27


@settings(max_examples=25, deadline=None)
@given(moves=choices(58), number=st.integers(0, 7))
def test_what_is_known_of_a_position_is_known_of_the_turned_one(moves, number):
    state = played(games.Reversi(), moves)[-1]
    if state.is_terminal:
        return
    line = [after.last_action for after in played(games.Reversi(), moves)[1:]]
    symmetry = state.symmetries()[number]
    result = fast.mcts(state, num_simulations=200, rng=np.random.default_rng(3))
    with (
        tempfile.TemporaryDirectory() as folder,
        Book.create(Path(folder) / "book.sqlite", "reversi") as book,
    ):
        book.add(line, result)
        known, turned = book.lookup(state), book.lookup(turned_reversi(state, symmetry))
        assert tuple(numbers(turned)) == turned.state.legal_actions()
    alike = canonical(state).classes(state.legal_actions())
    for actions in alike.values():
        expected = sum(numbers(result)[action][0] for action in actions)
        assert sum(numbers(known)[action][0] for action in actions) == expected
        moved = [symmetry.actions[action] for action in actions]
        assert sum(numbers(turned)[action][0] for action in moved) == expected
        values = [numbers(turned)[action][1] for action in moved]
        assert sum(values) == pytest.approx(sum(numbers(result)[action][1] for action in actions))


def test_a_search_with_a_name_is_added_once(book):
    result = searched(4)
    assert book.add((4,), result, name="the search", seconds=2.5)
    assert not book.add((4,), result, name="the search", seconds=2.5)
    assert book.visit_count(result.state) == 100
    assert book.summary().seconds == 2.5
    assert book.add((4,), result, name="another")
    assert book.visit_count(result.state) == 200


def test_it_says_how_much_is_in_it(book):
    assert book.summary() == Summary(num_positions=0, num_simulations=0, seconds=0.0, depth=0)
    book.add((), searched(), seconds=1.0)
    book.add((4,), searched(4), seconds=2.0)
    book.add((0,), searched(0, num_simulations=50), seconds=4.0)
    book.add((8,), searched(8, num_simulations=50), seconds=8.0)  # the same position
    assert book.summary() == Summary(num_positions=3, num_simulations=300, seconds=15.0, depth=1)
    assert book.positions_by_ply() == {0: 1, 1: 2}
    book.check()


def test_it_is_all_there_when_it_is_opened_again(path):
    with Book.create(path, "reversi", {"size": 6}, rollouts="roxanne", max_positions=7) as book:
        result = fast.mcts(games.Reversi(6), num_simulations=50, rng=np.random.default_rng(1))
        book.add((), result)
    assert [each.name for each in path.parent.iterdir()] == ["book.sqlite"]
    with Book(path) as book:
        assert book.first_state == games.Reversi(6)
        assert (book.rollouts, book.max_positions) == ("roxanne", 7)
        assert book.visit_count(games.Reversi(6)) == 50


# The bound


def test_the_least_visited_are_dropped(path):
    with Book.create(path, "tictactoe", max_positions=3) as book:
        for first, visits in ((0, 30), (1, 20), (4, 40)):
            book.add((first,), searched(first, num_simulations=visits), seconds=1.0)
        book.add((), searched(num_simulations=25), seconds=1.0)
        assert book.visit_count(games.TicTacToe()) == 25
        assert book.lookup(games.TicTacToe().child(1)) is None
        assert (book.summary().num_positions, book.summary().seconds) == (3, 3.0)
        book.check()


def test_of_equally_visited_ones_the_deepest_is_dropped_and_then_the_latest(path):
    with Book.create(path, "tictactoe", max_positions=3) as book:
        lines = [(0, 4), (1, 4), (), (4,), (0,)]
        for number, left in ((4, [(0, 4), (), (4,)]), (5, [(), (4,), (0,)])):
            for line in lines[:number]:
                book.add(line, searched(*line), name=str(line))
            assert [line for line in lines if book.visit_count(searched(*line).state)] == left


# What does not belong in it


def test_a_line_that_leads_elsewhere_and_a_search_of_nothing(book):
    with pytest.raises(ValueError, match="The line leads to"):
        book.add((4,), searched(0))
    with pytest.raises(ValueError, match="nothing to add"):
        book.add((), with_numbers({}))
    assert book.summary().num_positions == 0


def test_another_game_and_the_same_board_under_another_rule(path):
    six = {"size": 6, "in_a_row": 4}
    with Book.create(path, "gomoku", six) as book:
        assert book.lookup(games.Gomoku(6, in_a_row=4)) is None
        for state in (games.ConnectFour(), games.Reversi(6), games.Gomoku(6, in_a_row=5)):
            for ask in (book.lookup, book.visit_count):
                with pytest.raises(ValueError, match="is a book of Gomoku"):
                    ask(state)
    for game, options, rollouts, message in (
        ("reversi", {}, "uniform", "its game is 'gomoku', not 'reversi'"),
        ("gomoku", six, "roxanne", "its rollouts is 'uniform', not 'roxanne'"),
        ("gomoku", {"size": 8}, "uniform", r"its game_options is '{\"in_a_row\": 4, \"size\": 6}'"),
    ):
        with pytest.raises(BookError, match=message):
            Book.create(path, game, options, rollouts=rollouts)


# Files that are something else


def change(path, statement):
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(statement)


@pytest.mark.parametrize("read_only", [True, False])
def test_no_file_and_a_file_of_another_kind(path, read_only):
    with pytest.raises(BookError, match=r"There is no book .*python -m mctslab book build"):
        Book(path, read_only=read_only)
    database = path.with_name("recipes.sqlite")
    change(database, "CREATE TABLE recipes (name TEXT)")
    for folder in (database, database / "below"):
        with pytest.raises(BookError, match="is not a folder"):
            Book.create(folder / "a.book", "reversi")
    for content, message in (
        (b"d3 c5 f6\n" * 200, "not an SQLite file"),
        (b"", "an empty file"),
        (database.read_bytes(), "another program's database"),
    ):
        path.write_bytes(content)
        with pytest.raises(BookError, match=message):
            Book(path, read_only=read_only)
        with pytest.raises(BookError, match=message):
            Book.create(path, "tictactoe")
        assert path.read_bytes() == content


def about(name, value, message):
    return f"UPDATE about SET value = {value} WHERE name = '{name}'", message


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("PRAGMA user_version = 1", "version 1 of the format; this program reads version 2"),
        about("first_state", "'B to move'", "its first position is\nB to move"),
        about("game", "'chess'", "cannot be read"),
        about("game", "x'ff'", r"is damaged: row\[\d\]\[1\] = "),
        about("game_options", """'{"width": 1}'""", "cannot be read"),
        about("max_positions", "'1e99'", "cannot be read"),
        ("DELETE FROM about WHERE name = 'rollouts'", "The entry rollouts is missing"),
        ("UPDATE moves SET total_value = 'much'", r"damaged: row\[0\]\[\d\] = "),
        ("UPDATE moves SET total_value = 9e999", r"damaged: row\[0\]\[\d\] = "),
        ("UPDATE totals SET num_positions = 0.5", r"damaged: row\[0\]\[\d\] = "),
        ("UPDATE moves SET action = 4 WHERE action = 0", "a move 4, which is not legal"),
        ("UPDATE moves SET visit_count = 7 WHERE action = 0", "not the sums of its moves"),
        ("UPDATE searches SET num_simulations = 7", "not the sums of its searches"),
        ("UPDATE totals SET num_positions = 2", "totals are not its sums"),
    ],
)
def test_damage_is_named(path, book, statement, message):
    book.add((4,), searched(4))
    book.close()
    change(path, statement)
    with pytest.raises(BookError, match=message), Book(path) as damaged:
        _ = damaged.lookup(games.TicTacToe().child(4)), damaged.summary(), damaged.check()


def test_a_file_has_no_module_imported(path, monkeypatch):
    """Only the user's own word does: an import of theirs, or a name given to `create`."""
    (path.parent / "game_of_mine.py").write_text(
        "from mctslab.games import TicTacToe\nclass Mine(TicTacToe):\n    game = 'mine'\n"
    )
    monkeypatch.syspath_prepend(path.parent)
    Book.create(path, "game_of_mine:Mine").close()
    monkeypatch.delitem(sys.modules, "game_of_mine")
    with pytest.raises(BookError, match="A file cannot decide which module is imported"):
        Book(path)
    assert "game_of_mine" not in sys.modules
    assert main(["book", "show", str(path)]) == 1
    assert main(["book", "show", str(path), "--game", "game_of_mine:Mine"]) == 0
    Book(path).close()
    monkeypatch.delitem(sys.modules, "game_of_mine")


def test_a_file_that_was_cut_off(path):
    with Book.create(path, "tictactoe") as book:
        for number in range(40):
            book.add((), searched(num_simulations=9), name=str(number).zfill(1_000))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BookError, match="damaged"), Book(path) as book:
        book.check()


# Where it cannot be written


def test_what_is_opened_to_be_read_is_not_written(path, book):
    book.add((), searched())
    with Book(path, read_only=True) as reader:
        with pytest.raises(BookError, match=r"opened or written.*check the permissions of file"):
            reader.add((), searched(seed=2))
        book.add((), searched(seed=3))  # which the reader sees
        assert reader.visit_count(games.TicTacToe()) == 200
    book.close()
    with Book(path, read_only=True) as reader:
        reader.lookup(games.TicTacToe())
    assert [each.name for each in path.parent.iterdir()] == ["book.sqlite"]


def test_a_full_disk_loses_nothing_that_was_there(path, book):
    book.add((), searched(), name="before")
    (pages,) = book._connection.execute("PRAGMA page_count").fetchone()
    book._connection.execute(f"PRAGMA max_page_count = {pages}")  # SQLite's own "disk full"
    names = [str(number).zfill(200) for number in range(1_000)]
    with pytest.raises(BookError, match="make room on the disk"):
        _ = [book.add((), searched(), name=name) for name in names]
    in_it = book.summary().num_simulations
    book.close()
    with Book(path) as again:
        again.check()
        assert again.summary().num_simulations == in_it
