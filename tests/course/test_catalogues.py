"""Every known mistake is rejected and named; what an exercise says of itself is complete."""

import collections
import functools
import itertools
import re
from dataclasses import replace

import numpy as np
import pytest

from mctslab.course import exercises
from mctslab.course.catch import Catch
from mctslab.course.checking.errors import UNSEEDED
from mctslab.course.checking.judging import judge, try_case
from mctslab.course.exercise import Exercise
from mctslab.course.keeping import progress
from mctslab.course.result import Outcome
from mctslab.players import has_torch
from mctslab.search import Node
from tests.course.catalogue import EXERCISES, SECONDS, inputs_of, name_of, quick

every_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=name_of)


@every_exercise
def test_what_is_said_about_an_input_is_a_sentence_and_not_about_all_of_them(exercise):
    abouts = [each.about for each in (*exercise.cases(), *exercise.variations())]
    assert all(re.fullmatch(r"[A-Z`][^\n]{10,160}\.", about) for about in abouts if about)
    assert len({*abouts}) > 1 or not any(abouts)


@every_exercise
def test_known_mistakes_are_rejected_and_told_apart_and_the_last_is_named(exercise, home):
    """Each is the first that does what it does, and no case is passed by all of them.

    It uses only names that the model answer's file has, or no answer could ever do the same.

    A mistake that draws other numbers every time is like none; for it a check has another way.
    """
    if exercise.name in ("forward", "loss", "train_step", "evaluate") and not has_torch():
        pytest.skip("PyTorch is not installed")
    inputs, every_one = inputs_of(exercise.name), range(len(exercise.mistakes))
    wrong = [exercise.wrong_answer(known) for known in exercise.mistakes]
    source = exercise.solution_source
    is_random = ["np.random" in f"{source} {each.edits}" for each in exercise.mistakes]

    @functools.cache
    def tried(one, number):
        return try_case(inputs[number], wrong[one], SECONDS)

    def first(is_such):
        return next(number for number in range(len(inputs)) if is_such(number))

    telling = collections.defaultdict(set)
    for one in every_one:
        if not is_random[one]:
            telling[one].add(first(lambda number, one=one: not tried(one, number).is_right))
    for one, other in itertools.combinations(every_one, 2):
        if exercise.mistakes[one].name != exercise.mistakes[other].name:
            apart = first(lambda at, *_, a=one, b=other: not tried(a, at).is_like(tried(b, at)))
            telling[one].add(apart)
            telling[other].add(apart)
    for one, some in telling.items():
        failed = [inputs[number] for number in sorted(some) if not tried(one, number).is_right]
        if failed:  # one that draws other numbers every time may not fail again
            _check_first_message(exercise, one, failed[0])
    found = [tried(one, number) for one, some in telling.items() for number in some]
    assert not any(isinstance(each.called.error, NameError) for each in found)
    for one, known in enumerate(exercise.mistakes):
        if is_random[one] or one == every_one[-1]:
            cases = [replace(inputs[number], is_random=False) for number in sorted(telling[one])]
            few = replace(quick(exercise), cases=lambda cases=cases: cases, variation=None)
            result = judge(exercise if is_random[one] else few, wrong[one])
            assert result.outcome is Outcome.WRONG
            assert result.mistake == known.name or (
                is_random[one] and result.mistake == UNSEEDED.name
            )
    useless = [
        each.shown
        for number, each in enumerate(inputs)
        if not each.is_random and all(tried(one, number).is_right for one in every_one)
    ]
    assert len(useless) <= 2, useless


def _check_first_message(exercise, one, case):
    """It says what the function does, in a few lines, and neither why nor how to mend it."""
    known = exercise.mistakes[one]
    cases = [replace(case, is_random=False)]
    alone = exercise
    if not isinstance(exercise, Catch):  # the inputs of which belong to its versions
        alone = replace(quick(exercise), cases=lambda: cases, variation=None, mistakes=(known,))
    first = Exercise.check(alone, exercise.wrong_answer(known))
    assert first.outcome is Outcome.WRONG
    assert first.explanation == ""
    assert known.explanation not in str(first)
    assert len(str(first).splitlines()) <= 12, str(first)
    progress.file().unlink()


@every_exercise
def test_a_stub_is_not_attempted_and_small_inputs_can_be_made(exercise):
    assert judge(exercise, exercise.defined_by(exercise.stub)).outcome is Outcome.NOT_ATTEMPTED
    if exercise.variation is not None:
        assert next(exercise.small_variations()).is_random


def test_arguments_are_made_anew_for_every_call():
    for exercise in EXERCISES:
        for case in exercise.cases():
            for one, other in zip(case.arguments(), case.arguments(), strict=True):
                if isinstance(one, Node | np.random.Generator | list | dict):
                    assert one is not other, exercise.name


def test_an_exercise_says_all_there_is_to_say():
    for exercise in EXERCISES:
        names = {known.name for known in exercise.mistakes}
        solution = exercise.solution_source

        assert getattr(exercises, exercise.name) is exercise
        assert 0 < len(names) <= 8, exercise.name
        assert all(re.fullmatch(r"([a-z0-9`]|[NQW] ).*[^.!?]", each) for each in names), "as if ..."
        assert all(known.explanation.endswith((".", ".)")) for known in exercise.mistakes)
        assert len(exercise.hints) >= 2, exercise.name
        assert exercise.title
        assert exercise.model_answer.__doc__.strip().endswith("."), exercise.name
        assert solution.startswith(f"def {exercise.name}(")
        assert "mistake" not in solution
        assert len(solution.splitlines()) <= 24, "one idea, half a screen"


def test_what_a_check_says_has_no_signs_that_it_does_not_draw():
    """It draws `code`; stars around a word would be shown as stars."""
    for exercise in EXERCISES:
        texts = [exercise.when_right, *(known.explanation for known in exercise.mistakes)]
        for text in texts:
            assert not re.search(r"\*\w[^*]*\*", re.sub(r"`[^`]*`", "", text)), exercise.name
