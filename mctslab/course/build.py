"""The notebooks for students and, from the same source, with solutions for teachers."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from mctslab.course.exercises import all_exercises
from mctslab.course.notebooks import exercise_cells, with_solutions, with_stubs
from mctslab.course.outline import PROJECT_FOLDER, paths, place_of, results_of
from mctslab.course.prose import section_of


def chosen(names: Sequence[str]) -> list[Path]:
    """The notebooks of the project with these names, such as `04_expansion`; without any, all.

    Raises:
        ValueError: there is none of that name.
    """
    found = {path.stem: path for path in paths(PROJECT_FOLDER)}
    if unknown := [name for name in names if name not in found]:
        raise ValueError(f"there is no notebook {unknown[0]!r}, only {', '.join(found)}")
    return [found[name] for name in names or found]


def build(out: Path, notebooks: Sequence[Path]) -> list[Path]:
    """Write notebooks in both versions, each into a folder of its own below `out`.

    Stored results that a notebook reads are copied too. Files of the same name are replaced; others
    are left alone. Returns the files that were written.
    """
    written = []
    for path in notebooks:
        notebook = without_outputs(path)
        for version, made in (
            ("student", with_stubs(notebook)),
            ("solutions", _for_teachers(notebook)),
        ):
            written += write(made, path, out / version / place_of(path))
    return list(dict.fromkeys(written))  # two notebooks can read the same results


def without_outputs(path: Path) -> NotebookNode:
    """The notebook of a file, without what its cells have shown."""
    notebook: NotebookNode = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return notebook


def write(notebook: NotebookNode, path: Path, target: Path) -> list[Path]:
    """Write what was made of the notebook `path`, and next to it the results that it reads."""
    nbformat.validate(notebook)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(nbformat.writes(notebook) + "\n", "utf-8", newline="\n")
    written = [target]
    for results in results_of(path):
        copy = target.parent / results.relative_to(path.parent)
        copy.parent.mkdir(exist_ok=True)
        written.append(shutil.copyfile(results, copy))
    return written


def _for_teachers(notebook: NotebookNode) -> NotebookNode:
    """Every exercise solved, and below each the mistakes that its check names."""
    made, exercises = with_solutions(notebook), all_exercises()
    for name, number, cell in reversed(list(exercise_cells(made))):
        _, words = section_of(exercises[name].model_answer)
        mistakes = re.sub(r"(?m)^### (.*)$", r"**\1**", words[words.index("### ") :])
        text = f"The check recognises these mistakes:\n\n{mistakes}"
        below = nbformat.v4.new_markdown_cell(text, id=f"mistakes-{cell.id}"[:64])
        made.cells.insert(number + 1, below)
    return made
