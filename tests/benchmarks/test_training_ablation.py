"""The comparison of ways of self-play keeps to its time, and goes on where it was."""

import json

import pytest

from tests.benchmarks import training_ablation

SMALL = {"num_filters": 4, "num_blocks": 1, "num_games": 8, "batch_size": 8}
SMALL |= {"num_iterations": 3, "steps_per_iteration": 2}
WORDS = ["--games", "4", "--simulations", "4", "--rollouts", "40", "--seeds", "1", "2"]


@pytest.fixture
def compare(tmp_path, monkeypatch, capsys):
    """A function that runs the command; what it has stored, and what it printed."""
    monkeypatch.setattr(training_ablation, "SHARED", SMALL)
    monkeypatch.setattr(training_ablation, "SAMPLES", 32)
    file = tmp_path / "found.json"

    def run(*words):
        monkeypatch.setattr("sys.argv", ["", "--json", str(file), *WORDS, *words])
        training_ablation.main()
        return json.loads(file.read_text()), capsys.readouterr().out

    return run


def test_all_variants_are_trained_and_measured_once(compare, monkeypatch):
    stored, printed = compare()
    runs = stored["runs"]
    variants = list(training_ablation.VARIANTS)
    assert [(each["variant"], each["seed"]) for each in runs] == [
        (variant, seed) for seed in (1, 2) for variant in variants
    ]
    assert all(sum(each["as_first"]) == sum(each["as_second"]) == 2 for each in runs)
    assert all(each["num_iterations"] == 3 and each["seconds"] > 0 for each in runs)
    assert all(variant in printed for variant in variants)
    # A cap of a quarter plays four times as many moves for as many samples.
    positions = {each["variant"]: each["num_positions"] for each in runs}
    assert positions["playout cap, 96 or 16"] >= 3 * 128 > positions["64 simulations"] >= 3 * 32
    monkeypatch.setattr(training_ablation, "train", None)
    assert compare() == (stored, printed)


def test_a_run_whose_time_is_up_ends(compare, monkeypatch):
    monkeypatch.setattr(training_ablation, "SHARED", SMALL | {"num_iterations": 100_000})
    stored, _ = compare("--seconds", "1.5", "--variants", "Gumbel, 16", "--seeds", "1")
    (run,) = stored["runs"]
    assert 0 < run["num_iterations"] < 100_000
