"""A course of two notebooks, for tests that build it, walk through it or grade it."""

from pathlib import Path

import nbformat

from mctslab.course import exercises

KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}


def code(name, source, *tags):
    return nbformat.v4.new_code_cell(source, id=name, metadata={"tags": list(tags)} if tags else {})


def text(name, source):
    return nbformat.v4.new_markdown_cell(source, id=name)


def exercise_cell(name, source=None):
    source = getattr(exercises, name).stub if source is None else source
    check = f"exercises.{name}.check({name})"
    return code(f"exercise-{name}", f"{source}\n\n\n{check}", f"exercise:{name}")


def notebook(*cells, **metadata):
    return nbformat.v4.new_notebook(cells=list(cells), metadata=KERNEL | metadata)


def start():
    return notebook(text("title", "# 00 · Start here\n\nWelcome."), code("panel", "print('play')"))


def selection():
    return notebook(
        text("title", "# 03 · Selection\n\nWhich way?"),
        code("imports", "import math\nfrom mctslab.course import exercises\nslow = 10"),
        text("task", "Much is said here.\n\n### Exercise 1: the score\n\nWrite it."),
        exercise_cell("ucb1"),
        code("experiment", "from mctslab.search import select, ucb1\nraise RuntimeError('slow')"),
        text("second", "**Exercise** ●●○ · 9 minutes\n\nAnd now down the tree."),
        exercise_cell("select"),
    )


def write(folder, **notebooks):
    """Write notebooks under their names; returns the folder."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in notebooks.items():
        nbformat.write(content, folder / f"{name}.ipynb")
    return folder
