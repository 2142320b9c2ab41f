"""A class of honest notebooks and more than sixty hostile ones is graded in one go."""

import csv
import os
import socket
import sys
from pathlib import Path

import psutil
import pytest

import mctslab
from mctslab.course import exercises
from mctslab.course.confined import what_is_missing
from mctslab.course.grade import grade
from mctslab.course.running import Limits
from mctslab.course.table import as_csv
from tests.course.hostile import Where, handed_in, plant, plant_odd_places
from tests.course.small_course import code, write

UCB1 = exercises.ucb1.solution_source
STYLES = {
    "as_shown": (UCB1, "right"),
    "with_numpy": (
        UCB1.replace("math.", "np.").replace("def ", "import numpy as np\ndef "),
        "right",
    ),
    "renamed": (UCB1.replace("def ucb1", "def score"), "right"),
    "wrapped": (
        f"{UCB1}\nplain = ucb1\ndef ucb1(*given):\n    return float(plain(*given))",
        "right",
    ),
    "typed": (f"from fractions import Fraction\n{UCB1}\nprint('hello')", "right"),
    "a_class": (f"class Helper:\n    pass\n{UCB1}\nHelper.ucb1 = ucb1", "right"),
    "no_logarithm": (UCB1.replace("math.log(parent_visit_count)", "parent_visit_count"), "wrong"),
    "left_open": (exercises.ucb1.stub, "not attempted"),
}
NUM_HONEST = 5 * len(STYLES)


def honest(folder):
    """Five in each style, in the order of names spread among the others; what each deserves."""
    deserved = {}
    for number in range(NUM_HONEST):
        source, outcome = list(STYLES.values())[number % len(STYLES)]
        letter = "acdefhijlmoprstw"[number % 16]
        name = f"{letter}_honest_{number:02}" if number else "honest_00"
        write(folder, **{name: handed_in(code("exercise-ucb1", source, "exercise:ucb1"))})
        deserved[f"{name}.ipynb"] = outcome
    return deserved


@pytest.fixture(scope="module")
def server():
    """A server that nobody may call."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        yield listening


@pytest.fixture(scope="module")
def graded(tmp_path_factory, server):
    folder = tmp_path_factory.mktemp("class")
    table = tmp_path_factory.mktemp("desk") / "points.csv"
    table.write_text("as it was")
    deserved = honest(folder)
    where = Where(folder, table, server.getsockname()[1])
    package = str(Path(mctslab.__file__).parent)
    hostile = plant(where, package, can_be_shut_in=not what_is_missing())
    if sys.platform != "win32":
        hostile += plant_odd_places(folder)
    before = contents(folder)
    entries = grade(folder, Limits(seconds=10, megabytes=400), jobs=2)
    return folder, table, deserved, hostile, before, entries


def contents(folder):
    """What is in a folder, with the rights and the time of each."""
    return {
        entry.name: (
            entry.stat(follow_symlinks=False)[:7],
            entry.stat(follow_symlinks=False).st_mtime,
        )
        for entry in os.scandir(folder)
    }


def test_there_are_enough_of_them(graded):
    *_, deserved, hostile, _, _ = graded
    assert len(deserved) == NUM_HONEST
    assert len(hostile) >= 60


def test_every_honest_one_gets_what_it_deserves(graded):
    *_, deserved, _, _, entries = graded
    found = {entry.name: entry.outcomes["ucb1"] for entry in entries}

    assert {name: found[name] for name in deserved} == deserved


def test_no_hostile_one_gets_a_point(graded):
    *_, hostile, _, entries = graded

    assert {
        entry.name: entry.points for entry in entries if entry.name in hostile
    } == dict.fromkeys(hostile, 0)


def test_each_of_them_has_one_line_and_the_hostile_ones_a_remark(graded):
    *_, deserved, hostile, _, entries = graded
    lines = list(csv.DictReader(as_csv(entries).splitlines()))

    assert sorted(entry.name for entry in entries) == sorted([*deserved, *hostile])
    assert len(lines) == len(entries)
    quiet = [entry.name for entry in entries if entry.name in hostile and not entry.remarks]
    assert set(quiet) <= {"tags_are_null.ipynb", "metadata_is_null.ipynb"}


def test_nothing_outside_has_changed(graded):
    folder, table, *_, before, _ = graded

    assert contents(folder) == before
    assert table.read_text() == "as it was"


def test_nothing_is_left_running(graded):
    left = [each for each in psutil.process_iter(["cmdline"]) if _is_a_submission_of_ours(each)]
    assert left == []


def _is_a_submission_of_ours(process):
    words = process.info["cmdline"] or []
    return "mctslab.course.submission" in words and process.ppid() in (1, os.getpid())


@pytest.mark.usefixtures("graded")
def test_nobody_has_called_home(server):
    with pytest.raises(BlockingIOError):
        server.accept()
