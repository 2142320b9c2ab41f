"""Any game trains: compiled or in plain Python, named by a position or by its file."""

import os
import warnings

import pytest

from mctslab import fast, games
from mctslab.__main__ import main
from mctslab.net import Gumbel, SelfPlayConfig, TrainingConfig, load_checkpoint, train
from mctslab.net.trainer import Trainer
from tests import forks
from tests.games.own_games import MISERE, DotsAndBoxes
from tests.net.runs import SMALL, numbers, same


class PlainFour(games.ConnectFour):
    """Connect Four whose rules nobody can compile."""

    def compilable(self):
        return None


class PlainReversi(games.Reversi):
    """Reversi on a small board passes often."""

    def compilable(self):
        return None


@pytest.mark.parametrize("gumbel", [None, Gumbel(num_considered=4)], ids=["visits", "gumbel"])
@pytest.mark.parametrize(
    ("compiled", "plain"),
    [
        (games.ConnectFour(rows=4, cols=5), PlainFour(rows=4, cols=5)),
        (games.Reversi(size=4), PlainReversi(size=4)),
    ],
    ids=["connect_four", "reversi"],
)
def test_a_game_in_plain_python_trains_the_same_net_as_its_compiled_self(compiled, plain, gumbel):
    playing = SelfPlayConfig(num_simulations=8, opening_plies=2, temperature_plies=4, gumbel=gumbel)
    nets = []
    for state in (compiled, plain):
        settings = SMALL | {"num_iterations": 3, "seed": 7}
        trainer = Trainer(TrainingConfig(game=state, self_play=playing, **settings))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", fast.SlowSearchWarning)
            while not trainer.is_done:
                trainer.iterate()
        nets.append(numbers(trainer.net))
    assert same(*nets)


def test_that_it_is_slow_is_said_with_the_reason():
    config = TrainingConfig(game=PlainFour(rows=4, cols=5), **SMALL)
    with pytest.warns(fast.SlowSearchWarning, match=r"plain Python \(Connect Four has no rules"):
        Trainer(config).iterate()


@pytest.mark.filterwarnings("ignore::mctslab.fast.SlowSearchWarning")
def test_a_game_whose_players_move_twice_in_a_row_is_trained_stopped_and_resumed(tmp_path):
    config = TrainingConfig(game=DotsAndBoxes(), **SMALL)
    assert config.game == "tests.games.own_games:DotsAndBoxes"
    whole = train(config, tmp_path / "whole")
    states = iter([False, False, True])
    train(config, tmp_path / "parts", stop=lambda: next(states))
    assert same(numbers(train(config, tmp_path / "parts").net), numbers(whole.net))


@pytest.mark.parametrize(
    "state",
    [
        *(games.make(name) for name in games.by_name()),
        games.Gomoku(size=6, in_a_row=4),
        games.ConnectFour(rows=4, cols=5),
        PlainReversi(size=6),
        DotsAndBoxes(),
    ],
    ids=repr,
)
def test_a_first_position_is_described_by_a_name_and_options(state):
    name, options = games.description(state)
    assert games.make(name, **options) == state
    config = TrainingConfig(game=state)
    assert (config.game, config.game_options) == (name, options)
    assert config.first_state() == state


def test_a_later_position_is_no_game():
    with pytest.raises(ValueError, match="expected a first position"):
        TrainingConfig(game=games.TicTacToe().child(4))


def test_options_beside_a_position_are_refused():
    with pytest.raises(ValueError, match="expected none beside a position"):
        TrainingConfig(game=games.Gomoku(size=6), game_options={"size": 7})


def train_in(folder, *arguments):
    os.chdir(folder)
    return main(["train", *arguments])


def test_a_game_in_a_file_is_trained_by_the_command_if_it_is_named_there(tmp_path):
    (tmp_path / "my_misere.py").write_text(MISERE, "utf-8")
    (tmp_path / "misere.toml").write_text(
        'game = "my_misere.py:Misere"\nnum_groups = 2\nnum_games = 8\nnum_iterations = 2\n'
        "positions_per_iteration = 40\nsteps_per_iteration = 2\nbatch_size = 8\nnum_filters = 4\n"
        "[self_play]\nnum_simulations = 4\n",
        "utf-8",
    )
    refused = forks.run(train_in, tmp_path, "misere.toml", "--out", "run")
    assert refused.returncode == 2
    assert "add `--game my_misere.py:Misere` to the command" in refused.stderr
    assert not (tmp_path / "run").exists()
    trained = forks.run(
        train_in, tmp_path, "misere.toml", "--out", "run", "--game", "my_misere.py:Misere"
    )
    assert trained.returncode == 0, trained.stderr
    assert "Misère is searched in plain Python" in trained.stderr
    kept = load_checkpoint(tmp_path / "run" / "checkpoint.safetensors")
    assert kept.about["game"] == "my_misere.py:Misere"
    with pytest.raises(ValueError, match="expected the name of a game of mctslab"):
        kept.first_state()


def test_a_file_that_is_not_there_and_a_name_that_is_taken(tmp_path):
    with pytest.raises(ValueError, match=r"There is no game 'nothing\.py:Hex'"):
        games.make("nothing.py:Hex")
    (tmp_path / "json.py").write_text(MISERE, "utf-8")
    with pytest.raises(ValueError, match="name of another module, json"):
        games.make(f"{tmp_path / 'json.py'}:Misere")
