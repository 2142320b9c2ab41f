"""Round robins: everybody against everybody, the table, the ratings."""

import pytest

from mctslab import arena
from tests.arena.comparing import all_without_times

PLAYERS = ("random", "uct:10", "uct:60")


def small_tournament(**options):
    settings = {"num_games": 6, "seed": 1, "opening_plies": 1} | options
    return arena.round_robin("tictactoe", PLAYERS, **settings)


@pytest.fixture(scope="module")
def played():
    return small_tournament()


def test_everybody_plays_everybody(played):
    assert played.is_complete
    assert len(played.games) == 18
    pairs = [frozenset(game.players) for game in played.games]
    assert {pair: pairs.count(pair) for pair in pairs} == {
        frozenset(pair): 6
        for pair in [("random", "uct:10"), ("random", "uct:60"), ("uct:10", "uct:60")]
    }


def test_pairings_share_their_openings_and_games_differ(played):
    for number in range(6):
        games = [game for game in played.games if game.number == number]
        assert len({game.actions[:1] for game in games}) == 1
    assert len({game.actions for game in played.games}) > 12


def test_stopped_and_resumed_it_is_the_same(played, tmp_path):
    for processes in (None, 2):
        file, told = tmp_path / f"{processes}.jsonl", []
        stopped = small_tournament(
            file=file,
            processes=processes,
            progress=told.append,
            stop=lambda told=told: told[-1].num_played >= 7,
        )
        assert 7 <= len(stopped.games) < 18
        assert "not finished" in str(stopped)
        whole = all_without_times(played.games)
        assert all_without_times(small_tournament(file=file).games) == whole
        assert all_without_times(arena.load(file).games) == whole


def test_the_table_is_counted_from_the_games(played):
    scores = played.scores()
    for row, name in enumerate(PLAYERS):
        assert scores[row][row].num_games == 0
        for column, opponent in enumerate(PLAYERS):
            if row != column:
                match = played.between(name, opponent)
                assert match.score == scores[row][column]
                assert match.names == (name, opponent)
                assert len(match.games) == 6


def test_the_table_is_in_order_of_strength(played):
    table = played.cross_table()
    rows = list(table.rows())
    assert [row[1] for row in rows] == ["uct:60", "uct:10", "random"]
    assert table.ranked_names == ("uct:60", "uct:10", "random")
    best = sum(played.scores()[2], arena.Score())
    assert rows[0][5:8] == (f"{best.points:g}", "12", f"{best.rate.value:.3f}")
    against = played.between("uct:60", "uct:10").score.rate.value
    assert table.rates[0][:2] == (None, against)
    assert table.rates[1][0] == pytest.approx(1 - against)
    assert rows[0][2:4] == ("·", f"{against:.2f}")
    few = small_tournament(stop=lambda: True)
    assert "inf" in str(few)
    assert "·" in str(few)


def test_the_table_as_text_and_in_a_page(played):
    text = str(played)
    assert text.startswith("3 players, Tic-Tac-Toe, 18 games\n")
    assert "95% interval" in text.splitlines()[1]
    page = played._repr_html_()
    assert page.count("<tr>") == 4
    assert '<th scope="row" style="text-align:left">uct:60</th>' in page
    assert repr(played) == "<Tournament: 3 players, Tic-Tac-Toe, 18 games>"


def test_the_ratings_are_those_of_the_table(played):
    ratings = played.ratings(zero="random")
    points = [[score.points for score in row] for row in played.scores()]
    again = arena.bradley_terry(PLAYERS, points, zero="random")
    assert ratings.elo == again.elo
    assert ratings.elo[0].value == pytest.approx(0, abs=1e-9)
    assert ratings.ranking()[0][0] == "uct:60"
    assert ratings.difference("uct:60", "random").value == pytest.approx(ratings.elo[2].value)


def test_what_was_not_played_is_not_shown(played):
    for first, second, message in (
        ("nobody", "random", "no player 'nobody'"),
        ("random", "random", "against itself"),
    ):
        with pytest.raises(ValueError, match=message):
            played.between(first, second)


def test_the_same_player_twice_plays_itself():
    twice = arena.round_robin("tictactoe", ["uct:10", "uct:10"], num_games=4, seed=1)
    assert twice.names == ("uct:10", "uct:10 #2")
    assert len(twice.between("uct:10", "uct:10 #2").games) == 4
