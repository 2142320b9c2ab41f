"""Any game trains: compiled or in plain Python, named by a position or by its file."""

import os

import pytest

from mctslab import fast, games
from mctslab.__main__ import main
from mctslab.net import NetEvaluator, SelfPlayConfig, TrainingConfig, load_checkpoint
from mctslab.net.training import Run, alphazero
from tests import forks
from tests.games.own_games import MISERE, DotsAndBoxes
from tests.net.runs import SMALL, TOML, is_as, numbers, same, train_in_parts
from tests.notebooks.reading import NOTEBOOKS, hex_file, written_files

pytestmark = pytest.mark.filterwarnings("ignore::mctslab.fast.SlowSearchWarning")

WRITTEN = written_files(next(path for path in NOTEBOOKS if path.stem == "15_breakthrough"))
HEX = hex_file().replace("size: int = 5", "size: int = 3")
BREAKTHROUGH = WRITTEN["my_breakthrough.py"].replace("ROWS, COLS = 8, 8", "ROWS, COLS = 5, 4")
PASSES = '''
"""Reversi on a small board, where passes are common."""

from mctslab.games import Reversi


class Small(Reversi):
    game = "small_reversi"

    def __init__(self):
        super().__init__(size=4)
'''


FILES = {"hex": (HEX, "Hex"), "passes": (PASSES, "Small")}
"""The text of a file, and the class, whose rules can be compiled."""


def made(file, text, kind):
    """The first position of the game in a file."""
    file.write_text(text, "utf-8")
    return games.make(f"{file}:{kind}")


def trained(state, **playing):
    """The numbers of a net after two tiny iterations."""
    config = TrainingConfig(
        game=state,
        self_play=SelfPlayConfig(num_simulations=6, temperature_plies=4, **playing),
        **SMALL | {"num_iterations": 2, "replay_capacity": 200},
    )
    assert config.first_state() == state
    run = Run(config)
    assert len(list(alphazero(run))) == 2
    return numbers(run.net)


@pytest.mark.parametrize("name", FILES)
def test_a_game_in_a_file_trains_the_same_net_compiled_and_not(name, tmp_path):
    text, kind = FILES[name]
    plain = f"{text}\n\nclass Plain({kind}):\n    def compilable(self):\n        return None\n"
    compiled = made(tmp_path / f"own_{name}.py", text, kind)
    readable = made(tmp_path / f"plain_{name}.py", plain, "Plain")
    assert [fast.why_not(each) == "" for each in (compiled, readable)] == [True, False]
    assert same(*(trained(state, opening_plies=2) for state in (compiled, readable)))


def test_a_game_whose_actions_are_not_squares_is_trained(tmp_path):
    net = trained(made(tmp_path / "own_breakthrough.py", BREAKTHROUGH, "Breakthrough"))
    assert net["policy_head.linear.weight"].shape[0] == 3 * 5 * 4


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
    assert "Misère is searched in plain Python" in trained.stderr
    kept = load_checkpoint(tmp_path / "run" / "checkpoint.safetensors")
    assert kept.about["game"] == "my_misere.py:Misere"
    with pytest.raises(ValueError, match="expected the name of a game of mctslab"):
        NetEvaluator(kept.net, about=kept.about).first_state()
