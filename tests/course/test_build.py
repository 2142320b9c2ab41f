"""From one source come the notebooks for students and those with solutions."""

import nbformat
import pytest

from mctslab.__main__ import main
from mctslab.course import exercises
from mctslab.course.build import build
from mctslab.course.exercises import all_exercises
from mctslab.course.notebooks import exercise_cells, with_solutions
from mctslab.course.outline import homes, paths
from tests.course.small_course import code, notebook, selection, start, write
from tests.notebooks.reading import NOTEBOOKS, read


@pytest.fixture
def source(tmp_path):
    road = {"00_start_here": start(), "03_selection": selection()}
    write(tmp_path / "source" / "more", **{"03_arms": selection()})
    return write(tmp_path / "source", **road)


def cells(path):
    return {cell.id: cell.source for cell in read(path).cells}


def files_in(folder):
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )


def test_each_version_lies_in_a_folder_of_its_own_with_the_results_that_it_reads(source, tmp_path):
    for name in ("results/03_long.jsonl", "results/99_nobody.jsonl", "results/00_named.json"):
        (source / name).parent.mkdir(exist_ok=True)
        (source / name).write_text(name, "utf-8")
    reading = code("reads", 'read("results/00_named.json"), read("my_results/99_nobody.jsonl")')
    write(source, **{"03_selection": notebook(reading)})
    out = tmp_path / "out"
    written = build(out, paths(source))

    assert files_in(out) == sorted(path.relative_to(out).as_posix() for path in written)
    notebooks = ("00_start_here.ipynb", "03_selection.ipynb", "more/03_arms.ipynb")
    results = ("results/00_named.json", "results/03_long.jsonl")
    names = (*notebooks, *results)
    versions = ("solutions", "student")
    assert files_in(out) == [f"{version}/{name}" for version in versions for name in names]
    for path in written:
        if path.suffix == ".ipynb":
            nbformat.validate(read(path))


def test_the_students_version_is_the_source_and_the_one_with_solutions_has_them(source, tmp_path):
    build(tmp_path, paths(source))

    before = cells(source / "03_selection.ipynb")
    assert cells(tmp_path / "student/03_selection.ipynb") == before
    after = cells(tmp_path / "solutions/03_selection.ipynb")
    changed = [name for name in before if before[name] != after[name]]
    assert changed == ["exercise-ucb1", "exercise-select"]
    check = "\n\n\nexercises.ucb1.check(ucb1)"
    assert after["exercise-ucb1"] == exercises.ucb1.solution_source + check

    # Teachers see the mistakes as changes.
    shown = " ".join(after["mistakes-exercise-ucb1"].split())
    for known in exercises.ucb1.mistakes:
        assert f"**{known.name}** {known.explanation} ```diff" in shown
    assert "```diff math.log(parent_visit_count) / visit_count => math.log(parent" in shown


def test_what_a_teacher_solved_or_ran_in_the_source_does_not_reach_the_students(tmp_path):
    solved = with_solutions(selection())
    for cell in solved.cells:
        if cell.cell_type == "code":
            cell.execution_count = 3
            cell.outputs = [nbformat.v4.new_output("stream", text="slow")]
    build(tmp_path, paths(write(tmp_path / "source", **{"03_selection": solved})))

    made = read(tmp_path / "student" / "03_selection.ipynb")
    assert not any(cell.get("outputs") for cell in made.cells)
    assert exercises.ucb1.solution_source not in str(made)


def test_every_exercise_stands_in_one_notebook_and_the_command_builds_it(tmp_path, capsys):
    assert main(["course", "build", "--out", str(tmp_path), "--only", "03_selection"]) == 0
    assert str(tmp_path / "student" / "03_selection.ipynb") in capsys.readouterr().out
    cells = [name for path in NOTEBOOKS for name, _, _ in exercise_cells(read(path))]
    assert sorted(cells) == sorted(homes()) == sorted(all_exercises())
