"""Assignments for nbgrader, which hands notebooks out, collects and grades them.

We write what nbgrader calls the source. It contains the solutions, which nbgrader takes out for the
students, and each check in a cell of its own, which nbgrader locks and which earns the points. The
metadata of a cell say what kind of cell it is
(https://nbgrader.readthedocs.io/en/stable/contributor_guide/metadata.html).
"""

import ast
import functools
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType, GeneratorType
from typing import Any, Final

from nbformat import NotebookNode, from_dict
from nbformat.v4 import new_code_cell

from mctslab.course.build import without_outputs, write
from mctslab.course.checking.cases import Function
from mctslab.course.checking.judging import PLACEHOLDER
from mctslab.course.exercise import Exercise
from mctslab.course.exercises import all_exercises
from mctslab.course.notebooks import exercise_cells, replace_function
from mctslab.course.outline import exercise_of


def build_assignments(course: Path, notebooks: Sequence[Path]) -> list[Path]:
    """Write an assignment for each notebook with exercises into nbgrader's folder of a course.

    The notebook and the stored results that it reads are copied to `source/NAME/`. Files of the
    same name are replaced, except `nbgrader_config.py`, which a teacher may have changed. Returns
    the files that were written.
    """
    written = []
    for path in notebooks:
        notebook = without_outputs(path)
        if any(exercise_cells(notebook)):
            written += write(assignment(notebook), path, course / "source" / path.stem / path.name)
    config = course / "nbgrader_config.py"
    if not config.exists():
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text(_CONFIG, "utf-8", newline="\n")
        written.append(config)
    return written


def assignment(notebook: NotebookNode) -> NotebookNode:
    """A copy of a notebook in which each exercise is a cell to fill in and a cell that grades it.

    An exercise earns a point for each full circle of the mark above it: two for `●●○`. Without a
    mark of its own it earns one.
    """
    exercises, cells, points = all_exercises(), [], 1
    for cell in notebook.cells:
        if mark := _DIFFICULTY.search(cell.source):
            points = len(mark[1])
        if name := exercise_of(cell):
            cells += [_solution_cell(cell, exercises[name]), _check_cell(exercises[name], points)]
            points = 1
        else:
            cells.append(cell)
    made: NotebookNode = from_dict({**notebook, "cells": cells})
    return made


_DIFFICULTY: Final = re.compile(r"^\*\*Exercise\*\* (●+)", re.MULTILINE)


def _solution_cell(cell: NotebookNode, exercise: Exercise) -> NotebookNode:
    """The exercise's cell without its check, and with the solution where students find a stub."""
    source = _without_check(cell.source, f"exercises.{exercise.name}.check({exercise.name})")
    text = replace_function(source, exercise.name, _with_solution(exercise)).rstrip()
    marks = {"grade": False, "solution": True, "locked": False}
    return _code_cell(cell.id, text, dict(cell.metadata), grade_id=exercise.name, **marks)


def _without_check(source: str, check: str) -> str:
    """The source of a cell without the lines of its check, whatever comment is beside it."""
    lines = source.splitlines()
    for statement in ast.parse(source).body:
        if ast.unparse(statement) == check:
            lines[statement.lineno - 1 : statement.end_lineno] = []
    return "\n".join(lines)


def _with_solution(exercise: Exercise) -> str:
    """The stub with the solution between nbgrader's marks; an exhibit's stub stays above them."""
    head, solution = exercise.stub.removesuffix(PLACEHOLDER), exercise.solution_source
    if head == exercise.stub:  # a faulty function to correct
        return f"{head}\n\n\n{_BEGIN}\n{solution}\n{_END}"
    return f"{head}    {_BEGIN}\n{solution.removeprefix(head)}\n    {_END}"


_BEGIN: Final = "### BEGIN SOLUTION"
_END: Final = "### END SOLUTION"


def _check_cell(exercise: Exercise, points: int) -> NotebookNode:
    """The check, which nbgrader counts as passed if its cell raises nothing."""
    name = exercise.name
    text = _CHECK.format(name=name)
    marks = {"grade": True, "solution": False, "locked": True, "points": points}
    return _code_cell(f"check-{name}"[:64], text, {}, grade_id=f"check-{name}", **marks)


# It imports what it needs, so that it does not depend on cells that a student can change. An
# experiment may import the package's function, which must not count if the student's cell fails.
_CHECK: Final = """\
from mctslab.course import assignments, exercises

assert not {name}.__module__.startswith("mctslab."), "This is the package's function, not yours."
result = exercises.{name}.check({name})
display(result)
assert result.outcome == "right", result.message
assert not assignments.calls_model_answer(exercises.{name}, {name}), "It calls the model answer."\
"""


def calls_model_answer(exercise: Exercise, answer: Function) -> bool:
    """Whether a right answer calls the package's answer to the same exercise.

    The answer is run once more on the inputs of the exercise, and every call in it is looked at, so
    it does not matter how it came by the function: `exercises`, `course.mine`, a lambda.
    """
    model, num_calls = exercise.model_answer.__code__, 0

    def note(frame: FrameType, event: str, _: object) -> None:
        nonlocal num_calls
        num_calls += event == "call" and frame.f_code is model

    @functools.wraps(answer)
    def watched(*given: Any, **named: Any) -> Any:
        nonlocal num_calls
        sys.setprofile(note)
        try:
            value = answer(*given, **named)
        finally:
            sys.setprofile(None)
        num_calls += isinstance(value, GeneratorType) and value.gi_code is model
        return value

    for case in exercise.cases():
        case.run(watched, *case.arguments())
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
