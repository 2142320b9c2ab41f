"""What the side road on fair clocks says is so."""

import math

import pytest

# The tournament


def test_alphabeta_is_ahead_at_every_effort(names):
    difference, by_mcts = names["ratings"].difference, names["by_mcts"]
    for effort in names["EFFORTS"]:
        for how in names["rollouts"]:
            ahead = difference(names["by_alphabeta"][2 * effort], by_mcts[effort, how])
            assert ahead.value > 400
            assert ahead.low > 200
        uniform, nine, five = (
            by_mcts[effort, how] for how in ("uniform", "Roxanne", "five classes")
        )
        assert difference(five, uniform).low > 0
        assert 0 < difference(nine, uniform).value < difference(five, uniform).value
    few = difference("alpha-beta 50", by_mcts[25_000, "five classes"])
    assert few.low < 0 < few.high
    assert len(names["one_clock"].games) == 8 * math.comb(len(names["entries"]), 2)


# On a real clock


@pytest.fixture(scope="module")
def clocked(names):
    """The matches by the clock, by their rollouts and the seconds that were set."""
    return {
        (how, seconds): result
        for how, by_time in names["clocked"].items()
        for seconds, result in by_time.items()
    }


def test_by_the_clock_alphabeta_loses_no_game(clocked):
    scores = [result.score for result in clocked.values()]
    assert sum(len(result.games) for result in clocked.values()) == 660
    assert [sum(score.draws for score in scores), sum(score.losses for score in scores)] == [2, 0]


def test_better_rollouts_lose_by_fewer_discs_and_more_time_changes_nothing(names, clocked):
    leads = {key: names["lead"](result) for key, result in clocked.items()}
    for kind in names["clocked"]:
        ends = [lead[1:] for (how, _), lead in leads.items() if how == kind]
        assert max(low for low, _ in ends) < min(high for _, high in ends)
    for seconds in names["clocked"]["uniform"]:
        uniform, five = leads["uniform", seconds], leads["five classes", seconds]
        assert 5 < uniform[0] - five[0] < 9.5
        assert uniform[1] > five[2]
