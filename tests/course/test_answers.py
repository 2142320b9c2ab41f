"""Answers by people who had not seen the checks: the right ones pass, and no wrong one does."""

from inspect import signature

import pytest

from mctslab.course.checking.judging import depends_on_chance, judge, try_case
from mctslab.course.result import Outcome
from tests.course.catalogue import EXERCISES, inputs_of, is_noticed, name_of
from tests.course.invented import answers_to, function_of

NUM_SEEDED = 3
"""So many right answers of an exercise get the same seed again."""

pytestmark = pytest.mark.filterwarnings("ignore")  # they are about the answers
every_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=name_of)


@every_exercise
def test_right_answers_that_look_different_pass(exercise):
    """Each input is tried with one of them."""
    cases = inputs_of(exercise.name)
    right = [function_of(answer) for answer in answers_to(exercise) if answer.is_right]
    assert len(right) >= 6
    step = min(len(right), len(cases))
    for number, function in enumerate(right):
        some = cases[number % step :: step]
        trials = [try_case(each, function, exercise.seconds) for each in some]
        assert all(trial.is_right for trial in trials), function.__code__.co_filename
        if number < NUM_SEEDED and "rng" in signature(function).parameters:
            is_by_chance = depends_on_chance(function, trials, exercise.seconds)
            assert not is_by_chance, function.__code__.co_filename


@every_exercise
def test_no_wrong_answer_passes(exercise):
    for answer in answers_to(exercise):
        if not answer.is_right and not is_noticed(function := function_of(answer), exercise.name):
            # To try the same seed again takes longer.
            assert judge(exercise, function).outcome is Outcome.WRONG, answer.why
