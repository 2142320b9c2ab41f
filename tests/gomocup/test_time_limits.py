"""When to answer: before every limit, and never so late that the whole game's time runs out."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab.gomocup.time_limits import TimeLimits


def limits(**told):
    made = TimeLimits()
    for key, milliseconds in told.items():
        made.set(key, milliseconds)
    return made


def test_without_limits_nothing_is_due():
    told = {"timeout_match": 0, "time_left": 2_147_483_647, "max_memory": 1, "game_type": 1}
    assert limits(**told).allowance() == limits().allowance() == (math.inf, math.inf)


@given(st.integers(1, 10**8))
def test_an_answer_comes_before_the_limit_of_a_turn(milliseconds):
    wanted, at_most = limits(timeout_turn=milliseconds).allowance()
    seconds = milliseconds / 1_000
    assert 0 < wanted == at_most < seconds
    assert seconds - at_most <= 0.15 + 1e-9  # no more than that is given away
    assert at_most >= 0.69 * seconds


def test_at_0_the_first_idea_is_wanted_and_waited_for():
    assert limits(timeout_turn=0).allowance() == (0, math.inf)
    wanted, at_most = limits(timeout_turn=0, time_left=10_000).allowance()
    assert wanted == 0
    assert 9 < at_most < 10


@given(st.integers(1, 10**7), st.lists(st.booleans(), max_size=300), st.sampled_from([None, 50]))
def test_the_time_left_is_never_negative(milliseconds, thoughtless, turn):
    """Not even if there is no thought before the last moment, again and again."""
    made = limits(timeout_match=milliseconds, **({"timeout_turn": turn} if turn else {}))
    left = milliseconds / 1_000
    for waits_for_the_last_moment in thoughtless:
        wanted, at_most = made.allowance()
        assert 0 <= wanted <= at_most < left
        used = at_most if waits_for_the_last_moment else wanted
        made.spend(used)
        left -= used
    assert left > 0


@pytest.mark.parametrize("milliseconds", [0, -5_000])
def test_with_nothing_left_the_answer_is_due_at_once(milliseconds):
    assert limits(timeout_turn=5_000, time_left=milliseconds).allowance() == (0, 0)


def test_the_time_left_is_shared_out():
    wanted, at_most = limits(timeout_turn=30_000, time_left=180_000).allowance()
    assert 5 < wanted < 15
    assert 29 < at_most < 30
    assert limits(timeout_turn=1_000, time_left=180_000).allowance()[0] < 1


def test_what_the_manager_says_is_left_counts_and_not_our_own_sums():
    made = limits(timeout_match=60_000, time_left=60_000)
    made.spend(40)
    assert made.allowance().at_most < 20
    made.set("time_left", 50_000)
    made.set("timeout_match", 60_000)
    assert 49 < made.allowance().at_most < 50
    made.set("time_left", 2_147_483_647)
    assert made.allowance().at_most == math.inf


def test_a_new_match_has_all_of_its_time():
    made = limits(timeout_match=60_000)
    made.spend(40)
    made.begin_match()
    assert 59 < made.allowance().at_most < 60
    made.set("timeout_match", 30_000)
    assert 29 < made.allowance().at_most < 30
