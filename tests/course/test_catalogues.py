"""Every known mistake is rejected and named; what an exercise says of itself is complete."""

import re
from pathlib import Path

import numpy as np
import pytest

from mctslab.course import exercises
from mctslab.course.comparing import same
from mctslab.course.exercise import Exercise
from mctslab.course.judging import judge
from mctslab.course.result import Outcome
from mctslab.course.sandbox import call
from mctslab.search import Node
from tests.course.catalogue import EXERCISES, MISTAKES, mistake_id, quick

every_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=mistake_id)


@every_exercise
def test_a_known_mistake_is_rejected_and_named(exercise):
    for known in exercise.mistakes:
        result = judge(quick(exercise), exercise.wrong_answer(known))

        assert result.outcome is Outcome.WRONG
        assert result.mistake == known.name
        assert result.explanation == known.explanation
        assert known.name in str(result)


def test_no_exercise_and_no_mistake_has_been_lost():
    assert len(EXERCISES) == 51
    assert len(MISTAKES) == 575


@every_exercise
def test_the_answer_that_is_shown_is_right(exercise):
    assert judge(exercise, exercise.model_answer).outcome is Outcome.RIGHT


@every_exercise
def test_the_source_that_is_shown_is_right_by_itself(exercise):
    names = {"math": __import__("math"), "np": __import__("numpy")}
    names |= exercise.model_answer.__globals__
    exec(exercise.solution_source, names)

    assert judge(exercise, names[exercise.name]).outcome is Outcome.RIGHT


@every_exercise
def test_the_stub_is_not_attempted(exercise):
    names = dict(exercise.model_answer.__globals__)
    exec(exercise.stub, names)

    assert judge(exercise, names[exercise.name]).outcome is Outcome.NOT_ATTEMPTED


@every_exercise
def test_arguments_are_made_anew_for_every_call(exercise):
    for case in exercise.cases():
        for one, other in zip(case.arguments(), case.arguments(), strict=True):
            if isinstance(one, Node | np.random.Generator | list | dict):
                assert one is not other


@every_exercise
def test_every_case_can_tell_something_wrong(exercise):
    """No case is so weak that every known mistake passes it, unless it is there for the error."""
    wrong_answers = [exercise.wrong_answer(known) for known in exercise.mistakes]
    useless = [
        case.shown
        for case in exercise.cases()
        if all(_passes(case, wrong) for wrong in wrong_answers)
    ]
    assert len(useless) <= 2, useless


def _passes(case, wrong):
    called = call(case.run, (wrong, *case.arguments()), 0.3)
    return called.error is None and not called.too_slow and same(case.expected, called.value)


@every_exercise
def test_an_exercise_says_all_there_is_to_say(exercise):
    names = {known.name for known in exercise.mistakes}

    assert len(names) >= 6
    assert all(re.fullmatch(r"[a-z0-9].*[^.!?]", name) for name in names), "ends 'looks like ...'"
    assert all(known.explanation.endswith((".", ".)")) for known in exercise.mistakes)
    assert len(exercise.hints) >= 2
    assert exercise.title
    assert exercise.task.endswith(".")
    assert exercise.solution_source.startswith(f"def {exercise.name}(")
    assert len(exercise.solution_source.splitlines()) <= 20, "one idea, half a screen"


def test_every_exercise_in_a_file_is_offered():
    folder = Path(exercises.__file__).parent
    modules = [
        __import__(f"{exercises.__name__}.{file.stem}", fromlist=["x"])
        for file in folder.glob("nb*.py")
    ]
    defined = {
        value.name
        for module in modules
        for value in vars(module).values()
        if isinstance(value, Exercise)
    }
    assert defined == set(exercises.__all__)


@every_exercise
def test_it_is_found_by_its_name(exercise):
    assert getattr(exercises, exercise.name) is exercise
    assert exercise.name in dir(exercises)
