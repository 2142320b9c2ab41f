"""The exercises in the notebooks: left open they are told so, solved they are right."""

import re
from pathlib import Path

import pytest

from mctslab.course.notebooks import exercise_cells, with_solutions, with_stubs
from mctslab.course.result import Outcome
from tests.notebooks.reading import NOTEBOOKS, read
from tests.notebooks.running import run_here


def asked(path: Path) -> list[str]:
    """The names of the exercises of a notebook, in order."""
    return [cell.name for cell in exercise_cells(read(path))]


def outcomes(text: str) -> dict[str, str]:
    """What the checks of a notebook said, by exercise."""
    signs = "|".join(map(re.escape, Outcome))
    return dict(re.findall(rf"^[○✗✓] (\w+): ({signs})\.", text, re.MULTILINE))


every_notebook_with_exercises = pytest.mark.parametrize(
    "path", [path for path in NOTEBOOKS if asked(path)], ids=lambda path: path.stem
)


@every_notebook_with_exercises
def test_an_exercise_is_as_its_definition_has_it_and_its_cell_checks_it(path):
    notebook = read(path)

    assert notebook == with_stubs(notebook)
    for name, _, cell in exercise_cells(notebook):
        assert cell.source.endswith(f"\n\n\nexercises.{name}.check({name})")


@every_notebook_with_exercises
def test_exercises_left_open_are_told_so_and_break_nothing(path, executed):
    assert outcomes(executed(path).text) == dict.fromkeys(asked(path), "not attempted")


@every_notebook_with_exercises
def test_exercises_that_are_solved_are_right(path):
    said = outcomes(run_here(with_solutions(read(path))).text)

    assert said == dict.fromkeys(asked(path), "right")
