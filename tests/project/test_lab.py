"""`mctslab lab`: the reader's copy of the course, from version to version."""

import hashlib
import json
import os
import runpy
import shutil
import sys
from argparse import Namespace
from pathlib import Path

import numpy as np
import pytest
from jupyter_server.services.config import ConfigManager

from mctslab import lab, typed

PLACES = ("00_a.ipynb", "03_b.ipynb", "results/03_c.json", "more/results/03_d.json")
NO_PART_OF_IT = ("notes.txt", "results/notes.json", "elsewhere/03_e.ipynb")
MANIFESTS = (None, "{", '["a list"]', '{"03_b.ipynb": 3}')
"""What can have become of the list of the files that were copied: it is gone, or no list at all."""


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


@pytest.mark.parametrize("seed", range(12))
def test_whatever_happens_the_copy_is_new_and_no_text_of_the_readers_is_lost(
    tmp_path, folder, seed, monkeypatch
):
    """Versions, changes, full disks and damaged manifests in any order."""
    source, rng = tmp_path / "source", np.random.default_rng(seed)
    write, own, given, is_full = typed.write_whole, set(), set(), False

    def write_or_fail(path, content):
        if is_full and rng.random() < 0.3:
            raise OSError("no space left")
        write(path, content)

    monkeypatch.setattr(typed, "write_whole", write_or_fail)
    for place in (*PLACES, *NO_PART_OF_IT):
        put(source / place, f"{place}, version 0")
    for number in range(40):
        place = PLACES[rng.integers(len(PLACES))]
        event = rng.choice(["new", "changed", "gone", "lost", "full"], p=[0.3, 0.3, 0.2, 0.1, 0.1])
        if event == "new":
            put(source / place, f"{place}, version {number}")
        elif event == "changed":
            own = own - {texts(folder).get(place)} | {f"the reader's {number}"}
            put(folder / place, f"the reader's {number}")
        elif event == "gone":
            (source / place).unlink(missing_ok=True)
        elif event == "lost":
            (folder / lab.MANIFEST).unlink(missing_ok=True)
            if (manifest := MANIFESTS[number % len(MANIFESTS)]) is not None:
                put(folder / lab.MANIFEST, manifest)
            given = set()
        before, is_full = texts(folder), event == "full"
        offered = {name: text for name, text in texts(source).items() if name in PLACES}
        try:
            copied = lab.copy_course(folder, source)
        except OSError:
            is_full = False
            lab.copy_course(folder, source)
        else:
            there = texts(folder)
            changed = {each for each in there if there[each] != before.get(each)}
            assert {*copied.beside.values(), *copied.written} == changed
            assert {there[each] for each in changed} <= {*offered.values()}
            assert set(copied.removed) == before.keys() - there.keys()
            assert not {*copied.removed} & {*offered}
        is_full = False
        assert own | {*offered.values()} <= {*texts(folder).values()} | given
        given |= {*offered.values()}
        assert lab.copy_course(folder, source) == lab.Copied(), "once is enough"


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_folder_with_links_and_a_foreign_manifest_changes_nothing_elsewhere(tmp_path, folder):
    """Its manifest names other files with their digests, and its links lead out of the folder."""
    source, secret = tmp_path / "source", tmp_path / "secret"
    put(source / "results/03_c.json", "new")
    put(secret / "thesis.txt", "mine")
    folder.mkdir()
    (folder / "old").symlink_to(secret)
    named = ("../secret/thesis.txt", str(secret / "thesis.txt"), "old/thesis.txt", "old", "\0")
    digest = hashlib.sha256(b"mine").hexdigest()
    (folder / lab.MANIFEST).write_text(json.dumps(dict.fromkeys(named, digest)))
    assert lab.copy_course(folder, source) == lab.Copied(written=["results/03_c.json"])

    shutil.rmtree(folder / "results")
    (folder / "results").symlink_to(secret)
    with pytest.raises(OSError, match="is a link or lies behind one"):
        lab.copy_course(folder, source)
    assert texts(secret) == {"thesis.txt": "mine"}


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


def test_jupyterlab_opens_the_first_notebook_of_the_copy(started, folder, capsys, monkeypatch):
    users = iter((0, 1000))
    monkeypatch.setattr(os, "geteuid", lambda: next(users), raising=False)
    assert lab.run(words(folder, no_browser=True, port=8890)) == 0
    [options] = started
    assert f"--ServerApp.root_dir={folder}" in options
    assert f"--LabApp.default_url=/lab/tree/{lab.START}" in options
    assert (folder / lab.START).is_file()
    assert {"--no-browser", "--port=8890"} <= set(options)
    assert ("--allow-root" in options) is (sys.platform != "win32")
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
    assert not {"--no-browser", "--port=8890", "--allow-root"} & set(started[1])


def test_run_py_s_folder_is_opened_where_it_is_and_the_users_words_count(started, tmp_path):
    program = ["lab", str(tmp_path), "--LabApp.default_url=/lab", "--port=8890"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", program)
        runpy.run_path(lab.__file__, run_name="__main__")
    [options] = started
    assert f"--ServerApp.root_dir={tmp_path}" in options
    assert options[-2:] == program[2:]
    assert sum("default_url" in option for option in options) == 1
