"""A file brings back the same net, and any other file is refused with a sentence."""

import json
import pickle
import struct
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import safetensors.torch
import torch
from hypothesis import given
from hypothesis import strategies as st

from mctslab import games, typed
from mctslab.net import checkpoint
from mctslab.net.checkpoint import CheckpointError
from mctslab.net.checkpoint import load_checkpoint as load
from mctslab.net.checkpoint import save_checkpoint as save
from mctslab.net.encode import InputPlanes
from mctslab.net.model import NetConfig, PolicyValueNet
from tests.net.nets import lively_net

ABOUT = {
    "game": "gomoku",
    "game_options": {"size": 6, "in_a_row": 4},
    "step": 1200,
    "seed": 3,
    "generator": np.random.default_rng(3).bit_generator.state,
}
PLANES = torch.rand(5, 4, 6, 6, generator=torch.Generator().manual_seed(1))


def answers(net):
    with torch.no_grad():
        return [answer.numpy() for answer in net(PLANES)]


def test_the_net_comes_back_to_the_last_bit(net, tmp_path):
    extra = {"optimizer.0.step": torch.tensor(7.0), "window": torch.arange(12, dtype=torch.uint8)}
    read = load(save(tmp_path / "a.safetensors", net, about=ABOUT, tensors=extra))

    assert read.net.config == net.config
    for ours, theirs in zip(answers(read.net), answers(net), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert read.about == ABOUT
    assert read.about["generator"]["state"]["state"] > 1 << 64
    assert read.first_state() == games.Gomoku(size=6, in_a_row=4)
    assert {name: tensor.tolist() for name, tensor in read.tensors.items()} == {
        "optimizer.0.step": 7.0,
        "window": list(range(12)),
    }


def test_every_part_of_a_configuration_is_kept(tmp_path):
    config = NetConfig(4, 5, 7, InputPlanes(3, False, True), 6, 0, 9)
    assert load(save(tmp_path / "a", PolicyValueNet(config))).net.config == config


def test_a_net_that_was_read_is_ready_to_evaluate(net, tmp_path):
    assert not load(save(tmp_path / "a", net.train())).net.training


def test_the_file_is_one_that_others_can_read(net, tmp_path):
    file = save(tmp_path / "a.safetensors", net, about=ABOUT)
    length = struct.unpack("<Q", file.read_bytes()[:8])[0]
    header = json.loads(file.read_bytes()[8 : 8 + length])
    assert json.loads(header["__metadata__"]["mctslab"])["about"]["step"] == 1200
    assert header["net.stem.convolution.weight"]["shape"] == [8, 4, 3, 3]


def test_the_same_net_is_always_the_same_file(net, tmp_path):
    """safetensors itself puts the metadata in any order: one time in two another file."""
    contents = {save(tmp_path / "a", net, about=ABOUT).read_bytes() for _ in range(12)}
    (content,) = contents
    length = struct.unpack("<Q", content[:8])[0]

    assert length % 8 == 0, "where the numbers begin"
    assert list(json.loads(content[8 : 8 + length])["__metadata__"]) == ["mctslab", "sha256"]


def test_nothing_else_stays_in_the_folder(net, tmp_path):
    save(tmp_path / "a.safetensors", net)
    save(tmp_path / "a.safetensors", net)
    assert [file.name for file in tmp_path.iterdir()] == ["a.safetensors"]


# Files that are no good


def refused(file: Path) -> str:
    with pytest.raises(CheckpointError) as caught:
        load(file)
    assert str(file) in str(caught.value)
    return str(caught.value)


@pytest.fixture(scope="module")
def good(tmp_path_factory) -> bytes:
    config = NetConfig(3, 3, 9, num_filters=2, num_blocks=1, value_hidden=2)
    file = tmp_path_factory.mktemp("good") / "a.safetensors"
    return save(file, lively_net(config), about={"game": "tictactoe"}).read_bytes()


@given(data=st.data())
def test_a_file_that_was_cut_short_is_refused(good, tmp_path_factory, data):
    length = data.draw(st.integers(0, len(good) - 1))
    file = tmp_path_factory.mktemp("cut") / "a.safetensors"
    file.write_bytes(good[:length])
    assert "cannot be read" in refused(file)


@given(data=st.data())
def test_a_file_with_one_wrong_bit_is_refused(good, tmp_path_factory, data):
    place = data.draw(st.integers(0, len(good) - 1))
    changed = bytearray(good)
    changed[place] ^= 1 << data.draw(st.integers(0, 7))
    file = tmp_path_factory.mktemp("bit") / "a.safetensors"
    file.write_bytes(changed)
    refused(file)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0" * 100,
        b"\xff" * 100,
        b"{}",
        b"\x89PNG\r\n",
        pickle.dumps([1, 2]),
        b"\2" + b"\0" * 7,
    ],
)
def test_a_foreign_file_is_refused(tmp_path, content):
    file = tmp_path / "a.safetensors"
    file.write_bytes(content)
    assert "cannot be read as a safetensors file" in refused(file)


class Trap:
    """What a hostile file would be: unpickled, it runs a command."""

    def __init__(self, made: Path) -> None:
        self.made = made

    def __reduce__(self):
        return Path.touch, (self.made,)


def test_a_file_of_pytorchs_own_kind_is_not_unpickled(tmp_path):
    file, made = tmp_path / "a.safetensors", tmp_path / "trap"
    torch.save({"net": Trap(made)}, file)
    refused(file)
    assert not made.exists()


def test_numbers_of_another_program_are_refused(tmp_path):
    file = tmp_path / "a.safetensors"
    safetensors.torch.save_file({"weight": torch.zeros(3)}, file)
    assert "not written by mctslab" in refused(file)


def write_with(file: Path, net: PolicyValueNet, header: dict) -> Path:
    """A file whose digest is right and whose header is not what `save` writes."""
    numbers = {f"net.{name}": tensor for name, tensor in net.state_dict().items()}
    text = json.dumps(header)
    metadata = {"mctslab": text, "sha256": checkpoint._digest(text, numbers)}
    safetensors.torch.save_file(numbers, file, metadata)
    return file


def header_of(net: PolicyValueNet) -> dict:
    return json.loads(checkpoint._header(net.config, {}))


def test_a_configuration_of_another_net_is_refused(net, tmp_path):
    header = header_of(net)
    header["config"]["num_blocks"] = 5
    assert "is inconsistent" in refused(write_with(tmp_path / "a", net, header))


def test_a_file_of_a_newer_program_is_refused(net, tmp_path):
    header = header_of(net)
    header["format"] = 99
    assert "written by a newer mctslab" in refused(write_with(tmp_path / "a", net, header))


@pytest.mark.parametrize("missing", ["config", "about", "versions"])
def test_a_header_without_its_parts_is_refused(net, tmp_path, missing):
    header = header_of(net)
    del header[missing]
    assert "is inconsistent" in refused(write_with(tmp_path / "a", net, header))


def test_no_file_is_an_error_that_names_it(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nothing\.safetensors"):
        load(tmp_path / "nothing.safetensors")


def test_what_json_cannot_hold_is_refused_before_anything_is_written(net, tmp_path):
    for about in ({"seed": {1, 2}}, {"loss": float("nan")}):
        with pytest.raises(ValueError, match="cannot be written as JSON"):
            save(tmp_path / "a", net, about=about)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("about", "sentence"),
    [
        ({}, "The entry game is missing"),
        ({"game": "chess"}, "There is no game 'chess'"),
        ({"game": "gomoku", "game_options": {"sides": 6}}, "cannot be set up"),
        ({"game": "gomoku", "game_options": {"size": 9}}, "another board"),
        ({"game": "tictactoe"}, "another board"),
    ],
)
def test_a_net_without_its_game_says_so(net, tmp_path, about, sentence):
    read = load(save(tmp_path / "a", net, about=about))
    with pytest.raises(CheckpointError, match=sentence):
        read.first_state()


# Being stopped


def test_when_the_disk_is_full_the_old_file_stays(net, tmp_path, monkeypatch):
    file = save(tmp_path / "a", net, about=ABOUT)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(typed.os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        save(file, net, about={"step": 2})
    assert load(file).about == ABOUT
    assert [each.name for each in tmp_path.iterdir()] == ["a"]


WRITER = """
import sys, torch
from mctslab import games, typed
from mctslab.net.checkpoint import save_checkpoint
from mctslab.net.model import NetConfig, PolicyValueNet
net = PolicyValueNet(NetConfig.for_game(games.Gomoku(size=6, in_a_row=4)))
step = 0
while True:
    save_checkpoint(sys.argv[1], net, about={"step": step})
    step += 1
    print(step, flush=True)
"""


def test_a_program_that_is_killed_while_writing_leaves_a_whole_file(tmp_path):
    file = tmp_path / "a.safetensors"
    for attempt in range(3):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, file], stdout=subprocess.PIPE, text=True
        )
        writer.stdout.readline()
        time.sleep(0.1 * attempt + 0.013)
        writer.kill()
        written = int(("0" + writer.communicate()[0]).split()[-1])
        assert load(file).about["step"] >= written - 1
