"""Notebooks with their exercises filled in.

The cell of an exercise defines the function to write; the rest of the cell stays unchanged when the
function is replaced.
"""

import ast
import copy
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from nbformat import NotebookNode

from mctslab.course.exercise import Exercise
from mctslab.course.exercises import all_exercises
from mctslab.course.outline import TAG, exercise_of
from mctslab.course.own_exercises import FOLDER, Exercises, exercises_in, try_out


def exercise_cells(notebook: NotebookNode) -> Iterator[tuple[str, int, NotebookNode]]:
    """The cells of the exercises, from top to bottom: name, number from 0 on, and cell."""
    for number, cell in enumerate(notebook.cells):
        if name := exercise_of(cell):
            yield name, number, cell


def exercises_of(path: Path, notebook: NotebookNode) -> dict[str, Exercise]:
    """The exercises of the notebook at `path`: those in the folder beside it, and the course's.

    Raises:
        ValueError: an exercise or a part of it is missing; the sentence says which.
    """
    folder, found = path.parent / FOLDER, {}
    own = exercises_in(folder) if folder.is_dir() else Exercises()
    for cell in notebook.cells:
        if (check := _CHECK.search(cell.source)) and not exercise_of(cell):
            raise ValueError(f"{path}: the cell of {check[1]} needs the tag {TAG}{check[1]}.")
    for name, _, cell in exercise_cells(notebook):
        try:
            found[name] = getattr(own, name)
        except AttributeError as error:
            where = f"Your own are found in the files of {folder}."
            raise ValueError(f"{path}: a cell has the tag {TAG}{name}. {error} {where}") from None
        if not cell.source.endswith(check_of(name)):
            raise ValueError(f"{path}: the cell of {name} must end with `{check_of(name)}`.")
        if name in vars(own):
            try_out(found[name])
    return found


_CHECK: Final = re.compile(r"^exercises\.(\w+)\.check\(\1\)\s*\Z", re.MULTILINE)


def check_of(name: str) -> str:
    """The last line of an exercise's cell."""
    return f"exercises.{name}.check({name})"


def with_stubs(
    notebook: NotebookNode, exercises: Mapping[str, Exercise] | None = None
) -> NotebookNode:
    """A copy in which every exercise is as the student finds it."""
    return _filled(notebook, exercises, lambda exercise: exercise.stub)


def with_solutions(
    notebook: NotebookNode, exercises: Mapping[str, Exercise] | None = None
) -> NotebookNode:
    """A copy in which every exercise is solved."""
    return _filled(notebook, exercises, lambda exercise: exercise.solution_source)


def _filled(
    notebook: NotebookNode,
    exercises: Mapping[str, Exercise] | None,
    source: Callable[[Exercise], str],
) -> NotebookNode:
    notebook = copy.deepcopy(notebook)
    known = all_exercises() if exercises is None else exercises
    for name, _, cell in exercise_cells(notebook):
        cell.source = replace_function(cell.source, name, source(known[name]))
    return notebook


def replace_function(source: str, name: str, function: str) -> str:
    """The source of a cell with another definition of the function `name`.

    Raises:
        ValueError: the cell does not define it, or is no Python.
    """
    try:
        lines, statements = source.splitlines(), ast.parse(source).body
    except SyntaxError as error:
        raise ValueError(f"the cell of the exercise {name} is no Python: {error}") from None
    functions = (each for each in statements if isinstance(each, ast.FunctionDef))
    old = next((each for each in functions if each.name == name), None)
    if old is None:
        raise ValueError(f"the cell of the exercise {name} must define the function {name}")
    # A comment on the last line belongs to it but is not in the syntax tree.
    return "\n".join([*lines[: old.lineno - 1], function, *lines[old.end_lineno :]])
