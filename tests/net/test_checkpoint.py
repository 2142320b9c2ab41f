"""A file brings back the same net, and any other file is refused with a sentence.

Forged ones are in test_settings.py.
"""

import io
from pathlib import Path

import numpy as np
import pytest
import safetensors.torch
import torch
from hypothesis import given
from hypothesis import strategies as st

from mctslab import games
from mctslab.net.checkpoint import CheckpointError
from mctslab.net.checkpoint import load_checkpoint as load
from mctslab.net.checkpoint import save_checkpoint as save
from mctslab.net.encode import InputPlanes
from mctslab.net.evaluator import NetEvaluator
from mctslab.net.model import NetConfig, PolicyValueNet
from tests.net.nets import lively_net
from tests.net.runs import numbers, same

ABOUT = {
    "game": "gomoku",
    "game_options": {"size": 6, "in_a_row": 4},
    "step": 1200,
    "generator": np.random.default_rng(3).bit_generator.state,
}


def test_the_net_comes_back_to_the_last_bit(net, tmp_path):
    extra = {"optimizer.0.step": torch.tensor(7.0), "window": torch.arange(12, dtype=torch.uint8)}
    read = load(save(tmp_path / "a.safetensors", net.train(), about=ABOUT, tensors=extra))
    assert read.net.config == net.config
    assert same(numbers(read.net), numbers(net))
    assert not read.net.training
    assert read.about == ABOUT
    assert read.about["generator"]["state"]["state"] > 1 << 64
    first_state = NetEvaluator(read.net, about=read.about).first_state()
    assert first_state == games.Gomoku(size=6, in_a_row=4)
    tensors = {name: tensor.tolist() for name, tensor in read.tensors.items()}
    assert tensors == {"optimizer.0.step": 7.0, "window": list(range(12))}
    config = NetConfig(
        4, 5, 7, inputs=InputPlanes(3, False, True), num_filters=6, num_blocks=0, value_hidden=9
    )
    assert load(save(tmp_path / "b", PolicyValueNet(config))).net.config == config


# Files that are no good


def refused(file):
    with pytest.raises(CheckpointError) as caught:
        load(file)
    assert str(file) in str(caught.value)
    return str(caught.value)


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    config = NetConfig(3, 3, 9, num_filters=2, num_blocks=1, value_hidden=2)
    file = tmp_path_factory.mktemp("good") / "a.safetensors"
    return save(file, lively_net(config), about={"game": "tictactoe"}).read_bytes()


@given(data=st.data())
def test_a_file_that_was_cut_short_is_refused(good, tmp_path_factory, data):
    file = tmp_path_factory.mktemp("bad") / "a.safetensors"
    file.write_bytes(good[: data.draw(st.integers(0, len(good) - 1))])
    assert "cannot be read" in refused(file)


class Trap:
    """What a pickle could do: leave a file."""

    def __reduce__(self):
        return (Path("trapped").touch, ())


@pytest.mark.parametrize("kind", ["trap of torch", "other numbers"])
def test_a_file_of_another_program_is_refused_and_nothing_in_it_runs(tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    torch.save({"net": Trap()}, written := io.BytesIO())
    file = tmp_path / "a.safetensors"
    file.write_bytes(
        {
            "trap of torch": written.getvalue(),
            "other numbers": safetensors.torch.save({"weight": torch.zeros(3)}),
        }[kind]
    )
    assert ("not written by mctslab" if kind == "other numbers" else "cannot be read") in refused(
        file
    )
    assert [each.name for each in tmp_path.iterdir()] == [file.name]
