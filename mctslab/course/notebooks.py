"""The notebooks of the course as files: what is in them, and their exercises filled in.

The cell of an exercise carries the tag `exercise:NAME`. The function NAME is defined in it, and
whatever else stands there stays as it is when the function is replaced.
"""

import ast
import copy
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import nbformat

from mctslab.course import exercises
from mctslab.course.exercise import Exercise

Notebook: TypeAlias = Any
"""A notebook as nbformat reads it."""

Cell: TypeAlias = Any

TAG: Final = "exercise:"

PROJECT_FOLDER: Final = Path(__file__).resolve().parents[2] / "notebooks"

_FILE_NAME: Final = "[0-9][0-9]_*.ipynb"


def paths(folder: Path | None = None) -> list[Path]:
    """The notebooks of the course in their order: those of a folder or, without one, those beside
    the notebook that is open, or those of the project."""
    if folder is None:
        folder = Path.cwd() if any(Path.cwd().glob(_FILE_NAME)) else PROJECT_FOLDER
    return sorted(folder.glob(_FILE_NAME))


def read(path: Path) -> Notebook:
    """The notebook in a file.

    Raises:
        ValueError: it is none, and why.
    """
    try:
        return nbformat.read(path, as_version=4)
    except Exception as error:  # nbformat raises a dozen kinds, for one reason
        raise ValueError(f"{path.name} is no notebook: {type(error).__name__}") from error


def all_exercises() -> dict[str, Exercise]:
    """Every exercise by its name, in the order of the notebooks."""
    found = [getattr(exercises, name) for name in exercises.__all__]
    return {each.name: each for each in sorted(found, key=lambda each: each.notebook)}


class ExerciseCell(NamedTuple):
    """A cell that carries the tag of an exercise."""

    name: str
    number: int
    """Which of the notebook's cells it is, from 0."""
    cell: Cell


def exercise_cells(notebook: Notebook) -> Iterator[ExerciseCell]:
    """The cells of the exercises, from top to bottom."""
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type == "code" and (name := exercise_of(cell)):
            yield ExerciseCell(name, number, cell)


def exercise_of(cell: Cell) -> str | None:
    """The name in the cell's tag."""
    tags = cell.metadata.get("tags", ())
    names = [tag.removeprefix(TAG) for tag in tags if isinstance(tag, str) and tag.startswith(TAG)]
    return names[0] if names else None


def title(notebook: Notebook) -> str:
    """What stands in the first heading, without the number."""
    for cell in notebook.cells:
        if match := re.search(r"^# (?:\d\d\W+)?(.+)$", cell.source, re.MULTILINE):
            return match[1].strip()
    return "Untitled"


def with_stubs(notebook: Notebook) -> Notebook:
    """A copy in which every exercise is as the student finds it."""
    return _filled(notebook, lambda exercise: exercise.stub)


def with_solutions(notebook: Notebook) -> Notebook:
    """A copy in which every exercise is solved."""
    return _filled(notebook, lambda exercise: exercise.solution_source)


def _filled(notebook: Notebook, source: Callable[[Exercise], str]) -> Notebook:
    notebook = copy.deepcopy(notebook)
    known = all_exercises()
    for name, _, cell in exercise_cells(notebook):
        if name not in known:
            raise ValueError(f"Cell {cell.get('id')} is tagged {TAG}{name}: no such exercise.")
        cell.source = replace_function(cell.source, name, source(known[name]))
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
            # A comment on the last line belongs to it; the syntax tree does not know of it.
            return "\n".join([*lines[: statement.lineno - 1], function, *lines[end:]])
    raise ValueError(f"The cell of exercise {name} defines no function of that name:\n{source}")
