"""The file of a student's progress survives anything, and a check works without it."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest

from mctslab.course.keeping import progress
from mctslab.course.keeping.parts import has_own_search
from mctslab.course.keeping.progress import ExerciseProgress, load, record
from mctslab.course.result import Outcome

pytestmark = pytest.mark.usefixtures("home")


def test_the_first_success_is_dated_and_it_is_known_whether_the_last_was_one(home):
    assert load().exercises == {}
    assert record("ucb1", Outcome.NOT_ATTEMPTED) == []
    assert not home.exists()
    assert record("ucb1", Outcome.WRONG) == []
    assert load().exercises == {"ucb1": ExerciseProgress(None, last_was_right=False)}

    before = ExerciseProgress("2026-10-01", last_was_right=True)
    assert record("ucb1", Outcome.RIGHT) == []
    assert load().exercises["ucb1"].solved == date.today().isoformat()
    progress.change(lambda content: content.exercises.update(ucb1=before))
    record("ucb1", Outcome.RIGHT)
    assert load().exercises["ucb1"] == before
    record("ucb1", Outcome.WRONG)
    assert load().exercises["ucb1"] == ExerciseProgress("2026-10-01", last_was_right=False)
    # It is plain JSON, and nothing is left beside it.
    assert json.loads(progress.file().read_text("utf-8"))["predictions"] == {}
    assert {path.name for path in home.iterdir()} <= {"progress.json", "progress.lock"}


def test_it_lies_in_the_data_folder_of_the_person_unless_told_otherwise(monkeypatch, tmp_path):
    monkeypatch.delenv(progress.HOME_VARIABLE)
    monkeypatch.setattr(progress.platformdirs, "user_data_path", lambda *given: tmp_path / "data")

    assert progress.file() == tmp_path / "data" / "progress.json"


@pytest.mark.parametrize(
    "content", [b"", b'{"exercises": {"ucb1": {"solved": 4}}}', b"\xff\xfe\x00"]
)
def test_a_damaged_file_is_kept_and_a_new_one_begins(home, content):
    home.mkdir()
    progress.file().write_bytes(content)

    assert load().exercises == {}
    (note,) = record("ucb1", Outcome.RIGHT)

    (aside,) = home.glob("progress-damaged-*.json")
    assert aside.read_bytes() == content
    assert str(aside) in note
    assert load().exercises["ucb1"].solved
    assert record("ucb1", Outcome.RIGHT) == []


def test_what_an_editor_or_a_later_version_has_added_does_no_harm_and_stays(home):
    home.mkdir()
    solved = b'"ucb1": {"solved": "2026-10-01", "hints": 2}'
    mark = b"\xef\xbb\xbf"
    progress.file().write_bytes(mark + b'{"exercises": {' + solved + b'}, "version": 9}')
    assert record("ucb1", Outcome.WRONG) == []
    assert load().exercises["ucb1"] == ExerciseProgress("2026-10-01", last_was_right=False)
    stored = json.loads(progress.file().read_text("utf-8"))
    assert (stored["version"], stored["exercises"]["ucb1"]["hints"]) == (9, 2)
    progress.change(lambda content: content.exercises.clear())
    assert json.loads(progress.file().read_text("utf-8"))["exercises"] == {}


def test_two_kernels_at_once_lose_nothing():
    """Each opens the lock's file for itself, so threads are kept apart as processes are."""
    with ThreadPoolExecutor(2) as pool:
        notes = list(pool.map(lambda name: record(str(name), Outcome.WRONG), range(60)))

    assert notes == [[]] * 60
    assert load().exercises.keys() == set(map(str, range(60)))


def test_the_home_of_an_unknown_user_is_named(monkeypatch):
    monkeypatch.setenv(progress.HOME_VARIABLE, "~nobody-of-this-name/course")
    (note,) = record("ucb1", Outcome.RIGHT)
    assert "MCTSLAB_HOME=~nobody-of-this-name/course names the home of an unknown user" in note
    assert load().exercises == {}
    assert not has_own_search()
