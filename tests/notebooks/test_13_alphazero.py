"""What notebook 13 says is so, and stays so with another seed; its program, and the stored runs."""

import inspect
import json
import re
import shutil

import numpy as np
import pytest

from mctslab import arena, course, games, search
from mctslab.net import (
    NetConfig,
    PolicyValueNet,
    TrainingConfig,
    make_optimizer,
    self_play,
    training,
)
from mctslab.net.reference import read_reference
from tests.notebooks.reading import PROJECT, read
from tests.notebooks.running import run_here

RESULTS = PROJECT / "notebooks" / "results"


@pytest.fixture(scope="module")
def page(cells):
    """The six cells of the program, as one text."""
    return "\n".join(
        source
        for name, source in cells.items()
        if name.startswith("page-") and not name.endswith("-words")
    )


# The page


def test_the_program_is_short_and_stands_alone_and_all_of_its_parts_are_checked(page, cells):
    """It needs the notebook's imports and nothing else."""
    lines = [line for line in page.splitlines() if line.strip()]
    parts = re.findall(r'course\.mine\("(\w+)"\)', page)
    names = {"course": course, "np": np, "search": search}
    exec(page, names)

    assert 120 <= len(lines) <= 165, "about 150"
    assert sum(name.startswith("page-") for name in cells) == 6 + 6, "with their words"
    assert callable(names["alphazero"])
    assert len(parts) == 10
    assert sorted(re.findall(r"^    (\w+)=", cells["check-parts"], re.MULTILINE)) == sorted(parts)


def test_the_package_has_the_same_functions_in_the_same_order(page):
    sources = inspect.getsource(self_play) + inspect.getsource(training)
    package = re.findall(r"^def ([a-z]\w+)", sources, re.MULTILINE)
    named = re.findall(r"^def (\w+)|mine\(\"(play_move)\"\)", page, re.MULTILINE)
    shared = [name for each in named for name in each if name in package]

    assert shared == ["simulate_all", "think", "play_move", "opening", "self_play", "alphazero"]
    assert [name for name in package if name in shared] == shared


def test_it_learns_tictactoe_from_its_own_games(names):
    """Three iterations of 32 games are a tenth of what the page plays."""
    exam = dict(list(names["exam"].items())[::8])
    right = []
    for trained in names["alphazero"](games.TicTacToe(), 3, seed=2, num_games=32):
        right.append(names["num_right"](trained, exam) / len(exam))

    assert len(right) == 4
    assert right[0] < 0.5
    assert right[-1] > 0.6
    assert names["num_right"](trained, exam, 32) / len(exam) > max(right[-1], 0.75)


@pytest.mark.parametrize("game", [games.ConnectFour(rows=4, cols=4), games.Reversi(4)])
def test_another_game_is_another_line(names, game):
    *_, trained = names["alphazero"](game, 1, num_games=4)
    [(returns, priors)] = names["evaluate"](trained, [game])

    assert len(priors) == len(game.legal_actions())
    assert sum(priors) == pytest.approx(1, abs=1e-5)
    assert returns[0] == -returns[1]


def test_its_search_is_the_packages(names):
    trained = names["trained"]

    def evaluator(states, rng):
        answers = names["evaluate"](trained, states)
        return search.Evaluation(*zip(*answers, strict=True))

    state = games.TicTacToe().child(4)
    result = search.puct_search(
        state, evaluator=evaluator, num_simulations=60, rng=np.random.default_rng(1)
    )
    expected = {child.action: child.visit_count for child in result.children}

    assert names["think"]([games.TicTacToe(), state], trained, 60)[1] == expected


# What came along


def test_the_stored_runs_were_measured_early_and_have_the_settings_of_the_notebook(names):
    reference = read_reference(RESULTS / "13_reference.jsonl")
    found = {}
    for opponent in ("random", "uct:100", "uct:1000"):
        for iteration in (0, 2, 5, 10, 20, 40, 120, 200):
            found[opponent, iteration] = [
                each.score.rate.value
                for run in reference.runs
                for each in run.strength
                if (each.opponent, each.iteration) == (opponent, iteration)
            ]
    medians = [np.median(found["uct:1000", iteration]) for iteration in (0, 5, 20, 200)]

    assert all(len(scores) == 10 for scores in found.values())
    assert medians == sorted(medians)
    assert medians[2] - medians[0] > 0.75 * (medians[3] - medians[0]), "most of the way"
    assert set(reference.differences(names["six"])) <= {"num_iterations"}, "short runs"
    assert (names["benchmark"].every, names["benchmark"].also_at) == (20, (0, 2, 5, 10))


def test_the_table_of_differences_has_the_numbers_of_both(names, page, cells):
    config: TrainingConfig = names["six"]
    rows = dict(re.findall(r"^\| ([\w ]+) \| (.* \| .*) \|$", cells["live-words"], re.MULTILINE))

    assert rows["random first moves"] == f"0 to 6 | 0 to {config.self_play.opening_plies}"
    assert "opening(game, rng.integers(7), rng)" in page
    assert rows["learning rate"].startswith(
        f"from {config.learning_rate} to {config.final_learning_rate}"
    )
    assert "LinearLR(optimizer, 1.0, 0.1, num_iterations)" in page
    assert "lr=3e-3" in page
    assert rows["tower"] == f"2 residual blocks | {config.num_blocks}"
    assert "num_blocks=2" in page
    assert rows["buffer"] == f"40,000 images | {config.replay_capacity:,} positions"
    assert "capacity=40_000" in page
    assert rows["iteration"] == (
        "64 games from beginning to end; 60 steps of 128 samples | "
        f"{config.num_games} games from beginning to end; "
        f"{config.steps_per_iteration} steps of {config.batch_size}"
    )
    assert "num_games=64" in page
    steps = "range(60):\n            training_step(model, optimizer, *buffer.draw(128, rng))"
    assert steps in page
    assert f"for {config.self_play.temperature_plies} plies" in rows["played move"].split("|")[1]
    assert f"{config.self_play.gumbel.num_considered} moves" in rows["root"].split("|")[1]
    groups = make_optimizer(PolicyValueNet(NetConfig.for_game(games.TicTacToe())), 0.1).param_groups
    assert [group["weight_decay"] > 0 for group in groups] == [True, False]


@pytest.mark.parametrize("cell", ["panel", "play"])
def test_after_a_restart_one_cell_is_enough(cell, notebook, tmp_path):
    restarted = read(notebook)
    restarted.cells = [each for each in restarted.cells if each.id == cell]
    (tmp_path / "results").mkdir()
    shutil.copy(RESULTS / "13_reference.jsonl", tmp_path / "results")

    assert run_here(restarted, folder=tmp_path).names


def test_the_live_run_takes_as_long_as_told():
    reference = read_reference(RESULTS / "13_reference.jsonl")
    minutes = [sum(line["seconds"] for line in run.log) / 60 for run in reference.runs]

    assert round(float(np.median(minutes))) == 7


def test_what_is_told_of_the_stored_course_of_connect_four_is_so():
    kept = json.loads((RESULTS / "13_connect_four.json").read_text("utf-8"))
    numbers, bare, searched = np.array(kept["marks"]).T

    assert numbers[0] == 0
    assert searched[0] > bare[-1], "the untrained net's search finds near wins"
    first, last = (arena.wilson(int(number), 200) for number in searched[[0, -1]])
    assert last.low < first.high, "the intervals overlap"
