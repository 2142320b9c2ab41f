"""A folder of submissions is graded, whatever is in it."""

import csv

import pytest

from mctslab.__main__ import main
from mctslab.course import exercises
from mctslab.course.build import hand_in
from mctslab.course.grade import MISSING, Graded, grade, grade_one
from mctslab.course.notebooks import exercise_cells, replace_function, with_solutions
from mctslab.course.outline import exercise_of
from mctslab.course.result import Outcome
from mctslab.course.running import Limits
from mctslab.course.submission import steps_of
from mctslab.course.table import as_csv
from tests.course.small_course import code, notebook, selection, text, write
from tests.notebooks.reading import NOTEBOOKS, read

LIMITS = Limits(seconds=6)
"""A cell or a check of these takes milliseconds, unless it never ends; imports don't count."""

RIGHT, WRONG, OPEN = Outcome.RIGHT, Outcome.WRONG, Outcome.NOT_ATTEMPTED

UCB1 = exercises.ucb1.solution_source
SELECT = exercises.select.solution_source


def handed_in(*cells):
    """A submission with these cells after the imports."""
    return notebook(
        code("hand-in-imports", "import math\nfrom mctslab.course import exercises"),
        *cells,
        mctslab_hand_in="03_selection",
    )


def cell(name, source):
    """An exercise's cell with any source in it, and no check."""
    return code(f"exercise-{name}", source, f"exercise:{name}")


def function(name, body):
    return f"def {name}(*given):\n    {body}"


SUBMISSIONS = {
    "all_right": handed_in(cell("ucb1", UCB1), cell("select", SELECT)),
    "as_given": hand_in(selection(), "03_selection"),
    "one_mistake": handed_in(
        cell("ucb1", UCB1.replace("math.log(parent_visit_count)", "parent_visit_count")),
        cell("select", SELECT),
    ),
    "helper_and_rename": handed_in(
        code("my-own", "def bonus(n, parent):\n    return math.sqrt(math.log(parent) / n)"),
        cell("ucb1", "def score(q, n, N, c):\n    return q + c * bonus(n, N) if n else math.inf"),
        cell("select", SELECT.replace("def select", "def walk")),
    ),
    "cells_lost": handed_in(text("a", "Where is it?"), code("own", UCB1 + "\n\nucb1(1, 1, 1, 1)")),
    "broken_cells": handed_in(
        cell("ucb1", "def ucb1(q, n:\n    return"),
        code("own", "1 / 0"),
        cell("select", SELECT + "\n\nprint(undefined)"),
    ),
    "leaves": handed_in(
        code("own", "import sys\nsys.exit(3)"),
        cell("ucb1", function("ucb1", "import os; os._exit(0)")),
        cell("select", SELECT),
    ),
    "leaves_at_once": handed_in(
        code("own", "import os\nos._exit(0)"), cell("ucb1", UCB1), cell("select", SELECT)
    ),
    "never_ends": handed_in(
        cell("ucb1", UCB1), code("own", "import time\ntime.sleep(600)"), cell("select", SELECT)
    ),
    "talks": handed_in(
        code("own", "for _ in range(20_000):\n    print('=' * 100)"),
        cell("ucb1", UCB1),
        cell("select", SELECT.replace("node = root", "node = root\n    print('x' * 10_000)")),
    ),
    "the_whole_notebook": with_solutions(selection()),
    "twice": handed_in(
        cell("ucb1", UCB1),
        code("a-copy", exercises.ucb1.stub, "exercise:ucb1"),
        cell("select", SELECT),
    ),
    "empty": handed_in(),
    "a_holiday": notebook(text("a", "# A holiday")),
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    folder = write(tmp_path_factory.mktemp("submissions"), **SUBMISSIONS)
    (folder / "no_json.ipynb").write_text("PK\x03\x04")
    (folder / "no_notebook.ipynb").write_text('{"a": 1}')
    (folder / "essay.docx").write_text("not looked at")
    write(folder / "of ada", solved=SUBMISSIONS["all_right"])
    write(folder / ".ipynb_checkpoints", copy=SUBMISSIONS["all_right"])
    entries = grade(folder, LIMITS, jobs=2)
    return entries, list(csv.DictReader(as_csv(entries).splitlines()))


@pytest.fixture(scope="module")
def outcomes(graded):
    return {entry.name: (entry.outcomes["ucb1"], entry.outcomes["select"]) for entry in graded[0]}


@pytest.fixture(scope="module")
def remarks(graded):
    return {entry.name: "; ".join(entry.remarks) for entry in graded[0]}


@pytest.mark.parametrize(
    ("name", "ucb1", "select", "remark"),
    [
        ("all_right", RIGHT, RIGHT, ""),
        ("of ada/solved", RIGHT, RIGHT, ""),
        ("as_given", OPEN, OPEN, ""),
        ("one_mistake", WRONG, RIGHT, "ucb1: the logarithm forgotten"),
        ("helper_and_rename", RIGHT, RIGHT, ""),
        ("cells_lost", RIGHT, MISSING, ""),
        ("broken_cells", WRONG, RIGHT, "ucb1: the cell does not run: SyntaxError"),
        ("leaves", WRONG, RIGHT, "ucb1: it ended the process"),
        ("leaves_at_once", RIGHT, RIGHT, "cell 2 ended the process"),
        ("never_ends", RIGHT, RIGHT, "cell 3 took more than 6 seconds"),
        ("talks", RIGHT, RIGHT, ""),
        ("the_whole_notebook", RIGHT, RIGHT, ""),
        ("twice", WRONG, RIGHT, "ucb1: 2 cells carry its tag, so none of them counts"),
        ("empty", MISSING, MISSING, "it contains no exercise"),
        ("a_holiday", MISSING, MISSING, "it contains no exercise"),
        ("no_json", MISSING, MISSING, "it is not a notebook"),
        ("no_notebook", MISSING, MISSING, "it is not a notebook"),
    ],
)
def test_a_submission_gets_what_it_is_worth(outcomes, remarks, name, ucb1, select, remark):
    assert outcomes[f"{name}.ipynb"] == (ucb1, select)
    if remark:
        assert remark in remarks[f"{name}.ipynb"]
    else:
        assert remarks[f"{name}.ipynb"] == ""


def test_a_submission_that_eats_memory_is_ended(tmp_path):
    """However fast the machine is, the limit of memory is reached long before that of time."""
    hungry = "eaten = []\nwhile True:\n    eaten.append(b'x' * 1_000_000)"
    submission = handed_in(cell("ucb1", UCB1), code("own", hungry), cell("select", SELECT))
    path = write(tmp_path, hungry=submission) / "hungry.ipynb"

    graded = grade_one(path, "hungry", Limits(600, megabytes=400))

    assert graded.outcomes == {"ucb1": RIGHT, "select": RIGHT}
    assert graded.remarks == ["cell 3 used more than 400 MB of memory"]


def test_every_notebook_has_a_line_in_the_table(graded):
    entries, lines = graded

    assert [line["submission"] for line in lines] == [entry.name for entry in entries]
    assert len(lines) == len(SUBMISSIONS) + 3
    for line in lines:
        assert line["points"] == str([line["ucb1"], line["select"]].count("right"))
        assert line["of"] == "2"


def test_nothing_is_left_running(graded):
    """The processes of the submissions that had to be ended are gone."""
    psutil = pytest.importorskip("psutil")

    assert [child for child in psutil.Process().children(recursive=True) if _is_ours(child)] == []


def _is_ours(process):
    return "mctslab.course.submission" in process.cmdline()


def test_of_the_courses_own_cells_only_the_imports_are_run():
    path = next(path for path in NOTEBOOKS if path.stem == "01_games_and_trees")
    own = {cell["id"] for cell in read(path).cells if exercise_of(cell) is None}
    steps, remarks = steps_of(read(path).cells, ["line_up_returns", "minimax"], own)

    assert [step.exercise for step in steps if step.exercise] == ["line_up_returns", "minimax"]
    others = "\n".join(step.source for step in steps if not step.exercise)
    assert "import numpy as np" in others
    assert "num_games" not in others
    assert remarks == []


def test_the_table_is_harmless_in_a_spreadsheet():
    entry = Graded("=cmd.ipynb", {"ucb1": WRONG}, ['ucb1: =HYPERLINK("x")\nnext', "-1+1"])
    lines = list(csv.reader(as_csv([entry]).splitlines()))

    assert lines[0] == ["submission", "points", "of", "ucb1", "remarks"]
    assert lines[1][0] == "'=cmd.ipynb"
    assert not lines[1][-1].startswith(("=", "+", "-", "@"))
    assert len(lines) == 2


# The command


def test_on_the_command_line_a_course_is_built_and_graded(tmp_path, capsys):
    assert main(["course", "build", "--out", str(tmp_path / "out")]) == 0
    assert "03_selection.ipynb" in capsys.readouterr().out

    folder, table = write(tmp_path / "in", ada=SUBMISSIONS["all_right"]), tmp_path / "points.csv"
    assert main(["course", "grade", str(folder), "--csv", str(table), "--seconds", "30"]) == 0
    assert "ada.ipynb: 2 of 2" in capsys.readouterr().out
    assert "ada.ipynb,2,2,right,right," in table.read_text("utf-8")


def test_a_folder_that_is_not_there_is_told(capsys):
    assert main(["course", "grade", "nowhere", "--csv", "points.csv"]) == 1
    assert capsys.readouterr().err == "course grade: there is no folder nowhere\n"


@pytest.mark.parametrize(
    ("words", "says"), [(["grade", "nowhere"], "--csv"), (["build"], "--out"), ([], "ACTION")]
)
def test_what_is_missing_on_the_command_line_is_told(words, says, capsys):
    with pytest.raises(SystemExit):
        main(["course", *words])

    assert says in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["build"], ["grade"]])
def test_there_is_help(words, capsys):
    with pytest.raises(SystemExit):
        main(["course", *words, "--help"])

    assert "usage: python -m mctslab course" in capsys.readouterr().out


def test_a_search_of_parts_that_mine_has_fetched_gets_its_point(tmp_path):
    path = next(path for path in NOTEBOOKS if path.stem == "06_backpropagation")
    submission = hand_in(read(path), path.stem)
    cell = next(cell for name, _, cell in exercise_cells(submission) if name == "uct")
    own = """def uct(state, num_simulations, rng):
    root = search.Node(state)
    for _ in range(num_simulations):
        leaf = expand(select(root, search.ucb1()), rng)
        backpropagate(leaf, rollout(leaf.state, search.uniform, rng))
    return root"""
    cell.source = replace_function(cell.source, "uct", own)

    entry = grade_one(write(tmp_path, own=submission) / "own.ipynb", "own", Limits(600))
    assert entry.outcomes["uct"] is RIGHT, entry.remarks
    assert not entry.remarks
