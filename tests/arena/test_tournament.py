"""Round robins: everybody against everybody, the table, the ratings."""

from itertools import combinations, permutations

import pytest

from mctslab import arena
from tests.arena.comparing import all_without_times, ctrl_c_after

PLAYERS = ("random", "uct:10", "uct:60")


def small_tournament(**options):
    settings = {"num_games": 6, "seed": 1, "opening_plies": 1} | options
    return arena.round_robin("tictactoe", PLAYERS, **settings)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A tournament that was stopped, and went on from its file."""
    file = tmp_path_factory.mktemp("stopped") / "games.jsonl"
    assert not small_tournament(file=file, progress=ctrl_c_after(5)).is_complete
    return small_tournament(file=file)


def test_everybody_plays_everybody_from_the_same_openings(played):
    assert played.is_complete
    assert all_without_times(played) == all_without_times(small_tournament())
    pairs = [frozenset(game.players) for game in played.games]
    for pair in combinations(PLAYERS, 2):
        assert pairs.count(frozenset(pair)) == 6
    for number in range(6):
        assert len({game.actions[:1] for game in played.games if game.number == number}) == 1
    assert len({game.actions for game in played.games}) > 12


def test_the_table_is_counted_from_the_games_and_in_order_of_strength(played):
    scores = played.scores()
    for row, column in permutations(range(3), 2):
        match = played.between(PLAYERS[row], PLAYERS[column])
        assert match.score == scores[row][column]
        assert len(match.games) == 6
    assert str(played).startswith("3 players, Tic-Tac-Toe, 18 games\n")
    table = played.cross_table()
    assert table.ranked_names == ("uct:60", "uct:10", "random")
    against = scores[2][1].rate.value
    assert table.rates[0][:2] == (None, against)
    assert table.rates[1][0] == pytest.approx(1 - against)
    head, best, *_ = str(table).splitlines()
    assert head.split() == ["player", "1", "2", "3", "Elo"]
    assert best.split()[:4] == ["1", "uct:60", "-", f"{against:.2f}"]
    assert best.split()[5] == f"{table.elo[0].value:+.0f}"
    few = str(small_tournament(progress=ctrl_c_after(0)))
    assert "inf" in few
    assert "not finished" in few


def test_the_ratings_are_those_of_the_table(played):
    ratings = played.ratings(zero="random")
    points = [[score.points for score in row] for row in played.scores()]
    assert ratings.elo == arena.bradley_terry(PLAYERS, points, zero="random").elo
    assert ratings.ranking()[0][0] == "uct:60"
    assert ratings.difference("uct:60", "random").value == pytest.approx(ratings.elo[2].value)
