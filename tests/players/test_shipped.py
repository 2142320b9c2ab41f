"""Which nets there are is told from the headers of their files, without PyTorch."""

import subprocess
import sys

import pytest
import torch

from mctslab import games
from mctslab.games import Gomoku, TicTacToe
from mctslab.net import NetConfig, PolicyValueNet, save_checkpoint
from mctslab.net import evaluator as net_evaluator
from mctslab.players.shipped import WEIGHTS, has_torch, header, shipped_nets


def save(folder, name, state, about=None):
    with torch.random.fork_rng(devices=[]):
        net = PolicyValueNet(NetConfig.for_game(state, num_filters=2, num_blocks=1, value_hidden=2))
    if about is None:
        about = {
            "game": "gomoku",
            "game_options": {"size": state.size, "in_a_row": state.in_a_row},
        }
    return save_checkpoint(folder / f"{name}.safetensors", net, about=about)


@pytest.fixture
def folder(tmp_path):
    for name, size, in_a_row in (
        ("gomoku9_2", 9, 5),
        ("gomoku9_10", 9, 5),
        ("gomoku9_1", 9, 5),
        ("gomoku6_1", 6, 4),
    ):
        save(tmp_path, name, Gomoku(size=size, in_a_row=in_a_row))
    return tmp_path


def test_the_nets_of_a_board_come_youngest_first(folder):
    found = shipped_nets(Gomoku(size=9), folder=folder)
    assert [each.name for each in found] == ["gomoku9_1", "gomoku9_2", "gomoku9_10"]
    assert found[0].first_state() == Gomoku(size=9)
    assert next(each.name for each in shipped_nets(folder=folder)) == "gomoku6_1"


def test_a_net_fits_its_own_board_and_rules_only(folder):
    for state in (Gomoku(size=9, exactly_five=True), Gomoku(size=9, in_a_row=4), Gomoku(),
                  TicTacToe()):  # fmt: skip
        assert shipped_nets(state, folder=folder) == ()
    assert len(shipped_nets(Gomoku(size=9).child(40).child(41), folder=folder)) == 3


def test_what_is_no_net_is_named(tmp_path):
    for content in (b"", b"\x05\0\0\0\0\0\0\0{}", b"\xff" * 30, b"12345678 this is no net"):
        (tmp_path / "odd.safetensors").write_bytes(content)
        with pytest.raises(ValueError, match=r"odd\.safetensors is not a file of a net of mctslab"):
            header(tmp_path / "odd.safetensors")
    (tmp_path / "odd.safetensors").unlink()
    save(tmp_path, "silent", Gomoku(size=6), about={})
    with pytest.raises(ValueError, match="does not name the game"):
        shipped_nets(folder=tmp_path)


def test_the_header_is_the_one_that_was_written(tmp_path):
    file = save(tmp_path, "net", Gomoku(size=6), about={"game": "gomoku", "seed": 7})
    assert header(file)["about"]["seed"] == 7
    assert header(file)["config"]["rows"] == 6


def test_they_lie_where_the_nets_are_loaded_from():
    assert WEIGHTS == net_evaluator.WEIGHTS
    assert tuple(sorted(each.name for each in shipped_nets())) == net_evaluator.shipped_nets()


def test_it_is_told_without_pytorch():
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from mctslab import players\n"
        "print(players.has_torch(), len(players.shipped_nets()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", str(len(shipped_nets()))]
    assert has_torch()
    assert games.make("gomoku").game == "gomoku"
