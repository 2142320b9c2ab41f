"""Which position is searched next: numbers by hand, and nothing left out."""

import itertools

import numpy as np
import pytest

from mctslab import fast, games
from mctslab.book import Book
from mctslab.book.canonical import canonical
from mctslab.book.frontier import Candidate, frontier
from mctslab.games import State
from tests.book.adding import with_numbers


@pytest.fixture
def book(tmp_path):
    with Book.create(tmp_path / "book.sqlite", games.TicTacToe()) as made:
        yield made


def search_all(book, first_state=None, num_simulations=20, number=None) -> list[Candidate]:
    """Search the frontier, to its end, or this number of positions."""
    found = []
    first_state = first_state or games.TicTacToe()
    wanted_ones = frontier(book, first_state, num_simulations=num_simulations)
    for wanted in itertools.islice(wanted_ones, number):
        found.append(wanted)
        rng = np.random.default_rng(1)
        result = fast.mcts(wanted.state, num_simulations=num_simulations, rng=rng)
        book.add(result, ply=wanted.ply)
    return found


def open_positions(first_state: State, max_plies: int) -> set[bytes]:
    """The positions with a choice, up to symmetry: by brute force."""
    found = set()
    layer = {first_state}
    for _ in range(max_plies + 1):
        found |= {canonical(state).key for state in layer if len(state.legal_actions()) > 1}
        layer = {state.child(action) for state in layer for action in state.legal_actions()}
    return found


def test_the_first_position_comes_first_and_then_those_of_highest_reach(book):
    first = next(frontier(book, games.TicTacToe(), num_simulations=20))
    assert (first.state, first.ply, first.reach) == (games.TicTacToe(), 0, 1.0)
    visits = {0: 20, 2: 20, 6: 20, 8: 20, 1: 1, 3: 1, 5: 1, 7: 1, 4: 16}
    book.add(with_numbers(visits), ply=0)
    found = search_all(book, num_simulations=100, number=40)
    first, second, third = (wanted for wanted in found if wanted.ply == 1)
    # The four corners are one position, and the book's side, playing first, takes the best of them.
    share = 0.75 * 80 / 100 + 0.25 * 4 / 9
    # 0.95 goes to one of the four, and all are the same position.
    assert (first.state.last_action, first.for_player) == (0, 0)
    assert first.reach == pytest.approx(0.95 + 0.05 * share)
    # For a book that plays second the corner has a lower reach; it is in the book by then.
    # Centre: 0.75 * 16 / 100 + 0.25 / 9; edges: 0.75 * 4 / 100 + 0.25 * 4 / 9.
    assert (second.state.last_action, second.for_player) == (4, 1)
    assert second.reach == pytest.approx(0.12 + 0.25 / 9)
    assert (third.state.last_action, third.for_player) == (1, 1)
    assert third.reach == pytest.approx(0.03 + 1 / 9)


def test_reach_falls_for_each_side_and_in_the_end_every_position_is_searched_once(book):
    found = search_all(book)
    for player in (0, 1):
        reach = [wanted.reach for wanted in found if wanted.for_player == player]
        assert reach == sorted(reach, reverse=True)
        assert len(reach) > 50
    expected = open_positions(games.TicTacToe(), 9)
    assert sorted(wanted.key for wanted in found) == sorted(expected)
    assert book.summary().num_simulations == 20 * len(expected)


def test_a_forced_move_is_passed_over(tmp_path):
    """In Reversi on 4 x 4 a player has soon only one move, or must pass."""
    first = games.Reversi(4)
    with Book.create(tmp_path / "reversi.sqlite", first) as own:
        found = search_all(own, first, number=60)
        assert own.summary().depth > 4
    assert all(len(wanted.state.legal_actions()) > 1 for wanted in found)
