"""Building a book from Python: it ends when it should, and every search in it is a true one."""

import itertools

import numpy as np
import pytest

from mctslab import fast, games
from mctslab.book import Book, BookError, build
from mctslab.book.building import BuildStatus, line_of
from mctslab.book.store import Summary

FIRST_PLIES = 1 + 3 + 12
"""Positions of Tic-Tac-Toe with up to two stones, up to symmetry."""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "book.sqlite"


def contents(path) -> dict[str, tuple]:
    """By line, what the book knows of each position."""
    found = {}
    with Book(path) as opened:
        opened.check()
        for length in range(4):
            for line in itertools.permutations(range(9), length):
                state = opened.first_state
                for action in line:
                    state = state.child(action)
                if known := opened.lookup(state):
                    found[line] = tuple(known.children)
    return found


@pytest.mark.parametrize("num_threads", [1, 3])
def test_it_ends_when_nothing_is_left(path, num_threads):
    options = {"num_simulations": 100, "max_plies": 2, "seed": 1, "num_threads": num_threads}
    status = build(path, "tictactoe", **options)
    assert status.ended == "nothing is left to search"
    assert status.is_last
    assert status.num_searches == FIRST_PLIES
    summary = status.summary
    assert (summary.num_positions, summary.depth) == (FIRST_PLIES, 2)
    assert summary.num_simulations == 100 * FIRST_PLIES
    assert len(contents(path)) == 1 + 9 + 9 * 8
    again = build(path, "tictactoe", **options)
    assert again.num_searches == 0
    assert again.summary == summary


def test_one_seed_makes_one_book_and_another_another(path, tmp_path):
    made = []
    for name, seed, threads in (("a", 1, 1), ("b", 1, 1), ("c", 2, 1)):
        file = tmp_path / name
        build(file, "tictactoe", num_simulations=60, max_plies=2, seed=seed, num_threads=threads)
        made.append(contents(file))
    assert made[0] == made[1] != made[2]


def test_what_is_in_it_is_what_the_search_finds(path):
    """The searches' seeds are the only thing that the builder makes up."""
    build(path, "connect_four", num_simulations=500, max_plies=0, seed=3)
    with Book(path) as opened:
        known = opened.lookup(games.ConnectFour())
    seen = {child.action: child.visit_count for child in known.children}
    assert sum(seen.values()) == 500
    assert max(seen, key=seen.get) == 3  # the centre
    assert all(abs(seen[action] - seen[6 - action]) <= 1 for action in range(7))


def test_more_simulations_are_added_to_what_was_known(path):
    build(path, "tictactoe", num_simulations=100, max_plies=1, seed=1)
    status = build(path, "tictactoe", num_simulations=300, max_plies=1, seed=1)
    assert status.num_searches == 4
    assert status.summary.num_positions == 4
    assert status.summary.num_simulations == 4 * 400


def test_it_goes_on_where_it_was_stopped(path, tmp_path):
    stopped_at = []

    def stop_after(number):
        count = itertools.count()
        return lambda: next(count) >= number

    for number in (1, 3, 0, 5):
        status = build(
            path, "tictactoe", num_simulations=60, max_plies=2, seed=1, stop=stop_after(number)
        )
        assert status.ended == "stopped"
        stopped_at.append(status.summary.num_positions)
    assert stopped_at == sorted(stopped_at)
    assert 0 < stopped_at[-1] < FIRST_PLIES
    build(path, "tictactoe", num_simulations=60, max_plies=2, seed=1)
    build(tmp_path / "whole", "tictactoe", num_simulations=60, max_plies=2, seed=1)
    assert contents(path) == contents(tmp_path / "whole")


def test_ctrl_c_keeps_what_is_finished(path):
    def interrupt(status):
        if status.num_searches == 5 and not status.is_last:
            raise KeyboardInterrupt

    status = build(path, "tictactoe", num_simulations=60, max_plies=2, seed=1, progress=interrupt)
    assert (status.ended, status.summary.num_positions) == ("stopped", 5)


def test_a_search_that_is_interrupted_is_not_kept(path):
    """Two are at work when the first is stored; the other one takes for ever."""
    with Book.create(path, "tictactoe") as opened:
        opened.add((), fast.mcts(games.TicTacToe(), num_simulations=10**6, rng=rng()), name="x")
        before = opened.summary()
    asked = itertools.count()
    status = build(
        path, "tictactoe", num_simulations=10**9, seed=1, num_threads=2,
        stop=lambda: next(asked) >= 2,
    )  # fmt: skip
    assert status.ended == "stopped"
    assert status.num_searches == 0
    assert status.summary == before


def rng():
    return np.random.default_rng(1)


def test_it_ends_when_the_time_is_up(path):
    """The time is that of the searches in the book, of whatever run."""
    with Book.create(path, "tictactoe") as opened:
        result = fast.mcts(games.TicTacToe(), num_simulations=100, rng=rng())
        opened.add((), result, seconds=99.5)
    status = build(path, "tictactoe", num_simulations=100, seconds=99, seed=1)
    assert status.ended == "the time is up"
    assert (status.num_searches, status.wanted_seconds) == (0, 99)


def test_it_ends_when_the_book_is_full(path):
    for num_threads in (1, 2):
        status = build(
            path, "tictactoe", num_simulations=60, max_positions=7, seed=1, num_threads=num_threads
        )
        assert status.ended == "the book is full"
        assert status.summary.num_positions == 7
    deeper = build(path, "tictactoe", num_simulations=80, seed=1)
    assert deeper.ended == "the book is full"
    assert deeper.num_searches == 7
    assert deeper.summary.num_simulations == 7 * 140


def test_progress_is_told_of_every_search(path):
    told = []
    build(path, "tictactoe", num_simulations=60, max_plies=1, seed=1, progress=told.append)
    assert [status.num_searches for status in told] == [1, 2, 3, 4, 4]
    assert [status.is_last for status in told] == [False] * 4 + [True]
    assert [status.summary.num_positions for status in told] == [1, 2, 3, 4, 4]


def test_the_line_of_progress(path):
    summary = Summary(1_234, 123_400_000, 312.4, 9)
    status = BuildStatus(summary, 3_600, 100, 50.0, True, "the time is up")
    assert line_of(status) == (
        "1,234 positions to ply 9  123,400,000 simulations  312 of 3,600 s of search  "
        "2.0 searches a second  the time is up"
    )


def test_of_a_full_book_every_position_is_searched_further(path):
    build(path, "tictactoe", num_simulations=60, max_positions=30, seed=1)
    for num_simulations in (100, 500):
        status = build(path, "tictactoe", num_simulations=num_simulations, seed=1)
        assert status.ended == "the book is full"
        assert status.summary.num_positions == 30
        assert status.num_searches > 20


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_simulations": 0}, "num_simulations must be an integer from 1"),
        ({"num_simulations": 8}, "at least 9"),
        ({"seconds": 0}, "seconds must be above 0"),
        ({"num_threads": 0}, "num_threads = 0"),
        ({"seed": -1}, "seed = -1"),
        ({"rollouts": "perfect"}, "rollouts must be one of uniform, roxanne, roxanne5"),
        ({"rollouts": "roxanne"}, "Roxanne policy is for Reversi"),
        ({"max_plies": -1}, "max_plies = -1"),
        ({"max_positions": 0}, "max_positions = 0"),
        ({"game": "chess"}, "There is no game 'chess'"),
    ],
)
def test_what_makes_no_sense_is_refused(path, options, message):
    with pytest.raises(ValueError, match=message):
        build(path, **{"game": "tictactoe", "seed": 1, "max_plies": 1, **options})
    assert not path.exists()


def test_a_book_of_other_rollouts_is_not_gone_on_with(path):
    build(path, "reversi", num_simulations=10, max_plies=0, seed=1, rollouts="roxanne")
    with pytest.raises(BookError, match="its rollouts is 'roxanne', not 'uniform'"):
        build(path, "reversi", num_simulations=10, max_plies=0, seed=1)
