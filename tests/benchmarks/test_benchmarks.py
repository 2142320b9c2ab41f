"""The benchmarks run; how fast anything is, no test asks."""

import gc
import importlib
import json
import re
import sys

import pytest
import torch

from tests import forks
from tests.benchmarks import search_speed, training_curves
from tests.clusters import forked_workers

_forked = pytest.fixture(forks.child_processes, scope="module", autouse=True)
_forked_workers = pytest.fixture(forked_workers, scope="module", autouse=True)


@pytest.fixture
def output(capsys, monkeypatch):
    """A function that runs a benchmark by a command, with other constants: the lines it prints."""

    def run(command, **constants):
        words = command.split() if isinstance(command, str) else command
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
        return capsys.readouterr().out.splitlines()

    return run


FEW = {"compiled": 200, "readable": 10, "puct": 30}
CONSTANTS = {"self_play_speed": {"NUM_CALLS": 5}}
SAID = {
    **{
        f"search_speed {kind} --runs 1 --simulations {number}": (
            "tictactoe .*\nconnect_four .*\nreversi .*\ngomoku "
        )
        for kind, number in FEW.items()
    },
    "search_speed c --runs 1 --simulations 100": "tictactoe .*\nconnect_four .*\nreversi ",
    "net_speed --nets tiny --batches 1 3 --runs 1": (
        "tiny, batch 1:.* in bfloat16 .*\ntiny, batch 3:.* in bfloat16 "
    ),
    **{
        f"self_play_speed --beside {other} --visits 4 --games 4 --moves 2 --runs 1 --workers 2": (
            f"{said}4 visits a move, 2 cores, medians of 1: {other} .*, ratio "
        )
        for other, said in (("plain", ""), ("cluster", "a call without work: .* ms\n.*"))
    },
    "lost_openings gomoku6_4 --openings 1 --simulations 40": "of 1 random openings:\n    1 ",
    "exact_outcomes --positions 4 --plies 20 24 net:connect_four_1:0 uct:50": (
        "of 4 positions\n.*net:connect_four_1:0 .*uct:50 "
    ),
}
"""By command, what it prints."""


@pytest.mark.parametrize("command", SAID)
def test_a_benchmark_runs(command, output):
    name = command.split()[0]
    if name == "search_speed" and " c " not in command:
        pytest.importorskip("pyspiel", reason="there is no OpenSpiel for this system")
    elif name == "search_speed":
        try:
            search_speed.library()
        except OSError as error:
            pytest.skip(str(error))
    printed = "\n".join(output(command, **CONSTANTS.get(name, {})))
    assert re.search(SAID[command], printed, re.DOTALL)


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


def test_the_match_with_an_engine_runs(output, tmp_path):
    engine = tmp_path / "engine"
    engine.write_text(ENGINE.format(python=sys.executable), "utf-8")
    engine.chmod(0o700)
    *_, line = output("reversi_engine greedy --depths 3 --games 6", PROGRAM=str(engine))
    assert line.startswith("| 3 | ")
    assert line.count(" to ") == 3


def test_learning_curves_go_on_where_they_were_stopped(output, tmp_path):
    shared = training_curves.SHARED | {"num_games": 2, "steps_per_iteration": 1}
    file, words = tmp_path / "curves.jsonl", "--boards gomoku6 --games 2 --simulations 2 --seeds 1"

    def curve(*seconds):
        """The runs that were judged and the table, without what they scored."""
        command = f"training_curves {tmp_path} --json {file} {words} --opponent random --seconds"
        tiny = {"num_simulations": 2, "temperature_plies": 1}
        printed = output([*command.split(), *seconds], SHARED=shared, PLAYING=tiny)
        table = printed.index(next(line for line in printed if line.startswith("game ")))
        return [line.rpartition(":")[0] for line in printed[:table]], printed[table + 1 :]

    runs = [f"gomoku6, {variant}, seed 1, {{}} s" for variant in ("without", "with")]
    judged, first = curve("0.01")
    assert judged == [each.format("0.01") for each in runs]
    assert [row.split()[:2] for row in first] == [["gomoku6", "0.01"]]
    judged, both = curve("0.01", "0.5")
    assert judged == [each.format("0.5") for each in runs]
    assert both[:1] == first
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [each["num_iterations"] > 1 for each in lines] == [False, False, True, True]
    assert all(sum(each["as_first"]) == sum(each["as_second"]) == 1 for each in lines)
    assert curve("0.01", "0.5") == ([], both)


def test_the_settings_of_every_run_can_be_trained():
    """Those of the two notebooks among them."""
    for game in training_curves.GAMES:
        for variant in (*training_curves.VARIANTS, *training_curves.TRICKS):
            config = training_curves.config_of(game, variant, seed=2)
            assert config.self_play.solver is (variant in ("with", "visits, with"))
            assert config.half_precision is (variant in training_curves.VARIANTS)
