"""`mctslab lab`: the reader's copy of the course, from version to version."""

import json
import os
import sys
from argparse import Namespace
from pathlib import Path

import numpy as np
import pytest
from jupyter_server.services.config import ConfigManager

from mctslab import lab, typed
from mctslab.course.outline import PROJECT_FOLDER, paths

PLACES = ("00_start_here.ipynb", "03_selection.ipynb", "more/03_aside.ipynb", "results/03_a.json")


@pytest.fixture
def source(tmp_path):
    """A small course, version 1."""
    for place in PLACES:
        put(tmp_path / "source" / place, f"{place}, version 1")
    return tmp_path / "source"


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "mine"


def put(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def texts(folder: Path) -> dict[str, str]:
    """The files of a folder, without those that are hidden."""
    files = [file for file in folder.rglob("*") if file.is_file() and file.name[0] != "."]
    return {file.relative_to(folder).as_posix(): file.read_text() for file in files}


def test_the_whole_course_is_copied_once_and_nothing_else(folder):
    copied = lab.copy_course(folder)
    for place in copied.written:
        assert (folder / place).read_bytes() == (PROJECT_FOLDER / place).read_bytes()
    assert [path.name for path in paths(folder)] == [path.name for path in paths(PROJECT_FOLDER)]
    kept = {file.name for file in PROJECT_FOLDER.glob("**/results/*") if file.name[0] != "."}
    assert {file.name for file in folder.glob("**/results/*")} == kept
    assert lab.copy_course(folder) == lab.Copied()


def test_a_changed_file_is_left_alone_and_its_new_version_is_put_beside(source, folder):
    lab.copy_course(folder, source)
    put(folder / "03_selection.ipynb", "my answers")
    put(folder / "notes.txt", "my notes")
    assert lab.copy_course(folder, source) == lab.Copied(), "the course has not changed"

    beside = []
    for version in ("2", "3"):
        for place in PLACES[1:]:
            put(source / place, f"{place}, version {version}")
        copied = lab.copy_course(folder, source)
        assert copied.written == ["more/03_aside.ipynb", "results/03_a.json"]
        beside += copied.beside.items()
        assert lab.copy_course(folder, source) == lab.Copied(), "once is enough"
    names = ["new_03_selection.ipynb", "new_2_03_selection.ipynb"]
    assert beside == [("03_selection.ipynb", name) for name in names]
    assert texts(folder) == {
        **texts(source),
        "03_selection.ipynb": "my answers",
        names[0]: "03_selection.ipynb, version 2",
        names[1]: "03_selection.ipynb, version 3",
        "notes.txt": "my notes",
    }
    assert len(paths(folder)) == 3, "what is put beside is not on the map of the course"


def test_what_is_no_longer_in_the_course_goes_unless_the_reader_changed_it(source, folder):
    lab.copy_course(folder, source)
    put(folder / "03_selection.ipynb", "my answers")
    for place in PLACES[1:3]:
        (source / place).unlink()
    assert lab.copy_course(folder, source).removed == ["more/03_aside.ipynb"]
    assert sorted(texts(folder)) == [PLACES[0], PLACES[1], PLACES[3]]


@pytest.mark.parametrize("manifest", [None, "{", '["a list"]', '{"03_selection.ipynb": 3}'])
def test_without_a_manifest_every_file_counts_as_the_readers(source, folder, manifest):
    lab.copy_course(folder, source)
    put(folder / "03_selection.ipynb", "my answers")
    (folder / lab.MANIFEST).unlink()
    if manifest is not None:
        put(folder / lab.MANIFEST, manifest)
    copied = lab.copy_course(folder, source)
    assert copied == lab.Copied(beside={"03_selection.ipynb": "new_03_selection.ipynb"})
    assert texts(folder)["03_selection.ipynb"] == "my answers"


@pytest.mark.parametrize("seed", range(20))
def test_whatever_happens_no_text_of_the_readers_is_lost(source, folder, seed, monkeypatch):
    """Versions, changes and full disks in any order."""
    rng = np.random.default_rng(seed)
    write, own = typed.write_whole, set()

    def write_or_fail(path, content):
        if rng.random() < 0.1:
            raise OSError("no space left")
        write(path, content)

    monkeypatch.setattr(typed, "write_whole", write_or_fail)
    for number in range(40):
        place = PLACES[rng.integers(len(PLACES))]
        event = rng.integers(4)
        if event == 0:
            put(source / place, f"{place}, version {number}")
        elif event == 1:
            own -= {texts(folder).get(place)} if folder.exists() else set()
            put(folder / place, f"the reader's {number}")
            own.add(f"the reader's {number}")
        elif event == 2:
            (source / place).unlink(missing_ok=True)
        try:
            lab.copy_course(folder, source)
        except OSError:
            continue
        there = texts(folder)
        assert own <= set(there.values())
        assert set(texts(source).values()) - set(there.values()) <= seen_before(folder, source)


def seen_before(folder: Path, source: Path) -> set[str]:
    """Texts of the course that the reader has had, and has changed or thrown away."""
    given = json.loads((folder / lab.MANIFEST).read_text())
    return {text for place, text in texts(source).items() if place in given}


# The command


@pytest.fixture
def started(monkeypatch):
    """What JupyterLab was started with."""
    calls: list[list[str]] = []
    monkeypatch.setattr("jupyterlab.labapp.main", calls.append)
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "0")
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "/theirs")
    return calls


def words(folder: Path, no_browser: bool = False, port: int | None = None) -> Namespace:
    return Namespace(folder=str(folder), no_browser=no_browser, port=port)


@pytest.mark.parametrize(("user", "allowed"), [(0, True), (1000, False)])
def test_jupyterlab_opens_the_first_notebook_of_the_copy(
    started, folder, capsys, monkeypatch, user, allowed
):
    monkeypatch.setattr(os, "geteuid", lambda: user, raising=False)
    assert lab.run(words(folder, no_browser=True, port=8890)) == 0
    [options] = started
    assert f"--ServerApp.root_dir={folder}" in options
    assert f"--LabApp.default_url=/lab/tree/{lab.START}" in options
    assert (folder / lab.START).is_file()
    assert {"--no-browser", "--port=8890"} <= set(options)
    assert ("--allow-root" in options) is (allowed and sys.platform != "win32")
    assert os.environ["JUPYTER_PREFER_ENV_PATH"] == "1"
    assert os.environ["JUPYTER_CONFIG_PATH"].endswith(f"{os.pathsep}/theirs")
    settings = ConfigManager(config_dir_name="labconfig").get("default_setting_overrides")
    asked = settings["@jupyterlab/apputils-extension:notification"]
    assert asked == {"checkForUpdates": False, "fetchNews": "false"}
    assert f"The course is in {folder}" in capsys.readouterr().out

    put(folder / lab.START, "changed")
    (folder / lab.MANIFEST).unlink()
    lab.run(words(folder))
    assert f"Its new version is in new_{lab.START}" in capsys.readouterr().out
    assert not {"--no-browser", "--port=8890"} & set(started[1])


def test_what_is_missing_is_said_in_a_sentence(started, folder, capsys, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert lab.run(words(folder)) == 2
    assert "-m pip install jupyterlab" in capsys.readouterr().err
    assert (folder / lab.START).is_file(), "it can be opened in another Jupyter"

    put(folder.with_name("a file"), "mine")
    assert lab.run(words(folder.with_name("a file"))) == 2
    assert "cannot be copied into" in capsys.readouterr().err
    assert started == []
