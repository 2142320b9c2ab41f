"""All exercises of the course."""

from mctslab.course import exercises
from mctslab.course.exercise import Exercise


def all_exercises() -> dict[str, Exercise]:
    """Every exercise by its name, in the order of the notebooks."""
    found = [getattr(exercises, name) for name in exercises.__all__]
    return {each.name: each for each in sorted(found, key=lambda each: each.notebook)}
