"""What notebook 13 says is so; its program, and the stored runs."""

import re
import shutil

import numpy as np
import pytest
import torch

from mctslab import course, games, search
from mctslab.course.exercises import all_exercises
from mctslab.net.reference import read_reference
from tests.notebooks.reading import PROJECT, read
from tests.notebooks.running import run_here

RESULTS = PROJECT / "notebooks" / "results"


WRITTEN = ("self_play_targets", "simulate_all", "think", "self_play", "alphazero")
"""By the reader, in this notebook."""


@pytest.fixture(scope="module")
def page(cells):
    """The folded cells of the program, as one text."""
    return "\n".join(cells[name] for name in ("page-parts", "page-opening", "page-train"))


# The page


def test_the_program_is_short_and_stands_alone_and_all_of_its_parts_are_checked(page, cells):
    """It needs the notebook's imports, and what the reader has written."""
    lines = [line for line in page.splitlines() if line.strip()]
    calls = re.findall(r"course\.mine\(([^)]*)\)", page)
    parts = [name for call in calls for name in re.findall(r"\w+", call)]
    names = {"course": course, "np": np, "search": search, "torch": torch}
    exec(page, names)

    assert len(lines) + sum(num_written(name) for name in WRITTEN) < 200
    assert callable(names["train"])
    assert sorted(parts) == sorted({*parts}), "each once"
    assert {*WRITTEN} <= {*parts}
    assert {f"exercise-{name.replace('_', '-')}" for name in WRITTEN} <= cells.keys()
    assert sorted(re.findall(r"^    (\w+)=\1,", page, re.MULTILINE)) == sorted(parts)


def num_written(name):
    exercise = all_exercises()[name]
    return len(exercise.solution_source.splitlines()) - len(exercise.stub.splitlines()) + 1


@pytest.mark.thorough
def test_it_learns_tictactoe_from_its_own_games(names):
    """Three iterations of 32 games are a tenth of what the page plays."""
    exam = dict(list(names["exam"].items())[::8])
    right = []
    for trained in names["train"](games.TicTacToe(), 3, seed=2, num_games=32):
        right.append(names["num_right"](trained, exam) / len(exam))

    assert len(right) == 4
    assert right[0] < 0.5
    assert right[-1] > 0.6
    assert names["num_right"](trained, exam, 32) / len(exam) > max(right[-1], 0.75)


def test_its_search_is_the_packages(names):
    trained = names["trained"]

    def evaluator(states, rng):
        return search.Evaluation(*names["evaluate"](trained, names["encode"], states))

    state = games.TicTacToe().child(4)
    result = search.puct_search(
        state, evaluator=evaluator, num_simulations=60, rng=np.random.default_rng(1)
    )
    expected = {child.action: child.visit_count for child in result.children}

    assert names["visits_of"](trained, [games.TicTacToe(), state], 60)[1] == expected


def test_the_board_shows_what_the_net_thought_only_after_the_answer(executed, notebook):
    run = executed(notebook)
    assert run.names["seen"].frames == list(run.names["frames"]) != []
    assert "'iteration'" not in run.saved["train-tictactoe"] + run.saved["learning"]


# What came along


def test_the_stored_runs_have_the_settings_of_the_notebook(names):
    reference = read_reference(RESULTS / "13_reference.jsonl")
    assert all(len(run.log) == 200 for run in reference.runs)
    assert set(reference.differences(names["six"])) <= {"num_iterations"}, "short runs"


def test_after_a_restart_one_cell_is_enough(notebook, tmp_path):
    restarted = read(notebook)
    restarted.cells = [each for each in restarted.cells if each.id == "panel"]
    (tmp_path / "results").mkdir()
    shutil.copy(RESULTS / "13_reference.jsonl", tmp_path / "results")

    assert run_here(restarted, folder=tmp_path).names
