"""Any game trains: compiled or in plain Python, named by a position or by its file."""

import os

import pytest

from mctslab import games
from mctslab.__main__ import main
from mctslab.net import NetEvaluator, SelfPlayConfig, TrainingConfig, load_checkpoint
from tests import forks
from tests.games.own_games import MISERE, DotsAndBoxes
from tests.net.runs import SMALL, TOML, is_as, train_in_parts

pytestmark = pytest.mark.filterwarnings("ignore::mctslab.fast.SlowSearchWarning")


def test_a_game_whose_players_move_twice_in_a_row_is_trained_stopped_and_resumed(tmp_path):
    small = SMALL | {"num_games": 2, "num_iterations": 3}
    config = TrainingConfig(game=DotsAndBoxes(), self_play=SelfPlayConfig(6), **small)
    assert config.game == "tests.games.own_games:DotsAndBoxes"
    for folder, length in (("whole", 9), ("parts", 2)):
        train_in_parts(tmp_path / folder, config, length)

    assert is_as(tmp_path / "parts", tmp_path / "whole")


def test_what_is_no_first_position_is_refused(tmp_path):
    with pytest.raises(ValueError, match="expected a first position"):
        TrainingConfig(game=games.TicTacToe().child(4))
    with pytest.raises(ValueError, match="expected none beside a position"):
        TrainingConfig(game=games.Gomoku(size=6), game_options={"size": 7})
    with pytest.raises(ValueError, match=r"There is no game 'nothing\.py:Hex'"):
        games.make("nothing.py:Hex")
    (tmp_path / "json.py").write_text(MISERE, "utf-8")
    with pytest.raises(ValueError, match="name of another module, json"):
        games.make(f"{tmp_path / 'json.py'}:Misere")


def train_in(folder, *arguments):
    os.chdir(folder)
    return main(["train", "misere.toml", "--out", "run", "--workers", "1", *arguments])


def test_a_game_in_a_file_is_trained_by_the_command_if_it_is_named_there(tmp_path):
    (tmp_path / "my_misere.py").write_text(MISERE, "utf-8")
    once = TOML.replace("num_iterations = 6", "num_iterations = 1")
    toml = f'game = "my_misere.py:Misere"\n{once}'
    (tmp_path / "misere.toml").write_text(toml, "utf-8")
    refused = forks.run(train_in, tmp_path)
    assert refused.returncode == 2
    assert "add `--game my_misere.py:Misere` to the command" in refused.stderr
    assert not (tmp_path / "run").exists()
    trained = forks.run(train_in, tmp_path, "--game", "my_misere.py:Misere")
    assert trained.returncode == 0, trained.stderr
    assert "The readable search is used: Misère" in trained.stderr
    kept = load_checkpoint(tmp_path / "run" / "checkpoint.safetensors")
    assert kept.about["game"] == "my_misere.py:Misere"
    with pytest.raises(ValueError, match="expected the name of a game of mctslab"):
        NetEvaluator(kept.net, about=kept.about).first_state()
