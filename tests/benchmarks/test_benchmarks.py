"""The benchmarks run; how fast anything is, no test asks."""

import gc
import importlib
import json
import re
import sys

import pytest
import torch

from tests import forks
from tests.benchmarks import speed, training
from tests.clusters import forked_workers

_forked = pytest.fixture(forks.child_processes, scope="module", autouse=True)
_forked_workers = pytest.fixture(forked_workers, scope="module", autouse=True)


@pytest.fixture
def output(capsys, monkeypatch):
    """A function that runs a benchmark by a command, with other constants: what it prints."""

    def run(command, **constants):
        words = command.split()
        benchmark = importlib.import_module(f"tests.benchmarks.{words[0]}")
        monkeypatch.setattr("sys.argv", words)
        monkeypatch.setattr(gc, "collect", lambda: 0)  # takes long where much was tested before
        for constant, value in constants.items():
            monkeypatch.setattr(benchmark, constant, value)
        num_threads = torch.get_num_threads()
        try:
            benchmark.main()
        finally:
            torch.set_num_threads(num_threads)
        return capsys.readouterr().out

    return run


FEW = {"compiled": 200, "readable": 10, "puct": 30}
SAID = {
    **{
        f"speed {kind} --runs 1 --simulations {number}": (
            "tictactoe .*\nconnect_four .*\nreversi .*\ngomoku "
        )
        for kind, number in FEW.items()
    },
    "speed c --runs 1 --simulations 100": "tictactoe .*\nconnect_four .*\nreversi ",
    "speed net --batches 1 3 --runs 1": "tiny, batch 1:.* in bfloat16 .*\ntiny, batch 3:",
    "speed self-play --visits 4 --games 4 --moves 2 --runs 1": "the plain loop .*, ratio ",
    "speed cluster --visits 4 --games 4 --runs 1": "a call without work: .* ms\n.*, ratio ",
    "strength openings gomoku6_4 --openings 1 --simulations 40": "of 1 random openings:\n    1 ",
    "strength exact --positions 4 --plies 20 24 net:connect_four_1:0 uct:50": (
        "of 4 positions\n.*net:connect_four_1:0 .*uct:50 "
    ),
}
"""By command, what it prints."""


@pytest.mark.thorough
@pytest.mark.parametrize("command", SAID)
def test_a_benchmark_runs(command, output, monkeypatch):
    if command.startswith("speed c "):
        try:
            speed.library()
        except OSError as error:
            pytest.skip(str(error))
    elif command.split()[1] in FEW:
        pytest.importorskip("pyspiel", reason="there is no OpenSpiel for this system")
    monkeypatch.setattr(speed, "NUM_CALLS", 5)
    assert re.search(SAID[command], output(command), re.DOTALL)


ENGINE = """#!{python}
import sys
from mctslab import games
state = games.Reversi()
for line in sys.stdin:
    command, *words = line.split()
    if command == "clear_board":
        state, move = games.Reversi(), ""
    elif command in ("play", "genmove"):
        if state.legal_actions() == (state.pass_action,):
            state = state.child(state.pass_action)
        assert words[0] == ("black", "white")[state.current_player]
        move = words[1] if command == "play" else state.action_to_string(state.legal_actions()[0])
        state = state.child(state.string_to_action(move))
    print("=", move.upper(), "\\n", flush=True)
"""
"""Plays the first legal move, and passes by itself, as GRhino does."""


@pytest.mark.thorough
def test_the_match_with_an_engine_runs(output, tmp_path):
    engine = tmp_path / "engine"
    engine.write_text(ENGINE.format(python=sys.executable), "utf-8")
    engine.chmod(0o700)
    printed = output("strength engine greedy --depths 3 --games 6", PROGRAM=str(engine))
    *_, line = printed.splitlines()
    assert line.startswith("| 3 | ")
    assert line.count(" to ") == 3


@pytest.mark.thorough
def test_learning_curves_are_of_the_marks_and_go_on_where_they_were_stopped(output, tmp_path):
    file = tmp_path / "curves.jsonl"
    short = "--games 2 --simulations 2 --opponent random --seeds 1"
    command = f"training {file} --boards gomoku6 --seconds 1 4 --clock cpu {short}"
    table = output(command)
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [each["seconds"] for each in lines] == [1, 4]
    assert all(sum(each["as_first"]) == sum(each["as_second"]) == 1 for each in lines)
    assert output(command) == "\n".join(table.splitlines()[1:]) + "\n", "nothing is missing"


@pytest.mark.parametrize("variant", training.VARIANTS)
def test_the_settings_of_every_run_can_be_trained(variant, tmp_path):
    from mctslab.net.training_config import TrainingConfig

    file = tmp_path / "settings.toml"
    for game in training.GAMES:
        file.write_text(training.settings_of(game, variant, 2), "utf-8")
        config = TrainingConfig.from_toml(file)
        assert config.self_play.solver is (variant == "default")
        assert config.seed == 2
