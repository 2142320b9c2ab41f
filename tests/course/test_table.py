"""Points go into any gradebook, formulas do not, and each submission gets a page."""

import csv

import pytest

from mctslab.__main__ import main
from mctslab.course.grade import MISSING, Graded
from mctslab.course.result import Outcome, Result
from mctslab.course.table import FORMATS, as_csv, feedback, write_feedback
from tests.course.small_course import write
from tests.course.test_grade import UCB1, cell, handed_in


def graded():
    ada, bob = Graded("ada/03.ipynb", {"ucb1": MISSING, "select": MISSING}), Graded("bob.ipynb")
    ada.note(Result("ucb1", Outcome.RIGHT, "All inputs gave the expected result."))
    ada.note(Result("select", Outcome.WRONG, "Got <b>", mistake="=1+1"))
    bob.outcomes = {"ucb1": MISSING, "select": MISSING}
    return [ada, bob]


def rows(kind):
    return list(csv.reader(as_csv(graded(), kind).splitlines()))


@pytest.mark.parametrize(
    ("kind", "student", "points", "head"),
    [
        ("moodle", 0, 1, "Username"),
        ("canvas", 3, 5, "Student"),
        ("nbgrader", 3, 9, "assignment"),
    ],
)
def test_a_gradebook_finds_its_columns(kind, student, points, head):
    first, *others = rows(kind)

    assert first[0] == head
    assert [(each[student], float(each[points])) for each in others[-2:]] == [
        ("ada", 1.0),
        ("bob", 0.0),
    ]


def test_canvas_and_nbgrader_are_told_how_many_points_there_are():
    assert rows("canvas")[1][5] == "2"
    assert rows("nbgrader")[1][10] == "2.0"


@pytest.mark.parametrize("sign", "=+-@＝＋－＠\t\r'")
@pytest.mark.parametrize("kind", FORMATS)
def test_no_field_begins_with_a_formula(sign, kind):
    entry = Graded(f"{sign}1+1/x.ipynb", {"ucb1": MISSING}, [f"{sign}1+1", "fine"])
    for row in csv.reader(as_csv([entry], kind).splitlines()):
        assert not any(field.startswith(tuple("=+-@＝＋－＠\t\r")) for field in row)


def test_a_page_says_what_the_checks_say_and_runs_nothing():
    page = feedback(graded()[0])

    assert "ada/03.ipynb: 1 of 2" in page
    assert "=1+1" in page
    assert "<b>" not in page


def test_each_submission_has_a_page_of_its_own(tmp_path):
    write_feedback([Graded("a/1.ipynb"), Graded("a_1.ipynb"), Graded("ä?.ipynb")], tmp_path)
    assert len(list(tmp_path.iterdir())) == 3


def test_the_command_writes_table_and_pages(tmp_path, capsys):
    write(tmp_path / "in" / "ada", x=handed_in(cell("ucb1", UCB1)))
    table, pages = tmp_path / "points.csv", tmp_path / "pages"
    arguments = ["--csv", str(table), "--format", "moodle", "--feedback", str(pages)]

    assert main(["course", "grade", str(tmp_path / "in"), *arguments]) == 0
    assert list(csv.reader(table.open()))[1][:2] == ["ada", "1"]
    assert len(list(pages.iterdir())) == 1
    assert "ada/x.ipynb: 1 of 2" in capsys.readouterr().out


def test_where_nothing_shuts_a_submission_in_the_command_says_so_first(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr("mctslab.course.command.what_is_missing", lambda: "it is a test")
    (tmp_path / "in").mkdir()

    main(["course", "grade", str(tmp_path / "in"), "--csv", str(tmp_path / "points.csv")])
    assert "because it is a test" in capsys.readouterr().err.splitlines()[0]


def test_an_interrupted_command_writes_nothing(tmp_path, capsys, monkeypatch):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("mctslab.course.command.grade", interrupted)
    (tmp_path / "in").mkdir()
    arguments = ["course", "grade", str(tmp_path / "in"), "--csv", str(tmp_path / "points.csv")]

    assert main(arguments) == 130
    assert not (tmp_path / "points.csv").exists()
    assert "nothing was written" in capsys.readouterr().err
