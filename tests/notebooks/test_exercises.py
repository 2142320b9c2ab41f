"""The exercises in the notebooks: left open they are told so, solved they are right."""

import re
from pathlib import Path
from typing import Any

import pytest

from mctslab.course import exercises
from mctslab.course.result import Outcome
from tests.notebooks.reading import NOTEBOOKS, read
from tests.notebooks.running import run_here

CHECK = re.compile(r"^exercises\.(\w+)\.check\(\1\)$", re.MULTILINE)


def asked(path: Path) -> list[str]:
    """The names of the exercises of a notebook, in order."""
    return [name for cell in read(path).cells for name in CHECK.findall(cell.source)]


WITH_EXERCISES = [path for path in NOTEBOOKS if asked(path)]

every_notebook_with_exercises = pytest.mark.parametrize(
    "path", WITH_EXERCISES, ids=lambda path: path.stem
)


def solved(path: Path) -> Any:
    """The notebook with a right answer in the place of every open one."""
    notebook = read(path)
    for cell in notebook.cells:
        if cell.cell_type == "code" and (names := CHECK.findall(cell.source)):
            cell.source = cell_with(getattr(exercises, names[0]).solution_source, names[0])
    return notebook


def cell_with(function: str, name: str) -> str:
    return f"{function}\n\n\nexercises.{name}.check({name})"


def outcomes(text: str) -> dict[str, str]:
    """What the checks of a notebook said, by exercise."""
    signs = "|".join(map(re.escape, Outcome))
    return dict(re.findall(rf"^[○✗✓] (\w+): ({signs})\.", text, re.MULTILINE))


@every_notebook_with_exercises
def test_the_cell_of_an_exercise_is_the_stub_and_its_check(path):
    sources = [cell.source for cell in read(path).cells if cell.cell_type == "code"]

    for name in asked(path):
        assert cell_with(getattr(exercises, name).stub, name) in sources


@every_notebook_with_exercises
def test_exercises_left_open_are_told_so_and_break_nothing(path, executed):
    assert outcomes(executed(path).text) == dict.fromkeys(asked(path), "not attempted")


@every_notebook_with_exercises
def test_exercises_that_are_solved_are_right(path):
    assert outcomes(run_here(solved(path)).text) == dict.fromkeys(asked(path), "right")


@every_notebook_with_exercises
def test_the_exercises_of_a_notebook_know_that_they_are_its(path):
    assert [getattr(exercises, name).notebook for name in asked(path)] == [path.stem[:2]] * len(
        asked(path)
    )
