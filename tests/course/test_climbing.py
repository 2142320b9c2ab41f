"""The ladder of the student's own players."""

import math

import pytest

from mctslab import course, games, search
from mctslab.course import climbing, exercises
from mctslab.course.keeping.progress import Rung, load
from mctslab.games import IllegalActionError

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setenv("MCTSLAB_QUICK", "1")


def at_random(state, rng):
    return search.uniform(state, rng)


def own_ucb1(win_rate, visit_count, parent_visit_count, c):
    if visit_count == 0:
        return math.inf
    return win_rate + c * math.sqrt(math.log(parent_visit_count) / visit_count)


def rung(*points, num_games=40, game="Connect Four", lent=()):
    names = dict(zip(climbing.OPPONENTS, map(float, points), strict=True))
    return Rung("mine", game, ["select"], list(lent), names, num_games)


def test_a_rung_is_kept_under_its_notebook_and_the_next_one_replaces_it():
    for name in ("first", "second"):
        shown = course.climb("02", name, at_random, parts=[], game=games.ConnectFour(4, 4))
    assert [each.name for each in load().rungs.values()] == ["second"]
    assert load().rungs["02"].num_games == 2
    assert "second (Connect Four 4 × 4)" in str(shown)
    assert "Elo above random play" in str(shown)


def test_a_part_that_has_not_passed_is_lent_and_with_no_other_nothing_is_played(capsys):
    shown = course.climb("02", "mine", lambda state, rng: 1 // 0, parts=["ucb1", "select"])
    assert "nothing was played" in capsys.readouterr().out
    assert "The package's own functions in it: ucb1, select." in str(shown)
    assert load().rungs == {}
    exercises.ucb1.check(own_ucb1)
    shown = course.climb("02", "mine", at_random, parts=["ucb1", "select"])
    assert (load().rungs["02"].own, load().rungs["02"].lent) == (["ucb1"], ["select"])
    assert "The package's own functions in it: select." in str(shown)
    assert "own functions" not in str(course.climb("02", "mine", at_random, parts=["ucb1"]))


def test_an_error_of_the_player_is_shown_before_the_match_and_nothing_is_kept():
    with pytest.raises(ZeroDivisionError):
        course.climb("02", "mine", lambda state, rng: 1 // 0, parts=[])
    with pytest.raises(IllegalActionError):
        course.climb("02", "mine", lambda state, rng: 7, parts=[])
    with pytest.raises(AttributeError, match="There is no exercise 'selection'"):
        course.climb("02", "mine", at_random, parts=["selection"])
    assert load().rungs == {}


def test_without_other_games_a_rating_is_that_of_elo():
    """With results against one opponent alone, the formula can be solved by hand."""
    played = Rung("mine", "my game", [], [], {"random": 300.0}, 400)
    expected = 400 * math.log10(300.5 / 100.5)  # one drawn game is added
    assert climbing.rating(played).value == pytest.approx(expected)


def test_what_is_still_ahead_is_a_question_without_its_height(monkeypatch):
    stored = climbing.Stored({}, {"03": rung(40, 20, 4), "04": rung(40, 30, 10)})
    monkeypatch.setattr(climbing, "stored", lambda: stored)
    assert "You have no rung yet" in str(course.ladder())
    course.climb("04", "mine", at_random, parts=[])
    shown = course.ladder()
    assert "03 mine, still ahead;" in shown.chart.description
    assert shown.chart.description.count("still ahead") == 1
    assert "about 64 of 100 points" in str(shown)
    assert "<details><summary>All rungs in words</summary><p>mine (" in shown._repr_html_()


def test_a_rung_that_is_not_higher_is_explained_beside_the_highest_of_its_game():
    rungs = {"04": rung(40, 20, 4), "05": rung(40, 19, 4), "06": rung(20, 0, 0)}
    rungs |= {"08": rung(30, 1, 0, game="Reversi"), "09": rung(40, 39, 38)}
    lines = str(climbing.Ladder(rungs)).splitlines()
    beside = [line.partition(" It is not above the rung of notebook ")[2] for line in lines]
    assert beside[0] == beside[3] == beside[4] == ""
    assert beside[1] == "04: their intervals overlap, so that can be chance."
    assert beside[2].startswith("04: and by more than chance")
    assert "Elo points measure" not in str(climbing.Ladder(rungs))
