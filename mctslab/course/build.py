"""Three versions of the notebooks from one source: for students, with solutions, to hand in."""

import ast
import re
import shutil
import textwrap
from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path
from typing import Final

import nbformat

from mctslab.course.exercise import Exercise
from mctslab.course.exercises import all_exercises
from mctslab.course.notebooks import (
    Cell,
    Notebook,
    exercise_cells,
    read,
    with_solutions,
    with_stubs,
)
from mctslab.course.outline import HAND_IN, imports, paths, place_of, results_of, title_of


def build(out: Path, source: Path | None = None) -> list[Path]:
    """Write the notebooks of `source` in all versions, each into a folder of its own below `out`.

    Stored results that a notebook reads are copied too, except in the version to hand in. Files of
    the same name are replaced; others are left alone.

    Returns:
        The files that were written.
    """
    written = []
    for path in paths(source):
        notebook = _without_outputs(read(path))
        for version, make in VERSIONS.items():
            made = make(notebook, path.stem)
            if made is not None:
                target = out / version / place_of(path)
                nbformat.validate(made)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(nbformat.writes(made) + "\n", "utf-8", newline="\n")
                written.append(target)
        for version, results in product(("student", "solutions"), results_of(path)):
            folder = (out / version / place_of(path)).parent
            target = folder / results.relative_to(path.parent)
            if target in written:  # two notebooks can read the same results
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(results, target)
            written.append(target)
    return written


def hand_in(notebook: Notebook, name: str) -> Notebook | None:
    """The exercises of a notebook, each with its task, to fill in and hand in; None without any."""
    exercises = list(exercise_cells(with_stubs(notebook)))
    if not exercises:
        return None
    cells = [
        _markdown(
            "hand-in", _HEADING.format(title=title_of(notebook.cells), number=name[:2], name=name)
        ),
        nbformat.v4.new_code_cell("\n".join(_imports(notebook)), id="hand-in-imports"),
    ]
    for exercise, number, cell in exercises:
        cells.append(_markdown(f"task-{number}", _task(notebook, number, exercise)))
        cells.append(cell)
    made = nbformat.v4.new_notebook(cells=cells, metadata=dict(notebook.metadata))
    made.metadata[HAND_IN] = name
    return made


VERSIONS: Final[Mapping[str, Callable[[Notebook, str], Notebook | None]]] = {
    "student": lambda notebook, name: with_stubs(notebook),
    "solutions": lambda notebook, name: _for_teachers(notebook),
    "hand_in": hand_in,
}

_HEADING: Final = """# {number} · {title}: to hand in

**Name:**

The exercises of the notebook *{name}*, which explains what they are about.

Run the next cell first. Then write each function where the three dots are, and run its cell: the \
check below it tells you whether the function is right. You may add cells. Leave the names of the \
functions as they are, and do not remove a cell."""


def _for_teachers(notebook: Notebook) -> Notebook:
    """Every exercise solved, and below each the mistakes that its check names."""
    made, exercises = with_solutions(notebook), all_exercises()
    for name, number, cell in reversed(list(exercise_cells(made))):
        below = _markdown(f"mistakes-{cell.id}"[:64], _mistakes(exercises[name]))
        made.cells.insert(number + 1, below)
    return made


def _mistakes(exercise: Exercise) -> str:
    """The mistakes as a list, each with its explanation and its changes of the solution."""
    lines = ["The check recognises these mistakes:", ""]
    for mistake in exercise.mistakes:
        lines.append(f"- *{mistake.name}*. {mistake.explanation}")
        if mistake.edits:
            changes = [f"- {line}" for edit in mistake.edits for line in edit.old.splitlines()]
            changes += [f"+ {line}" for edit in mistake.edits for line in edit.new.splitlines()]
            lines.append(textwrap.indent("\n".join(["", "```diff", *changes, "```", ""]), "  "))
    return "\n".join(lines)


def _task(notebook: Notebook, number: int, exercise: str) -> str:
    """The text before the cell, from the last heading on."""
    before = notebook.cells[number - 1] if number else None
    text = before.source if before is not None and before.cell_type == "markdown" else ""
    if headings := list(re.finditer("^#", text, re.MULTILINE)):
        return text[headings[-1].start() :]
    return f"### {all_exercises()[exercise].title}\n\n{text}".strip()


def _imports(notebook: Notebook) -> list[str]:
    """The imports of all cells, without those that would define what the student has to write."""
    own = {name for name, _, _ in exercise_cells(notebook)}
    found: dict[str, None] = {}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            found |= dict.fromkeys(ast.unparse(each) for each in imports(cell.source, own))
    return list(found)


def _without_outputs(notebook: Notebook) -> Notebook:
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return notebook


def _markdown(name: str, source: str) -> Cell:
    return nbformat.v4.new_markdown_cell(source, id=name)
