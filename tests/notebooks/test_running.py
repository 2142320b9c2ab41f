"""Every notebook runs from top to bottom, with its exercises left open."""

import nbformat
import pytest

from tests.notebooks.reading import NOTEBOOKS, read
from tests.notebooks.running import run_here, run_in_kernel


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(path, executed):
    executed(path)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_in_a_fresh_kernel(path):
    run_in_kernel(read(path))


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
