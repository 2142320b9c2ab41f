"""The benchmarks run; how fast anything is, no test asks."""

import gc
import importlib
import re

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


@pytest.mark.parametrize("variant", training.VARIANTS)
def test_the_settings_of_every_run_can_be_trained(variant, tmp_path):
    from mctslab.net.training_config import TrainingConfig

    file = tmp_path / "settings.toml"
    for game in training.GAMES:
        file.write_text(training.settings_of(game, variant, 2), "utf-8")
        config = TrainingConfig.from_toml(file)
        assert config.self_play.solver is (variant == "default")
        assert config.seed == 2
