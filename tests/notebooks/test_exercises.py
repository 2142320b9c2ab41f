"""Every notebook runs with its exercises unsolved and solved, and each check says which it is."""

import re
from collections import Counter

import pytest

from mctslab.course.notebooks import (
    all_exercises,
    exercise_cells,
    exercise_of,
    with_solutions,
    with_stubs,
)
from mctslab.course.result import Outcome
from tests.notebooks.reading import NOTEBOOKS, read
from tests.notebooks.running import run_here

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)

with_exercises = pytest.mark.parametrize(
    "path",
    [path for path in NOTEBOOKS if any(exercise_cells(read(path)))],
    ids=lambda path: path.stem,
)

SAID = re.compile(rf"[○✗✓] (\w+): ({'|'.join(Outcome)})\.")


def said(executed):
    """Exercise and outcome of each check; a result is shown in several forms, and counts once."""
    return list(dict.fromkeys(SAID.findall(executed.text)))


def names_in(path):
    return [cell.name for cell in exercise_cells(read(path))]


def test_every_exercise_has_one_cell_in_its_own_notebook():
    found = [(name, path.stem[:2]) for path in NOTEBOOKS for name in names_in(path)]
    numbers = {path.stem[:2] for path in NOTEBOOKS}
    expected = [
        (name, exercise.notebook)
        for name, exercise in all_exercises().items()
        if exercise.notebook in numbers
    ]

    assert Counter(found) == Counter(expected)


@every_notebook
def test_a_cell_with_a_check_carries_the_tag_of_its_exercise(path):
    for cell in read(path).cells:
        if cell.cell_type == "code":
            checked = re.findall(r"^exercises\.(\w+)\.check\((\w+)\)$", cell.source, re.MULTILINE)
            name = exercise_of(cell)
            assert checked == ([] if name is None else [(name, name)])


@with_exercises
def test_the_exercises_are_unsolved_and_as_the_package_has_them(path):
    assert with_stubs(read(path)) == read(path)


@with_exercises
def test_unsolved_each_check_says_not_attempted(path, executed):
    assert said(executed(path)) == [(name, Outcome.NOT_ATTEMPTED) for name in names_in(path)]


@with_exercises
def test_solved_each_check_says_right(path):
    solved = run_here(with_solutions(read(path)))

    assert said(solved) == [(name, Outcome.RIGHT) for name in names_in(path)]
