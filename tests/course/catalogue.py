"""All exercises, for tests of each; and three, for tests of what is the same in all."""

import functools
import re
import textwrap
from dataclasses import replace

from mctslab.course import exercises
from mctslab.course.checking.judging import try_case
from mctslab.course.prose import Mistake, edits_in

EXERCISES = list(exercises.all_exercises().values())
THREE = [exercises.ucb1, exercises.museum_reward, exercises.encode]
"""A formula, an exhibit of the bug museum, and one whose values are arrays."""


def quick(exercise):
    """The same exercise with less patience for loops that never end."""
    return replace(exercise, seconds=0.3)


def solution_of(exercise):
    """The solution as if a student had written it; the model answer itself counts for nothing."""
    return exercise.defined_by(exercise.solution_source)


def name_of(value):
    return getattr(value, "name", None)


SECONDS = 0.5
"""Far more than a solution needs for any input."""


@functools.cache
def inputs_of(name):
    """All inputs of an exercise, quick ones first; the solution that is shown is right on them."""
    exercise = getattr(exercises, name)
    cases = (*exercise.cases(), *exercise.variations())
    trials = [try_case(each, solution_of(exercise), exercise.seconds) for each in cases]
    for trial in trials:
        assert trial.is_right, trial.case.shown
    return [trial.case for trial in sorted(trials, key=lambda trial: trial.seconds)]


def is_noticed(wrong, name):
    """Whether an input of an exercise gives a wrong result with a function."""
    return not all(try_case(each, wrong, SECONDS).is_right for each in inputs_of(name))


def mistakes_in(text):
    """The mistakes of a made-up exercise: names, below each an indented explanation and edits."""
    found = []
    for part in re.split(r"\n(?=\S)", textwrap.dedent(text).strip()):
        name, *lines = part.splitlines()
        said = [line.strip() for line in lines if not re.match(r" +([-+]( |$)|.* =>)", line)]
        edits = [line.removeprefix("    ") for line in lines if line.strip() not in said]
        found.append(Mistake(name, " ".join(said), edits_in("\n".join(edits))))
    return found
