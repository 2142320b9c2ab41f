"""`python -m mctslab`: every command can be found, and explains itself."""

import importlib
import os
import subprocess
import sys
from unittest.mock import Mock

import pytest

from mctslab.__main__ import COMMANDS, main


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


# What becomes of a command, tried on that of the doctor


@pytest.fixture
def doctor(monkeypatch):
    """A doctor that only does what its `run.side_effect` and `run.return_value` say."""
    run = Mock()
    monkeypatch.setattr(importlib.import_module("mctslab.doctor"), "run", run)
    return run


def test_ctrl_c_is_answered_with_one_sentence_in_every_command(doctor, capsys):
    doctor.side_effect = KeyboardInterrupt
    assert main(["doctor"]) == 130
    assert capsys.readouterr().err.startswith("\nStopped. ")
