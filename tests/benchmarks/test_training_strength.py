"""The measurement of training runs keeps to its time, and goes on where it was."""

import re

import pytest

from mctslab import arena
from mctslab.net.training import read_log
from mctslab.net.training_config import TrainingConfig
from tests.benchmarks import training_strength

SMALL = """
num_filters = 4
num_blocks = 1
num_games = 8
num_iterations = 3
positions_per_iteration = 64
steps_per_iteration = 2
batch_size = 8
[self_play]
num_simulations = 4
"""


@pytest.fixture
def measure(tmp_path, monkeypatch, capsys):
    """A function that runs the command; the table that it printed, as lists of cells."""

    def run(*words):
        (tmp_path / "small.toml").write_text(SMALL)
        common = ["--config", str(tmp_path / "small.toml"), "--results", str(tmp_path / "runs")]
        monkeypatch.setattr("sys.argv", ["training_strength", *words, *common])
        training_strength.main()
        lines = capsys.readouterr().out.split("\n\n")[-1].strip().splitlines()
        return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[2:]]

    return run


WORDS = ["--games", "2", "--simulations", "4", "--rival", "random", "--seeds", "1", "2", "3"]


def test_seeds_are_trained_and_measured_once(measure, tmp_path):
    table = measure(*WORDS)
    assert [line[0] for line in table] == ["1", "2", "3", "median"]
    logs = [read_log(tmp_path / "runs" / f"seed_{seed}") for seed in (1, 2, 3)]
    assert [line[2] for line in table[:3]] == [str(log[-1]["num_positions"]) for log in logs]
    scores = [float(re.match(r"[\d.]+", line[3])[0]) for line in table]
    assert scores[-1] == sorted(scores[:-1])[1]
    stored = [arena.load(file) for file in (tmp_path / "runs").glob("*.jsonl")]
    assert sorted(result.score.rate.value for result in stored) == sorted(scores[:-1])
    before = {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.jsonl")}
    assert measure(*WORDS) == table
    assert {file: file.stat().st_mtime_ns for file in before} == before


def test_a_run_whose_time_is_up_ends(tmp_path):
    config = TrainingConfig.from_entries(
        {"num_filters": 2, "num_blocks": 1, "num_games": 2, "positions_per_iteration": 4}
        | {"num_iterations": 10_000, "self_play": {"num_simulations": 2}, "batch_size": 2}
    )
    done = training_strength.trained(config, tmp_path, limit=1.0)
    assert 0 < len(read_log(tmp_path)) < 10_000
    assert done.num_positions == read_log(tmp_path)[-1]["num_positions"]
    again = training_strength.trained(config, tmp_path, limit=1.0)
    assert again == done


def test_the_settings_are_those_of_the_readme():
    config = TrainingConfig.from_entries(training_strength.settings())
    assert config.game_options == {"size": 6, "in_a_row": 4}
