"""Every notebook runs from top to bottom; before the nets also where PyTorch is missing."""

import nbformat
import pytest

from mctslab import net
from mctslab.course.notebooks import exercise_cells, with_stubs
from tests.notebooks.reading import NOTEBOOKS, exercises_of, outcomes, read
from tests.notebooks.running import run_here, without_torch


def test_an_exercise_is_as_its_definition_has_it_and_its_cell_checks_it():
    for notebook in map(read, NOTEBOOKS):
        assert notebook == with_stubs(notebook)
        for name, _, cell in exercise_cells(notebook):
            assert cell.source.endswith(f"\n\n\nexercises.{name}.check({name})")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom_with_every_exercise_solved(path, executed):
    """The site's pages are made of the same notebooks with every exercise open."""
    assert outcomes(executed(path).text) == dict.fromkeys(exercises_of(path), "right")


def cell_with(source):
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])


def test_a_cell_that_fails_is_found():
    with pytest.raises(AssertionError, match=r"cell .*ZeroDivisionError"):
        run_here(cell_with("1 / 0"))


def test_a_notebook_that_loads_torch_is_found_and_later_ones_may():
    loads = cell_with("from mctslab import net")
    with without_torch(), pytest.raises(AssertionError, match="needs PyTorch"):
        run_here(loads)
    assert run_here(loads).names["net"] is net
