"""All exercises, for tests of each; and three, for tests of what is the same in all."""

import ast
import functools
import re
import textwrap
import time
from dataclasses import dataclass, replace

from mctslab.course import exercises
from mctslab.course.checking.cases import Case
from mctslab.course.checking.judging import quietly
from mctslab.course.prose import Mistake, edits_in
from tests.course.counted import MANY_ROUNDS, Copy

EXERCISES = list(exercises.all_exercises().values())
THREE = [exercises.ucb1, exercises.museum_reward, exercises.encode]
"""A formula, an exhibit of the bug museum, and one whose values are arrays."""


def quick(exercise):
    """The same exercise with less patience for loops that never end."""
    return replace(exercise, seconds=0.3)


def solution_of(exercise):
    """The solution as if a student had written it; the model answer itself counts for nothing."""
    return exercise.defined_by(exercise.solution_source)


def copy_of(exercise, source):
    """A version of the model answer that counts its rounds."""
    return Copy(ast.parse(source), exercise.model_answer.__globals__)


def name_of(value):
    return getattr(value, "name", None)


@dataclass
class Input:
    """An input of an exercise, and the seconds and the rounds of loops that its solution takes."""

    case: Case
    seconds: float
    rounds: int
    num_noticed: int = 0
    """How many wrong functions it has noticed so far."""

    @property
    def most_rounds(self):
        """What goes around its loops more often has no end."""
        return 1_000 + 10 * self.rounds


@functools.cache
def inputs_of(name):
    """All inputs of an exercise; the solution that is shown is right on them."""
    exercise = getattr(exercises, name)
    solution = copy_of(exercise, exercise.solution_source)
    inputs = []
    with quietly():
        for case in (*exercise.cases(), *exercise.variations()):
            began = time.process_time()
            assert solution.tried(case).is_right, case.shown
            taken = time.process_time() - began
            inputs.append(Input(case, taken, MANY_ROUNDS - solution.rounds_left))
    return inputs


def is_noticed(wrong, name):
    """Whether an input of an exercise gives a wrong result with a copy of a function.

    The inputs come first that take little time and have noticed much.
    """
    inputs = sorted(inputs_of(name), key=lambda each: each.seconds / (1 + each.num_noticed))
    rounds = [each.most_rounds for each in inputs]
    cases = [each.case for each in inputs]
    trials = wrong.tried_on(cases, rounds)
    if trials[-1].is_right:
        return False
    inputs[len(trials) - 1].num_noticed += 1
    return True


def mistakes_in(text):
    """The mistakes of a made-up exercise: names, below each an indented explanation and edits."""
    found = []
    for part in re.split(r"\n(?=\S)", textwrap.dedent(text).strip()):
        name, *lines = part.splitlines()
        said = [line.strip() for line in lines if not re.match(r" +([-+]( |$)|.* =>)", line)]
        edits = [line.removeprefix("    ") for line in lines if line.strip() not in said]
        found.append(Mistake(name, " ".join(said), edits_in("\n".join(edits))))
    return found
