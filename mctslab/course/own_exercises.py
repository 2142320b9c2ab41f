"""A teacher's own exercises: pairs of files in any folder, or definitions in a notebook.

`exercises/17_my_topic.py` has the right answer, its inputs and its points, as a file of
`mctslab/course/exercises` has, and `exercises/17_my_topic.md` the words.
"""

import runpy
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from mctslab.course import exercises
from mctslab.course.checking.judging import judge
from mctslab.course.exercise import Exercise
from mctslab.course.outline import homes
from mctslab.course.result import Outcome

FOLDER: Final = "exercises"
"""The folder of the exercises beside a notebook."""


class Exercises(SimpleNamespace):
    """Exercises as attributes; what is none of them is looked up in the course's."""

    def __getattr__(self, name: str) -> Exercise:
        return exercises.__getattr__(name, vars(self))

    def __iter__(self) -> Iterator[Exercise]:
        return iter(vars(self).values())

    def __repr__(self) -> str:
        return f"Exercises: {', '.join(vars(self))}"


def exercises_in(place: str | Path | Mapping[str, Any]) -> Exercises:
    """The exercises in the files of a folder or, given `globals()`, those of a notebook.

        exercises = course.exercises_in("exercises")
        exercises.my_topic.check(my_topic)

    The files are run, again with every call.

    Raises:
        ValueError: there is no exercise, or something about one is wrong; the sentence says what.
    """
    if isinstance(place, Mapping):
        if not (here := _among(place, "here")):
            raise ValueError("There is no exercise here: first run the cell with its @exercise.")
        return Exercises(**here)
    found: dict[str, Exercise] = {}
    for path in sorted(Path(place).resolve().glob("*.py")):
        for name, each in _among(_run(path), path.name).items():
            if name in found:
                raise ValueError(f"{path.name}: another file has an exercise {name}, too.")
            found[name] = each
    if not found:
        raise ValueError(f"There is no exercise in the folder {str(place)!r}.")
    return Exercises(**found)


def _run(path: Path) -> dict[str, Any]:
    """The names that a file defines."""
    try:
        return runpy.run_path(str(path), run_name=f"{path.parent.name}.{path.stem}")
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from error
    except Exception as error:
        raise ValueError(f"{path.name} fails with {type(error).__name__}: {error}.") from error


def _among(names: Mapping[str, Any], place: str) -> dict[str, Exercise]:
    """The exercises among these names, if all edits of the mistakes fit the right answers."""
    found = {each.name: each for each in names.values() if isinstance(each, Exercise)}
    for name, each in found.items():
        if name in homes():
            raise ValueError(f"{place}: the course has an exercise {name}; rename yours.")
        try:
            each.cases()
        except Exception as error:
            raise ValueError(
                f"{place}: the answer of {name} fails on its inputs, each of which is made by "
                f"case(...), with {type(error).__name__}: {error}."
            ) from error
        for mistake in each.mistakes:
            each.wrong_answer(mistake)
    return found


def try_out(exercise: Exercise) -> None:
    """Check an exercise's right answer and each of its mistakes, as a class will.

    Raises:
        ValueError: the right answer is not right, or a mistake is not recognised.
    """
    name = exercise.name
    result = judge(exercise, exercise.defined_by(exercise.solution_source))
    if result.outcome is not Outcome.RIGHT:
        raise ValueError(f"{name}: its own answer is {result.outcome}. {result.message}")
    for known in exercise.mistakes:
        result = judge(exercise, exercise.wrong_answer(known))
        others = {other.name for other in exercise.mistakes} - {known.name}
        if result.outcome is Outcome.RIGHT or result.mistake in others:
            taken = result.mistake or "a right answer"
            raise ValueError(
                f"{name}: the check takes the mistake {known.name!r} for {taken!r}; add an input "
                "on which they differ."
            )
