"""The log for TensorBoard, read back by TensorBoard's own reader."""

import sys

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from mctslab.__main__ import main_in_a_pipe
from mctslab.net.evaluation import Benchmark
from mctslab.net.run_folder import CHECKPOINT
from mctslab.net.run_log import TENSORBOARD, read_log, read_strength
from tests.net.runs import TOML, train_on

BENCHMARK = Benchmark(("random",), every=2, also_at=(0,), num_games=4, num_simulations=4)


def curves(folder):
    """What TensorBoard shows: for each name the (iteration, number) in the order of the file."""
    events = EventAccumulator(str(folder / TENSORBOARD), size_guidance={"scalars": 0}).Reload()
    tags = events.Tags()["scalars"]
    return {tag: [(each.step, each.value) for each in events.Scalars(tag)] for tag in tags}


def test_every_iteration_is_there_once_however_often_a_run_was_stopped(tmp_path):
    """Once its log is two iterations ahead of its checkpoint, as after it was killed."""
    kept = {"benchmark": BENCHMARK, "tensorboard": True}
    train_on(tmp_path, 2, **kept)
    older = (tmp_path / CHECKPOINT).read_bytes()
    train_on(tmp_path, 2, **kept)
    (tmp_path / CHECKPOINT).write_bytes(older)
    train_on(tmp_path, 9, **kept)
    shown, log = curves(tmp_path), read_log(tmp_path)
    names = ("value_loss", "game_length", "num_positions", "seconds")
    wanted = {
        f"training/{name}": [(line["number"], line[name]) for line in log if line[name] is not None]
        for name in names
    }
    wanted["strength/random"] = [(m.iteration, m.score.rate.value) for m in read_strength(tmp_path)]
    assert (len(log), len(wanted["strength/random"])) == (6, 4)
    for tag, points in wanted.items():  # event files hold numbers of 32 bits
        assert np.array(shown[tag]) == pytest.approx(np.array(points), rel=1e-6), tag


def test_the_command_keeps_one_where_it_can_unless_an_option_decides(tmp_path, monkeypatch, capsys):
    settings = tmp_path / "one.toml"
    settings.write_text(TOML.replace("num_iterations = 6", "num_iterations = 1"))

    def status(folder, *options):
        return main_in_a_pipe(["train", str(settings), "--out", str(tmp_path / folder), *options])

    assert (status("refused", "--no-tensorboard"), status("default")) == (0, 0)
    assert not (tmp_path / "refused" / TENSORBOARD).exists()
    assert [step for step, _ in curves(tmp_path / "default")["training/num_positions"]] == [1]

    for package in ("tensorboard", "torch.utils.tensorboard"):  # as if it were not installed
        monkeypatch.setitem(sys.modules, package, None)
    shown = capsys.readouterr()
    assert "iteration 1 of 1" in shown.err + shown.out  # a notebook shows it on the other stream
    file = tmp_path / "default" / CHECKPOINT
    assert f"All 1 iterations are done; the net is in {file}" in shown.out
    assert (status("missing", "--tensorboard"), status("without")) == (2, 0)
    assert capsys.readouterr().err.startswith(
        "mctslab: A log for TensorBoard needs the package tensorboard, which is not installed "
        "here: `python3 run.py python -m pip install tensorboard` installs it, and so does "
        "`pip install tensorboard`.\n"
    )
    assert not (tmp_path / "without" / TENSORBOARD).exists()
