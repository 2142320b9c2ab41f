"""A teacher's own exercise and notebook, from an empty folder to a class that is graded."""

import json
import os
import re
import sys
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest

from mctslab import course
from mctslab.__main__ import main
from mctslab.course import exercises
from mctslab.course.assignments import assignment, calls_model_answer, share_of
from mctslab.course.checking.cases import case
from mctslab.course.exercise import exercise
from mctslab.course.notebooks import exercises_of
from mctslab.course.own_exercises import try_out
from mctslab.course.result import MIME_TYPE
from tests.course.test_assignments import api_of, by_mark, done
from tests.notebooks.reading import read

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # nbgrader's own

NAME = "17_my_topic"
PROSE = """
    ## double: Twice a number

    1. Add it to itself.

    ### the number were squared

    Only of 0 and 2 that is the same.

    ```diff
    2 * x => x * x
    ```
    """
ANSWER = """
from mctslab.course.checking.cases import case
from mctslab.course.exercise import exercise


@exercise(cases=lambda: [case(2), case(3)], points=2)
def double(x):
    \"\"\"Twice a number.\"\"\"
    return 2 * x
"""


def squared(x):
    return x * x


def twice(x):
    return x + x


def test_an_exercise_in_a_cell_is_as_good_as_one_in_files(home, capsys):
    @exercise(cases=lambda: [case(2), case(3)], prose=PROSE, points=2)
    def double(x):
        """Twice a number."""
        return 2 * x

    own = course.exercises_in({"double": double, "x": 3})
    assert list(own) == [double]
    assert repr(double).startswith("Exercise double: Twice a number\n  exercises.double.check")
    result = own.double.check(squared)
    assert (result.mistake, result.num_right, result.num_inputs) == (
        "the number were squared",
        1,
        2,
    )
    assert (share_of(result, 2), share_of(result, 1)) == (1, 0)
    assert share_of(own.double.check(lambda x: x + x), 2) == 2
    assert course.mine(double) is double.model_answer
    assert "run its check in this notebook again" in capsys.readouterr().out
    assert own.double.check(twice).notes == ()
    assert course.mine(double)(4) == 8
    assert course.mine(double) is not double.model_answer
    assert own.ucb1 is exercises.ucb1, "the course's are there, too"
    try_out(double)


@pytest.mark.parametrize("ends", [True, False])
def test_an_answer_that_fails_or_never_ends_does_not_call_the_model_answer(ends):
    def ucb1(win_rate, visit_count, parent_visit_count, c):
        while not ends:
            pass
        return 1 / 0

    assert not calls_model_answer(replace(exercises.ucb1, seconds=0.2), ucb1)


@pytest.mark.parametrize(
    ("name", "before", "after", "said"),
    [
        ("py", "", "", "double has no prose: write 17_twice.md beside it."),
        ("md", "double:", "other:", "17_twice.md has no section `## double: TITLE`."),
        ("md", "    1. Add it to itself.\n", "", "double has no hint"),
        ("md", "```diff", "```", "no way to make the mistake 'the number were squared'"),
        ("md", "2 * x =>", "2 * y =>", "double, 'the number were squared': '2 * y' occurs 0 times"),
        ("md", "=> x * x", "x * x", "no right side `=> new` in the edits '2 * x x * x'"),
        ("py", '"""Twice a number."""', "pass", "double has no task"),
        ("py", "    return 2 * x\n", "", "double has no right answer"),
        ("py", "cases=lambda: [case(2), case(3)], ", "", "double has no inputs"),
        ("py", "case(3)]", "case(3)", "fails with SyntaxError: "),
        (
            "py",
            "case(3)]",
            "3]",
            "17_twice.py: the answer of double fails on its inputs, each of which",
        ),
        (
            "py",
            "case(3)]",
            "case(3, 4)]",
            "TypeError: double() takes 1 positional argument but 2 were given.",
        ),
        ("py", "points=2", "points='two'", "points must be a whole number, 0 or more, got 'two'."),
        ("py", "lambda: [case(2)", "[case(2)", "cases must be a function, as in `cases=lambda: ["),
        ("py", "double", "ucb1", "the course has an exercise ucb1; rename yours"),
    ],
)
def test_whatever_is_missing_is_named(tmp_path, name, before, after, said):
    texts = {"py": ANSWER, "md": PROSE.replace("\n    ", "\n")}
    if not before:
        del texts["md"]
    elif after == "ucb1":
        texts = {kind: text.replace(before, after) for kind, text in texts.items()}
    else:
        wanted = before if name == "py" else before.lstrip(" ")
        assert wanted in texts[name]
        texts[name] = texts[name].replace(wanted, after)
    for kind, text in texts.items():
        (tmp_path / f"17_twice.{kind}").write_text(text)
    with pytest.raises(ValueError, match=re.escape(said)) as error:
        course.exercises_in(tmp_path)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ("case(2)", "the mistake 'the number were squared' for 'a right answer'"),
        ("case(3, expected=7)", "double: its own answer is wrong."),
    ],
)
def test_an_exercise_that_would_not_work_in_class_is_found(tmp_path, inputs, said):
    (tmp_path / "17_twice.py").write_text(ANSWER.replace("case(2), case(3)", inputs))
    (tmp_path / "17_twice.md").write_text(PROSE.replace("\n    ", "\n"))
    with pytest.raises(ValueError, match=said):
        try_out(course.exercises_in(tmp_path).double)


def test_without_its_source_an_exercise_cannot_be_shown():
    names = {}
    exec(ANSWER.replace("points=2", f"prose={PROSE!r}"), names)
    with pytest.raises(ValueError, match="double has no source that can be read: define it in a n"):
        course.exercises_in(names)


def test_names_without_an_exercise_are_refused():
    with pytest.raises(ValueError, match="no exercise here: first run the cell with its @exercise"):
        course.exercises_in({"double": abs})


def test_two_files_with_one_name_and_a_folder_without_exercises_are_refused(tmp_path):
    with pytest.raises(ValueError, match="no exercise in the folder"):
        course.exercises_in(tmp_path)
    for name in ("17_twice", "18_again"):
        (tmp_path / f"{name}.py").write_text(ANSWER)
        (tmp_path / f"{name}.md").write_text(PROSE.replace("\n    ", "\n"))
    with pytest.raises(ValueError, match=r"18_again.py: another file has an exercise double, too"):
        course.exercises_in(tmp_path)


@pytest.fixture
def begun(tmp_path, monkeypatch):
    """A teacher's folder with a new notebook."""
    monkeypatch.chdir(tmp_path)
    assert main(["course", "new", NAME, "--in", "mine"]) == 0
    return tmp_path / "mine"


def test_a_new_notebook_works_and_nothing_is_overwritten_in_silence(begun, home, capsys):
    own = begun / "exercises" / f"{NAME}.py"
    own.write_text(own.read_text().replace("points=2", "points=3"))
    assert main(["course", "new", NAME, "--in", "mine"]) == 1
    assert f"{NAME}.ipynb is there already" in capsys.readouterr().err
    assert main(["course", "new", "18_More", "--in", "mine"]) == 1
    assert "'18_More' is no name such as 17_my_topic" in capsys.readouterr().err
    assert main(["course", "new", "18_ucb1", "--in", "mine"]) == 1
    assert "the course has an exercise 'ucb1'" in capsys.readouterr().err
    assert main(["course", "new", "18_more", "--in", "mine"]) == 0
    capsys.readouterr()

    build = ["course", "build", "--from", "mine", "--only", NAME]
    assert main([*build, "--out", "handout"]) == 0
    places = (f"{NAME}.ipynb", f"exercises/{NAME}.md", f"exercises/{NAME}.py")
    written = [f"handout/{each}/{place}" for each in ("student", "solutions") for place in places]
    assert capsys.readouterr().out.split() == [str(Path(each)) for each in written]
    solved = next(cell for cell in read(Path(written[3])).cells if cell.metadata.get("tags"))
    assert "return (wins + draws / 2) / games" in solved.source
    mistakes = next(cell for cell in read(Path(written[3])).cells if "mistakes" in cell.id)
    assert "**a draw counted nothing**" in mistakes.source
    assert main([*build, "--out", "handout"]) == 0
    assert capsys.readouterr().out.count("(replaced)") == 6

    assert main([*build, "--nbgrader", "class", "--partial"]) == 0
    folder = Path("class", "source", NAME)
    assert (folder / "exercises" / f"{NAME}.py").read_text() == own.read_text()
    check = by_mark(read(folder / f"{NAME}.ipynb"))["check-my_topic"]
    assert check.metadata.nbgrader.points == 3
    assert check.source.endswith("\nassignments.share_of(result, 3)")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (
            '"exercise:my_topic"',
            '"exercise:your_topic"',
            "tag exercise:your_topic. There is no exercise 'your_topic'. Did you mean 'my_topic'? "
            f"Your own are found in the files of {Path('mine', 'exercises')}.",
        ),
        (
            '"exercise:my_topic"',
            "",
            f"{NAME}.ipynb: the cell of my_topic needs the tag exercise:my_t",
        ),
        ("def my_topic", "def your_topic", "must define the function my_topic"),
        ("def my_topic", "define my_topic", "the cell of the exercise my_topic is no Python"),
        ("exercises.my_topic.check(my_topic)", "", "must end with `exercises.my_topic.check"),
    ],
)
def test_a_notebook_that_cannot_be_built_says_what_is_missing(begun, capsys, before, after, said):
    path = begun / f"{NAME}.ipynb"
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after), "utf-8")
    assert main(["course", "build", "--from", "mine", "--out", "handout"]) == 1
    assert said in capsys.readouterr().err
    assert not Path("handout").exists()


def test_a_folder_without_notebooks_is_refused(tmp_path, capsys):
    assert main(["course", "build", "--from", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert "there is no notebook in" in capsys.readouterr().err


# The report


BODIES = {
    "ada": "n = wins + draws + losses; return (wins + draws / 2) / n if n else 0.5",
    "bob": "n = wins + draws + losses; return wins / n if n else 0.5",
    "cleo": "return (wins + draws / 2) / (wins + draws + losses)",
    "dan": "...",
    "eve": "return (",
}
"""What each student wrote into the function; the last one's cell is no Python."""


def answered(notebook, student):
    """The notebook with a student's answer."""
    source = f"def my_topic(wins, draws, losses):\n    {BODIES[student]}"
    by_mark(notebook)["my_topic"].source = source
    return notebook


def test_a_report_counts_what_the_checks_have_said(begun, home, capsys):
    path = begun / f"{NAME}.ipynb"
    own = exercises_of(path, read(path))
    for student in BODIES:
        made = answered(assignment(read(path), own), student)
        check, names = by_mark(made)["check-my_topic"], {}
        try:
            exec(by_mark(made)["my_topic"].source, names)
            result = own["my_topic"].check(names["my_topic"])
            data = json.loads(json.dumps(result._repr_mimebundle_()))
            check.outputs = [nbformat.v4.new_output("display_data", data=data)]
        except SyntaxError:
            error = {"ename": "NameError", "evalue": "name 'my_topic' is not defined"}
            check.outputs = [nbformat.v4.new_output("error", traceback=[], **error)]
        file = Path("class", "autograded", student, NAME, f"{NAME}.ipynb")
        file.parent.mkdir(parents=True)
        nbformat.write(made, file)

    report = course.report("class")
    assert report.rows(f"{NAME}, my_topic") == [
        ("right", "1"),
        ("wrong, as if a draw counted nothing", "1"),
        ("wrong, as if there were always a game", "1"),
        ("NameError: name 'my_topic' is not defined", "1"),
        ("not attempted", "1"),
    ]
    assert main(["course", "report", "class"]) == 0
    printed, page = capsys.readouterr().out, Path("class", "report.html").read_text("utf-8")
    assert f"{NAME}, my_topic\n    1  right\n    1  wrong, as if" in printed
    assert page.count("<svg") == 1
    assert not any(student in printed + page for student in BODIES)
    assert main(["course", "report", "class", "--names"]) == 0
    printed = capsys.readouterr().out
    assert "a draw counted nothing  bob\n" in printed
    assert "report.html (replaced)" in printed
    assert main(["course", "report", "mien"]) == 1
    assert "course report: there is no gradebook 'mien'" in capsys.readouterr().err
    assert main(["course", "report", "mine"]) == 1
    assert "run `nbgrader autograde` first" in capsys.readouterr().err


@pytest.mark.thorough
def test_a_class_is_graded_on_a_teachers_own_notebook(begun, home, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "")
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    assert main(["course", "build", "--from", "mine", "--nbgrader", "class", "--partial"]) == 0
    folder = begun.parent / "class"
    nbgrader = api_of(folder, 60)
    done(nbgrader.generate_assignment(NAME))
    released = folder / "release" / NAME / f"{NAME}.ipynb"
    stolen = "my_topic = exercises.my_topic.model_answer"
    for student in [*BODIES, "thief"]:
        made = read(released)
        if student == "thief":
            by_mark(made)["my_topic"].source = stolen
        else:
            made = answered(made, student)
        file = folder / "submitted" / student / NAME / f"{NAME}.ipynb"
        file.parent.mkdir(parents=True)
        nbformat.write(made, file)
        done(nbgrader.autograde(NAME, student))
    done(nbgrader.generate_feedback(NAME))
    report = course.report(folder / "gradebook.db", names=True)
    (answers,) = report.exercises.values()
    assert answers == {
        "ada": "right",
        "bob": "wrong, as if a draw counted nothing",
        "cleo": "wrong, as if there were always a game",
        "dan": "not attempted",
        "eve": "NameError: name 'my_topic' is not defined",
        "thief": "It calls the model answer.",
    }
    with nbgrader.gradebook as gradebook:
        points = {each.student_id: each.score for each in gradebook.assignment_submissions(NAME)}
    assert points == {"ada": 2, "bob": 0, "cleo": 1, "dan": 0, "eve": 0, "thief": 0}
    page = (folder / "feedback" / "bob" / NAME / f"{NAME}.html").read_text("utf-8")
    assert "a draw counted nothing" in page
    assert MIME_TYPE not in page
    assert not home.exists(), "otherwise a notebook would find the functions of another one"
