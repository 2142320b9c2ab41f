"""The player with a book: by heart where the book knows, by thinking where it does not."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from mctslab import games
from mctslab.book import Book, BookError
from mctslab.players.book import BookPlayer
from tests.book.adding import after, with_visits
from tests.games.playing import player_of


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "opening.sqlite"
    with Book(path, games.TicTacToe()) as book:
        # A move that no search would choose: an edge, as the first stone.
        book.add(with_visits(after(), {0: 10, 1: 4_000, 4: 20}), ply=0)
        book.add(with_visits(after(4), {0: 10, 1: 500, 2: 1}), ply=1)
    return path


def test_it_plays_the_book_s_best_move_at_once_and_elsewhere_as_the_other_player(file):
    """Also in another thread, as on the panel of a notebook."""
    player = player_of(f"book:{file}:uct:300")
    with ThreadPoolExecutor() as threads:
        [thought] = threads.submit(lambda: [*player.think(games.TicTacToe())]).result()
    assert (thought.action, thought.progress, thought.num_simulations) == (1, 1.0, 0)
    assert thought.result.num_simulations == 4_030

    state = after(0)
    thoughts = list(player.think(state))
    assert thoughts[-1].action == player_of("uct:300").choose(state)
    assert thoughts[-1].num_simulations == 300
    with Book(file, games.TicTacToe()) as book:  # until it knows more
        book.add(with_visits(after(0), {8: 2_000, 1: 1}), ply=1)
        assert player.choose(state) == 8


def test_what_is_known_from_too_few_simulations_is_not_played(file, monkeypatch):
    state, player = after(4), BookPlayer(file, player_of("uct:300"))
    for least, expected in ((1_000, 300), (512, 300), (511, 511)):
        monkeypatch.setattr("mctslab.players.book.MIN_VISITS", least)
        [*_, thought] = player.think(state)
        assert thought.result.num_simulations == expected
    assert thought.action == 1


def test_what_is_wrong_is_named(file, tmp_path):
    other = tmp_path / "x.sqlite"
    other.write_text("d3 c5\n" * 100)
    for name, kind, message in (
        (r"book:C:\books\opening.sqlite:uct:400", BookError, "There is no book"),
        ("book:C:/books/opening.sqlite:uct:400", BookError, "There is no book 'C:/books/op"),
        (f"book:{file}:grandmaster", ValueError, "There is no player 'grandmaster'"),
        (f"book:{other}:uct:400", BookError, "is not a book"),
    ):
        with pytest.raises(kind, match=message):
            player_of(name)
    player = player_of(f"book:{file}:uct:30")
    assert player.name == f"book:{file}:uct:30"
    over = after(0, 3, 1, 4, 2)
    for state, message in ((games.Reversi(), "a book of Tic-Tac-Toe"), (over, "the game is over")):
        with pytest.raises(ValueError, match=message):
            player.choose(state)
