"""A training run: the same settings make the same net, however often it was stopped on the way."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from filelock import FileLock

from mctslab.net.checkpoint import CheckpointError, load_checkpoint, save_checkpoint
from mctslab.net.encode import InputPlanes
from mctslab.net.self_play import SelfPlayConfig
from mctslab.net.trainer import Trainer
from mctslab.net.training import CHECKPOINT, LOG, FolderInUseError, read_log, train
from mctslab.net.training_config import TrainingConfig
from mctslab.search import DirichletNoise, puct

SMALL = {
    "num_filters": 4,
    "num_blocks": 1,
    "value_hidden": 4,
    "num_games": 6,
    "num_iterations": 6,
    "positions_per_iteration": 40,
    "steps_per_iteration": 2,
    "batch_size": 8,
    "replay_capacity": 90,  # fewer than are played, so that old ones go
}


def config(**changes):
    playing = SelfPlayConfig(num_simulations=6, opening_plies=2, temperature_plies=4)
    return TrainingConfig(**{**SMALL, "self_play": playing, **changes})


def numbers(net):
    return {name: tensor.clone() for name, tensor in net.state_dict().items()}


def same(one, other):
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


def without_times(log):
    return [{k: v for k, v in each.items() if not k.endswith("seconds")} for each in log]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a run that nobody has stopped, and its net."""
    folder = tmp_path_factory.mktemp("whole")
    return folder, numbers(train(config(), folder).net)


def test_a_run_leaves_its_net_and_its_log(whole):
    folder, net = whole
    kept = load_checkpoint(folder / CHECKPOINT)
    assert same(numbers(kept.net), net)
    assert kept.first_state() == config().first_state()
    assert kept.about["iterations"] == 6
    log = read_log(folder)
    assert [each["number"] for each in log] == [1, 2, 3, 4, 5, 6]
    assert [each["num_positions"] for each in log] == sorted(each["num_positions"] for each in log)
    assert log[0]["learning_rate"] == 3e-3
    assert log[-1]["learning_rate"] == pytest.approx(3e-4)
    assert log[-1]["value_loss"] > 0
    assert sum(each["num_games"] for each in log) > 5


def test_the_same_settings_make_the_same_net_and_another_seed_another(whole, tmp_path):
    folder, net = whole
    torch.manual_seed(12345)  # what others draw from PyTorch is of no concern
    assert same(numbers(train(config(), tmp_path / "again").net), net)
    assert without_times(read_log(tmp_path / "again")) == without_times(read_log(folder))
    assert not same(numbers(train(config(seed=2), tmp_path / "other").net), net)


@pytest.mark.parametrize("length", [1, 2, 4])
def test_a_run_that_is_stopped_now_and_then_ends_with_the_same_net(whole, tmp_path, length):
    folder, net = whole
    done = []
    while not (trainer := stopped_after(length, tmp_path, done)).is_done:
        assert len(read_log(tmp_path)) == trainer.num_iterations
    assert same(numbers(trainer.net), net)
    assert without_times(read_log(tmp_path)) == without_times(read_log(folder))
    assert len(done) == 6


def stopped_after(length, folder, done):
    until = len(done) + length
    return train(config(), folder, progress=done.append, stop=lambda: len(done) >= until)


def test_a_run_that_is_done_has_nothing_left_to_do(whole, tmp_path):
    _, net = whole
    train(config(), tmp_path)
    done = []
    assert same(numbers(train(config(), tmp_path, progress=done.append).net), net)
    assert not done


def test_the_optimiser_has_the_learning_rate_of_the_iteration():
    trainer = Trainer(config(positions_per_iteration=120))
    for number in range(3):
        assert trainer.iterate().learning_rate == config().learning_rate_at(number)
        rates = {group["lr"] for group in trainer._optimizer.param_groups}
        assert rates == {config().learning_rate_at(number)}


def test_a_run_learns():
    """From log 36 = 3.58, of a net that knows nothing, towards what its searches have found."""
    settings = config(
        num_filters=16, positions_per_iteration=300, steps_per_iteration=40, batch_size=32,
        replay_capacity=3_000,
    )  # fmt: skip
    trainer = Trainer(settings)
    losses = [trainer.iterate().policy_loss for _ in range(6)]
    assert losses[-1] < 3.4


TOML = """
num_filters = 4
num_blocks = 1
value_hidden = 4
num_games = 6
num_iterations = 6
positions_per_iteration = 40
steps_per_iteration = 2
batch_size = 8
replay_capacity = 90

[self_play]
num_simulations = 6
opening_plies = 2
temperature_plies = 4
"""


def command(folder, file):
    return [sys.executable, "-m", "mctslab", "train", str(file), "--out", str(folder)]


@pytest.mark.slow
def test_a_run_that_is_killed_at_any_moment_ends_with_the_same_net(whole, tmp_path):
    """By the signal that no program hears of; the folder is whole at every moment."""
    folder, net = whole
    file = tmp_path / "small.toml"
    file.write_text(TOML)
    for delay in (0.0, 0.02, 0.05, 0.1, 0.15, 0.2):
        running = subprocess.Popen(
            command(tmp_path / "run", file), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        before = iterations(tmp_path / "run")
        while iterations(tmp_path / "run") == before and running.poll() is None:
            time.sleep(0.005)
        time.sleep(delay)
        running.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
        running.wait()
        if (tmp_path / "run" / CHECKPOINT).exists():  # not yet, if the first iteration was cut off
            load_checkpoint(tmp_path / "run" / CHECKPOINT)
    done = subprocess.run(
        command(tmp_path / "run", file), capture_output=True, text=True, check=True
    )
    assert "All 6 iterations are done" in done.stdout
    assert same(numbers(load_checkpoint(tmp_path / "run" / CHECKPOINT).net), net)
    assert without_times(read_log(tmp_path / "run")) == without_times(read_log(folder))


def iterations(folder):
    return len(read_log(folder))


def test_half_a_line_and_a_line_without_its_checkpoint_are_taken_out(whole, tmp_path):
    folder, _ = whole
    stopped_after(2, tmp_path, [])
    lines = (folder / LOG).read_text().splitlines(keepends=True)
    (tmp_path / LOG).write_text("".join(lines[:3]) + lines[3][:20])
    train(config(), tmp_path)
    assert [each["number"] for each in read_log(tmp_path)] == [1, 2, 3, 4, 5, 6]


def test_other_settings_are_refused_and_named(tmp_path):
    stopped_after(1, tmp_path, [])
    before = (tmp_path / CHECKPOINT).read_bytes()
    with pytest.raises(ValueError, match="batch_size is 8 there, not 9"):
        train(config(batch_size=9), tmp_path)
    assert (tmp_path / CHECKPOINT).read_bytes() == before


def test_a_folder_where_somebody_trains_is_refused(tmp_path):
    with FileLock(tmp_path / ".lock"), pytest.raises(FolderInUseError, match="Another program"):
        train(config(), tmp_path)


def test_a_damaged_checkpoint_is_refused_and_stays(tmp_path):
    stopped_after(1, tmp_path, [])
    file = tmp_path / CHECKPOINT
    content = file.read_bytes()
    file.write_bytes(content[:-100])
    with pytest.raises(CheckpointError, match="cut short"):
        train(config(), tmp_path)
    assert file.read_bytes() == content[:-100]


def test_a_net_alone_is_no_run(tmp_path):
    trainer = Trainer(config())
    save_checkpoint(tmp_path / CHECKPOINT, trainer.net)
    with pytest.raises(CheckpointError, match="no training run to go on with"):
        Trainer.resume(tmp_path / CHECKPOINT)


def test_a_full_disk_loses_no_more_than_the_iteration(tmp_path, monkeypatch):
    stopped_after(2, tmp_path, [])
    before = (tmp_path / CHECKPOINT).read_bytes()

    def full(*arguments):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as context:
        context.setattr("mctslab.net.checkpoint.os.fsync", full)
        with pytest.raises(OSError, match="No space left"):
            train(config(), tmp_path)
    assert (tmp_path / CHECKPOINT).read_bytes() == before
    assert train(config(), tmp_path).is_done


# Settings


def test_settings_are_read_back_from_json_and_toml(tmp_path):
    unusual = TrainingConfig(
        game="reversi",
        game_options={"size": 4},
        inputs=InputPlanes(history=2),
        self_play=SelfPlayConfig(noise=None, selection=puct(2.0, c_base=100.0, fpu="parent")),
    )
    for each in (TrainingConfig(), config(), unusual):
        assert TrainingConfig.from_entries(json.loads(json.dumps(each.entries()))) == each
    (tmp_path / "small.toml").write_text(TOML)
    assert TrainingConfig.from_toml(tmp_path / "small.toml") == config()
    (tmp_path / "noise.toml").write_text("[self_play.noise]\nalpha = 1.5")
    noise = TrainingConfig.from_toml(tmp_path / "noise.toml").self_play.noise
    assert noise == DirichletNoise(alpha=1.5)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("num_game = 3", "no setting num_game; known are game"),
        ("[self_play]\nsimulations = 3", "no setting self_play.simulations"),
        ("self_play = 3", "self_play=3 is no table"),
        ("batch_size = 0", "batch_size=0"),
        ("batch_size = 1.5", "batch_size=1.5"),
        ("learning_rate = 0", "learning_rate=0"),
        ("weight_decay = -1", "weight_decay=-1"),
        ("seed = -1", "seed=-1"),
        ('game = "chess"', "chess"),
        ('game = "tictactoe"', "gomoku|no such options"),
        ("num_games = ", "is no TOML"),
        ("num_filters = 0", "num_filters=0"),
    ],
)
def test_settings_that_cannot_be_are_named(tmp_path, capsys, text, words):
    from mctslab.__main__ import main

    file = tmp_path / "wrong.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=words):
        TrainingConfig.from_toml(file)
    assert main(["train", str(file), "--out", str(tmp_path / "run")]) == 2
    assert capsys.readouterr().err.startswith("train: ")
    assert not (tmp_path / "run").exists()


def test_the_learning_rate_falls_along_half_a_cosine():
    settings = config(num_iterations=5, learning_rate=1.0, final_learning_rate=0.2)
    rates = [settings.learning_rate_at(number) for number in range(5)]
    assert rates == pytest.approx([1.0, 0.882843, 0.6, 0.317157, 0.2], abs=1e-6)


def test_the_command_says_how_far_it_is(tmp_path, capsys):
    from mctslab.__main__ import main

    file = tmp_path / "small.toml"
    file.write_text(TOML)
    assert main(["train", str(file), "--out", str(tmp_path / "run")]) == 0
    shown = capsys.readouterr()
    assert "iteration 6 of 6" in shown.err + shown.out  # a notebook shows it on the other stream
    assert f"the net is in {Path(tmp_path / 'run' / CHECKPOINT)}" in shown.out
