"""A folder of submissions is graded, whatever is in it, and the points go into any gradebook."""

import csv

import pytest

from mctslab.__main__ import main
from mctslab.course import exercises
from mctslab.course.build import hand_in
from mctslab.course.grade import MISSING, Graded, grade, grade_one
from mctslab.course.notebooks import exercise_cells, replace_function, with_solutions
from mctslab.course.outline import exercise_of
from mctslab.course.result import Outcome, Result
from mctslab.course.running import Limits
from mctslab.course.submission import steps_of
from mctslab.course.table import FORMATS, as_csv, feedback, write_feedback
from tests.course.small_course import code, handed_in, notebook, selection, text, write
from tests.notebooks.reading import NOTEBOOKS, read
from tests.notebooks.test_06_backpropagation import OWN_PARTS

LIMITS = Limits(seconds=6)
"""A cell or a check of these takes milliseconds, unless it never ends; imports don't count."""

RIGHT, WRONG, OPEN = Outcome.RIGHT, Outcome.WRONG, Outcome.NOT_ATTEMPTED

UCB1 = exercises.ucb1.solution_source
SELECT = exercises.select.solution_source


def cell(name, source):
    """An exercise's cell with any source in it, and no check."""
    return code(f"exercise-{name}", source, f"exercise:{name}")


ALL_RIGHT = handed_in(cell("ucb1", UCB1), cell("select", SELECT))
SUBMISSIONS = {
    "all_right": (ALL_RIGHT, RIGHT, RIGHT, ""),
    "as_given": (hand_in(selection(), "03_selection"), OPEN, OPEN, ""),
    "one_mistake": (
        handed_in(
            cell("ucb1", UCB1.replace("math.log(parent_visit_count)", "parent_visit_count")),
            cell("select", SELECT),
        ),
        *(WRONG, RIGHT, "ucb1: the logarithm forgotten"),
    ),
    "helper_and_rename": (
        handed_in(
            code("my-own", "def bonus(n, N):\n    return math.sqrt(math.log(N) / n)"),
            cell("ucb1", "def score(q, n, N, c):\n    return q + c * bonus(n, N) if n else 1e999"),
            cell("select", SELECT.replace("def select", "def walk")),
        ),
        *(RIGHT, RIGHT, ""),
    ),
    "cells_lost": (
        handed_in(text("a", "Where is it?"), code("own", UCB1 + "\n\nucb1(1, 1, 1, 1)")),
        *(RIGHT, MISSING, ""),
    ),
    "broken_cells": (
        handed_in(
            cell("ucb1", "def ucb1(q, n:\n    return"),
            code("own", "1 / 0"),
            cell("select", SELECT + "\n\nprint(undefined)"),
        ),
        *(WRONG, RIGHT, "ucb1: the cell does not run: SyntaxError"),
    ),
    "leaves": (
        handed_in(
            code("own", "import sys\nsys.exit(3)"),
            cell("ucb1", "def ucb1(*given):\n    import os; os._exit(0)"),
            cell("select", SELECT),
        ),
        *(WRONG, RIGHT, "ucb1: it ended the process"),
    ),
    "leaves_at_once": (
        handed_in(code("own", "import os\nos._exit(0)"), *ALL_RIGHT.cells[1:]),
        *(RIGHT, RIGHT, "cell 2 ended the process"),
    ),
    "never_ends": (
        handed_in(
            cell("ucb1", UCB1), code("own", "import time\ntime.sleep(600)"), cell("select", SELECT)
        ),
        *(RIGHT, RIGHT, "cell 3 took more than 6 seconds"),
    ),
    "talks": (
        handed_in(
            code("own", "for _ in range(20_000):\n    print('=' * 100)"),
            cell("ucb1", UCB1),
            cell("select", SELECT.replace("node = root", "node = root\n    print('x' * 10_000)")),
        ),
        *(RIGHT, RIGHT, ""),
    ),
    "the_whole_notebook": (with_solutions(selection()), RIGHT, RIGHT, ""),
    "a_holiday": (notebook(text("a", "# A holiday")), MISSING, MISSING, "contains no exercise"),
}
"""Notebooks, what they deserve for the two exercises, and a remark."""


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("submissions")
    write(folder, **{name: submission for name, (submission, *_) in SUBMISSIONS.items()})
    (folder / "no_json.ipynb").write_text("PK\x03\x04")
    (folder / "no_notebook.ipynb").write_text('{"a": 1}')
    (folder / "essay.docx").write_text("not looked at")
    write(folder / "of ada", solved=ALL_RIGHT)
    write(folder / ".ipynb_checkpoints", copy=ALL_RIGHT)
    return {entry.name: entry for entry in grade(folder, LIMITS, jobs=2)}


@pytest.mark.parametrize(
    ("name", "ucb1", "select", "remark"),
    [
        *((name, *deserved) for name, (_, *deserved) in SUBMISSIONS.items()),
        ("of ada/solved", RIGHT, RIGHT, ""),
        ("no_json", MISSING, MISSING, "it is not a notebook"),
        ("no_notebook", MISSING, MISSING, "it is not a notebook"),
    ],
)
def test_a_submission_gets_what_it_is_worth(graded, name, ucb1, select, remark):
    entry = graded[f"{name}.ipynb"]

    assert len(graded) == len(SUBMISSIONS) + 3
    assert entry.outcomes == {"ucb1": ucb1, "select": select}
    assert remark in "; ".join(entry.remarks)
    assert bool(remark) == bool(entry.remarks)


def test_a_submission_that_eats_memory_is_ended(tmp_path):
    """However fast the machine is, the limit of memory is reached long before that of time."""
    hungry = "eaten = []\nwhile True:\n    eaten.append(b'x' * 1_000_000)"
    submission = handed_in(cell("ucb1", UCB1), code("own", hungry), cell("select", SELECT))
    path = write(tmp_path, hungry=submission) / "hungry.ipynb"

    graded = grade_one(path, "hungry", Limits(600, megabytes=400))

    assert graded.outcomes == {"ucb1": RIGHT, "select": RIGHT}
    assert graded.remarks == ["cell 3 used more than 400 MB of memory"]


def test_of_the_courses_own_cells_only_the_imports_are_run():
    path = next(path for path in NOTEBOOKS if path.stem == "01_games_and_trees")
    own = {cell["id"] for cell in read(path).cells if exercise_of(cell) is None}
    steps, remarks = steps_of(read(path).cells, ["line_up_returns", "minimax"], own)

    assert [step.exercise for step in steps if step.exercise] == ["line_up_returns", "minimax"]
    others = "\n".join(step.source for step in steps if not step.exercise)
    assert "import numpy as np" in others
    assert "num_games" not in others
    assert remarks == []


def test_a_search_of_parts_that_mine_has_fetched_gets_its_point(tmp_path):
    path = next(path for path in NOTEBOOKS if path.stem == "06_backpropagation")
    submission = hand_in(read(path), path.stem)
    cell = next(cell for name, _, cell in exercise_cells(submission) if name == "uct")
    cell.source = replace_function(cell.source, "uct", OWN_PARTS)

    entry = grade_one(write(tmp_path, own=submission) / "own.ipynb", "own", Limits(600))
    assert entry.outcomes["uct"] is RIGHT, entry.remarks
    assert not entry.remarks


# Gradebooks and pages


@pytest.fixture
def two():
    """Ada, who handed in two notebooks and has a point, and Bob, who has none."""
    ada = Graded("ada/03.ipynb", {"ucb1": MISSING, "select": MISSING})
    ada.note(Result("ucb1", RIGHT, "All inputs gave the expected result."))
    ada.note(Result("select", WRONG, "Got <b>", mistake="=1+1"))
    again = Graded("ada/04.ipynb", {"ucb1": RIGHT, "select": RIGHT})
    return [ada, again, Graded("bob.ipynb", {"ucb1": MISSING, "select": MISSING})]


@pytest.mark.parametrize(
    ("kind", "student", "points", "head", "most", "possible"),
    [
        ("moodle", 0, 1, "Username", 1, "1"),
        ("canvas", 3, 5, "Student", 5, "2"),
        ("nbgrader", 3, 9, "assignment", 10, "2.0"),
    ],
)
def test_a_gradebook_finds_its_columns(two, kind, student, points, head, most, possible):
    first, *others = csv.reader(as_csv(two, kind).splitlines())

    assert (first[0], others[0][most]) == (head, possible)
    found = [(each[student], float(each[points])) for each in others[-2:]]
    assert found == [("ada", 1.0), ("bob", 0.0)]


@pytest.mark.parametrize("sign", "=+-@＝＋－＠\t\r'")
@pytest.mark.parametrize("kind", FORMATS)
def test_no_field_begins_with_a_formula(sign, kind):
    entry = Graded(f"{sign}1+1/x.ipynb", {"ucb1": MISSING}, [f"{sign}1+1\nnext", "fine"])
    lines = list(csv.reader(as_csv([entry], kind).splitlines()))
    begins = tuple("=+-@＝＋－＠\t\r")
    assert len(lines[-1]) == len(lines[0])
    assert not any(field.startswith(begins) for row in lines for field in row)


def test_a_page_says_what_the_checks_say_and_runs_nothing(two, tmp_path):
    page = feedback(two[0])

    assert "ada/03.ipynb: 1 of 2" in page
    assert "=1+1" in page
    assert "<b>" not in page
    assert feedback(two[2]).count("There is no cell for it in this notebook.") == 2
    write_feedback([Graded("a/1.ipynb"), Graded("a_1.ipynb")], tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


# The command


def test_the_command_grades_a_folder_and_writes_table_and_pages(tmp_path, capsys):
    write(tmp_path / "in" / "ada", x=ALL_RIGHT)
    table, pages = tmp_path / "points.csv", tmp_path / "pages"
    words = ["course", "grade", str(tmp_path / "in"), "--csv", str(table), "--seconds", "30"]

    assert main([*words, "--format", "moodle", "--feedback", str(pages)]) == 0
    assert list(csv.reader(table.open()))[1][:2] == ["ada", "2"]
    assert len(list(pages.iterdir())) == 1
    assert "ada/x.ipynb: 2 of 2" in capsys.readouterr().out
    assert main(words) == 0
    assert "ada/x.ipynb,2,2,right,right," in table.read_text("utf-8")


def test_where_nothing_shuts_a_submission_in_the_command_says_so_first(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr("mctslab.course.command.what_is_missing", lambda: "it is a test")

    main(["course", "grade", str(tmp_path), "--csv", str(tmp_path / "points.csv")])
    assert "because it is a test" in capsys.readouterr().err.splitlines()[0]


def test_an_interrupted_command_writes_nothing(tmp_path, capsys, monkeypatch):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("mctslab.course.command.grade", interrupted)

    assert main(["course", "grade", str(tmp_path), "--csv", str(tmp_path / "points.csv")]) == 130
    assert not (tmp_path / "points.csv").exists()
    assert "nothing was written" in capsys.readouterr().err


def test_wrong_words_are_told(capsys):
    assert main(["course", "grade", "nowhere", "--csv", "points.csv"]) == 1
    assert capsys.readouterr().err == "course grade: there is no folder nowhere\n"
    for words, missing in ((["grade", "nowhere"], "--csv"), (["build"], "--out"), ([], "ACTION")):
        with pytest.raises(SystemExit):
            main(["course", *words])
        assert missing in capsys.readouterr().err
