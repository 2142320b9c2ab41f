"""Notebooks with their exercises filled in.

The cell of an exercise defines the function to write; the rest of the cell stays unchanged when the
function is replaced.
"""

import ast
import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import nbformat

from mctslab.course.exercise import Exercise
from mctslab.course.exercises import all_exercises
from mctslab.course.outline import TAG, exercise_of

Notebook: TypeAlias = Any
"""A notebook as nbformat reads it."""

Cell: TypeAlias = Any


def read(path: Path) -> Notebook:
    """The notebook in a file.

    Raises:
        ValueError: the file is not a notebook; the sentence says why.
    """
    try:
        return nbformat.read(path, as_version=4)
    except Exception as error:  # nbformat raises a dozen kinds of errors for this
        raise ValueError(f"{path.name} is not a notebook: {type(error).__name__}") from error


class ExerciseCell(NamedTuple):
    """A cell with the tag of an exercise."""

    name: str
    number: int
    """Which of the notebook's cells it is, from 0."""
    cell: Cell


def exercise_cells(notebook: Notebook) -> Iterator[ExerciseCell]:
    """The cells of the exercises, from top to bottom."""
    for number, cell in enumerate(notebook.cells):
        if name := exercise_of(cell):
            yield ExerciseCell(name, number, cell)


def with_stubs(notebook: Notebook) -> Notebook:
    """A copy in which every exercise is as the student finds it."""
    return _filled(notebook, lambda exercise: exercise.stub)


def with_solutions(notebook: Notebook) -> Notebook:
    """A copy in which every exercise is solved."""
    return _filled(notebook, lambda exercise: exercise.solution_source)


def _filled(notebook: Notebook, source: Callable[[Exercise], str]) -> Notebook:
    notebook = copy.deepcopy(notebook)
    exercises = all_exercises()
    for name, _, cell in exercise_cells(notebook):
        if name not in exercises:
            raise ValueError(f"Cell {cell.get('id')} is tagged {TAG}{name}: no such exercise.")
        cell.source = replace_function(cell.source, name, source(exercises[name]))
    return notebook


def replace_function(source: str, name: str, function: str) -> str:
    """The source of a cell with another definition of the function `name`.

    Raises:
        ValueError: the cell does not define it.
    """
    lines = source.splitlines()
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.FunctionDef) and statement.name == name:
            end = statement.end_lineno or statement.lineno
            # A comment on the last line belongs to it but is not in the syntax tree.
            return "\n".join([*lines[: statement.lineno - 1], function, *lines[end:]])
    raise ValueError(f"The cell of exercise {name} defines no function of that name:\n{source}")
