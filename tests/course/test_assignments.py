"""What nbgrader gets: the cells of an assignment, its settings, and the files of a class."""

import re

import nbformat
import pytest
from nbgrader.apps import NbGraderAPI, ZipCollectApp
from nbgrader.nbgraderformat import MetadataValidator
from traitlets.config import PyFileConfigLoader

from mctslab.__main__ import main
from mctslab.course import exercises
from mctslab.course.assignments import assignment, build_assignments
from mctslab.course.notebooks import exercise_cells
from mctslab.course.outline import exercise_of, paths
from tests.course.small_course import exercise_cell, notebook, selection, start, write
from tests.notebooks.reading import EXERCISE, NOTEBOOKS, read

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # nbgrader's own

NAME = "03_selection"
BEGIN = "### BEGIN SOLUTION\n"
OTHER = f"import math\nfrom mctslab import course\n\n\n{exercises.ucb1.solution_source}"


def by_mark(made):
    """The cells with nbgrader's metadata, by the names that they have there."""
    marked = (cell for cell in made.cells if "nbgrader" in cell.metadata)
    return {cell.metadata.nbgrader.grade_id: cell for cell in marked}


def api_of(course, seconds):
    """nbgrader with the settings that were written, and `seconds` for a cell."""
    config = PyFileConfigLoader("nbgrader_config.py", path=str(course)).load_config()
    config.CourseDirectory.root = str(course)
    config.Execute.timeout = seconds
    return NbGraderAPI(config=config)


def done(answer):
    assert answer["success"], answer.get("error") or answer.get("log")


@pytest.mark.parametrize(
    "way", ["exercises.ucb1.model_answer", "exercises.ucb1", "course.mine('ucb1')"]
)
def test_an_answer_that_calls_the_model_answer_is_right_and_earns_nothing(home, way):
    names = {"__name__": "__main__", "display": lambda _: None}
    (_, check) = by_mark(assignment(notebook(exercise_cell("ucb1")))).values()
    exec(OTHER, names)
    exec(check.source, names)
    exec(f"from mctslab.course import exercises\nucb1 = lambda *given: {way}(*given)", names)
    with pytest.raises(AssertionError, match="It calls the model answer"):
        exec(check.source, names)


def test_points_are_those_of_the_exercise_or_of_a_tag_and_no_check_stays_in_the_students_cell():
    tagged = exercise_cell("next_arm")
    tagged.metadata.tags.append("points:5")
    made = by_mark(assignment(notebook(exercise_cell("ucb1"), exercise_cell("select"), tagged)))
    points = [each.metadata.nbgrader.get("points") for each in made.values()]
    assert points == [None, 1, None, 1, None, 5]
    assert [name for name, cell in made.items() if ".check(" in cell.source] == [
        "check-ucb1",
        "check-select",
        "check-next_arm",
    ]
    for tags in ["points:many"], ["points:"], ["points:2.5"], ["Point:3"], ["points:3", "points:4"]:
        tagged.metadata.tags[1:] = tags
        found = f"next_arm has the tag {' and '.join(map(repr, tags))}; expected a number, as in po"
        with pytest.raises(ValueError, match=re.escape(found)):
            assignment(notebook(tagged))


def test_an_exercise_of_the_course_has_a_point_for_each_full_circle_of_its_mark():
    for path in NOTEBOOKS:
        circles = 1
        for cell in read(path).cells:
            if mark := EXERCISE.search(cell.source):
                circles = mark[1].count("●")
            if name := exercise_of(cell):
                assert getattr(exercises, name).points == circles, name
                circles = 1


DOWNLOADED = {
    "First Last_12345_assignsubmission_file_03_selection.ipynb": "12345",
    "Second Last_12346_assignsubmission_file_/03_selection.ipynb": "12346",
    "Third Von Last_12347_assignsubmission_file/03_selection.ipynb": "12347",
    "lastfirst_23451_67890_03_selection.ipynb": "23451",
    "lastsecond_LATE_23452_67891_03_selection-1.ipynb": "23452",
    "lastthird_23453_67892_03_selection (2).ipynb": "23453",
}
"""How Moodle and Canvas name what was handed in, and the number of the student in it."""


def test_what_moodle_and_canvas_call_a_submission_is_collected(tmp_path, monkeypatch):
    course = tmp_path / "course_1_2"
    build_assignments(course, paths(write(tmp_path / "source", **{NAME: selection()})))
    for place in DOWNLOADED:
        file = course / "downloaded" / NAME / "archive" / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(place)
    monkeypatch.chdir(course)
    app = ZipCollectApp()
    app.initialize([NAME])
    app.start()
    found = {
        path.read_text(): path.relative_to(course).as_posix()
        for path in (course / "submitted").rglob("*.ipynb")
    }
    wanted = {
        place: f"submitted/{number}/{NAME}/{NAME}.ipynb" for place, number in DOWNLOADED.items()
    }
    assert found == wanted


def test_only_notebooks_with_exercises_become_assignments_and_settings_are_kept(tmp_path):
    source = write(tmp_path / "source", **{"00_start_here": start(), NAME: selection()})
    (source / "results").mkdir()
    (source / "results" / "03_long.jsonl").write_text("{}")
    out = tmp_path / "course"
    written = build_assignments(out, paths(source))
    assert [path.relative_to(out).as_posix() for path in written] == [
        f"source/{NAME}/{NAME}.ipynb",
        f"source/{NAME}/results/03_long.jsonl",
        "nbgrader_config.py",
    ]
    (out / "nbgrader_config.py").write_text("# mine")
    assert out / "nbgrader_config.py" not in build_assignments(out, paths(source))


def test_the_command_makes_an_assignment_of_every_notebook_with_exercises(tmp_path, capsys):
    assert main(["course", "build", "--nbgrader", str(tmp_path)]) == 0
    with_exercises = {path.stem for path in NOTEBOOKS if any(exercise_cells(read(path)))}
    made = {path.stem: read(path) for path in (tmp_path / "source").rglob("*.ipynb")}
    assert made.keys() == with_exercises
    for each in made.values():
        nbformat.validate(each)
        MetadataValidator().validate_nb(each)
        for name, cell in by_mark(each).items():
            compile(cell.source, name, "exec")
    exhibit = exercises.museum_reward
    head, _, solution = by_mark(made["06_bug_museum"])[exhibit.name].source.partition(BEGIN)
    assert (head.strip(), solution) == (
        exhibit.stub,
        f"{exhibit.solution_source}\n### END SOLUTION",
    )

    assert main(["course", "build", "--nbgrader", str(tmp_path), "--only", "04_x"]) == 1
    assert "there is no notebook '04_x'" in capsys.readouterr().err
