"""Settings and checkpoints from outside: a wrong entry is refused in a sentence that names it."""

import datetime
import json
import math
from dataclasses import asdict, fields
from pathlib import Path

import pytest
import safetensors.torch
import torch

from mctslab import games
from mctslab.__main__ import main
from mctslab.games import Gomoku
from mctslab.net import Benchmark, Gate, NetConfig, TrainingConfig
from mctslab.net.checkpoint import CheckpointError, load_checkpoint, save_checkpoint
from mctslab.net.evaluator import load
from mctslab.net.run_folder import train
from mctslab.net.training_config import Gumbel, SelfPlayConfig
from mctslab.search.selection import PUCT
from tests.net.nets import lively_net

WRONG = (
    None, True, False, -1, 0, 1.5, -0.5, math.nan, math.inf, -math.inf, 10**7, 10**12, 10**30,
    1e300, "", "many", "3", [], [1], {}, {"a": 1}, datetime.date(2020, 1, 1),
)  # fmt: skip


def entries():
    """Settings with every table that there can be."""
    every = TrainingConfig(gate=Gate()).entries()
    every["self_play"] |= {"gumbel": asdict(Gumbel())}
    return every


def paths(table, start=()):
    for name, entry in table.items():
        yield (*start, name)
        if isinstance(entry, dict):
            yield from paths(entry, (*start, name))


def changed(table, path, value):
    name, *rest = path
    return {**table, name: changed(table[name], rest, value) if rest else value}


def refusal(make):
    """The sentence of the error; None if there is none. Any other error fails the test."""
    try:
        make()
    except ValueError as error:
        return str(error)
    return None


def test_every_wrong_setting_is_refused_by_name():
    """All settings with all wrong values, more than a thousand of them."""
    assert TrainingConfig.from_entries(entries()).entries() == entries()
    refused = {}
    for path in paths(entries()):
        for value in WRONG:
            wrong = changed(entries(), path, value)
            sentence = refusal(lambda wrong=wrong: TrainingConfig.from_entries(wrong))
            refused[path, repr(value)] = sentence is not None
            if sentence is None:
                kept = TrainingConfig.from_entries(wrong)
                assert TrainingConfig.from_entries(kept.entries()) == kept
            else:
                names = path[-1].removeprefix("game_"), path[0]
                assert any(name in sentence for name in names), (path, value, sentence)
                assert "Error" not in sentence
                assert "not supported between" not in sentence
    assert len(refused) > 800
    for path in paths(entries()):
        if path[:1] != ("game_options",):
            assert refused[path, "datetime.date(2020, 1, 1)"], path
            assert refused[path, "nan"], path
            assert refused[path, "1000000000000000000000000000000"] or path[-1][0] in "ca", path
    for name in ("num_filters", "num_blocks", "value_hidden", "num_games", "num_shares"):
        assert refused[(name,), "1000000000000"]


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def from_text(text):
    with open("wrong.toml", "w", encoding="utf-8") as file:
        file.write(text)
    return TrainingConfig.from_toml("wrong.toml")


def test_false_stands_for_none_and_a_game_has_no_options_of_another():
    assert from_text("[self_play]\nnoise = false").self_play.noise is None
    with_defaults = from_text("[gate]\n[self_play.gumbel]")
    assert (with_defaults.gate, with_defaults.self_play.gumbel) == (Gate(), Gumbel())
    assert from_text('game = "connect_four"').game_options == {}
    assert TrainingConfig(game="reversi").game_options == {}
    four_in_a_row, by_default = {"size": 6, "in_a_row": 4}, TrainingConfig()
    for same in (TrainingConfig(game="gomoku"), TrainingConfig(game="gomoku", game_options={})):
        assert same == by_default
    assert from_text('game = "gomoku"\n[game_options]').game_options == four_in_a_row
    whole_board = TrainingConfig(game=Gomoku())
    assert whole_board.first_state() == Gomoku() == games.make("gomoku", **whole_board.game_options)
    assert TrainingConfig.from_entries(whole_board.entries()) == whole_board


def test_wrong_settings_in_python_are_refused_as_well():
    for field in fields(Benchmark):
        assert refusal(lambda f=field: Benchmark(**{f.name: math.nan})).startswith(field.name)
    for opponents in (("alphabeta:2",), ("uct:0",), ("random", "uct:٣")):
        message = f"opponent '{opponents[-1]}': expected random, or such as uct:100"
        with pytest.raises(ValueError, match=message):
            Benchmark(opponents=opponents)


def test_a_formula_of_ones_own_is_not_trained_with():
    rule = PUCT(exploration=lambda visits, prior, parent_visits, c: c * prior)
    with pytest.raises(ValueError, match=r"selection = .* PUCT's own formula"):
        SelfPlayConfig(selection=rule)


def test_an_opening_longer_than_the_game_is_named_at_once():
    too_long = {"opening_plies": 40}
    with pytest.raises(ValueError, match="opening_plies=40 is too many"):
        TrainingConfig(gate=Gate(**too_long))
    with pytest.raises(ValueError, match="opening_plies=40 is too many"):
        train(TrainingConfig(), "run", benchmark=Benchmark(**too_long))
    assert not Path("run").exists()


def test_the_command_says_the_sentence_and_makes_no_folder(capsys):
    from_text_fails = 'game = "chess"'
    with pytest.raises(ValueError, match="chess"):
        from_text(from_text_fails)
    assert main(["train", "wrong.toml", "--out", "run"]) == 2
    assert capsys.readouterr().err.startswith("train: wrong.toml: There is no game 'chess'")
    assert not Path("run").exists()


# Checkpoints


def forge(path, content, tensors):
    """A file with any header."""
    safetensors.torch.save_file(tensors, path, {"mctslab": json.dumps(content)})


def parts(path):
    with safetensors.safe_open(path, framework="pt") as file:
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        return json.loads(file.metadata()["mctslab"]), tensors


def test_a_forged_net_is_refused(tmp_path):
    net = lively_net(NetConfig(3, 3, 9, num_filters=2, num_blocks=1, value_hidden=2))
    about = {"game": "tictactoe", "game_options": {}}
    header, tensors = parts(save_checkpoint("good.safetensors", net, about=about))
    for name in ("rows", "num_filters", "num_blocks"):
        for value in (None, -1, 1.5, 10**12, "many"):
            forge("forged.safetensors", changed(header, ("config", name), value), tensors)
            with pytest.raises(CheckpointError):
                load_checkpoint("forged.safetensors")
    forge("forged.safetensors", changed(header, ("about", "game"), "os:path"), tensors)
    with pytest.raises(CheckpointError, match="expected the name of a game of mctslab"):
        load("forged.safetensors").first_state()
    name = "stem.convolution.weight"
    for wrong in ({f"net.{name}": torch.zeros(7)}, {"net.another": torch.zeros(7)}):
        forge("forged.safetensors", header, tensors | wrong)
        with pytest.raises(CheckpointError, match="its weights are not those"):
            load_checkpoint("forged.safetensors")
