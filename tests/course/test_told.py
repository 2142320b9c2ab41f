"""Checks still name the causes of mistakes that they were not built with."""

import pytest

from mctslab.course import judging
from mctslab.course.judging import judge
from mctslab.course.result import Outcome
from tests.course.catalogue import EXERCISES
from tests.course.invented import answers_to, function_of


def _last_one_named(exercise):
    """Of the answers that were judged by hand the last one whose cause was named."""
    return [answer for answer in answers_to(exercise) if answer.told == "cause"][-1:]


NAMED = [answer for exercise in EXERCISES for answer in _last_one_named(exercise)]


@pytest.mark.parametrize("answer", NAMED, ids=lambda answer: answer.exercise.name)
def test_the_cause_of_a_mistake_that_somebody_invented_is_named(answer, monkeypatch):
    monkeypatch.setattr(judging, "_SECONDS_FOR_ALL", 30.0)  # on a busy computer, too
    result = judge(answer.exercise, function_of(answer))

    assert result.outcome is Outcome.WRONG
    assert result.mistake
    assert "wrong only" not in result.looks_like


def test_so_many_of_them_were_judged_by_hand():
    told = [answer.told for exercise in EXERCISES for answer in answers_to(exercise)]

    assert len(NAMED) == 36
    assert (told.count("cause"), told.count("where"), told.count("input")) == (233, 9, 45)
