"""Notebooks with their exercises filled in.

The cell of an exercise defines the function to write; the rest of the cell stays unchanged when the
function is replaced.
"""

import ast
import copy
from collections.abc import Callable, Iterator

from nbformat import NotebookNode

from mctslab.course.exercise import Exercise
from mctslab.course.exercises import all_exercises
from mctslab.course.outline import exercise_of


def exercise_cells(notebook: NotebookNode) -> Iterator[tuple[str, int, NotebookNode]]:
    """The cells of the exercises, from top to bottom: name, number from 0 on, and cell."""
    for number, cell in enumerate(notebook.cells):
        if name := exercise_of(cell):
            yield name, number, cell


def with_stubs(notebook: NotebookNode) -> NotebookNode:
    """A copy in which every exercise is as the student finds it."""
    return _filled(notebook, lambda exercise: exercise.stub)


def with_solutions(notebook: NotebookNode) -> NotebookNode:
    """A copy in which every exercise is solved."""
    return _filled(notebook, lambda exercise: exercise.solution_source)


def _filled(notebook: NotebookNode, source: Callable[[Exercise], str]) -> NotebookNode:
    notebook, exercises = copy.deepcopy(notebook), all_exercises()
    for name, _, cell in exercise_cells(notebook):
        cell.source = replace_function(cell.source, name, source(exercises[name]))
    return notebook


def replace_function(source: str, name: str, function: str) -> str:
    """The source of a cell with another definition of the function `name`.

    Raises:
        ValueError: the cell does not define it.
    """
    lines, statements = source.splitlines(), ast.parse(source).body
    functions = (each for each in statements if isinstance(each, ast.FunctionDef))
    old = next((each for each in functions if each.name == name), None)
    if old is None:
        raise ValueError(f"the cell must define the function {name}:\n{source}")
    # A comment on the last line belongs to it but is not in the syntax tree.
    return "\n".join([*lines[: old.lineno - 1], function, *lines[old.end_lineno :]])
