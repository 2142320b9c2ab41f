"""Building a book: the order of its positions, its end, and that nothing is lost."""

import itertools
import time
from contextlib import suppress

import pytest

from mctslab import games
from mctslab.book import Book, BookError, build
from mctslab.book.building import frontier, move_probabilities
from mctslab.book.canonical import canonical
from tests import forks
from tests.book.adding import after, contents, with_visits


@pytest.fixture
def path(tmp_path):
    return tmp_path / "book.sqlite"


def test_positions_come_in_the_order_of_their_reach(path):
    visits = {0: 20, 1: 1, 2: 20, 3: 1, 4: 16, 5: 1, 6: 20, 7: 1, 8: 20}
    first = with_visits(after(), visits)
    found = move_probabilities(first, is_own=False)
    assert found == pytest.approx({a: 0.75 * n / 100 + 0.25 / 9 for a, n in visits.items()})
    own = move_probabilities(first, is_own=True)
    assert own[6] == pytest.approx(0.95 + 0.05 * found[6])  # the corner with the highest value
    assert own[1] == pytest.approx(0.05 * found[1])
    searched = []
    with Book(path, games.TicTacToe()) as book:
        book.add(first, ply=0)
        for state, ply in itertools.islice(frontier(book, games.TicTacToe(), 100), 40):
            searched.append((canonical(state)[0], ply))
            book.add(with_visits(state, dict.fromkeys(state.legal_actions(), 100)), ply=ply)
    # The corners are one position, and so are the edges. For a book that plays second, the centre
    # has the reach 0.12 + 0.25 / 9 = .148, and the edges together 0.03 + 1 / 9 = .141. For one that
    # plays first, the corner has .96, and the centre as the reply to it an eighth of that.
    keys = [canonical(after(*line))[0] for line in ((0,), (4,), (1,), (0, 4))]
    assert [key for key, _ in searched if key in keys] == keys
    assert len({*searched}) == len(searched) == 40


def test_in_the_end_every_position_with_a_choice_is_there_once(path):
    found = build(path, "tictactoe", num_simulations=10, seed=1)
    assert found.ended == "nothing is left to search"
    expected, layer = set(), {after()}
    while layer:
        expected |= {canonical(state)[0] for state in layer if len(state.legal_actions()) > 1}
        layer = {state.child(action) for state in layer for action in state.legal_actions()}
    assert {key for key, *_ in contents(path)} == {b"", *expected}
    assert build(path, "tictactoe", num_simulations=10, seed=1) == found
    # Positions with fewer simulations are searched again, until the time is up.
    assert build(path, "tictactoe", num_simulations=12, seed=1) == found
    ended = build(path, "tictactoe", num_simulations=14, seconds=1e-6, seed=1).ended
    assert ended == "the time is up"
    with Book(path) as book:
        assert book.lookup(after()).num_simulations == 12


LONG = {"game": "tictactoe", "num_simulations": 20_000, "max_positions": 80, "seed": 1}


def num_positions(path):
    with suppress(BookError), Book(path) as book:  # the file may have been begun just now
        return book.summary().num_positions
    return 0


def test_the_same_seed_makes_the_same_book_also_if_the_build_was_killed(path, tmp_path):
    whole, other = tmp_path / "whole.sqlite", tmp_path / "other.sqlite"
    assert build(whole, **LONG).ended == "the book is full"
    build(other, **LONG | {"seed": 2})
    stored = 0
    for _ in range(2):
        program = forks.context().Process(target=build, args=(path,), kwargs=LONG)
        program.start()
        while num_positions(path) <= stored and program.is_alive():
            time.sleep(0.01)  # or this would slow it down
        program.kill()
        program.join()
        assert num_positions(path) > stored
        stored = num_positions(path)
    assert stored < num_positions(whole)  # or nothing would be tested
    build(path, **LONG)
    assert contents(path) == contents(whole) != contents(other)
