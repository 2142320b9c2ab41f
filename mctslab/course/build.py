"""The notebooks for students and, from the same source, with solutions for teachers."""

import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import nbformat

from mctslab.course.exercises import all_exercises
from mctslab.course.notebooks import Notebook, exercise_cells, read, with_solutions, with_stubs
from mctslab.course.outline import paths, place_of, results_of
from mctslab.course.prose import section_of


def build(out: Path, source: Path | None = None, only: Sequence[str] = ()) -> list[Path]:
    """Write the notebooks of `source` in both versions, each into a folder of its own below `out`.

    Stored results that a notebook reads are copied too. Files of the same name are replaced; others
    are left alone.

    Args:
        out: the folder to write into.
        source: the folder of the notebooks; without it, those of the project.
        only: the names of the notebooks; without any, all of them.

    Returns:
        The files that were written.

    Raises:
        ValueError: there is no such notebook.
    """
    written = []
    for path in chosen(source, only):
        notebook = without_outputs(read(path))
        for version, make in VERSIONS.items():
            target = out / version / place_of(path)
            written.append(write_notebook(make(notebook), target))
            written += copy_results(path, target.parent)
    return list(dict.fromkeys(written))  # two notebooks can read the same results


def chosen(source: Path | None, only: Sequence[str]) -> list[Path]:
    """The notebooks of a folder with the names `only`, such as `04_expansion`; without any, all.

    Raises:
        ValueError: there is none of that name.
    """
    found = paths(source)
    names = [path.stem for path in found]
    if unknown := [name for name in only if name not in names]:
        raise ValueError(f"there is no notebook {unknown[0]!r}, only {', '.join(names)}")
    return [path for path in found if not only or path.stem in only]


def without_outputs(notebook: Notebook) -> Notebook:
    """The notebook, which is changed, without what its cells have shown."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return notebook


def write_notebook(notebook: Notebook, target: Path) -> Path:
    """Write a notebook into a file, whose folder is created; returns the file."""
    nbformat.validate(notebook)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(nbformat.writes(notebook) + "\n", "utf-8", newline="\n")
    return target


def copy_results(path: Path, folder: Path) -> list[Path]:
    """Copy the stored results that a notebook reads into a folder; returns the copies."""
    copies = []
    for results in results_of(path):
        copy = folder / results.relative_to(path.parent)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copies.append(shutil.copyfile(results, copy))
    return copies


def _for_teachers(notebook: Notebook) -> Notebook:
    """Every exercise solved, and below each the mistakes that its check names."""
    made, exercises = with_solutions(notebook), all_exercises()
    for name, number, cell in reversed(list(exercise_cells(made))):
        _, words = section_of(exercises[name].model_answer)
        mistakes = re.sub(r"(?m)^### (.*)$", r"**\1**", words[words.index("### ") :])
        text = f"The check recognises these mistakes:\n\n{mistakes}"
        below = nbformat.v4.new_markdown_cell(text, id=f"mistakes-{cell.id}"[:64])
        made.cells.insert(number + 1, below)
    return made


VERSIONS: Final[Mapping[str, Callable[[Notebook], Notebook]]] = {
    "student": with_stubs,
    "solutions": _for_teachers,
}
