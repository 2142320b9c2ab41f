"""What an arena panel says of a result, held against games made by hand."""

from mctslab.arena import SPRT, Cost, MatchResult, PlayedGame, Reason, Tournament
from mctslab.games import TicTacToe
from mctslab.widgets import arena_report as report

X_WINS = (0, 3, 1, 4, 2)
DRAW = (0, 1, 2, 4, 3, 5, 7, 6, 8)


def game(number, players=("a", "b"), returns=(1.0, -1.0), reason=Reason.RULES, **more):
    first, second = (3, 2) if returns[0] else (5, 4)
    details = {
        "pairing": (0, 1), "opening_plies": 0, "actions": X_WINS if returns[0] else DRAW,
        "costs": (Cost(first, 0.5 * first), Cost(second, 0.25 * second)),
    }  # fmt: skip
    return PlayedGame(
        number=number, players=players, returns=returns, reason=reason, **(details | more)
    )


def match(*games, num_games=4, sprt=None):
    return MatchResult(("a", "b"), games, num_games, TicTacToe(), sprt)


LATE = "9 s for a move, but only 1 s were allowed"
PLAYED = match(
    game(0),
    game(1, players=("b", "a")),
    game(2, returns=(0.0, 0.0)),
    game(3, players=("b", "a"), reason=Reason.TIME, message=LATE),
)


def test_the_score_has_its_intervals():
    score = report.score_data(PLAYED)
    assert (score["points"], score["elo"][0]) == ("1 · 1 · 2", "−89")
    rate, low, high = score["rate"]
    assert (rate, low, high) == PLAYED.score.rate
    assert score["score"] == ["0.375", f"{low:.3f} to {high:.3f}"]
    assert score["halves"] == "0.750 as X, 0.000 as O"
    assert score["test"] is None
    endless = report.score_data(match(game(0)))
    assert endless["elo"][0] == "+∞"
    assert endless["elo"][1].endswith(" to +∞")
    assert endless["halves"] == "1.000 as X"


def test_the_sequential_test_says_where_it_stands():
    test = report.score_data(match(game(0), game(1, ("b", "a")), sprt=SPRT(0, 20)))["test"]
    assert test["low"] < test["ratio"] < test["high"]
    assert (test["question"], test["bounds"]) == ("Elo 0 or +20?", "−2.94 to 2.94")
    won_by_a = ((("a", "b"), (1.0, -1.0)), (("b", "a"), (-1.0, 1.0)))
    games = [game(number, *won_by_a[number % 2]) for number in range(20)]
    decided = match(*games, num_games=400, sprt=SPRT(0, 200))
    assert report.score_data(decided)["test"]["question"] == "Elo +200 is accepted"
    end = f"Decided after {len(decided.games)} games: Elo +200 is accepted"
    assert report.end_in_words(decided) == end
    assert report.end_in_words(PLAYED) == "All 4 games have been played"


def test_every_player_has_times_and_losses():
    players = report.players_data(PLAYED)
    assert players["head"] == [
        "player", "time a move", "in total", "lost by the rules", "by time",
    ]  # fmt: skip
    # a had 3 + 2 + 5 + 2 moves, of half a second as X and of a quarter as O.
    assert players["rows"][0] == ["a", "417 ms", "5.00 s", "1", "1"]
    assert players["rows"][1][-2:] == ["1", "0"]


def test_work_is_told_where_it_is_counted():
    counted = match(game(0, costs=(Cost(3, simulations=1_200), Cost(2, nodes=18_000))))
    players = report.players_data(counted)
    assert players["head"][3:5] == ["simulations a move", "nodes a move"]
    assert [row[3:5] for row in players["rows"]] == [["400", "–"], ["–", "9,000"]]


def test_the_games_are_listed_with_their_results():
    assert report.game_list(PLAYED) == [
        ["0-1-0", "0. a – b\u20031–0"],
        ["0-1-1", "1. b – a\u20031–0"],
        ["0-1-2", "2. a – b\u2003½–½"],
        ["0-1-3", "3. b – a\u20031–0, by time"],
    ]
    for number, words in ((0, "X wins"), (2, "Draw"), (3, f"O lost by time: {LATE}")):
        played = PLAYED.games[number]
        assert report.replay_end(played, played.states(TicTacToe())[-1]) == words


def test_every_move_of_a_replay_is_told():
    played = game(0, opening_plies=1)
    assert list(report.moves_in_words(played, TicTacToe())) == [
        "The position at which the game began",
        "1. X played a1, at random",
        "2. O played a2",
        "3. X played b1",
        "4. O played b2",
        "5. X played c1",
    ]
    assert report.replay_title(played, ("X", "O")) == "Game 0. X: a, O: b"


def test_a_tournament_has_standings_and_two_charts():
    games = (
        game(0),
        game(0, ("c", "a"), pairing=(0, 2)),
        game(0, ("b", "c"), (0.0, 0.0), pairing=(1, 2)),
    )
    played = Tournament(("a", "b", "c"), games, 1, TicTacToe())
    standings = report.standings_data(played)
    assert [row[1] for row in standings["rows"]] == ["c", "a", "b"]
    assert standings["rows"][2][-2].startswith("−")
    assert report.score_data(played) == report.standings_data(PLAYED) == {}
    assert report.title(played.names) == "3 players, each against every other"
    table, bars = report.charts(played)
    assert "c against b" in table
    assert "Elo ratings" in bars
    (score,) = report.charts(PLAYED)
    assert "Score as the games go on: a against b 0.375" in score
