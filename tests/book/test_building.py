"""Building a book from Python: it ends when it should, and every search in it is a true one."""

import itertools

import pytest

from mctslab import games
from mctslab.book import Book, BookError, build
from mctslab.book.building import BuildStatus, line_of
from mctslab.book.store import Summary
from tests.book.adding import searched

FIRST_PLIES = 1 + 3 + 12
"""Positions of Tic-Tac-Toe with up to two stones, up to symmetry."""

SMALL = {"game": "tictactoe", "num_simulations": 60, "seed": 1}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "book.sqlite"


def contents(path) -> dict[tuple[int, ...], tuple]:
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
    status = build(path, **SMALL, max_plies=2, num_threads=num_threads)
    assert status.ended == "nothing is left to search"
    assert status.num_searches == FIRST_PLIES
    assert (status.summary.num_positions, status.summary.depth) == (FIRST_PLIES, 2)
    assert status.summary.num_simulations == 60 * FIRST_PLIES
    assert len(contents(path)) == 1 + 9 + 9 * 8
    again = build(path, **SMALL, max_plies=2, num_threads=num_threads)
    assert (again.num_searches, again.summary) == (0, status.summary)
    # More simulations are added to what was known.
    deeper = build(path, **SMALL | {"num_simulations": 300}, max_plies=1)
    assert deeper.num_searches == 4
    assert deeper.summary.num_simulations == 60 * FIRST_PLIES + 300 * 4


def test_one_seed_makes_one_book_and_another_another_also_where_it_was_stopped(path, tmp_path):
    def stop_after(number):
        count = itertools.count()
        return lambda: next(count) >= number

    stopped_at = []
    for number in (1, 3, 0, 5):
        status = build(path, **SMALL, max_plies=2, stop=stop_after(number))
        assert status.ended == "stopped"
        stopped_at.append(status.summary.num_positions)
    assert stopped_at == sorted(stopped_at)
    assert 0 < stopped_at[-1] < FIRST_PLIES
    build(path, **SMALL, max_plies=2)
    build(tmp_path / "whole", **SMALL, max_plies=2)
    build(tmp_path / "other", **SMALL | {"seed": 2}, max_plies=2)
    assert contents(path) == contents(tmp_path / "whole") != contents(tmp_path / "other")


def test_what_is_in_it_is_what_the_search_finds(path):
    """The searches' seeds are the only thing that the builder makes up."""
    build(path, "connect_four", num_simulations=500, max_plies=0, seed=3)
    with Book(path) as opened:
        known = opened.lookup(games.ConnectFour())
    seen = {child.action: child.visit_count for child in known.children}
    assert sum(seen.values()) == 500
    assert max(seen, key=seen.get) == 3  # the centre
    assert all(abs(seen[action] - seen[6 - action]) <= 1 for action in range(7))


def test_a_search_that_is_interrupted_is_not_kept(path):
    """Two are at work when the first is stored; the other one takes for ever."""
    with Book.create(path, "tictactoe") as opened:
        opened.add((), searched(num_simulations=1_000), name="x")
        before = opened.summary()
    asked = itertools.count()
    status = build(
        path, **SMALL | {"num_simulations": 10**9}, num_threads=2, stop=lambda: next(asked) >= 2
    )
    assert (status.ended, status.num_searches, status.summary) == ("stopped", 0, before)


def test_it_ends_when_the_time_is_up(path):
    """The time is that of the searches in the book, of whatever run."""
    with Book.create(path, "tictactoe") as opened:
        opened.add((), searched(), seconds=99.5)
    status = build(path, **SMALL, seconds=99)
    assert (status.ended, status.num_searches) == ("the time is up", 0)


def test_a_full_book_is_searched_further(path):
    for num_threads in (1, 2):
        status = build(path, **SMALL, max_positions=30, num_threads=num_threads)
        assert status.ended == "the book is full"
        assert status.summary.num_positions == 30
    for num_simulations in (100, 500):
        deeper = build(path, **SMALL | {"num_simulations": num_simulations})
        assert deeper.ended == "the book is full"
        assert deeper.summary.num_positions == 30
        assert deeper.num_searches > 20


def test_progress_is_told_of_every_search(path):
    statuses = []
    build(path, **SMALL, max_plies=1, progress=statuses.append)
    assert [status.num_searches for status in statuses] == [1, 2, 3, 4, 4]
    assert [status.is_last for status in statuses] == [False] * 4 + [True]
    assert [status.summary.num_positions for status in statuses] == [1, 2, 3, 4, 4]
    summary = Summary(1_234, 123_400_000, 312.4, 9)
    assert line_of(BuildStatus(summary, 3_600, 100, 50.0, True, "the time is up")) == (
        "1,234 positions to ply 9  123,400,000 simulations  312 of 3,600 s of search  "
        "2.0 searches a second  the time is up"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_simulations": 8}, "at least 9"),
        ({"seconds": 0}, "seconds must be above 0"),
        ({"num_threads": 0}, "num_threads = 0"),
        ({"seed": -1}, "seed = -1"),
        ({"rollouts": "roxanne"}, "Roxanne policy is for Reversi"),
        ({"max_plies": -1}, "max_plies = -1"),
        ({"max_positions": 0}, "max_positions = 0"),
        ({"game": "chess"}, "There is no game 'chess'"),
    ],
)
def test_what_makes_no_sense_is_refused(path, options, message):
    with pytest.raises(ValueError, match=message):
        build(path, **SMALL | {"max_plies": 1, **options})
    assert not path.exists()


def test_a_book_of_other_rollouts_is_not_gone_on_with(path):
    reversi = SMALL | {"game": "reversi", "max_plies": 0}
    build(path, **reversi, rollouts="roxanne")
    with pytest.raises(BookError, match="its rollouts is 'roxanne', not 'uniform'"):
        build(path, **reversi)
