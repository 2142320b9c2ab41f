"""The measurement of training runs keeps to its time, and goes on where it was."""

import re
from types import SimpleNamespace

import pytest

from mctslab import arena
from mctslab.net.checkpoint import load_checkpoint
from mctslab.net.training import CHECKPOINT, read_log
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
    folders = [tmp_path / "runs" / f"seed_{seed}" for seed in (1, 2, 3)]
    kept = [load_checkpoint(folder / CHECKPOINT).about["training"]["seed"] for folder in folders]
    assert kept == [1, 2, 3]
    logs = [read_log(folder) for folder in folders]
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


def test_a_clock_counts_all_parts_of_a_run_and_leaves_room_for_one_more(tmp_path, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(training_strength.time, "monotonic", lambda: now[0])

    def passed(clock, seconds):
        now[0] += seconds
        clock.note(SimpleNamespace(seconds=seconds))

    clock = training_strength.Clock(tmp_path / "run", limit=10.0)
    now[0] += 50.0
    assert not clock.is_up(), "the first iteration is always done"
    now[0] -= 50.0
    passed(clock, 4.0)
    passed(clock, 2.0)
    assert not clock.is_up(), "6 seconds, and the longest iteration took 4"
    passed(clock, 0.5)
    assert clock.is_up()
    now[0] += 1_000.0  # nobody trains
    later = training_strength.Clock(tmp_path / "run", limit=10.0)
    assert later.seconds == 6.5
    passed(later, 3.0)
    assert later.is_up()


def result(wins, losses, as_first, as_second):
    """What the table needs of a match."""
    each = (arena.Score(*as_first), arena.Score(*as_second))
    return SimpleNamespace(score=arena.Score(wins, 0, losses), score_as=each.__getitem__)


def test_a_line_has_both_colours_and_the_last_one_the_medians():
    results = [
        result(9, 1, (5, 0, 0), (4, 0, 1)),
        result(4, 6, (4, 0, 1), (0, 0, 5)),
        result(8, 2, (5, 0, 0), (3, 0, 2)),
    ]
    runs = [training_strength.Trained(*each) for each in ((10, 700), (90, 100), (20, 200))]
    cells = [cell.strip() for cell in training_strength.row(7, runs[1], results[1]).split("|")]
    assert cells[1:4] == ["7", "90", "100"]
    assert [cell[:4] for cell in cells[4:7]] == [".400", ".800", ".000"]
    last = training_strength.medians(runs, results)
    assert last == "| median | 20 | 200 | .800 | 1.000 | .600 |"


def test_the_settings_are_those_of_the_readme():
    config = TrainingConfig.from_entries(training_strength.settings())
    assert config.game_options == {"size": 6, "in_a_row": 4}
    text = training_strength.README.read_text("utf-8")
    for name in ("heads", "num_iterations", "num_workers", "steps_per_iteration"):
        told = getattr(config, name)
        assert told != getattr(TrainingConfig(), name)
        assert f"\n{name} = {told!r}".replace("'", '"') in text
    assert config.self_play.gumbel is not None
