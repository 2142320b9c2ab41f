"""All exercises, for tests of each; and three, for tests of what is the same in all."""

import re
import textwrap
from dataclasses import replace

from mctslab.course import exercises
from mctslab.course.question import Mistake, edits_in

EXERCISES = list(exercises.all_exercises().values())
THREE = [exercises.ucb1, exercises.museum_reward, exercises.encode]
"""A formula, an exhibit of the bug museum, and one whose values are arrays."""


def quick(exercise):
    """The same exercise with less patience for loops that never end."""
    return replace(exercise, seconds=0.3)


def name_of(value):
    return getattr(value, "name", None)


def mistakes_in(text):
    """The mistakes of a made-up exercise: names, below each an indented explanation and edits."""
    found = []
    for part in re.split(r"\n(?=\S)", textwrap.dedent(text).strip()):
        name, *lines = part.splitlines()
        said = [line.strip() for line in lines if not re.match(r" +([-+]( |$)|.* =>)", line)]
        edits = [line.removeprefix("    ") for line in lines if line.strip() not in said]
        found.append(Mistake(name, " ".join(said), edits_in("\n".join(edits))))
    return found
