"""A class of honest notebooks and more than sixty hostile ones is graded in one go.

The programs in `hostile.txt` want points that they have not earned, or harm. They were invented
before the grading was. Each is a cell for exercise `ucb1`; none earns a point.
"""

import csv
import json
import os
import re
import socket
import sys
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

import mctslab
from mctslab.course import exercises
from mctslab.course.confined import what_is_missing
from mctslab.course.grade import grade
from mctslab.course.running import Limits
from mctslab.course.table import as_csv
from tests.course.small_course import code, handed_in, write

UCB1 = exercises.ucb1.solution_source
STYLES = (
    (UCB1, "right"),
    (UCB1.replace("math.", "np.").replace("def ", "import numpy as np\ndef "), "right"),
    (UCB1.replace("def ucb1", "def score"), "right"),
    (f"{UCB1}\nplain = ucb1\ndef ucb1(*given):\n    return float(plain(*given))", "right"),
    (f"from fractions import Fraction\n{UCB1}\nprint('hello')", "right"),
    (f"class Helper:\n    pass\n{UCB1}\nHelper.ucb1 = ucb1", "right"),
    (UCB1.replace("math.log(parent_visit_count)", "parent_visit_count"), "wrong"),
    (exercises.ucb1.stub, "not attempted"),
)
GUESS = "def ucb1(*given): return 0"


def ucb1_cell(source):
    return code("exercise-ucb1", source, "exercise:ucb1")


def plant_honest(folder):
    """Two in each style, in the order of names spread among the others; what each deserves."""
    deserved = {}
    for number, (source, outcome) in enumerate(STYLES * 2):
        letter = "acdefhijlmoprstw"[number % 16]
        name = f"{letter}_honest_{number:02}" if number else "honest_00"
        write(folder, **{name: handed_in(ucb1_cell(source))})
        deserved[f"{name}.ipynb"] = outcome
    return deserved


def plant_programs(folder, table, port):
    """Harm is done only where the system can shut a submission in."""
    text = Path(__file__).with_name("hostile.txt").read_text("utf-8")
    programs = re.findall(r"(?sm)^# (cheats|too much|harm): (\w+)\n(.*?)(?=^# |\Z)", text)
    places = {"PACKAGE": Path(mctslab.__file__).parent, "FOLDER": folder, "TABLE": table}
    head = "".join(f"{key} = {str(value)!r}\n" for key, value in places.items())
    names = [name for kind, name, _ in programs if kind != "harm" or not what_is_missing()]
    for _, name, program in programs:
        if name in names:
            cell = ucb1_cell(f"{head}PORT = {port}\n{program}")
            write(folder, **{name: handed_in(cell)})
    return [f"{name}.ipynb" for name in names]


def plant_odd_files(folder):
    """Files that are no proper notebooks, and names that are odd."""

    def with_cell(**fields):
        cell = {"cell_type": "code", "id": "a", "metadata": {"tags": ["exercise:ucb1"]}}
        metadata = {"mctslab_hand_in": "03_selection"}
        return json.dumps({"cells": [cell | fields], "metadata": metadata}).encode()

    twice = handed_in(code("a", GUESS, "exercise:ucb1"), code("b", UCB1, "exercise:ucb1"))
    files = {
        b"tags_are_null.ipynb": with_cell(metadata={"tags": None}, source="x = 1"),
        b"metadata_is_null.ipynb": with_cell(metadata=None, source="x = 1"),
        b"source_is_null.ipynb": with_cell(source=None),
        b"source_is_missing.ipynb": with_cell(),
        b"source_is_a_number.ipynb": with_cell(source=[1, None]),
        b"source_is_deep.ipynb": with_cell(source="x = " + "(" * 50_000),
        b"source_adds_up.ipynb": with_cell(source="x = " + "-" * 500_000 + "1"),
        b"source_has_surrogates.ipynb": with_cell(source="def ucb1(*g): return '\ud800'"),
        b"source_has_nulls.ipynb": with_cell(source="def ucb1(*g): \0 return 1"),
        b"cells_are_null.ipynb": b'{"cells": null, "metadata": null}',
        b"is_a_list.ipynb": b"[1, 2]",
        b"is_deep.ipynb": b"[" * 1_000_000,
        b"is_empty.ipynb": b"",
        b"is_binary.ipynb": bytes(range(256)) * 10,
        b"is_not_unicode.ipynb": '{"cells": ["ä"]}'.encode("latin-1"),
        b"is_large.ipynb": b" " * 21_000_000,
        b"named_in_latin_1_\xe4.ipynb": with_cell(source=GUESS),
        b"Named_Loudly.IPYNB": with_cell(source=GUESS),
        b"=named_like_a_formula.ipynb": with_cell(source=GUESS),
        b"says_it_twice.ipynb": json.dumps(twice).encode(),
    }
    for name, content in files.items():
        with open(os.path.join(os.fsencode(folder), name), "wb") as stream:
            stream.write(content)
    return [name.decode("utf-8", "backslashreplace") for name in files]


def plant_odd_places(folder):
    """What is called like a notebook and is no file: links, folders, pipes."""
    (folder / "is_a_folder.ipynb").mkdir()
    os.symlink(folder / "honest_00.ipynb", folder / "is_a_link.ipynb")
    os.symlink("/dev/zero", folder / "is_a_device.ipynb")
    os.symlink(folder / "nowhere", folder / "leads_nowhere.ipynb")
    os.link(folder / "talks_in_formulas.ipynb", folder / "is_the_same_file.ipynb")
    os.mkfifo(folder / "is_a_pipe.ipynb")
    places = ("a_folder", "a_link", "a_device", "the_same_file", "a_pipe")
    return ["leads_nowhere.ipynb", *(f"is_{place}.ipynb" for place in places)]


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A class of students, before and after it was graded; nobody may call its `server`."""
    folder = tmp_path_factory.mktemp("class")
    table = tmp_path_factory.mktemp("desk") / "points.csv"
    table.write_text("as it was")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        deserved = plant_honest(folder)
        hostile = plant_programs(folder, table, server.getsockname()[1]) + plant_odd_files(folder)
        if sys.platform != "win32":
            hostile += plant_odd_places(folder)
        before = contents(folder)
        entries = grade(folder, Limits(seconds=10, megabytes=400), jobs=2)
        yield SimpleNamespace(
            **{"folder": folder, "table": table, "server": server, "before": before},
            **{"deserved": deserved, "hostile": hostile, "entries": entries},
        )


def contents(folder):
    """What is in a folder, with the rights and the time of each."""
    states = {each.name: each.stat(follow_symlinks=False) for each in os.scandir(folder)}
    return {name: (state[:7], state.st_mtime) for name, state in states.items()}


def test_every_honest_one_gets_what_it_deserves_and_no_hostile_one_a_point(graded):
    found = {entry.name: entry.outcomes["ucb1"] for entry in graded.entries}
    points = {entry.name: entry.points for entry in graded.entries}

    assert len(graded.hostile) >= 60
    assert {name: found[name] for name in graded.deserved} == graded.deserved
    assert {name: points[name] for name in graded.hostile} == dict.fromkeys(graded.hostile, 0)


def test_each_of_them_has_one_line_and_the_hostile_ones_a_remark(graded):
    remarks = {entry.name: entry.remarks for entry in graded.entries}

    assert len(list(csv.DictReader(as_csv(graded.entries).splitlines()))) == len(graded.entries)
    assert sorted(entry.name for entry in graded.entries) == sorted(
        [*graded.deserved, *graded.hostile]
    )
    quiet = {name for name in graded.hostile if not remarks[name]}
    assert quiet <= {"tags_are_null.ipynb", "metadata_is_null.ipynb"}


def test_nothing_outside_has_changed_nobody_has_called_home_and_nothing_is_left_running(graded):
    assert contents(graded.folder) == graded.before
    assert graded.table.read_text() == "as it was"
    with pytest.raises(BlockingIOError):
        graded.server.accept()
    left = [each for each in psutil.process_iter(["cmdline"]) if is_a_submission_of_ours(each)]
    assert left == []


def is_a_submission_of_ours(process):
    words = process.info["cmdline"] or []
    return "mctslab.course.submission" in words and process.ppid() in (1, os.getpid())
