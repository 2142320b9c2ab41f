"""`python -m mctslab`: every command can be found, and explains itself."""

import importlib
import subprocess
import sys

import pytest

from mctslab.__main__ import COMMANDS, main


def output_of(words, capsys) -> str:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 0
    return capsys.readouterr().out


def test_help_lists_every_command(capsys):
    text = output_of(["--help"], capsys)
    for command in COMMANDS:
        assert f"    {command.name} " in text
        assert command.help in " ".join(text.split())


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_a_command_explains_itself(command, capsys):
    text = output_of([command.name, "--help"], capsys)
    assert f"python -m mctslab {command.name}" in text
    assert command.help[1:] in " ".join(text.split())


@pytest.mark.parametrize("words", [[], ["dokter"], ["doctor", "now"]])
def test_words_that_mean_nothing_are_answered_with_2(words, capsys):
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert "usage: python -m mctslab" in capsys.readouterr().err


def test_the_status_of_a_command_is_passed_on(monkeypatch):
    doctor = importlib.import_module("mctslab.doctor")
    monkeypatch.setattr(doctor, "run", lambda arguments: 5)
    assert main(["doctor"]) == 5


def test_it_runs_as_a_module():
    command = [sys.executable, "-m", "mctslab", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "doctor" in done.stdout
