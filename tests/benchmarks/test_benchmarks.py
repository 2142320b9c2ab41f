"""The benchmarks run; how fast anything is, no test asks."""

import contextlib
import gc
import importlib
import json
import re
import sys

import pytest
import torch

from mctslab import arena, games
from tests import forks
from tests.benchmarks import lost_openings, training_ablation, training_curves

_forked = pytest.fixture(forks.child_processes, scope="module", autouse=True)


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


FEW = {"compiled": 100, "readable": 10, "puct": 30}
CONSTANTS = {"open_spiel_speed": {"NUM_SIMULATIONS": FEW}, "solver_strength": {"BUDGETS": (50,)}}
SAID = {
    **{
        f"open_spiel_speed {kind} --runs 1": "tic_tac_toe .*\nconnect_four .*\nothello .*\ngomoku "
        for kind in FEW
    },
    "c_speed --runs 1 --simulations 100": "tictactoe .*\nconnect_four .*\nreversi |^There is|^gcc",
    "net_speed --nets tiny --batches 1 3 --runs 1": (
        "tiny, batch 1:.* in bfloat16 .*\ntiny, batch 3:.* in bfloat16 "
    ),
    "self_play_speed --visits 4 --games 4 --moves 2 --runs 1 --workers 2": (
        "4 visits a move, 2 cores, medians of 1: plain loop "
    ),
    "solver_strength --positions 3": (
        r"\| uct \| .*\| uct\+solver \| .*\| puct \| .*\| puct\+solver \| "
    ),
    "exact_outcomes --positions 4 net:connect_four_1:0 uct:50": (
        "of 4 positions\n.*net:connect_four_1:0 .*uct:50 "
    ),
}
"""By command, what it prints; without gcc the comparison with C says so."""


@pytest.mark.parametrize("command", SAID)
def test_a_benchmark_runs(command, output):
    name = command.split()[0]
    if name == "open_spiel_speed":
        pytest.importorskip("pyspiel", reason="there is no OpenSpiel for this system")
    printed = "\n".join(output(command, **CONSTANTS.get(name, {})))
    assert re.search(SAID[command], printed, re.DOTALL)


def test_the_comparison_with_a_cluster_runs(output):
    from tests.clusters import forked_workers

    with contextlib.contextmanager(forked_workers)():
        (line,) = output("cluster_speed --workers 2 --runs 1 --visits 4 --games 6 --calls 5")
    assert " 2 processes " in line
    assert line.endswith(" ms")


def test_lost_openings_are_those_of_the_matches(output):
    options = {"size": 6, "in_a_row": 4}
    games_of = {"game_options": options, "num_games": 8, "seed": 3, "opening_plies": 2}
    played = arena.match("gomoku", "random", "random", **games_of).games[::2]
    first = games.Gomoku(**options)
    wanted = [first.child(match.actions[0]).child(match.actions[1]) for match in played]
    assert list(lost_openings.openings(first, 4, seed=3)) == wanted
    lines = output("lost_openings gomoku6_4 --openings 3 --simulations 40")
    assert sum(int(line.split()[0]) for line in lines[1:]) == 3


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


# Ways of self-play

SMALL = {"num_filters": 4, "num_blocks": 1, "num_games": 8, "batch_size": 8}
SMALL |= {"num_iterations": 100_000, "steps_per_iteration": 2}


def test_all_variants_are_trained_and_measured_once(output, tmp_path, monkeypatch):
    file, variants = tmp_path / "found.json", list(training_ablation.VARIANTS)
    command = f"training_ablation --games 4 --simulations 4 --opponent uct:40 --json {file}"

    def compare():
        printed = output(f"{command} --seeds 1 2 --seconds 0.01", SHARED=SMALL)
        return json.loads(file.read_text()), printed

    stored, printed = compare()
    runs = stored["runs"]
    assert [(each["variant"], each["seed"]) for each in runs] == [
        (variant, seed) for seed in (1, 2) for variant in variants
    ]
    assert all(sum(each["as_first"]) == sum(each["as_second"]) == 2 for each in runs)
    assert all(each["num_iterations"] == 1 and each["seconds"] > 0 for each in runs)
    assert all(variant in "\n".join(printed) for variant in variants)
    monkeypatch.setattr(training_ablation, "Curve", None)
    assert compare() == (stored, printed)


def test_learning_curves_go_on_where_they_were_stopped(output, tmp_path):
    shared = training_curves.SHARED | {"num_games": 2, "steps_per_iteration": 1}
    file, words = tmp_path / "curves.jsonl", "--boards gomoku6 --games 2 --simulations 2 --seeds 1"

    def curve(*seconds):
        command = f"training_curves {tmp_path} --json {file} {words} --opponent random --seconds"
        tiny = {"num_simulations": 2, "temperature_plies": 1}
        return output([*command.split(), *seconds], SHARED=shared, PLAYING=tiny)

    first = curve("0.01")
    assert [line.rsplit(":", 1)[0] for line in first[:-2]] == [
        "gomoku6, without, seed 1, 0.01 s", "gomoku6, with, seed 1, 0.01 s"
    ]  # fmt: skip
    assert first[-1].split()[:2] == ["gomoku6", "0.01"]
    longer = curve("0.01", "0.5")
    assert [line.rsplit(":", 1)[0] for line in longer[:-3]] == [
        "gomoku6, without, seed 1, 0.5 s", "gomoku6, with, seed 1, 0.5 s"
    ]  # fmt: skip
    assert longer[-2:] == [first[-1], longer[-1]]
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [each["num_iterations"] for each in lines[:2]] == [1, 1]
    assert all(each["num_iterations"] > 1 for each in lines[2:])
    assert all(sum(each["as_first"]) == sum(each["as_second"]) == 1 for each in lines)
    assert curve("0.01", "0.5") == longer[-3:]
