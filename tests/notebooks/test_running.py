"""Every notebook runs from top to bottom: exercises open in this process, solved in a kernel."""

import re
from pathlib import Path

import nbformat
import pytest

from mctslab.course.notebooks import exercise_cells, with_solutions, with_stubs
from mctslab.course.result import Outcome
from tests.notebooks.reading import NOTEBOOKS, read
from tests.notebooks.running import run_here, run_in_kernel

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def exercises_of(path: Path) -> list[str]:
    """The names of the exercises of a notebook, in order."""
    return [cell.name for cell in exercise_cells(read(path))]


def outcomes(text: str) -> dict[str, str]:
    """What the checks of a notebook said, by exercise."""
    signs = "|".join(map(re.escape, Outcome))
    return dict(re.findall(rf"^[○✗✓] (\w+): ({signs})\.", text, re.MULTILINE))


def test_an_exercise_is_as_its_definition_has_it_and_its_cell_checks_it():
    for notebook in map(read, NOTEBOOKS):
        assert notebook == with_stubs(notebook)
        for name, _, cell in exercise_cells(notebook):
            assert cell.source.endswith(f"\n\n\nexercises.{name}.check({name})")


@every_notebook
def test_exercises_left_open_are_told_so_and_break_nothing(path, executed):
    assert outcomes(executed(path).text) == dict.fromkeys(exercises_of(path), "not attempted")


def without_torch(notebook):
    """The notebook where PyTorch is not installed, as far as it can tell."""
    begin = "import sys\nsys.modules['torch'] = None"
    end = "assert 'mctslab.net' not in sys.modules"
    notebook.cells.insert(0, nbformat.v4.new_code_cell(begin))
    notebook.cells.append(nbformat.v4.new_code_cell(end))
    return notebook


@every_notebook
def test_in_a_fresh_kernel_exercises_that_are_solved_are_right(path):
    """Before the nets also where PyTorch is not installed."""
    notebook = with_solutions(read(path))
    if int(path.stem[:2]) < 12:
        notebook = without_torch(notebook)
    said = outcomes(run_in_kernel(notebook))

    assert said == dict.fromkeys(exercises_of(path), "right")


def notebook(*sources):
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in sources])


@pytest.mark.parametrize("source", ["1 / 0", "def half(:"])
def test_a_cell_that_fails_is_found(source):
    with pytest.raises(AssertionError, match=r"cell .*Error"):
        run_here(notebook("x = 1", source))


def test_what_a_notebook_leaves_and_shows_is_kept():
    executed = run_here(notebook("x = 20", "print(x + 1)\nx + 2"))

    assert executed.names["x"] == 20
    assert "21" in executed.text
    assert "22" in executed.text
