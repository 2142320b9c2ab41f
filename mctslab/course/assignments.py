"""Assignments for nbgrader, which hands notebooks out, collects and grades them.

We write what nbgrader calls the source. It contains the solutions, which nbgrader takes out for the
students, and each check in a cell of its own, which nbgrader locks and which earns the points. The
metadata of a cell say what kind of cell it is
(https://nbgrader.readthedocs.io/en/stable/contributor_guide/metadata.html).
"""

import functools
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType, GeneratorType
from typing import Any, Final

from nbformat import NotebookNode, from_dict
from nbformat.v4 import new_code_cell

from mctslab.course.build import without_outputs, write
from mctslab.course.checking.cases import Function
from mctslab.course.checking.judging import PLACEHOLDER, is_of_the_course, try_case
from mctslab.course.exercise import Exercise
from mctslab.course.exercises import all_exercises
from mctslab.course.notebooks import check_of, exercises_of, replace_function
from mctslab.course.outline import exercise_of
from mctslab.course.own_exercises import FOLDER
from mctslab.course.result import Outcome, Result


def build_assignments(course: Path, notebooks: Sequence[Path], partial: bool = False) -> list[Path]:
    """Write an assignment for each notebook with exercises into nbgrader's folder of a course.

    The notebook and the files that it reads are copied to `source/NAME/`. Files of the same name
    are replaced, except `nbgrader_config.py`, which a teacher may have changed. Returns the files
    that were written.

    With `partial`, a wrong answer earns the share of its inputs that are right.

    Raises:
        ValueError: an exercise or a part of it is missing; the sentence says which.
    """
    written = []
    for path in notebooks:
        notebook = without_outputs(path)
        if exercises := exercises_of(path, notebook):
            made, target = assignment(notebook, exercises, partial), course / "source" / path.stem
            written += write(made, path, target / path.name, exercises)
    config = course / "nbgrader_config.py"
    if not config.exists():
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text(_CONFIG, "utf-8", newline="\n")
        written.append(config)
    return written


def assignment(
    notebook: NotebookNode, exercises: Mapping[str, Exercise] | None = None, partial: bool = False
) -> NotebookNode:
    """A copy of a notebook in which each exercise is a cell to fill in and a cell that grades it.

    An exercise earns its points; a tag of its cell, such as `points:3`, says otherwise.

    Raises:
        ValueError: such a tag has no number, or there are two.
    """
    known, cells = all_exercises() if exercises is None else exercises, []
    for cell in notebook.cells:
        if name := exercise_of(cell):
            cells += [_solution_cell(cell, known[name]), _check_cell(cell, known[name], partial)]
        else:
            cells.append(cell)
    made: NotebookNode = from_dict({**notebook, "cells": cells})
    return made


def _points(cell: NotebookNode, exercise: Exercise) -> int:
    tags = [tag for tag in cell.metadata.get("tags", ()) if tag.lower().startswith("point")]
    number = re.fullmatch(r"points: ?(\d+)", *tags) if len(tags) == 1 else None
    if tags and number is None:
        found = " and ".join(map(repr, tags))
        raise ValueError(f"{exercise.name} has the tag {found}; expected a number, as in points:3")
    return int(number[1]) if number else exercise.points


def _solution_cell(cell: NotebookNode, exercise: Exercise) -> NotebookNode:
    """The exercise's cell without its check, and with the solution where students find a stub."""
    source = cell.source.removesuffix(check_of(exercise.name))
    text = replace_function(source, exercise.name, _with_solution(exercise)).rstrip()
    marks = {"grade": False, "solution": True, "locked": False}
    return _code_cell(cell.id, text, dict(cell.metadata), grade_id=exercise.name, **marks)


def _with_solution(exercise: Exercise) -> str:
    """The stub with the solution between nbgrader's marks; an exhibit's stub stays above them."""
    head, solution = exercise.stub.removesuffix(PLACEHOLDER), exercise.solution_source
    if head == exercise.stub:  # a faulty function to correct
        return f"{head}\n\n\n{_BEGIN}\n{solution}\n{_END}"
    return f"{head}    {_BEGIN}\n{solution.removeprefix(head)}\n    {_END}"


_BEGIN: Final = "### BEGIN SOLUTION"
_END: Final = "### END SOLUTION"


def _check_cell(cell: NotebookNode, exercise: Exercise, partial: bool) -> NotebookNode:
    """The check, which nbgrader counts as passed if its cell raises nothing, or gives a number."""
    name, points = exercise.name, _points(cell, exercise)
    is_ours = is_of_the_course(exercise.model_answer)
    last = f"assignments.share_of(result, {points})" if partial and points > 1 else _ALL_OR_NOTHING
    text = _CHECK.format(imports=_IMPORT if is_ours else _IMPORT_OWN, name=name, last=last)
    marks = {"grade": True, "solution": False, "locked": True, "points": points}
    return _code_cell(f"check-{name}"[:64], text, {}, grade_id=f"check-{name}", **marks)


_IMPORT: Final = "from mctslab.course import assignments, exercises\n"
_IMPORT_OWN: Final = f"""\
from mctslab.course import assignments, exercises_in

exercises = exercises_in("{FOLDER}")"""
# It imports what it needs, so that it does not depend on cells that a student can change. An
# experiment may import the package's function, which must not count if the student's cell fails.
_CHECK: Final = """\
{imports}
assert not {name}.__module__.startswith("mctslab."), "This is the package's function, not yours."
result = exercises.{name}.check({name})
display(result)
assert not assignments.calls_model_answer(exercises.{name}, {name}), "It calls the model answer."
{last}"""
_ALL_OR_NOTHING: Final = 'assert result.outcome == "right", result.message'


def share_of(result: Result, points: int) -> int:
    """The points for an answer: the share of the inputs that are right, rounded down.

    Only a right answer earns all of them.
    """
    if result.outcome == Outcome.RIGHT:
        return points
    return min(points * result.num_right // max(result.num_inputs, 1), points - 1)


def calls_model_answer(exercise: Exercise, answer: Function) -> bool:
    """Whether an answer calls the model answer of its exercise.

    It is run once more on the inputs of the exercise, and every call in it is looked at, so
    it does not matter how it came by the function: `exercises`, `course.mine`, a lambda.
    """
    # Equal and not identical: a teacher's file is run every time that it is read.
    model, num_calls = exercise.model_answer.__code__, 0

    def note(frame: FrameType, event: str, _: object) -> None:
        nonlocal num_calls
        num_calls += event == "call" and frame.f_code == model

    @functools.wraps(answer)
    def watched(*given: Any, **named: Any) -> Any:
        nonlocal num_calls
        sys.setprofile(note)
        try:
            value = answer(*given, **named)
        finally:
            sys.setprofile(None)
        num_calls += isinstance(value, GeneratorType) and value.gi_code == model
        return value

    for case in exercise.cases():
        if try_case(case, watched, exercise.seconds).called.too_slow:
            break
    return num_calls > 0


def _code_cell(name: str, source: str, metadata: dict[str, Any], **marks: Any) -> NotebookNode:
    metadata["nbgrader"] = {"schema_version": 3, "task": False, **marks}
    cell: NotebookNode = new_code_cell(source, id=name, metadata=metadata)
    return cell


_CONFIG: Final = r'''
"""Settings of nbgrader; `nbgrader generate_config` writes a file that lists all of them."""

c = get_config()
c.CourseDirectory.course_id = "mctslab"
c.Exchange.root = "/usr/local/share/nbgrader/exchange"  # shared with the students
c.ClearSolutions.code_stub = {"python": "# your answer goes here"}
c.Execute.timeout = 60  # seconds for one cell
c.LimitOutput.max_lines = 100
# What Moodle and Canvas call the files that `nbgrader zip_collect` finds in their archives. The
# number is the student's: Moodle's participant, Canvas's ID.
c.FileNameCollectorPlugin.named_regexp = (
    r".*[/\\][^/\\]*?_(?P<student_id>\d+)_(?:assignsubmission_file_?[/\\]?|\d+_)"
    r"(?P<file_id>\d\d_[a-z0-9_]+)[^/\\]*\.ipynb$"
)
'''.lstrip()
