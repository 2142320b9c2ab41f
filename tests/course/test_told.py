"""Checks still name the causes of mistakes that they were not built with."""

import pytest

from mctslab.course import judging
from mctslab.course.judging import judge
from mctslab.course.result import Outcome
from tests.course.catalogue import EXERCISES
from tests.course.invented import answers_to, function_of


def _one_named(exercise):
    """Of the answers with one fault whose cause was named, as judged by hand, the middle one.

    Where there are two, all changes of the answer are tried, which takes long.
    """
    named = [answer for answer in answers_to(exercise) if answer.told == "cause"]
    named = [answer for answer in named if not answer.why.startswith("two faults")]
    return named[len(named) // 2 :][:1]


NAMED = [answer for exercise in EXERCISES for answer in _one_named(exercise)]


@pytest.mark.parametrize("answer", NAMED, ids=lambda answer: answer.exercise.name)
def test_the_cause_of_a_mistake_that_somebody_invented_is_named(answer, monkeypatch):
    for limit in ("_SECONDS_FOR_ALL", "_SECONDS_FOR_REPAIRS"):  # on a busy computer, too
        monkeypatch.setattr(judging, limit, 20.0)
    monkeypatch.setattr(judging, "_SECONDS_FOR_ONE", 1.0)
    result = judge(answer.exercise, function_of(answer))

    assert result.outcome is Outcome.WRONG
    assert result.mistake
    assert "wrong only" not in result.looks_like


def test_so_many_of_them_were_judged_by_hand():
    told = [answer.told for exercise in EXERCISES for answer in answers_to(exercise)]

    assert len(NAMED) == 36
    assert (told.count("cause"), told.count("where"), told.count("input")) == (234, 9, 44)
