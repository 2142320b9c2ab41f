"""The log for TensorBoard, read back by TensorBoard's own reader."""

import math
import sys

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from mctslab.__main__ import main_in_a_pipe
from mctslab.net.evaluation import Benchmark
from mctslab.net.training import TENSORBOARD, read_log, read_strength, train
from tests.net.runs import config

BENCHMARK = Benchmark(("random",), every=2, also_at=(0,), num_games=4, num_simulations=4)


def curves(folder):
    """What TensorBoard shows: for each name the (iteration, number) in the order of the file."""
    events = EventAccumulator(str(folder / TENSORBOARD), size_guidance={"scalars": 0})
    events.Reload()
    return {
        tag: [(event.step, event.value) for event in events.Scalars(tag)]
        for tag in events.Tags()["scalars"]
    }


def close(one, other):
    """Event files hold numbers of 32 bits."""
    return len(one) == len(other) and all(
        step == number and math.isclose(value, wanted, rel_tol=1e-6)
        for (step, value), (number, wanted) in zip(one, other, strict=True)
    )


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A run that was stopped twice, and each time after its log had got ahead."""
    folder, done = tmp_path_factory.mktemp("kept"), []
    for until in (2, 3, 9):
        train(
            config(),
            folder,
            progress=done.append,
            stop=lambda until=until: len(done) >= until,
            benchmark=BENCHMARK,
            tensorboard=True,
        )
    return folder


def test_every_iteration_is_there_once_however_often_a_run_was_stopped(kept):
    shown = curves(kept)
    log = read_log(kept)
    assert len(log) == 6
    for name, tag in (
        ("value_loss", "loss/value"),
        ("policy_loss", "loss/policy"),
        ("game_length", "self-play/game length"),
        ("num_positions", "self-play/positions"),
        ("training_seconds", "time/of learning"),
    ):
        assert close(
            shown[tag],
            [(each["number"], each[name]) for each in log if each[name] is not None],
        ), tag
    assert close(
        shown["strength/random"],
        [(each.iteration, each.score.rate.value) for each in read_strength(kept)],
    )
    assert len(shown["strength/random"]) == 4


def test_there_is_one_file_and_its_clock_counts_training_alone(kept):
    (file,) = (kept / TENSORBOARD).iterdir()
    events = EventAccumulator(str(file), size_guidance={"scalars": 0})
    events.Reload()
    times = [event.wall_time for event in events.Scalars("time/seconds")]
    seconds = [each["seconds"] for each in read_log(kept)]
    assert [later - times[0] for later in times] == pytest.approx(
        [sum(seconds[1 : number + 1]) for number in range(6)], abs=1e-3
    )


def test_without_the_option_there_is_none(tmp_path):
    train(config(num_iterations=1), tmp_path)
    assert not (tmp_path / TENSORBOARD).exists()


def test_the_command_keeps_one_where_it_can_unless_an_option_decides(tmp_path, monkeypatch, capsys):
    settings = tmp_path / "one.toml"
    settings.write_text(
        "num_games = 2\npositions_per_iteration = 4\nnum_iterations = 1\n"
        "num_filters = 2\nnum_blocks = 1\n[self_play]\nnum_simulations = 2"
    )

    def status(folder, *options):
        words = ["train", str(settings), "--out", str(tmp_path / folder), *options]
        return main_in_a_pipe(words)

    assert (status("refused", "--no-tensorboard"), status("default")) == (0, 0)
    assert not (tmp_path / "refused" / TENSORBOARD).exists()
    assert [step for step, _ in curves(tmp_path / "default")["self-play/positions"]] == [1]

    for package in ("tensorboard", "torch.utils.tensorboard"):  # as if it were not installed
        monkeypatch.setitem(sys.modules, package, None)
    capsys.readouterr()
    assert (status("missing", "--tensorboard"), status("without")) == (2, 0)
    assert capsys.readouterr().err.startswith(
        "mctslab: A log for TensorBoard needs the package tensorboard, which is not installed "
        "here: `python3 run.py python -m pip install tensorboard` installs it, and so does "
        "`pip install tensorboard`.\n"
    )
    assert not (tmp_path / "without" / TENSORBOARD).exists()
