"""The notebooks for students and, from the same source, with solutions for teachers."""

import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from mctslab.course.checking.judging import is_of_the_course
from mctslab.course.exercise import Exercise
from mctslab.course.notebooks import exercise_cells, exercises_of, with_solutions, with_stubs
from mctslab.course.outline import PROJECT_FOLDER, paths, place_of, results_of


def chosen(names: Sequence[str], folder: Path = PROJECT_FOLDER) -> list[Path]:
    """The notebooks of a folder with these names, such as `04_expansion`; without any, all.

    Raises:
        ValueError: there is none, or none of that name.
    """
    found = {path.stem: path for path in paths(folder)}
    if not found:
        raise ValueError(
            f"there is no notebook in {folder} whose name begins as in 17_my_topic.ipynb"
        )
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
        exercises = exercises_of(path, notebook)
        for version, made in (
            ("student", with_stubs(notebook, exercises)),
            ("solutions", _for_teachers(notebook, exercises)),
        ):
            written += write(made, path, out / version / place_of(path), exercises)
    return list(dict.fromkeys(written))  # two notebooks can read the same results


def without_outputs(path: Path) -> NotebookNode:
    """The notebook of a file, without what its cells have shown."""
    notebook: NotebookNode = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return notebook


def write(
    notebook: NotebookNode, path: Path, target: Path, exercises: Mapping[str, Exercise]
) -> list[Path]:
    """Write what was made of the notebook `path`, and next to it what it reads: results, and the
    files of exercises that are not the course's."""
    nbformat.validate(notebook)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(nbformat.writes(notebook) + "\n", "utf-8", newline="\n")
    written = [target]
    answers = [each.model_answer for each in exercises.values()]
    files = {Path(each.__code__.co_filename) for each in answers if not is_of_the_course(each)}
    words = {file.with_suffix(".md") for file in files}
    for read in [*results_of(path), *sorted({*files, *filter(Path.exists, words)})]:
        copy = target.parent / read.parent.name / read.name
        copy.parent.mkdir(exist_ok=True)
        written.append(shutil.copyfile(read, copy))
    return written


def _for_teachers(notebook: NotebookNode, exercises: Mapping[str, Exercise]) -> NotebookNode:
    """Every exercise solved, and below each the mistakes that its check names."""
    made = with_solutions(notebook, exercises)
    for name, number, cell in reversed(list(exercise_cells(made))):
        words = exercises[name].words
        if "### " not in words:  # it recognises none
            continue
        mistakes = re.sub(r"(?m)^### (.*)$", r"**\1**", words[words.index("### ") :])
        text = f"The check recognises these mistakes:\n\n{mistakes}"
        below = nbformat.v4.new_markdown_cell(text, id=f"mistakes-{cell.id}"[:64])
        made.cells.insert(number + 1, below)
    return made
