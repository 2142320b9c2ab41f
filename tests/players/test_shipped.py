"""Which nets there are is told from the headers of their files, without PyTorch."""

import subprocess
import sys

import pytest

from mctslab.games import Gomoku, TicTacToe
from mctslab.net import NetConfig, PolicyValueNet
from mctslab.net import evaluator as net_evaluator
from mctslab.net.checkpoint import save_checkpoint
from mctslab.players.shipped import WEIGHTS, has_torch, header, shipped_nets


def save(folder, name, state, about=None):
    net = PolicyValueNet(NetConfig.for_game(state, num_filters=2, num_blocks=1, value_hidden=2))
    if about is None:
        about = {"game": "gomoku", "game_options": {"size": state.size, "in_a_row": state.in_a_row}}
    return save_checkpoint(folder / f"{name}.safetensors", net, about=about)


@pytest.fixture
def folder(tmp_path):
    for name in ("gomoku9_2", "gomoku9_10", "gomoku9_1"):
        save(tmp_path, name, Gomoku(size=9))
    save(tmp_path, "gomoku6_1", Gomoku(size=6, in_a_row=4))
    return tmp_path


def test_the_nets_of_a_board_and_rules_come_youngest_first(folder):
    found = shipped_nets(Gomoku(size=9).child(40).child(41), folder=folder)
    assert [each.name for each in found] == ["gomoku9_1", "gomoku9_2", "gomoku9_10"]
    assert found[0].first_state() == Gomoku(size=9)
    assert next(each.name for each in shipped_nets(folder=folder)) == "gomoku6_1"
    for state in (Gomoku(size=9, exactly_five=True), Gomoku(size=9, in_a_row=4), Gomoku(),
                  TicTacToe()):  # fmt: skip
        assert shipped_nets(state, folder=folder) == ()


def test_a_header_says_what_a_net_is(tmp_path):
    file = save(tmp_path, "named", Gomoku(size=6), about={"game": "gomoku", "seed": 7})
    assert (header(file)["about"]["seed"], header(file)["config"]["rows"]) == (7, 6)


def test_it_is_told_without_pytorch_and_where_the_nets_are_loaded_from():
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from mctslab import players\n"
        "print(players.has_torch(), *(each.name for each in players.shipped_nets()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    has, *names = done.stdout.split()
    assert (has, has_torch()) == ("False", True)
    assert WEIGHTS == net_evaluator.WEIGHTS
    assert tuple(sorted(names)) == net_evaluator.shipped_nets()
