"""`python -m mctslab`: every command can be found, and explains itself."""

import importlib
import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

import mctslab
from mctslab.__main__ import COMMANDS, main, main_in_a_pipe


def output_of(words, capsys) -> str:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 0
    return " ".join(capsys.readouterr().out.split())


def test_help_lists_every_command_and_each_explains_itself(capsys):
    text = output_of(["--help"], capsys)
    for name, (_, purpose) in COMMANDS.items():
        assert f" {name} {purpose}" in text
        own = output_of([name, "--help"], capsys)
        assert f"python -m mctslab {name}" in own
        assert purpose[1:] in own


def test_it_calls_itself_as_it_was_called_and_says_its_version(capsys, monkeypatch):
    assert output_of(["--version"], capsys) == f"mctslab {mctslab.__version__}"
    monkeypatch.setattr("sys.argv", ["/usr/bin/mctslab"])
    for words in (["--help"], ["doctor", "--help"]):
        assert output_of(words, capsys).startswith("usage: mctslab ")
    monkeypatch.setattr("sys.argv", ["/usr/lib/mctslab/__main__.py"])
    assert output_of(["--help"], capsys).startswith("usage: python -m mctslab ")


@pytest.mark.parametrize("words", [[], ["dokter"], ["doctor", "now"]])
def test_words_that_mean_nothing_are_answered_with_2(words, capsys):
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert "usage: python -m mctslab" in capsys.readouterr().err


# Pipes


def ended_unread(words, unbuffered) -> tuple[int, str]:
    """The exit status and the complaints of a command whose output nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "mctslab", *words]
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    done = subprocess.run(
        command, stdout=writer, stderr=subprocess.PIPE, env=environment, text=True, check=False
    )
    os.close(writer)
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("words", "unbuffered"),
    [
        ("--help", ""),
        ("arena tictactoe random random --games 2", ""),
        ("arena tictactoe random random --games 2", "1"),
    ],
)
def test_a_command_ends_quietly_when_nobody_reads_on(words, unbuffered):
    status, complaints = ended_unread(words.split(), unbuffered)
    assert status == 141
    assert "Traceback" not in complaints
    assert "Broken pipe" not in complaints


# Terminals without Unicode


OWN_GAME = """
from mctslab.games import TicTacToe

class Own(TicTacToe):
    title = "Drei in einer Reihe, für alle"
"""


def test_commands_and_results_can_be_printed_where_there_is_only_ascii(tmp_path):
    (tmp_path / "own.py").write_text(OWN_GAME, "utf-8")
    environment = os.environ | {
        "PYTHONIOENCODING": "ascii",
        "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
    }
    result = "from mctslab import arena; print(arena.{}('tictactoe', {}, num_games=2, seed=1))"
    for words, expected in (
        (["-c", result.format("match", "'random', 'random'")], " ms a move"),
        (["-c", result.format("round_robin", "['random', 'flat:9', 'flat:18']")], "  -  "),
        (["-m", "mctslab", "play", "own.py", "--against", "random"], r"f\xfcr alle: you are"),
    ):
        done = subprocess.run(
            [sys.executable, *words],
            input="quit",
            capture_output=True,
            cwd=tmp_path,
            env=environment,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert expected in done.stdout


# What becomes of a command, tried on that of the doctor


@pytest.fixture
def doctor(monkeypatch):
    """A doctor that only does what its `run.side_effect` and `run.return_value` say."""
    run = Mock()
    monkeypatch.setattr(importlib.import_module("mctslab.doctor"), "run", run)
    return run


def test_another_pipe_that_breaks_is_an_error(doctor):
    doctor.side_effect = BrokenPipeError("of a worker")
    with pytest.raises(BrokenPipeError, match="of a worker"):
        main_in_a_pipe(["doctor"])


def test_ctrl_c_is_answered_with_one_sentence_in_every_command(doctor, capsys):
    doctor.side_effect = KeyboardInterrupt
    assert main(["doctor"]) == 130
    assert capsys.readouterr().err.startswith("\nStopped. ")
