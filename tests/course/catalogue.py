"""All exercises, for tests of each; and three, for tests of what is the same in all."""

from dataclasses import replace

from mctslab.course import exercises

EXERCISES = list(exercises.all_exercises().values())
THREE = [exercises.ucb1, exercises.museum_reward, exercises.encode]
"""A formula, an exhibit of the bug museum, and one whose values are arrays."""


def quick(exercise):
    """The same exercise with less patience for loops that never end."""
    return replace(exercise, seconds=0.3)


def name_of(value):
    return getattr(value, "name", None)
