"""All exercises with their known mistakes, for tests that go through every one of them."""

from dataclasses import replace

from mctslab.course import exercises

EXERCISES = [getattr(exercises, name) for name in exercises.__all__]
MISTAKES = [
    (exercise, known, exercise.wrong_answer(known))  # an edit that does not fit fails here
    for exercise in EXERCISES
    for known in exercise.mistakes
]


def quick(exercise):
    """The same exercise with less patience for loops that never end."""
    return replace(exercise, seconds=0.3)


def mistake_id(value):
    return getattr(value, "name", None)
